"""The Kinto process: the application of an ini file, with accounts and the demo's data put in before it answers.

    application.py INI [--account NAME:PASSWORD]... [--demo FOLDER]

It ends when the process that started it does.
"""
import argparse
import base64
import ctypes
import io
import json
import os
import shutil
import signal
import sys
from pathlib import Path

from kinto.core import scripts
from kinto.plugins.accounts.scripts import create_user
from paste.deploy import loadapp, loadserver


def end_with_parent(parent):
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


class Caller:
    """Asks the application without a network."""

    def __init__(self, app):
        self.app = app

    def __call__(self, method, path, body=None, user=None):
        content = json.dumps(body).encode() if body is not None else b""
        environ = {
            "REQUEST_METHOD": method, "PATH_INFO": path, "SCRIPT_NAME": "", "QUERY_STRING": "",
            "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost", "HTTP_ACCEPT": "application/json", "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(content)),
            "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(content),
            "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        if user:
            environ["HTTP_AUTHORIZATION"] = "Basic " + base64.b64encode(":".join(user).encode()).decode()
        status = []
        answer = b"".join(self.app(environ, lambda line, headers, exc=None: status.append(line)))
        if not status[0].startswith("2"):
            sys.exit(f"{method} {path}: {status[0]} {answer.decode()}")
        return json.loads(answer)


def record_id(feed, key):
    """The same as RecordName in Platform/KintoRemote."""

    def encoded(text):
        plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
        return "".join(chr(byte) if byte in plain else f"_{byte:02x}" for byte in text.encode())

    return f"{encoded(feed)}__{encoded(key)}"


def load_demo(app, call, user, folder):
    """Puts `<feed>.ndjson` and the files they name into the user's collections, past the web: 700 records take no
    time at all."""
    import transaction

    storage = app.registry.storage
    settings = app.registry.settings
    bucket = call("GET", "/v1/", user=user)["user"]["bucket"]
    for path in sorted(folder.glob("*.ndjson")):
        call("GET", f"/v1/buckets/default/collections/{path.stem}/records", user=user)
        place = {"resource_name": "record", "parent_id": f"/buckets/{bucket}/collections/{path.stem}"}
        for line in path.read_text(encoding="utf-8").splitlines():
            # PostgreSQL has no U+0000 in a text, so Kinto on it takes no such record.
            if "\\u0000" in line:
                print(f"left out, because it holds U+0000: {path.stem} of {user[0]}: {line[:60]}", file=sys.stderr)
                continue
            change = json.loads(line)
            name = record_id(path.stem, change["id"])
            if blob := change.get("record", {}).get("attachment"):
                target = Path(settings["attachment.base_path"], "demo", blob["hash"])
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / blob["location"], target)
                blob["location"] = settings["attachment.base_url"] + "demo/" + blob["hash"]
            if change.get("deleted"):
                storage.delete(object_id=name, **place)
            else:
                storage.update(object_id=name, obj={"id": name, **change["record"]}, **place)
        transaction.commit()


def serve(arguments):
    app = loadapp(f"config:{arguments.ini}")
    if "postgresql" in app.registry.settings["storage_backend"]:
        scripts.migrate({"registry": app.registry})
    call = Caller(app)
    accounts = [tuple(account.split(":", 1)) for account in arguments.account]
    for name, password in accounts:
        create_user({"registry": app.registry}, username=name, password=password)
        if arguments.demo and (Path(arguments.demo) / name).is_dir():
            load_demo(app, call, (name, password), Path(arguments.demo) / name)
    loadserver(f"config:{arguments.ini}")(app)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ini")
    parser.add_argument("--account", action="append", default=[])
    parser.add_argument("--demo")
    parser.add_argument("--parent", type=int, required=True)
    arguments = parser.parse_args()
    end_with_parent(arguments.parent)
    serve(arguments)


if __name__ == "__main__":
    main()

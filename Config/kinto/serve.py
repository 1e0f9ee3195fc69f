#!/usr/bin/env python3
"""Runs Kinto for this machine, from PyPI, in a virtual environment of its own.

    serve.py --environment FOLDER [--port N] [--backend memory|postgresql] [--threads N] [--write-lock]
             [--set NAME=VALUE]... [--account NAME:PASSWORD]... [--demo FOLDER] [--commands]

All it keeps is in a temporary folder, and gone when it ends; so are the processes it starts. With --commands it
is a test's: it says `{"port": N, "process": N}` when the server answers, obeys the lines it reads, and ends with
its input, so also when the test is killed:

    {"do": "kill server"} | {"do": "start server"} | {"do": "kill database"} | {"do": "start database"}
    {"do": "request", "method": M, "path": P, "user": "NAME:PASSWORD", "headers": {…}, "body": …}
    {"do": "sql", "text": "SELECT …"}
"""
import argparse
import base64
import ctypes
import fcntl
import hashlib
import json
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
PREFIX = "ferry-kinto-"


class Failure(Exception):
    pass


def end_with_parent():
    """Runs in the child: it ends when this process does, however that ends."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


def run(command, why, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        raise Failure(f"{why}\n{result.stdout.decode(errors='replace').strip()}")


def find_python():
    for name in ("/usr/bin/python3", "python3.11", "python3"):
        path = shutil.which(name)
        if path is None:
            continue
        version = subprocess.run([path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True)
        if version.stdout.split() == [b"3", b"11"]:
            return path
    raise Failure("The pinned Kinto needs Python 3.11 (Debian 12 has it), and there is none.")


def environment(folder):
    """The virtual environment's Python; makes the environment where it isn't there or isn't this one."""
    pins = (HERE / "requirements.txt").read_bytes()
    stamp = hashlib.sha256(pins).hexdigest()[:16]
    folder = Path(folder).absolute()
    python, done = folder / "bin/python", folder / stamp
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / f".{folder.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if done.exists():
            return python
        shutil.rmtree(folder, ignore_errors=True)
        run([find_python(), "-m", "venv", folder],
            "The virtual environment for Kinto can't be made: `make install-server` brings python3-venv.")
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
             "--only-binary=:all:", "--require-hashes", "--requirement", HERE / "requirements.txt"],
            "PyPI can't be reached, so there is no Kinto server: what needs one fails.")
        done.touch()
    return python


def new_folder():
    """A temporary folder, and the lock that says that it is in use. What killed runs left behind is deleted: folders
    whose lock nobody holds. One at a time, since a folder that was just made has none yet."""
    with open(Path(tempfile.gettempdir()) / f".{PREFIX}folders-{os.getuid()}", "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        for left in Path(tempfile.gettempdir()).glob(PREFIX + "*"):
            try:
                with open(left / "lock", "w") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(left, ignore_errors=True)
            except OSError:
                pass
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = open(folder / "lock", "w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        return folder, lock


class Ports:
    """Ports that are this process's own until it ends, also while the server on one is down: they lie below those
    that the system gives to whoever asks for any, and other runs of this program see that they are taken."""

    def __init__(self):
        self.taken = open(Path(tempfile.gettempdir()) / f".{PREFIX}ports-{os.getuid()}", "a")
        self.own = set()

    def take(self):
        try:
            end = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
        except OSError:
            end = 32768
        numbers = range(10000, max(end, 20000))
        for number in random.sample(numbers, len(numbers)):
            try:
                # A lock on one byte of the file: it goes with the process, and a child doesn't inherit it.
                fcntl.lockf(self.taken, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
                with socket.socket() as listener:
                    listener.bind(("127.0.0.1", number))
            except OSError:
                continue
            if number not in self.own:
                self.own.add(number)
                return number
        raise Failure("There is no free port.")


class Database:
    """A PostgreSQL cluster for throw-away data: nothing is synced to disk, but what was committed outlives the process."""

    def __init__(self, folder, port):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not found:
            raise Failure("There is no PostgreSQL server: `make install-server` brings it.")
        self.programs = found[-1].parent
        self.folder, self.port, self.process = folder, port, None
        self.user = {}
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            account = pwd.getpwnam("postgres")
            self.user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
            os.chmod(folder.parent, 0o711)
        folder.mkdir(mode=0o700)
        if self.user:
            os.chown(folder, self.user["user"], self.user["group"])
        run([self.programs / "initdb", "-D", folder / "data", "-U", "kinto", "--auth=trust", "--encoding=UTF8",
             "--locale=C.UTF-8", "--no-sync", "--no-instructions"],
            "The database can't be made.", cwd=folder, **self.user)
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": folder,
            "timezone": "UTC", "fsync": "off", "full_page_writes": "off",
            "max_connections": 100, "jit": "off", "shared_buffers": "64MB", "autovacuum_naptime": "5s",
        }
        with open(folder / "data/postgresql.conf", "a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    url = property(lambda self: f"postgresql://kinto@127.0.0.1:{self.port}/postgres")

    def start(self):
        with open(self.folder.parent / "database.log", "a") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data"], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, cwd=self.folder, preexec_fn=end_with_parent, **self.user)
        for _ in range(2400):
            ready = subprocess.run([self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)])
            if ready.returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Failure("The database doesn't start:\n" + (self.folder.parent / "database.log").read_text())

    def sql(self, text):
        """The rows of a query, as lines."""
        result = subprocess.run(
            ["psql", "-qtAX", "-h", "127.0.0.1", "-p", str(self.port), "-U", "kinto", "-d", "postgres", "-c", text],
            capture_output=True, text=True)
        if result.returncode != 0:
            raise Failure(result.stderr)
        return result.stdout.splitlines()

    def kill(self):
        if self.process:
            self.process.send_signal(signal.SIGQUIT)  # "immediate shutdown": as if the power had failed
            self.process.wait()
            self.process = None


class Server:
    """The Kinto process."""

    def __init__(self, python, folder, port, arguments, database):
        self.python, self.folder, self.arguments, self.process = python, folder, arguments, None
        self.port = port
        includes = ["kinto.plugins.default_bucket", "kinto.plugins.accounts", "kinto_attachment", "filesview"]
        if arguments.write_lock:
            includes.append("writelock")
        (folder / "files").mkdir()
        settings = {"kinto.batch_max_requests": "200", "kinto.attachment.max_size_bytes": "20000000"}
        settings |= dict(setting.split("=", 1) for setting in arguments.set)
        text = (HERE / "server.ini").read_text().format(
            port=self.port, threads=arguments.threads, includes=" ".join(includes),
            backend=arguments.backend, database=database.url if database else "", files=folder / "files",
            account_creators="system.Everyone" if arguments.commands else "account:admin",
            settings="\n".join(f"{name} = {value}" for name, value in settings.items()))
        (folder / "server.ini").write_text(text)
        self.start(["--account=" + account for account in arguments.account]
                   + (["--demo=" + arguments.demo] if arguments.demo else []))

    def start(self, options=()):
        log_path = self.folder / "server.log"
        with open(log_path, "a") as log:
            self.process = subprocess.Popen(
                [self.python, HERE / "application.py", self.folder / "server.ini", f"--parent={os.getpid()}",
                 *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "PYTHONPATH": str(HERE / "plugins"), "PYTHONWARNINGS": "ignore",
                     "PYTHONDONTWRITEBYTECODE": "1"})
        for _ in range(3600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/__lbheartbeat__", timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Failure("The server doesn't start:\n" + log_path.read_text()[-3000:])

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def request(server, order):
    """Asks the server, as a test's witness that knows nothing of the code under test."""
    body = json.dumps(order["body"]).encode() if "body" in order else None
    ask = urllib.request.Request(f"http://127.0.0.1:{server.port}/v1{order['path']}", body, method=order["method"])
    ask.add_header("Content-Type", "application/json")
    for name, value in order.get("headers", {}).items():
        ask.add_header(name, value)
    if "user" in order:
        ask.add_header("Authorization", "Basic " + base64.b64encode(order["user"].encode()).decode())
    try:
        answer = urllib.request.urlopen(ask, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        text = answer.read().decode()
    return {"status": answer.status, "headers": dict(answer.headers), "body": json.loads(text) if text else None}


def obey(server, database):
    """Carries out the orders of a test, each a line of JSON, and answers each with a line."""
    actions = {
        "kill server": lambda order: server.kill(), "start server": lambda order: server.start(),
        "request": lambda order: request(server, order),
    }
    if database:
        actions |= {
            "kill database": lambda order: database.kill(), "start database": lambda order: database.start(),
            "sql": lambda order: {"rows": database.sql(order["text"])},
        }
    print(json.dumps({"port": server.port, "process": server.process.pid}), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        try:
            print(json.dumps(actions[order["do"]](order) or {}), flush=True)
        except (Failure, OSError) as failure:
            print(json.dumps({"failure": str(failure)}), flush=True)


def tell(server, arguments):
    print(f"Kinto answers at http://127.0.0.1:{server.port}/v1/ until Ctrl-C.")
    for account in arguments.account:
        print(f"  curl -u {account} 'http://127.0.0.1:{server.port}/v1/buckets/default/collections/items/records?_limit=1'")
    sys.stdout.flush()
    server.process.wait()
    raise Failure("The server has ended:\n" + (server.folder / "server.log").read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--environment", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--backend", choices=["memory", "postgresql"], default="memory")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--write-lock", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--account", action="append", default=[])
    parser.add_argument("--demo")
    parser.add_argument("--commands", action="store_true")
    arguments = parser.parse_args()

    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda *_: sys.exit(0))
    folder, lock = new_folder()
    server = database = None
    ports = Ports()
    try:
        python = environment(arguments.environment)
        if arguments.backend == "postgresql":
            database = Database(folder / "database", ports.take())
            database.start()
        server = Server(python, folder, arguments.port or ports.take(), arguments, database)
        obey(server, database) if arguments.commands else tell(server, arguments)
    except Failure as failure:
        print(json.dumps({"failure": str(failure)}) if arguments.commands else f"serve: {failure}",
              file=sys.stdout if arguments.commands else sys.stderr, flush=True)
        sys.exit(1)
    except KeyboardInterrupt:
        print()
    finally:
        for part in (server, database):
            if part:
                part.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

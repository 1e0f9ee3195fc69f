#!/usr/bin/env python3
"""Makes the demo's server from the golden JSON of its Realm files.

    Config/demo/make-remote.py GOLDENS OUT

reads GOLDENS/alice.json and bob.json and writes OUT/<user>/<feed>.ndjson and OUT/<user>/blobs, the same bytes
every time: first what the devices once sent, then what has happened on the server since.
"""
import base64
import hashlib
import json
import sys
import unicodedata
from pathlib import Path

# What happened on the server after the Realm files were left behind. Items are named by their legacy id; a
# new item without a folder goes into the new folder. Bob's new title is in decomposed Hangul, as a Mac writes
# file names: a store must not compose it.
SINCE = {
    "alice": {
        "never_arrived": 19,
        "read": [3, 7],
        "starred": [14],
        "retitled": (27, "한글 메모: 서울 여행 계획"),
        "deleted": 36,
        "sent": (
            "att-474f960f-92d2-42ff-f20a-4ff883cdffda",
            "회의록.bin",
            "회의록\n\n1. 서울 여행: 기차표는 금요일까지.\n2. 장보기: 두부, 대파, 고추장.\n",
        ),
        "folder": ("8f3d1c52-6b0e-4a7d-9c41-2e5f7a90b613", "Trips 🧳"),
        "items": [
            ("1d9e4b70-52c3-4f86-a1b8-6c0d3e7f9a25", "i1", "Written on the tablet"),
            ("c47a0f2e-9b15-4d63-8e72-f1a6b3c8d509", "i-7", "태블릿에서 쓴 메모"),
            ("52b8e6d1-0f4c-4e39-b7a5-9d2c1f8e6043", None, "Packing list"),
        ],
    },
    "bob": {
        "never_arrived": 23,
        "read": [14, 18],
        "starred": [19],
        "retitled": (25, unicodedata.normalize("NFD", "회의 노트: 다음 주")),
        "deleted": 30,
        "sent": (
            "att-368a82a8-82c6-aca9-55f9-d0bd1a11bc27",
            "café-menu.bin",
            "Café menu\n\nKimchi stew   9\nTofu rice     7\nBarley tea    2\n",
        ),
        "folder": ("3a6c9e18-d247-4b5f-8d03-7e1b4f92c650", "Recipes 🍲"),
        "items": [
            ("e02f7d94-1a8b-4c56-9f3e-b5d8a6c70412", "i6", "Written on the laptop"),
            ("7b15c3a8-f69d-4e02-a4d7-08e9b2f16c53", "i5000000000", "노트북에서 쓴 메모"),
            ("94d0e8f6-3c7a-4b21-8f65-d1a2c7b9e038", None, "Kimchi stew"),
        ],
    },
}
SINCE_THEN = 1_760_000_000 * 10**9  # 2025-10-09, after every item of the Realm files


class Feed:
    """A feed's changes, oldest first."""

    def __init__(self):
        self.changes = []
        self.records = {}

    def put(self, id, record):
        self.records[id] = {name: value for name, value in record.items() if value is not None}
        self._append(id, record=self.records[id])

    def edit(self, id, **members):
        self.put(id, self.records[id] | members)

    def delete(self, id):
        del self.records[id]
        self._append(id, deleted=True)

    def _append(self, id, **content):
        self.changes.append({"id": id, "revision": len(self.changes) + 1} | content)

    def text(self):
        lines = (json.dumps(change, ensure_ascii=False, separators=(",", ":")) for change in self.changes)
        return "".join(line + "\n" for line in lines)


class Legacy:
    """The rows of a golden file, by class; links become the identifier of the row they lead to."""

    def __init__(self, path):
        self.tables = {table["name"]: table for table in json.loads(path.read_text("utf-8"))["tables"]}
        self.ids = {
            (name, row["key"]): identifier(row["values"][table["primary_key"]])
            for name, table in self.tables.items()
            if table["primary_key"] in ("id", "key", "query")
            for row in table["rows"]
        }

    def rows(self, name):
        return [row["values"] for row in self.tables["class_" + name]["rows"]]

    def target(self, link):
        return link and self.ids[tuple(link["$link"])]


def identifier(key):
    """The reversible form of a legacy key that a server takes."""
    if isinstance(key, int):
        return f"i{key}"
    return "s" + "".join(
        chr(byte) if chr(byte).isascii() and chr(byte).isalnum() or byte == ord("-") else f"_{byte:02x}"
        for byte in key.encode()
    )


def nanoseconds(timestamp):
    seconds, rest = timestamp["$timestamp"]
    return seconds * 10**9 + rest


def folders(legacy):
    feed = Feed()
    for row in legacy.rows("NoteContainer"):
        feed.put(
            identifier(row["id"]),
            {
                "name": row["name"],
                "type": row["typeRaw"],
                "sortOrder": row["sortOrder"],
                "parent": legacy.target(row["parent"]),
            },
        )
    return feed


def items(legacy, never_arrived):
    feed = Feed()
    for row in legacy.rows("NoteSummary"):
        if row["remoteItemID"] == 0 or row["id"] == never_arrived:
            continue
        feed.put(
            identifier(row["id"]),
            {
                "remoteID": row["remoteItemID"],
                "folder": legacy.target(row["container"]) or identifier(row["containerRowID"]),
                "title": row["title"],
                "preview": row["preview"],
                "isRead": row["isRead"],
                "isStarred": row["isStarred"],
                "updatedAt": nanoseconds(row["updatedAt"]),
                "score": row["score"],
                "tags": row["tags"],
            },
        )
    return feed


def attachments(legacy):
    feed = Feed()
    for row in legacy.rows("NoteAttachment"):
        feed.put(
            identifier(row["id"]),
            {
                "item": legacy.target(row["item"]),
                "fileName": row["fileName"],
                "byteSize": row["byteSize"],
                "mimeType": row["mimeType"],
                "checksum": row["checksum"] and row["checksum"]["$binary"],
            },
        )
    return feed


def happen(since, folders, items, attachments):
    """What the server has seen since; the files that came with it, by SHA-256."""
    moments = iter(range(SINCE_THEN, SINCE_THEN + 10**12, 10**9))
    for id in since["read"]:
        items.edit(identifier(id), isRead=True, updatedAt=next(moments))
    for id in since["starred"]:
        items.edit(identifier(id), isStarred=True, updatedAt=next(moments))
    id, title = since["retitled"]
    items.edit(identifier(id), title=title, updatedAt=next(moments))
    items.delete(identifier(since["deleted"]))

    new_folder, name = since["folder"]
    folders.put(new_folder, {"name": name, "type": "smart_v3", "sortOrder": 60, "parent": "i1"})
    for remote_id, (id, folder, title) in enumerate(since["items"], 900_000_000_000_001):
        items.put(
            id,
            {
                "remoteID": remote_id,
                "folder": folder or new_folder,
                "title": title,
                "isRead": False,
                "updatedAt": next(moments),
                "tags": ["new"],
            },
        )
    id, file_name, text = since["sent"]
    content = text.encode()
    digest = hashlib.sha256(content)
    attachments.edit(
        identifier(id),
        fileName=file_name,
        byteSize=len(content),
        mimeType="text/plain",
        checksum=base64.b64encode(digest.digest()).decode(),
        attachment={
            "location": "blobs/" + digest.hexdigest(),
            "hash": digest.hexdigest(),
            "size": len(content),
            "mimetype": "text/plain",
            "filename": file_name,
        },
    )
    return {digest.hexdigest(): content}


def main(goldens, out):
    for user, since in SINCE.items():
        legacy = Legacy(Path(goldens, user + ".json"))
        feeds = {
            "folders": folders(legacy),
            "items": items(legacy, since["never_arrived"]),
            "attachments": attachments(legacy),
        }
        blobs = happen(since, **feeds)
        # No device has sent one, so the collection is there and empty.
        feeds["settings"] = Feed()
        for name, feed in feeds.items():
            path = Path(out, user, name + ".ndjson")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(feed.text().encode())
            print(f"{user}/{name}: {len(feed.changes)} changes, {len(feed.records)} records")
        for digest, content in blobs.items():
            path = Path(out, user, "blobs", digest)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

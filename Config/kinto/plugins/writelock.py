"""Lets one write at a time through, whatever the number of threads and processes: reads stay parallel.

Kinto on PostgreSQL checks If-Match before it writes and gives timestamps before it commits. Without this (or one
thread) two writers can both succeed against the same revision, and a reader can miss a record for ever.
It has to be taken before the record is read, so before Pyramid looks the resource up.
"""
from kinto.core.utils import sqlalchemy
from pyramid.events import BeforeTraversal

LOCK = 4242


def take_lock(event):
    request = event.request
    is_part_of_batch = hasattr(request, "parent")
    if request.method in ("GET", "HEAD", "OPTIONS") or is_part_of_batch:
        return
    with request.registry.storage.client.connect() as connection:
        connection.execute(sqlalchemy.text(f"SELECT pg_advisory_xact_lock({LOCK})"))


def includeme(config):
    config.add_subscriber(take_lock, BeforeTraversal)

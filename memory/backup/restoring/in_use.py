"""Whether somebody uses the database: a worker, a web server, another program."""

import fcntl
import os
import socket
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

_SQLITE_SHARED = (0x40000002, 510)
"""Where SQLite locks a file for reading, and how many bytes: a connection in WAL mode keeps that while it is open."""
_EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (read, not bound)


def users() -> list[str]:
    """Who uses the database, in words; empty where nobody is seen. This thread's own connections are closed."""
    connection = connections[DEFAULT_DB_ALIAS]
    of_database = _with_file_open() if connection.vendor == "sqlite" else _connected()
    return [*of_database, *_listening()]


def _with_file_open() -> list[str]:
    path = Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"])
    connections.close_all()  # to close a file lets go of all locks that this process has on it
    if not path.exists():
        return []
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SQLITE_SHARED[1], _SQLITE_SHARED[0], os.SEEK_SET)
        except OSError:
            return [f"another process has {path} open"]
        fcntl.lockf(file, fcntl.LOCK_UN, _SQLITE_SHARED[1], _SQLITE_SHARED[0], os.SEEK_SET)
    return []


def _connected() -> list[str]:
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        count = int(cursor.fetchone()[0])
    return [f"{count} other connection{'s' if count > 1 else ''} to the database"] if count else []


def _listening() -> list[str]:
    """A web server need not have a connection open at the moment."""
    host, port = settings.CAESAR.server.host, settings.CAESAR.server.port
    try:
        with closing(socket.create_connection((_EVERY_ADDRESS.get(host, host), port), timeout=1)):
            return [f"something listens at {host}, port {port}"]
    except OSError:
        return []

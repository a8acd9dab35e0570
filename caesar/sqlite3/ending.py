"""The end of a server, whose processes were ended with their connections open."""

from contextlib import suppress

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections


def write_out() -> None:
    """Put what still stands in SQLite's log (`-wal`) into the database file, so that a copy of the file alone has all.

    SQLite does so when the last connection is closed. Nothing happens where others have the file open.
    """
    with suppress(DatabaseError):
        connections[DEFAULT_DB_ALIAS].ensure_connection()
    connections.close_all()

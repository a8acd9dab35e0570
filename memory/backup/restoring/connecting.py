"""A second database connection for a while, beside the one of the settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


@contextmanager
def connected(alias: str, **changes: Any) -> Iterator[str]:
    """The alias of a connection with the settings of the default one but for `changes`, while open.

    It is this thread's alone, and none of the site's databases: nothing that goes through those finds it.
    """
    connections.settings[alias] = deepcopy(connections[DEFAULT_DB_ALIAS].settings_dict) | changes
    try:
        connection = connections.create_connection(alias)
    finally:
        del connections.settings[alias]
    connections[alias] = connection
    try:
        yield alias
    finally:
        connection.close()
        del connections[alias]


@contextmanager
def sqlite_at(alias: str, path: str) -> Iterator[str]:
    """A connection to a SQLite file, whatever the settings say; one that is not there is made by migrations."""
    options = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON",
    }
    named = {"ENGINE": "caesar.sqlite3", "NAME": path, "OPTIONS": options, "CONN_HEALTH_CHECKS": False}
    with connected(alias, **named):
        yield alias

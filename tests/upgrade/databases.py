"""A released database, unpacked beside the tests' own one, and read without the code that wrote it."""

import gzip
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.db import connection

from tests.upgrade.write_fixture import FOLDER

Row = dict[str, object]
_ENDINGS = {"sqlite": ".sqlite3.gz", "postgresql": ".postgresql.sql.gz"}


def released() -> list[str]:
    """The names of all released databases of the engine that the tests run on."""
    ending = _ENDINGS[connection.vendor]
    return sorted(path.name.removesuffix(ending) for path in FOLDER.glob(f"*{ending}"))


@contextmanager
def unpacked(name: str, folder: Path) -> Iterator[str]:
    """The URL of the released database `name`, while open."""
    packed = FOLDER / (name + _ENDINGS[connection.vendor])
    if connection.vendor == "sqlite":
        path = folder / "released.sqlite3"
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        yield f"sqlite:///{path}"
        return
    url = os.environ["CAESAR_DB__URL"]
    database = f"released_{os.getpid()}"
    with closing(psycopg.connect(url, autocommit=True)) as server:
        server.execute(f'CREATE DATABASE "{database}"')
        try:
            own = urlunsplit(urlsplit(url)._replace(path=f"/{database}"))
            with closing(psycopg.connect(own, autocommit=True)) as empty:
                empty.execute(gzip.decompress(packed.read_bytes()))
            yield own
        finally:
            server.execute(f'DROP DATABASE "{database}" WITH (FORCE)')


def everything_in(url: str) -> dict[str, list[Row]]:
    """Table -> its rows, each column by name, in the order of the first columns. The search index is left out."""
    reading = _sqlite if url.startswith("sqlite") else _postgresql
    with reading(url) as query:
        return {table: query(f'SELECT * FROM "{table}"') for table in _tables(query, url)}  # noqa: S608 (its own names)


def _tables(query: Callable[[str], list[Row]], url: str) -> list[str]:
    if url.startswith("sqlite"):
        listed = query("SELECT name FROM sqlite_master WHERE type = 'table'")
    else:
        listed = query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
    return [str(row["name"]) for row in listed if not str(row["name"]).startswith(("sqlite_", "audit_fts"))]


@contextmanager
def _sqlite(url: str) -> Iterator[Callable[[str], list[Row]]]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.row_factory = sqlite3.Row
        yield lambda sql: [dict(row) for row in database.execute(sql)]


@contextmanager
def _postgresql(url: str) -> Iterator[Callable[[str], list[Row]]]:
    with closing(psycopg.connect(url, row_factory=psycopg.rows.dict_row)) as database:
        yield lambda sql: database.execute(sql).fetchall()

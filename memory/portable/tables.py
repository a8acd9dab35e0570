"""Every table as JSON lines: byte-stable, the same from either database, a few rows in memory at a time.

A table is a line with its name and columns, `{"columns": [...], "table": "audit_log"}`, then a line for each row, a
list of its values in the order of the primary key. Times are UTC in ISO 8601, bytes are base64, keys of JSON objects
are sorted. Which tables and columns there are is said by models: today's, or those of an older state of the migrations
(`models_at`), so that new code reads a database before it is upgraded.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import islice
from typing import Any, Protocol
from uuid import UUID

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connections, models
from django.db.migrations.loader import MigrationLoader
from django.db.models import F
from django.db.models.functions import Collate
from pydantic import JsonValue

_ROWS_AT_A_TIME = 500

Model = type[models.Model]
Node = tuple[str, str]
"""An app, and the name of one of its migrations."""


class Sink(Protocol):
    """Where lines go."""

    def write(self, data: bytes, /) -> object:
        """Take some bytes."""


@dataclass(frozen=True)
class Written:
    """What was written of one table: how many rows, and the SHA-256 of its lines."""

    rows: int
    sha256: str


class UnreadableTables(ValueError):
    """Lines that are no tables, or not those of the models at hand."""


def models_of(apps: Apps) -> list[Model]:
    """Every model with a table of its own, the tables between two models included, by the name of the table."""
    found = [model for model in apps.get_models(include_auto_created=True) if _has_table(model)]
    return sorted(found, key=lambda model: model._meta.db_table)


def _has_table(model: Model) -> bool:
    return model._meta.managed and not model._meta.proxy


def models_at(nodes: Sequence[Node]) -> list[Model]:
    """The models as they were when these migrations were the last of their apps. Raises `UnreadableTables`."""
    loader = MigrationLoader(None)
    if unknown := [node for node in nodes if node not in loader.graph.nodes]:
        raise UnreadableTables(f"This version has no migration {'.'.join(unknown[0])}.")
    return models_of(loader.project_state(list(nodes)).apps)


def last_nodes(applied: Iterable[Node]) -> list[Node]:
    """The last migration of each app among those that were applied and that this code has."""
    graph = MigrationLoader(None).graph
    names = {node for node in applied if node in graph.nodes}
    return sorted(node for node in names if not any(child.key in names for child in _followers(graph.node_map[node])))


def _followers(node: Any) -> list[Any]:
    """The migrations of the same app that come right after it."""
    return [child for child in node.children if child.key[0] == node.key[0]]


# --- writing --------------------------------------------------------------------------------------------------------


def write(listed: Sequence[Model], sink: Sink, *, using: str) -> dict[str, Written]:
    """Write these tables; what was written of each. Call it in a transaction that sees one state of all."""
    return {model._meta.db_table: _write_table(model, sink, using) for model in listed}


def _write_table(model: Model, sink: Sink, using: str) -> Written:
    digest, rows = hashlib.sha256(), 0
    for line in table_lines(model, using=using):
        digest.update(line)
        sink.write(line)
        rows += 1
    return Written(rows - 1, digest.hexdigest())


def table_lines(model: Model, *, using: str) -> Iterator[bytes]:
    """The lines of one table."""
    names = [field.attname for field in model._meta.concrete_fields]
    yield _line({"columns": [field.column for field in model._meta.concrete_fields], "table": model._meta.db_table})
    rows = model._base_manager.using(using).order_by(_by_key(model, using)).values_list(*names)
    for row in rows.iterator(chunk_size=_ROWS_AT_A_TIME):
        yield _line([_plain(value) for value in row])


def _by_key(model: Model, using: str) -> Any:
    """The order of the primary key: of text by its bytes on PostgreSQL, too, whatever the locale."""
    key = model._meta.pk
    is_text = isinstance(key, models.CharField | models.TextField)
    collation = "C" if connections[using].vendor == "postgresql" else "BINARY"
    return Collate(F("pk"), collation) if is_text else "pk"


def _line(value: JsonValue) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode() + b"\n"


def _plain(value: Any) -> JsonValue:
    """A value of a column as JSON has it."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(value).decode()
        case Decimal() | UUID():
            return str(value)
    plain: JsonValue = value
    return plain


# --- reading --------------------------------------------------------------------------------------------------------


def empty(listed: Sequence[Model], *, using: str) -> None:
    """Delete every row of these tables, those that migrations have made. Call it in a transaction."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for model in listed:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608 (our names)


def read(lines: Iterable[bytes], listed: Sequence[Model], *, using: str) -> dict[str, int]:
    """Insert what `write` has written into empty tables; how many rows of each. Call it in a transaction.

    Raises `UnreadableTables`.
    """
    tables = {model._meta.db_table: model for model in listed}
    counts: dict[str, int] = {}
    rest = iter(lines)
    head = _parsed(next(rest, b"{}"))
    while isinstance(head, dict) and head:
        table = str(head.get("table"))
        insert = _Insert.into(table, tables, head.get("columns"), using)
        counts[table], head = insert.all(rest)
    _reset_sequences(listed, using)
    return counts


def _parsed(line: bytes) -> JsonValue:
    try:
        value: JsonValue = json.loads(line)
    except ValueError:
        raise UnreadableTables("A line of the tables is no JSON.") from None
    return value


@dataclass(frozen=True)
class _Insert:
    """How the rows of one table are inserted."""

    sql: str
    fields: Sequence[Any]
    using: str

    @classmethod
    def into(cls, table: str, tables: Mapping[str, Model], columns: JsonValue, using: str) -> "_Insert":
        model = tables.get(table)
        fields = {} if model is None else {field.column: field for field in model._meta.concrete_fields}
        if not isinstance(columns, list) or set(fields) != set(columns):
            raise UnreadableTables(f"The table {table} has other columns than this state of the migrations.")
        quote = connections[using].ops.quote_name
        names, places = ", ".join(quote(str(name)) for name in columns), ", ".join(["%s"] * len(columns))
        sql = f"INSERT INTO {quote(table)} ({names}) VALUES ({places})"  # noqa: S608 (names of our own models)
        return cls(sql, [fields[str(name)] for name in columns], using)

    def all(self, lines: Iterator[bytes]) -> tuple[int, JsonValue]:
        """Insert the rows up to the next table; how many, and that table's head ({} at the end)."""
        count = 0
        while True:
            batch = [_parsed(line) for line in islice(_until_head(lines), _ROWS_AT_A_TIME)]
            head = batch.pop() if batch and isinstance(batch[-1], dict) else None
            self._insert(batch)
            count += len(batch)
            if head is not None or len(batch) < _ROWS_AT_A_TIME:
                return count, head or {}

    def _insert(self, rows: Sequence[JsonValue]) -> None:
        if rows:
            with connections[self.using].cursor() as cursor:
                cursor.executemany(self.sql, [self._values(row) for row in rows])

    def _values(self, row: JsonValue) -> list[Any]:
        if not isinstance(row, list) or len(row) != len(self.fields):
            raise UnreadableTables("A row has another number of values than its table has columns.")
        connection = connections[self.using]
        pairs = zip(self.fields, row, strict=True)
        return [None if v is None else f.get_db_prep_save(f.to_python(v), connection) for f, v in pairs]


def _until_head(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines up to the next head, and that one."""
    for line in lines:
        yield line
        if line.startswith(b"{"):
            return


def _reset_sequences(listed: Sequence[Model], using: str) -> None:
    """Have new rows numbered after those that were inserted. SQLite does so by itself."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(listed)):
            cursor.execute(statement)

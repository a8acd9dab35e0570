"""The two SQL statements at the end of every turn: insert its audit rows, and count the recalls of its episodes.

Built by hand, since the ORM takes several times as long to build them as the database to run them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper
from pydantic import JsonValue

_ROWS_AT_A_TIME = 100  # databases take a limited number of parameters


class AuditValues(NamedTuple):
    """Every column of `audit_log` but its id."""

    ts: datetime
    event_type: str
    payload: JsonValue
    decision_id: str | None
    fact_key: str | None
    chat_id: int | None
    fingerprint: str | None
    conversation_id: str | None
    actor: str | None
    api_key_id: int | None


_INSERT = f"INSERT INTO audit_log ({', '.join(AuditValues._fields)}) VALUES {{rows}} RETURNING id"  # noqa: S608 (names)
_INSERT_ROW = f"({', '.join(['%s'] * len(AuditValues._fields))})"
_BUMP = """
UPDATE episode_summaries SET recall_count = recall_count + 1, last_recalled_at = %s WHERE id IN ({ids})
"""


def insert_audit(connection: BaseDatabaseWrapper, rows: Sequence[AuditValues]) -> list[int]:
    """Insert rows in order, one statement for each hundred; their ids."""
    ids: list[int] = []
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        some = rows[start : start + _ROWS_AT_A_TIME]
        values: list[str | int | None] = []
        for row in some:
            written_at = connection.ops.adapt_datetimefield_value(row.ts)
            values += (written_at, row.event_type, connection.ops.adapt_json_value(row.payload, None), *row[3:])
        with connection.cursor() as cursor:
            cursor.execute(_INSERT.format(rows=", ".join([_INSERT_ROW] * len(some))), values)
            ids += [id_ for (id_,) in cursor.fetchall()]
    return ids


def bump(connection: BaseDatabaseWrapper, ids: Sequence[int], *, now: datetime) -> int:
    """Count one recall of each of these episodes; how many of them there are."""
    if not ids:
        return 0
    with connection.cursor() as cursor:
        recalled_at = connection.ops.adapt_datetimefield_value(now)
        cursor.execute(_BUMP.format(ids=", ".join(["%s"] * len(ids))), [recalled_at, *ids])
        return int(cursor.rowcount)

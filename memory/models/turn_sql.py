"""The SQL at the end of every turn: its audit rows, the recalls of its episodes, and what of it was heard before.

Built by hand, since the ORM takes several times as long to build them as the database to run them.
"""

import json
from collections.abc import Collection, Sequence
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
    """As a row has it. `insert_audit` takes its JSON text."""
    decision_id: str | None
    fact_key: str | None
    chat_id: int | None
    fingerprint: str | None
    conversation_id: str | None
    actor: str | None
    api_key_id: int | None


_INSERT = f"INSERT INTO audit_log ({', '.join(AuditValues._fields)}) VALUES {{rows}} RETURNING id"  # noqa: S608 (names)
_INSERT_ROW = {
    "sqlite": f"({', '.join(['%s'] * len(AuditValues._fields))})",
    "postgresql": f"(%s, %s, CAST(%s AS jsonb), {', '.join(['%s'] * (len(AuditValues._fields) - 3))})",
}
_BUMP = {
    "sqlite": """
UPDATE episode_summaries SET recall_count = recall_count + 1, last_recalled_at = %s WHERE id IN ({ids})
""",
    # Locked in the order of their ids first: an UPDATE alone locks them as it comes upon them, and two may meet.
    "postgresql": """
WITH held AS MATERIALIZED (SELECT id FROM episode_summaries WHERE id IN ({ids}) ORDER BY id FOR NO KEY UPDATE)
UPDATE episode_summaries SET recall_count = recall_count + 1, last_recalled_at = %s
FROM held WHERE episode_summaries.id = held.id
""",
}


def insert_audit(connection: BaseDatabaseWrapper, rows: Sequence[AuditValues]) -> list[int]:
    """Insert rows in order, one statement for each hundred; their ids. Each payload is its JSON text."""
    ids: list[int] = []
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        some = rows[start : start + _ROWS_AT_A_TIME]
        values: list[str | int | None] = []
        for row in some:
            written_at = connection.ops.adapt_datetimefield_value(row.ts)
            values += (written_at, row.event_type, str(row.payload), *row[3:])
        with connection.cursor() as cursor:
            cursor.execute(_INSERT.format(rows=", ".join([_INSERT_ROW[connection.vendor]] * len(some))), values)
            ids += [id_ for (id_,) in cursor.fetchall()]
    return ids


def bump(connection: BaseDatabaseWrapper, ids: Sequence[int], *, now: datetime) -> int:
    """Count one recall of each of these episodes; how many of them there are."""
    if not ids:
        return 0
    with connection.cursor() as cursor:
        recalled_at = connection.ops.adapt_datetimefield_value(now)
        statement = _BUMP[connection.vendor].format(ids=", ".join(["%s"] * len(ids)))
        cursor.execute(statement, [recalled_at, *ids] if connection.vendor == "sqlite" else [*ids, recalled_at])
        return int(cursor.rowcount)


# --- what was heard before ------------------------------------------------------------------------------------------

# Thousands of hashes go as one parameter, into one statement: databases take a limited number of parameters, and the
# write lock is held meanwhile.
_GIVEN = {"sqlite": "(SELECT value FROM json_each(%s))", "postgresql": "(SELECT unnest(CAST(%s AS text[])))"}
_HEARD = "SELECT hash FROM heard_messages WHERE hash IN {given}"
_RECORDED = "SELECT DISTINCT fingerprint FROM audit_log WHERE fingerprint IN {given}"
_REMEMBER = {
    "sqlite": "INSERT OR IGNORE INTO heard_messages (hash, first_chat_id) SELECT value, %s FROM json_each(%s)",
    "postgresql": (
        "INSERT INTO heard_messages (hash, first_chat_id) SELECT unnest(CAST(%s AS text[])), %s ON CONFLICT DO NOTHING"
    ),
}


def heard(connection: BaseDatabaseWrapper, hashes: Collection[str]) -> set[str]:
    """Those of these messages that were heard before, by hash. One statement, however many they are."""
    return _those_of(connection, _HEARD, hashes)


def recorded(connection: BaseDatabaseWrapper, fingerprints: Collection[str]) -> set[str]:
    """Those of these fingerprints that a row of the log has. One statement, however many they are."""
    return _those_of(connection, _RECORDED, fingerprints)


def _those_of(connection: BaseDatabaseWrapper, statement: str, given: Collection[str]) -> set[str]:
    if not given:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(statement.format(given=_GIVEN[connection.vendor]), [_as_one_parameter(connection, given)])
        return {text for (text,) in cursor.fetchall()}


def remember(connection: BaseDatabaseWrapper, hashes: Collection[str], *, chat_id: int) -> None:
    """Note that these messages were heard, those that were not before. One statement, however many they are."""
    if not hashes:
        return
    given = _as_one_parameter(connection, hashes)
    with connection.cursor() as cursor:
        cursor.execute(
            _REMEMBER[connection.vendor], [chat_id, given] if connection.vendor == "sqlite" else [given, chat_id]
        )


def _as_one_parameter(connection: BaseDatabaseWrapper, texts: Collection[str]) -> str | list[str]:
    return json.dumps([*texts]) if connection.vendor == "sqlite" else [*texts]

"""The SQL at the end of every turn: its audit rows, the recalls of its episodes, and what of it was heard before.

Built by hand, since the ORM takes several times as long to build them as the database to run them.
"""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

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
    edits: int | None


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


# --- what was recorded and heard before -----------------------------------------------------------------------------

# Thousands of hashes go as one parameter, into one statement: databases take a limited number of parameters, and the
# write lock is held meanwhile.
_GIVEN = {"sqlite": "(SELECT value FROM json_each(%s))", "postgresql": "(SELECT unnest(CAST(%s AS {kind}[])))"}
_KIND = {"heard_messages": "text", "heard_words": "bigint"}
_RECORDED = "SELECT DISTINCT fingerprint FROM audit_log WHERE fingerprint IN {given}"
# Only chats have a fingerprint. The "+" keeps planners from reading every row from the newest on until one fits.
_TURN = """
SELECT coalesce(chat_id, id) FROM audit_log
WHERE fingerprint IN {given} AND conversation_id {is_same} %s ORDER BY +id DESC LIMIT 1
"""
_IS_SAME = {"sqlite": "IS", "postgresql": "IS NOT DISTINCT FROM"}
_HEARD = {
    "heard_messages": "SELECT hash, first_chat_id FROM heard_messages WHERE hash IN {given}",
    "heard_words": "SELECT hash, chat_id FROM heard_words WHERE hash IN {given} ORDER BY chat_id",
}
# One look-up for each: ordinary words are heard in every chat, and whatever reads all of those grows with the log.
_FIRST_CHATS = """
SELECT value, (SELECT chat_id FROM heard_words WHERE hash = value ORDER BY chat_id LIMIT 1) FROM {each}
"""
_EACH = {"sqlite": "json_each(%s)", "postgresql": "unnest(CAST(%s AS bigint[])) AS given (value)"}
_REMEMBER = {
    "sqlite": "INSERT OR IGNORE INTO {table} (hash, {chat}) SELECT value, %s FROM json_each(%s)",
    "postgresql": "INSERT INTO {table} (hash, {chat}) SELECT given, %s FROM unnest(CAST(%s AS {kind}[])) AS given "
    "ON CONFLICT DO NOTHING",
}
_CHAT_COLUMN = {"heard_messages": "first_chat_id", "heard_words": "chat_id"}

HeardTable = Literal["heard_messages", "heard_words"]


def recorded(connection: BaseDatabaseWrapper, fingerprints: Collection[str]) -> set[str]:
    """Those of these fingerprints that a row of the log has. One statement, however many they are."""
    return {text for (text,) in _those_of(connection, _RECORDED, fingerprints, kind="text")}


def turn_of(
    connection: BaseDatabaseWrapper, fingerprints: Collection[str], *, conversation_id: str | None
) -> int | None:
    """The first row of the turn that the newest chat of this conversation with one of these fingerprints belongs to."""
    statement = _TURN.format(given=_GIVEN[connection.vendor].format(kind="text"), is_same=_IS_SAME[connection.vendor])
    with connection.cursor() as cursor:
        cursor.execute(statement, [_as_one_parameter(connection, fingerprints), conversation_id])
        found = cursor.fetchone()
    return None if found is None else int(found[0])


def first_chats(connection: BaseDatabaseWrapper, hashes: Collection[int]) -> dict[int, int]:
    """Those of these hashes of words that were heard before, each with the first chat. As quick in a long log."""
    if not hashes:
        return {}
    with connection.cursor() as cursor:
        statement = _FIRST_CHATS.format(each=_EACH[connection.vendor])
        cursor.execute(statement, [_as_one_parameter(connection, hashes)])
        return {hash_: chat_id for hash_, chat_id in cursor.fetchall() if chat_id is not None}


def heard(
    connection: BaseDatabaseWrapper, table: HeardTable, hashes: Collection[str] | Collection[int]
) -> list[tuple[Any, int]]:
    """Those of these hashes that were heard before, each with the chats. One statement, however many they are."""
    return _those_of(connection, _HEARD[table], hashes, kind=_KIND[table])


def remember(
    connection: BaseDatabaseWrapper, table: HeardTable, hashes: Collection[str] | Collection[int], *, chat_id: int
) -> None:
    """Note that these were heard in a chat, where that is not noted. One statement, however many they are."""
    if hashes:
        statement = _REMEMBER[connection.vendor].format(table=table, chat=_CHAT_COLUMN[table], kind=_KIND[table])
        with connection.cursor() as cursor:
            cursor.execute(statement, [chat_id, _as_one_parameter(connection, hashes)])


def _those_of(
    connection: BaseDatabaseWrapper, statement: str, given: Collection[str] | Collection[int], *, kind: str
) -> list[tuple[Any, ...]]:
    if not given:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            statement.format(given=_GIVEN[connection.vendor].format(kind=kind)), [_as_one_parameter(connection, given)]
        )
        return list(cursor.fetchall())


def _as_one_parameter(connection: BaseDatabaseWrapper, given: Collection[str] | Collection[int]) -> str | list[Any]:
    return json.dumps([*given]) if connection.vendor == "sqlite" else [*given]

"""The full-text index of the audit log: what is indexed, and how each engine is queried.

The words that people and models wrote are indexed: every string of a payload but those under `_MACHINE_KEYS`. Of a
chat's messages it is those from the first new one on, since earlier chats hold the others. Only the last `MAX_CHARS`
characters count: PostgreSQL refuses a row whose words take more than a megabyte, and a long chat must not fail.

Both engines ignore case and accents. For scripts other than Latin, SQLite always ignores case, and PostgreSQL does
where the database's locale knows them. Chinese and Japanese, which have no blanks between words, are indexed by pairs
of characters (`memory.text.cjk`): on SQLite by a function that every connection of ours has.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.utils import CursorWrapper

from memory.text import cjk

MAX_CHARS = 100_000
MAX_QUERY_CHARS = 500
MAX_QUERY_WORDS = 20
MAX_QUERY_PAIRS = 60
_SHORTEST_PREFIX = 2
_MERGE_IS_DONE = 2  # a merge that changes fewer rows had nothing to do (SQLite's documentation of FTS5)

_MACHINE_KEYS = (
    *("role", "type", "of", "id", "model", "provider", "finish_reason", "kind", "reason", "part", "when", "block"),
    *("said_at", "occurred_at", "first_seen_at", "last_confirmed_at", "older_than"),
)
"""Keys nobody searches for: protocol fields, times, and the block that repeats a receipt's own sentences."""

_SQLITE_FUNCTION = "search_words"
_SQLITE_TEXT = """
coalesce((
  SELECT substr(group_concat(atom, ' '), -{max_chars}) FROM json_tree({row}.payload)
  WHERE type = 'text' AND coalesce(key, '') NOT IN ({machine_keys}) AND (
    path NOT LIKE '$.messages[%' OR CAST(substr(path, 12) AS INTEGER) >= coalesce(
      (SELECT min(value) FROM json_each({row}.payload, '$.new_messages')), 0))
), '')"""

_SQLITE_INDEX = (
    """CREATE VIRTUAL TABLE audit_fts USING fts5(
        words, content='', columnsize=0, prefix='2 3', tokenize='unicode61 remove_diacritics 2')""",
    "INSERT INTO audit_fts (rowid, words) SELECT id, {of_table} FROM audit_log ORDER BY id",
)
_SQLITE_TRIGGERS = (
    """CREATE TRIGGER audit_fts_insert AFTER INSERT ON audit_log BEGIN
        INSERT INTO audit_fts (rowid, words) VALUES (new.id, {of_new}); END""",
    """CREATE TRIGGER audit_fts_delete AFTER DELETE ON audit_log BEGIN
        INSERT INTO audit_fts (audit_fts, rowid, words) VALUES ('delete', old.id, {of_old}); END""",
    """CREATE TRIGGER audit_fts_update AFTER UPDATE OF payload ON audit_log BEGIN
        INSERT INTO audit_fts (audit_fts, rowid, words) VALUES ('delete', old.id, {of_old});
        INSERT INTO audit_fts (rowid, words) VALUES (new.id, {of_new}); END""",
)
_SQLITE_TRIGGERS_OFF = (
    "DROP TRIGGER IF EXISTS audit_fts_insert",
    "DROP TRIGGER IF EXISTS audit_fts_delete",
    "DROP TRIGGER IF EXISTS audit_fts_update",
)
_SQLITE_OFF = (*_SQLITE_TRIGGERS_OFF, "DROP TABLE IF EXISTS audit_fts")

# Every ASCII mark, the no-break space with its neighbours, and the general and CJK punctuation become spaces, so that
# "dog.name" is two words and not the name of a host.
_MARKS = (
    r"!-/:-@\[-`{-~\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf"  # «so», 65°
    r"\u2000-\u206f\u3000-\u3003\u3008-\u3020"  # “so”, 「so」
)
_ACCENTS = r"[\u0300-\u036f]+"
_BETWEEN_WORDS = re.compile(rf"[{_MARKS}\0-\x20]+")

_POSTGRESQL_STRINGS = """strict {start}.** ? (@.type() == "object").keyvalue() ? ({not_machine}).value
  ? (@.type() == "string")"""
_POSTGRESQL_LISTED = """strict {start}.** ? (@.type() == "array")[*] ? (@.type() == "string")"""

_POSTGRESQL_FUNCTION = r"""CREATE OR REPLACE FUNCTION audit_words(payload jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
    WITH written AS (
    SELECT regexp_replace(regexp_replace(normalize(coalesce(right(string_agg(said #>> '{{}}', ' '), {max_chars}), ''),
             NFD), '{accents}', '', 'g'), '{marks}', ' ', 'g') AS words
    FROM (SELECT CASE jsonb_typeof(payload) WHEN 'object' THEN payload - 'messages' ELSE payload END AS rest,
            jsonb_build_object('start', coalesce((
              SELECT min(least(greatest(number::numeric, 0), 1000000)::int) FROM jsonb_path_query(
                payload, 'strict $.new_messages[*] ? (@.type() == "number")', '{{}}', true) AS number), 0)) AS vars
         ) AS parts,
      LATERAL (
        SELECT jsonb_path_query(rest, '{strings}', '{{}}', true)
        UNION ALL SELECT jsonb_path_query(rest, '{listed}', '{{}}', true)
        UNION ALL SELECT jsonb_path_query(payload, '{strings_of_messages}', vars, true)
        UNION ALL SELECT jsonb_path_query(payload, '{listed_of_messages}', vars, true)
      ) AS strings(said)
    ), runs AS (
    SELECT words, words ~ '[{cjk}]' AS has_cjk,
      normalize(right(regexp_replace(words, '[^{cjk}]+', ' ', 'g'), {max_cjk_chars}), NFC) AS run FROM written
    )
    SELECT CASE WHEN has_cjk THEN
      regexp_replace(words, '[{cjk}]+', ' ', 'g') || ' ' || regexp_replace(run, '([^ ]{{2}})', '\1 ', 'g') || ' '
      || regexp_replace(regexp_replace(run, '(^| )[^ ]', '\1', 'g'), '([^ ]{{2}})', '\1 ', 'g')
    ELSE words END FROM runs
    $body$"""
_POSTGRESQL_ON = (
    _POSTGRESQL_FUNCTION,
    """ALTER TABLE audit_log ADD COLUMN search tsvector
       GENERATED ALWAYS AS (to_tsvector('simple', audit_words(payload))) STORED""",
    "CREATE INDEX idx_audit_search ON audit_log USING gin (search)",
)
_POSTGRESQL_OFF = (
    "DROP INDEX IF EXISTS idx_audit_search",
    "ALTER TABLE audit_log DROP COLUMN IF EXISTS search",
    "DROP FUNCTION IF EXISTS audit_words(jsonb)",
)

FOUND = {
    "sqlite": (["audit_fts"], ["audit_fts.rowid = audit_log.id", "audit_fts MATCH %s"]),
    "postgresql": ([], ["audit_log.search @@ to_tsquery('simple', %s)"]),
}
"""Engine -> the tables and conditions that a search adds to a query of the log, with `query` as their parameter."""


def on(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the index, of the rows that are there and of all later ones.

    A migration that alters a column of `audit_log` calls `off` before and `on` after. On SQLite the table is created
    again and its triggers are dropped silently; PostgreSQL refuses the change.
    """
    if schema_editor.connection.vendor == "sqlite":
        _execute(schema_editor, _sqlite(_SQLITE_INDEX + _SQLITE_TRIGGERS))
    else:
        _execute(schema_editor, [statement.format(**_postgresql_parts()) for statement in _POSTGRESQL_ON])


def off(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the index, if it exists."""
    _execute(schema_editor, _SQLITE_OFF if schema_editor.connection.vendor == "sqlite" else _POSTGRESQL_OFF)


def add_functions(connection: BaseDatabaseWrapper) -> None:
    """Give a connection to SQLite the function that the index's triggers call."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(_SQLITE_FUNCTION, 1, _search_words, deterministic=True)


def _search_words(text: bytes) -> bytes:
    """`cjk.search_words` for bytes: a payload may hold half a surrogate pair, which is no text to Python's driver."""
    try:
        return cjk.search_words(text.decode(errors="surrogatepass")).encode(errors="surrogatepass")
    except UnicodeDecodeError:
        return text


def index_cjk_again(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Have the rows with Chinese or Japanese in them indexed by pairs of characters; the others are as they were.

    On PostgreSQL in batches, each in its own transaction: a table that is made anew would be locked for as long. On
    SQLite in one transaction, which readers do not wait for. Does nothing where it was done before.
    """
    if schema_editor.connection.vendor == "sqlite":
        _index_again_on_sqlite(schema_editor)
    else:
        _index_again_on_postgresql(schema_editor)


def _index_again_on_sqlite(schema_editor: BaseDatabaseSchemaEditor) -> None:
    connection = schema_editor.connection
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'audit_fts_insert'")
        if f"{_SQLITE_FUNCTION}(" in str(cursor.fetchone()):
            return
        _execute(schema_editor, _SQLITE_TRIGGERS_OFF)
        cursor.execute(
            f"SELECT id, CAST({_sqlite_text('audit_log')} AS BLOB) FROM audit_log WHERE {_HAS_OTHER_SCRIPTS}"  # noqa: S608 (constants)
        )
        with connection.cursor() as writing:
            for ids_and_words in iter(lambda: cursor.fetchmany(_ROWS_AT_A_TIME), []):
                for row_id, words in ids_and_words:
                    if (put := _search_words(words)) != words:
                        _put_again(writing, row_id, words, put)
        _execute(schema_editor, _sqlite(_SQLITE_TRIGGERS))


_ROWS_AT_A_TIME = 500
_HAS_OTHER_SCRIPTS = r"instr(payload, '\u') OR length(payload) < length(CAST(payload AS BLOB))"  # escaped, or as it is


def _put_again(cursor: CursorWrapper, row_id: int, before: bytes, now: bytes) -> None:
    delete = "INSERT INTO audit_fts (audit_fts, rowid, words) VALUES ('delete', %s, CAST(%s AS TEXT))"
    cursor.execute(delete, [row_id, before])
    cursor.execute("INSERT INTO audit_fts (rowid, words) VALUES (%s, CAST(%s AS TEXT))", [row_id, now])


def _index_again_on_postgresql(schema_editor: BaseDatabaseSchemaEditor) -> None:
    _execute(schema_editor, [_POSTGRESQL_FUNCTION.format(**_postgresql_parts())])
    with schema_editor.connection.cursor() as cursor:
        after = 0
        while True:
            cursor.execute(_POSTGRESQL_BATCH_END, [after, _ROWS_AT_A_TIME])
            (last,) = cursor.fetchone()
            if last is None:
                return
            cursor.execute(_POSTGRESQL_BATCH.format(cjk=cjk.CHARACTERS), [after, last])
            after = last


_POSTGRESQL_BATCH_END = "SELECT max(id) FROM (SELECT id FROM audit_log WHERE id > %s ORDER BY id LIMIT %s) AS following"
_POSTGRESQL_BATCH = """UPDATE audit_log SET payload = payload
    WHERE id > %s AND id <= %s AND payload::text ~ '[{cjk}]'"""  # writing its column makes the words anew


def wipe_on_delete(connection: BaseDatabaseWrapper) -> None:
    """Have SQLite overwrite what this connection deletes. PostgreSQL's vacuum does so in its own time."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def drop_deleted_words(connection: BaseDatabaseWrapper, *, pages: int, is_first: bool) -> bool:
    """Take the words of deleted rows out of SQLite's index itself, one step of about so many pages; whether to go on.

    Until then it holds them, marked as deleted. Nothing on PostgreSQL, whose vacuum does it.
    """
    if connection.vendor != "sqlite":
        return False
    if is_first:
        pages = -pages  # begin by putting all parts of the index on one level
    with connection.cursor() as cursor:
        before = _changes(cursor)
        cursor.execute("INSERT INTO audit_fts (audit_fts, rank) VALUES ('merge', %s)", [pages])
        return _changes(cursor) - before >= _MERGE_IS_DONE


def _changes(cursor: CursorWrapper) -> int:
    cursor.execute("SELECT total_changes()")
    return int(cursor.fetchone()[0])


def _execute(schema_editor: BaseDatabaseSchemaEditor, statements: Sequence[str]) -> None:
    for statement in statements:
        schema_editor.execute(statement, params=None)  # with params, even none, "%" would be a placeholder


def _sqlite(statements: Sequence[str]) -> list[str]:
    put = f"CAST({_SQLITE_FUNCTION}(CAST({{text}} AS BLOB)) AS TEXT)"
    words = {f"of_{name}": put.format(text=_sqlite_text(row)) for name, row in _SQLITE_ROWS.items()}
    return [statement.format(**words) for statement in statements]


_SQLITE_ROWS = {"new": "new", "old": "old", "table": "audit_log"}


def _sqlite_text(row: str) -> str:
    keys = ", ".join(f"'{key}'" for key in _MACHINE_KEYS)
    return _SQLITE_TEXT.format(row=row, machine_keys=keys, max_chars=MAX_CHARS)


def _postgresql_parts() -> dict[str, object]:
    not_machine = " && ".join(f'@.key != "{key}"' for key in _MACHINE_KEYS)
    messages = "$.messages[$start to last]"
    return {
        "max_chars": MAX_CHARS,
        "max_cjk_chars": cjk.MAX_CHARS,
        "cjk": cjk.CHARACTERS,
        "accents": _ACCENTS,
        "marks": f"[{_MARKS}]+",
        "strings": _POSTGRESQL_STRINGS.format(start="$", not_machine=not_machine),
        "strings_of_messages": _POSTGRESQL_STRINGS.format(start=messages, not_machine=not_machine),
        "listed": _POSTGRESQL_LISTED.format(start="$"),
        "listed_of_messages": _POSTGRESQL_LISTED.format(start=messages),
    }


def query(text: str, *, vendor: str) -> str:
    """`text` in the engine's query language: every word must occur, the last one as a prefix.

    "dog.name" is a phrase of two words. "" where there is no word in `text`, none of which is taken as syntax.
    """
    text = text.encode(errors="replace").decode()
    if vendor != "sqlite":
        text = re.sub(_ACCENTS, "", unicodedata.normalize("NFD", text))
    terms = list(_terms(text[:MAX_QUERY_CHARS]))
    if terms and len(terms[-1].words[-1]) >= _SHORTEST_PREFIX and not terms[-1].is_cjk:
        terms[-1] = _Term(terms[-1].words, is_beginning=True)
    put = _sqlite_phrase if vendor == "sqlite" else _postgresql_phrase
    return (" " if vendor == "sqlite" else " & ").join(
        put(term.words, is_beginning=term.is_beginning) for term in terms
    )


@dataclass(frozen=True)
class _Term:
    """Words that follow each other."""

    words: Sequence[str]
    is_beginning: bool = False
    is_cjk: bool = False


def _terms(text: str) -> Iterator[_Term]:
    """The terms of a search, in order: at most `MAX_QUERY_WORDS` phrases, and `MAX_QUERY_PAIRS` pairs of characters."""
    phrases, left = 0, MAX_QUERY_PAIRS
    for part in text.split():
        for words in _phrases(part):
            if cjk.has_cjk(words[0]):
                pairs = cjk.pairs(words[0])[:left]
                left -= len(pairs)
                yield from (_Term([pair], is_beginning=len(pair) == 1, is_cjk=True) for pair in pairs)
            elif phrases < MAX_QUERY_WORDS:
                phrases += 1
                yield _Term(words)


def _phrases(part: str) -> Iterator[list[str]]:
    """The words of a part without blanks that follow each other; a run of Chinese or Japanese is alone."""
    phrase: list[str] = []
    for word in filter(None, _BETWEEN_WORDS.split(part)):
        pieces = cjk.split_runs(word)
        for piece in pieces if len(pieces) == 1 else filter(_HAS_LETTER.search, pieces):
            if not cjk.has_cjk(piece):
                phrase.append(piece)
                continue
            if phrase:
                yield phrase
            phrase = []
            yield [piece]
    if phrase:
        yield phrase


_HAS_LETTER = re.compile(r"\w")


def _sqlite_phrase(words: Sequence[str], *, is_beginning: bool) -> str:
    return f'"{" ".join(words)}"' + "*" * is_beginning


def _postgresql_phrase(words: Sequence[str], *, is_beginning: bool) -> str:
    return "(" + " <-> ".join(f"'{word}'" for word in words) + ":*" * is_beginning + ")"

"""The tables of one PostgreSQL schema take the place of those of another, in one transaction."""

from collections.abc import Sequence
from datetime import datetime

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.utils import CursorWrapper

_LOCK_SECONDS = 30


def swap(scratch: str, now: datetime) -> str:
    """Move the tables from the schema `scratch` into the present one, and those that are there into one of their own.

    Its name; "" where there were none. Waits for the transactions that are under way, half a minute at most; others
    wait at its locks, and find the new tables.
    """
    with transaction.atomic(), connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
        cursor.execute("SELECT current_schema()")
        present = str(cursor.fetchone()[0])
        coming = _tables(cursor, scratch)
        going = [name for name in _tables(cursor, present) if name in coming]
        _lock(cursor, present, going)
        kept = _free_name(cursor, f"before_restore_{now:%Y%m%d_%H%M%S}")
        if going:
            cursor.execute(f"CREATE SCHEMA {_quoted(kept)}")
            _move(cursor, present, kept, going, _functions(cursor, present, _function_names(cursor, scratch)))
        _move(cursor, scratch, present, coming, _functions(cursor, scratch, _function_names(cursor, scratch)))
    return kept if going else ""


def _free_name(cursor: CursorWrapper, wanted: str) -> str:
    """The name, or the first one with a number behind it that no schema has."""
    cursor.execute("SELECT nspname FROM pg_namespace")
    taken = {str(row[0]) for row in cursor.fetchall()}
    names = (wanted, *(f"{wanted}_{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _lock(cursor: CursorWrapper, present: str, names: Sequence[str]) -> None:
    """All of them at once, before anything is moved: a transaction that has some of them ends first."""
    if names:
        listed = ", ".join(f"{_quoted(present)}.{_quoted(name)}" for name in names)
        cursor.execute(f"LOCK TABLE {listed} IN ACCESS EXCLUSIVE MODE")


def _tables(cursor: CursorWrapper, schema: str) -> list[str]:
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY tablename", [schema])
    return [str(row[0]) for row in cursor.fetchall()]


def _function_names(cursor: CursorWrapper, schema: str) -> list[str]:
    cursor.execute("SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace(%s)", [_quoted(schema)])
    return [str(row[0]) for row in cursor.fetchall()]


def _functions(cursor: CursorWrapper, schema: str, names: Sequence[str]) -> list[str]:
    """The functions of these names that a schema has, with their arguments."""
    cursor.execute(
        "SELECT quote_ident(proname) || '(' || pg_get_function_identity_arguments(oid) || ')' FROM pg_proc "
        "WHERE pronamespace = to_regnamespace(%s) AND proname = ANY(%s) AND prokind = 'f'",
        [_quoted(schema), list(names)],
    )
    return [str(row[0]) for row in cursor.fetchall()]


def _move(cursor: CursorWrapper, start: str, to: str, names: Sequence[str], functions: Sequence[str]) -> None:
    """Sequences, indexes and triggers of a table go with it."""
    for name in names:
        cursor.execute(f"ALTER TABLE {_quoted(start)}.{_quoted(name)} SET SCHEMA {_quoted(to)}")
    for function in functions:
        cursor.execute(f"ALTER FUNCTION {_quoted(start)}.{function} SET SCHEMA {_quoted(to)}")


def _quoted(name: str) -> str:
    return connections[DEFAULT_DB_ALIAS].ops.quote_name(name)

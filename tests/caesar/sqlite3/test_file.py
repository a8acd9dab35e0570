"""A database file that is not there: only migrations make it."""

import os
import sqlite3
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.db.utils import load_backend

from caesar.settings import database
from caesar.sqlite3.base import DatabaseFileMissing


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows & 100%?.sqlite3"


def wrapper_of(file: Path) -> Any:
    """A wrapper for the thread that asks."""
    entry = database(f"sqlite:///{file.with_name('rows')}") | {"NAME": str(file)}
    defaults = {"AUTOCOMMIT": True, "CONN_HEALTH_CHECKS": False, "TIME_ZONE": None}
    return load_backend(entry["ENGINE"]).DatabaseWrapper(defaults | entry, alias="other")


@pytest.fixture
def wrapper(file: Path) -> Any:
    return wrapper_of(file)


def connect(wrapper: Any) -> Any:
    """A connection made in a thread of its own: a browser test may have left an event loop running in this one."""
    with ThreadPoolExecutor(max_workers=1) as other:
        return other.submit(wrapper.get_new_connection, wrapper.get_connection_params()).result()


def test_it_works(wrapper: Any, file: Path) -> None:
    before = os.umask(0)
    try:
        wrapper.prepare_database()
    finally:
        os.umask(before)
    with closing(connect(wrapper)) as connection:
        connection.execute("CREATE TABLE t (a)")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_connection_makes_no_file(wrapper: Any, file: Path) -> None:
    with pytest.raises(DatabaseFileMissing, match="There is no database file .*manage.py bootstrap"):
        connect(wrapper)
    assert not file.exists()


def test_what_it_can_do_is_known_without_the_file(wrapper: Any, file: Path) -> None:
    assert wrapper.features.supports_json_field
    assert not file.exists()


def test_another_fault_of_the_file_is_what_it_is(wrapper: Any, file: Path) -> None:
    file.mkdir()
    with pytest.raises(sqlite3.OperationalError):
        connect(wrapper)


# --- a connection is kept, but not past its file ---------------------------------------------------------------------


def in_thread(work: Callable[[], None]) -> None:
    """Done in a thread of its own, as `connect` is."""
    with ThreadPoolExecutor(max_workers=1) as other:
        other.submit(work).result()


@pytest.mark.django_db
def test_a_connection_is_kept_for_the_next_request(file: Path) -> None:
    def requests() -> None:
        wrapper = wrapper_of(file)
        wrapper.prepare_database()
        wrapper.ensure_connection()
        first = wrapper.connection
        wrapper.close_if_unusable_or_obsolete()
        assert wrapper.connection is first
        wrapper.close()

    in_thread(requests)


@pytest.mark.django_db
def test_a_file_that_was_put_in_its_place_is_read_by_the_next_request(file: Path) -> None:
    def requests() -> None:
        wrapper = wrapper_of(file)
        wrapper.prepare_database()
        with wrapper.cursor() as cursor:
            cursor.execute("CREATE TABLE before (a)")
        for path in file.parent.glob(f"{file.name}*"):
            path.unlink()
        with closing(sqlite3.connect(file)) as other:
            other.execute("CREATE TABLE now (a)")
        wrapper.close_if_unusable_or_obsolete()
        with wrapper.cursor() as cursor:
            assert cursor.execute("SELECT name FROM sqlite_master").fetchall() == [("now",)]
        wrapper.close()

    in_thread(requests)


@pytest.mark.django_db
def test_a_file_that_was_deleted_is_missed_by_the_next_request(file: Path) -> None:
    def requests() -> None:
        wrapper = wrapper_of(file)
        wrapper.prepare_database()
        wrapper.ensure_connection()
        for path in file.parent.glob(f"{file.name}*"):
            path.unlink()
        wrapper.close_if_unusable_or_obsolete()
        with pytest.raises(DatabaseFileMissing):
            wrapper.ensure_connection()

    in_thread(requests)


@pytest.mark.django_db
def test_after_an_error_the_next_request_has_a_connection_of_its_own(file: Path) -> None:
    def requests() -> None:
        wrapper = wrapper_of(file)
        wrapper.prepare_database()
        with wrapper.cursor() as cursor, pytest.raises(OperationalError):
            cursor.execute("SELECT nothing FROM nowhere")
        first = wrapper.connection
        wrapper.close_if_unusable_or_obsolete()
        assert wrapper.connection is not first
        wrapper.close()

    in_thread(requests)

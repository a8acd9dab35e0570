"""A database file that is not there: only migrations make it."""

import os
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db.utils import load_backend

from caesar.settings import database
from caesar.sqlite3.base import DatabaseFileMissing


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows & 100%?.sqlite3"


@pytest.fixture
def wrapper(file: Path) -> Any:
    entry = database(f"sqlite:///{file.with_name('rows')}") | {"NAME": str(file)}
    defaults = {"AUTOCOMMIT": True, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": False, "TIME_ZONE": None}
    return load_backend(entry["ENGINE"]).DatabaseWrapper(defaults | entry, alias="other")


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

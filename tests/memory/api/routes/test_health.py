"""/healthz and /readyz, open to everybody."""

from datetime import datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError, connection
from django.test import Client

from caesar.sqlite3.base import DatabaseFileMissing
from memory.models import AuditRow, ExtractCursor, WorkerHeartbeat
from memory.models.transactions import committed
from tests.conftest import Configure

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def ready(client: Client) -> tuple[int, dict[str, Any]]:
    response = client.get("/readyz")
    body = response.json()
    assert body["status"] == ("ready" if response.status_code == 200 else "not_ready")
    return response.status_code, body["checks"]


def test_it_works(client: Client, now: datetime) -> None:
    WorkerHeartbeat.beat("memory.extract", now=now)
    status, checks = ready(client)
    assert status == 200
    assert {name: check["ok"] for name, check in checks.items()} == {
        "database": True,
        "migrations": True,
        "memory.extract": True,
    }


def test_alive_asks_nothing_of_the_database(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert client.head("/healthz").status_code == 200
    assert "no-store" in response["Cache-Control"]


def test_a_worker_that_never_ran_is_not_ready(client: Client) -> None:
    status, checks = ready(client)
    assert status == 503
    assert checks["memory.extract"]["ok"] is False
    assert "qcluster" in checks["memory.extract"]["detail"]


def test_no_worker_is_expected_where_none_is_switched_on(client: Client, configure: Configure) -> None:
    configure(memory__facts_extract__enabled=False)
    status, checks = ready(client)
    assert (status, set(checks)) == (200, {"database", "migrations"})


@pytest.mark.parametrize(
    ("interval_seconds", "age_seconds", "status"),
    [(60, 180, 200), (60, 181, 503), (10, 180, 200), (600, 1_800, 200), (600, 1_801, 503), (60, -30, 200)],
)
def test_a_heartbeat_goes_stale_after_three_intervals_but_not_before_three_minutes(
    client: Client, now: datetime, configure: Configure, interval_seconds: int, age_seconds: int, status: int
) -> None:
    configure(memory__facts_extract__interval_seconds=interval_seconds)
    WorkerHeartbeat.beat("memory.extract", now=now - timedelta(seconds=age_seconds))
    assert ready(client)[0] == status


def test_migrations_that_are_not_applied_are_not_ready(client: Client, now: datetime) -> None:
    WorkerHeartbeat.beat("memory.extract", now=now)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'memory'")
    status, checks = ready(client)
    assert (status, checks["migrations"]["ok"]) == (503, False)
    assert "manage.py migrate" in checks["migrations"]["detail"]


def test_a_database_that_does_not_answer_is_not_ready(client: Client) -> None:
    def broken(*args: object) -> None:
        raise OperationalError("secret address")

    with connection.execute_wrapper(broken):
        response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["database"]["ok"] is False
    assert "secret" not in response.text


def test_a_database_file_that_is_gone_is_not_ready(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*args: object) -> None:
        raise DatabaseFileMissing("There is no database file /var/rows.")

    with connection.execute_wrapper(broken):
        response = client.get("/readyz")
    assert response.status_code == 503
    assert "its file is not there" in response.json()["checks"]["database"]["detail"]
    assert "/var/rows" not in response.text
    assert "/var/rows" in caplog.text


def test_a_place_past_the_end_of_the_log_is_not_ready(client: Client, now: datetime) -> None:
    WorkerHeartbeat.beat("memory.extract", now=now)
    last = AuditRow.objects.create(event_type="chat.completed", ts=now).pk
    cursor = ExtractCursor.current()
    for place, status in ((last, 200), (last + 1, 503)):
        ExtractCursor._default_manager.filter(pk=cursor.pk).update(last_audit_id=place)
        assert ready(client)[0] == status
    assert f"past the end of the log at #{last}" in ready(client)[1]["memory.extract"]["detail"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_post_is_405_in_the_envelope(client: Client, path: str) -> None:
    response = client.post(path)
    assert response.status_code == 405
    assert response.json()["error"]["code"] == "method_not_allowed"


def test_a_database_without_room_to_write_is_not_ready(client: Client, now: datetime) -> None:
    error = OperationalError("database or disk is full")
    try:
        with pytest.raises(OperationalError):
            committed(Mock(side_effect=error))
        status, checks = ready(client)
        assert (status, checks["database"]["ok"]) == (503, False)
        assert checks["database"]["detail"].startswith("storage_full: ")
    finally:
        committed(lambda: None)
    assert ready(client)[1]["database"] == {"ok": True, "detail": "answers"}


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL has no limit on its file, and tells no disk's room"
)
def test_a_file_at_its_limit_is_seen_before_anybody_tried(client: Client) -> None:
    """Of SQLite alone: `max_page_count` is its own, and its file is on this machine.

    A PostgreSQL server's disk may be another machine's, and no query asks how much room is left on it; there a full
    disk is seen at the first refused write, which the test above has on both.
    """
    with connection.cursor() as cursor:
        pages, free, most = (
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "max_page_count")
        )
        try:
            cursor.execute(f"PRAGMA max_page_count = {pages}")
            detail = ready(client)[1]["database"]["detail"]
        finally:
            cursor.execute(f"PRAGMA max_page_count = {most}")
    assert detail.startswith("storage_full: ") is (free == 0)

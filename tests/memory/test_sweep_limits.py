"""A sweep asks before it takes what a wrong clock may have made look expired, leaves room for others, and goes on."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django.fixtures import Settings as SettingsWrapper

from memory import events, retention, tasks
from memory.models import AuditRow
from tests.conftest import Configure

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def write_rows(count: int, ts: datetime) -> None:
    rows = [AuditRow(ts=ts, event_type="chat.passed_through", payload={"reason": "memory_off"}) for _ in range(count)]
    AuditRow.objects.bulk_create(rows)


def log_of_days(days: int, now: datetime, *, a_day: int = 3) -> None:
    """A log that was written to on each of the last days, today among them."""
    for back in range(days):
        write_rows(a_day, now - back * DAY)


def rows() -> int:
    return AuditRow.objects.filter(event_type="chat.passed_through").count()


def swept(now: datetime) -> retention.Swept:
    result = retention.sweep(now=now, pause=lambda seconds: None)
    assert result is not None
    return result


def last_sweep() -> events.RetentionSweep:
    event = AuditRow.objects.filter(event_type="memory.retention_sweep").latest("id").event
    assert isinstance(event, events.RetentionSweep)
    return event


# --- what never asks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a_day", [1, 3, 30])
def test_the_sweep_of_every_day_never_asks(now: datetime, a_day: int) -> None:
    log_of_days(90, now, a_day=a_day)
    swept(now)
    for day in range(1, 8):
        today = now + day * DAY + timedelta(minutes=day)
        write_rows(a_day, today)
        assert (swept(today).rows, last_sweep().held_back) == (a_day, 0)


def test_a_burst_of_three_months_ago_goes_without_a_question(now: datetime) -> None:
    write_rows(2_000, now)
    for day in range(94):
        assert swept(now + day * DAY).held_back == 0
    assert rows() == 0


def test_a_log_that_nobody_writes_to_is_swept_a_day_late_and_asks_nothing(now: datetime) -> None:
    log_of_days(5, now)
    for day in range(100):
        assert swept(now + day * DAY + timedelta(minutes=day)).held_back == 0
    assert rows() == 0


def test_a_server_that_was_off_for_three_days_asks_nothing(now: datetime) -> None:
    log_of_days(90, now)
    swept(now)
    back = now + 3 * DAY
    write_rows(1, back)
    assert (swept(back).rows, last_sweep().held_back) == (6, 0)


@pytest.mark.parametrize(("due", "others"), [(1, 1), (3, 17), (10, 10), (100, 100)])
def test_a_small_log_may_lose_up_to_half_of_itself(now: datetime, due: int, others: int) -> None:
    write_rows(due, now - 91 * DAY)
    write_rows(others, now)
    assert (swept(now).rows, last_sweep().held_back) == (due, 0)


# --- a clock that is ahead ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 20, 300])
def test_a_clock_that_is_ahead_deletes_nothing(now: datetime, count: int) -> None:
    write_rows(count, now)
    swept(now)
    ahead = now + 100 * DAY
    for day in range(5):
        assert swept(ahead + day * DAY).rows == 0
    assert rows() == count
    assert (last_sweep().held_back, last_sweep().held_because, last_sweep().newest) == (count + 1, "clock", now)


@pytest.mark.parametrize("count", [2, 20, 300])
def test_a_chat_that_was_written_by_the_wrong_clock_proves_nothing(now: datetime, count: int) -> None:
    write_rows(count, now)
    swept(now)
    ahead = now + 100 * DAY
    for day in range(5):
        write_rows(1, ahead + day * DAY)
        if count > 2 * day + 2:
            assert swept(ahead + day * DAY).rows == 0
    assert last_sweep().held_because == ("many" if count > 10 else "")


def test_once_the_clock_is_right_again_the_question_is_gone(now: datetime) -> None:
    log_of_days(60, now)
    swept(now + 100 * DAY)
    assert last_sweep().held_back
    swept(now + timedelta(hours=1))
    assert last_sweep().held_back == 0
    assert rows() == 180


def test_rows_of_a_clock_that_was_behind_are_not_taken_unasked(now: datetime) -> None:
    log_of_days(10, now, a_day=30)
    swept(now)
    write_rows(200, now - 400 * DAY)
    assert (swept(now + DAY).rows, last_sweep().held_because) == (0, "many")


# --- much at once ---------------------------------------------------------------------------------------------------


def test_a_log_that_grew_without_retention_asks(now: datetime) -> None:
    log_of_days(365, now)
    assert (swept(now).rows, last_sweep().held_because) == (0, "many")
    assert (last_sweep().held_back, last_sweep().of_rows) == (274 * 3, 365 * 3)


def test_a_lowered_retention_asks(now: datetime, configure: Configure) -> None:
    log_of_days(90, now)
    swept(now)
    configure(memory__retention_days=30)
    assert (swept(now + timedelta(hours=1)).rows, last_sweep().held_because) == (0, "many")


def test_a_tenth_of_a_large_log_goes_and_one_row_more_asks(now: datetime) -> None:
    write_rows(200, now - 91 * DAY)
    write_rows(1_799, now)
    assert (swept(now).rows, last_sweep().held_back) == (0, 200)
    write_rows(1, now)
    assert (swept(now).rows, last_sweep().held_back) == (200, 0)


def test_a_dry_run_counts_what_would_be_held_back(now: datetime) -> None:
    log_of_days(365, now)
    counted = retention.sweep(now=now, dry_run=True)
    assert counted is not None
    assert (counted.rows, counted.held_back) == (0, 274 * 3)
    assert AuditRow.objects.count() == 365 * 3


# --- the operator's word --------------------------------------------------------------------------------------------


def test_what_the_operator_allows_is_deleted_with_its_row(now: datetime) -> None:
    log_of_days(365, now)
    swept(now)
    assert retention.allow(now=now)
    allowed = AuditRow.objects.get(event_type="memory.sweep_allowed").event
    assert isinstance(allowed, events.SweepAllowed)
    assert (allowed.rows, allowed.older_than) == (274 * 3, now - 90 * DAY)
    assert (swept(now).rows, last_sweep().held_back) == (274 * 3, 0)


def test_it_is_deleted_by_the_wrong_clock_too_where_the_operator_says_so(now: datetime) -> None:
    write_rows(20, now)
    ahead = now + 100 * DAY
    swept(ahead)
    retention.allow(now=ahead)
    assert (swept(ahead).rows, rows()) == (20, 0)


def test_the_word_holds_for_what_was_asked_about_and_no_longer(now: datetime) -> None:
    log_of_days(365, now)
    swept(now)
    retention.allow(now=now)
    swept(now)
    ahead = now + 60 * DAY
    write_rows(1, ahead)
    assert (swept(ahead).rows, last_sweep().held_because) == (0, "many")


def test_nothing_is_allowed_where_nothing_was_asked(now: datetime) -> None:
    assert not retention.allow(now=now)
    log_of_days(365, now)
    assert not retention.allow(now=now)
    swept(now)
    assert retention.allow(now=now)
    assert not retention.allow(now=now), "a second click changes nothing"
    assert AuditRow.objects.filter(event_type="memory.sweep_allowed").count() == 1


# --- time and room --------------------------------------------------------------------------------------------------


def test_a_sweep_ends_itself_in_time_says_so_and_the_next_one_goes_on(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "ROWS_AT_A_TIME", 10)
    log_of_days(365, now)
    swept(now)
    retention.allow(now=now)
    over = retention.sweep(now=now, seconds=0.0, pause=lambda seconds: None, clock=lambda: 0.0)
    assert over is not None
    assert (over.rows, over.unfinished, last_sweep().unfinished) == (10, True, True)
    assert "the next sweep goes on" in str(over)
    assert not retention.allow(now=now), "it was allowed, and is not asked about again"
    assert (swept(now + DAY).rows, last_sweep().held_back, last_sweep().unfinished) == (274 * 3 - 10, 0, False)


def test_the_task_leaves_itself_time_and_goes_on_at_once(
    settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(retention, "ROWS_AT_A_TIME", 2)
    settings.TASK_TIMEOUT_SECONDS = 60  # nothing is left for a second batch
    write_rows(6, timezone.now() - 91 * DAY)
    write_rows(20, timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        assert "deleted 2 rows" in tasks.sweep()
    assert OrmQ.objects.count() == 1, "the next sweep is under way"


def test_a_pause_is_as_long_as_the_batch_before_it_and_never_nothing(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "ROWS_AT_A_TIME", 2)
    write_rows(6, now - 91 * DAY)
    write_rows(10, now)
    pauses: list[float] = []
    retention.sweep(now=now, pause=pauses.append, clock=lambda: 0.0)
    assert len(pauses) >= 2
    assert min(pauses) >= 0.05

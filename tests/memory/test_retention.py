"""The sweep (ADR-0020; decision 22): what dies at 90 days, what stays, and what hangs on it."""

from datetime import datetime, timedelta

import pytest

from memory import retention
from memory.events import Message
from memory.models import (
    ApiKey,
    ApiKeyMinute,
    AskAgain,
    AuditRow,
    Embedded,
    EpisodeSummary,
    ExtractCursor,
    HeardMessage,
    MemoryRevision,
    PersonalFact,
)
from memory.text import normalising
from tests.conftest import Configure
from tests.memory.chat_helpers import record_chat
from tests.memory.models import fact_helpers
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=91)


def read_by_the_worker(row: AuditRow) -> None:
    ExtractCursor.current()
    ExtractCursor.objects.update(last_audit_id=row.pk)


def kept() -> list[str]:
    return list(AuditRow.objects.order_by("id").values_list("event_type", flat=True))


def test_it_works(now: datetime) -> None:
    old, new = record_chat("old", now - LONG_AGO), record_chat("new", now - timedelta(days=89))
    read_by_the_worker(new)
    swept = retention.sweep(now=now)
    assert swept is not None
    assert (swept.rows, swept.episodes) == (1, 0)
    assert not AuditRow.objects.filter(pk=old.pk).exists()
    assert kept() == ["chat.completed", "memory.retention_sweep"]


def test_a_chat_takes_its_episode_along_and_every_process_is_told(now: datetime) -> None:
    old = record_chat("old", now - LONG_AGO)
    EpisodeSummary.objects.summarise(old, "We spoke.", Embedded([1.0], "m"), now=now - LONG_AGO)
    read_by_the_worker(old)
    before = MemoryRevision.current().episodes_changed
    swept = retention.sweep(now=now)
    assert swept is not None
    assert (swept.rows, swept.episodes) == (2, 1)
    assert not EpisodeSummary.objects.exists()
    assert MemoryRevision.current().episodes_changed == before + 1


def test_facts_stay_without_their_source(now: datetime) -> None:
    old = record_chat("old", now - LONG_AGO)
    PersonalFact.objects.learn([normalising.Claim("dog.name", "Beans", 0.9)], chat=old, now=now - LONG_AGO)
    read_by_the_worker(old)
    retention.sweep(now=now)
    fact = PersonalFact.objects.get()
    assert (fact.value, fact.source_audit_id) == ("Beans", None)


def test_the_row_of_an_end_stays_while_the_fact_has_ended(now: datetime) -> None:
    fact_helpers.learn("dog.name", "Beans", now=now - LONG_AGO)
    fact_helpers.end("dog.name", now=now - LONG_AGO)
    ExtractCursor.current()
    ExtractCursor.objects.update(last_audit_id=10**6)
    retention.sweep(now=now)
    assert "memory.fact.retired" in kept()
    PersonalFact.objects.get().bring_back(now=now)
    restored = AuditRow.objects.get(event_type="memory.fact.user_added").payload["restored_from"]
    assert AuditRow.objects.filter(pk=restored).exists()
    retention.sweep(now=now)
    assert "memory.fact.retired" not in kept()


def test_what_was_heard_stays_heard(now: datetime) -> None:
    read_by_the_worker(record_chat("old", now - LONG_AGO))
    retention.sweep(now=now)
    assert HeardMessage.objects.count() == 1


def test_a_chat_the_worker_has_not_read_stays(now: datetime, configure: Configure) -> None:
    record_chat("old", now - LONG_AGO)
    retention.sweep(now=now)
    assert kept()[0] == "chat.completed"
    configure(memory__facts_extract__enabled=False)
    retention.sweep(now=now)
    assert "chat.completed" not in kept()


def test_a_chat_that_is_to_be_read_again_stays(now: datetime) -> None:
    old = record_chat("old", now - LONG_AGO)
    read_by_the_worker(old)
    AskAgain.objects.create(job="memory.extract", chat=old)
    retention.sweep(now=now)
    assert "chat.completed" in kept()


def test_edits_count_as_long_as_their_fact_lives(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    for value in ("Bowser", "Waffles", "Rex"):
        PersonalFact.objects.get().edit(value, now=now - LONG_AGO)
    retention.sweep(now=now)
    assert kept().count("memory.fact.user_edited") == 3
    assert PersonalFact.objects.by_importance(now)[0].importance.edit_count == 3


def test_the_operators_last_word_on_a_key_stays_for_ever(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    for value in ("Bowser", "Waffles"):
        PersonalFact.objects.get().edit(value, now=now - LONG_AGO)
    PersonalFact.objects.get().forget(now=now - LONG_AGO)
    retention.sweep(now=now)
    assert [kind for kind in kept() if "user_" in kind] == ["memory.fact.user_deleted"]
    late = record_turn([Message(role="user", content="hi")], "ok", now=now, occurred_at=now - timedelta(days=300))
    source = AuditRow.objects.get(pk=late.audit_log_id)
    outcome = PersonalFact.objects.learn([normalising.Claim("dog.name", "Beans", 0.9)], chat=source, now=now)
    assert outcome == {"dog.name": "ignored"}


def test_a_dry_run_counts_and_deletes_nothing(now: datetime) -> None:
    old = record_chat("old", now - LONG_AGO)
    EpisodeSummary.objects.summarise(old, "We spoke.", Embedded([1.0], "m"), now=now - LONG_AGO)
    read_by_the_worker(old)
    before = kept()
    counted = retention.sweep(now=now, dry_run=True)
    assert counted is not None
    assert (counted.rows, counted.episodes) == (2, 1)
    assert kept() == before


def test_zero_days_keeps_everything(now: datetime, configure: Configure) -> None:
    configure(memory__retention_days=0)
    read_by_the_worker(record_chat("old", now - LONG_AGO))
    assert retention.sweep(now=now) is None
    assert kept() == ["chat.completed"]


def test_many_rows_go_in_batches(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "ROWS_AT_A_TIME", 3)
    for number in range(10):
        last = record_chat(str(number), now - LONG_AGO)
    read_by_the_worker(last)
    swept = retention.sweep(now=now)
    assert swept is not None
    assert swept.rows == 10


def test_each_sweep_leaves_its_row(now: datetime) -> None:
    retention.sweep(now=now)
    retention.sweep(now=now)
    assert kept() == ["memory.retention_sweep"] * 2


def test_counts_of_requests_are_deleted_after_a_day(now: datetime) -> None:
    key = ApiKey.objects.issue("busy", requests_per_minute=5).row
    for at in (now - timedelta(days=2), now):
        assert key.count_request(now=at)
    retention.sweep(now=now)
    assert [count.minute for count in ApiKeyMinute.objects.all()] == [now]

"""The sweep (ADR-0020; decision 22): what dies at 90 days, what stays, and what hangs on it."""

from datetime import datetime, timedelta
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import events, retention
from memory.events import Message
from memory.models import (
    ApiKey,
    ApiKeyMinute,
    AskAgain,
    AuditRow,
    Embedded,
    EpisodeSummary,
    ExtractCursor,
    FactConflict,
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


@pytest.fixture(autouse=True)
def in_use(now: datetime) -> None:
    """A log that was written to just now, most of which is new."""
    write_rows(10, now)


def write_rows(count: int, ts: datetime) -> None:
    for _ in range(count):
        AuditRow.objects.record(events.ChatPassedThrough(reason="memory_off"), now=ts)


def kept() -> list[str]:
    rows = AuditRow.objects.exclude(event_type="chat.passed_through").order_by("id")
    return list(rows.values_list("event_type", flat=True))


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
    pauses: list[float] = []
    swept = retention.sweep(now=now, pause=pauses.append, clock=lambda: 0.0)
    assert swept is not None
    assert swept.rows == 10
    assert len(pauses) >= 3, "between two batches others may write"
    assert min(pauses) > 0


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


def operators_rows() -> list[AuditRow]:
    return [row for row in AuditRow.objects.order_by("id") if "user_" in row.event_type]


def test_the_last_word_on_a_fact_that_is_gone_keeps_key_and_time_alone(now: datetime) -> None:
    then = now - LONG_AGO
    PersonalFact.objects.add("dog.name", "Beans", now=then)
    PersonalFact.objects.get().forget(now=then)
    swept = retention.sweep(now=now)
    assert swept is not None
    assert (swept.rows, swept.emptied) == (1, 1)
    [word] = operators_rows()
    assert (word.event_type, word.fact_key, word.ts) == ("memory.fact.user_deleted", "dog.name", then)
    assert word.payload == {"key": "dog.name", "emptied": True}
    assert not AuditRow.objects.get_queryset().search("beans").exists()
    assert AuditRow.objects.get_queryset().search("dog.name").exists()


def test_old_edits_of_a_fact_that_exists_count_on_without_their_values(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    for value in ("Bowser", "Waffles"):
        PersonalFact.objects.get().edit(value, now=now - LONG_AGO)
    PersonalFact.objects.get().edit("Rex", now=now)
    swept = retention.sweep(now=now)
    assert swept is not None
    assert (swept.rows, swept.emptied) == (0, 3)
    assert [row.payload for row in operators_rows()[:3]] == [{"key": "dog.name", "emptied": True}] * 3
    assert operators_rows()[3].payload["old_value"] == "Waffles", "an edit within the retention stays whole"
    assert PersonalFact.objects.by_importance(now)[0].importance.edit_count == 3
    assert PersonalFact.objects.get().value == "Rex"


def test_an_emptied_row_still_says_which_deletion_it_took_back(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    deletion = PersonalFact.objects.get().forget(now=now - LONG_AGO)
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now - LONG_AGO)
    retention.sweep(now=now)
    assert operators_rows()[-1].payload == {"key": "dog.name", "emptied": True, "restored_from": deletion.pk}


def test_a_second_sweep_finds_nothing_more_to_empty(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    for expected in (1, 0):
        swept = retention.sweep(now=now)
        assert swept is not None
        assert swept.emptied == expected
        last = AuditRow.objects.get_queryset().order_by("-id")[0]
        assert last.payload["emptied"] == expected


def test_a_dry_run_counts_what_would_be_emptied(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    PersonalFact.objects.get().edit("Bowser", now=now - LONG_AGO)
    PersonalFact.objects.add("cat.name", "Tom", now=now - LONG_AGO)
    PersonalFact.objects.by_importance(now)[0].fact.forget(now=now - LONG_AGO)
    before = [row.payload for row in operators_rows()]
    counted, swept = retention.sweep(now=now, dry_run=True), None
    assert [row.payload for row in operators_rows()] == before
    swept = retention.sweep(now=now)
    assert counted is not None
    assert swept is not None
    assert (counted.rows, counted.emptied) == (swept.rows, swept.emptied)
    assert "rows of yours emptied" in str(counted)


def test_a_deletion_that_was_emptied_is_not_taken_back(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    PersonalFact.objects.get().forget(now=now - LONG_AGO)
    retention.sweep(now=now)
    with pytest.raises(FactConflict, match="dog.name cannot be brought back: what it said is no longer kept"):
        PersonalFact.objects.restore(operators_rows()[0], now=now)
    assert not PersonalFact.objects.exists()


def test_a_fact_deleted_long_ago_is_not_learned_from_older_words_after_its_row_was_emptied(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - LONG_AGO)
    PersonalFact.objects.get().forget(now=now - LONG_AGO)
    retention.sweep(now=now)
    for days, outcome in ((300, "ignored"), (1, "added")):
        words = [Message(role="user", content=f"hi {days}")]
        told = record_turn(words, "ok", now=now, occurred_at=now - timedelta(days=days))
        source = AuditRow.objects.get(pk=told.audit_log_id)
        claims = [normalising.Claim("dog.name", "Beans", 0.9)]
        assert PersonalFact.objects.learn(claims, chat=source, now=now) == {"dog.name": outcome}


def test_the_value_of_a_deleted_fact_is_in_no_table_after_the_sweep(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beanstalk", now=now - LONG_AGO)
    PersonalFact.objects.get().forget(now=now - LONG_AGO)
    retention.sweep(now=now)
    with connection.cursor() as cursor:
        for table in set(connection.introspection.table_names(cursor)) - {"audit_fts"}:  # it cannot be listed
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 (its own names)
            assert "beanstalk" not in repr(cursor.fetchall()).lower(), table


def test_a_step_is_as_large_as_fits_into_the_time_that_others_wait() -> None:
    pace = retention.Pace(25, most=25)
    sizes = []
    for seconds in (0.03, 0.06, 0.12, 30.0, 0.001, 0.0, 0.03, 0.001, 0.001, 0.001):
        pace.note(seconds)
        sizes.append(pace.size)
    assert sizes == [25, 12, 3, 1, 2, 4, 4, 8, 16, 25], "smaller at once, larger by and by, never beyond its bound"


def test_a_batch_that_held_the_lock_for_long_is_followed_by_a_smaller_one(now: datetime) -> None:
    """By a clock on which each look is a twentieth of a second later than the one before."""
    name = events.FactConfirmed.name
    AuditRow.objects.bulk_create(AuditRow(ts=now - LONG_AGO, event_type=name) for _ in range(60))
    AuditRow.objects.bulk_create(AuditRow(ts=now, event_type=name) for _ in range(100))
    with CaptureQueriesContext(connection) as captured:
        swept = retention.sweep(now=now, pause=lambda seconds: None, clock=(tick / 20 for tick in count()).__next__)
    assert swept is not None
    assert swept.rows == 60
    deletes = [query["sql"] for query in captured if query["sql"].startswith('DELETE FROM "audit_log"')]
    batches = [statement.count(",") + 1 for statement in deletes]
    assert batches[:3] == [25, 15, 9]

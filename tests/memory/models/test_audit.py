"""The audit log: typed, clamped, append-only, read by keyset (ADR-0033, SR-008, decision 23)."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection

from memory import events
from memory.actor import Actor, acting
from memory.models import ApiKey, AppendOnly, AuditRow, PersonalFact
from memory.text import lines
from tests.conftest import Configure
from tests.plans import query_plan

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]


def chat(text: str = "hello", *, now: datetime) -> AuditRow:
    event = events.ChatCompleted(messages=[events.Message(role="user", content=text)], reply="ok")
    return AuditRow.objects.record(event, now=now)


def test_it_works(now: datetime) -> None:
    row = AuditRow.objects.record(events.FactUserAdded(key="dog.name", value="Beans"), now=now)
    row.refresh_from_db()
    assert row.event_type == "memory.fact.user_added"
    assert row.event == events.FactUserAdded(key="dog.name", value="Beans")
    assert row.fact_key == "dog.name"
    assert row.ts == now


def test_rows_are_never_changed_or_deleted(now: datetime) -> None:
    row = chat(now=now)
    with pytest.raises(AppendOnly):
        row.save()
    with pytest.raises(AppendOnly):
        row.delete()
    with pytest.raises(AppendOnly):
        AuditRow.objects.all().delete()
    with pytest.raises(AppendOnly):
        AuditRow.objects.filter(pk=row.pk).update(payload={})


def test_long_strings_are_cut_with_a_mark_and_said_so(now: datetime, configure: Configure) -> None:
    configure(memory__audit_max_string_chars=100)
    row = AuditRow.objects.record(events.ChatFailed(error="x" * 101, kind="TooSlow"), now=now)
    assert len(row.payload["error"]) == 100
    assert lines.CUT_MARK in row.payload["error"]
    assert row.payload["truncated"] is True
    short = AuditRow.objects.record(events.ChatFailed(error="x" * 100, kind="TooSlow"), now=now)
    assert short.payload["error"] == "x" * 100
    assert "truncated" not in short.payload


def test_chats_have_their_own_bound(now: datetime, configure: Configure) -> None:
    configure(memory__audit_max_string_chars=100, memory__chat_max_chars=1000)
    assert chat("y" * 1000, now=now).completed.messages[0].content == "y" * 1000
    long = chat("start " + "y" * 2000 + " end", now=now)
    content = long.completed.messages[0].content
    assert isinstance(content, str)
    assert len(content) == 1000
    assert content.startswith("start")
    assert content.endswith("end")
    assert long.completed.truncated


def test_a_receipt_is_never_cut(now: datetime, configure: Configure) -> None:
    configure(memory__audit_max_string_chars=64)
    row = AuditRow.objects.record(events.ContextServed(block="b" * 5000), now=now)
    assert row.payload["block"] == "b" * 5000


def test_every_event_is_spelled_in_one_file_only() -> None:
    outside = [
        (path.name, name)
        for top in ("memory", "dashboard", "caesar")
        for path in (ROOT / top).rglob("*.py")
        if "events" not in path.parts and "migrations" not in path.parts
        for name in events.EVENTS
        if f'"{name}"' in path.read_text() or f"'{name}'" in path.read_text()
    ]
    assert outside == []


def test_pages_follow_each_other_without_gap_or_double(now: datetime) -> None:
    ids = [chat(str(number), now=now).pk for number in range(7)]
    seen: list[int] = []
    before = None
    while True:
        page = AuditRow.objects.get_queryset().page(before=before, limit=3)
        seen += [row.pk for row in page.rows]
        if page.next_before is None:
            break
        before = page.next_before
    assert seen == ids[::-1]


def test_a_full_last_page_has_no_next(now: datetime) -> None:
    for number in range(4):
        chat(str(number), now=now)
    page = AuditRow.objects.get_queryset().page(limit=4)
    assert len(page.rows) == 4
    assert page.next_before is None


@pytest.fixture
def many_rows(now: datetime) -> None:
    """A log whose statistics are those of a log in use: PostgreSQL's choice between two indexes hangs on them."""
    types = [
        kind.name for kind in (events.ChatCompleted, events.FactAdded, events.FactConfirmed, events.FactUserEdited)
    ]
    AuditRow.objects.bulk_create(
        AuditRow(
            ts=now,
            event_type=types[3 if number % 25 == 0 else number % 3],
            fact_key=f"number.n{number % 500}" if number % 3 else None,
            fingerprint=None if number % 3 else f"{number:064}",
            decision_id=None if number % 3 else f"{number:032}",
        )
        for number in range(2000)
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE audit_log")


@pytest.mark.usefixtures("many_rows")
@pytest.mark.parametrize(
    "rows",
    [
        lambda: AuditRow.objects.get_queryset().of_type(events.FactUserEdited).values("fact_key"),
        lambda: AuditRow.objects.filter(event_type="x", id__lt=9).order_by("-id")[:50],
        lambda: AuditRow.objects.filter(fact_key="dog.name").order_by("-id")[:50],
        lambda: AuditRow.objects.filter(decision_id="d"),
        lambda: AuditRow.objects.filter(chat_id=4),
        lambda: AuditRow.objects.filter(fingerprint="f").order_by("-id")[:50],
        lambda: AuditRow.objects.get_queryset().chats().filter(id__gt=7).order_by("id")[:1],
    ],
)
def test_the_queries_of_a_turn_use_an_index(rows: object) -> None:
    plan = query_plan(*rows().query.sql_with_params())  # type: ignore[operator]
    assert plan.sought, plan
    assert not plan.scanned, plan
    assert not plan.sorts, plan


@pytest.mark.usefixtures("many_rows")
def test_the_edit_count_reads_an_index_alone() -> None:
    from memory.models.learned.ranking import edit_counts_query

    plan = query_plan(*edit_counts_query().query.sql_with_params())
    assert "idx_audit_edit_counts" in plan.alone, plan
    assert not plan.sorts, plan


def test_a_chat_time_is_when_it_took_place(now: datetime) -> None:
    then = now - timedelta(days=400)
    event = events.ChatCompleted(messages=[], reply="", occurred_at=then)
    assert AuditRow.objects.record(event, now=now).said_at == then
    assert chat(now=now).said_at == now
    assert PersonalFact.objects.count() == 0


# --- whose client brought it ----------------------------------------------------------------------------------------


@pytest.fixture
def tablet(db: None) -> ApiKey:
    return ApiKey.objects.issue("kitchen tablet").row


def learned_from(source: AuditRow, *, now: datetime) -> AuditRow:
    added = events.FactAdded(key="dog.name", value="Beans", confidence=1.0, said_at=now)
    return AuditRow.objects.record(added, now=now, chat=source)


def test_what_a_worker_makes_of_a_chat_is_its_clients(tablet: ApiKey, now: datetime) -> None:
    with acting(lambda: Actor.client(tablet.label, tablet.pk)):
        said = AuditRow.objects.record(events.ChatCompleted(reply="Hi"), now=now)
    learned = learned_from(said, now=now)
    assert (said.actor, said.client) == ("key kitchen tablet", "kitchen tablet")
    assert (learned.actor, learned.client) == (None, "kitchen tablet"), "nobody acted, but the tablet brought it"
    assert list(AuditRow.objects.get_queryset().of_client([tablet.pk]).order_by("id")) == [said, learned]
    assert not AuditRow.objects.get_queryset().of_client([])


def test_what_the_operator_does_to_it_is_not(tablet: ApiKey, now: datetime) -> None:
    with acting(lambda: Actor.client(tablet.label, tablet.pk)):
        said = AuditRow.objects.record(events.ChatCompleted(reply="Hi"), now=now)
    with acting(lambda: Actor("account operator")):
        row = AuditRow.objects.record(events.FactUserDeleted(key="dog.name"), now=now, chat=said)
    assert (row.api_key_id, row.client, row.label) == (None, None, "You deleted")


def test_a_row_from_before_has_no_client(now: datetime) -> None:
    assert learned_from(chat(now=now), now=now).client is None


def test_the_label_is_the_one_at_that_time(tablet: ApiKey, now: datetime) -> None:
    with acting(lambda: Actor.client(tablet.label, tablet.pk)):
        said = AuditRow.objects.record(events.ChatCompleted(reply="Hi"), now=now)
    tablet.revoke(now=now)
    assert AuditRow.objects.get(pk=said.pk).client == "kitchen tablet"


@pytest.mark.parametrize("event_type", ["", "chat.completed"])
def test_the_rows_of_a_client_come_in_the_order_of_an_index(
    many_rows: None, tablet: ApiKey, now: datetime, event_type: str
) -> None:
    AuditRow.objects.bulk_create(AuditRow(ts=now, event_type="chat.failed", api_key=tablet) for _ in range(50))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE audit_log")
    rows = AuditRow.objects.get_queryset().of_client([tablet.pk])
    rows = rows.filter(event_type=event_type) if event_type else rows
    plan = query_plan(*rows.newest_first(before=10**9)[:51].query.sql_with_params())
    assert plan.sought & {"idx_audit_client" if event_type else "idx_audit_api_key"}, plan
    assert not plan.sorts, plan

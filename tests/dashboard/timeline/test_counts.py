"""Counts on the chips of /dashboard/audit, and sweeps that found nothing."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.timeline.counts import count_events
from dashboard.timeline.query_parameters import TimelineQuery
from dashboard.timeline.rows import Scope
from memory import events
from memory.actor import Actor, acting
from memory.models import ApiKey, AuditRow, PersonalFact
from tests.dashboard.helpers import find_elements, get_page, record_chat, visible_text
from tests.plans import query_plan

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"


def ids(response: HttpResponse) -> list[int]:
    return [int(item["id"].removeprefix("event-")) for item in find_elements(response, "li")]


def fail_often(count: int, *, now: datetime) -> None:
    payload = {"error": "Start it.", "kind": "x"}
    AuditRow.objects.bulk_create(AuditRow(ts=now, event_type="chat.failed", payload=payload) for _ in range(count))


def sweep(now: datetime, *, rows: int = 0) -> AuditRow:
    return AuditRow.objects.record(events.RetentionSweep(older_than=now, rows=rows, episodes=0), now=now)


def test_it_works(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now).edit("Bowser", now=now)
    record_chat("hello", now=now)
    text = visible_text(get_page(operator, TIMELINE))
    assert "everything 3 chats 1 facts 2 episodes 0" in text
    assert "all of these 2" not in text
    assert "You edited 1" in visible_text(get_page(operator, f"{TIMELINE}?family=facts"))


def test_they_count_what_the_other_filters_leave(operator: Client, now: datetime) -> None:
    key = ApiKey.objects.issue("tablet").row
    with acting(lambda: Actor.client(key.label, key.pk)):
        record_chat("Beans is here.", now=now - timedelta(days=2))
        record_chat("hello", now=now)
    record_chat("Beans again", now=now)
    for query, count in (("client=tablet", 2), ("q=beans", 2), ("day=2026-05-18", 1), ("client=tablet&q=beans", 1)):
        assert f"chats {count} facts 0" in visible_text(get_page(operator, f"{TIMELINE}?{query}")), query
    assert "chats 0" in visible_text(get_page(operator, f"{TIMELINE}?client=nobody"))


def test_more_than_a_thousand_are_not_counted(operator: Client, now: datetime) -> None:
    fail_often(1_200, now=now)
    text = visible_text(get_page(operator, TIMELINE))
    assert "everything 1,000+ chats 1,000+ facts 0" in text
    record_chat("Start with Beans.", now=now - timedelta(days=1))
    found = visible_text(get_page(operator, f"{TIMELINE}?q=start"))
    assert "everything 1,000+ chats 1,000+ facts 0+" in found, "older ones may be facts"


@pytest.mark.parametrize("query", ["family=facts", "family=facts&client=tablet", "family=facts&before=999999999"])
def test_one_query_counts_and_one_finds_by_indexes_of_the_event(now: datetime, query: str) -> None:
    key = ApiKey.objects.issue("tablet").row
    kinds = ("memory.fact.added", "chat.failed", "memory.fact.confirmed", "memory.context.served")
    AuditRow.objects.bulk_create(
        AuditRow(ts=now, event_type=kinds[number % 4], api_key=key if number % 2 else None) for number in range(2_000)
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE audit_log")
    asked = TimelineQuery.of(QueryDict(query))
    scope = Scope.of(asked)
    with CaptureQueriesContext(connection) as queries:
        count_events(asked, scope)
        scope.newest(asked, before=asked.before, limit=51)
    counting, finding = (query_plan(captured["sql"]) for captured in queries)
    by_event = "idx_audit_client" if asked.client else "idx_audit_type"
    assert by_event in counting.sought, counting
    assert by_event in finding.sought, finding
    assert not finding.scanned - {"newest"}, finding


def test_sweeps_that_found_nothing_are_not_shown(operator: Client, now: datetime) -> None:
    empty, full = sweep(now), sweep(now, rows=3)
    held = AuditRow.objects.record(events.RetentionSweep(older_than=now, rows=0, episodes=0, held_back=4), now=now)
    old = AuditRow.objects.create(
        ts=now, event_type="memory.retention_sweep", payload={"older_than": now.isoformat(), "rows": 0, "episodes": 0}
    )
    response = get_page(operator, TIMELINE)
    assert ids(response) == [held.pk, full.pk]
    assert "everything 2" in visible_text(response)
    shown = find_elements(response, "a", class_="chip", href=f"{TIMELINE}?family=sweeps")
    assert len(shown) == 1
    assert ids(get_page(operator, shown[0]["href"])) == [old.pk, held.pk, full.pk, empty.pk]
    assert len(ids(get_page(operator, f"{TIMELINE}?type=memory.retention_sweep"))) == 4


def test_an_empty_sweep_is_no_news(operator: Client, now: datetime) -> None:
    sweep(now)
    assert operator.get(f"{TIMELINE}/news?after=0", headers={"HX-Request": "true"}).status_code == 204

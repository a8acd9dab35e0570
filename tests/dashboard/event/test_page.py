"""The page of one event, `/dashboard/audit/ID`. For the page of a chat see `tests/dashboard/chats`."""

from datetime import datetime

import pytest
from django.test import Client

from memory import events
from memory.models import AuditRow, PersonalFact
from tests.dashboard.content_receipts import PARTS
from tests.dashboard.helpers import find_elements, get_page, learn_fact, newest_row_id, visible_text

pytestmark = pytest.mark.django_db


def show(client: Client, row: AuditRow) -> str:
    return visible_text(get_page(client, f"/dashboard/audit/{row.pk}"))


def test_a_receipt_says_what_was_left_out(operator: Client, now: datetime) -> None:
    row = AuditRow.objects.record(
        events.ContextServed(left_out=[events.LeftOut(part="facts", reason="switched off for this turn")]), now=now
    )
    assert "Without facts: switched off for this turn." in show(operator, row)


def test_an_event_about_a_fact_leads_to_it_and_its_history(operator: Client, now: datetime) -> None:
    fact = learn_fact("dog.name", "Beans", now=now)
    response = get_page(operator, f"/dashboard/audit/{newest_row_id()}")
    assert find_elements(response, "a", href=f"/dashboard/facts#fact-row-{fact.pk}")
    assert find_elements(response, "a", href="/dashboard/audit?fact=dog.name")
    assert find_elements(response, "a", href=f"/dashboard/audit/{fact.source_audit_id}")
    fact.forget(now=now)
    assert "There is no such fact now." in visible_text(get_page(operator, f"/dashboard/audit/{newest_row_id()}"))


def test_the_payload_is_there_folded(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Käse", now=now)
    response = get_page(operator, f"/dashboard/audit/{newest_row_id()}")
    assert '"value": "Käse"' in visible_text(response)
    assert "open" not in find_elements(response, "details", class_="payload")[0].attributes


@pytest.mark.parametrize("number", [1, 10**9, 10**30])
def test_an_event_that_is_not_there_is_404(operator: Client, number: int) -> None:
    response = operator.get(f"/dashboard/audit/{number}")
    assert response.status_code == 404
    assert "Events older than 90 days are swept" in visible_text(response)


def test_an_emptied_deletion_offers_no_way_back(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    deleted = {"value": "Beans", "confidence": 1.0, "first_seen_at": now, "last_confirmed_at": now}
    whole = AuditRow.objects.record(events.FactUserDeleted(key="cat.name", **deleted), now=now)
    emptied = AuditRow.objects.record(events.FactUserDeleted(key="cat.name", emptied=True), now=now)
    assert "Bring it back" in show(operator, whole)
    shown = show(operator, emptied)
    assert "Bring it back" not in shown
    assert "cat.name what it said is no longer kept" in shown


def recalled(now: datetime, parts: events.ScoreParts | None) -> AuditRow:
    event = events.EpisodeRecalled(
        audit_log_id=1, summary="We met.", cosine=0.58, freshness=0.9, recall_weight=1.0, score=2.17, parts=parts
    )
    return AuditRow.objects.record(event, now=now)


def test_a_recall_by_content_shows_the_parts_of_its_score(operator: Client, now: datetime) -> None:
    text = show(operator, recalled(now, PARTS)).split("As it is stored")[0]
    assert "2.17 by score" in text
    assert "meaning 1.00 · words 0.80 · conversation 0.60 · pairs 0.40 · day 0.00 · month 0.25 · recency 0.90" in text
    assert "Score = meaning + 0.50 × (0.6 words" in text
    assert "× 0.90" not in text
    assert "similar ×" not in text


def test_a_recall_by_summaries_shows_its_own(operator: Client, now: datetime) -> None:
    text = show(operator, recalled(now, None)).split("As it is stored")[0]
    assert "2.17 = 0.58 × 0.90 × 1.00 (similar × fresh × recalled before)" in text
    assert "meaning" not in text

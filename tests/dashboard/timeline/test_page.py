"""/dashboard/audit: one readable sentence for each row, by day, in pages (ADR-0033 §5, ADR-0034 §5)."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.timeline.event_families import EVENT_FAMILIES
from memory import events
from memory.models import AuditRow, PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import (
    HEAD_QUERIES,
    event_types,
    find_elements,
    get_page,
    learn_fact,
    record_chat,
    visible_text,
)

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"


def record(event: events.Event, *, now: datetime, chat: AuditRow | None = None, turn: str | None = None) -> AuditRow:
    return AuditRow.objects.record(event, now=now, chat=chat, decision_id=turn)


def served(facts: int) -> events.ContextServed:
    one = events.ServedFact(key="a.b", sentence="s", importance=1, freshness=1, confidence=1, edit_count=0)
    return events.ContextServed(block="block", facts=[one] * facts)


def test_it_works(operator: Client, now: datetime) -> None:
    source = record_chat("By the way my dog's name is Beans.", now=now)
    learn_fact("dog.name", "Beans", now=now, confidence=0.95, source=source)
    response = get_page(operator, TIMELINE)
    text = visible_text(response)
    assert f"Learned Your dog's name is Beans. from chat {source.pk} 0.95 sure" in text
    assert f"Chat “By the way my dog's name is Beans.” chat {source.pk}" in text
    assert text.index("Learned") < text.index("By the way"), "newest first"
    assert find_elements(response, "a", href=f"/dashboard/audit/{source.pk}")
    assert "{" not in text.replace('{"', ""), "no JSON"


def test_a_turn_and_its_receipt_know_each_other(operator: Client, now: datetime) -> None:
    record(served(9), now=now, turn="t1")
    chat = record_chat("hello", now=now, decision_id="t1")
    text = visible_text(get_page(operator, TIMELINE))
    assert f"Memory served 9 facts for chat {chat.pk}" in text
    assert f"“hello” chat {chat.pk} 9 facts in" in text


def test_rows_are_grouped_by_day_in_the_operators_zone(operator: Client, configure: Configure) -> None:
    configure(time_zone="Europe/Rome")
    record_chat("late", now=datetime(2026, 5, 18, 22, 30, tzinfo=UTC))  # half past midnight in Rome
    record_chat("early", now=datetime(2026, 5, 18, 21, 30, tzinfo=UTC))
    record_chat("long ago", now=datetime(2025, 5, 18, 12, 0, tzinfo=UTC))
    text = visible_text(get_page(operator, TIMELINE))
    assert re.search("Tuesday 19 May 00:30 , row [0-9]+ Chat “late”", text)
    assert re.search("Monday 18 May 23:30 , row [0-9]+ Chat “early”", text)
    assert "Sunday 18 May 2025 14:00" in text


def test_an_older_conversation_says_when_it_took_place(operator: Client, now: datetime) -> None:
    record(events.ChatCompleted(occurred_at=now - timedelta(days=40)), now=now)
    assert "of 10 April 2026" in visible_text(get_page(operator, TIMELINE))


def test_chips_choose_a_family(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    record(events.ChatFailed(error="Start it.", kind="x"), now=now)
    record(served(1), now=now)
    chips = find_elements(get_page(operator, TIMELINE), "a", class_="chip")
    assert [chip["href"] for chip in chips] == [
        TIMELINE + (f"?family={family.name}" if family.name else "") for family in EVENT_FAMILIES
    ]
    for name, there, gone in (
        ("chats", "Chat failed", "Learned"),
        ("facts", "Learned", "Chat"),
        ("served", "Memory served 1 fact", "Learned"),
        ("failures", "Chat failed", "Memory served 1"),
    ):
        response = get_page(operator, f"{TIMELINE}?family={name}")
        text = visible_text(response).partition("failures")[2]
        assert there in text
        assert gone not in text
        current = [chip["href"] for chip in find_elements(response, "a", class_="chip", aria_current="true")]
        assert current == [f"{TIMELINE}?family={name}"]
    assert "Learned" in visible_text(get_page(operator, f"{TIMELINE}?family=nonsense")), (
        "an unknown family is everything"
    )


def test_every_event_of_a_family_is_an_event() -> None:
    assert {kind for family in EVENT_FAMILIES for kind in family.kinds} <= set(events.EVENTS.values())


def test_one_facts_history(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    learn_fact("cat.name", "Tom", now=now)
    PersonalFact.objects.get(key="dog.name").edit("Bowser", now=now)
    text = visible_text(get_page(operator, f"{TIMELINE}?fact=dog.name"))
    assert "History of dog.name" in text
    assert "Now: Your dog's name is Bowser." in text
    assert "from “Beans” to “Bowser”" in text
    assert "Tom" not in text


def test_older_rows_come_by_pages_that_miss_and_repeat_none(operator: Client, now: datetime) -> None:
    ids = [record(events.ChatFailed(error=f"e{number}", kind="x"), now=now).pk for number in range(120)]
    seen: list[int] = []
    address: str | None = f"{TIMELINE}?family=failures"
    while address:
        response = get_page(operator, address)
        seen += [int(item["id"].removeprefix("event-")) for item in find_elements(response, "li")]
        older = find_elements(response, "a", rel="next")
        address = older[0]["href"] if older else None
        assert address is None or "family=failures" in address
    assert seen == ids[::-1]


@pytest.mark.parametrize("before", ["x", "", "-1", "0", "9" * 30, "9" * 18, "%00", "1.5"])
def test_a_page_mark_that_is_none_is_no_error(operator: Client, now: datetime, before: str) -> None:
    record_chat("hello", now=now)
    get_page(operator, f"{TIMELINE}?before={before}&fact=%00&family=%00")


def test_an_empty_log_says_what_will_stand_here(operator: Client) -> None:
    assert "Nothing yet." in visible_text(get_page(operator, TIMELINE))
    assert "Nothing of this kind." in visible_text(get_page(operator, f"{TIMELINE}?family=facts"))


def test_ten_queries_are_enough(operator: Client, now: datetime) -> None:
    for number in range(30):
        record(served(3), now=now, turn=f"t{number}")
        record_chat(f"hello {number}", now=now, decision_id=f"t{number}")
    learn_fact("dog.name", "Beans", now=now)
    for address in (TIMELINE, f"{TIMELINE}?fact=dog.name", f"{TIMELINE}?family=chats"):
        with CaptureQueriesContext(connection) as queries:
            get_page(operator, address)
        assert len(queries) <= 10 + HEAD_QUERIES, address


BROKEN: list[tuple[str, object]] = [
    ("memory.fact.added", {}),
    ("memory.fact.added", ["list"]),
    ("memory.fact.added", "text"),
    ("memory.fact.user_edited", {"key": {"a": 1}, "old_value": None}),
    ("chat.completed", {"messages": "no list"}),
    ("memory.context.served", {"facts": [{}]}),
    ("something.else", {"a": "whole"}),
    ("something.half", {"a": "\ud800 half"}),
    ("x" * 64, {}),
    ("<b>markup</b>", {"<script>": "</pre><script>alert(1)</script>"}),
    ("chat.completed", {"messages": [{"role": "user", "content": "half \ud800"}], "reply": "half \udc00"}),
    ("chat.failed", {"error": "half \ud800", "kind": "x"}),
]


def test_rows_that_do_not_parse_never_break_a_page(operator: Client, now: datetime) -> None:
    rows = [
        AuditRow.objects.create(ts=now, event_type=kind, payload=payload, fact_key="k", decision_id="t")
        for kind, payload in BROKEN
        if connection.vendor == "sqlite" or "\\ud" not in json.dumps(payload)  # PostgreSQL takes no half pairs
    ]
    for address in (TIMELINE, f"{TIMELINE}?fact=k", *(f"{TIMELINE}/{row.pk}" for row in rows)):
        response = get_page(operator, address)
        assert not find_elements(response, "b")
        assert all(script["src"].startswith("/static/") for script in find_elements(response, "script"))
    text = visible_text(get_page(operator, TIMELINE))
    assert "something.else an event this version cannot read, as JSON" in text
    assert "<b>markup</b>" in text
    assert len(event_types()) == len(rows), "reading writes nothing"

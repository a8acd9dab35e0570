"""/dashboard/audit narrowed: by family, event, fact and day, all at once, in every address; turns stand together."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory import events
from memory.models import AuditRow, PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import HEAD_QUERIES, find_elements, get_page, learn_fact, record_chat, visible_text

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"


def ids(response: HttpResponse) -> list[int]:
    return [int(item["id"].removeprefix("event-")) for item in find_elements(response, "li")]


def record(event: events.Event, *, at: datetime, turn: str | None = None) -> AuditRow:
    return AuditRow.objects.record(event, now=at, decision_id=turn)


def failed(at: datetime, turn: str | None = None) -> AuditRow:
    return record(events.ChatFailed(error="Start it.", kind="x"), at=at, turn=turn)


def recalled(chat: AuditRow, score: float, *, at: datetime, turn: str) -> AuditRow:
    parts = {"cosine": score, "freshness": 1.0, "recall_weight": 1.0, "score": score}
    return record(events.EpisodeRecalled(audit_log_id=chat.pk, summary="We met.", **parts), at=at, turn=turn)


def test_it_works(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - timedelta(days=1))
    PersonalFact.objects.get().edit("Bowser", now=now)
    record_chat("hello", now=now)
    edited = AuditRow.objects.get(event_type="memory.fact.user_edited")
    response = get_page(
        operator, f"{TIMELINE}?family=facts&type=memory.fact.user_edited&fact=dog.name&day=2026-05-20&q=bow"
    )
    assert ids(response) == [edited.pk]


def test_the_events_of_a_family_can_be_chosen_one_by_one(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    PersonalFact.objects.get().edit("Bowser", now=now)
    response = get_page(operator, f"{TIMELINE}?family=facts")
    chips = [chip["href"] for chip in find_elements(response, "a", class_="chip kind-chip")]
    assert chips[:2] == [f"{TIMELINE}?family=facts", f"{TIMELINE}?family=facts&type=memory.fact.added"]
    response = get_page(operator, f"{TIMELINE}?family=facts&type=memory.fact.user_edited")
    assert "from “Beans” to “Bowser”" in visible_text(response)
    assert len(ids(response)) == 1
    current = [chip["href"] for chip in find_elements(response, "a", aria_current="true")]
    assert current == [f"{TIMELINE}?family=facts", f"{TIMELINE}?family=facts&type=memory.fact.user_edited"]


@pytest.mark.parametrize("query", ["type=memory.fact.added", "type=memory.fact.added&family=chats"])
def test_an_event_brings_its_family_along(operator: Client, now: datetime, query: str) -> None:
    learn_fact("dog.name", "Beans", now=now)
    response = get_page(operator, f"{TIMELINE}?{query}")
    assert "Learned" in visible_text(response)
    assert f"{TIMELINE}?family=facts" in [chip["href"] for chip in find_elements(response, "a", aria_current="true")]


def test_what_an_address_does_not_name_well_narrows_nothing(operator: Client, now: datetime) -> None:
    row = failed(now)
    for query in ("type=nonsense", "day=2026-02-30", "day=x", "day=9999-12-31", "day=0001-01-01", "family=%00", "q=+"):
        assert ids(get_page(operator, f"{TIMELINE}?{query}")) == [row.pk], query


def test_a_day_is_one_of_the_operators_zone(operator: Client, configure: Configure) -> None:
    configure(time_zone="Europe/Rome")
    failed(datetime(2026, 5, 17, 21, 59, tzinfo=UTC))
    first = failed(datetime(2026, 5, 17, 22, 0, tzinfo=UTC))
    last = failed(datetime(2026, 5, 18, 21, 59, tzinfo=UTC))
    failed(datetime(2026, 5, 18, 22, 0, tzinfo=UTC))
    response = get_page(operator, f"{TIMELINE}?day=2026-05-18")
    assert ids(response) == [last.pk, first.pk]
    assert "Monday 18 May 2026" in visible_text(response)
    for name in ("from", "to"):
        assert find_elements(response, "input", name=name)[0]["value"] == "2026-05-18"


def test_days_without_rows_are_passed_over(operator: Client, now: datetime) -> None:
    for days in (20, 10, 9, 1):
        failed(now - timedelta(days=days))
    response = get_page(operator, f"{TIMELINE}?day=2026-05-11&family=failures")
    assert [link["href"] for link in find_elements(response, "a", rel="prev")] == [
        f"{TIMELINE}?family=failures&day=2026-05-10"
    ]
    assert [link["href"] for link in find_elements(response, "a", rel="next-day")] == [
        f"{TIMELINE}?family=failures&day=2026-05-19"
    ]
    ends = get_page(operator, f"{TIMELINE}?day=2026-04-30"), get_page(operator, f"{TIMELINE}?day=2026-05-19")
    assert not find_elements(ends[0], "a", rel="prev")
    assert not find_elements(ends[1], "a", rel="next-day")
    empty = get_page(operator, f"{TIMELINE}?day=2026-05-15")
    assert "Nothing of this kind on Friday 15 May 2026." in visible_text(empty)
    assert find_elements(empty, "a", rel="prev")


def test_every_day_leads_to_itself(operator: Client, now: datetime) -> None:
    failed(now)
    assert find_elements(
        get_page(operator, f"{TIMELINE}?family=failures"), "a", href=f"{TIMELINE}?family=failures&day=2026-05-20"
    )


def test_rows_of_a_day_are_told_by_their_time_not_their_id(operator: Client, now: datetime) -> None:
    early = failed(now - timedelta(days=1))
    failed(now)
    late_but_dated_back = failed(now - timedelta(days=1))
    assert ids(get_page(operator, f"{TIMELINE}?day=2026-05-19")) == [late_but_dated_back.pk, early.pk]


def test_older_pages_keep_the_choice(operator: Client, now: datetime) -> None:
    fact = PersonalFact.objects.add("dog.name", "Beans", now=now)
    for number in range(60):
        fact.edit(f"Beans {number}", now=now)
    query = "family=facts&type=memory.fact.user_edited&fact=dog.name&day=2026-05-20&q=beans"
    first = get_page(operator, f"{TIMELINE}?{query}")
    older = find_elements(first, "a", rel="next")[0]["href"]
    asked = parse_qs(urlsplit(older).query)
    assert asked.pop("before")
    assert asked == parse_qs(query)
    second = get_page(operator, older)
    assert len(ids(first)) == 50
    assert len(ids(second)) == 10
    assert not set(ids(first)) & set(ids(second))
    assert not find_elements(second, "a", rel="next")
    assert find_elements(second, "a", href=f"{TIMELINE}?{query}"), "back to the newest"


def test_a_facts_history_can_be_narrowed_too(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now).edit("Bowser", now=now)
    PersonalFact.objects.add("cat.name", "Tom", now=now)
    response = get_page(operator, f"{TIMELINE}?fact=dog.name")
    chips = [chip["href"] for chip in find_elements(response, "a", class_="chip kind-chip")]
    assert f"{TIMELINE}?type=memory.fact.user_edited&fact=dog.name" in chips
    assert len(ids(get_page(operator, f"{TIMELINE}?fact=dog.name&type=memory.fact.user_edited"))) == 1
    assert find_elements(response, "input", type="hidden", name="fact")[0]["value"] == "dog.name"


@pytest.mark.parametrize("key", ["a/b", "50%/day", "a&b=c", "dog.🐶", "<b>", "a b"])
def test_any_key_survives_in_every_address(operator: Client, now: datetime, key: str) -> None:
    stored = PersonalFact.objects.add(key, "Beans", now=now).key
    response = operator.get(TIMELINE, {"fact": stored})
    for chip in find_elements(response, "a", class_="chip kind-chip"):
        assert parse_qs(urlsplit(chip["href"]).query)["fact"] == [stored]
    assert len(ids(response)) == 1


def test_the_rows_of_one_turn_stand_together(operator: Client, now: datetime) -> None:
    source = record_chat("I sleep badly.", now=now - timedelta(days=3))
    strong = recalled(source, 0.6, at=now, turn="t1")
    weak = recalled(source, 0.3, at=now, turn="t1")
    receipt = record(events.ContextServed(block="b"), at=now, turn="t1")
    between = failed(now)
    chat = record_chat("I tried it.", now=now, decision_id="t1")
    alone = failed(now, turn="t2")
    response = get_page(operator, TIMELINE)
    assert ids(response) == [alone.pk, chat.pk, receipt.pk, strong.pk, weak.pk, between.pk, source.pk]
    classes = [item.attributes.get("class", "") for item in find_elements(response, "li")]
    assert classes == ["", "turn-begins", "goes-on", "goes-on", "goes-on", "", ""]
    assert f"from chat {source.pk} , 3 days ago, for chat {chat.pk} 0.60 = 0.60 × 1.00 × 1.00" in visible_text(response)


def test_the_end_of_a_page_tears_no_turn(operator: Client, now: datetime) -> None:
    turns = []
    for number in range(30):
        served = record(events.ContextServed(block="b"), at=now, turn=f"t{number}")
        turns.append((served.pk, record_chat(f"hello {number}", now=now, decision_id=f"t{number}").pk))
        failed(now)
    seen: list[int] = []
    address: str | None = TIMELINE
    while address:
        response = get_page(operator, address)
        shown = ids(response)
        for served_id, chat_id in turns:
            assert (served_id in shown) == (chat_id in shown)
        seen += shown
        older = find_elements(response, "a", rel="next")
        address = older[0]["href"] if older else None
    assert seen == sorted(AuditRow.objects.values_list("pk", flat=True), reverse=True)


def test_a_turn_longer_than_a_page_is_no_end(operator: Client, now: datetime) -> None:
    for _ in range(120):
        failed(now, turn="t1")
    older = find_elements(get_page(operator, TIMELINE), "a", rel="next")[0]["href"]
    assert len(ids(get_page(operator, older))) == 50


def test_facts_lead_to_their_pages(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    PersonalFact.objects.get().edit("Bowser", now=now)
    links = find_elements(get_page(operator, TIMELINE), "a", href="/dashboard/facts/one?key=dog.name")
    assert len(links) == 2


def test_fifteen_queries_are_enough(operator: Client, now: datetime) -> None:
    source = record_chat("I sleep badly.", now=now - timedelta(days=3))
    for number in range(30):
        recalled(source, 0.3, at=now, turn=f"t{number}")
        record(events.ContextServed(block="b"), at=now, turn=f"t{number}")
        record_chat(f"hello {number}", now=now, decision_id=f"t{number}")
    learn_fact("dog.name", "Beans", now=now)
    for query in ("", "family=episodes", "day=2026-05-20", "fact=dog.name&day=2026-05-20&q=beans", "q=hello"):
        with CaptureQueriesContext(connection) as queries:
            get_page(operator, f"{TIMELINE}?{query}")
        assert len(queries) <= 15 + HEAD_QUERIES, query

"""Turns that a client says are of one conversation: counted, listed beside each other, and looked at by themselves."""

from datetime import datetime
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.chats.turns import SHOWN_EACH_WAY
from memory import chat, events
from memory.models import AuditRow
from tests.conftest import Configure
from tests.dashboard.helpers import HEAD_QUERIES, find_elements, get_page, learn_fact, visible_text
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"
NAME = "7f3c <b>a&b</b>"


def turn(said: str, *, now: datetime, name: str | None = NAME, decision_id: str | None = None) -> AuditRow:
    messages = [events.Message(role="user", content=said)]
    use = chat.MemoryUse()
    recorded = record_turn(messages, "ok", use=use, now=now, conversation_id=name, decision_id=decision_id)
    return AuditRow.objects.get(pk=recorded.audit_log_id)


def of(name: str) -> str:
    return f"{TIMELINE}?{urlencode({'conversation': name})}"


def rows(client: Client, address: str) -> list[int]:
    return [int(item["id"].removeprefix("event-")) for item in find_elements(get_page(client, address), "li")]


def test_it_works(operator: Client, now: datetime) -> None:
    first, second, alone = turn("one", now=now), turn("two", now=now), turn("three", now=now, name=None)
    response = get_page(operator, TIMELINE)
    links = [link for link in find_elements(response, "a") if link.attributes.get("href") == of(NAME)]
    assert len(links) == 2, "on the row of each of its turns"
    assert f"“one” chat {first.pk} in a conversation of 2 turns" in visible_text(response)
    assert f"“three” chat {alone.pk} 09:00" in visible_text(response), "which was none: no link"
    shown = get_page(operator, of(NAME))
    assert f"Conversation {NAME}" in visible_text(shown)
    assert rows(operator, of(NAME)) == [second.pk, first.pk]
    assert find_elements(shown, "a", href=TIMELINE), "there is a way back"
    assert not find_elements(shown, "b")


def test_what_stands_beside_a_turn_and_what_came_of_it_belong_to_it(operator: Client, now: datetime) -> None:
    receipt = AuditRow.objects.record(events.ContextServed(block="b"), now=now, decision_id="t1")
    mine, other = turn("one", now=now, decision_id="t1"), turn("two", now=now, name="another")
    learn_fact("dog.name", "Beans", now=now, source=mine)
    learned = AuditRow.objects.order_by("-id")[0]
    learn_fact("cat.name", "Tom", now=now, source=other)
    score = {"cosine": 0.5, "freshness": 1.0, "recall_weight": 1.0, "score": 0.5}
    recalled = events.EpisodeRecalled(audit_log_id=mine.pk, summary="s", **score)
    AuditRow.objects.record(recalled, now=now, chat=mine, decision_id="elsewhere")
    failed = events.ChatFailed(error="Out.", kind="x")
    without_answer = AuditRow.objects.record(failed, now=now, conversation_id=NAME)
    assert rows(operator, of(NAME)) == [without_answer.pk, learned.pk, mine.pk, receipt.pk]


def test_a_search_stays_in_the_conversation(operator: Client, now: datetime) -> None:
    found = turn("about figs", now=now)
    turn("about plums", now=now)
    turn("figs elsewhere", now=now, name="another")
    assert rows(operator, f"{of(NAME)}&q=figs") == [found.pk]
    form = get_page(operator, of(NAME))
    assert find_elements(form, "input", type="hidden", name="conversation")[0]["value"] == NAME


def test_a_chat_lists_the_turns_around_it(operator: Client, now: datetime) -> None:
    turns = [turn(f"turn number {number}", now=now) for number in range(2 * SHOWN_EACH_WAY + 4)]
    here = turns[7]
    response = get_page(operator, f"{TIMELINE}/{here.pk}")
    text = visible_text(response)
    assert f"this conversation: {len(turns)} turns" in text
    listed = text[text.index("The same conversation") :]
    shown = turns[7 - SHOWN_EACH_WAY : 7 + SHOWN_EACH_WAY + 1]
    assert [row for row in turns if f"chat {row.pk} " in listed] == [row for row in shown if row != here]
    assert "This turn" in listed
    assert f"All {len(turns)} turns" in listed
    assert len(find_elements(response, "li", aria_current="true")) == 1


def test_a_chat_alone_says_so_and_one_without_a_name_says_nothing(operator: Client, now: datetime) -> None:
    alone, nameless = turn("one", now=now), turn("two", now=now, name=None)
    text = visible_text(get_page(operator, f"{TIMELINE}/{alone.pk}"))
    assert "this conversation: 1 turn" in text
    assert "The same conversation" not in text
    assert "conversation:" not in visible_text(get_page(operator, f"{TIMELINE}/{nameless.pk}"))


@pytest.mark.parametrize("name", ["%00", "", "a" * 500, "%ED%A0%80", "%E2%80%AE", "'\"<", "../x"])
def test_a_name_nobody_uses_is_an_empty_page(operator: Client, now: datetime, name: str) -> None:
    turn("one", now=now)
    get_page(operator, f"{TIMELINE}?conversation={name}")


def test_a_long_conversation_takes_no_more_queries(operator: Client, now: datetime) -> None:
    for number in range(60):
        row = turn(f"turn {number}", now=now, decision_id=f"t{number}")
    for address, most in ((of(NAME), 12), (TIMELINE, 11), (f"{TIMELINE}/{row.pk}", 18)):
        with CaptureQueriesContext(connection) as queries:
            get_page(operator, address)
        assert len(queries) <= most + HEAD_QUERIES, address


def test_what_a_trigger_asked_is_not_the_operators(operator: Client, now: datetime) -> None:
    said = [events.Message(role="user", content="Sum up my week.")]
    event = events.ChatCompleted(messages=said, reply="ok", proactive="<i>monday</i>", learn=False, new_messages=[])
    row = AuditRow.objects.record(event, now=now)
    assert "asked by the trigger <i>monday</i> : nothing is learned from it" in visible_text(
        get_page(operator, TIMELINE)
    )
    response = get_page(operator, f"{TIMELINE}/{row.pk}")
    text = visible_text(response)
    assert "Trigger <i>monday</i> Sum up my week. Assistant ok" in text
    assert "The trigger <i>monday</i> asked, not you: nothing is learned from that." in text
    assert "You Sum up" not in text
    assert not find_elements(response, "i")


def test_a_reply_that_was_cut_off_says_so(operator: Client, now: datetime) -> None:
    said = [events.Message(role="user", content="Tell me all.")]
    row = AuditRow.objects.record(events.ChatCompleted(messages=said, reply="On", cut_off=True), now=now)
    assert f"chat {row.pk} cut off" in visible_text(get_page(operator, TIMELINE))
    assert "Cut off: the client hung up" in visible_text(get_page(operator, f"{TIMELINE}/{row.pk}"))


def test_a_call_that_was_passed_through_says_who_decides(operator: Client, now: datetime, configure: Configure) -> None:
    configure(proxy__task_beginnings="Name it")
    errand = AuditRow.objects.record(
        events.ChatPassedThrough(reason="task_prompt", beginning="### Task:\n<b>Name</b> it", model="m"), now=now
    )
    off = AuditRow.objects.record(events.ChatPassedThrough(reason="memory_off"), now=now)
    text = visible_text(get_page(operator, f"{TIMELINE}/{errand.pk}"))
    assert "“### Task: <b>Name</b> it” an errand of the client's own" in text
    assert "What it asks for decides that, and how it begins: CAESAR_PROXY__TASK_BEGINNINGS adds Name it" in text
    assert "X-Memory-Task: chat" in text
    assert "the header X-Memory: off" in visible_text(get_page(operator, f"{TIMELINE}/{off.pk}"))
    assert rows(operator, f"{TIMELINE}?family=passed") == [off.pk, errand.pk]

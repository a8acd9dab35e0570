"""The page of a chat: its conversation, its receipt, and why nothing came of it."""

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory import chat, events
from memory.events import Message
from memory.models import AuditRow, ExtractCursor
from tests.conftest import Configure
from tests.dashboard.helpers import HEAD_QUERIES, find_elements, get_page, learn_fact, record_chat, visible_text
from tests.turns import compose_turn, record_turn

pytestmark = pytest.mark.django_db


def served(now: datetime, turn: str) -> events.ContextServed:
    learn_fact("dog.name", "Beans", now=now)
    context = compose_turn([Message(role="user", content="hello")], now=now)
    AuditRow.objects.record(context.receipt, now=now, decision_id=turn)
    return context.receipt


def show(client: Client, row: AuditRow) -> str:
    return visible_text(get_page(client, f"/dashboard/audit/{row.pk}"))


def test_it_works(operator: Client, now: datetime) -> None:
    receipt = served(now, "t1")
    row = record_chat("I live in <b>Portland</b>.\nReally.", now=now, reply="Good *town*.", decision_id="t1")
    learn_fact("address.city", "Portland", now=now, source=row)
    response = get_page(operator, f"/dashboard/audit/{row.pk}")
    text = visible_text(response)
    assert f"Chat {row.pk}" in text
    assert "Wednesday 20 May 2026, 09:00" in text
    taught = "taught: You live in Portland. 1"
    assert f"You new words I live in <b> Portland {taught} </b>. Really." in text, "what was learned is marked"
    assert "Assistant Good *town*." in text
    assert receipt.block in response.content.decode().replace("&#x27;", "'"), "to the letter"
    assert "dog.name 1.00 fresh × 1.00 sure" in text
    assert "Learned You live in Portland." in text.partition("What came of it")[2]


def test_ten_queries_are_enough(operator: Client, now: datetime) -> None:
    served(now, "t1")
    row = record_chat("hello", now=now, decision_id="t1")
    for number in range(20):
        learn_fact(f"note.{number}", "x", now=now, source=row)
    for number in AuditRow.objects.values_list("pk", flat=True):
        with CaptureQueriesContext(connection) as queries:
            get_page(operator, f"/dashboard/audit/{number}")
        assert len(queries) <= 10 + HEAD_QUERIES


def test_pictures_and_tools_have_a_place_holder(operator: Client, now: datetime) -> None:
    messages = [
        Message(role="system", content="Be kind."),
        Message(
            role="user",
            content=[{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "data:secret"}}],
        ),
        Message.model_validate({"role": "assistant", "content": None, "tool_calls": [{"id": "1"}, {"id": "2"}]}),
        Message(role="tool", content="42"),
    ]
    recorded = record_turn(messages, "Nice.", now=now)
    text = visible_text(get_page(operator, f"/dashboard/audit/{recorded.audit_log_id}"))
    said = text.partition("What came of it")[0]
    assert "Look [picture]" in said
    assert "Assistant [calls 2 tools]" in said
    assert "Tool 42" in said
    assert "data:secret" not in text


def test_what_was_said_before_is_folded(operator: Client, now: datetime) -> None:
    record_chat("first", now=now)
    messages = [Message(role="user", content="first"), Message(role="assistant", content="ok")]
    recorded = record_turn([*messages, Message(role="user", content="second")], "ok", now=now)
    response = get_page(operator, f"/dashboard/audit/{recorded.audit_log_id}")
    assert "2 earlier messages, said before" in visible_text(response)
    assert find_elements(response, "details", class_="earlier")
    assert visible_text(response).count("new words") == 1


def record_hello(*, now: datetime, read_up_to: int = 0, learn: bool = True) -> int:
    """A chat of which nothing came, its id returned. `read_up_to`: the last id that the extractor has read."""
    ExtractCursor.objects.update_or_create(pk=1, defaults={"last_audit_id": read_up_to})
    return record_turn(
        [Message(role="user", content="hello")], "ok", use=chat.MemoryUse(learn=learn), now=now
    ).audit_log_id


@pytest.mark.parametrize(
    ("changes", "recorded", "said"),
    [
        ({}, {}, "It has not been read yet."),
        ({}, {"read_up_to": 10**6}, "held nothing worth keeping"),
        ({}, {"learn": False}, "Learning was switched off for this turn."),
        ({"memory__facts_extract__enabled": False}, {}, "CAESAR_MEMORY__FACTS_EXTRACT__ENABLED=true"),
    ],
)
def test_why_nothing_came_of_a_chat(
    operator: Client, now: datetime, configure: Configure, changes: dict[str, bool], recorded: dict[str, Any], said: str
) -> None:
    configure(**changes)
    assert said in visible_text(get_page(operator, f"/dashboard/audit/{record_hello(now=now, **recorded)}"))


def test_a_repetition_says_so(operator: Client, now: datetime) -> None:
    record_chat("hello", now=now)
    assert "said before, word for word" in show(operator, record_chat("hello", now=now))


def test_a_turn_without_a_receipt_says_so(operator: Client, now: datetime) -> None:
    assert "There is no receipt for this turn" in show(operator, record_chat("hello", now=now))


def test_a_cut_chat_says_so(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__chat_max_chars=64)
    assert "Long text was cut when this chat was stored." in show(operator, record_chat("x" * 100, now=now))

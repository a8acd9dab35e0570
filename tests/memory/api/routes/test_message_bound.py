"""A chat has at most `CAESAR_API__MAX_MESSAGES` messages, on every route that takes them; a longer one is refused."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pydantic import JsonValue

from memory.api.requests import ChatRequest
from memory.chat import Reply
from memory.chat.recording import ChatEntry
from memory.events import Message
from memory.models import AuditRow, HeardMessage
from tests.conftest import ApiClient, Configure
from tests.growth import LINEAR_AT_MOST, growth
from tests.memory.llm.scripted import scripted_llm
from tests.turns import assistant, turn, user

CALLS = ("/v1/chat", "/v1/chat/completions", "/v1/memory/context", "/v1/memory/chats")
every_call = pytest.mark.parametrize("path", CALLS)


def send(api: ApiClient, path: str, messages: list[JsonValue]) -> Any:
    return api.post(path, json={"messages": messages, "reply": "Fine."})


def said(count: int, begins: str = "Message") -> list[JsonValue]:
    return [{"role": "user", "content": f"{begins} {number}"} for number in range(count)]


@every_call
def test_it_works(api: ApiClient, configure: Configure, path: str) -> None:
    configure(api__max_messages=3)
    with scripted_llm("Fine."):
        assert send(api, path, said(3)).status_code < 300
    refused = send(api, path, said(4))
    error = refused.json()["error"]
    assert (refused.status_code, error["code"], error["param"]) == (422, "invalid_value", "messages")
    assert "at most 3 messages and holds 4" in error["message"]
    assert "CAESAR_API__MAX_MESSAGES" in error["message"]


@every_call
def test_four_thousand_are_taken_and_one_more_is_not(api: ApiClient, path: str) -> None:
    with scripted_llm("Fine."):
        assert send(api, path, said(4_000)).status_code < 300
    assert send(api, path, said(4_001)).status_code == 422


@every_call
def test_what_a_longer_chat_holds_is_not_looked_at(api: ApiClient, path: str) -> None:
    broken: list[JsonValue] = [{"role": "nobody", "content": 5}, *said(5_000)]
    assert send(api, path, broken).json()["error"]["param"] == "messages"


def test_nothing_of_a_refused_chat_is_kept(api: ApiClient) -> None:
    for path in CALLS:
        send(api, path, said(4_001))
    assert not AuditRow.objects.exists()
    assert not HeardMessage.objects.exists()


def test_the_document_does_not_ask_for_thousands_of_messages() -> None:
    assert "maxItems" not in json.dumps(ChatRequest.model_json_schema())


def test_what_was_heard_is_looked_up_and_noted_in_few_statements(api: ApiClient) -> None:
    send(api, "/v1/memory/chats", said(2_000))
    with CaptureQueriesContext(connection) as captured:
        send(api, "/v1/memory/chats", [*said(2_000), *said(2_000, "Another")])
    about_heard = [query["sql"][:100] for query in captured if "heard_" in query["sql"]]
    assert len(about_heard) <= 5, about_heard
    assert HeardMessage.objects.count() == 4_000


def test_a_message_said_twice_in_one_chat_is_noted_once(api: ApiClient) -> None:
    assert send(api, "/v1/memory/chats", said(1) * 3).status_code == 201
    assert HeardMessage.objects.count() == 1


def test_the_transaction_of_a_chat_takes_linear_time(db: None, now: datetime) -> None:
    def write(messages: list[Message]) -> None:
        with transaction.atomic():
            ChatEntry(turn(messages, now=now), Reply("Fine.")).write()
            transaction.set_rollback(True)  # every message is new in the next run, too

    assert growth(write, new_questions, size=1_000) <= LINEAR_AT_MOST


def new_questions(count: int) -> list[Message]:
    """Questions that nobody has asked yet, each with its answer."""
    asked = [user(f"Question {number}") for number in range(count)]
    return [message for one in asked for message in (one, assistant("Yes."))]

"""A newest message without anything in it is refused before a model is asked, and paid."""

from typing import Any

import pytest
from pydantic import JsonValue

from memory.models import AuditRow
from tests.conftest import ApiClient
from tests.memory.llm.scripted import scripted_llm
from tests.turns import IMAGE

CALLS = ["/v1/chat", "/v1/memory/context", "/v1/chat/completions"]
BLANK: list[JsonValue] = [
    "",
    "  ",
    "\n\t",
    "\u200b\u2060",
    "\u2800",
    [],
    [{"type": "text", "text": " "}],
    [{"text": ""}],
]


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("content", BLANK)
def test_it_works(api: ApiClient, path: str, content: JsonValue) -> None:
    earlier: list[Any] = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    with scripted_llm() as llm:
        response = api.post(path, json={"messages": [*earlier, {"role": "user", "content": content}]})
    assert response.status_code == 422
    assert response.json()["error"]["param"] == "messages[2].content"
    assert "blank" in response.json()["error"]["message"]
    assert not llm.requests
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("content", [".", "?", "\U0001f44d", [IMAGE], [{"type": "text", "text": ""}, IMAGE]])
def test_a_message_with_anything_in_it_is_taken(api: ApiClient, path: str, content: JsonValue) -> None:
    with scripted_llm("ok"):
        assert api.post(path, json={"messages": [{"role": "user", "content": content}]}).status_code == 200


def test_an_earlier_blank_message_is_history(api: ApiClient) -> None:
    messages: JsonValue = [{"role": "user", "content": ""}, {"role": "user", "content": "Hi."}]
    with scripted_llm("ok"):
        assert api.post("/v1/chat", json={"messages": messages}).status_code == 200


def test_a_short_form_may_be_blank_no_more_than_a_message(api: ApiClient) -> None:
    response = api.post("/v1/memory/context", json={"message": " \u200b"})
    assert response.status_code == 422
    assert response.json()["error"]["param"] == "message"


def test_history_with_a_blank_message_is_recorded(api: ApiClient) -> None:
    body: JsonValue = {"messages": [{"role": "user", "content": " "}], "reply": "Hello?"}
    assert api.post("/v1/memory/chats", json=body).status_code == 201

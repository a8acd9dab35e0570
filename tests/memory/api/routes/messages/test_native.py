"""To Anthropic a request goes as it was sent, and the answer comes back as it was given; the turn is on record once."""

import json
from typing import Any

import httpx
import pytest

from memory import events
from memory.models import AuditRow
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import last
from tests.memory.api.routes.messages.messages_helpers import (
    BREAK,
    DOG,
    MESSAGE,
    PATH,
    events_of,
    streamed,
    text,
    told,
    user,
    whole,
)
from tests.memory.llm.scripted import ScriptedLLM

pytestmark = pytest.mark.django_db

EVERYTHING: dict[str, Any] = {
    "model": "claude-mine",
    "max_tokens": 100,
    "temperature": 0.5,
    "thinking": {"type": "enabled", "budget_tokens": 50},
    "system": [text("Be brief.", **BREAK)],
    "tools": [
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
        {"name": "look", "input_schema": {"type": "object"}, **BREAK},
    ],
    "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
    "service_tier": "auto",
    "context_management": {"edits": []},
    "messages": [
        user(
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
            {"type": "document", "source": {"type": "file", "file_id": "f_1"}, "citations": {"enabled": True}},
            text("What is it?"),
        ),
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look.", "signature": "c2ln"},
                {"type": "redacted_thinking", "data": "b64"},
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
                {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": "it"}},
            ],
        },
        user({"type": "tool_result", "tool_use_id": "toolu_1", "content": [text("a cat")], "is_error": False}),
    ],
}
BETAS = {"anthropic-version": "2023-06-01", "anthropic-beta": "interleaved-thinking-2025-05-14,files-api-2025-04-14"}


def test_it_works(api: ApiClient, beans: None, claude: ScriptedLLM) -> None:
    claude.add(whole())
    response = api.post(PATH, json=DOG, headers=BETAS)
    assert (response.status_code, response.json()) == (200, MESSAGE)
    sent = claude.requests[0]
    assert "Your dog's name is Beans." in sent.pop("system")
    assert sent == {**DOG, "model": "claude-x", "stream": False}
    row = last(events.ChatCompleted)
    assert (row.completed.reply, row.completed.model) == ("A fine name.", "claude-x-2026")
    assert (row.completed.usage.input_tokens, row.completed.usage.output_tokens) == (28, 7)
    assert (row.completed.finish_reason, row.completed.new_messages) == ("stop", [0])
    assert row.decision_id == response.headers["X-Decision-Id"] == last(events.ContextServed).decision_id


def test_every_field_and_block_goes_out_as_it_was_sent(api: ApiClient, beans: None, claude: ScriptedLLM) -> None:
    claude.add(whole())
    assert api.post(f"{PATH}?beta=true", json=EVERYTHING, headers=BETAS).status_code == 200
    (request,), block = claude.sent, last(events.ContextServed).payload["block"]
    expected = {**EVERYTHING, "stream": False, "system": [*EVERYTHING["system"], text(block)]}
    assert json.loads(request.content) == expected
    assert request.url.path == PATH
    assert request.url.query == b"beta=true"
    assert {name: request.headers[name] for name in BETAS} == BETAS
    assert request.headers["x-api-key"] == "k"


def test_no_tool_of_ours_is_offered(api: ApiClient, beans: None, claude: ScriptedLLM, configure: Configure) -> None:
    configure(chat__memory_tool="on")
    claude.add(whole(), whole())
    for tools in ([], EVERYTHING["tools"]):
        api.post(PATH, json={**DOG, **({"tools": tools} if tools else {})})
        assert claude.requests[-1].get("tools", []) == tools


def test_the_stream_is_theirs_event_by_event(api: ApiClient, claude: ScriptedLLM) -> None:
    claude.add(streamed(*events_of(MESSAGE)))
    response = api.post(PATH, json={**DOG, "stream": True})
    assert told(response) == events_of(MESSAGE)
    assert response.headers["X-Accel-Buffering"] == "no"
    row = last(events.ChatCompleted).completed
    assert (row.reply, row.model, row.cut_off, row.finish_reason) == ("A fine name.", "claude-x-2026", False, "stop")
    assert (row.usage.input_tokens, row.usage.output_tokens) == (28, 7)


def test_the_turn_is_on_record_before_the_client_is_told_that_it_is_over(api: ApiClient, claude: ScriptedLLM) -> None:
    claude.add(streamed(*events_of(MESSAGE)))
    for part in api.post(PATH, json={**DOG, "stream": True}).streaming_content:
        assert AuditRow.objects.exists() == (b"message_stop" in part)


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_a_client_that_hangs_up_is_recorded_as_cut_off(api: ApiClient, claude: ScriptedLLM) -> None:
    claude.add(streamed(*events_of(MESSAGE)))
    response = api.post(PATH, json={**DOG, "stream": True})
    heard = iter(response.streaming_content)
    while b"text_delta" not in next(heard):
        pass
    response.close()
    row = AuditRow.objects.get_queryset().chats().get().completed
    assert (row.reply, row.cut_off) == ("A fine name.", True)


def test_a_server_that_does_not_stream_is_heard_as_a_stream(api: ApiClient, claude: ScriptedLLM) -> None:
    claude.add(whole())
    kinds = [event["type"] for event in told(api.post(PATH, json={**DOG, "stream": True}))]
    assert (kinds[0], kinds[-1], kinds.count("content_block_start")) == ("message_start", "message_stop", 2)
    assert last(events.ChatCompleted).completed.reply == "A fine name."


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (429, "rate_limit_error"),
        (529, "overloaded_error"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_refusal_keeps_its_status_and_has_their_shape(
    api: ApiClient, claude: ScriptedLLM, status: int, kind: str, stream: bool
) -> None:
    refusal = {"type": "error", "error": {"type": kind, "message": "No, not now"}, "request_id": "req_theirs"}
    claude.add(*[httpx.Response(status, json=refusal, headers={"Retry-After": "20"})] * 2)
    response = api.post(PATH, json={**DOG, "stream": stream}, headers={"X-Request-Id": "ours-1"})
    answer = response.json()
    assert (response.status_code, response.headers.get("Retry-After")) == (status, None if status == 400 else "20")
    assert (answer["type"], answer["error"]["type"], answer["request_id"]) == ("error", kind, "ours-1")
    assert response.headers["request-id"] == "ours-1"
    assert "No, not now" in answer["error"]["message"]
    assert AuditRow.objects.get().event_type == "chat.failed"


@pytest.mark.parametrize("stream", [False, True])
def test_a_page_in_place_of_an_answer_is_the_providers_fault(api: ApiClient, claude: ScriptedLLM, stream: bool) -> None:
    claude.add(*[httpx.Response(200, html="<html>Welcome</html>")] * 2)
    response = api.post(PATH, json={**DOG, "stream": stream})
    assert (response.status_code, response.json()["error"]["type"]) == (502, "api_error")


def test_an_error_in_mid_stream_is_an_event(api: ApiClient, claude: ScriptedLLM) -> None:
    broken = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    claude.add(streamed(*events_of(MESSAGE)[:5], broken))
    *heard, error = told(api.post(PATH, json={**DOG, "stream": True}))
    assert heard == events_of(MESSAGE)[:5]
    assert (error["type"], error["error"]["type"]) == ("error", "overloaded_error")
    assert AuditRow.objects.get().event_type == "chat.failed"


def test_a_stream_that_breaks_off_is_an_error(api: ApiClient, claude: ScriptedLLM) -> None:
    claude.add(streamed(*events_of(MESSAGE)[:5]))
    assert told(api.post(PATH, json={**DOG, "stream": True}))[-1]["error"]["type"] == "api_error"


@pytest.mark.parametrize(
    "headers", [{"X-Memory": "off"}, {"X-Memory-Task": "errand"}, {"X-Conversation-Id": "local:1"}]
)
def test_where_memory_keeps_out_nothing_but_the_models_name_is_changed(
    api: ApiClient, beans: None, claude: ScriptedLLM, headers: dict[str, str]
) -> None:
    claude.add(whole())
    assert api.post(PATH, json=DOG, headers=headers).json() == MESSAGE
    assert claude.requests == [{**DOG, "model": "claude-x", "stream": False}]
    row = AuditRow.objects.latest("id")
    assert row.event_type == "chat.passed_through"
    assert "Beans" not in json.dumps(row.payload)


def test_tokens_are_counted_by_their_server_with_memory_in(api: ApiClient, beans: None, claude: ScriptedLLM) -> None:
    claude.add(httpx.Response(200, json={"input_tokens": 77}))
    asked = {name: DOG[name] for name in ("model", "messages")}
    rows = AuditRow.objects.count()
    assert api.post(f"{PATH}/count_tokens", json=asked, headers=BETAS).json() == {"input_tokens": 77}
    (request,) = claude.sent
    assert (request.url.path, request.headers["anthropic-beta"]) == (f"{PATH}/count_tokens", BETAS["anthropic-beta"])
    assert set(claude.requests[0]) == {"model", "messages", "system"}
    assert "Your dog's name is Beans." in claude.requests[0]["system"]
    assert AuditRow.objects.count() == rows

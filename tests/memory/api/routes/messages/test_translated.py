"""For other providers than Anthropic the turn is a chat completion there and back; what cannot be said is refused."""

from typing import Any

import httpx
import pytest

from memory import events
from memory.models import AuditRow
from tests.conftest import ApiClient
from tests.memory.api.routes.completions.completions_helpers import chunk, event_stream, last
from tests.memory.api.routes.messages.messages_helpers import BREAK, DOG, PATH, text, told, user
from tests.memory.llm.scripted import MODEL, completion, scripted_llm

pytestmark = pytest.mark.django_db

PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
LOOK = {"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {"at": {}}}, **BREAK}
USE = {"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": "it"}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}}
COUNTS = {"prompt_tokens": 20, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 15}}


def sent_for(api: ApiClient, **fields: Any) -> dict[str, Any]:
    """The chat completion that goes out for a request."""
    with scripted_llm("ok") as model:
        response = api.post(PATH, json={**DOG, **fields})
        assert response.status_code == 200, response.content
    return model.requests[0]


def refusal_of(api: ApiClient, **fields: Any) -> str:
    """Why a request is refused, in Anthropic's shape, without anybody being asked."""
    with scripted_llm():
        response = api.post(PATH, json={**DOG, **fields})
    answer = response.json()
    assert (response.status_code, answer["type"], answer["error"]["type"]) == (400, "error", "invalid_request_error")
    assert answer["request_id"] == response.headers["request-id"]
    assert not AuditRow.objects.exists()
    return str(answer["error"]["message"])


def test_it_works(api: ApiClient, beans: None) -> None:
    with scripted_llm(httpx.Response(200, json={**completion("A fine name."), "usage": COUNTS})) as model:
        response = api.post(PATH, json=DOG)
    answer = response.json()
    assert answer.pop("id").startswith("msg_")
    assert answer == {
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [{"type": "text", "text": "A fine name."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 15, "output_tokens": 4},
    }
    system, said = model.requests[0]["messages"]
    assert "Your dog's name is Beans." in system["content"]
    assert said == DOG["messages"][0]
    row = last(events.ChatCompleted)
    assert (row.completed.reply, row.completed.new_messages) == ("A fine name.", [0])
    assert row.decision_id == response.headers["X-Decision-Id"]


def test_the_request_says_the_same_in_the_other_shape(api: ApiClient) -> None:
    sent = sent_for(
        api,
        model="large",
        system=[text("Be brief.", **BREAK), text("Be kind.")],
        temperature=0.5,
        top_k=5,
        stop_sequences=["END"],
        thinking={"type": "enabled", "budget_tokens": 99},
        metadata={"user_id": "anna"},
        tools=[LOOK],
        tool_choice={"type": "any", "disable_parallel_tool_use": True},
        output_config={"effort": "low", "format": {"type": "json_schema", "schema": {"type": "object"}}},
    )
    function = {"name": "look", "description": "Looks.", "parameters": LOOK["input_schema"]}
    assert sent == {
        "model": "large",
        "messages": [{"role": "system", "content": "Be brief.\n\nBe kind."}, *DOG["messages"]],
        "max_tokens": 100,
        "temperature": 0.5,
        "top_k": 5,
        "stop": ["END"],
        "tools": [{"type": "function", "function": function}],
        "tool_choice": "required",
        "parallel_tool_calls": False,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": {"type": "object"}},
        },
        "stream": False,
    }


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"type": "auto"}, "auto"),
        ({"type": "none"}, "none"),
        ({"type": "tool", "name": "look"}, {"type": "function", "function": {"name": "look"}}),
    ],
)
def test_which_tool_is_called_is_the_clients_choice(api: ApiClient, choice: Any, expected: Any) -> None:
    assert sent_for(api, tools=[LOOK], tool_choice=choice)["tool_choice"] == expected


def test_messages_of_every_kind(api: ApiClient) -> None:
    document = {"type": "document", "title": "A <page>", "source": {"type": "text", "data": "Rain."}}
    address = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    thought = [{"type": "thinking", "thinking": "x", "signature": "y"}, {"type": "redacted_thinking", "data": "z"}]
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": [text("a cat")], "is_error": True}
    found = sent_for(
        api,
        messages=[
            user(text("What is it?"), PNG, address, document),
            {"role": "assistant", "content": [*thought, text("Let me "), text("see."), USE]},
            user(result, text("And now?")),
        ],
        tools=[LOOK],
    )["messages"]
    assert found[1:] == [
        {
            "role": "user",
            "content": [
                text("What is it?"),
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                text('<document title="A page">\nRain.\n</document>'),
            ],
        },
        {"role": "assistant", "content": "Let me see.", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": [text("[the tool failed]"), text("a cat")]},
        {"role": "user", "content": "And now?"},
    ]


def test_a_tool_call_comes_back_as_a_block(api: ApiClient) -> None:
    broken = {**CALL, "id": "call_2", "function": {"name": "look", "arguments": "{not json"}}
    answer = completion("Let me see.", finish_reason="tool_calls", tool_calls=[CALL, broken], reasoning="Hm.")
    with scripted_llm(httpx.Response(200, json=answer)):
        got = api.post(PATH, json={**DOG, "tools": [LOOK], "thinking": {"type": "adaptive"}}).json()
    assert got["stop_reason"] == "tool_use"
    assert got["content"] == [
        {"type": "thinking", "thinking": "Hm.", "signature": ""},
        text("Let me see."),
        USE,
        {**USE, "id": "call_2", "input": {"arguments": "{not json"}},
    ]


@pytest.mark.parametrize(
    ("finish", "stop"),
    [("stop", "end_turn"), ("length", "max_tokens"), ("content_filter", "refusal"), (None, "end_turn")],
)
def test_why_it_stopped_is_said_in_their_words(api: ApiClient, finish: str | None, stop: str) -> None:
    with scripted_llm(httpx.Response(200, json=completion("ok", finish_reason=finish))):
        assert api.post(PATH, json=DOG).json()["stop_reason"] == stop


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "tools[0] is 'web_search_20250305'"),
        ({"mcp_servers": [{"url": "https://example.org"}]}, "mcp_servers"),
        ({"container": "c_1"}, "container"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"tools": [LOOK], "tool_choice": {"type": "odd"}}, "tool_choice"),
        ({"messages": [user({"type": "container_upload", "file_id": "f"})]}, "messages[0].content[0] is a block"),
        (
            {"messages": [user({"type": "image", "source": {"type": "file", "file_id": "f"}})]},
            "messages[0].content[0].source of type 'file'",
        ),
        ({"messages": [*DOG["messages"], {"role": "assistant", "content": "{"}]}, "messages[1] is the assistant's"),
    ],
)
def test_what_the_provider_cannot_do_is_refused_with_its_place(api: ApiClient, fields: Any, words: str) -> None:
    message = refusal_of(api, **fields)
    assert words in message
    assert message.endswith("chats go to the provider openai.")


@pytest.mark.parametrize(("provider", "taken"), [("openai", True), ("ollama", False), ("offline", False)])
def test_a_file_goes_to_the_provider_that_takes_files(api: ApiClient, provider: str, taken: bool) -> None:
    pdf = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}
    with scripted_llm("ok", provider=provider) as model:
        response = api.post(PATH, json={**DOG, "messages": [user(pdf, text("What is it?"))]})
    assert (response.status_code == 200) == taken
    if taken:
        file = {"filename": "document.pdf", "file_data": "data:application/pdf;base64,JVBERi0="}
        assert model.requests[0]["messages"][-1]["content"][0] == {"type": "file", "file": file}
    else:
        assert "send its text" in response.json()["error"]["message"]


def test_a_picture_on_the_web_is_refused_where_nobody_would_fetch_it(api: ApiClient) -> None:
    picture = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    with scripted_llm(provider="ollama"):
        response = api.post(PATH, json={**DOG, "messages": [user({"type": "tool_result", "content": [picture]})]})
    assert response.status_code == 400
    assert "messages[0].content[0].content[0] is a picture on the web" in response.json()["error"]["message"]


# --- streams ------------------------------------------------------------------------------------------------------


def shape(events_told: list[dict[str, Any]]) -> list[Any]:
    """Each event by what is in it."""
    return [
        (one["type"], one.get("index"), one.get("content_block") or one.get("delta")) if len(one) > 1 else one["type"]
        for one in events_told[1:]
    ]


def test_a_stream_is_told_in_their_events(api: ApiClient) -> None:
    usage = {"choices": [], "usage": COUNTS}
    chunks = [
        chunk(role="assistant"),
        chunk(reasoning_content="Hm."),
        chunk("A "),
        chunk("name."),
        chunk(finish_reason="stop"),
    ]
    with scripted_llm(event_stream(*chunks, usage)) as model:
        response = api.post(PATH, json={**DOG, "stream": True, "thinking": {"type": "enabled", "budget_tokens": 9}})
        heard = told(response)
    assert model.requests[0]["stream_options"] == {"include_usage": True}
    assert (heard[0]["type"], heard[0]["message"]["model"], heard[0]["message"]["content"]) == (
        "message_start",
        MODEL,
        [],
    )
    assert shape(heard) == [
        "ping",
        ("content_block_start", 0, {"type": "thinking", "thinking": "", "signature": ""}),
        ("content_block_delta", 0, {"type": "thinking_delta", "thinking": "Hm."}),
        ("content_block_stop", 0, None),
        ("content_block_start", 1, {"type": "text", "text": ""}),
        ("content_block_delta", 1, {"type": "text_delta", "text": "A "}),
        ("content_block_delta", 1, {"type": "text_delta", "text": "name."}),
        ("content_block_stop", 1, None),
        ("message_delta", None, {"stop_reason": "end_turn", "stop_sequence": None}),
        "message_stop",
    ]
    assert heard[-2]["usage"] == {"input_tokens": 5, "cache_read_input_tokens": 15, "output_tokens": 4}
    assert last(events.ChatCompleted).completed.reply == "A name."


def piece(index: int, arguments: str = "", **head: Any) -> dict[str, Any]:
    return chunk(
        tool_calls=[{"index": index, "function": {"arguments": arguments, **head.pop("function", {})}, **head}]
    )


def test_tools_called_in_a_stream_are_blocks_of_their_own(api: ApiClient) -> None:
    first = [piece(0, id="call_1", function={"name": "look"}), piece(0, '{"at":'), piece(0, ' "it"}')]
    second = [piece(1, "{", id="call_2"), piece(1, "}", function={"name": "see"})]
    with scripted_llm(event_stream(chunk("So: "), *first, *second, chunk(finish_reason="tool_calls"))):
        heard = told(api.post(PATH, json={**DOG, "stream": True, "tools": [LOOK]}))
    assert shape(heard)[3:] == [
        ("content_block_stop", 0, None),
        ("content_block_start", 1, {"type": "tool_use", "id": "call_1", "name": "look", "input": {}}),
        ("content_block_delta", 1, {"type": "input_json_delta", "partial_json": '{"at":'}),
        ("content_block_delta", 1, {"type": "input_json_delta", "partial_json": ' "it"}'}),
        ("content_block_stop", 1, None),
        ("content_block_start", 2, {"type": "tool_use", "id": "call_2", "name": "see", "input": {}}),
        ("content_block_delta", 2, {"type": "input_json_delta", "partial_json": "{}"}),
        ("content_block_stop", 2, None),
        ("message_delta", None, {"stop_reason": "tool_use", "stop_sequence": None}),
        "message_stop",
    ]


def test_an_error_in_mid_stream_is_an_event(api: ApiClient) -> None:
    error = {"error": {"message": "Too many requests", "code": "rate_limit_exceeded"}}
    with scripted_llm(event_stream(chunk("half"), error)):
        heard = told(api.post(PATH, json={**DOG, "stream": True}))
    assert (heard[-1]["type"], heard[-1]["error"]["type"]) == ("error", "rate_limit_error")


def test_tokens_are_estimated_where_nobody_can_be_asked(api: ApiClient, beans: None) -> None:
    counts = []
    for words in ("a" * 300, "a" * 600):
        with scripted_llm():
            response = api.post(f"{PATH}/count_tokens", json={"messages": [{"role": "user", "content": words}]})
        counts.append(response.json()["input_tokens"])
    assert counts[1] - counts[0] == 100
    assert counts[0] > 130, "memory and the configured prompt count, too"
    with scripted_llm():
        pictured = api.post(f"{PATH}/count_tokens", json={"messages": [user(PNG, text("a" * 300))], "tools": [LOOK]})
    assert pictured.json()["input_tokens"] > counts[0] + 1_500
    assert not AuditRow.objects.filter(event_type="chat.completed").exclude(payload__messages__0__content="x").exists()

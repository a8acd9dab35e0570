"""Relaying to OpenAI: whole answers pass unchanged, and what is recorded of them."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from caesar.conf import OpenAISettings
from memory import llm
from memory.llm import Completion, errors
from tests.memory.llm.openai.relaying import ASK, KEY, STOP
from tests.memory.llm.scripted import completion, scripted_llm
from tests.memory.llm.servers.stream_pieces import DONE, sse


def test_it_works() -> None:
    with scripted_llm(httpx.Response(200, json=completion("Hello to you."))) as server:
        relayed = llm.relay({**ASK, "model": "gpt-large"})
    assert relayed.answer == completion("Hello to you.")
    assert relayed.completion == Completion("Hello to you.", "scripted", "openai", "stop", 11, 7)
    assert not relayed.calls_tool
    assert server.requests == [{**ASK, "model": "gpt-large", "stream": False}]


def test_every_field_goes_out_as_it_came() -> None:
    sent: dict[str, Any] = {
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}}]},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {}}]},
            {"role": "tool", "tool_call_id": "1", "content": "42", "odd": [None, 1.5]},
        ],
        "tools": [{"type": "custom", "custom": {"name": "x"}}],
        "tool_choice": {"type": "allowed_tools"},
        "response_format": {"type": "json_object"},
        "seed": 7,
        "logprobs": True,
        "n": 2,
        "modalities": ["text", "audio"],
        "audio": {"voice": "alloy", "format": "wav"},
        "stream_options": {"include_usage": True},
        "metadata": {"a": "b"},
        "vendor": {"deep": [{"er": None}]},
    }
    with scripted_llm(
        httpx.Response(200, json=completion("ok")), httpx.Response(200, content=sse(STOP) + DONE)
    ) as server:
        llm.relay(dict(sent))
        list(llm.relay_stream(dict(sent)))
    assert server.requests == [
        {**sent, "model": "scripted", "stream": False},
        {**sent, "model": "scripted", "stream": True},
    ]


@pytest.mark.parametrize("said", ["Extra inputs are not permitted: stream_options", "Bad request"])
def test_a_server_that_knows_no_stream_options_is_asked_without_them_from_then_on(said: str) -> None:
    refusal = {"error": {"message": said, "type": "invalid_request_error"}}
    body = {**ASK, "model": f"refuses-with-{said}"}
    answers = [httpx.Response(200, content=sse(STOP) + DONE) for _ in range(2)]
    with scripted_llm(httpx.Response(422, json=refusal), *answers) as server:
        for _ in range(2):
            assert len(list(llm.relay_stream(body))) == 1
    assert ["stream_options" in request for request in server.requests] == [True, False, False]


@pytest.mark.parametrize("model", [None, "", "  ", 7])
def test_without_a_wish_the_model_is_the_routes(model: str | int | None) -> None:
    with scripted_llm(httpx.Response(200, json=completion("ok"))) as server:
        llm.relay({**ASK, "model": model})
    assert server.requests[0]["model"] == "scripted"


def test_an_answer_that_only_calls_tools_is_handed_on() -> None:
    calls = [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Turku"}'}}]
    answer = completion(None, finish_reason="tool_calls", tool_calls=calls)
    with scripted_llm(httpx.Response(200, json=answer)):
        relayed = llm.relay(ASK)
    assert relayed.answer == answer
    assert relayed.calls_tool
    assert (relayed.completion.text, relayed.completion.finish_reason) == ("", "tool_calls")


def test_of_several_choices_the_first_is_recorded() -> None:
    answer = completion("One.")
    answer["choices"].append({"index": 1, "finish_reason": "length", "message": {"content": "Two"}})
    with scripted_llm(httpx.Response(200, json=answer)):
        relayed = llm.relay({**ASK, "n": 2})
    assert relayed.answer == answer
    assert (relayed.completion.text, relayed.completion.finish_reason) == ("One.", "stop")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": [{"type": "text", "text": "In "}, {"type": "text", "text": "parts."}]}, "In parts."),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": "", "reasoning_content": "Hm."}, ""),
        ({"content": "half \ud83c pair"}, "half \ufffd pair"),
        ({"content": None, "audio": {"transcript": "Spoken."}}, ""),
    ],
)
def test_the_text_that_is_recorded(message: dict[str, Any], text: str) -> None:
    answer = {"choices": [{"message": message, "finish_reason": "stop"}]}
    with scripted_llm(httpx.Response(200, content=json.dumps(answer).encode())):
        relayed = llm.relay(ASK)
    assert relayed.completion.text == text
    assert relayed.answer == answer


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"message": "Rate limit exceeded", "code": 429}, "choices": None}, errors.RateLimited),
        ({"choices": []}, errors.BadAnswer),
        ({"choices": None}, errors.BadAnswer),
        ({"choices": [{"message": None}]}, errors.BadAnswer),
        ({"choices": [{"error": {"code": 502, "message": "upstream"}}]}, errors.ServerFault),
        ({"object": "list", "data": []}, errors.BadAnswer),
        ([], errors.ServerFault),
    ],
)
def test_a_strange_200_is_an_error(body: object, kind: type[errors.LLMError]) -> None:
    for ask in (llm.relay, llm.relay_stream):
        with scripted_llm(*[httpx.Response(200, json=body)] * 2), pytest.raises(kind):
            ask(ASK)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.RequestRefused),
        (401, errors.AccessDenied),
        (404, errors.NotFound),
        (413, errors.RequestRefused),
        (429, errors.RateLimited),
    ]
    + [(500, errors.ServerFault), (308, errors.NotFound), (408, errors.TooSlow)],
)
def test_a_refusal_keeps_its_status(status: int, kind: type[errors.LLMError]) -> None:
    refusal = httpx.Response(status, json={"error": {"message": f"No, {KEY}."}}, headers={"location": "/v1"})
    for ask in (llm.relay, llm.relay_stream):
        bare = OpenAISettings(base_url="http://llm.test", api_key=KEY)
        with scripted_llm(refusal, openai=bare) as server, pytest.raises(kind) as raised:
            ask(ASK)
        assert raised.value.status == status
        assert KEY not in str(raised.value)
        assert ("end in /v1" in str(raised.value)) == (kind is errors.NotFound)
        assert len(server.requests) == 1


@pytest.mark.parametrize("ask", [llm.relay, llm.relay_stream])
def test_what_passes_is_asked_once_more(ask: Callable[[Any], object]) -> None:
    busy = httpx.Response(503, json={"error": "busy"}, headers={"retry-after": "3"})
    answer = httpx.Response(200, json=completion("ok"))
    with scripted_llm(busy, answer) as server:
        ask(ASK)
    assert server.pauses == [3.0]
    with scripted_llm(busy, busy) as server, pytest.raises(errors.ServerFault):
        ask(ASK)
    with scripted_llm(httpx.ReadTimeout("slow")) as server, pytest.raises(errors.TooSlow):
        ask(ASK)
    with (
        scripted_llm(httpx.ConnectError("refused"), httpx.ConnectError("refused")) as server,
        pytest.raises(errors.Unreachable),
    ):
        ask(ASK)
    assert len(server.requests) == 2

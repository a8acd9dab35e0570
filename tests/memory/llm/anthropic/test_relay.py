"""Relaying to Anthropic: the request in its shape, and the answer in OpenAI's."""

from typing import Any

import httpx
import pytest
from openai.types.chat import ChatCompletion

from caesar.conf import AnthropicSettings
from memory import llm
from memory.llm import BadAnswer, LLMError, RateLimited, RequestRefused, ServerFault
from memory.llm.http.client import JsonObject
from tests.memory.llm.anthropic.relaying import ANSWER, ASK, PNG, WALK, relay, sent
from tests.memory.llm.scripted import scripted_llm


def test_it_works() -> None:
    relayed, server = relay({**ASK, "model": "claude-large", "max_tokens": 50})
    assert server.requests == [
        {
            "model": "claude-large",
            "max_tokens": 50,
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": False,
        }
    ]
    assert str(server.sent[0].url) == "https://api.anthropic.com/v1/messages"
    assert server.sent[0].headers["x-api-key"] == "k"
    answer = ChatCompletion.model_validate(relayed.answer, strict=True)
    assert answer.choices[0].message.content == "Hello to you."
    assert answer.id.startswith("chatcmpl-")
    assert relayed.completion == llm.Completion("Hello to you.", "claude-small", "anthropic", "stop", 11, 7)


# --- the request ------------------------------------------------------------------------------------------------


def test_the_longest_answer_is_the_clients_or_else_the_settings() -> None:
    assert sent()["max_tokens"] == 1024
    assert sent(max_completion_tokens=9, max_tokens=8)["max_tokens"] == 9
    assert sent(max_tokens=8)["max_tokens"] == 8
    _, server = relay(ASK, max_tokens=77)
    assert server.requests[0]["max_tokens"] == 77


def test_what_has_no_place_there_and_no_consequence_is_left_out() -> None:
    harmless = {"seed": 1, "logprobs": True, "user": "u", "metadata": {}, "n": 1, "logit_bias": {}, "store": True}
    odd = {
        "tools": None,
        "tool_choice": "auto",
        "stop": None,
        "temperature": None,
        "modalities": ["text"],
        "audio": None,
    }
    formats = {"response_format": {"type": "json_object"}, "stream_options": {"include_usage": True}}
    assert set(sent(**harmless, **odd, **formats)) == {"model", "max_tokens", "messages", "stream"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", 2),
        ("modalities", ["text", "audio"]),
        ("audio", {"voice": "alloy"}),
        ("functions", [{"name": "f"}]),
        ("messages", []),
        ("messages", "Hello"),
    ],
)
def test_what_would_change_the_answers_meaning_is_refused(field: str, value: object) -> None:
    for provider in ("anthropic", "ollama", "offline"):
        for ask in (llm.relay, llm.relay_stream):
            keys = {"anthropic": AnthropicSettings(api_key="k")}
            with (
                scripted_llm(provider=provider, **keys),
                pytest.raises(RequestRefused, match=rf"^{field} .*{provider}"),
            ):
                body: JsonObject = {**ASK, field: value}  # type: ignore[dict-item]
                ask(body)


@pytest.mark.parametrize(
    ("messages", "place"),
    [(["Hello"], "messages[0]"), ([{"role": "user", "content": "a"}, {"role": "user", "content": [7]}], "messages[1]")]
    + [([{"content": "x"}], "messages[0]")],
)
def test_a_message_that_is_none_is_refused_with_its_place(messages: list[Any], place: str) -> None:
    for provider in ("anthropic", "ollama", "offline"):
        keys = {"anthropic": AnthropicSettings(api_key="k")}
        with scripted_llm(provider=provider, **keys), pytest.raises(RequestRefused) as raised:
            llm.relay({"messages": messages})
        assert str(raised.value).startswith(place)
        assert raised.value.status == 400


def test_system_messages_and_pictures_go_where_they_belong() -> None:
    body = sent(
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What is this?"},
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                    {"type": "image_url", "image_url": {"url": "https://pictures.test/dog.jpg"}},
                    {"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}},
                ],
            },
        ]
    )
    assert body["system"] == "Be brief.\n\nBe kind."
    (turn,) = body["messages"]
    assert turn["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
        {"type": "image", "source": {"type": "url", "url": "https://pictures.test/dog.jpg"}},
        {"type": "text", "text": "[input_audio left out]"},
    ]


def test_sampling_goes_out_on_its_own_scale() -> None:
    assert sent(temperature=0.3)["temperature"] == 0.3
    assert sent(temperature=1.7)["temperature"] == 1.0
    assert sent(top_p=0.9, top_k=5) == sent() | {"top_p": 0.9, "top_k": 5}
    both = sent(temperature=0, top_p=0.9)
    assert (both["temperature"], "top_p" in both) == (0, False)


def test_a_model_that_takes_no_sampling_is_asked_once_more_and_never_that_way_again() -> None:
    words = "`temperature` is deprecated for this model."
    refusal = httpx.Response(400, json={"error": {"type": "invalid_request_error", "message": words}})
    url = {"task_routing": {"chat": {"base_url": "http://picky.test", "model": "claude-picky"}}}
    _, server = relay({**ASK, "temperature": 0.5}, refusal, ANSWER, **url)
    assert ["temperature" in request for request in server.requests] == [True, False]
    _, server = relay({**ASK, "temperature": 0.5}, **url)
    assert "temperature" not in server.requests[0]
    with pytest.raises(RequestRefused):
        relay(ASK, refusal, task_routing={"chat": {"base_url": "http://other.test", "model": "claude-other"}})


def test_stops_go_out_without_the_blank_ones() -> None:
    assert sent(stop="END")["stop_sequences"] == ["END"]
    assert sent(stop=["END", "\n", "", 7])["stop_sequences"] == ["END"]
    assert "stop_sequences" not in sent(stop=["\n"])


# --- the answer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("pause_turn", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
        ("tool_use", "tool_calls"),
        ("a_new_reason", "stop"),
        (None, "stop"),
    ],
)
def test_each_stop_has_openais_word(stop: str | None, reason: str) -> None:
    relayed, _ = relay(ASK, {**ANSWER, "stop_reason": stop})
    assert relayed.completion.finish_reason == reason


def test_a_tool_it_calls_comes_back_in_openais_shape() -> None:
    blocks = [
        {"type": "thinking", "thinking": "A walk.", "signature": "s"},
        {"type": "tool_use", "id": "toolu_1", "name": "walk", "input": {"place": "\xe5"}},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
    ]
    relayed, _ = relay({**ASK, "tools": [WALK]}, {**ANSWER, "content": blocks, "stop_reason": "tool_use"})
    answer: Any = relayed.answer
    assert answer["choices"][0]["message"] == {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "reasoning_content": "A walk.",
        "tool_calls": [
            {"id": "toolu_1", "type": "function", "function": {"name": "walk", "arguments": '{"place": "\xe5"}'}}
        ],
    }
    assert relayed.calls_tool
    assert relayed.completion.text == ""


def test_what_was_read_from_the_cache_is_a_part_of_the_prompt() -> None:
    counts = {"input_tokens": 3, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 100, "output_tokens": 7}
    relayed, _ = relay(ASK, {**ANSWER, "usage": counts})
    assert relayed.answer["usage"] == {
        "prompt_tokens": 123,
        "completion_tokens": 7,
        "total_tokens": 130,
        "prompt_tokens_details": {"cached_tokens": 100},
    }
    assert relayed.completion.input_tokens == 123


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, ServerFault),
        ({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}, RateLimited),
        ({"content": None}, BadAnswer),
        ({}, BadAnswer),
        ([], ServerFault),
    ],
)
def test_a_strange_200_is_an_error(body: object, kind: type[LLMError]) -> None:
    for ask in (llm.relay, llm.relay_stream):
        answers = [httpx.Response(200, json=body)] * 2
        with (
            scripted_llm(*answers, provider="anthropic", anthropic=AnthropicSettings(api_key="k")),
            pytest.raises(kind),
        ):
            ask(ASK)

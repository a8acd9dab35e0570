import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion

from caesar.conf import AnthropicSettings
from memory import llm
from memory.llm import BadAnswer, LLMError, RateLimited, RequestRefused, ServerFault
from memory.llm.http.client import JsonObject
from tests.memory.llm.model_server import stream_server
from tests.memory.llm.scripted import ScriptedLLM, llm_settings, scripted_llm
from tests.memory.llm.stream_pieces import named, sse

ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-small",
    "content": [{"type": "text", "text": "Hello to you."}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 11, "output_tokens": 7},
}
PNG = "iVBORw0KGgo="
WALK = {"type": "function", "function": {"name": "walk", "description": "Walks.", "parameters": {"type": "object"}}}
BARE = {"type": "function", "function": {"name": "sit"}}


def relay(body: dict[str, Any], *answers: object, **settings: Any) -> tuple[llm.Relayed, ScriptedLLM]:
    """What relaying a request makes of these answers, and the server that gave them."""
    given = [one if isinstance(one, httpx.Response) else httpx.Response(200, json=one) for one in answers or [ANSWER]]
    with scripted_llm(*given, provider="anthropic", anthropic=AnthropicSettings(api_key="k"), **settings) as server:
        return llm.relay(body), server


def sent(**body: Any) -> dict[str, Any]:
    """What goes out for a request."""
    _, server = relay({**ASK, **body})
    return server.requests[0]


def turns(*messages: dict[str, Any], **body: Any) -> Any:
    """The turns that go out for these messages."""
    return sent(messages=list(messages), **body)["messages"]


def call(id: str, name: str = "walk", arguments: str = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls: dict[str, Any], content: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(id: str, content: Any = "42") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


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


# --- tools ------------------------------------------------------------------------------------------------------


def test_tools_go_out_in_its_shape() -> None:
    body = sent(tools=[WALK, BARE])
    assert body["tools"] == [
        {"name": "walk", "description": "Walks.", "input_schema": {"type": "object"}},
        {"name": "sit", "input_schema": {"type": "object"}},
    ]
    assert body["tool_choice"] == {"type": "auto"}


@pytest.mark.parametrize(
    ("body", "choice"),
    [
        ({"tool_choice": "auto"}, {"type": "auto"}),
        ({"tool_choice": "none", "parallel_tool_calls": False}, {"type": "none"}),
        ({"tool_choice": "required"}, {"type": "any"}),
        ({"tool_choice": {"type": "function", "function": {"name": "walk"}}}, {"type": "tool", "name": "walk"}),
        ({"parallel_tool_calls": False}, {"type": "auto", "disable_parallel_tool_use": True}),
        ({"parallel_tool_calls": True}, {"type": "auto"}),
    ],
)
def test_how_tools_are_to_be_used(body: dict[str, Any], choice: dict[str, Any]) -> None:
    assert sent(tools=[WALK], **body)["tool_choice"] == choice


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"tools": [WALK, {"type": "custom", "custom": {"name": "x"}}]}, "tools[1]"),
        ({"tools": [{"type": "function", "function": {}}]}, "tools[0]"),
        ({"tools": ["walk"]}, "tools[0]"),
        ({"tools": [WALK], "tool_choice": {"type": "allowed_tools"}}, "tool_choice"),
        ({"tools": [WALK], "tool_choice": "whatever"}, "tool_choice"),
    ],
)
def test_a_tool_of_another_kind_is_refused(body: dict[str, Any], place: str) -> None:
    with pytest.raises(RequestRefused) as raised:
        sent(**body)
    assert str(raised.value).startswith(place)


def test_calls_and_results_go_out_as_blocks() -> None:
    said = turns(
        {"role": "user", "content": "Walk where?"},
        calling(call("call_1", arguments='{"place": "river"}'), call("call 2", "sit", ""), content="Let me see."),
        result("call_1", "The river path."),
        result("call 2", [{"type": "text", "text": "Sat."}]),
        {"role": "user", "content": "And then?"},
        tools=[WALK, BARE],
    )
    assert said == [
        {"role": "user", "content": "Walk where?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "call_1", "name": "walk", "input": {"place": "river"}},
                {"type": "tool_use", "id": "call_2", "name": "sit", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "call_1",
                    "content": [{"type": "text", "text": "The river path."}],
                },
                {"type": "tool_result", "tool_use_id": "call_2", "content": [{"type": "text", "text": "Sat."}]},
                {"type": "text", "text": "And then?"},
            ],
        },
    ]


def test_without_tools_on_offer_calls_and_results_are_words() -> None:
    """Blocks of theirs are refused there."""
    said = turns({"role": "user", "content": "Walk?"}, calling(call("1")), result("1"))
    assert said == [
        {"role": "user", "content": "Walk?"},
        {"role": "assistant", "content": "[called the tool walk with {}]"},
        {"role": "user", "content": [{"type": "text", "text": "[result of a tool]"}, {"type": "text", "text": "42"}]},
    ]


def test_a_call_without_its_result_and_a_result_without_its_call_are_words() -> None:
    said = turns(
        result("0", "lost"),
        calling(call("1"), call("2")),
        result("2"),
        result("9", "whose?"),
        calling(call("3")),
        {"role": "user", "content": "Never mind."},
        result("3"),
        tools=[WALK],
    )
    blocks = [
        block for turn in said for block in ([turn["content"]] if isinstance(turn["content"], str) else turn["content"])
    ]
    used = [block["id"] for block in blocks if isinstance(block, dict) and block["type"] == "tool_use"]
    given = [block["tool_use_id"] for block in blocks if isinstance(block, dict) and block["type"] == "tool_result"]
    assert used == given == ["2"]
    assert json.dumps(said).count("called the tool walk") == 2
    assert "lost" in json.dumps(said)
    assert "whose?" in json.dumps(said)


def test_results_stand_first_in_their_turn() -> None:
    said = turns(calling(call("1"), call("2")), result("1"), result("9"), result("2"), tools=[WALK])
    kinds = [block["type"] for block in said[-1]["content"]]
    assert kinds == ["tool_result", "tool_result", "text", "text"]


def test_an_id_that_comes_again_is_made_another() -> None:
    said = turns(calling(call("1")), result("1"), calling(call("1")), result("1"), tools=[WALK])
    used = [turn["content"][0]["id"] for turn in said if turn["role"] == "assistant"]
    given = [turn["content"][0]["tool_use_id"] for turn in said[1:] if turn["role"] == "user"]
    assert used == given == ["1", "1_2"]


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("null", {}),
        ("[1]", {"arguments": [1]}),
        ("broken {", {"arguments": "broken {"}),
        ({"a": 1}, {"a": 1}),
        (None, {}),
    ],
)
def test_arguments_are_an_object_whatever_a_model_wrote(arguments: Any, given: dict[str, Any]) -> None:
    said = turns(calling(call("1", arguments=arguments)), result("1", ""), tools=[WALK])
    assert said[1]["content"][0]["input"] == given
    assert said[2]["content"] == [{"type": "tool_result", "tool_use_id": "1"}]


MESSAGES = st.lists(
    st.one_of(
        st.sampled_from(["1", "2", "3"]).map(result),
        st.lists(st.sampled_from(["1", "2", "3"]), unique=True, max_size=3).map(lambda ids: calling(*map(call, ids))),
        st.sampled_from([{"role": "user", "content": "u"}, {"role": "assistant", "content": "a"}]),
        st.sampled_from([{"role": "system", "content": "s"}, {"role": "user", "content": None}]),
    ),
    min_size=1,
    max_size=8,
)


@given(MESSAGES)
def test_any_history_of_calls_is_one_that_the_api_takes(messages: list[dict[str, Any]]) -> None:
    """By turns, a user's first and last; each call answered in the very next turn, before anything else there."""
    said = turns(*messages, tools=[WALK])
    assert [turn["role"] for turn in said] == [("user", "assistant")[place % 2] for place in range(len(said))]
    assert said[-1]["role"] == "user"
    asked, every = list[str](), list[str]()
    for turn in said:
        blocks = turn["content"] if isinstance(turn["content"], list) else [{"type": "text", "text": turn["content"]}]
        assert blocks
        kinds = [block["type"] for block in blocks]
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert sorted(answered) == sorted(asked)
        assert kinds[: len(answered)] == ["tool_result"] * len(answered)
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        every += asked
    assert not asked
    assert len(set(every)) == len(every)


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


# --- streams ----------------------------------------------------------------------------------------------------

START: dict[str, Any] = {
    "type": "message_start",
    "message": {"model": "claude-small", "usage": {"input_tokens": 5, "output_tokens": 1}},
}
TEXT: dict[str, Any] = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}
END: list[dict[str, Any]] = [
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
    {"type": "message_stop"},
]


def test_pieces_are_handed_on_as_they_come() -> None:
    with (
        stream_server() as server,
        llm_settings(provider="anthropic", model="m", task_routing={"chat": {"base_url": server.url, "api_key": "k"}}),
    ):
        server.send(named(START))
        stream = llm.relay_stream({**ASK, "stream_options": {"include_usage": True}})
        chunks: Iterator[Any] = iter(stream)
        assert next(chunks)["choices"][0]["delta"] == {"role": "assistant", "content": ""}
        server.send(named(TEXT))
        assert next(chunks)["choices"][0]["delta"] == {"content": "Hi"}
        assert stream.completion == llm.Completion("Hi", "claude-small", "anthropic", "", 5, 1)
        server.send(named(*END))
        assert len(list(chunks)) == 2
        assert stream.completion == llm.Completion("Hi", "claude-small", "anthropic", "stop", 5, 9)
        assert server.requests[0]["stream"] is True
        assert server.asked[0].headers["x-api-key"] == "k"


def streamed(content: bytes) -> tuple[list[Any], llm.RelayedStream]:
    answer = httpx.Response(200, content=iter([content]))
    with scripted_llm(answer, provider="anthropic", anthropic=AnthropicSettings(api_key="k")):
        stream = llm.relay_stream(ASK)
        return list(stream), stream


def arguments(chunks: list[Any]) -> str:
    calls = [call for chunk in chunks for call in chunk["choices"][0]["delta"].get("tool_calls", [])]
    return "".join(call["function"].get("arguments", "") for call in calls)


def test_the_input_of_a_tool_may_come_whole() -> None:
    """Some copies of the API send it with the block's start."""
    for whole, text in (({"a": 1}, '{"a": 1}'), ({}, "{}"), (None, "{}"), ('{"b": 2}', '{"b": 2}')):
        block = {"type": "tool_use", "id": "t", "name": "walk", "input": whole}
        begin = {"type": "content_block_start", "index": 0, "content_block": block}
        chunks, stream = streamed(named(START, begin, {"type": "content_block_stop", "index": 0}, *END))
        assert arguments(chunks) == text
        assert stream.calls_tool


def test_text_may_come_with_the_blocks_start() -> None:
    begin = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Oh "}}
    _, stream = streamed(named(START, begin, TEXT, *END))
    assert stream.completion.text == "Oh Hi"


def test_events_without_names_are_read_by_their_types() -> None:
    _, stream = streamed(sse(START, TEXT, *END))
    assert (stream.completion.text, stream.completion.finish_reason) == ("Hi", "stop")


def test_a_stream_may_end_without_its_last_event() -> None:
    _, stream = streamed(named(START, TEXT, END[0]))
    assert stream.completion.finish_reason == "stop"


def test_an_end_without_a_beginning_is_no_answer() -> None:
    with pytest.raises(BadAnswer, match="ends before it begins"):
        streamed(named(END[1]))


def test_an_end_without_a_reason_is_a_normal_one() -> None:
    _, stream = streamed(named(START, TEXT, END[1]))
    assert stream.completion.finish_reason == "stop"


EVENTS: st.SearchStrategy[list[dict[str, Any]]] = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                ["message_start", "content_block_start", "content_block_delta", "content_block_stop"]
                + ["message_delta", "message_stop", "ping", "error"]
            ),
            "index": st.sampled_from([0, 1, None, "x", [], {}]),
            "message": st.sampled_from(
                [None, {}, {"model": 7, "usage": []}, {"model": "m", "usage": {"input_tokens": "x"}}]
            ),
            "content_block": st.sampled_from([None, {}, {"type": "tool_use"}, {"type": "text", "text": 7}, "x"]),
            "delta": st.sampled_from(
                [
                    None,
                    {},
                    {"text": None},
                    {"text": "x"},
                    {"partial_json": 7},
                    {"partial_json": "{"},
                    {"stop_reason": 7},
                ]
            ),
            "usage": st.sampled_from([None, {}, [], {"output_tokens": -1}, {"output_tokens": 3}]),
            "error": st.sampled_from([None, "x", {"type": "overloaded_error"}, {"message": {"a": 1}}]),
        },
    ),
    max_size=6,
)


@given(EVENTS)
def test_no_events_raise_anything_of_another_kind(events: list[dict[str, Any]]) -> None:
    try:
        chunks, _ = streamed(sse(START, *events))
    except LLMError:
        return
    assert all(chunk["object"] == "chat.completion.chunk" for chunk in chunks)

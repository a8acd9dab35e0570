import json
from collections.abc import Sequence
from typing import Any

import pytest

from memory.events import Message
from memory.llm import (
    AccessDenied,
    BadAnswer,
    Completion,
    JsonSchema,
    LLMError,
    NotConfigured,
    NotFound,
    RateLimited,
    RequestRefused,
    ServerFault,
    TooSlow,
    Truncated,
)
from memory.llm.anthropic import Anthropic
from memory.llm.types import Request, Route, Task
from tests.memory.llm.model_server import Answer, ModelServer, Refusal, model_server

KEY = "sk-ant-test-0123456789"
SCHEMA: JsonSchema = {"title": "facts", "type": "object", "properties": {"facts": {"type": "array"}}}
HELLO = [Message(role="user", content="Hello")]
TEXT = {"type": "text", "text": "Hello to you."}
THOUGHT = {"type": "thinking", "thinking": "They greet me.", "signature": "c2ln"}
PIXEL = "iVBORw0KGgo="


def route(**changes: Any) -> Route:
    fields: dict[str, Any] = {
        "provider": "anthropic",
        "model": "claude-test",
        "base_url": "https://api.anthropic.com",
        "api_key": KEY,
        "timeout_seconds": 5,
        "model_section": "CAESAR_LLM",
        "server_section": "CAESAR_LLM__ANTHROPIC",
    }
    return Route(**(fields | changes))


def answering(*blocks: dict[str, Any], stop_reason: str | None = "end_turn", **fields: Any) -> dict[str, Any]:
    """One message as Anthropic gives it."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-20260101",
        "content": list(blocks),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7},
        **fields,
    }


def tool_use(given: object, *, name: str = "facts") -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


def refusing(status: int, kind: str, words: str, **headers: str) -> Refusal:
    return Refusal(status, {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_1"}, headers)


def ask(
    *answers: Answer,
    task: Task = "memory_extract",
    messages: Sequence[Message] = HELLO,
    json_schema: JsonSchema | None = None,
    provider: Anthropic | None = None,
) -> tuple[Completion, ModelServer]:
    """What a fresh provider makes of these answers of a real server, and that server."""
    with model_server(*answers) as server:
        request = Request(
            messages=messages, task=task, route=route(base_url=server.url), max_tokens=77, json_schema=json_schema
        )
        return (provider or Anthropic()).complete(request), server


def turns_of(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The turns that go out for these messages of a chat."""
    _, server = ask(answering(TEXT), task="chat", messages=[Message.model_validate(message) for message in messages])
    sent: list[dict[str, Any]] = server.requests[0]["messages"]
    return sent


def test_it_works() -> None:
    answer, server = ask(answering(TEXT))
    assert answer == Completion("Hello to you.", "claude-test-20260101", "anthropic", "end_turn", 11, 7)
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", "/v1/messages")
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert asked.headers["content-type"] == "application/json"
    assert "authorization" not in asked.headers
    assert asked.body == {
        "model": "claude-test",
        "max_tokens": 77,
        "messages": [{"role": "user", "content": "Hello"}],
        "stream": False,
    }


# --- the request ------------------------------------------------------------------------------------------------


def test_system_messages_stand_apart_from_the_turns() -> None:
    messages = [
        Message(role="system", content="Be brief.\n"),
        Message(role="user", content="Hello"),
        Message(role="developer", content=[{"type": "text", "text": "Be kind."}]),
        Message(role="system", content="  "),
    ]
    _, server = ask(answering(TEXT), messages=messages)
    assert server.requests[0]["system"] == "Be brief.\n\n\nBe kind."
    assert server.requests[0]["messages"] == [{"role": "user", "content": "Hello"}]


def test_without_a_system_message_there_is_no_system() -> None:
    _, server = ask(answering(TEXT), messages=[Message(role="system", content=" "), *HELLO])
    assert "system" not in server.requests[0]


def test_messages_of_one_side_become_one_turn() -> None:
    assert turns_of(
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
        {"role": "assistant", "content": "c"},
        {"role": "user", "content": "d"},
    ) == [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "c"},
        {"role": "user", "content": "d"},
    ]


def test_turns_without_content_are_left_out() -> None:
    assert turns_of(
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": " \n"},
        {"role": "user", "content": [{"type": "text", "text": ""}]},
        {"role": "user", "content": "b"},
    ) == [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]


def test_the_first_and_the_last_turn_are_the_users() -> None:
    turns = turns_of(
        {"role": "assistant", "content": "Welcome."},
        {"role": "user", "content": "Thanks."},
        {"role": "assistant", "content": "Well then "},
    )
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user", "assistant", "user"]
    assert (turns[0]["content"], turns[-1]["content"]) == ("[nothing said]", "[go on]")


def test_nothing_but_a_system_message_is_still_a_request() -> None:
    assert turns_of({"role": "system", "content": "Say hello."}) == [{"role": "user", "content": "[nothing said]"}]


def test_tool_calls_and_their_results_become_words() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
    assert turns_of(
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": None, "tool_calls": [call, {"odd": True}, "odd"]},
        {"role": "tool", "tool_call_id": "1", "content": "12 degrees"},
    ) == [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": '[called the tool weather with {"city": "Oslo"}]'},
        {
            "role": "user",
            "content": [{"type": "text", "text": "[result of a tool]"}, {"type": "text", "text": "12 degrees"}],
        },
    ]


@pytest.mark.parametrize(
    ("part", "block"),
    [
        (
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}", "detail": "low"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}},
        ),
        (
            {"type": "image_url", "image_url": {"url": f"data:image/JPG;charset=utf-8;base64,{PIXEL}"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": PIXEL}},
        ),
        (
            {"type": "input_image", "image_url": "https://pictures.test/a.png"},
            {"type": "image", "source": {"type": "url", "url": "https://pictures.test/a.png"}},
        ),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": PIXEL}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": PIXEL}},
        ),
        ({"type": "image_url", "image_url": {"url": "http://plain.test/a.png"}}, "[image_url left out]"),
        ({"type": "image_url", "image_url": {"url": f"data:image/tiff;base64,{PIXEL}"}}, "[image_url left out]"),
        ({"type": "image_url", "image_url": {"url": "data:text/html,hello"}}, "[image_url left out]"),
        ({"type": "image_url", "image_url": None}, "[image_url left out]"),
        ({"type": "image"}, "[image left out]"),
        ({"type": "input_audio", "input_audio": {"data": "AAAA"}}, "[input_audio left out]"),
        ({"type": 7}, "[part left out]"),
        ({"text": "no type"}, "no type"),
    ],
)
def test_a_part_goes_out_in_anthropics_shape_or_as_a_placeholder(
    part: dict[str, Any], block: dict[str, Any] | str
) -> None:
    turns = turns_of({"role": "user", "content": [{"type": "text", "text": "See:"}, part]})
    expected = {"type": "text", "text": block} if isinstance(block, str) else block
    assert turns[0]["content"] == [{"type": "text", "text": "See:"}, expected]


def test_what_a_model_thought_before_is_not_sent_again() -> None:
    turns = turns_of(
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [THOUGHT, {"type": "redacted_thinking", "data": "x"}, TEXT]},
        {"role": "user", "content": "b"},
    )
    assert turns[1] == {"role": "assistant", "content": "Hello to you."}


def test_half_a_surrogate_pair_does_not_stop_a_request() -> None:
    assert turns_of({"role": "user", "content": "weather \ud83c today"})[0]["content"] == "weather \ufffd today"


# --- structured output ------------------------------------------------------------------------------------------


def test_a_schema_is_asked_for_as_a_tool_that_has_to_be_called() -> None:
    answer, server = ask(answering(tool_use({"facts": []}), stop_reason="tool_use"), json_schema=SCHEMA)
    assert answer == Completion('{"facts": []}', "claude-test-20260101", "anthropic", "end_turn", 11, 7)
    request = server.requests[0]
    assert [(tool["name"], tool["input_schema"]) for tool in request["tools"]] == [("facts", SCHEMA)]
    assert request["tool_choice"] == {"type": "tool", "name": "facts", "disable_parallel_tool_use": True}


@pytest.mark.parametrize("title", [None, 7, "no name for a tool", ""])
def test_a_schema_without_a_usable_title_is_named_for_its_task(title: object) -> None:
    _, server = ask(
        answering(tool_use({"facts": []}, name="memory_extract"), stop_reason="tool_use"),
        json_schema={"title": title, "type": "object"},  # type: ignore[dict-item]
    )
    assert server.requests[0]["tool_choice"]["name"] == "memory_extract"


def test_the_tools_input_is_the_answer_whatever_is_said_beside_it() -> None:
    blocks = [THOUGHT, {"type": "text", "text": "I found [] facts."}, tool_use({"facts": [{"key": "naïve"}]})]
    answer, _ = ask(answering(*blocks, stop_reason="tool_use"), json_schema=SCHEMA)
    assert json.loads(answer.text) == {"facts": [{"key": "naïve"}]}


def test_an_input_that_is_text_already_is_taken_as_it_is() -> None:
    answer, _ = ask(answering(tool_use('{"facts": []}'), stop_reason="tool_use"), json_schema=SCHEMA)
    assert answer.text == '{"facts": []}'


def test_an_answer_in_words_is_taken_too() -> None:
    answer, _ = ask(answering({"type": "text", "text": "[]"}), json_schema=SCHEMA)
    assert answer.text == "[]"


@pytest.mark.parametrize("given", [{}, None, "", []])
def test_a_call_without_any_input_is_no_answer(given: object) -> None:
    with pytest.raises(BadAnswer, match="calls a tool and says nothing"):
        ask(answering(tool_use(given), stop_reason="tool_use"), json_schema=SCHEMA)


def test_an_input_cut_by_the_token_limit_is_no_answer() -> None:
    with pytest.raises(Truncated, match="stop_reason max_tokens.*CAESAR_LLM__MAX_TOKENS"):
        ask(answering(tool_use({"facts": []}), stop_reason="max_tokens"), json_schema=SCHEMA)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "tool_choice forces tool use is not compatible with this model."),
        (400, "Thinking may not be enabled when tool_choice forces tool use."),
        (422, "tools: extra fields not permitted"),
        (404, "No endpoints found that support tool use"),
    ],
)
def test_a_model_that_cannot_be_forced_is_asked_once_more_and_never_that_way_again(status: int, words: str) -> None:
    provider = Anthropic()
    with model_server(refusing(status, "invalid_request_error", words), answering(TEXT), answering(TEXT)) as server:
        request = Request(
            messages=HELLO, task="memory_extract", route=route(base_url=server.url), max_tokens=7, json_schema=SCHEMA
        )
        assert provider.complete(request).text == "Hello to you."
        assert provider.complete(request).text == "Hello to you."
    assert ["tools" in sent for sent in server.requests] == [True, False, False]
    assert ["tool_choice" in sent for sent in server.requests] == [True, False, False]


def test_a_server_that_refuses_again_without_the_tool_is_not_asked_for_ever() -> None:
    refusal = refusing(400, "invalid_request_error", "tools are not supported")
    with pytest.raises(RequestRefused):
        ask(refusal, refusal, json_schema=SCHEMA)


def test_a_refusal_about_something_else_is_not_repeated() -> None:
    with pytest.raises(RequestRefused, match="prompt is too long"):
        ask(refusing(400, "invalid_request_error", "prompt is too long: 201000 tokens"), json_schema=SCHEMA)


# --- the answer -------------------------------------------------------------------------------------------------


def test_text_blocks_are_joined_and_all_others_passed_over() -> None:
    blocks = [
        THOUGHT,
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": '[{"key":'},
        {"type": "server_tool_use", "id": "1", "name": "web_search", "input": {}},
        {"type": "text", "text": '"a"}]', "citations": None},
        {"type": "text", "text": None},
        {"type": "unknown", "text": "not this"},
        "nor this",
    ]
    answer, _ = ask(answering(*blocks))  # type: ignore[arg-type]
    assert answer.text == '[{"key":"a"}]'


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({}, "without any content"),
        ({"content": None}, "without any content"),
        ({"content": {"type": "text"}}, "without any content"),
        (answering(), "empty"),
        (answering(stop_reason=None), "empty"),
        (answering({"type": "text", "text": " \n"}), "empty"),
        (answering(THOUGHT), "empty, though its thinking is not"),
        (answering({"type": "redacted_thinking", "data": "x"}), "empty, though its thinking is not"),
        (answering(tool_use({"q": 1}, name="search"), stop_reason="tool_use"), "calls a tool and says nothing"),
        (answering(TEXT, stop_reason="refusal"), r"content filter \(stop_reason refusal\)"),
    ],
)
def test_an_answer_of_no_use_is_bad_and_says_why(answer: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadAnswer, match=reason) as raised:
        ask(answer)
    assert str(raised.value).startswith("anthropic at 127.0.0.1:")
    assert raised.value.permanent


@pytest.mark.parametrize(
    ("stop_reason", "cure"),
    [
        ("max_tokens", "Raise CAESAR_LLM__MAX_TOKENS"),
        ("model_context_window_exceeded", "Choose a model that reads more"),
    ],
)
@pytest.mark.parametrize("task", ["memory_extract", "memory_summarise"])
def test_a_memory_task_does_not_take_a_cut_answer(task: Task, stop_reason: str, cure: str) -> None:
    with pytest.raises(Truncated, match=f"stop_reason {stop_reason}.*{cure}"):
        ask(answering(TEXT, stop_reason=stop_reason), task=task)


def test_a_chat_shows_a_cut_and_a_refused_answer() -> None:
    answer, _ = ask(answering(TEXT, stop_reason="max_tokens"), task="chat")
    assert (answer.text, answer.finish_reason) == ("Hello to you.", "length")
    answer, _ = ask(answering(TEXT, stop_reason="refusal"), task="chat")
    assert (answer.text, answer.finish_reason) == ("Hello to you.", "refusal")


def test_a_chat_without_a_word_is_bad() -> None:
    with pytest.raises(Truncated):
        ask(answering(THOUGHT, stop_reason="max_tokens"), task="chat")
    with pytest.raises(BadAnswer, match="content filter"):
        ask(answering(stop_reason="refusal"), task="chat")


def test_an_empty_summary_with_a_normal_stop_is_an_answer_unless_it_was_thought() -> None:
    assert ask(answering(), task="memory_summarise")[0].text == ""
    with pytest.raises(BadAnswer, match="its thinking is not"):
        ask(answering(THOUGHT), task="memory_summarise")


@pytest.mark.parametrize("usage", [None, {}, "many", {"input_tokens": "11"}, {"input_tokens": True}])
def test_missing_token_counts_are_none(usage: object) -> None:
    answer, _ = ask(answering(TEXT, usage=usage, model=None))
    assert (answer.input_tokens, answer.output_tokens, answer.model) == (None, None, "claude-test")


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (refusing(400, "invalid_request_error", "max_tokens: too many"), RequestRefused),
        (refusing(401, "authentication_error", "invalid x-api-key"), AccessDenied),
        (refusing(402, "billing_error", "no credit"), AccessDenied),
        (refusing(403, "permission_error", "not for you"), AccessDenied),
        (refusing(404, "not_found_error", "model: claude-test"), NotFound),
        (refusing(413, "request_too_large", "too large"), RequestRefused),
        (refusing(429, "rate_limit_error", "slow down"), RateLimited),
        (refusing(500, "api_error", "Internal server error"), ServerFault),
        (refusing(504, "timeout_error", "too long"), ServerFault),
        (refusing(529, "overloaded_error", "Overloaded"), ServerFault),
        (refusing(200, "overloaded_error", "Overloaded"), ServerFault),
        (refusing(200, "rate_limit_error", "slow down"), RateLimited),
        (Refusal(408, ""), TooSlow),
        (Refusal(502, "<html><title>Bad Gateway</title></html>"), ServerFault),
    ],
)
def test_each_refusal_is_one_kind_of_error(refusal: Refusal, kind: type[LLMError]) -> None:
    with pytest.raises(LLMError) as raised:
        ask(refusal)
    assert type(raised.value) is kind
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    "words",
    [
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.",
        "You have reached your specified API usage limits. You will regain access on 2026-07-01.",
        "This organization has been disabled.",
    ],
)
def test_a_400_about_the_account_holds_and_costs_no_chat_an_attempt(words: str) -> None:
    with pytest.raises(AccessDenied, match=r"answered 400") as raised:
        ask(refusing(400, "invalid_request_error", words))
    assert not raised.value.permanent


def test_retry_after_comes_with_the_error_and_is_bounded() -> None:
    with pytest.raises(RateLimited) as raised:
        ask(refusing(429, "rate_limit_error", "slow down", **{"retry-after": "86400"}))
    assert raised.value.retry_after_seconds == 3600


def test_a_key_that_comes_back_in_an_error_is_taken_out() -> None:
    with pytest.raises(AccessDenied) as raised:
        ask(refusing(401, "authentication_error", f"invalid x-api-key: {KEY}"))
    assert KEY not in str(raised.value)
    assert "[removed]" in str(raised.value)


# --- what it needs ----------------------------------------------------------------------------------------------


def test_only_anthropic_itself_needs_a_key() -> None:
    Anthropic().check(route())
    Anthropic().check(route(base_url="http://127.0.0.1:4000", api_key=None))
    with pytest.raises(NotConfigured, match="Set CAESAR_LLM__ANTHROPIC__API_KEY"):
        Anthropic().check(route(api_key=None))


def test_a_model_is_needed() -> None:
    with pytest.raises(NotConfigured, match="Set CAESAR_LLM__MODEL"):
        Anthropic().check(route(model=""))


@pytest.mark.parametrize("path", ["/v1", "/v1/messages", "/anthropic/v1"])
def test_an_address_that_says_too_much_is_refused_with_the_cure(path: str) -> None:
    with pytest.raises(NotConfigured, match="BASE_URL must end before /v1"):
        Anthropic().check(route(base_url=f"https://llm.test{path}"))


def test_without_a_key_none_is_sent() -> None:
    with model_server(answering(TEXT)) as server:
        bare = route(base_url=server.url, api_key=None)
        Anthropic().complete(Request(messages=HELLO, task="chat", route=bare, max_tokens=7))
    assert "x-api-key" not in server.asked[0].headers


# --- the models -------------------------------------------------------------------------------------------------


def test_the_models_are_listed_by_name() -> None:
    listed = {"data": [{"type": "model", "id": "claude-b"}, {"id": "claude-a"}, {"id": "claude-a"}], "has_more": False}
    with model_server(listed) as server:
        assert Anthropic().models(route(base_url=server.url, model="")) == ["claude-a", "claude-b"]
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("GET", "/v1/models?limit=1000")
    assert (asked.headers["x-api-key"], asked.headers["anthropic-version"]) == (KEY, "2023-06-01")


def test_models_need_the_key_too() -> None:
    with pytest.raises(NotConfigured, match="no API key"):
        Anthropic().models(route(api_key=None))

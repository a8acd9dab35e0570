"""The provider `anthropic`: a schema as the input of a tool."""

import json

import pytest

from memory.llm import (
    BadAnswer,
    Completion,
    RequestRefused,
    Truncated,
)
from memory.llm.anthropic import Anthropic
from memory.llm.types import Request
from tests.memory.llm.anthropic.completing import (
    HELLO,
    SCHEMA,
    TEXT,
    THOUGHT,
    answering,
    ask,
    refusing,
    route,
    tool_use,
)
from tests.memory.llm.servers.model_server import model_server


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
    with pytest.raises(Truncated, match="stop_reason max_tokens.*CAESAR_LLM__TASK_MAX_TOKENS"):
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

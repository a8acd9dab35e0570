"""The provider `anthropic`: its answers, and its refusals."""

from typing import Any

import pytest

from memory.llm import Completion, errors
from memory.llm.types import Task
from tests.memory.llm.anthropic.completing import KEY, TEXT, THOUGHT, answering, ask, refusing, tool_use
from tests.memory.llm.servers.model_server import Refusal


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
    with pytest.raises(errors.BadAnswer, match=reason) as raised:
        ask(answer)
    assert str(raised.value).startswith("anthropic at 127.0.0.1:")
    assert raised.value.permanent


@pytest.mark.parametrize(
    ("stop_reason", "cure"),
    [
        ("max_tokens", "Raise CAESAR_LLM__TASK_MAX_TOKENS"),
        ("model_context_window_exceeded", "Choose a model that reads more"),
    ],
)
@pytest.mark.parametrize("task", ["memory_extract", "memory_summarise"])
def test_a_memory_task_does_not_take_a_cut_answer(task: Task, stop_reason: str, cure: str) -> None:
    with pytest.raises(errors.Truncated, match=f"stop_reason {stop_reason}.*{cure}"):
        ask(answering(TEXT, stop_reason=stop_reason), task=task)


def test_a_chat_shows_a_cut_and_a_refused_answer() -> None:
    answer, _ = ask(answering(TEXT, stop_reason="max_tokens"), task="chat")
    assert (answer.text, answer.finish_reason) == ("Hello to you.", "length")
    answer, _ = ask(answering(TEXT, stop_reason="refusal"), task="chat")
    assert (answer.text, answer.finish_reason) == ("Hello to you.", "refusal")


def test_a_chat_without_a_word_is_bad() -> None:
    with pytest.raises(errors.Truncated):
        ask(answering(THOUGHT, stop_reason="max_tokens"), task="chat")
    with pytest.raises(errors.BadAnswer, match="content filter"):
        ask(answering(stop_reason="refusal"), task="chat")


def test_an_empty_summary_with_a_normal_stop_is_an_answer_unless_it_was_thought() -> None:
    assert ask(answering(), task="memory_summarise")[0].text == ""
    with pytest.raises(errors.BadAnswer, match="its thinking is not"):
        ask(answering(THOUGHT), task="memory_summarise")


@pytest.mark.parametrize("usage", [None, {}, "many", {"input_tokens": "11"}, {"input_tokens": True}])
def test_missing_token_counts_are_none(usage: object) -> None:
    answer, _ = ask(answering(TEXT, usage=usage, model=None))
    assert (answer.input_tokens, answer.output_tokens, answer.model) == (None, None, "claude-test")


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (refusing(400, "invalid_request_error", "max_tokens: too many"), errors.RequestRefused),
        (refusing(401, "authentication_error", "invalid x-api-key"), errors.AccessDenied),
        (refusing(402, "billing_error", "no credit"), errors.AccessDenied),
        (refusing(403, "permission_error", "not for you"), errors.AccessDenied),
        (refusing(404, "not_found_error", "model: claude-test"), errors.NotFound),
        (refusing(413, "request_too_large", "too large"), errors.RequestRefused),
        (refusing(429, "rate_limit_error", "slow down"), errors.RateLimited),
        (refusing(500, "api_error", "Internal server error"), errors.ServerFault),
        (refusing(504, "timeout_error", "too long"), errors.ServerFault),
        (refusing(529, "overloaded_error", "Overloaded"), errors.ServerFault),
        (refusing(200, "overloaded_error", "Overloaded"), errors.ServerFault),
        (refusing(200, "rate_limit_error", "slow down"), errors.RateLimited),
        (Refusal(408, ""), errors.TooSlow),
        (Refusal(502, "<html><title>Bad Gateway</title></html>"), errors.ServerFault),
    ],
)
def test_each_refusal_is_one_kind_of_error(refusal: Refusal, kind: type[errors.LLMError]) -> None:
    with pytest.raises(errors.LLMError) as raised:
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
    with pytest.raises(errors.AccessDenied, match=r"answered 400") as raised:
        ask(refusing(400, "invalid_request_error", words))
    assert not raised.value.permanent


def test_retry_after_comes_with_the_error_and_is_bounded() -> None:
    with pytest.raises(errors.RateLimited) as raised:
        ask(refusing(429, "rate_limit_error", "slow down", **{"retry-after": "86400"}))
    assert raised.value.retry_after_seconds == 3600


def test_a_key_that_comes_back_in_an_error_is_taken_out() -> None:
    with pytest.raises(errors.AccessDenied) as raised:
        ask(refusing(401, "authentication_error", f"invalid x-api-key: {KEY}"))
    assert KEY not in str(raised.value)
    assert "[removed]" in str(raised.value)

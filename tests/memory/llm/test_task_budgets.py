"""The memory's tasks have a budget, a timeout and a switch against long thinking of their own; a chat's stay as set."""

from typing import Any

import httpx
import pytest
from django.conf import settings

from caesar.conf import LLMSettings
from memory import llm
from memory.events import Message
from memory.learning.batch import claim_time
from tests.memory.llm.scripted import completion, scripted_llm

ASKED = [Message(role="user", content="Hello")]
TASKS: tuple[llm.Task, ...] = ("memory_extract", "memory_summarise")


def cut() -> httpx.Response:
    return httpx.Response(200, json=completion("", finish_reason="length"))


def refusing(words: str, status: int = 400) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": words}})


def asked(task: llm.Task, *answers: Any, **fields: Any) -> list[dict[str, Any]]:
    with scripted_llm(*answers, **fields) as model:
        llm.complete(ASKED, task=task)
    return model.requests


def test_a_chat_keeps_its_budget_and_the_tasks_have_their_own() -> None:
    (request,) = asked("chat", "Hi.", max_tokens=300)
    assert request["max_tokens"] == 300
    assert not {"reasoning_effort", "chat_template_kwargs"} & set(request)
    for task in TASKS:
        (request,) = asked(task, "Hi.", max_tokens=300)
        assert request["max_tokens"] == 4096


@pytest.mark.parametrize(
    ("fields", "tokens", "seconds"),
    [
        ({}, 4096, 180),
        ({"max_tokens": 9000, "timeout_seconds": 600}, 9000, 600),
        ({"max_tokens": 9000, "task_max_tokens": 500, "timeout_seconds": 600, "task_timeout_seconds": 30}, 500, 30),
    ],
)
def test_what_is_set_counts_and_else_no_less_than_a_chat_has(
    fields: dict[str, Any], tokens: int, seconds: float
) -> None:
    tree = LLMSettings(**fields)
    assert (tree.max_tokens_for("memory_extract"), tree.timeout_for("memory_summarise")) == (tokens, seconds)
    assert tree.max_tokens_for("chat") == tree.max_tokens


def test_a_timeout_names_the_setting_that_was_exceeded() -> None:
    with (
        scripted_llm(httpx.ReadTimeout("slow")),
        pytest.raises(llm.TooSlow, match="180 seconds. Raise CAESAR_LLM__TASK_TIME"),
    ):
        llm.complete(ASKED, task="memory_extract")
    with (
        scripted_llm(httpx.ReadTimeout("slow")),
        pytest.raises(llm.TooSlow, match="60 seconds. Raise CAESAR_LLM__TIMEOUT"),
    ):
        llm.complete(ASKED, task="chat")


def test_the_claim_outlasts_a_question_its_repeat_and_an_embedding() -> None:
    tree = settings.CAESAR.llm
    assert claim_time().total_seconds() > 3 * tree.task_timeout_seconds + tree.timeout_seconds
    assert claim_time().total_seconds() + 300 < settings.TASK_TIMEOUT_SECONDS


def ask_with_room(*answers: Any, **fields: Any) -> list[int]:
    """The budgets that were asked for."""
    with scripted_llm(*answers, **fields) as model:
        llm.with_more_room(
            lambda tokens: llm.complete(ASKED, task="memory_extract", max_tokens=tokens), task="memory_extract"
        )
    return [request["max_tokens"] for request in model.requests]


def test_a_whole_answer_is_asked_for_once() -> None:
    assert ask_with_room("[]") == [4096]


def test_a_cut_answer_is_asked_for_once_more_with_twice_the_room() -> None:
    assert ask_with_room(cut(), "[]", task_max_tokens=1000) == [1000, 2000]


@pytest.mark.parametrize("second", [cut(), refusing("max_tokens: 8192 > 4096"), httpx.ReadTimeout("slow")])
def test_what_stays_cut_says_how_to_give_more_room(second: Any) -> None:
    with pytest.raises(llm.Truncated, match="CAESAR_LLM__TASK_MAX_TOKENS"):
        ask_with_room(cut(), second)


def test_a_server_with_a_small_window_is_asked_with_the_budget_of_a_chat() -> None:
    words = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."
    assert ask_with_room(refusing(words), "[]") == [4096, 1024]


def test_other_refusals_are_not_asked_again() -> None:
    with scripted_llm(refusing("the prompt is forbidden")) as model, pytest.raises(llm.RequestRefused):
        llm.complete(ASKED, task="memory_extract")
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ("Unrecognized request argument supplied: reasoning_effort", {"reasoning_effort"}),
        ("Unknown parameter: 'chat_template_kwargs'.", {"chat_template_kwargs"}),
        ("Argument not supported on this model: reasoningEffort", {"reasoning_effort"}),
        ("Bad Request", {"reasoning_effort", "chat_template_kwargs"}),
        ("Extra inputs are not permitted", {"reasoning_effort", "chat_template_kwargs"}),
    ],
)
def test_a_switch_that_the_server_does_not_take_is_left_out_from_then_on(
    words: str, left_out: set[str], request: pytest.FixtureRequest
) -> None:
    model_name = request.node.name  # what a server takes is remembered for its model
    switches = {"reasoning_effort", "chat_template_kwargs"}
    first, second = asked("memory_extract", refusing(words), "[]", model=model_name)
    assert switches <= set(first)
    assert switches & set(second) == switches - left_out
    (third,) = asked("memory_extract", "[]", model=model_name)
    assert switches & set(third) == switches - left_out


def test_openai_itself_is_sent_no_switch_of_others() -> None:
    routing = {"memory_extract": {"base_url": "https://api.openai.com/v1", "api_key": "sk-x"}}
    (request,) = asked("memory_extract", "[]", task_routing=routing)
    assert request["reasoning_effort"] == "low"
    assert "chat_template_kwargs" not in request

"""Answers in the shapes real models give, by provider, and the right outcome of each for the three tasks.

The shape decides, not the provider: what is right for a fenced answer is right whoever gave it.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from caesar.conf import AnthropicSettings, OllamaSettings
from memory import llm
from memory.events import Message
from memory.learning.answers.summary_text import MAX_SUMMARY_CHARS, parse_summary
from memory.learning.extraction import EXTRACTION, Question
from memory.llm import BadAnswer, LLMError, Task, Truncated
from tests.memory.llm.scripted import scripted_llm

FOLDER = Path(__file__).parent / "recorded"
PROVIDERS = ("anthropic", "ollama", "openai")
ASKED = [Message(role="system", content="..."), Message(role="user", content="My dog is called Beans.")]

REPLY = "The river path is quiet before nine, and there is shade for Beans."
FACTS = {"dog.name": "Beans", "health.allergy": "peanuts"}
SUMMARY = "The operator planned a walk for their beagle; CAESAR suggested the river path before nine."
REFUSAL = "I'm sorry, but I can't help with that."

Outcome = str | Mapping[str, str] | type[LLMError]

# Shape -> what is right for chat, memory_extract and memory_summarise. A text that ends in "..." is how it begins.
RIGHT: Mapping[str, tuple[Outcome, Outcome, Outcome]] = {
    "plain": (REPLY, FACTS, SUMMARY),
    "reasoning": (REPLY, FACTS, SUMMARY),
    "think_tags": ("<think...", FACTS, SUMMARY),
    "fenced": ("Put this into your calendar:\n\n```text\n08:30...", FACTS, SUMMARY),
    "chatty": (f"{REPLY}\n\nShall I...", FACTS, SUMMARY),
    "looping": ("The operator planned a walk. The operator...", Truncated, Truncated),
    "repeating": ("The operator planned a walk for Beans...", {"dog.name": "Beans"}, "The operator planned a walk..."),
    "cut": (REPLY[:40], Truncated, Truncated),
    "refusing": (REFUSAL, BadAnswer, BadAnswer),
    "filtered": (BadAnswer, BadAnswer, BadAnswer),
    "tool_call_only": (BadAnswer, BadAnswer, BadAnswer),
    "empty": (BadAnswer, BadAnswer, ""),
    "only_thought": (BadAnswer, BadAnswer, BadAnswer),
}


def recorded() -> list[tuple[str, str]]:
    """Provider and shape of every file."""
    return [(path.parent.name, path.stem) for path in sorted(FOLDER.glob("*/*.json"))]


def outcome(provider: str, task: Task, answer: dict[str, Any]) -> Outcome:
    """What the gateway, and the reader of the task, make of an answer."""
    keys = {"anthropic": AnthropicSettings(api_key="k"), "ollama": OllamaSettings(base_url="http://llm.test")}
    with scripted_llm(*[httpx.Response(200, json=answer)] * 2, provider=provider, **keys):
        try:
            if task == "memory_extract":
                return {claim.key: claim.value for claim in EXTRACTION.ask(Question(ASKED)).claims}
            text = llm.complete(ASKED, task=task).text
            return text if task == "chat" else parse_summary(text)
        except LLMError as error:
            return type(error)


def check(provider: str, shape: str, task: Task, right: Outcome) -> None:
    answers = json.loads((FOLDER / provider / f"{shape}.json").read_text(encoding="utf-8"))
    given = outcome(provider, task, answers[task])
    if isinstance(right, str) and right.endswith("..."):
        assert isinstance(given, str)
        assert given.startswith(right.removesuffix("..."))
    else:
        assert given == right


@pytest.mark.parametrize("shape", RIGHT)
def test_every_provider_has_every_shape(shape: str) -> None:
    having = {provider for provider, name in recorded() if name == shape}
    assert having == set(PROVIDERS) - ({"ollama"} if shape == "filtered" else set())


@pytest.mark.parametrize(("provider", "shape"), recorded())
def test_a_chat_shows_what_there_is(provider: str, shape: str) -> None:
    check(provider, shape, "chat", RIGHT[shape][0])


@pytest.mark.parametrize(("provider", "shape"), recorded())
def test_facts_are_taken_from_whole_answers_only(provider: str, shape: str) -> None:
    check(provider, shape, "memory_extract", RIGHT[shape][1])


@pytest.mark.parametrize(("provider", "shape"), recorded())
def test_a_summary_is_taken_from_whole_answers_only(provider: str, shape: str) -> None:
    check(provider, shape, "memory_summarise", RIGHT[shape][2])


def test_a_summary_that_repeats_itself_stays_short() -> None:
    for provider in PROVIDERS:
        answers = json.loads((FOLDER / provider / "repeating.json").read_text(encoding="utf-8"))
        summary = outcome(provider, "memory_summarise", answers["memory_summarise"])
        assert isinstance(summary, str)
        assert len(summary) <= MAX_SUMMARY_CHARS

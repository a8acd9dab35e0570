import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from caesar.environment import ROOT
from memory import llm
from memory.events import Message
from memory.llm import BadAnswer
from memory.llm.answers.json_extraction import entries
from memory.llm.offline.completion import chat_reply
from memory.text import wording
from tests.memory.llm.scripted import llm_settings


@pytest.fixture(autouse=True)
def _offline() -> Any:
    with llm_settings(provider="offline"):
        yield


def document(*turns: tuple[str, str, str], known_keys: Sequence[str] = ()) -> list[Message]:
    """The messages of a memory task about these turns (speaker, status, text)."""
    conversation = [{"speaker": speaker, "status": status, "text": text} for speaker, status, text in turns]
    asked = json.dumps({"today": "2026-05-21", "known_keys": list(known_keys), "conversation": conversation})
    return [Message(role="system", content="List the facts."), Message(role="user", content=asked)]


def test_it_works() -> None:
    messages = document(
        ("operator", "earlier", "My cat's name is Olive."),
        ("assistant", "earlier", "Nice! My dog's name is Rex."),
        ("operator", "new", "My dog's name is Beans."),
    )
    answer = llm.complete(messages, task="memory_extract", json_schema={"type": "object"})
    facts = entries(answer.text)
    assert facts == [{"key": "dog.name", "value": "Beans", "confidence": 0.95, "quote": "My dog's name is Beans."}]
    assert (answer.model, answer.provider, answer.finish_reason) == ("offline", "offline", "stop")
    assert (answer.input_tokens, answer.output_tokens) == (None, None)


def test_no_facts_are_an_empty_list() -> None:
    answer = llm.complete(document(("operator", "new", "What is a monad?")), task="memory_extract")
    assert answer.text == "[]"


BREAKS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("line_break", BREAKS)
def test_every_kind_of_line_break_ends_a_sentence(line_break: str) -> None:
    text = line_break.join(["hi", "My name is Bob", "I live in Rome", "", "My dog's name is Beans"])
    answer = llm.complete(document(("operator", "new", text)), task="memory_extract")
    found = {fact["key"]: fact["value"] for fact in entries(answer.text) if isinstance(fact, dict)}
    assert found == {"user.name": "Bob", "address.city": "Rome", "dog.name": "Beans"}


@pytest.mark.parametrize("line_break", BREAKS)
def test_a_summary_quotes_one_line_only(line_break: str) -> None:
    text = line_break.join(["How do I prune roses", "and when is it too late"])
    answer = llm.complete(document(("operator", "new", text)), task="memory_summarise")
    assert answer.text == 'The operator wrote: "How do I prune roses"'


@pytest.mark.parametrize(
    "content", ["My dog's name is Beans.", "{}", "[]", '{"conversation": [{"speaker": "x"}]}', None]
)
@pytest.mark.parametrize("task", ["memory_extract", "memory_summarise"])
def test_a_memory_task_without_its_document_is_a_bad_answer(task: llm.Task, content: str | None) -> None:
    with pytest.raises(BadAnswer, match="conversation document"):
        llm.complete([Message(role="user", content=content)], task=task)


def test_a_document_with_more_in_it_is_read() -> None:
    asked = {"left_out": "3 older turns", "conversation": [{"speaker": "operator", "text": "My dog's name is Beans."}]}
    answer = llm.complete([Message(role="user", content=json.dumps(asked))], task="memory_extract")
    assert "Beans" in answer.text


# --- chat -------------------------------------------------------------------------------------------------------


def test_a_chat_is_told_that_no_model_is_connected() -> None:
    answer = llm.complete([Message(role="user", content="Who was Ada Lovelace?")], task="chat")
    assert answer.text.startswith("No language model is connected (CAESAR_LLM__PROVIDER=offline)")
    assert "set CAESAR_LLM__PROVIDER" in answer.text
    assert "held 0 remembered lines" in answer.text
    assert "Ada" not in answer.text


def test_a_chat_is_told_how_much_memory_gave() -> None:
    prompt = "\n".join(
        [
            wording.PREFACE,
            "",
            wording.FACTS_HEADING,
            "  - Your dog's name is Beans.",
            "  - You live in Ghent.",
            "",
            wording.EPISODES_HEADING,
            "  - 3 days ago: We discussed sleep.",
            "",
            "You are CAESAR.",
            "  - be brief",
        ]
    )
    assert "held 3 remembered lines" in chat_reply([Message(role="system", content=prompt)])
    assert "held 1 remembered line:" not in chat_reply([])


def test_the_reply_is_the_same_for_every_question() -> None:
    assert chat_reply([Message(role="user", content="a")]) == chat_reply([Message(role="user", content="b")])


# --- summaries --------------------------------------------------------------------------------------------------


def test_a_summary_quotes_what_is_new_and_its_answer() -> None:
    messages = document(
        ("operator", "earlier", "I bought a ladder."),
        ("assistant", "earlier", "A good one?"),
        ("operator", "new", "Hi! The tap in the kitchen drips. It is old."),
        ("assistant", "new", "Sure. Replace the washer; try a 15 mm one. Ask if it does not fit."),
    )
    assert llm.complete(messages, task="memory_summarise").text == (
        'The operator wrote: "The tap in the kitchen drips."; '
        'the assistant answered: "Replace the washer; try a 15 mm one."'
    )


def test_a_process_that_reads_no_chat_by_the_rules_does_not_load_them() -> None:
    """They take most of a second to be compiled, which every command would pay for at its start."""
    said = "import sys, memory.llm.offline; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", said], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert "memory.llm.offline.completion" in loaded.stdout.split()
    assert not [name for name in loaded.stdout.split() if name.startswith("memory.llm.offline.rules")]

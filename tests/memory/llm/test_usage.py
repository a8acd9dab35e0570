"""What answers cost is counted while a meter is open, also where an answer cannot be used."""

import json

import httpx
import pytest

from memory import llm
from memory.events import Message
from memory.llm import usage
from tests.memory.llm.scripted import completion, scripted_llm
from tests.memory.llm.scripted_embedder import scripted_embedder

ASK = [Message(role="user", content="Hi")]


def ask() -> None:
    llm.complete(ASK, task="memory_extract")


def test_it_works() -> None:
    with scripted_llm("[]", "[]", "[]"):
        with usage.metered() as meter:
            ask()
            ask()
        ask()  # the meter is closed
    assert (meter.answers, meter.input_tokens, meter.output_tokens, meter.unreported) == (2, 22, 14, 0)


def test_an_answer_that_was_cut_was_paid_for() -> None:
    cut = httpx.Response(200, json=completion("[{", finish_reason="length"))
    with scripted_llm(cut), usage.metered() as meter, pytest.raises(llm.Truncated):
        ask()
    assert (meter.answers, meter.input_tokens) == (1, 11)


def test_a_missing_count_is_named() -> None:
    body = completion("[]")
    body["usage"] = {"prompt_tokens": 3}
    with scripted_llm(httpx.Response(200, text=json.dumps(body))), usage.metered() as meter:
        ask()
    assert (meter.answers, meter.unreported, meter.input_tokens, meter.output_tokens) == (1, 1, 3, 0)


def test_a_failed_call_gave_no_answer() -> None:
    with scripted_llm(httpx.Response(401, text="no")), usage.metered() as meter, pytest.raises(llm.AccessDenied):
        ask()
    assert meter.answers == 0


def test_texts_that_got_a_vector_are_counted_and_those_that_got_none_are_not() -> None:
    with scripted_embedder() as embedder, usage.metered() as meter:
        llm.embed(["one", "two"])
        llm.embed(["three"])
        embedder.add(httpx.Response(401, text="no"))
        with pytest.raises(llm.AccessDenied):
            llm.embed(["four"])
        assert meter.embedded == 3
    assert meter.answers == 0

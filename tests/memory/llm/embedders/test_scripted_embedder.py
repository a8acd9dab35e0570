"""The embedder that tests use in place of a server."""

import httpx
import numpy as np
import pytest

from memory import llm
from memory.llm import embedding
from tests.memory.llm.scripted import scripted_llm
from tests.memory.llm.scripted_embedder import (
    MODEL_ID,
    scripted_embedder,
)


def cosine(one: str, other: str) -> float:
    with scripted_embedder():
        first, second = embedding.embed([one, other]).rows
    return float(np.dot(first, second) / np.linalg.norm(first) / np.linalg.norm(second))


def test_the_scripted_embedder_finds_texts_similar_that_share_words() -> None:
    assert cosine("Beans the dog", "the dog, Beans!") == pytest.approx(1)
    assert cosine("my dog is called Beans", "how is my dog") > 0.4
    assert cosine("my dog is called Beans", "rent rises in June") == 0
    assert cosine("\U0001f44d", "\U0001f44d") == pytest.approx(1)


def test_the_scripted_embedder_stands_beside_a_scripted_model() -> None:
    with scripted_llm(httpx.Response(503), "Hello.") as model, scripted_embedder(beside=model) as embedder:
        assert embedding.embed(["hi"]).model == MODEL_ID
        assert llm.complete([], task="chat").text == "Hello."
    assert (len(model.requests), len(embedder.requests)) == (2, 1)
    assert model.pauses == [0.5]


def test_the_scripted_embedder_says_what_it_is_not() -> None:
    with scripted_llm(), scripted_embedder(), pytest.raises(AssertionError, match="beside=llm"):
        llm.complete([], task="chat")

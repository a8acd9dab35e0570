"""The vectors of facts' texts: made in batches while there is time, kept in the process, bounded."""

import time

import httpx
import numpy as np

from memory.llm import Vectors
from memory.recall.relevant_facts.vectors import Found, TextVectors
from tests.memory.llm.scripted_embedder import DIMENSIONS, MODEL_ID, openai_answer, scripted_embedder

LIKE = Vectors(np.ones((1, DIMENSIONS), dtype=np.float32), MODEL_ID)
TEXTS = [f"note n{number}: thing {number}" for number in range(20)]


def find(kept: TextVectors, texts: list[str], *, like: Vectors = LIKE, seconds: float = 60) -> Found:
    return kept.find(texts, like=like, deadline=time.monotonic() + seconds)


def test_new_texts_are_embedded_in_one_call() -> None:
    with scripted_embedder() as embedder:
        found = find(TextVectors(), TEXTS)
    assert [request["input"] for request in embedder.requests] == [TEXTS]
    assert all(vector is not None for vector in found.vectors)
    assert found.missing == ""


def test_what_is_known_is_not_asked_for_again() -> None:
    kept = TextVectors()
    with scripted_embedder() as embedder:
        first = find(kept, TEXTS)
        again = find(kept, [*TEXTS[:-1], "note n19: another thing"])
    assert embedder.requests[1]["input"] == ["note n19: another thing"], "an edit is a text of its own"
    for one, two in zip(first.vectors[:-1], again.vectors[:-1], strict=True):
        assert one is not None
        assert two is not None
        assert np.array_equal(one, two)


def test_the_same_text_twice_is_embedded_once() -> None:
    with scripted_embedder() as embedder:
        found = find(TextVectors(), ["a", "a"])
    assert embedder.texts == ["a"]
    assert len(found.vectors) == 2


def test_no_more_are_kept_than_may_be() -> None:
    kept = TextVectors(most=3)
    with scripted_embedder() as embedder:
        find(kept, TEXTS[:3])
        find(kept, [TEXTS[0]])
        find(kept, TEXTS[3:5])
        assert len(kept) == 3
        find(kept, [TEXTS[0], *TEXTS[3:5]])
    assert len(embedder.requests) == 2, "what was needed last stays"


def test_when_time_is_up_nobody_is_asked() -> None:
    with scripted_embedder() as embedder:
        found = find(TextVectors(), TEXTS, seconds=-1)
    assert embedder.requests == []
    assert list(found.vectors) == [None] * 20
    assert found.missing == "20 facts were not embedded in time; the next turns go on with it"


def test_a_failure_is_said_and_what_came_before_it_is_kept() -> None:
    kept = TextVectors()
    texts = [f"text {number}" for number in range(40)]
    refusal = httpx.Response(401, json={"error": {"message": "no such key"}})
    with scripted_embedder() as embedder:
        embedder.add(
            lambda body: httpx.Response(200, json=openai_answer(*map(embedder.vector, body["input"]))), refusal
        )
        found = find(kept, texts)
    assert [vector is None for vector in found.vectors] == [False] * 32 + [True] * 8
    assert "no such key" in found.missing
    with scripted_embedder() as embedder:
        assert find(kept, texts).missing == ""
    assert embedder.texts == texts[32:], "the next call goes on from there"


def test_vectors_of_another_model_or_length_are_not_compared() -> None:
    kept = TextVectors()
    with scripted_embedder():
        find(kept, ["a"])
    with scripted_embedder(model="other") as embedder:
        find(kept, ["a"], like=Vectors(LIKE.rows, "openai:other"))
    assert embedder.texts == ["a"]
    with scripted_embedder(table={"a": [1.0, 0.0]}) as embedder:
        (vector,) = find(kept, ["a"], like=Vectors(np.ones((1, 2), dtype=np.float32), MODEL_ID)).vectors
    assert embedder.texts == ["a"]
    assert vector is not None
    assert vector.tolist() == [1.0, 0.0]

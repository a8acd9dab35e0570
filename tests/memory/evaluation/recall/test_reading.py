"""Conversations through the real worker, index and recall: what each question brings back, at its own time."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from memory.management.evaluation.recall import reading
from memory.management.evaluation.recall.conversations import Conversation
from memory.management.evaluation.recall.outcome import Outcome
from memory.management.evaluation.report import ModelFailed
from memory.models import AuditRow, EpisodeSummary
from tests.conftest import Configure
from tests.memory.llm.scripted import scripted_llm
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, openai_answer, scripted_embedder, word_vector

pytestmark = pytest.mark.django_db(transaction=True)

BEGAN = datetime.fromisoformat("2026-03-02T18:00:00Z")
SLUGS, NOVEL, KNEE = "slugs ate my lettuce seedlings", "the norwegian novel bored everybody", "my left knee hurts"


@pytest.fixture(autouse=True)
def record_mode(configure: Configure, memory_on: None) -> None:
    configure(semantic__enabled=True, memory__episodes_recall__similarity_threshold=0.3)


@pytest.fixture
def embedder(record_mode: None) -> Iterator[ScriptedEmbedder]:
    with scripted_embedder() as embedder:
        yield embedder


def at(days: float) -> str:
    return (BEGAN + timedelta(days=days)).isoformat()


def chat(name: str, said: str, *, days: float = 0) -> dict[str, Any]:
    messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "I see."}]
    return {"id": name, "at": at(days), "messages": messages}


def question(name: str, message: str, *evidence: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "message": message, "evidence": evidence, **fields}


def conversation(*chats: dict[str, Any], name: str = "a", **fields: Any) -> Conversation:
    return Conversation.model_validate({"id": name, "chats": chats, **fields})


def vectors(request: dict[str, Any]) -> httpx.Response:
    return httpx.Response(200, json=openai_answer(*map(word_vector, request["input"])))


def found(outcome: Outcome, size: int = 5) -> dict[str, list[str]]:
    return {answered.id: answered.found[size] for answered in outcome.answered}


def test_it_works(embedder: ScriptedEmbedder) -> None:
    given = conversation(
        chat("slugs", SLUGS),
        chat("novel", NOVEL, days=7),
        questions=[question("q1", "what ate my lettuce seedlings?", "slugs"), question("q2", "zebra", "novel")],
        unrelated=["giraffe", "was the norwegian novel any good?"],
    )
    (outcome,) = reading.read([given])
    assert outcome.answered[0].found == {1: ["slugs"], 3: ["slugs"], 5: ["slugs"]}
    assert found(outcome)["q2"] == []
    assert outcome.injected == [False, True]
    assert (outcome.unread, outcome.unsearched, outcome.failure) == (0, 0, "")
    assert (outcome.learning.count, outcome.learning.embedded) == (2, 2)
    assert (outcome.searching.count, outcome.searching.embedded) == (8, 8)  # three searches a question, one a message
    assert outcome.learning.seconds > 0


def test_chats_are_recorded_and_summed_up_at_their_own_times(embedder: ScriptedEmbedder) -> None:
    reading.read([conversation(chat("novel", NOVEL, days=7), chat("slugs", SLUGS), unrelated=["giraffe"])])
    times = [row.said_at for row in AuditRow.objects.get_queryset().chats().order_by("id")]
    assert times == [BEGAN, BEGAN + timedelta(days=7)]
    assert [one.created_at for one in EpisodeSummary.objects.order_by("id")] == times


def test_a_question_knows_nothing_of_later_chats(embedder: ScriptedEmbedder) -> None:
    words = "lettuce seedlings"
    given = conversation(
        chat("early", SLUGS),
        chat("late", SLUGS + " again", days=9),
        questions=[question("later", words, "late"), question("before", words, "early", at=at(3))],
    )
    (outcome,) = reading.read([given])
    assert found(outcome)["before"] == ["early"]
    assert sorted(found(outcome)["later"]) == ["early", "late"]
    assert len(found(outcome, size=1)["later"]) == 1


def test_conversations_in_one_store_are_told_apart(embedder: ScriptedEmbedder) -> None:
    one = conversation(chat("c", SLUGS), questions=[question("q", "my lettuce seedlings", "c")])
    other = conversation(chat("c", SLUGS + " today"), name="b", questions=[question("q", "zebra", "c")])
    outcomes = reading.read([one, other])
    assert [outcome.id for outcome in outcomes] == ["a", "b"]
    assert sorted(found(outcomes[0])["q"]) == ["b/c", "c"]


def test_a_chat_that_cannot_be_summed_up_is_counted_with_its_reason() -> None:
    given = conversation(chat("slugs", SLUGS), chat("knee", KNEE, days=1), unrelated=["giraffe", "my left knee"])
    broken = httpx.Response(500, text="out of memory")
    with scripted_llm(broken, KNEE + " and its cure") as llm, scripted_embedder(beside=llm):
        (outcome,) = reading.read([given])
    assert outcome.unread == 1
    assert "500" in outcome.failure
    assert outcome.injected == [False, True]
    assert (outcome.learning.answers, outcome.learning.input_tokens) == (1, 11)


def test_a_message_that_cannot_be_looked_for_is_counted_with_its_reason() -> None:
    given = conversation(chat("slugs", SLUGS), unrelated=["giraffe", SLUGS + " again"])
    with scripted_embedder(vectors, httpx.Response(401, text="no")):
        (outcome,) = reading.read([given])
    assert (outcome.unsearched, outcome.unread) == (1, 0)
    assert "401" in outcome.failure
    assert outcome.injected == [False, True]


def test_a_model_that_is_not_there_ends_it_all() -> None:
    given = conversation(chat("slugs", SLUGS), unrelated=["giraffe"])
    refused = httpx.Response(401, text="no")
    with scripted_llm(refused) as llm, scripted_embedder(beside=llm), pytest.raises(ModelFailed, match="401"):
        reading.read([given])


def test_an_embedder_that_fails_three_times_in_a_row_ends_it_all() -> None:
    given = conversation(chat("slugs", SLUGS), unrelated=["one", "two", "three", "four"])
    refused = [httpx.Response(401, text="no")] * 3
    with (
        scripted_embedder(vectors, *refused),
        pytest.raises(ModelFailed, match="3 chats or messages in a row could not be read"),
    ):
        reading.read([given])

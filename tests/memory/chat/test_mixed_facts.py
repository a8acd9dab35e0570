"""A turn whose facts are chosen by what is asked: what its prompt and its receipt hold, and what stays as it was."""

import logging
from datetime import datetime, timedelta
from itertools import count

import httpx
import pytest

from memory import chat, events
from memory.events import Message
from memory.models import AuditRow, PersonalFact
from memory.recall.relevant_facts import candidates_at
from memory.text import wording
from tests.conftest import Configure
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.memory.models.fact_helpers import learn
from tests.turns import answer_turn, compose_turn

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "What does Bowser eat?"
_models = count()


@pytest.fixture(autouse=True)
def mixed(configure: Configure, memory_on: None) -> None:
    configure(memory__facts__selection="mixed")


def own_model() -> str:
    """An embedder's model of this test alone, so that no vector is kept of another one."""
    return f"mixed-{next(_models)}"


def know(count: int, now: datetime) -> None:
    """Facts `note.n0`, `note.n1`, ..., the most important first; then the dog's, the least important of all."""
    for number in range(count):
        learn(f"note.n{number}", f"thing{number}", now=now - timedelta(days=number))
    learn("dog.name", "Bowser", now=now - timedelta(days=300))


def receipt(now: datetime, words: str = QUESTION) -> events.ContextServed:
    return compose_turn([Message(role="user", content=words)], use=chat.MemoryUse(), now=now).receipt


def keys(served: events.ContextServed) -> list[str]:
    return [fact.key for fact in served.facts]


def test_it_works(now: datetime) -> None:
    know(40, now)
    served = receipt(now)
    assert keys(served) == [*(f"note.n{at}" for at in range(10)), "dog.name", *(f"note.n{at}" for at in range(10, 29))]
    lines = served.block.split("\n")[3:]
    assert lines == [f"  - {fact.sentence}" for fact in served.facts]
    assert served.selection == "mixed"
    dog = served.facts[10]
    assert (dog.by, dog.sentence) == ("message", "Your dog's name is Bowser.")
    assert dog.freshness == pytest.approx(2.718281828 ** (-300 / 60))
    assert dog.relevance is not None
    assert dog.relevance.score == pytest.approx(dog.relevance.words)
    assert {fact.by for fact in (*served.facts[:10], *served.facts[11:])} == {"importance"}


def test_by_importance_nothing_else_is_looked_at(now: datetime, configure: Configure) -> None:
    know(40, now)
    with scripted_embedder(model=own_model()) as embedder:
        configure(memory__facts__selection="importance")
        served = receipt(now)
    assert embedder.texts == [QUESTION], "for episodes"
    sentences = [item.fact.sentence for item in PersonalFact.objects.by_importance(now, limit=30)]
    block = wording.facts_block(sentences, max_facts=30, max_chars=2048)
    assert served.block == f"{wording.PREFACE}\n\n{block.text}"
    assert (served.selection, served.words_alone) == ("importance", "")
    assert {(fact.by, fact.relevance) for fact in served.facts} == {("importance", None)}


def test_both_caps_hold(now: datetime, configure: Configure) -> None:
    know(40, now)
    configure(memory__facts__max_injected=12)
    assert keys(receipt(now)) == [*(f"note.n{at}" for at in range(10)), "dog.name", "note.n10"]
    configure(memory__facts__max_injected=5)
    assert keys(receipt(now)) == [f"note.n{at}" for at in range(5)]
    first = receipt(now).block.split("\n\n")[1]
    configure(memory__facts__max_injected=30, memory__facts__max_chars=len(first) + 1)
    assert keys(receipt(now)) == [f"note.n{at}" for at in range(5)], "characters end the ten as well"
    configure(memory__facts__max_injected=100, memory__facts__max_chars=2048)
    assert len(receipt(now).facts) == 30, "ten and twenty"


def test_a_line_that_does_not_fit_ends_the_list(now: datetime, configure: Configure) -> None:
    know(12, now)
    learn("dog.food", "Bowser eats " + "biscuit " * 30, now=now - timedelta(days=299))
    every = receipt(now)
    assert keys(every)[10:12] in (["dog.food", "dog.name"], ["dog.name", "dog.food"])
    ten = wording.facts_block([fact.sentence for fact in every.facts[:10]], max_facts=10, max_chars=9_999)
    configure(memory__facts__max_chars=len(ten.text) + 100)
    fitting = keys(receipt(now))[10:]
    assert fitting == keys(every)[10 : 10 + len(fitting)], "a later, shorter one does not jump the queue"
    assert "dog.food" not in fitting


def test_facts_and_episodes_share_one_embedding(now: datetime) -> None:
    know(15, now)
    with scripted_embedder(model=own_model()) as embedder:
        first = receipt(now)
        assert embedder.texts.count(QUESTION) == 1
        assert [len(request["input"]) for request in embedder.requests] == [1, 16], "the facts in one call"
        second = receipt(now)
    assert [request["input"] for request in embedder.requests[2:]] == [[QUESTION]]
    assert first.facts == second.facts
    assert first.words_alone == ""
    assert first.left_out == []


def test_with_the_embedder_out_the_words_decide_and_the_receipt_says_so(now: datetime) -> None:
    know(40, now)
    refusal = httpx.Response(401, json={"error": {"message": "no such key"}})
    with scripted_embedder(refusal, model=own_model()) as embedder:
        served = receipt(now)
    assert len(embedder.requests) == 1
    assert keys(served)[10] == "dog.name"
    assert "no such key" in served.words_alone
    assert [left.part for left in served.left_out] == ["episodes"]


def test_with_the_embedder_off_nothing_is_logged(now: datetime, caplog: pytest.LogCaptureFixture) -> None:
    know(40, now)
    with caplog.at_level(logging.WARNING):
        served = receipt(now)
    assert served.words_alone == "switched off: CAESAR_SEMANTIC__ENABLED"
    assert not caplog.records


def test_a_fact_that_cannot_be_embedded_does_not_cost_the_turn(now: datetime) -> None:
    know(40, now)
    with scripted_embedder(model=own_model()) as embedder:
        embedder.table = {QUESTION: embedder.vector(QUESTION)}
        embedder.add(lambda body: httpx.Response(200, json={"data": [{"index": 0, "embedding": [1.0, 2.0]}]}))
        embedder.add(httpx.Response(401, json={"error": {"message": "not these"}}))
        served = receipt(now)
    assert keys(served)[10] == "dog.name"
    assert "not these" in served.words_alone
    assert served.left_out == []


@pytest.mark.parametrize("change", ["forget", "end", "past", "edit"])
def test_what_does_not_hold_is_never_in_it(now: datetime, change: str) -> None:
    know(40, now)
    assert "dog.name" in keys(receipt(now))
    dog = PersonalFact.objects.get(key="dog.name")
    if change == "forget":
        dog.forget(now=now)
    elif change == "end":
        dog.end(said_at=now, now=now)
    elif change == "past":
        dog.set_valid_until((now - timedelta(days=2)).date(), now=now)
    else:
        dog.edit("Waffles", now=now - timedelta(days=300))
    block = receipt(now).block
    assert "Bowser" not in block
    assert ("Waffles" in receipt(now, "And Waffles?").block) == (change == "edit")


def test_a_fact_whose_last_day_is_over_leaves_by_itself(now: datetime) -> None:
    know(40, now)
    PersonalFact.objects.get(key="dog.name").set_valid_until(now.date(), now=now)
    assert "dog.name" in keys(receipt(now))
    assert "dog.name" not in keys(receipt(now + timedelta(days=1)))


def test_the_candidates_are_kept_until_memory_changes(now: datetime) -> None:
    know(3, now)
    kept = candidates_at(now)
    assert candidates_at(now + timedelta(days=1)) is kept
    PersonalFact.objects.get(key="dog.name").edit("Waffles", now=now)
    assert candidates_at(now) is not kept
    assert any("Waffles" in text for text in candidates_at(now).texts)


def test_the_receipt_is_kept_with_its_reasons(now: datetime) -> None:
    know(40, now)
    answered = answer_turn([Message(role="user", content=QUESTION)], use=chat.MemoryUse(), now=now)
    row = AuditRow.objects.get(event_type="memory.context.served", decision_id=answered.recorded.decision_id)
    kept = events.ContextServed.model_validate(row.payload)
    assert kept.selection == "mixed"
    assert kept.facts[10].by == "message"
    assert kept.facts[10].relevance == answered.context.receipt.facts[10].relevance


def test_receipts_from_before_are_read() -> None:
    old = {
        "block": "b",
        "facts": [{"key": "a", "sentence": "A.", "importance": 1, "freshness": 1, "confidence": 1, "edit_count": 0}],
    }
    read = events.ContextServed.model_validate(old)
    assert (read.selection, read.words_alone) == ("importance", "")
    assert (read.facts[0].by, read.facts[0].relevance) == ("importance", None)


def test_memory_kept_out_of_a_turn_asks_nobody(now: datetime) -> None:
    know(15, now)
    with scripted_embedder(model=own_model()) as embedder:
        served = compose_turn(
            [Message(role="user", content=QUESTION)], use=chat.MemoryUse(inject=False), now=now
        ).receipt
    assert embedder.requests == []
    assert served.facts == []

"""No line of a prompt repeats a value that the operator corrected, deleted or took back after it was said."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from memory.models import AuditRow, EpisodeSummary, PersonalFact
from memory.text.normalising import Claim
from tests.conftest import Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.recall.hybrid.test_recalling import composed, hybrid, past

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["hybrid"]

HOME = "I live in Portland."
SAID = [HOME, "What is it like?", "The lantern parade goes by our house in March."]
KEY = "address.city"


def learned(chat: AuditRow, value: str = "Portland", at: datetime | None = None) -> PersonalFact:
    PersonalFact.objects.learn([Claim(KEY, value, 0.9)], chat=chat, now=at or chat.ts)
    return PersonalFact.objects.get(key=KEY)


def edited(fact: PersonalFact, now: datetime) -> None:
    fact.edit("Salem", now=now)


def deleted(fact: PersonalFact, now: datetime) -> None:
    fact.forget(now=now)


def ended(fact: PersonalFact, now: datetime) -> None:
    chat = past("I moved away.", now=now, days=1)
    fact.end(said_at=chat.ts, words=None, chat=chat, now=now)


def replaced(fact: PersonalFact, now: datetime) -> None:
    learned(past("I live in Salem now.", now=now, days=1), "Salem", now)


WAYS = [edited, deleted, ended, replaced]


def block(now: datetime) -> str:
    return composed("Portland: where do I live, and which lantern parade?", now=now).receipt.block


def episodes(now: datetime) -> str:
    return block(now).partition("past conversations")[2]


def summed_up(chat: AuditRow, summary: str) -> None:
    vector = fake.word_vector(summary)
    row = EpisodeSummary.objects.filter(audit_log=chat)
    row.update(summary=summary, model=fake.MODEL_ID, embedding=vector, dimensions=len(vector))


@pytest.mark.parametrize("change", WAYS)
def test_a_quotation_leaves_it_out(now: datetime, change: Callable[[PersonalFact, datetime], None]) -> None:
    fact = learned(past(*SAID, now=now))
    assert "I live in Portland" in episodes(now)
    change(fact, now)
    told = episodes(now)
    assert "Portland" not in told
    assert "lantern parade" in told


@pytest.mark.parametrize("change", WAYS)
@pytest.mark.parametrize("mode", ["record", "hybrid"])
def test_a_summary_leaves_it_out(
    now: datetime, configure: Configure, mode: Any, change: Callable[[PersonalFact, datetime], None]
) -> None:
    configure(memory__episodes_recall__mode=mode, memory__episodes_recall__similarity_threshold=0.01)
    chat = past(*SAID, now=now)
    summed_up(chat, "The operator lives in Portland. They told of the lantern parade.")
    fact = learned(chat)
    assert "lives in Portland" in episodes(now)
    change(fact, now)
    assert "Portland" not in episodes(now)
    assert "lantern parade" in episodes(now)


@pytest.mark.parametrize("mode", ["record", "hybrid"])
def test_a_chat_that_says_nothing_else_takes_no_place(now: datetime, configure: Configure, mode: Any) -> None:
    configure(memory__episodes_recall__mode=mode, memory__episodes_recall__similarity_threshold=0.01)
    chat = past(HOME, now=now, reply="Portland it is.")
    summed_up(chat, 'The operator wrote: "I live in Portland."; the assistant answered: "Portland it is."')
    fact = learned(chat)
    assert len(composed("Portland", now=now).receipt.episodes) == 1
    deleted(fact, now)
    assert composed("Portland", now=now).receipt.episodes == []


def test_what_is_restored_is_quoted_again(now: datetime) -> None:
    fact = learned(past(*SAID, now=now))
    deletion = fact.forget(now=now)
    assert deletion is not None
    assert "Portland" not in episodes(now)
    PersonalFact.objects.restore(deletion, now=now)
    assert "I live in Portland" in episodes(now)


def test_what_is_said_after_the_change_is_quoted(now: datetime) -> None:
    fact = learned(past("I live in Portland.", now=now, days=9))
    edited(fact, now - timedelta(days=5))
    past("The airport of Portland is closed.", "Is it?", "Yes.", now=now, days=2)
    told = episodes(now)
    assert "The airport of Portland is closed." in told
    assert "I live in Portland" not in told


def test_a_short_value_counts_beside_its_key_alone(now: datetime) -> None:
    chat = past("My dog is 5 years old.", "Nice.", "We walk 5 miles a day past the lantern.", now=now)
    PersonalFact.objects.learn([Claim("dog.age", "5", 0.9)], chat=chat, now=chat.ts)
    PersonalFact.objects.get(key="dog.age").forget(now=now)
    told = composed("dog 5 miles lantern", now=now).receipt.block
    assert "5 miles" in told
    assert "My dog is 5" not in told


def test_values_in_japanese_are_found_between_their_neighbours(now: datetime) -> None:
    chat = past("私は東京に住んでいます。", "そうですか。", "提灯の祭りが好きです。", now=now)
    fact = learned(chat, "東京")
    assert "東京" in composed("東京の祭り", now=now).receipt.block
    deleted(fact, now)
    assert "東京" not in composed("東京の祭り", now=now).receipt.block

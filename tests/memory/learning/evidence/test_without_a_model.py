"""The whole way without a model: said, taken back, said again, and told to forget."""

import pytest

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.models import AuditRow, PersonalFact
from tests.memory.learning.loop_helpers import Clock, event_types, record_chat

pytestmark = pytest.mark.django_db


def say(clock: Clock, *said: str) -> None:
    for words in said:
        clock.forward(minutes=1)
        record_chat(words, now=clock.now)
        learning.run(EXTRACTION, clock=clock)


def in_prompt(clock: Clock) -> list[str]:
    return [item.fact.sentence for item in PersonalFact.objects.for_prompt(clock.now)]


def test_it_works(clock: Clock) -> None:
    say(clock, "I live in Portland.", "I no longer live in Portland, the move is done.")
    assert event_types() == ["added", "retired"]
    assert AuditRow.objects.get(event_type="memory.fact.retired").payload["quote"] == "I no longer live in Portland"
    assert in_prompt(clock) == []
    say(clock, "I live in Berlin.")
    assert in_prompt(clock) == ["You live in Berlin."]
    say(clock, "I no longer live in Portland, as I said.")
    assert in_prompt(clock) == ["You live in Berlin."], "another city ended"


def test_a_name_ends_the_key_that_has_it(clock: Clock) -> None:
    say(clock, "My dog's name is Beans.", "My cat is called Tom.", "We had to put Beans down.")
    assert in_prompt(clock) == ["Your cat's name is Tom."]


def test_told_to_forget(clock: Clock) -> None:
    say(clock, "I like jazz.", "Forget that I like jazz.")
    assert in_prompt(clock) == []
    assert AuditRow.objects.get(event_type="memory.fact.retired").payload["asked"]

"""Which values are taken for gone, and where a text is taken to say them."""

from datetime import datetime, timedelta

import pytest

from memory import events
from memory.models import AuditRow, PersonalFact, undo
from memory.recall import outdated as outdated_module
from memory.recall.outdated import outdated
from tests.memory.models.fact_helpers import fact, learn

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def test_a_true_value_of_another_key_is_said(now: datetime) -> None:
    # where another fact still holds the value, sentences about it should stay.
    learn("home.city", "Oslo", now=now)
    learn("sister.city", "Oslo", now=now)
    fact("home.city").edit("Bergen", now=now + DAY)
    assert not outdated().is_in("The operator's sister lives in Oslo.", said_at=now)


@pytest.mark.parametrize(
    ("key", "value", "new", "summary"),
    [
        ("coffee.habit", "daily", "weekly", "The operator practises the violin daily."),
        ("work.place", "home", "office", "The operator asked how to paint the walls of their home."),
        ("smoker", "true", "false", "It is true that the operator sings."),
        ("diet", "none", "vegan", "The operator visited three museums and liked none."),
        ("favourite.colour", "green", "blue", "The operator asked about green tea."),
    ],
)
def test_common_words_do_not_empty_the_past(now: datetime, key: str, value: str, new: str, summary: str) -> None:
    # a correction of one fact should not take away sentences that have nothing to do with it.
    learn(key, value, now=now)
    fact(key).edit(new, now=now + DAY)
    assert not outdated().is_in(summary, said_at=now)


def test_a_correction_is_not_forgotten_behind_2000_newer_words(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    # chats change facts all the time: that should not push the operator's own correction out.
    monkeypatch.setattr(outdated_module, "_MOST_ENDINGS", 20)
    learn("dog.name", "Bowser", now=now)
    fact("dog.name").edit("Rex", now=now + DAY)
    assert outdated().is_in("The operator's dog is Bowser.", said_at=now)
    for number in range(21):
        learn("mood.today", f"mood number {number}", now=now + 2 * DAY + number * HOUR)
    assert outdated().is_in("The operator's dog is Bowser.", said_at=now)


def test_a_fact_that_is_there_in_another_spelling_is_not_gone(now: datetime) -> None:
    # deleted under one spelling and added under another, the value holds.
    learn("pets.dog", "Bowser", now=now)
    fact("pets.dog").forget(now=now + DAY)
    PersonalFact.objects.add("pet.dog", "Bowser", now=now + 2 * DAY)
    assert not outdated().is_in("The operator's dog is Bowser.", said_at=now)


def test_a_past_value_that_came_true_again_later_may_be_quoted(now: datetime) -> None:
    # Oslo, then Bergen, then Oslo again by the operator's undo: Oslo may be said, Bergen not.
    learn("home.city", "Oslo", now=now)
    row = fact("home.city").edit("Bergen", now=now + DAY)
    undo(row, now=now + 2 * DAY)
    assert not outdated().is_in("The operator lives in Oslo.", said_at=now)
    assert outdated().is_in("The operator lives in Bergen.", said_at=now + DAY)


def test_bad_rows_break_no_recall(now: datetime) -> None:
    # a row of another version should not break recall.
    bad = {"key": "x", "value": "yes yes", "said_at": "nonsense"}
    AuditRow.objects.create(ts=now, event_type=events.FactRetired.name, fact_key="x", payload=bad)
    outdated()

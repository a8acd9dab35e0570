"""What is undone and done again is as it was, and older words change neither (decisions 2, 28)."""

from datetime import timedelta

import pytest

from memory.models import PersonalFact, let_go, let_go_keys, undo
from tests.memory.models.fact_helpers import end, fact, learn
from tests.memory.models.operator_verbs.test_undo import state

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_a_fact_that_is_let_go_again_may_leave(now):
    learn("dog.name", "Rex", now=now)
    row = let_go(fact("dog.name"), now=now + HOUR)
    back = undo(row, now=now + 2 * HOUR)
    assert let_go_keys([fact("dog.name")]) == set()
    again = undo(back, now=now + 3 * HOUR)
    assert let_go_keys([fact("dog.name")]) == {"dog.name"}
    assert let_go(fact("dog.name"), now=now + 4 * HOUR) is None
    undo(again, now=now + 5 * HOUR)
    assert let_go_keys([fact("dog.name")]) == set()


def test_a_fact_that_is_kept_again_is_kept_since_then(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").keep(now=now + HOUR)
    before = state("dog.name")
    undo(fact("dog.name").unkeep(now=now + 2 * HOUR), now=now + 3 * HOUR)
    assert state("dog.name") == before


def test_words_from_before_a_restore_do_not_end_what_was_restored(now):
    learn("like.coffee", "yes", now=now)
    deletion = fact("like.coffee").forget(now=now + 5 * HOUR)
    PersonalFact.objects.restore(deletion, now=now + 6 * HOUR)
    assert learn("dislike.coffee", "yes", now=now + 7 * HOUR, said_at=now + 3 * HOUR) == "ignored"
    assert fact("like.coffee").retired_at is None


def test_words_from_before_bringing_back_do_not_end_it_again(now):
    learn("like.coffee", "yes", now=now)
    end("like.coffee", now=now + 5 * HOUR)
    fact("like.coffee").bring_back(now=now + 6 * HOUR)
    assert learn("dislike.coffee", "yes", now=now + 7 * HOUR, said_at=now + 3 * HOUR) == "ignored"
    assert fact("like.coffee").retired_at is None


def test_newer_words_end_what_was_brought_back(now):
    learn("like.coffee", "yes", now=now)
    end("like.coffee", now=now + HOUR)
    fact("like.coffee").bring_back(now=now + 2 * HOUR)
    learn("dislike.coffee", "yes", now=now + 3 * HOUR)
    assert fact("like.coffee").retired_at is not None

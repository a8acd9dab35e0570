"""An edit that newer words replaced needs a look until the operator says which is right."""

from datetime import timedelta

import pytest

from dashboard.shared.needs.replaced import read_replaced
from memory.models import undo
from tests.memory.models.fact_helpers import fact, learn

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_a_second_newer_word_does_not_take_the_notice_away(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").edit("Max", now=now + HOUR)
    learn("dog.name", "Tom", now=now + 2 * HOUR)
    learn("dog.name", "Tim", now=now + 3 * HOUR)
    (item,) = read_replaced(now + 4 * HOUR)
    assert (item.was, item.fact.value, item.update.payload["new_value"]) == ("Max", "Tim", "Tim")


def test_a_confirmation_that_is_undone_asks_again(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").edit("Max", now=now + HOUR)
    learn("dog.name", "Tom", now=now + 2 * HOUR)
    row = fact("dog.name").confirm(now=now + 3 * HOUR)
    assert read_replaced(now + 4 * HOUR) == []
    back = undo(row, now=now + 4 * HOUR)
    assert [item.was for item in read_replaced(now + 5 * HOUR)] == ["Max"]
    undo(back, now=now + 5 * HOUR)
    assert read_replaced(now + 6 * HOUR) == []

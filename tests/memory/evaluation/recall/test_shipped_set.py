"""The ten conversations that come with the command: how many there are of what."""

import re
from collections import Counter

import pytest

from memory.management.evaluation.recall import conversations
from memory.management.evaluation.recall.conversations import Conversation

LIVES = conversations.read(conversations.SHIPPED)
_ENGLISH = "all and could does for from get had has have her his how our out she that the then there this was what when"
_MORE_ENGLISH = "where who with would you your new now the book week make something"
_GERMAN_AND_SPANISH = "der die das den dem ein eine ich sich und noch que algo con para por los las una"
FUNCTION_WORDS = frozenset(f"{_ENGLISH} {_MORE_ENGLISH} {_GERMAN_AND_SPANISH}".split())


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{3,}", text.casefold())) - FUNCTION_WORDS


def test_there_is_enough_of_each() -> None:
    kinds = Counter(question.kind for life in LIVES for question in life.questions)
    assert len(LIVES) == 10
    assert kinds == {"said": 70, "implied": 30, "date": 20}
    assert sum(len(life.unrelated) for life in LIVES) == 40
    assert all(len(life.chats) == 6 for life in LIVES)
    assert all(6 <= len(chat.messages) <= 16 for life in LIVES for chat in life.chats)


@pytest.mark.parametrize("life", LIVES, ids=[life.id for life in LIVES])
def test_what_is_implied_shares_no_word_with_what_was_said(life: Conversation) -> None:
    said = {chat.id: " ".join(message.content for message in chat.messages) for chat in life.chats}
    for question in life.questions:
        if question.kind == "implied":
            for name in question.evidence:
                assert not words(question.message) & words(said[name]), question.message


def test_the_chats_of_a_life_lie_weeks_apart() -> None:
    for life in LIVES:
        times = [chat.at for chat in life.chats]
        assert times == sorted(times)
        assert 40 <= (times[-1] - times[0]).days <= 90

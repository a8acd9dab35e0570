"""Which chats are the conversation that is going on, however little of it a client sends (decision 12)."""

from datetime import datetime, timedelta

import pytest

from memory.conversation import Conversation
from memory.events import Message
from memory.recall.ongoing import RECENT, ongoing_chats
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db

LONG = ["Which violas are made in Cremona?", "And who makes the small ones?", "What do they cost?", "Thank you."]


def said(number: int) -> Message:
    return user(LONG[number])


def answer(number: int) -> Message:
    return assistant(f"This is answer number {number}, at some length.")


def conversation(first: int, last: int) -> list[Message]:
    """The turns from `first` to the question `last`."""
    return [one for number in range(first, last) for one in (said(number), answer(number))] + [said(last)]


def record(first: int, last: int, *, now: datetime) -> int:
    return record_turn(conversation(first, last), str(answer(last).content), now=now).audit_log_id


def ongoing(messages: list[Message], *, now: datetime, conversation_id: str | None = None) -> frozenset[int]:
    return ongoing_chats(Conversation(messages, conversation_id), now=now)


def test_whole_history(now: datetime) -> None:
    chats = {record(0, last, now=now) for last in range(3)}
    assert ongoing(conversation(0, 3), now=now) == chats


def test_only_the_last_turns(now: datetime) -> None:
    chats = {record(max(0, last - 1), last, now=now + timedelta(minutes=last)) for last in range(3)}
    assert ongoing(conversation(2, 3), now=now + timedelta(hours=1)) == chats


def test_only_the_last_answer(now: datetime) -> None:
    chat = record(0, 0, now=now)
    assert ongoing([answer(0), said(1)], now=now + timedelta(hours=1)) == {chat}


def test_not_what_was_said_long_ago(now: datetime) -> None:
    record(0, 1, now=now)
    assert ongoing([said(1), assistant("Another answer."), said(3)], now=now + RECENT + timedelta(hours=1)) == set()


def test_not_for_a_word_or_two(now: datetime) -> None:
    record_turn([said(0), answer(0), user("Thank you.")], "You are welcome, any time.", now=now)
    assert ongoing([user("Thank you."), assistant("Bye for now, then."), said(2)], now=now) == set()


def test_a_message_alone_goes_on_with_nothing(now: datetime) -> None:
    record(0, 0, now=now)
    assert ongoing([said(1)], now=now) == set()

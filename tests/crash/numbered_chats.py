"""Numbered chats: recorded by the tests, and checked to have been learned from exactly once."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count

from memory.events import Message
from memory.models import AuditRow, Cursor, EpisodeSummary, ExtractCursor, PersonalFact, SummariseCursor
from tests.turns import record_turn

CURSORS: dict[str, type[Cursor]] = {"extract": ExtractCursor, "summarise": SummariseCursor}
MARK = re.compile(r"chat-\d{4}")


def mark(number: int) -> str:
    """The mark in the text of a chat, by which the model server counts it."""
    return f"chat-{number:04d}"


def mark_of(chat: AuditRow) -> str:
    """The mark in a recorded chat."""
    found = MARK.search(str(chat.payload["messages"]))
    assert found, chat.payload
    return found[0]


def said(number: int) -> str:
    """What the operator says in the chat of that number."""
    return f"In {mark(number)} my locker is number {number:04d}."


def record_chats(numbers: Sequence[int], *, now: datetime) -> None:
    """Record one chat for each number."""
    for number in numbers:
        messages = [Message(role="user", content=said(number))]
        record_turn(messages, "ok", now=now)


def assert_learned_once(job: str, numbers: Sequence[int]) -> None:
    """Every chat was learned from once, and nothing else was written."""
    chats = Counter(AuditRow.objects.get_queryset().chats().values_list("pk", flat=True))
    assert len(chats) == len(numbers)
    rows = AuditRow.objects.exclude(event_type="chat.completed")
    by_chat = dict(rows.values_list("chat_id").annotate(count=Count("*")).order_by())
    assert by_chat == dict(chats), "one audit row for each chat"
    kinds = set(rows.values_list("event_type", flat=True))
    if job == "extract":
        assert kinds == {"memory.fact.added"}
        facts = PersonalFact.objects.values_list("key", "value", "source_audit_id")
        assert {(key, value) for key, value, _ in facts} == {
            (f"locker.n{number:04d}", f"number {number:04d}") for number in numbers
        }
        assert Counter(source for _, _, source in facts) == chats
    else:
        assert kinds == {"memory.episode.summarised"}
        assert Counter(EpisodeSummary.objects.values_list("audit_log_id", flat=True)) == chats
        assert set(EpisodeSummary.objects.values_list("summary", flat=True)) == {
            f"We discussed the locker of {mark(number)}." for number in numbers
        }
    cursor = CURSORS[job].current()
    assert (cursor.last_audit_id, cursor.attempts, cursor.last_error) == (max(chats), 0, "")
    assert cursor.claimed_until is None

"""Chats that can be told apart, and what has to have become of them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count

from memory.events import Message
from memory.models import AuditRow, Cursor, EpisodeSummary, ExtractCursor, PersonalFact, SummariseCursor
from tests.turns import record_turn

CURSORS: dict[str, type[Cursor]] = {"extract": ExtractCursor, "summarise": SummariseCursor}
NOT_LEARNT = ("chat.completed",)


def mark(number: int) -> str:
    return f"chat-{number:04d}"


def say_all(numbers: Sequence[int], *, now: datetime) -> None:
    """Record one chat for each number."""
    for number in numbers:
        messages = [Message(role="user", content=f"In {mark(number)} my locker is number {number:04d}.")]
        record_turn(messages, "ok", now=now)


def learnt_once(job: str, numbers: Sequence[int]) -> None:
    """Every chat was settled once, and nothing else was written."""
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

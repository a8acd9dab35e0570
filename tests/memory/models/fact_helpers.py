"""What the tests of facts share: learning from a chat, and the audit rows it left."""

from datetime import datetime

from memory import events
from memory.models import AuditRow, Ending, Learned, PersonalFact, WaitingFact, retire
from memory.text import normalising
from memory.text.quotes import Quoted


def record_chat(now: datetime, *, said_at: datetime | None = None) -> AuditRow:
    event = events.ChatCompleted(
        messages=[events.Message(role="user", content="hello")], reply="ok", occurred_at=said_at
    )
    return AuditRow.objects.record(event, now=now)


def learn(key: str, value: str, *, now: datetime, said_at: datetime | None = None, confidence: float = 0.9) -> Learned:
    source = record_chat(now, said_at=said_at)
    return PersonalFact.objects.learn([normalising.Claim(key, value, confidence)], chat=source, now=now)[key]


def fact(key: str) -> PersonalFact:
    return PersonalFact.objects.get(key=key)


def event_types(key: str | None = None) -> list[str]:
    rows = AuditRow.objects.exclude(event_type="chat.completed").order_by("id")
    return list((rows.filter(fact_key=key) if key else rows).values_list("event_type", flat=True))


def claim_that_waits(
    key: str, value: str, *, now: datetime, quote: str = "nobody said this", said_at: datetime | None = None
) -> WaitingFact:
    """A claim that waits for review, since its quote was not said."""
    claim = normalising.Claim(key, value, 0.8, quote=quote)
    WaitingFact.objects.wait([claim], chat=record_chat(now, said_at=said_at), now=now)
    return WaitingFact.objects.get(claim_hash=claim.hash)


def end(key: str, *, now: datetime, value: str = "", said_at: datetime | None = None, words: str = "it ended") -> str:
    """Have a chat say that this key ends; what became of it."""
    ending = Ending(key, value, Quoted(words, 0, 0, len(words)))
    counts = retire([ending], chat=record_chat(now, said_at=said_at), now=now)
    return next(name for name, count in counts.items() if count)

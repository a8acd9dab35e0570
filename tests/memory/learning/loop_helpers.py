"""What the tests of the worker loop share: a clock that stands still, chats, runs of the extractor."""

import json
from datetime import datetime, timedelta

import httpx

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.models import AuditRow, ExtractCursor
from tests.memory import chat_helpers
from tests.memory.llm.scripted import Answer, ScriptedLLM, scripted_llm

BAD = "this is no JSON"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


def fruit(name: str) -> str:
    return json.dumps([{"key": f"fruit.{name}", "value": name, "confidence": 0.9}])


def record_chat(text: str, *, now: datetime, learn: bool = True) -> int:
    """Record a chat of one message; its id."""
    return chat_helpers.record_chat(text, now, learn=learn).pk


def run(clock: Clock, *answers: Answer) -> tuple[learning.Tally, ScriptedLLM]:
    with scripted_llm(*answers) as llm:
        return learning.run(EXTRACTION, clock=clock), llm


def event_types() -> list[str]:
    rows = AuditRow.objects.exclude(event_type="chat.completed").order_by("id")
    return [row.event_type.removeprefix("memory.fact.") for row in rows]


def cursor() -> ExtractCursor:
    return ExtractCursor.current()


def unavailable() -> httpx.Response:
    return httpx.Response(503, text="down for maintenance")

"""Turns: what memory puts into their prompts, who answers them, and how they are written down."""

from memory.chat.answering import Answered, answer
from memory.chat.context import Context, compose, serve
from memory.chat.finishing import record_waiting
from memory.chat.passing import NO_MEMORY, record_passed
from memory.chat.recording import MOST_AHEAD, Outcome, Recorded, TurnRefused, record
from memory.chat.spool import KeptAnswer
from memory.chat.turn import MemoryUse, Reply, Turn

__all__ = [
    "MOST_AHEAD",
    "NO_MEMORY",
    "Answered",
    "Context",
    "KeptAnswer",
    "MemoryUse",
    "Outcome",
    "Recorded",
    "Reply",
    "Turn",
    "TurnRefused",
    "answer",
    "compose",
    "record",
    "record_passed",
    "record_waiting",
    "serve",
]

"""Turns: what memory puts into their prompts, who answers them, and how they are written down."""

from memory.chat.answering import Answered, answer
from memory.chat.context import Context, compose, serve
from memory.chat.recording import MOST_AHEAD, Recorded, TurnRefused, record
from memory.chat.turn import MemoryUse, Reply, Turn

__all__ = [
    "MOST_AHEAD",
    "Answered",
    "Context",
    "MemoryUse",
    "Recorded",
    "Reply",
    "Turn",
    "TurnRefused",
    "answer",
    "compose",
    "record",
    "serve",
]

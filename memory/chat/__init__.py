"""Turns: what memory puts into their prompts, who answers them, and how they are written down."""

from memory.chat.context import Context, MemoryUse, compose, serve
from memory.chat.recording import MOST_AHEAD, Recorded, TurnRefused, record
from memory.chat.turn import Turn, answer

__all__ = [
    "MOST_AHEAD",
    "Context",
    "MemoryUse",
    "Recorded",
    "Turn",
    "TurnRefused",
    "answer",
    "compose",
    "record",
    "serve",
]

"""What was said in a chat, cut into the pieces that recall by content searches: windows of turns, and their words."""

from memory.units.packing import PackedVectors, pack, turn_terms, units_of, unpack_vectors, whole_numbers
from memory.units.turns import SpokenTurn, spoken_turns
from memory.units.windows import WORD_WINDOW_TURNS, ChatWindows, chat_windows

__all__ = [
    "WORD_WINDOW_TURNS",
    "ChatWindows",
    "PackedVectors",
    "SpokenTurn",
    "chat_windows",
    "pack",
    "spoken_turns",
    "turn_terms",
    "units_of",
    "unpack_vectors",
    "whole_numbers",
]

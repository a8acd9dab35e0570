"""One chat as one JSON document, as the memory's tasks send it: no text in it can open a turn (decision 6)."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from memory import transcript
from memory.events import Message
from memory.text import lines


@dataclass(frozen=True)
class Turn:
    """One turn of the document."""

    speaker: str
    status: str
    text: str


def turns_of(messages: Sequence[Message], new: Collection[int]) -> list[Turn]:
    """The words of operator and assistant; `new`: indices of the messages that this chat adds.

    System messages, tool output and our own memory block are left out.
    """
    turns: list[Turn] = []
    for index, message in enumerate(messages):
        words = transcript.said(message)
        if not words or not (transcript.is_operator(message) or transcript.is_assistant(message)):
            continue
        speaker = "operator" if transcript.is_operator(message) else "assistant"
        turns.append(Turn(speaker, "new" if index in new else "earlier", words))
    return turns


@dataclass(frozen=True)
class Fitted:
    """A document as it is sent, and how many of its new turns there was no room for."""

    text: str
    unread: int


@dataclass(frozen=True)
class Document:
    """One chat as one JSON document, so that no text in it can open a turn (decision 6)."""

    today: str
    known_keys: Sequence[str]
    turns: Sequence[Turn]

    def fitted(self, max_chars: int) -> "Fitted":
        """The document as JSON in at most `max_chars` characters, the cuts marked.

        Earlier turns go first, the oldest before the newest; then the longest new ones are cut in the middle; and only
        where there are hundreds of new ones do the oldest of these go.
        """
        turns = self._fitting(max_chars)
        return Fitted(self._encoded(turns), _new_count(self.turns) - _new_count(turns))

    def _fitting(self, max_chars: int) -> list[Turn]:
        budget = max_chars
        while len(encoded := self._encoded(turns := _fit(self.turns, budget))) > max_chars and budget > 0:
            budget = budget * max_chars // (len(encoded) + 1) - 1
        return turns

    def _encoded(self, turns: Sequence[Turn]) -> str:
        document: dict[str, JsonValue] = {
            "today": self.today,
            "known_keys": list(self.known_keys),
            "conversation": [{"speaker": turn.speaker, "status": turn.status, "text": turn.text} for turn in turns],
        }
        if len(turns) < len(self.turns):
            document["left_out"] = f"{len(self.turns) - len(turns)} older turns"
        return json.dumps(document, ensure_ascii=False)


def _new_count(turns: Sequence[Turn]) -> int:
    return sum(turn.status == "new" for turn in turns)


_TURN_CHARS = 60  # what a turn costs beside its text
_FEWEST_CHARS = 100  # of a turn worth sending


def _fit(turns: Sequence[Turn], budget: int) -> list[Turn]:
    """The turns that `budget` characters have room for: the new ones, cut to an even share where they must be (the
    latest of them where even that is too many), then the latest earlier ones, each cut to a quarter of what is left."""
    new = [place for place, turn in enumerate(turns) if turn.status == "new"]
    new = new[-max(budget // (_TURN_CHARS + _FEWEST_CHARS), 1) :]
    longest = _even_share([len(turns[place].text) + _TURN_CHARS for place in new], budget) - _TURN_CHARS
    fitted = {place: lines.cut(turns[place].text, max(longest, 1)) for place in new}
    left = budget - sum(len(words) + _TURN_CHARS for words in fitted.values())
    for place in reversed(range(len(turns))):
        if turns[place].status == "new":
            continue
        words = lines.cut(turns[place].text, max(left // 4, _FEWEST_CHARS))
        left -= len(words) + _TURN_CHARS
        if left < 0:
            break
        fitted[place] = words
    return [replace(turns[place], text=fitted[place]) for place in sorted(fitted)]


def _even_share(lengths: Sequence[int], budget: int) -> int:
    """The bound that, put on each length, makes them fit `budget` together: short ones leave room for long ones."""
    left, share = budget, budget
    for place, length in enumerate(sorted(lengths)):
        share = left // (len(lengths) - place)
        if length > share:
            return share
        left -= length
    return max([share, *lengths])

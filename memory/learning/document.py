"""One chat as one JSON document, as the memory's tasks send it: no text in it can open a turn (decision 6)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from memory import transcript
from memory.conversation import said_pieces
from memory.events import ChatCompleted
from memory.llm.answers.reasoning import without_reasoning
from memory.text import lines


@dataclass(frozen=True)
class Turn:
    """One turn of the document."""

    speaker: str
    status: str
    text: str

    @property
    def teaches(self) -> bool:
        """Whether these are the operator's new words."""
        return self.speaker == "operator" and self.status == "new"


def document_turns(completed: ChatCompleted) -> list[Turn]:
    """What operator and assistant said in a recorded chat. What it adds is new, piece by piece (decision 25).

    System messages, tool output, our own memory block and what the assistant only thought are left out.
    """
    said, turns = said_pieces(completed), list[Turn]()
    for index, message in enumerate(completed.messages):
        if index in said:
            turns += [Turn("operator", "new" if one.is_new else "earlier", one.text.strip()) for one in said[index]]
        elif transcript.is_assistant(message) and (words := without_reasoning(transcript.own_words(message))):
            turns.append(Turn("assistant", "earlier", words))
    return turns


@dataclass(frozen=True)
class FittedDocument:
    """A document as it is sent; `unread`: how many of its new turns there was no room for."""

    text: str
    unread: int


@dataclass(frozen=True)
class Document:
    """One chat as one JSON document, so that no text in it can open a turn (decision 6).

    `ended_keys`: keys of facts that are no longer true, to be used again for a new value.
    """

    today: str
    known_keys: Sequence[str]
    turns: Sequence[Turn]
    ended_keys: Sequence[str] = ()

    def fit(self, max_chars: int) -> FittedDocument:
        """The document as JSON in at most `max_chars` characters, with marks where it was cut.

        Earlier turns are dropped first, the oldest before the newest. Then the longest new turns are cut in the
        middle. The oldest new turns are dropped only where there are hundreds of them.
        """
        turns = self._turns_within(max_chars)
        return FittedDocument(self._to_json(turns), _count_new(self.turns) - _count_new(turns))

    def _turns_within(self, max_chars: int) -> list[Turn]:
        """The turns whose JSON fits. Escaping lengthens text, so the budget shrinks until the JSON is short enough."""
        budget = max_chars
        while len(encoded := self._to_json(turns := _fit_turns(self.turns, budget))) > max_chars and budget > 0:
            budget = budget * max_chars // (len(encoded) + 1) - 1
        return turns

    def _to_json(self, turns: Sequence[Turn]) -> str:
        document: dict[str, JsonValue] = {
            "today": self.today,
            "known_keys": list(self.known_keys),
            "conversation": [{"speaker": turn.speaker, "status": turn.status, "text": turn.text} for turn in turns],
        }
        if self.ended_keys:
            document["ended_keys"] = list(self.ended_keys)
        if len(turns) < len(self.turns):
            document["left_out"] = f"{len(self.turns) - len(turns)} older turns"
        return json.dumps(document, ensure_ascii=False)


def _count_new(turns: Sequence[Turn]) -> int:
    return sum(turn.status == "new" for turn in turns)


_TURN_OVERHEAD_CHARS = 60  # the JSON around a turn's text
_MIN_TURN_CHARS = 100  # a shorter piece of a turn is not worth sending


def _fit_turns(turns: Sequence[Turn], budget: int) -> list[Turn]:
    """The turns that fit into `budget` characters, in their order.

    The new turns come first, all cut to one common length where they must be; only the latest of them where there are
    too many even for that. Then the latest earlier turns, each cut to a quarter of the remaining budget.
    """
    new = [index for index, turn in enumerate(turns) if turn.status == "new"]
    new = new[-max(budget // (_TURN_OVERHEAD_CHARS + _MIN_TURN_CHARS), 1) :]
    lengths = [len(turns[index].text) + _TURN_OVERHEAD_CHARS for index in new]
    limit = _common_limit(lengths, budget) - _TURN_OVERHEAD_CHARS
    fitted = {index: lines.cut_middle(turns[index].text, max(limit, 1)) for index in new}
    remaining = budget - sum(len(words) + _TURN_OVERHEAD_CHARS for words in fitted.values())
    for index in reversed(range(len(turns))):
        if turns[index].status == "new":
            continue
        words = lines.cut_middle(turns[index].text, max(remaining // 4, _MIN_TURN_CHARS))
        remaining -= len(words) + _TURN_OVERHEAD_CHARS
        if remaining < 0:
            break
        fitted[index] = words
    return [replace(turns[index], text=fitted[index]) for index in sorted(fitted)]


def _common_limit(lengths: Sequence[int], budget: int) -> int:
    """The limit for each length with which all of them fit into `budget`. Short ones leave room for long ones."""
    remaining, share = budget, budget
    for index, length in enumerate(sorted(lengths)):
        share = remaining // (len(lengths) - index)
        if length > share:
            return share
        remaining -= length
    return max([share, *lengths])

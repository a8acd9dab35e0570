"""Which neighbouring turns of a chat are one window: the units that recall by content compares a message with."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.text.lines import shorten
from memory.units.turns import SpokenTurn

WINDOW_TURNS = 4
STEP_TURNS = 2
WORD_WINDOW_TURNS = 3
MAX_WINDOWS = 512
MAX_WINDOW_CHARS = 2_000
"""What the embedded embedder reads; each turn of a longer window is cut to its share."""

_MAX_LONE_CHARS = 1_200
_MAX_ANSWER_CHARS = 400


@dataclass(frozen=True)
class ChatWindows:
    """A chat as its units see it. `turns`: the new ones, behind the `context` last ones of before.

    `ranges`: for each vector the turns that it is of, as indices of `turns`.
    """

    turns: Sequence[SpokenTurn]
    context: int
    ranges: Sequence[range]

    @property
    def texts(self) -> list[str]:
        """What is embedded for each window: what was said, without who said it."""
        return [_window_text([self.turns[index].text for index in indices]) for indices in self.ranges]


def chat_windows(turns: Sequence[SpokenTurn]) -> ChatWindows:
    """The windows of a chat that hold something new: 4 turns, every second one begins one.

    They are counted from the conversation's first turn, so that a conversation that was recorded turn by turn has the
    windows of one that was recorded whole. One exchange has the vector of the operator's message alone, and the words
    of that and of the answer's beginning: a long answer would only add words that were not asked for. Where there would
    be more than `MAX_WINDOWS`, all of them are wider.
    """
    first_new = next((index for index, turn in enumerate(turns) if turn.is_new), len(turns))
    if first_new == len(turns):
        return ChatWindows((), 0, ())
    if lone := _exchange(turns):
        return ChatWindows(lone, 0, [range(1)])
    step = STEP_TURNS * (1 + (len(turns) - first_new) // (STEP_TURNS * MAX_WINDOWS))
    width = step * WINDOW_TURNS // STEP_TURNS
    starts = [start for start in range(0, len(turns), step) if start == 0 or start + step < len(turns)]
    windows = [range(start, min(start + width, len(turns))) for start in starts]
    windows = [window for window in windows if window.stop > first_new]
    begin = max(0, min([window.start for window in windows] + [first_new - WORD_WINDOW_TURNS + 1]))
    moved = [range(window.start - begin, window.stop - begin) for window in windows]
    context = first_new - begin
    return ChatWindows(turns[begin:], context, moved)


def _exchange(turns: Sequence[SpokenTurn]) -> list[SpokenTurn]:
    """The operator's message and the answer of a chat that is one exchange, both cut; [] for any other chat."""
    by_operator = [turn for turn in turns if turn.by_operator]
    if len(turns) > 2 or len(by_operator) != 1:
        return []
    message = SpokenTurn(True, shorten(by_operator[0].text, _MAX_LONE_CHARS), True)
    answers = [turn for turn in turns if not turn.by_operator]
    return [message, *(SpokenTurn(False, shorten(turn.text, _MAX_ANSWER_CHARS), True) for turn in answers)]


def _window_text(texts: Sequence[str]) -> str:
    whole = "\n".join(texts)
    if len(whole) <= MAX_WINDOW_CHARS:
        return whole
    share = MAX_WINDOW_CHARS // len(texts)
    return "\n".join(shorten(text, share) for text in texts)

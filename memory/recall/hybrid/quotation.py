"""What the prompt says of a conversation that was found: the words that fit, or the summary where that has them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memory.events import ChatCompleted
from memory.text import sentences, terms
from memory.text.lines import one_line, shorten
from memory.units import WORD_WINDOW_TURNS, ChatWindows, SpokenTurn, chat_windows, spoken_turns, turn_terms

MAX_SENTENCE_CHARS = 240
_COVERED = 0.6
_IS_QUOTATION = re.compile(r"The (?:operator|assistant) [a-z]+: \"")  # the summary of a chat that no model read
_WROTE = {True: "The operator wrote", False: "the assistant answered"}


@dataclass(frozen=True)
class Place:
    """Where in a chat's units a message was found: its nearest window, and the turn its best word window begins with.

    `by_words`: whether its words were found there together, so that they say which sentence it was.
    """

    window: int
    turn: int
    by_words: bool


@dataclass(frozen=True)
class _Sentence:
    by_operator: bool
    text: str
    order: int
    words: frozenset[int]


def line(
    completed: ChatCompleted,
    summary: str,
    place: Place,
    weights: Mapping[int, float],
    is_outdated: Callable[[str], bool] = lambda text: False,
) -> str:
    """One line about a chat. `weights`: the idf of the message's words, hashed.

    A model's summary stands where it has most of the words that were found, or where the chat was found by meaning.
    Else up to two sentences are quoted from the window that fits. No sentence is quoted that `is_outdated`; `summary`
    holds none.
    """
    windows = chat_windows(spoken_turns(completed))
    said = [one for one in _sentences(_turns(windows, place)) if not is_outdated(one.text)]
    found = {word: weight for word, weight in weights.items() if any(word in one.words for one in said)}
    if summary and not _IS_QUOTATION.match(summary) and _share(summary, found) >= (_COVERED if place.by_words else 0.0):
        return summary
    quoted = _best(said, found)
    return _quotation(quoted) if quoted else summary


def opening(completed: ChatCompleted) -> str:
    """What is quoted of a chat without a summary that was found by its meaning: its most telling sentence."""
    return line(completed, "", Place(window=0, turn=0, by_words=False), {})


def _turns(windows: ChatWindows, place: Place) -> Sequence[SpokenTurn]:
    """The turns of the window that fits; all of them where the chat's row has changed since."""
    if place.by_words:
        return windows.turns[place.turn : place.turn + WORD_WINDOW_TURNS] or windows.turns
    if place.window < len(windows.ranges):
        return [windows.turns[index] for index in windows.ranges[place.window]]
    return windows.turns


def _sentences(turns: Sequence[SpokenTurn]) -> list[_Sentence]:
    language = terms.language_of("\n".join(turn.text for turn in turns))
    found: list[_Sentence] = []
    for turn in turns:
        for piece in sentences.split(turn.text):
            text = one_line(turn.text[piece.start : piece.end])
            words = frozenset(turn_terms(text, language=language).tolist())
            found.append(_Sentence(turn.by_operator, text, len(found), words))
    return found


def _share(summary: str, found: Mapping[int, float]) -> float:
    """The part of the found words' weight that a summary has; 0 where nothing was found."""
    own = set(turn_terms(summary, language=terms.language_of(summary)).tolist())
    total = sum(found.values())
    return sum(weight for word, weight in found.items() if word in own) / total if total else 0.0


def _best(said: Sequence[_Sentence], found: Mapping[int, float]) -> list[_Sentence]:
    """The sentence with most of the words, and one that has others of them; in their order."""
    if not any(one.text for one in said):
        return []
    first = max(said, key=lambda one: (_weight(one, found, set()), one.by_operator, len(one.words), -one.order))
    rest = [one for one in said if one is not first]
    second = max(rest, key=lambda one: (_weight(one, found, first.words), -one.order), default=None)
    if second is None or _weight(second, found, first.words) <= 0:
        return [first]
    return sorted([first, second], key=lambda one: one.order)


def _weight(one: _Sentence, found: Mapping[int, float], without: frozenset[int] | set[int]) -> float:
    return sum(weight for word, weight in found.items() if word in one.words and word not in without)


def _quotation(quoted: Sequence[_Sentence]) -> str:
    """`The operator wrote: "..."; the assistant answered: "..."`"""
    parts: list[tuple[bool, str]] = []
    for one in quoted:
        text = shorten(one.text, MAX_SENTENCE_CHARS)
        if parts and parts[-1][0] == one.by_operator:
            parts[-1] = (one.by_operator, f"{parts[-1][1]} {text}")
        else:
            parts.append((one.by_operator, text))
    line = "; ".join(f'{_WROTE[by_operator]}: "{text}"' for by_operator, text in parts)
    return line[:1].upper() + line[1:]

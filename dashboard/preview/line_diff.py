"""What becomes of the lines of a text: which are added, which removed, and which stand elsewhere."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

Mark = Literal["", "added", "removed", "moved"]
Item = TypeVar("Item", bound=Hashable)


@dataclass(frozen=True)
class Line:
    """One line and what became of it."""

    text: str
    mark: Mark = ""


def compared(before: str, after: str) -> list[Line]:
    """The lines of `after`, with those that are gone at the places where they stood.

    As few lines as possible count as moved. Blank lines are never marked.
    """
    lines = marked(before.split("\n"), after.split("\n"))
    return [Line(text, mark if text else "") for text, mark in lines if text or mark != "removed"]


def marked(before: Sequence[Item], after: Sequence[Item]) -> Iterator[tuple[Item, Mark]]:
    """The items of `after` with their marks, and the removed ones where they stood. Equal items are told apart."""
    places = {item: place for place, item in enumerate(_numbered(before))}
    numbered = list(_numbered(after))
    kept = [places[item] for item in numbered if item in places]
    stay, still_there = set(_longest_rise(kept)), set(kept)
    gone = iter([place for place in range(len(before)) if place not in still_there])
    next_gone = next(gone, None)
    for item in numbered:
        place = places.get(item)
        while place in stay and next_gone is not None and next_gone < place:
            yield before[next_gone], "removed"
            next_gone = next(gone, None)
        yield item[0], "added" if place is None else "" if place in stay else "moved"
    while next_gone is not None:
        yield before[next_gone], "removed"
        next_gone = next(gone, None)


def _numbered(items: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """Each item with how often it came before."""
    seen = Counter[Item]()
    for item in items:
        yield item, seen[item]
        seen[item] += 1


def _longest_rise(numbers: Sequence[int]) -> list[int]:
    """A longest rising subsequence of different numbers: what need not move for the rest to be put in order."""
    ends: list[int] = []  # the lowest number that a rise of this length can end with
    before: dict[int, int] = {}
    for number in numbers:
        length = bisect_left(ends, number)
        if length:
            before[number] = ends[length - 1]
        ends[length : length + 1] = [number]
    rise = ends[-1:]
    while rise and rise[-1] in before:
        rise.append(before[rise[-1]])
    return rise[::-1]

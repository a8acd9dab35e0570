"""Compares two texts line by line: which lines are added, removed or moved."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

ChangeMark = Literal["", "added", "removed", "moved"]
Item = TypeVar("Item", bound=Hashable)


@dataclass(frozen=True)
class DiffLine:
    """One line and what happened to it."""

    text: str
    mark: ChangeMark = ""


def diff_lines(before: str, after: str) -> list[DiffLine]:
    """The lines of `after`, with the removed lines where they were.

    As few lines as possible count as moved. Blank lines are never marked.
    """
    lines = diff_items(before.split("\n"), after.split("\n"))
    return [DiffLine(text, mark if text else "") for text, mark in lines if text or mark != "removed"]


def diff_items(before: Sequence[Item], after: Sequence[Item]) -> Iterator[tuple[Item, ChangeMark]]:
    """The items of `after` with their marks, and the removed ones where they were. Equal items are told apart."""
    places = {item: place for place, item in enumerate(_with_occurrence(before))}
    numbered = list(_with_occurrence(after))
    kept = [places[item] for item in numbered if item in places]
    stay, still_there = set(_longest_increasing_subsequence(kept)), set(kept)
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


def _with_occurrence(items: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """Each item with the number of equal items before it."""
    seen = Counter[Item]()
    for item in items:
        yield item, seen[item]
        seen[item] += 1


def _longest_increasing_subsequence(numbers: Sequence[int]) -> list[int]:
    """A longest increasing subsequence of distinct numbers: the items that can stay when the others move."""
    ends: list[int] = []  # the lowest number that a sequence of each length can end with
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

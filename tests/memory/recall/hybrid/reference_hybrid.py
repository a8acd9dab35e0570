"""The reference for recall by content: its score in plain Python, from the formula as it is written down, over the rows
as they are stored. The search must equal it."""

import math
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import combinations

import numpy as np
import pytest

from memory.models import EpisodeUnits
from memory.recall.hybrid import dates
from memory.recall.hybrid import search as hybrid
from memory.recall.hybrid.search import Query, SearchResult
from memory.text import terms
from memory.units import turn_terms

Terms = Sequence[int]
Numbers = dict[int, float]
"""One number for each conversation."""


@dataclass(frozen=True)
class Chat:
    """One row of units, decoded."""

    id: int
    audit_id: int
    created_at: datetime
    conversation: int
    model: str
    vectors: list[list[float]]
    turns: list[list[int]]
    context: int

    @property
    def word_windows(self) -> list[list[int]]:
        """Windows of 3 turns, step 1, that have a new one; all of a shorter chat."""
        starts = range(max(1, len(self.turns) - 2)) if self.turns else range(0)
        return [sum(self.turns[at : at + 3], []) for at in starts if at + 3 > self.context]


def stored() -> list[Chat]:
    """All units as they are now."""
    rows = EpisodeUnits.objects.select_related("episode").order_by("pk")
    return [_chat(row) for row in rows]


def _chat(row: EpisodeUnits) -> Chat:
    scales = _unpacked(row.scales, "f", 4)
    numbers = _unpacked(row.vectors, "b", 1)
    d = row.dimensions
    words, turns = list(_unpacked(row.terms, "I", 4)), list[list[int]]()
    for length in _unpacked(row.turn_lengths, "I", 4):
        turns.append([int(word) for word in words[: int(length)]])
        words = words[int(length) :]
    return Chat(
        id=row.pk,
        audit_id=row.episode.audit_log_id,
        created_at=row.episode.created_at,
        conversation=row.conversation,
        model=row.model,
        vectors=[[number * scale for number in numbers[at * d : at * d + d]] for at, scale in enumerate(scales)],
        turns=turns,
        context=row.context,
    )


def _unpacked(data: bytes, kind: str, size: int) -> tuple[float, ...]:
    return struct.unpack(f"<{len(data) // size}{kind}", bytes(data))


def idf(found: int, count: int) -> float:
    return math.log(1 + (count - found + 0.5) / (found + 0.5))


class Bm25:
    """BM25 over documents, k1 1.2, b .75. A word of no document counts as much as one of a single document."""

    def __init__(self, documents: Sequence[Mapping[object, int]], lengths: Sequence[float]) -> None:
        known = [length for length in lengths if length > 0]
        self.count = len(known)
        self.average = sum(known) / len(known) if known else 1.0
        self.frequency = Counter(term for document in documents for term in document)

    def idf(self, term: object) -> float:
        return idf(self.frequency[term] or 1, self.count)

    def score(self, document: Mapping[object, int], length: float, wanted: Sequence[object]) -> float:
        norm = 1.2 * (1 - 0.75 + 0.75 * length / self.average)
        return sum(
            self.idf(term) * document[term] * 2.2 / (document[term] + norm) for term in wanted if term in document
        )


def pairs(words: Terms) -> list[tuple[int, int]]:
    """Neighbouring stems, and those with one between."""
    places = [(at, by) for at, by in combinations(range(len(words)), 2) if by - at <= 2]
    return [(words[at], words[by]) for at, by in places if words[at] != words[by]]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return math.fsum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


class Reference:
    """A search, step by step."""

    def __init__(self, query: Query, chats: Sequence[Chat], general: Sequence[Sequence[float]] = ()) -> None:
        self.query, self.chats, self.general = query, chats, general
        self.vector = query.vector.tolist()
        self.words = turn_terms(query.message, language=terms.language_of(query.message)).tolist()
        self.distinct = list(dict.fromkeys(self.words))
        going_on = {chat.conversation for chat in chats if chat.audit_id in query.excluded_chats}
        self.may = sorted({chat.conversation for chat in chats} - going_on)
        self.candidates = [chat for chat in chats if chat.conversation in self.may]

    # --- meaning ---

    @cached_property
    def cosines(self) -> dict[int, list[float]]:
        """Of each chat's windows, which are unit vectors as far as eight bits allow."""
        return {
            chat.id: [self._similarity(one) for one in chat.vectors]
            if chat.model == self.query.model and chat.vectors and len(chat.vectors[0]) == len(self.vector)
            else []
            for chat in self.chats
        }

    def _similarity(self, one: Sequence[float]) -> float:
        dot = math.fsum(a * b for a, b in zip(self.vector, one, strict=True))
        return dot / math.hypot(*self.vector)

    @cached_property
    def meaning(self) -> Numbers:
        """c: the best cosine, less what a conversation of many windows has by chance."""
        every = [one for some in self.cosines.values() for one in some]
        mean = sum(every) / len(every) if every else 0.0
        spread = math.sqrt(sum((one - mean) ** 2 for one in every) / len(every)) if every else 0.0
        found: Numbers = {}
        for number in self.may:
            own = [one for chat in self.of(number) for one in self.cosines[chat.id]]
            found[number] = max(own) - 0.2 * spread * math.sqrt(2 * math.log(len(own))) if own else 0.0
        return found

    def of(self, conversation: int) -> list[Chat]:
        return [chat for chat in self.chats if chat.conversation == conversation]

    # --- words ---

    @cached_property
    def windows(self) -> Bm25:
        every = [Counter[object](window) for chat in self.chats for window in chat.word_windows]
        found = Bm25(every, [window.total() for window in every])
        found.count = len(every)  # a window may be without a word that counts
        found.average = max(1.0, sum(window.total() for window in every) / max(1, len(every)))
        return found

    @cached_property
    def best_windows(self) -> dict[int, tuple[float, float]]:
        """BM25 of each chat's best word window, and the idf of the words it has."""
        found: dict[int, tuple[float, float]] = {}
        for chat in self.chats:
            scored = [(0.0, 0.0)]
            for window in chat.word_windows:
                value = self.windows.score(Counter(window), len(window), self.distinct)
                scored.append((value, sum(self.windows.idf(word) for word in self.distinct if word in window)))
            found[chat.id] = max(scored, key=lambda pair: pair[0])
        return found

    @property
    def total_idf(self) -> float:
        return sum(self.windows.idf(word) for word in self.distinct)

    @property
    def coverage(self) -> float:
        best = max((self.best_windows[chat.id] for chat in self.candidates), default=(0.0, 0.0), key=lambda one: one[0])
        return best[1] / self.total_idf if self.total_idf else 0.0

    @property
    def word_weight(self) -> float:
        return min(1.0, max(0.0, (self.coverage - 0.20) / 0.15))

    def _by_conversation(self, *, of_pairs: bool) -> Numbers:
        documents: dict[int, Counter[object]] = {}
        lengths: dict[int, float] = {}
        for number in sorted({chat.conversation for chat in self.chats}):
            turns = [turn for chat in self.of(number) for turn in chat.turns[chat.context :]]
            every = [pairs(turn) if of_pairs else turn for turn in turns]
            documents[number] = Counter(one for turn in every for one in turn)
            lengths[number] = sum(map(len, turns)) * (2 if of_pairs else 1)  # about twice as many pairs as words
        index = Bm25(list(documents.values()), list(lengths.values()))
        wanted: list[object] = [*dict.fromkeys(pairs(self.words))] if of_pairs else [*self.distinct]
        return {number: index.score(documents[number], lengths[number], wanted) for number in self.may}

    # --- the score ---

    @cached_property
    def parts(self) -> dict[str, Numbers]:
        w = {number: max(self.best_windows[chat.id][0] for chat in self.of(number)) for number in self.may}
        best_c = max([0.05, *self.meaning.values()])
        day, month = self.nearness
        return {
            "meaning": {number: c / best_c for number, c in self.meaning.items()},
            "words": _of_best(w),
            "conversation": _of_best(self._by_conversation(of_pairs=False)),
            "pairs": _of_best(self._by_conversation(of_pairs=True)),
            "day": day,
            "month": month,
            "recency": {number: math.exp(-max(0.0, self.age_days(number)) / 14) for number in self.may},
        }

    @cached_property
    def shown(self) -> dict[int, Chat]:
        """The chat of each conversation that fits best: by meaning and words; the newer, the one with the lower id."""
        best_c = max([0.05, *(max(own) for chat in self.candidates if (own := self.cosines[chat.id]))])
        best_w = max((self.best_windows[chat.id][0] for chat in self.candidates), default=0.0) or 1.0

        def value(chat: Chat) -> tuple[float, datetime, int]:
            words = self.word_weight * 0.6 * self.best_windows[chat.id][0] / best_w
            return max(self.cosines[chat.id], default=-1.0) / best_c + words, chat.created_at, -chat.id

        return {number: max(self.of(number), key=value) for number in self.may}

    def age_days(self, number: int) -> float:
        return (self.query.now - self.shown[number].created_at) / timedelta(days=1)

    @cached_property
    def nearness(self) -> tuple[Numbers, Numbers]:
        today = self.query.now.astimezone(self.query.zone).date()
        ranges = dates.date_ranges(self.query.message, today=today)
        days = [self.shown[number].created_at.astimezone(self.query.zone).toordinal() for number in self.may]
        of_day, of_month = dates.nearness(ranges, np.array(days, dtype=np.int64))
        return dict(zip(self.may, of_day.tolist(), strict=True)), dict(zip(self.may, of_month.tolist(), strict=True))

    @cached_property
    def score(self) -> Numbers:
        part = self.parts
        return {
            number: part["meaning"][number]
            + self.word_weight
            * (0.6 * part["words"][number] + 0.5 * part["conversation"][number] + 0.25 * part["pairs"][number])
            + 1.6 * part["day"][number]
            + 1.0 * part["month"][number]
            + 0.1 * part["recency"][number]
            for number in self.may
        }

    # --- the gate, the places ---

    @property
    def gate(self) -> float:
        near = sorted((self._similarity(one) for one in self.general), reverse=True)[:10]
        background = sum(near) / len(near) if near else 0.0
        highest = idf(1, self.windows.count)
        day, month = self.nearness
        return max(
            self._mean_cosine(chat)
            + 0.2
            * (self.best_windows[chat.id][1] / self.total_idf if self.total_idf else 0.0)
            * min(1.0, self.best_windows[chat.id][1] / highest / 1.5)
            + 0.1 * max(day[chat.conversation], month[chat.conversation])
            - 0.6 * background
            for chat in self.candidates
        )

    def _mean_cosine(self, chat: Chat) -> float:
        if not self.cosines[chat.id]:
            return 0.0
        mean = [sum(column) / len(chat.vectors) for column in zip(*chat.vectors, strict=True)]
        return cosine(self.vector, mean)

    @property
    def threshold(self) -> float:
        measured = min(0.22, max(0.09, 0.10 + 0.085 * math.log10(len(self.may) / 27)))
        return measured if self.query.gate is None else self.query.gate

    @property
    def hits(self) -> list[tuple[int, float, str]]:
        """(episode, score, by), in the order of the places."""
        if self.gate < self.threshold:
            return []
        by_meaning = 0 if self.word_weight >= 1 else math.ceil(self.query.top_k / 3)
        first = [one for one in self._ranked(self.score) if one in self.earning][: self.query.top_k - by_meaning]
        nearest = [number for number in self._ranked(self.parts["meaning"]) if number in self.earning]
        others = [number for number in nearest if number not in first][:by_meaning]
        chosen = [(number, "score") for number in first] + [(number, "meaning") for number in others]
        return [(self.shown[number].id, self.score[number], by) for number, by in chosen]

    @cached_property
    def earning(self) -> set[int]:
        """Those of a day or month that is named, or with .3 of the best one's meaning and words; all behind no gate."""
        dated = {"day": 1.6, "month": 1.0, "recency": 0.1}
        content = {
            number: self.score[number] - sum(weight * self.parts[name][number] for name, weight in dated.items())
            for number in self.may
        }
        least = 0.3 * max([0.0, *content.values()]) if self.threshold > -2 else -math.inf
        of_day, of_month = self.parts["day"], self.parts["month"]
        return {one for one in self.may if of_day[one] > 0 or of_month[one] > 0 or content[one] >= least - 1e-9}

    def _ranked(self, values: Numbers) -> list[int]:
        """Best first; ties: newer first, then the lower id."""

        def place(number: int) -> tuple[float, timedelta, int]:
            chat = self.shown[number]
            return -values[number], self.query.now - chat.created_at, chat.id

        return sorted(self.may, key=place)


def _of_best(values: Numbers) -> Numbers:
    best = max(values.values(), default=0.0)
    return {number: value / best if best > 0 else 0.0 for number, value in values.items()}


def _assert_near_misses(found: SearchResult, right: Reference) -> None:
    """The best of the others, for want of a place or behind the gate; and the conversation that is going on."""
    hits = {hit.episode_id for hit in found.hits}
    others = [right.shown[number].id for number in right._ranked(right.score) if right.shown[number].id not in hits]
    going_on = {chat.id for chat in right.chats if chat.conversation not in right.may}
    told = [miss.episode_id for miss in found.near_misses if miss.reason != "same_conversation"]
    assert told == others[: len(told)]
    assert len(found.near_misses) >= min(5, len(others))
    behind = {"cap", "below_threshold"} if hits else {"gate"}
    assert {miss.reason for miss in found.near_misses} <= {"same_conversation", *behind}
    assert {miss.episode_id for miss in found.near_misses} - set(told) <= going_on


def assert_as_expected(query: Query, general: Sequence[Sequence[float]] = ()) -> None:
    """The search finds what the formula says of the rows as they are now."""
    found, right = hybrid.search(query), Reference(query, stored(), general)
    if not right.may:
        assert list(found.hits) == []
        return
    assert (found.gate, found.gate_threshold) == (pytest.approx(right.gate, abs=1e-5), pytest.approx(right.threshold))
    assert (found.coverage, found.word_weight) == (pytest.approx(right.coverage), pytest.approx(right.word_weight))
    assert [(hit.episode_id, hit.by) for hit in found.hits] == [(id_, by) for id_, _, by in right.hits]
    assert [hit.score for hit in found.hits] == pytest.approx([score for _, score, _ in right.hits], abs=1e-5)
    _assert_near_misses(found, right)
    by_id = {chat.id: number for number, chat in right.shown.items()}
    for hit in found.hits:
        expected = {name: values[by_id[hit.episode_id]] for name, values in right.parts.items()}
        assert hit.parts._asdict() == pytest.approx(expected, abs=1e-5)

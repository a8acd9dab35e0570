"""Which conversations fit a message by what was said in them. Writes nothing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np

from memory import ranking
from memory.ranking import Flags, Indices, Ints, Matrix, Scores
from memory.recall.hybrid import dates, meaning, rows, scoring, snapshots, words
from memory.recall.hybrid.dates import DateRange
from memory.recall.hybrid.meaning import Meaning
from memory.recall.hybrid.scoring import Found, Parts, Scored
from memory.recall.hybrid.snapshots import Snapshot
from memory.recall.hybrid.words import Words
from memory.recall.index.rows import to_datetime, to_microseconds
from memory.text import terms
from memory.units import turn_terms

HitBy = Literal["score", "meaning"]
HybridMiss = Literal["gate", "cap", "below_threshold", "same_conversation"]

NEAR_MISSES = 5
_DAY_US = 86_400_000_000
_MICROSECOND = timedelta(microseconds=1)
LEAST_MEANING = 0.1
"""A conversation that is asked for has nothing to do with a question that its cosine is lower with."""
_NO_GATE = -2.0
"""What the gate goes by where no conversation may be brought back; as its setting, it lets everything pass."""


@dataclass(frozen=True)
class Query:
    """One message with its vector (d,) of any length. `gate`: what the best conversation must reach; None: the
    measured value for this many conversations. `excluded_chats`: those whose conversations are never found. `until`:
    nor is a conversation that went on after this moment.

    `ranges`: the days that are asked for, where they were read before; None: the past ones that the message names.
    `between`: only chats of that time count."""

    message: str
    vector: Matrix
    model: str
    now: datetime
    zone: tzinfo
    top_k: int
    gate: float | None = None
    excluded_chats: Collection[int] = ()
    until: datetime | None = None
    ranges: Sequence[DateRange] | None = None
    between: tuple[datetime, datetime] | None = None


@dataclass(frozen=True)
class Hit:
    """One conversation, by the chat of it that fits best, with the parts of its score.

    `window` and `turn`: its nearest window, and the turn with which its best word window begins.
    """

    episode_id: int
    audit_log_id: int
    created_at: datetime
    cosine: float
    parts: Parts[float]
    score: float
    by: HitBy
    window: int
    turn: int
    reason: HybridMiss | None = None


@dataclass(frozen=True)
class SearchResult:
    """What goes in, in order, and what just missed: "below_threshold" is what has too little of what the best one has.

    `gate` is what the best conversation reached, `gate_threshold` what it had to; `coverage` how much of the message
    is found together in one place, `word_weight` how much its words counted for that. None: there was nothing to
    search.
    """

    hits: Sequence[Hit] = ()
    near_misses: Sequence[Hit] = ()
    gate: float | None = None
    gate_threshold: float | None = None
    coverage: float = 0.0
    word_weight: float = 0.0
    weights: Mapping[int, float] = field(default_factory=dict)
    """The idf of each of the message's words, hashed."""


def search(query: Query) -> SearchResult:
    """The `top_k` conversations that fit best, where the gate opens; fewer where others are far behind.

    One query where nothing changed.
    """
    if query.top_k < 1 or not ranking.is_comparable(query.vector.astype(np.float64)):
        return SearchResult()
    snapshot = snapshots.current(query.model, query.vector.size)
    if not snapshot.is_there.any():
        return SearchResult()
    met = _meet(snapshot, query)
    coverage = met.said.coverage(met.conversations.candidates)
    scored = scoring.score(met.conversations.found, met.conversations.may, spread=met.near.spread, coverage=coverage)
    found = _Ranking(met.conversations, scored, met.near, met.said, coverage)
    return _result(query, found, float(met.opening[met.conversations.candidates].max(initial=_NO_GATE)))


def find(query: Query) -> SearchResult:
    """The `top_k` conversations that have anything of what is asked for, whatever the gate and however long ago.

    Those of the days that are asked for come first. A vector of zeros leaves it to the words. One query where nothing
    changed.
    """
    snapshot = snapshots.current(query.model, query.vector.size)
    if not snapshot.is_there.any():
        return SearchResult()
    met = _meet(snapshot, query)
    coverage = met.said.coverage(met.conversations.candidates) if query.vector.any() else 1.0
    found, may = met.conversations.found, met.conversations.may
    scored = scoring.asked(scoring.score(found, may, spread=met.near.spread, coverage=coverage), may, found.dated)
    ranking_ = _Ranking(met.conversations, scored, met.near, met.said, coverage)
    is_only_dates = not query.vector.any() and not met.said.weights
    has_some = may & (found.dated if is_only_dates else (found.cosine >= LEAST_MEANING) | (scored.parts.words > 0))
    order = [at for at in ranking.order(scored.score, ranking_.times, ranking_.ids).tolist() if has_some[at]]
    hits = [ranking_.hit(index) for index in order[: query.top_k]]
    return SearchResult(hits, coverage=coverage, word_weight=scored.word_weight, weights=met.said.weights)


class Reached(NamedTuple):
    """(n,) what the gate goes by, for each chat there is, its chat id, and the id of its conversation."""

    chats: Ints
    conversations: Ints
    values: Scores


def reached(query: Query) -> Reached:
    """What each chat comes to before the gate, whatever `excluded_chats` says. One query where nothing changed."""
    snapshot = snapshots.current(query.model, query.vector.size)
    there = snapshot.is_there
    if not there.any() or not ranking.is_comparable(query.vector.astype(np.float64)):
        return Reached(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    _, _, chats, _, conversations = snapshot.columns
    return Reached(chats[there], conversations[there], _meet(snapshot, query).opening[there])


class _Met(NamedTuple):
    """A message beside all conversations; `opening` (n,): what the gate goes by, for each chat."""

    near: Meaning
    said: Words
    conversations: "_Conversations"
    opening: Scores


def _meet(snapshot: Snapshot, query: Query) -> _Met:
    vector = ranking.unit(query.vector.astype(np.float64)) if query.vector.any() else query.vector
    near = meaning.compare(snapshot.segments, vector)
    message = turn_terms(query.message, language=terms.language_of(query.message))
    said = words.match(snapshot.corpus, message)
    conversations = _conversations(snapshot, near, said, query)
    generality = meaning.generality(vector, snapshot.general)
    dated = np.maximum(conversations.found.day, conversations.found.month)[snapshot.corpus.conversations]
    opening = scoring.gate(near.mean, said.share(), said.mass(), dated, generality=generality)
    return _Met(near, said, conversations, opening)


def preload(model: str) -> int:
    """Read into memory what the first search would have to read; returns how many windows that is."""
    snapshots.current(model, rows.dimensions_of(model))
    return snapshots.memory_bytes()[1]


class _Conversations(NamedTuple):
    """m conversations, each by its best chat: `best` (m,), an index of the n chats.

    `may` (m,): which may be brought back; `is_going_on`: which are going on now, and may not. `candidates` (n,): the
    chats that may be.
    """

    found: Found
    best: Indices
    columns: Ints
    may: Flags
    is_going_on: Flags
    candidates: Flags


def _conversations(snapshot: Snapshot, near: Meaning, said: Words, query: Query) -> _Conversations:
    owners, count = snapshot.corpus.conversations, snapshot.corpus.count
    columns, is_there = snapshot.columns, snapshot.is_there
    if query.between is not None:
        is_there = is_there & _is_between(columns[3], query.between)
        near = near._replace(best=np.where(is_there, near.best, meaning.NO_COSINE))
        said = said._replace(window=np.where(is_there, said.window, 0.0))
    excluded = np.isin(columns[2], np.array(sorted(query.excluded_chats), dtype=np.int64))
    if query.until is not None:
        excluded |= columns[3] > to_microseconds(query.until)
    is_going_on = np.zeros(count, dtype=np.bool_)
    is_going_on[owners[excluded]] = True
    candidates = is_there & ~is_going_on[owners]
    best = _best_chats(snapshot, near, said, candidates, is_there)
    has_some = best >= 0
    best = np.maximum(best, 0)
    day, month, dated = _nearness(query, columns[3][best])
    windows = np.bincount(owners, weights=near.windows, minlength=count).astype(np.int64)
    found = Found(
        cosine=np.where(windows > 0, _highest(near.best, owners, count), 0.0),
        windows=windows,
        words=_highest(said.window, owners, count),
        conversation=said.conversation[best],
        pairs=said.pairs[best],
        day=day,
        month=month,
        age_days=(to_microseconds(query.now) - columns[3][best]) / _DAY_US,
        dated=dated,
    )
    return _Conversations(found, best, columns[:, best], has_some & ~is_going_on, has_some & is_going_on, candidates)


def _past_days(query: Query) -> list[DateRange]:
    """The days that the message names. "Today" says when something is wanted more often than when it was said."""
    if query.ranges is not None:
        return list(query.ranges)
    today = query.now.astimezone(query.zone).date()
    return [one for one in dates.date_ranges(query.message, today=today) if one.first < today]


def _best_chats(snapshot: Snapshot, near: Meaning, said: Words, candidates: Flags, is_there: Flags) -> Indices:
    """(m,) each conversation's chat that fits best, -1 where all of them were removed. Ties go to the newer, then to
    the lower id."""
    nearest = near.best / max(float(near.best[candidates].max(initial=0.0)), scoring.LEAST_COSINE)
    wordiest = said.window / max(float(said.window[candidates].max(initial=0.0)), 1e-9)
    value = nearest + scoring.word_weight(said.coverage(candidates)) * scoring.WORDS * wordiest
    value[~is_there] = -np.inf
    owners, count = snapshot.corpus.conversations, snapshot.corpus.count
    highest = np.full(count, -np.inf)
    np.maximum.at(highest, owners, value)
    best = np.full(count, -1, dtype=np.intp)
    worst_first = snapshot.oldest_first[is_there[snapshot.oldest_first]]
    equal = worst_first[value[worst_first] == highest[owners[worst_first]]]
    best[owners[equal]] = equal  # of equal ones the newest stays, which is written last
    return best


def _highest(values: Scores, owners: Ints, count: int) -> Scores:
    highest = np.full(count, -1.0)
    np.maximum.at(highest, owners, values)
    return highest


def _nearness(query: Query, times_us: Ints) -> tuple[Scores, Scores, Flags]:
    """How near these moments lie to a day and to a month that the message names, and which lie inside; (m,) each."""
    ranges = _past_days(query)
    if not ranges:
        return np.zeros(times_us.size), np.zeros(times_us.size), np.zeros(times_us.size, dtype=np.bool_)
    days = _local_days(times_us, query.zone)
    inside = [(days >= one.first.toordinal()) & (days <= one.last.toordinal()) for one in ranges]
    return *dates.nearness(ranges, days), np.logical_or.reduce(inside)


def _is_between(times_us: Ints, between: tuple[datetime, datetime]) -> Flags:
    first, last = map(to_microseconds, between)
    return (times_us >= first) & (times_us <= last)


def _local_days(times_us: Ints, zone: tzinfo) -> Ints:
    """(m,) the day of each moment in that time zone, as `date.toordinal` counts. The zone's offset is taken at noon."""
    utc_days, back = np.unique(times_us // _DAY_US, return_inverse=True)
    noons = [to_datetime(int(day) * _DAY_US + _DAY_US // 2).astimezone(zone) for day in utc_days]
    offsets = np.array([(noon.utcoffset() or timedelta()) // _MICROSECOND for noon in noons], dtype=np.int64)
    days: Ints = (times_us + offsets[back]) // _DAY_US + _EPOCH_DAY
    return days


_EPOCH_DAY = datetime(1970, 1, 1).toordinal()


@dataclass(frozen=True)
class _Ranking:
    """Everything that is known of the conversations, to make hits of them by their index."""

    conversations: _Conversations
    scored: Scored
    near: Meaning
    said: Words
    coverage: float

    @property
    def times(self) -> Ints:
        """(m,) when each took place, in microseconds."""
        times: Ints = self.conversations.columns[3]
        return times

    @property
    def ids(self) -> Ints:
        """(m,) the episode of each."""
        ids: Ints = self.conversations.columns[0]
        return ids

    def hit(self, index: int, *, by: HitBy = "score", reason: HybridMiss | None = None) -> Hit:
        """One conversation as a hit, or as a near miss for that reason."""
        best = int(self.conversations.best[index])
        return Hit(
            episode_id=int(self.ids[index]),
            audit_log_id=int(self.conversations.columns[2][index]),
            created_at=to_datetime(int(self.times[index])),
            cosine=float(self.conversations.found.cosine[index]),
            parts=Parts(*(float(column[index]) for column in self.scored.parts)),
            score=float(self.scored.score[index]),
            by=by,
            window=int(self.near.window[best]),
            turn=int(self.said.turn[best]),
            reason=reason,
        )

    def near_misses(self, going_in: Sequence[int], earns: Flags, *, is_open: bool) -> Iterator[Hit]:
        """The others, best first. Of the conversation that is going on, only what would have had a place."""
        score, may, is_going_on = self.scored.score, self.conversations.may, self.conversations.is_going_on
        lowest = min((float(score[index]) for index in going_in), default=np.inf)
        for index in ranking.order(score, self.times, self.ids).tolist():
            if may[index] and index not in going_in:
                behind: HybridMiss = "cap" if earns[index] else "below_threshold"
                yield self.hit(index, reason=behind if is_open else "gate")
            elif is_going_on[index] and score[index] >= lowest:
                yield self.hit(index, reason="same_conversation")


def _result(query: Query, found: _Ranking, gate: float) -> SearchResult:
    may = found.conversations.may
    threshold = scoring.gate_threshold(int(may.sum())) if query.gate is None else query.gate
    is_open = gate >= threshold
    earns = scoring.earns_place(found.scored, may) if threshold > _NO_GATE else may
    chosen = scoring.places(found.scored, earns, found.times, found.ids, top_k=query.top_k)
    going_in = chosen.indices.tolist() if is_open else []
    by_score = len(chosen.indices) - chosen.by_meaning
    return SearchResult(
        hits=[found.hit(index, by="score" if at < by_score else "meaning") for at, index in enumerate(going_in)],
        near_misses=list(islice(found.near_misses(going_in, earns, is_open=is_open), NEAR_MISSES)),
        gate=gate,
        gate_threshold=threshold,
        coverage=found.coverage,
        word_weight=found.scored.word_weight,
        weights=found.said.weights,
    )

"""Facts in the order of their importance (ADR-0034 §4), and those of them that a prompt has room for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import connections, models
from django.db.models.functions import Coalesce, Greatest

from caesar.conf import FactsImportanceSettings
from memory import events, ranking
from memory.models.audit import AuditRow
from memory.models.learned import keys as fact_keys
from memory.models.learned.columns import read_columns
from memory.models.learned.fact import LearnedFact
from memory.models.learned.fact_ranks import Ranks
from memory.models.learned.prompt_caps import fitting_kept, kept_first
from memory.models.learned.prompt_order import PromptOrder, Sorted
from memory.models.learned.standings import Standings
from memory.text import wording

Fact = TypeVar("Fact", bound=LearnedFact)


@dataclass(frozen=True)
class Ranked(Generic[Fact]):
    """A fact with its importance at one moment (ADR-0034 §4). `is_past`: by its own date it holds no longer then."""

    fact: Fact
    importance: ranking.Importance
    is_past: bool = False


class RankedFacts(models.Manager[Fact]):
    """The ranking of facts."""

    def by_importance(self, now: datetime, *, limit: int | None = None) -> list[Ranked[Fact]]:
        """The facts with their importance at `now`, highest first; ties newer first, then by id (ADR-0034 §4).

        Those that are past by their own date come last; those that have ended are not among them. With `limit` only
        that many whole rows are read, by three queries; all of them by two.
        """
        if limit is not None:
            ranks = self._ranks(now, self.filter(retired_at=None))
            return self._ranked(ranks, ranks.top(limit), now)
        return self._all_ranked(now)[0]

    def in_prompt_order(self, now: datetime) -> list[Ranked[Fact]]:
        """The facts as `by_importance` has them, but with those first that the operator keeps. Two queries."""
        return kept_first(self.by_importance(now), settings.CAESAR.memory.facts)

    def _all_ranked(self, now: datetime) -> tuple[list[Ranked[Fact]], Ranks]:
        facts = list(self.filter(retired_at=None))
        columns = (
            (fact.pk, fact.last_confirmed_at, fact.confidence, fact.key, fact.valid_until, fact.kept_at)
            for fact in facts
        )
        ranks = Ranks.of(columns, dict(edit_counts_query()), now=now)
        places = map(int, ranks.top(None))
        return [Ranked(facts[at], ranks.parts(at), bool(ranks.is_past[at])) for at in places], ranks

    def with_importance(self, facts: Sequence[Fact], now: datetime) -> list[Ranked[Fact]]:
        """These facts, in their order, with their importance at `now`. One query."""
        counts = dict(edit_counts_query().filter(fact_key__in=[fact.key for fact in facts]))
        return [Ranked(fact, fact.importance(now, counts.get(fact.key, 0)), fact.is_past(now)) for fact in facts]

    def standings(self, now: datetime) -> Standings:
        """All facts in the order in which a prompt takes them, as columns. One query; four after a change of memory."""
        may_keep = not connections[self.db].in_atomic_block
        (kept,) = _standings.current(now, sort=self._sorted_standings, may_keep=may_keep)
        return kept.at(now)

    def _sorted_standings(self, now: datetime, _limit: int) -> Sorted[Standings]:
        columns = read_columns(self.filter(retired_at=None))
        ranks = Ranks.of_columns(columns, dict(edit_counts_query()), now=now)
        order = ranks.top(None)
        kept = order[ranks.is_kept[order] & ~ranks.is_past[order]].tolist()
        first = kept[: self._fitting_kept(ranks.ids[kept].tolist())]
        standings = Standings.of(ranks, columns, order, first=first)
        return Sorted([standings], ranks.newest, ranks.same_on)

    def _fitting_kept(self, ids: Sequence[int]) -> int:
        """How many of these kept facts come first in a prompt. One query where there are any."""
        if not ids:
            return 0
        texts = self.texts(ids)
        return fitting_kept(
            (wording.sentence(*texts[row]) for row in ids if row in texts), settings.CAESAR.memory.facts
        )

    def own_words(self) -> set[str]:
        """The keys whose value is the operator's own word. One query."""
        return own_words()

    def first_seen_after(self, moment: datetime) -> set[int]:
        """The ids of the facts that were first said after that moment. One query."""
        return set(self.filter(retired_at=None, first_seen_at__gt=moment).values_list("id", flat=True))

    def learned_order(self) -> dict[int, int]:
        """{id: its place among those that have not ended, sorted by when they were first seen, the newest first}."""
        newest = self.filter(retired_at=None).order_by("-first_seen_at", "-id").values_list("id", flat=True)
        return {pk: place for place, pk in enumerate(newest)}

    def texts(self, ids: Iterable[int] | None = None) -> dict[int, tuple[str, str]]:
        """{id: (key, value)} of these facts, or of all that have not ended. One query."""
        facts = self.filter(retired_at=None) if ids is None else self.filter(pk__in=list(ids))
        return {pk: (key, value) for pk, key, value in facts.values_list("id", "key", "value")}

    def retired(self) -> models.QuerySet[Fact]:
        """The facts that are no longer true, those that ended last first."""
        return self.filter(retired_at__isnull=False).order_by("-retired_at", "-id")

    def ranked_anew(
        self, ranked: Iterable[Ranked[Fact]], now: datetime, *, scale: FactsImportanceSettings | None = None
    ) -> list[Ranked[Fact]]:
        """The same facts at another moment or by other settings, the most important first, past ones among them.

        No query.
        """
        anew = [
            Ranked(
                item.fact,
                item.fact.importance(now, item.importance.edit_count, scale=scale),
                item.fact.is_past(now),
            )
            for item in ranked
        ]
        anew.sort(key=lambda item: (item.fact.last_confirmed_at, -item.fact.pk), reverse=True)
        return sorted(anew, key=lambda item: -item.importance.value)

    def _ranks(self, now: datetime, facts: models.QuerySet[Fact]) -> Ranks:
        return Ranks.of_columns(read_columns(facts), dict(edit_counts_query()), now=now)

    def _ranked(self, ranks: Ranks, places: ranking.Indices, now: datetime) -> list[Ranked[Fact]]:
        rows = self.in_bulk(ranks.ids[places].tolist())
        ranked = ((rows.get(int(ranks.ids[place])), int(place)) for place in places)
        return [Ranked(fact, ranks.parts(place), fact.is_past(now)) for fact, place in ranked if fact is not None]

    def _sorted_for_prompt(self, now: datetime, limit: int) -> Sorted[Ranked[Fact]]:
        ranks = self._ranks(now, self.filter(retired_at=None))
        holding = self._that_hold(self._ranked(ranks, ranks.top_and_kept(limit), now), ranks)
        return replace(holding, ranked=holding.ranked[:limit])

    def _that_hold(self, ranked: Iterable[Ranked[Fact]], ranks: Ranks) -> Sorted[Ranked[Fact]]:
        """Those of these facts that are not past, and that no newer one of them contradicts; kept ones first."""
        ranked = [item for item in ranked if not item.is_past]
        by_time = sorted(
            (item.fact for item in ranked), key=lambda fact: (fact.last_confirmed_at, fact.pk), reverse=True
        )
        dropped = fact_keys.contradicted(by_time)
        holding = [item for item in ranked if item.fact.key not in dropped]
        return Sorted(kept_first(holding, settings.CAESAR.memory.facts), ranks.newest, ranks.same_on)

    def for_prompt(self, now: datetime) -> list[Ranked[Fact]]:
        """The facts a prompt has room for, in order: at most `MAX_INJECTED`, none that has ended or is past.

        Kept ones come first, up to half of both caps. Of two that contradict it is the newer one.

        One query; four after a change, or once a fact's last day is over, when they are sorted again.
        """
        may_keep = not connections[self.db].in_atomic_block
        ranked = _prompt_order.current(now, sort=self._sorted_for_prompt, may_keep=may_keep)
        return self.at(now, ranked)

    def prompt_candidates(self, now: datetime) -> Sequence[Ranked[Fact]]:
        """All facts that hold, kept ones first, for a prompt that does not take them by importance alone.

        The same object until memory changes, so their importances are those of the moment when they were sorted: `at`
        brings them up to date. One query; three after a change.
        """
        may_keep = not connections[self.db].in_atomic_block
        return _candidates_order.current(
            now, sort=lambda now, _: self._that_hold(*self._all_ranked(now)), may_keep=may_keep
        )

    def at(self, now: datetime, ranked: Iterable[Ranked[Fact]]) -> list[Ranked[Fact]]:
        """The same facts, in their order, with their importance at `now`. No query."""
        return [replace(item, importance=item.fact.importance(now, item.importance.edit_count)) for item in ranked]


_prompt_order: PromptOrder[Ranked[Any]] = PromptOrder()
_candidates_order: PromptOrder[Ranked[Any]] = PromptOrder()
_standings: PromptOrder[Standings] = PromptOrder()


def edit_counts_query() -> models.QuerySet[AuditRow, tuple[str, int]]:
    """Pairs (key, edits), read from one index alone. An edit that was taken back, and what took it back, are none.

    Never below 0, though the sweep may have taken an edit of a deleted fact and left what took it back.
    """
    edits = AuditRow.objects.get_queryset().of_type(events.FactUserEdited)
    return edits.values_list("fact_key").annotate(count=Greatest(models.Sum(Coalesce("edits", 1)), 0)).order_by()


def own_words() -> set[str]:
    """The keys whose value is the operator's own word: typed or corrected, and replaced by no chat since.

    An edit that was taken back, and an undone deletion, say nothing of their own. One query.
    """
    rows = AuditRow.objects.get_queryset()
    learned = rows.of_type(events.FactAdded, events.FactUpdated).filter(
        fact_key=models.OuterRef("fact_key"), id__gt=models.OuterRef("id")
    )
    said = rows.of_type(events.FactUserEdited, events.FactUserAdded).filter(NOT_RESTORED)
    words = said.filter(~models.Exists(learned)).values_list("fact_key")
    given = words.annotate(count=models.Sum(Coalesce("edits", 1))).filter(count__gt=0).order_by()
    return {key for key, _ in given if key}


NOT_RESTORED = models.Q(payload__restored_from=None) | models.Q(payload__restored_from__isnull=True)
"""Rows that take nothing back: `restored_from` is null in the payload, or absent from it."""

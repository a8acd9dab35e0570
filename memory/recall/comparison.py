"""What one message recalls under several settings at once: a preview shows this beside what a turn is given."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from memory import events, ranking
from memory.llm import Vectors
from memory.ranking import Threshold
from memory.recall import index
from memory.recall.hybrid import weighing
from memory.recall.retrieval import Asked, in_force, similarity_threshold, without_outdated
from memory.recall.scenarios import Comparison, Scenario, ScenarioEpisodes, ScoredEpisode
from memory.text import wording

__all__ = ["MAX_SHARED_HITS", "Comparison", "Scenario", "ScenarioEpisodes", "ScoredEpisode", "compare"]

MAX_SHARED_HITS = 500
"""Up to this many episodes are found by one search for all scenarios."""

_DAY = timedelta(days=1)
_THRESHOLD_MARGIN = 0.1  # how far below the lowest threshold, but not below 0, an episode still gets a score


def compare(
    asked: Asked, scenarios: Sequence[Scenario], *, excluded_chats: Collection[int], zone: tzinfo, now: datetime
) -> Comparison:
    """What a message recalls in each scenario: what `recall` gives with its settings, and what just missed.

    A scenario in the past leaves out later episodes; recall counts and a threshold that is not set are always those of
    `now`. Writes nothing.
    """
    scenarios = [replace(one, recall_settings=in_force(one.recall_settings, now=now)) for one in scenarios]
    message, vectors = asked.message, asked.vectors
    if isinstance(vectors, str):
        return Comparison([ScenarioEpisodes()] * len(scenarios), empty_reason=vectors)
    by_scenario = _by_summaries(
        vectors, [one for one in scenarios if not _is_by_content(one)], excluded_chats, zone, now
    )
    for scenario in filter(_is_by_content, scenarios):
        if scenario not in by_scenario:
            by_scenario[scenario] = weighing.weigh(
                message, vectors, scenario, excluded_chats=excluded_chats, zone=zone, now=now
            )
    return Comparison([by_scenario[scenario] for scenario in scenarios])


def _is_by_content(scenario: Scenario) -> bool:
    return scenario.recall_settings.mode == "hybrid"


def _by_summaries(
    vectors: Vectors, scenarios: Sequence[Scenario], excluded_chats: Collection[int], zone: tzinfo, now: datetime
) -> dict[Scenario, ScenarioEpisodes]:
    """One search wide enough for all scenarios finds the episodes that each of them scores. Only where that finds more
    than `MAX_SHARED_HITS`, each scenario has a search of its own."""
    if not scenarios:
        return {}
    widest = _widest_query(vectors, scenarios, excluded_chats, now)
    found = index.search(widest)
    is_enough, told = len(found.hits) < widest.top_k, _without_outdated(found)
    return {
        scenario: ScenarioEpisodes(_scored(own, scenario, zone, now))
        for scenario in scenarios
        for own in [told if is_enough else _without_outdated(index.search(_query_of(scenario, widest)))]
    }


def _without_outdated(found: index.SearchResult) -> index.SearchResult:
    return replace(found, hits=without_outdated(found.hits))


def _widest_query(
    vectors: Vectors, scenarios: Sequence[Scenario], excluded_chats: Collection[int], now: datetime
) -> index.Query:
    """A query for every episode that may matter in any scenario. Its time is `now`, so that the index stays current."""
    recall_settings = scenarios[0].recall_settings
    lowest = min(_lowest_cosine(one) for one in scenarios)
    return index.Query(
        vector=vectors.rows[0],
        model=vectors.model,
        now=now,
        threshold=Threshold(max(lowest - _THRESHOLD_MARGIN, min(lowest, 0.0))),
        max_age_days=max(
            1, *(math.ceil((now - one.now) / _DAY) + one.recall_settings.max_age_days for one in scenarios)
        ),
        halflife_days=recall_settings.halflife_days,
        recall_weight_scale=recall_settings.recall_weight_scale,
        top_k=max(MAX_SHARED_HITS, *(one.recall_settings.top_k for one in scenarios)) + 1,
        excluded_chats=excluded_chats,
    )


def _lowest_cosine(scenario: Scenario) -> float:
    """The threshold, which `compare` has put into the settings."""
    return similarity_threshold(scenario.recall_settings).base


def _query_of(scenario: Scenario, widest: index.Query) -> index.Query:
    recall_settings = scenario.recall_settings
    return replace(
        widest,
        now=scenario.now,
        threshold=similarity_threshold(recall_settings),
        max_age_days=recall_settings.max_age_days,
        halflife_days=recall_settings.halflife_days,
        recall_weight_scale=recall_settings.recall_weight_scale,
    )


def _scored(found: index.SearchResult, scenario: Scenario, zone: tzinfo, now: datetime) -> list[ScoredEpisode]:
    """Best first: those that go into the prompt, those ranked behind them, then the rest, the most similar first."""
    newest_first = sorted(found.hits, key=lambda hit: (-hit.created_at.timestamp(), hit.episode_id))
    scored = [_score(hit, scenario, zone, now) for hit in newest_first]
    # Sorting is stable, so that ties stay newest first.
    passing = sorted((item for item in scored if item.reason is None), key=lambda item: -(item.score or 0.0))
    others = [*(item for item in scored if item.reason is not None), *_unscored(found, scenario, zone)]
    others.sort(key=lambda item: -math.inf if item.cosine is None else item.cosine, reverse=True)
    top_k = scenario.recall_settings.top_k
    return [*passing[:top_k], *(replace(item, reason="cap") for item in passing[top_k:]), *others]


def _score(hit: index.Hit, scenario: Scenario, zone: tzinfo, now: datetime) -> ScoredEpisode:
    recall_settings = scenario.recall_settings
    fresh = ranking.freshness((scenario.now - hit.created_at) / _DAY, recall_settings.halflife_days)
    weight = ranking.recall_weight(hit.recall_count, recall_settings.recall_weight_scale)
    reason = _miss_reason(hit, scenario, now)
    return ScoredEpisode(
        audit_log_id=hit.audit_log_id,
        summary=hit.summary,
        created_at=hit.created_at,
        when=wording.time_words(hit.created_at, scenario.now, zone),
        reason=reason,
        cosine=hit.cosine,
        freshness=fresh,
        recall_weight=weight,
        score=hit.cosine * fresh * weight,
        short_by=_lowest_cosine(scenario) - hit.cosine if reason == "below_threshold" else None,
    )


def _miss_reason(hit: index.Hit, scenario: Scenario, now: datetime) -> events.MissReason | Literal["later"] | None:
    """Why the scenario leaves an episode out, its rank apart; None where it does not."""
    if scenario.now < now and hit.created_at > scenario.now:
        return "later"
    if hit.created_at < scenario.now - scenario.recall_settings.max_age_days * _DAY:
        return "too_old"
    if hit.cosine < _lowest_cosine(scenario) - index.ROUNDING_TOLERANCE:
        return "below_threshold"
    return None


def _unscored(found: index.SearchResult, scenario: Scenario, zone: tzinfo) -> Iterator[ScoredEpisode]:
    """The near misses of the search itself. They have at most a cosine, and no score."""
    threshold = _lowest_cosine(scenario)
    for miss in found.near_misses:
        yield ScoredEpisode(
            audit_log_id=miss.audit_log_id,
            summary=miss.summary,
            created_at=miss.created_at,
            when=wording.time_words(miss.created_at, scenario.now, zone),
            reason=miss.reason,
            cosine=miss.cosine,
            short_by=miss.short_by(threshold),
        )

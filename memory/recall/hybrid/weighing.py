"""What one message brings back by content in a scenario, with what just missed. Writes nothing."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, tzinfo

from memory.llm import Vectors
from memory.models import EpisodeSummary
from memory.recall.hybrid import recalling, search
from memory.recall.hybrid.search import Hit, Query, SearchResult
from memory.recall.outdated import NOTHING, Outdated, outdated
from memory.recall.scenarios import Scenario, ScenarioEpisodes, ScoredEpisode
from memory.text import wording


def weigh(
    message: str,
    vectors: Vectors,
    scenario: Scenario,
    *,
    excluded_chats: Collection[int],
    zone: tzinfo,
    now: datetime,
) -> ScenarioEpisodes:
    """What a turn with these settings is given, and what just misses. Three queries where nothing changed.

    On a day in the past, conversations that went on after it are left out.
    """
    query = recalling.query_of(
        message, vectors, scenario.recall_settings, excluded_chats=excluded_chats, zone=zone, now=scenario.now
    )
    if scenario.now < now:
        query = replace(query, until=scenario.now)
    result = search.search(query)
    rows = recalling.episodes([*result.hits, *result.near_misses])
    near = [hit for hit in (*result.hits, *result.near_misses) if hit.episode_id in rows]
    gone = outdated() if result.hits else NOTHING
    scored = [_scored(hit, rows[hit.episode_id], result, query, gone) for hit in near]
    return ScenarioEpisodes(scored, recalling.content(result))


def _scored(hit: Hit, row: EpisodeSummary, result: SearchResult, query: Query, gone: Outdated) -> ScoredEpisode:
    is_later = query.until is not None and hit.created_at > query.until
    told = "" if hit.reason is None else row.summary  # what missed is named by its summary, as in the receipt
    return ScoredEpisode(
        audit_log_id=hit.audit_log_id,
        summary=told or recalling.line(hit, row, result, gone),
        created_at=hit.created_at,
        when=wording.time_words(hit.created_at, query.now, query.zone),
        reason="later" if is_later else hit.reason,
        cosine=hit.cosine,
        score=hit.score,
        short_by=recalling.short_by(hit, result),
        parts=recalling.parts(hit, result),
    )

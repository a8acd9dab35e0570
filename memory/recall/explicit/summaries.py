"""The conversations of which only a summary can be searched: by its meaning, its words, and their chats' own words."""

import logging
from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from django.db.models import QuerySet

from memory import events
from memory.llm import Vectors
from memory.models import AuditRow, EpisodeSummary
from memory.ranking import Threshold
from memory.recall import index
from memory.recall.explicit import conversations
from memory.recall.explicit.corrections import Corrections
from memory.recall.explicit.question import Question
from memory.recall.explicit.results import Found

logger = logging.getLogger(__name__)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LEAST_COSINE = 0.1
_NEVER_FADES_DAYS = 1e12
_MORE = 200
"""So many more are looked at where not all of those found may be shown."""


def exist() -> bool:
    """Whether there are any. One query."""
    return _without_units().exists()


def find(question: Question, gone: Corrections, chat_ids: Sequence[int], *, limit: int) -> list[Found]:
    """At most `limit` of them. `chat_ids`: chats that have the question's words themselves."""
    cosines = _by_meaning(question, limit=limit)
    near = [*cosines, *_by_words(question, limit=limit)]
    wanted = _without_units().filter(pk__in=near) | _without_units().filter(audit_log__in=list(chat_ids))
    rows = {row.pk: row for row in [*wanted, *_by_dates(question, limit=limit)]}
    found = [_found(question, row, gone, cosines.get(row.pk)) for row in rows.values()]
    return sorted((one for one in found if question.may_be_of(one.when)), key=lambda one: -one.score)[:limit]


def _found(question: Question, row: EpisodeSummary, gone: Corrections, cosine: float | None) -> Found:
    words = question.words_in(row.summary)
    return conversations.found(question, row, row.summary, gone, words=words, cosine=cosine)


def _without_units() -> QuerySet[EpisodeSummary]:
    return EpisodeSummary.objects.exclude(summary="").filter(units=None).defer("embedding")


def _by_meaning(question: Question, *, limit: int) -> dict[int, float]:
    """{id: cosine} of the nearest summaries, however old; {} without a vector, or where a row cannot be read."""
    if not isinstance(question.vectors, Vectors) or question.is_only_dates:
        return {}
    since = question.between[0] if question.between else _EPOCH
    query = index.Query(
        vector=question.vectors.rows[0],
        model=question.vectors.model,
        now=question.now,
        threshold=Threshold(_LEAST_COSINE),
        max_age_days=max((question.now - max(since, _EPOCH)).days + 1, 1),
        halflife_days=_NEVER_FADES_DAYS,
        recall_weight_scale=0.0,
        top_k=limit + (_MORE if question.between else 0),
        is_question=True,
    )
    try:
        return {hit.episode_id: hit.cosine for hit in index.search(query).hits}
    except (ValueError, TypeError, OverflowError) as error:  # a row that no verb of ours wrote
        logger.error("Summaries are searched by words alone: an episode's row cannot be read: %s", error)
        return {}


def _by_words(question: Question, *, limit: int) -> Collection[int]:
    """The episodes whose summary, as it was written, has the words."""
    words = " ".join(word for word, _ in question.words.words)
    if not words:
        return []
    written = AuditRow.objects.get_queryset().of_type(events.EpisodeSummarised, events.EpisodeReplaced)
    rows = written.search(words).newest_first().values_list("payload__audit_log_id", flat=True)[: limit + _MORE]
    return EpisodeSummary.objects.filter(audit_log__in=list(rows)).values_list("pk", flat=True)


def _by_dates(question: Question, *, limit: int) -> list[EpisodeSummary]:
    """Those of the days that are asked for, where nothing else is."""
    if not question.is_only_dates:
        return []
    moments = [question.moments(one.first, one.last) for one in question.ranges]
    return [
        row
        for span in moments
        for row in _without_units().filter(created_at__range=span).order_by("-created_at")[:limit]
    ]

"""The conversations that answer a question, by what was said in them."""

import logging
from collections.abc import Sequence

import numpy as np

from memory.llm import Vectors, embedding
from memory.models import EpisodeSummary
from memory.recall.explicit import reasons
from memory.recall.explicit.corrections import Corrections
from memory.recall.explicit.question import Question
from memory.recall.explicit.results import Found
from memory.recall.hybrid import recalling, rows, search
from memory.recall.hybrid.search import Hit, Query, SearchResult
from memory.text.lines import shorten

logger = logging.getLogger(__name__)

_MAX_TITLE_CHARS = 80


def find(question: Question, gone: Corrections, *, limit: int) -> list[Found]:
    """At most `limit` conversations with units, the best first. Two queries where nothing changed."""
    result = search.find(_query(question, limit))
    there = recalling.episodes(result.hits)
    return [
        _found(question, hit, there[hit.episode_id], result, gone) for hit in result.hits if hit.episode_id in there
    ]


def _query(question: Question, limit: int) -> Query:
    """Without a vector it is searched by words alone; and by dates alone where it has nothing else."""
    vectors = question.vectors
    if isinstance(vectors, Vectors):
        model, vector = vectors.model, vectors.rows[0]
    else:
        model = embedding.embedder_model()
        vector = np.zeros(rows.dimensions_of(model), dtype=np.float32)
    if question.is_only_dates:
        vector = np.zeros_like(vector)
    return Query(
        message="" if question.is_only_dates else question.content,
        vector=vector,
        model=model,
        now=question.now,
        zone=question.zone,
        top_k=limit,
        ranges=question.ranges,
        between=question.between,
    )


def _found(question: Question, hit: Hit, row: EpisodeSummary, result: SearchResult, gone: Corrections) -> Found:
    text = recalling.line(hit, row, result)
    words = question.words_in(text)
    has_vector = isinstance(question.vectors, Vectors) and hit.cosine != 0.0
    return found(question, row, text, gone, words=words, cosine=hit.cosine if has_vector else None)


def found(
    question: Question,
    row: EpisodeSummary,
    text: str,
    gone: Corrections,
    *,
    words: Sequence[str],
    cosine: float | None,
) -> Found:
    """A conversation as it is shown, by the line that stands for it."""
    told = gone.told(text, said_at=row.created_at)
    is_dated = question.is_dated(row.created_at)
    day = question.day_of(row.created_at)
    share = question.words.share(text) if words else 0.0
    return Found(
        kind="conversation",
        id=f"episode:{row.pk}",
        title=shorten(gone.told(row.summary, said_at=row.created_at), _MAX_TITLE_CHARS)
        if row.summary
        else reasons.title("Conversation", day),
        text=told,
        when=row.created_at,
        score=reasons.score(cosine=cosine, share=share, is_dated=is_dated),
        why=reasons.why(words, cosine=cosine, dated=day if is_dated else None),
        chat_id=row.audit_log_id,
        key="",
        words=words,
    )

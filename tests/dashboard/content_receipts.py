"""Receipts of recall by content, as mode `hybrid` writes them."""

from memory import events
from memory.models import AuditRow

PARTS = events.ScoreParts(
    meaning=1.0, words=0.8, conversation=0.6, pairs=0.4, day=0.0, month=0.25, recency=0.9, word_weight=0.5, by="score"
)


def content_receipt(
    source: AuditRow, *, gate: float | None = 0.31, coverage: float = 0.275, word_weight: float = 0.5
) -> events.ContextServed:
    """What the chat `source` brought to a prompt: once by score, once by meaning, and once it just missed."""
    parts = PARTS.model_copy(update={"word_weight": word_weight})
    served = [
        events.ServedEpisode(
            audit_log_id=source.pk,
            summary=summary,
            when="3 days ago",
            cosine=0.58,
            freshness=0.81,
            recall_weight=1.0,
            score=score,
            parts=parts.model_copy(update={"by": by}),
        )
        for summary, score, by in (("We met.", 2.17, "score"), ("We parted.", 0.94, "meaning"))
    ]
    missed = events.NearMiss(
        audit_log_id=source.pk, summary="Behind.", reason="cap", cosine=0.31, score=0.77, parts=parts
    )
    content = events.ContentRecall(gate=gate, gate_threshold=0.12, coverage=coverage, word_weight=word_weight)
    return events.ContextServed(block="b", episodes=served, near_misses=[missed], content_recall=content)


def closed_receipt(source: AuditRow, *, gate: float) -> events.ContextServed:
    """A receipt of a message to which nothing came near enough."""
    missed = events.NearMiss(
        audit_log_id=source.pk,
        summary="Far.",
        reason="gate",
        cosine=0.2,
        score=1.1,
        short_by=0.12 - gate,
        parts=PARTS,
    )
    content = events.ContentRecall(gate=gate, gate_threshold=0.12, coverage=0.16, word_weight=0.0)
    return events.ContextServed(near_misses=[missed], content_recall=content)

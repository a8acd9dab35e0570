"""The receipt of a turn as its page shows it: the head line, the candidate line, the lists, and the block."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from dashboard.shared.receipts import candidate_line
from dashboard.shared.receipts.candidate_line import CandidateLine
from dashboard.shared.receipts.candidates import CandidateLists, RecallTerms, WeighedEpisode, judge
from dashboard.shared.receipts.fact_lines import FactLine
from dashboard.shared.receipts.head_lines import head_line
from memory.events import ContextServed, NearMiss, ServedEpisode


@dataclass(frozen=True)
class Answer:
    """What memory put into one prompt, and why."""

    receipt: ContextServed
    terms: RecallTerms
    lists: CandidateLists

    @classmethod
    def of(cls, receipt: ContextServed) -> "Answer":
        """The answer that a receipt holds. What an older version did not write down is left unsaid."""
        episodes = [*map(_served, receipt.episodes), *map(_missed, receipt.near_misses)]
        terms = RecallTerms(
            lowest_similarity=_lowest_similarity(receipt.near_misses),
            content=receipt.content_recall,
            places=len(receipt.episodes) or None,
            recall_scale=settings.CAESAR.memory.episodes_recall.recall_weight_scale,
        )
        return cls(receipt, terms, CandidateLists(judge(sorted(episodes, key=_place), terms)))

    @property
    def head(self) -> str:
        """What went in and what just missed, in a sentence."""
        return head_line(
            self.lists.candidates,
            self.terms,
            facts=len(self.receipt.facts),
            left_out=[left.part for left in self.receipt.left_out],
        )

    @property
    def line(self) -> CandidateLine | None:
        """The candidates, drawn."""
        return candidate_line.draw(self.lists.candidates, self.terms)

    @property
    def facts(self) -> Sequence[FactLine]:
        """The facts that went in, in the prompt's order."""
        return [FactLine.of_receipt(fact, self.receipt.selection) for fact in self.receipt.facts]

    @property
    def block_lines(self) -> int:
        """How many lines the block has."""
        return len(self.receipt.block.splitlines())


def _served(episode: ServedEpisode) -> WeighedEpisode:
    return WeighedEpisode(
        chat_id=episode.audit_log_id,
        summary=episode.summary,
        reason=None,
        when=episode.when,
        cosine=episode.cosine,
        freshness=episode.freshness,
        recall_weight=episode.recall_weight,
        score=episode.score,
        parts=episode.parts,
    )


def _missed(miss: NearMiss) -> WeighedEpisode:
    return WeighedEpisode(
        chat_id=miss.audit_log_id,
        summary=miss.summary,
        reason=miss.reason,
        cosine=miss.cosine,
        score=miss.score,
        short_by=miss.short_by,
        parts=miss.parts,
    )


def _place(episode: WeighedEpisode) -> int:
    """Those in first, then the ones behind them, then the rest, each as the receipt has them."""
    return 0 if episode.reason is None else 1 if episode.reason == "cap" else 2


def _lowest_similarity(misses: Sequence[NearMiss]) -> float | None:
    """The threshold of that moment, from one that fell short of it; None where none did."""
    return next(
        (
            miss.cosine + miss.short_by
            for miss in misses
            if miss.reason == "below_threshold" and miss.cosine is not None and miss.short_by is not None
        ),
        None,
    )

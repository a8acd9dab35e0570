"""What a message brings back in one mode of recall, with what just missed, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from dashboard.preview.line_diff import ChangeMark, diff_items
from dashboard.preview.scenarios import Scenario
from dashboard.shared.receipts import candidate_line
from dashboard.shared.receipts.candidate_line import CandidateLine
from dashboard.shared.receipts.candidates import Candidate, RecallTerms, WeighedEpisode, judge
from dashboard.shared.receipts.head_lines import head_line
from memory.events import ContentRecall
from memory.recall import comparison, retrieval

NEXT_SHOWN = 8

_MARK_SIGNS: Mapping[ChangeMark, tuple[str, str]] = {
    "": ("", ""),
    "added": ("+", "comes in"),
    "removed": ("−", "drops out"),
    "moved": ("↕", "moves"),
}


@dataclass(frozen=True)
class MarkedCandidate:
    """What the change does to a candidate, as a sign and in words."""

    mark: ChangeMark

    @property
    def sign(self) -> str:
        """The mark as one character."""
        return _MARK_SIGNS[self.mark][0]

    @property
    def words(self) -> str:
        """The mark in words."""
        return _MARK_SIGNS[self.mark][1]


@dataclass(frozen=True)
class EpisodeCandidate(MarkedCandidate):
    """An episode that was considered, and how it fared."""

    candidate: Candidate


@dataclass(frozen=True)
class EpisodeList:
    """The episodes of one scenario.

    `marks`: by chat, what the tried settings change about them. `numbers`: by chat, what another list calls them.
    """

    terms: Scenario
    weighed: comparison.ScenarioEpisodes
    is_in_force: bool
    marks: Mapping[int, ChangeMark] = field(default_factory=dict)
    numbers: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def compared(
        cls,
        terms: Scenario,
        weighed: comparison.ScenarioEpisodes,
        *,
        before: Sequence[comparison.ScoredEpisode],
    ) -> Self:
        """The list of the mode in force, marked against the episodes that go in `before` the change."""
        after = [episode.audit_log_id for episode in weighed.episodes if episode.reason is None]
        marks = dict(diff_items([episode.audit_log_id for episode in before], after))
        return cls(terms, weighed, is_in_force=True, marks=marks)

    def beside(self, terms: Scenario, weighed: comparison.ScenarioEpisodes) -> "EpisodeList":
        """The list of the mode that is not in force, which calls the same chats by the same numbers."""
        numbers = {row.candidate.episode.chat_id: row.candidate.number for row in self.episodes}
        return EpisodeList(terms, weighed, is_in_force=False, numbers=numbers)

    @property
    def mode(self) -> str:
        """The mode of recall."""
        return self.terms.memory.episodes_recall.mode

    @property
    def content(self) -> ContentRecall | None:
        """How the message was searched for in mode `hybrid`."""
        return self.weighed.content

    @property
    def has_nothing_to_search(self) -> bool:
        """Whether no chat has been taken up for mode `hybrid` yet."""
        takes_some = self.terms.memory.episodes_recall.top_k > 0
        return takes_some and self.content is not None and self.content.gate is None

    @property
    def lowest_similarity(self) -> float:
        """What a summary must reach in mode `record`."""
        return retrieval.similarity_threshold(self.terms.memory.episodes_recall).base

    @cached_property
    def episodes(self) -> Sequence[EpisodeCandidate]:
        """The episodes that are in the prompt, those that drop out, and the next few."""
        inside = [episode for episode in self.weighed.episodes if episode.reason is None]
        out = [episode for episode in self.weighed.episodes if episode.reason is not None]
        shown = [
            *inside,
            *(
                episode
                for place, episode in enumerate(out)
                if place < NEXT_SHOWN or self.marks.get(episode.audit_log_id)
            ),
        ]
        candidates = judge([_weighed(episode) for episode in shown], self._recall_terms, numbers=self.numbers)
        return [EpisodeCandidate(self.marks.get(one.episode.chat_id, ""), one) for one in candidates]

    @cached_property
    def line(self) -> CandidateLine | None:
        """The episodes, drawn."""
        return candidate_line.draw(self._candidates, self._recall_terms)

    def head(self, facts: int) -> str:
        """What goes in with so many facts, and what just misses, in a sentence."""
        return head_line(self._candidates, self._recall_terms, facts=facts, is_over=False)

    @property
    def _candidates(self) -> list[Candidate]:
        return [row.candidate for row in self.episodes]

    @property
    def _recall_terms(self) -> RecallTerms:
        recall = self.terms.memory.episodes_recall
        is_by_content = recall.mode == "hybrid"
        return RecallTerms(
            lowest_similarity=None if is_by_content else self.lowest_similarity,
            content=self.content or (ContentRecall() if is_by_content else None),
            places=recall.top_k,
            max_age_days=recall.max_age_days,
        )


def _weighed(episode: comparison.ScoredEpisode) -> WeighedEpisode:
    return WeighedEpisode(
        chat_id=episode.audit_log_id,
        summary=episode.summary,
        reason=episode.reason,
        when=episode.when,
        cosine=episode.cosine,
        freshness=episode.freshness,
        recall_weight=episode.recall_weight,
        score=episode.score,
        short_by=episode.short_by,
        parts=episode.parts,
    )


def in_other_mode(scenario: Scenario) -> Scenario:
    """The same scenario in the mode of recall that is not in force."""
    recall = scenario.memory.episodes_recall
    other = recall.model_copy(update={"mode": "record" if recall.mode == "hybrid" else "hybrid"})
    return replace(scenario, memory=scenario.memory.model_copy(update={"episodes_recall": other}))

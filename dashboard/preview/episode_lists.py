"""What a message brings back in one mode of recall, with what just missed, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from dashboard.preview.line_diff import ChangeMark, diff_items
from dashboard.preview.scenarios import Scenario
from dashboard.shared import score_words
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
    """An episode that was considered, and why it is left out."""

    episode: comparison.ScoredEpisode
    because: str

    @property
    def is_in(self) -> bool:
        """Whether it goes into the prompt."""
        return self.episode.reason is None


@dataclass(frozen=True)
class EpisodeList:
    """The episodes of one scenario. `marks`: by chat, what the tried settings change about them."""

    terms: Scenario
    weighed: comparison.ScenarioEpisodes
    is_in_force: bool
    marks: Mapping[int, ChangeMark] = field(default_factory=dict)

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

    @property
    def episodes(self) -> Sequence[EpisodeCandidate]:
        """The episodes that are in the prompt, those that drop out, and the next few."""
        rows = [
            EpisodeCandidate(self.marks.get(episode.audit_log_id, ""), episode, self._because(episode))
            for episode in self.weighed.episodes
        ]
        out = [row for row in rows if not row.is_in]
        kept = [row for row in out if row.mark or row in out[:NEXT_SHOWN]]
        return [*(row for row in rows if row.is_in), *kept]

    def _because(self, episode: comparison.ScoredEpisode) -> str:
        scale = self.terms.memory.episodes_recall
        match episode.reason:
            case "below_threshold":
                return self._too_far(episode) if episode.parts is None else "it has too little of what the best one has"
            case "gate":
                return f"nothing was near enough to the message: reached {score_words.reached(self.content)}"
            case "cap":
                return f"behind the best {scale.top_k}" if scale.top_k else "none is let in"
            case "too_old":
                return f"older than {scale.max_age_days} days"
            case "later":
                return "it took place after that day"
            case "other_model":
                return "its vector is of another embedder, or of another length"
            case "same_conversation":
                return "it is this very conversation"
        return ""

    def _too_far(self, episode: comparison.ScoredEpisode) -> str:
        cosine, lowest = episode.cosine or 0.0, self.lowest_similarity
        digits = 2 if lowest - cosine >= 0.01 else 4
        short_by = f"{lowest - cosine:.{digits}f}"
        return f"not similar enough: {cosine:.{digits}f} < {lowest:.{digits}f}, short by {short_by}"


def in_other_mode(scenario: Scenario) -> Scenario:
    """The same scenario in the mode of recall that is not in force."""
    recall = scenario.memory.episodes_recall
    other = recall.model_copy(update={"mode": "record" if recall.mode == "hybrid" else "hybrid"})
    return replace(scenario, memory=scenario.memory.model_copy(update={"episodes_recall": other}))

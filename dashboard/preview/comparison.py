"""Compares the prompt a message gets under the current settings with the one it would get under others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dashboard.preview.line_diff import ChangeMark, DiffLine, diff_items, diff_lines
from dashboard.preview.scenarios import Scenario, ScenarioPrompt, ask, build_prompt, weigh_episodes
from memory.events import FactRelevance
from memory.models import PersonalFact
from memory.ranking import Importance
from memory.recall import comparison, retrieval

FACTS_SHOWN = 100
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
class FactCandidate(MarkedCandidate):
    """A fact and its place in the prompt's order. `place` is None where it was not known yet.

    `relevance`: how well it fits the message, where that gave it its place.
    """

    place: int | None
    fact: PersonalFact
    importance: Importance
    is_in: bool
    relevance: FactRelevance | None = None


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
class PreviewComparison:
    """The prompts of both scenarios: `now` with the current settings, `tried` with others."""

    now: ScenarioPrompt
    tried: ScenarioPrompt
    why_no_episodes: str

    @cached_property
    def lines(self) -> Sequence[DiffLine]:
        """The lines of the tried prompt, compared with the current one."""
        return diff_lines(self.now.prompt, self.tried.prompt)

    @property
    def counts(self) -> Sequence[tuple[int, ChangeMark]]:
        """How many lines are added, removed and moved."""
        marks = [line.mark for line in self.lines]
        kinds: tuple[ChangeMark, ...] = ("added", "removed", "moved")
        return [(marks.count(kind), kind) for kind in kinds if kind in marks]

    @property
    def facts(self) -> Sequence[FactCandidate]:
        """The facts that are in the prompt, the next few, and those that drop out."""
        marks = dict(diff_items(self.now.fact_ids, self.tried.fact_ids))
        count = self.tried.facts_block.count
        placed = [(place, chosen.item, chosen.relevance) for place, chosen in enumerate(self.tried.facts, 1)]
        rows = [
            FactCandidate(marks.get(item.fact.pk, ""), place, item.fact, item.importance, place <= count, relevance)
            for place, item, relevance in placed
            if place <= min(count, FACTS_SHOWN) or count < place <= count + NEXT_SHOWN or marks.get(item.fact.pk)
        ]
        gone = [item for item in self.tried.later_facts if item.fact.pk in marks]
        return [*rows, *(FactCandidate("removed", None, item.fact, item.importance, is_in=False) for item in gone)]

    @property
    def more_facts(self) -> int:
        """How many facts are not listed."""
        return len(self.tried.facts) - sum(row.place is not None for row in self.facts)

    @property
    def episodes(self) -> Sequence[EpisodeCandidate]:
        """The episodes that are in the prompt, those that drop out, and the next few."""
        before = [episode.audit_log_id for episode in self.now.served]
        marks = dict(diff_items(before, [episode.audit_log_id for episode in self.tried.served]))
        rows = [
            EpisodeCandidate(marks.get(episode.audit_log_id, ""), episode, self._because(episode))
            for episode in self.tried.episodes
        ]
        out = [row for row in rows if not row.is_in]
        kept = [row for row in out if row.mark or row in out[:NEXT_SHOWN]]
        return [*(row for row in rows if row.is_in), *kept]

    def _because(self, episode: comparison.ScoredEpisode) -> str:
        scale = self.tried.terms.memory.episodes_recall
        match episode.reason:
            case "below_threshold":
                cosine, lowest = episode.cosine or 0.0, retrieval.similarity_threshold(scale).base
                digits = 2 if lowest - cosine >= 0.01 else 4
                short_by = f"{lowest - cosine:.{digits}f}"
                return f"not similar enough: {cosine:.{digits}f} < {lowest:.{digits}f}, short by {short_by}"
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


def compare_scenarios(message: str, current: Scenario, tried: Scenario) -> PreviewComparison:
    """The prompts for the message in the current scenario and in the tried one. At most seven queries."""
    now = current.now
    ranked = PersonalFact.objects.by_importance(now)
    question = ask(message)
    weighed = weigh_episodes(message, [current, tried], now, question)
    now_episodes, tried_episodes = weighed.by_scenario
    return PreviewComparison(
        now=build_prompt(current, ranked, now_episodes, now, question),
        tried=build_prompt(tried, ranked, tried_episodes, now, question),
        why_no_episodes=weighed.empty_reason,
    )

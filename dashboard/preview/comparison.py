"""Compares the prompt a message gets under the current settings with the one it would get under others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dashboard.preview.changes import PromptChange, describe_change
from dashboard.preview.episode_lists import NEXT_SHOWN, EpisodeList, MarkedCandidate, in_other_mode
from dashboard.preview.known_facts import ReadFacts
from dashboard.preview.line_diff import ChangeMark, DiffLine, diff_items, diff_lines
from dashboard.preview.scenarios import Scenario, ScenarioPrompt, ask, build_prompt, weigh_episodes
from dashboard.shared.receipts.fact_lines import FactLine
from memory.events import FactRelevance
from memory.models import PersonalFact
from memory.ranking import Importance

FACTS_SHOWN = 100


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
    is_mixed: bool = False

    @property
    def line(self) -> FactLine:
        """The fact as it is listed."""
        return FactLine.of_fact(self.fact, self.importance, is_mixed=self.is_mixed, relevance=self.relevance)


@dataclass(frozen=True)
class PreviewComparison:
    """The prompts of both scenarios: `now` with the current settings, `tried` with others.

    `episode_lists`: what the message brings back in the tried scenario, and what it would in the other mode of recall.
    """

    now: ScenarioPrompt
    tried: ScenarioPrompt
    episode_lists: Sequence[EpisodeList]
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
    def head(self) -> str:
        """What goes in, and what just misses, in a sentence."""
        return self.episode_lists[0].head(self.tried.facts_block.count)

    @cached_property
    def change(self) -> PromptChange:
        """What the tried settings drop out of the prompt, and what they bring in."""
        before, after = _items(self.now), _items(self.tried)
        return describe_change([*before], [*after], before | after)

    @cached_property
    def facts(self) -> Sequence[FactCandidate]:
        """The facts that are in the prompt, the next few, and those that drop out."""
        marks = dict(diff_items(self.now.fact_ids, self.tried.fact_ids))
        count = self.tried.facts_block.count
        most = count + NEXT_SHOWN
        placed = [(place, chosen.item, chosen.relevance) for place, chosen in self.tried.listed(most, marks)]
        rows = [
            FactCandidate(
                marks.get(item.fact.pk, ""),
                place,
                item.fact,
                item.importance,
                place <= count,
                relevance,
                self.tried.is_mixed,
            )
            for place, item, relevance in placed
            if place <= min(count, FACTS_SHOWN) or count < place <= count + NEXT_SHOWN or marks.get(item.fact.pk)
        ]
        gone = self.tried.left_out(marks)
        return [*rows, *(FactCandidate("removed", None, item.fact, item.importance, is_in=False) for item in gone)]

    @property
    def facts_in(self) -> Sequence[FactCandidate]:
        """Those of the listed facts that are in the prompt."""
        return [row for row in self.facts if row.is_in]

    @property
    def facts_out(self) -> Sequence[FactCandidate]:
        """The next few, and those that drop out."""
        return [row for row in self.facts if not row.is_in]

    @property
    def more_facts(self) -> int:
        """How many facts are not listed."""
        return len(self.tried.facts) - sum(row.place is not None for row in self.facts)


def compare_scenarios(message: str, current: Scenario, tried: Scenario) -> PreviewComparison:
    """The prompts for the message in the current scenario and in the tried one. At most twelve queries."""
    now, other = current.now, in_other_mode(tried)
    standings, facts = PersonalFact.objects.standings(now), ReadFacts()
    question = ask(message)
    weighed = weigh_episodes(message, [current, tried, other], now, question)
    before, after, elsewhere = weighed.by_scenario
    now_prompt = build_prompt(current, standings, before.episodes, now, question, facts)
    in_force = EpisodeList.compared(tried, after, before=now_prompt.served)
    return PreviewComparison(
        now=now_prompt,
        tried=build_prompt(tried, standings, after.episodes, now, question, facts),
        episode_lists=[in_force, in_force.beside(other, elsewhere)],
        why_no_episodes=weighed.empty_reason,
    )


def _items(prompt: ScenarioPrompt) -> dict[tuple[str, int], str]:
    """The episodes and the facts of a prompt, in order, with their names."""
    episodes = {("episode", episode.audit_log_id): episode.summary for episode in prompt.served}
    facts = {
        ("fact", chosen.item.fact.pk): chosen.item.fact.sentence for chosen in prompt.facts[: prompt.facts_block.count]
    }
    return {**episodes, **facts}

"""The prompt that a message gets under given settings at a given moment. Reads only, writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.conf import settings

from caesar.conf import MemorySettings
from memory.conversation import Conversation
from memory.events import Message
from memory.models import PersonalFact, RankedFact
from memory.recall import comparison, retrieval
from memory.recall.ongoing import ongoing_chats
from memory.text import wording

FACTS_OFF = "Facts are not put into prompts: CAESAR_MEMORY__FACTS__ENABLED is off."


@dataclass(frozen=True)
class Scenario:
    """What a prompt is built with.

    `now`: the moment at which every age is counted.
    """

    memory: MemorySettings
    now: datetime


@dataclass(frozen=True)
class ScenarioPrompt:
    """What one message gets in one scenario.

    `later_facts`: those that stay out, first said after its moment, or past their last day by then.
    """

    terms: Scenario
    facts: Sequence[RankedFact]
    later_facts: Sequence[RankedFact]
    episodes: Sequence[comparison.ScoredEpisode]

    @cached_property
    def facts_block(self) -> wording.Block:
        """The facts as worded in the prompt."""
        if not settings.CAESAR.facts_injection_enabled:
            return wording.Block("", 0)
        caps = self.terms.memory.facts
        sentences = (item.fact.sentence for item in self.facts)
        return wording.facts_block(sentences, max_facts=caps.max_injected, max_chars=caps.max_chars)

    @property
    def fact_ids(self) -> list[int]:
        """The ids of the facts in the prompt, in order."""
        return [item.fact.pk for item in self.facts[: self.facts_block.count]]

    @property
    def served(self) -> list[comparison.ScoredEpisode]:
        """The episodes in the prompt, in order."""
        return [episode for episode in self.episodes if episode.reason is None]

    @cached_property
    def prompt(self) -> str:
        """The system prompt."""
        episodes = wording.episodes_block((episode.when, episode.summary) for episode in self.served)
        return wording.system_prompt(
            settings.CAESAR.llm.system_prompt,
            facts=self.facts_block.text,
            episodes=episodes,
            position=settings.CAESAR.memory.injection.position,
        )

    @property
    def facts_end_because(self) -> str:
        """Why no more facts fit."""
        caps = self.terms.memory.facts
        if not settings.CAESAR.facts_injection_enabled:
            return FACTS_OFF
        if self.facts_block.count >= caps.max_injected:
            most = "1 fact is" if caps.max_injected == 1 else f"{caps.max_injected:,} facts are"
            return f"Below this line nothing goes in: {most} the most it takes"
        return f"Below this line nothing goes in: the {caps.max_chars:,} characters it takes are used up"


def weigh_episodes(message: str, scenarios: Sequence[Scenario], now: datetime) -> comparison.Comparison:
    """The episodes for the message in each scenario, or why there are none."""
    tree = settings.CAESAR
    if reason := retrieval.disabled_reason(tree):
        return comparison.Comparison([comparison.ScenarioEpisodes()] * len(scenarios), empty_reason=reason)
    if not message.strip():
        return comparison.Comparison(
            [comparison.ScenarioEpisodes()] * len(scenarios),
            empty_reason="type a message to see which ones it brings back",
        )
    return comparison.compare(
        message,
        [comparison.Scenario(scenario.memory.episodes_recall, scenario.now) for scenario in scenarios],
        excluded_chats=ongoing_chats(Conversation([Message(role="user", content=message)]), now=now),
        timeout_seconds=tree.semantic.timeout_seconds,
        zone=tree.zone,
        now=now,
    )


def build_prompt(
    scenario: Scenario, ranked: Sequence[RankedFact], episodes: Sequence[comparison.ScoredEpisode], now: datetime
) -> ScenarioPrompt:
    """The prompt of a scenario. On a day in the past, facts that were first said after it are not known yet.

    On any day, those whose last day is over take no place.
    """
    anew = PersonalFact.objects.ranked_anew(ranked, scenario.now, scale=scenario.memory.facts_importance)
    is_past = scenario.now < now
    stays_out = [item.is_past or (is_past and item.fact.first_seen_at > scenario.now) for item in anew]
    known = [item for item, out in zip(anew, stays_out, strict=True) if not out]
    later = [item for item, out in zip(anew, stays_out, strict=True) if out]
    return ScenarioPrompt(scenario, known, later, episodes)

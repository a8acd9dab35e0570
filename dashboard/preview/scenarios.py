"""The prompt that a message gets under given settings at a given moment. Reads only, writes nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.conf import settings

from caesar.conf import MemorySettings
from dashboard.preview.known_facts import ByRank, FactsInOrder, ReadFacts, order_for
from memory.conversation import Conversation
from memory.events import Message
from memory.models import PersonalFact, RankedFact, Standings
from memory.recall import comparison, relevant_facts, retrieval
from memory.recall.ongoing import ongoing_chats
from memory.recall.relevant_facts import Candidates, Question, SelectedFact
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

    `facts`: all that are known, in the prompt's order. `later_facts`: those that stay out, first said after its moment,
    or past their last day by then. `words_alone`: why the message's words alone decided about facts, "" where they did
    not.
    """

    terms: Scenario
    facts: Sequence[SelectedFact]
    later_facts: FactsInOrder
    episodes: Sequence[comparison.ScoredEpisode]
    words_alone: str = ""

    @property
    def is_mixed(self) -> bool:
        """Whether the message brings facts in, too."""
        return self.terms.memory.facts.selection == "mixed"

    @cached_property
    def facts_block(self) -> wording.Block:
        """The facts as worded in the prompt."""
        if not settings.CAESAR.facts_injection_enabled:
            return wording.Block("", 0)
        caps = self.terms.memory.facts
        sentences = (chosen.item.fact.sentence for chosen in self.facts)
        return wording.facts_block(sentences, max_facts=relevant_facts.most_facts(caps), max_chars=caps.max_chars)

    @property
    def fact_ids(self) -> list[int]:
        """The ids of the facts in the prompt, in order."""
        return [chosen.item.fact.pk for chosen in self.facts[: self.facts_block.count]]

    def listed(self, most: int, ids: Collection[int]) -> Sequence[tuple[int, SelectedFact]]:
        """The first `most` facts and those with these ids, each with its place (from 1)."""
        numbers = self.facts.ids if isinstance(self.facts, ByRank) else [one.item.fact.pk for one in self.facts]
        return [(at + 1, self.facts[at]) for at, row in enumerate(numbers) if at < most or row in ids]

    def left_out(self, ids: Collection[int]) -> Sequence[RankedFact]:
        """Those of these facts that stay out, first said after its moment or past by then."""
        return [self.later_facts[at] for at, row in enumerate(self.later_facts.ids) if row in ids]

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
        most = relevant_facts.most_facts(caps)
        if self.facts_block.count >= most:
            facts = "1 fact is" if most == 1 else f"{most:,} facts are"
            return f"Below this line nothing goes in: {facts} the most it takes"
        return f"Below this line nothing goes in: the {caps.max_chars:,} characters it takes are used up"


def settings_in_force(now: datetime) -> MemorySettings:
    """The memory settings, with the similarity threshold and the gate of this moment in them. Two queries at most."""
    memory = settings.CAESAR.memory
    recall_settings = retrieval.in_force(memory.episodes_recall, now=now)
    if recall_settings.mode == "hybrid" and recall_settings.gate is None:
        recall_settings = recall_settings.model_copy(update={"gate": round(retrieval.measured_gate(), 2)})
    return memory.model_copy(update={"episodes_recall": recall_settings})


def ask(message: str) -> Question | None:
    """The message, embedded for facts and episodes; None where facts go by importance alone, or into no prompt."""
    tree = settings.CAESAR
    if not tree.facts_injection_enabled or tree.memory.facts.selection == "importance":
        return None
    return relevant_facts.ask(message, tree.semantic)


def weigh_episodes(
    message: str, scenarios: Sequence[Scenario], now: datetime, question: Question | None
) -> comparison.Comparison:
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
        question or retrieval.ask(message, tree.semantic.timeout_seconds),
        [comparison.Scenario(scenario.memory.episodes_recall, scenario.now) for scenario in scenarios],
        excluded_chats=ongoing_chats(Conversation([Message(role="user", content=message)]), now=now),
        zone=tree.zone,
        now=now,
    )


def build_prompt(
    scenario: Scenario,
    standings: Standings,
    episodes: Sequence[comparison.ScoredEpisode],
    now: datetime,
    question: Question | None,
    facts: ReadFacts,
) -> ScenarioPrompt:
    """The prompt of a scenario. On a day in the past, facts that were first said after it are not known yet.

    On any day, those whose last day is over take no place. With a `question`, facts are chosen by it, too; without,
    only as many are read as are looked at.
    """
    unknown = PersonalFact.objects.first_seen_after(scenario.now) if scenario.now < now else set()
    known, first, later = order_for(standings, scenario.memory, scenario.now, unknown=unknown, facts=facts)
    if question is None:
        return ScenarioPrompt(scenario, ByRank(known, first), later, episodes)
    selection = relevant_facts.select(Candidates(known[:]), question, most=len(known))
    return ScenarioPrompt(scenario, selection.facts, later, episodes, selection.words_alone)

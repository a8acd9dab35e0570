"""What a message would be given under other settings, beside what it is given now. Reads only, writes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.conf import settings

from caesar.conf import MemorySettings
from dashboard.preview.line_diff import Line, Mark, compared, marked
from memory.conversation import Conversation
from memory.events import Message
from memory.models import PersonalFact, RankedFact
from memory.ranking import Importance
from memory.recall import comparison, retrieval
from memory.text import wording

FACTS_SHOWN = 100
NEXT_SHOWN = 8
FACTS_OFF = "Facts are not put into prompts: CAESAR_MEMORY__FACTS__ENABLED is off."

_SIGNS: Mapping[Mark, tuple[str, str]] = {
    "": ("", ""),
    "added": ("+", "comes in"),
    "removed": ("−", "drops out"),
    "moved": ("↕", "moves"),
}


@dataclass(frozen=True)
class Terms:
    """The settings and the moment a prompt is made with."""

    memory: MemorySettings
    now: datetime


@dataclass(frozen=True)
class Side:
    """What one message gets under one set of terms."""

    terms: Terms
    facts: Sequence[RankedFact]
    later_facts: Sequence[RankedFact]
    episodes: Sequence[comparison.ScoredEpisode]

    @cached_property
    def facts_block(self) -> wording.Block:
        """The facts as the prompt says them."""
        if not settings.CAESAR.facts_injection_enabled:
            return wording.Block("", 0)
        caps = self.terms.memory.facts
        sentences = (item.fact.sentence for item in self.facts)
        return wording.facts_block(sentences, max_facts=caps.max_injected, max_chars=caps.max_chars)

    @property
    def fact_ids(self) -> list[int]:
        """The facts of the prompt, in order."""
        return [item.fact.pk for item in self.facts[: self.facts_block.count]]

    @property
    def served(self) -> list[comparison.ScoredEpisode]:
        """The episodes of the prompt, in order."""
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
        """Why no more facts go in."""
        caps = self.terms.memory.facts
        if not settings.CAESAR.facts_injection_enabled:
            return FACTS_OFF
        if self.facts_block.count >= caps.max_injected:
            most = "1 fact is" if caps.max_injected == 1 else f"{caps.max_injected:,} facts are"
            return f"Below this line nothing goes in: {most} the most it takes"
        return f"Below this line nothing goes in: the {caps.max_chars:,} characters it takes are used up"


@dataclass(frozen=True)
class Changed:
    """A candidate's mark, as a sign and in words."""

    mark: Mark

    @property
    def sign(self) -> str:
        """One character."""
        return _SIGNS[self.mark][0]

    @property
    def words(self) -> str:
        """What it does."""
        return _SIGNS[self.mark][1]


@dataclass(frozen=True)
class FactCandidate(Changed):
    """A fact at its place; `place` is None where it was not known yet."""

    place: int | None
    fact: PersonalFact
    importance: Importance
    is_in: bool


@dataclass(frozen=True)
class EpisodeCandidate(Changed):
    """An episode that came near, and why it is left out."""

    episode: comparison.ScoredEpisode
    because: str

    @property
    def is_in(self) -> bool:
        """Whether it goes into the prompt."""
        return self.episode.reason is None


@dataclass(frozen=True)
class Preview:
    """Both sides: `now` as the settings are, `tried` as they might be. `why_no_episodes` is true of both."""

    now: Side
    tried: Side
    why_no_episodes: str

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The prompt that was tried, line by line against the one of now."""
        return compared(self.now.prompt, self.tried.prompt)

    @property
    def counts(self) -> Sequence[tuple[int, Mark]]:
        """How many lines change, by how."""
        marks = [line.mark for line in self.lines]
        kinds: tuple[Mark, ...] = ("added", "removed", "moved")
        return [(marks.count(kind), kind) for kind in kinds if kind in marks]

    @property
    def facts(self) -> Sequence[FactCandidate]:
        """The facts that go in, those that drop out, and the next few."""
        marks = dict(marked(self.now.fact_ids, self.tried.fact_ids))
        count = self.tried.facts_block.count
        rows = [
            FactCandidate(marks.get(item.fact.pk, ""), place, item.fact, item.importance, place <= count)
            for place, item in enumerate(self.tried.facts, 1)
            if place <= min(count, FACTS_SHOWN) or count < place <= count + NEXT_SHOWN or marks.get(item.fact.pk)
        ]
        gone = [item for item in self.tried.later_facts if item.fact.pk in marks]
        return [*rows, *(FactCandidate("removed", None, item.fact, item.importance, is_in=False) for item in gone)]

    @property
    def more_facts(self) -> int:
        """How many facts are not shown."""
        return len(self.tried.facts) - sum(row.place is not None for row in self.facts)

    @property
    def episodes(self) -> Sequence[EpisodeCandidate]:
        """The episodes that go in, those that drop out, and what came near."""
        before = [episode.audit_log_id for episode in self.now.served]
        marks = dict(marked(before, [episode.audit_log_id for episode in self.tried.served]))
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
                cosine, lowest = episode.cosine or 0.0, retrieval.similarity_threshold(scale)
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
                return "its vector is of another embedder"
            case "same_conversation":
                return "it is this very conversation"
        return ""


def read_preview(message: str, tried: Terms, *, now: datetime) -> Preview:
    """The message under the settings as they are, now, and under what is tried. At most seven queries."""
    current = Terms(settings.CAESAR.memory, now)
    ranked = PersonalFact.objects.by_importance(now)
    compared_episodes = _compare_episodes(message, [current, tried], now)
    now_episodes, tried_episodes = compared_episodes.by_scenario
    return Preview(
        now=_side(current, ranked, now_episodes, now),
        tried=_side(tried, ranked, tried_episodes, now),
        why_no_episodes=compared_episodes.empty_reason,
    )


def _compare_episodes(message: str, terms: Sequence[Terms], now: datetime) -> comparison.Comparison:
    tree = settings.CAESAR
    if reason := retrieval.disabled_reason(tree):
        return comparison.Comparison([()] * len(terms), empty_reason=reason)
    if not message.strip():
        return comparison.Comparison([()] * len(terms), empty_reason="type a message to see which ones it brings back")
    return comparison.compare(
        message,
        [comparison.Scenario(own.memory.episodes_recall, own.now) for own in terms],
        excluded_chats=retrieval.ongoing_chats(Conversation([Message(role="user", content=message)])),
        timeout_seconds=tree.semantic.timeout_seconds,
        zone=tree.zone,
        now=now,
    )


def _side(
    terms: Terms, ranked: Sequence[RankedFact], episodes: Sequence[comparison.ScoredEpisode], now: datetime
) -> Side:
    """One side. Of a day that is over, facts first said after it were not known yet."""
    anew = PersonalFact.objects.ranked_anew(ranked, terms.now, scale=terms.memory.facts_importance)
    is_past = terms.now < now
    known = [item for item in anew if not (is_past and item.fact.first_seen_at > terms.now)]
    later = [item for item in anew if is_past and item.fact.first_seen_at > terms.now]
    return Side(terms, known, later, episodes)

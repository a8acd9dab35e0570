"""The settings of memory: what is learned, ranked, recalled and kept."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from caesar.conf.section import Section
from caesar.setting_types import (
    BatchSize,
    Days,
    Seconds,
    Weight,
    lower,
)

RecallMode = Literal["record", "hybrid"]


class FactsSettings(Section):
    """Facts in the prompt (ADR-0033 §3)."""

    enabled: bool | None = None
    """Put facts into the prompt; unset, only if CAESAR_PROACTIVE__TRIGGERS_PATH is set."""
    max_injected: Annotated[int, Field(ge=0, le=10_000)] = 30
    """Most facts in one prompt."""
    max_chars: Annotated[int, Field(ge=0, le=1_000_000)] = 2048
    """Most characters of the facts block."""
    selection: Annotated[Literal["importance", "mixed"], BeforeValidator(lower)] = "importance"
    """`importance`: the most important facts; `mixed`: the 10 most important, then up to 20 that fit the message."""


class FactsExtractSettings(Section):
    """The worker that learns facts from chats (ADR-0033 §2)."""

    enabled: bool = False
    """Learn facts from chats: one LLM call for each."""
    interval_seconds: Seconds = 60.0
    """How often to look for new chats; rounded up to whole minutes, a finished chat starts the worker at once."""
    batch_size: BatchSize = 8
    """Most chats in one run."""
    max_attempts: Annotated[int, Field(ge=1, le=100)] = 5
    """Tries for a chat whose answers are bad, before it is given up."""
    max_chars: Annotated[int, Field(ge=1_000, le=10_000_000)] = 48_000
    """Most characters of a chat sent to the extractor; a longer one is cut, and the cut is marked."""
    max_facts: Annotated[int, Field(ge=1, le=100)] = 24
    """Most facts that one chat may teach; of more, those the model was surest of."""


class FactsImportanceSettings(Section):
    """How facts are ranked (ADR-0034 §4)."""

    halflife_days: Days = 60.0
    """Freshness is exp(-age / this): 0.37 at this age, not 0.5. Lower makes age count more."""
    edit_weight_scale: Weight = 0.5
    """How much each edit by the operator raises a fact."""


class EpisodesSummariseSettings(Section):
    """The worker that sums up chats (ADR-0034 §2)."""

    enabled: bool = False
    """Sum up chats as episodes: one LLM call and one embedding for each. Needs CAESAR_SEMANTIC__ENABLED."""
    interval_seconds: Seconds = 60.0
    """How often to look for new chats; rounded up to whole minutes, a finished chat starts the worker at once."""
    batch_size: BatchSize = 4
    """Most chats in one run."""


class EpisodesRecallSettings(Section):
    """Episodes in the prompt (ADR-0034 §3 and §4)."""

    enabled: bool = True
    """Put past conversations that fit the message into the prompt."""
    mode: Annotated[RecallMode, BeforeValidator(lower)] = "record"
    """`record`: by summaries, as ADR-0034 says; `hybrid`: by what was said, in meaning, words and dates."""
    gate: Annotated[float, Field(ge=-2, le=2, allow_inf_nan=False)] | None = None
    """What the best conversation must reach in `hybrid`; unset, 0.09 to 0.22 by their number; -2: no gate."""
    top_k: Annotated[int, Field(ge=0, le=1_000)] = 3
    """Most episodes in one prompt."""
    similarity_threshold: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)] | None = None
    """Lowest cosine that counts as similar; unset, the embedder's own: 0.45, embedded 0.25 to 0.29."""
    max_age_days: Annotated[int, Field(ge=1, le=36_500)] = 90
    """Oldest episode to recall."""
    halflife_days: Days = 30.0
    """Freshness is exp(-age / this): 0.37 at this age, not 0.5. Lower makes age count more."""
    recall_weight_scale: Weight = 0.25
    """How much earlier recalls raise an episode."""


class InjectionSettings(Section):
    """Where memory stands in the prompt."""

    position: Annotated[Literal["top", "after_prompt"], BeforeValidator(lower)] = "top"
    """`top`: before the operator prompt; `after_prompt`: behind it, for providers that cache how prompts begin."""


class MemorySettings(Section):
    """What is remembered, how it is ranked and how long it is kept."""

    facts: FactsSettings = FactsSettings()
    facts_extract: FactsExtractSettings = FactsExtractSettings()
    facts_importance: FactsImportanceSettings = FactsImportanceSettings()
    episodes_summarise: EpisodesSummariseSettings = EpisodesSummariseSettings()
    episodes_recall: EpisodesRecallSettings = EpisodesRecallSettings()
    injection: InjectionSettings = InjectionSettings()
    retention_days: Annotated[int, Field(ge=0, le=36_500)] = 90
    """Age at which audit rows, chats among them, are deleted; 0 keeps them for ever."""
    keep_secrets: bool = False
    """Keep passwords, card numbers and keys in chats as they were said; else a mask stands in their place."""
    audit_max_string_chars: Annotated[int, Field(ge=64, le=100_000_000)] = 16_384
    """Longest string in an audit row; longer ones are cut and marked."""
    chat_max_chars: Annotated[int, Field(ge=64, le=100_000_000)] = 262_144
    """Longest message or reply kept of a chat; longer ones are cut and marked."""

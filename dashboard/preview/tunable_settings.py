"""The settings that a preview can try, and a slider for each. The settings tree's own rules check the values."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django import forms
from django.conf import settings
from pydantic import ValidationError

from caesar.conf import MemorySettings
from caesar.environment import PLAIN_WORDS, PREFIX

_FINER_STEPS = [Decimal(10) ** -digits for digits in range(7)]


@dataclass(frozen=True)
class TunableSetting:
    """The setting `memory.<section>.<field>`, and the range of its slider, which grows where the value needs it."""

    name: str
    section: str
    field: str
    label: str
    low: str
    high: str
    step: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"{PREFIX}MEMORY__{self.section.upper()}__{self.field.upper()}"

    def value(self, memory: MemorySettings) -> float:
        """Its value in these settings, which hold the threshold and the gate that are in force."""
        number: float = getattr(getattr(memory, self.section), self.field)
        return number

    def parse(self, text: str) -> float:
        """The number this text stands for. Raises `forms.ValidationError` for what the settings tree refuses."""
        section = type(getattr(settings.CAESAR.memory, self.section))
        try:
            number: float = getattr(section.model_validate({self.field: text}), self.field)
        except ValidationError as error:
            detail = error.errors(include_url=False)[0]
            problem = PLAIN_WORDS.get(detail["type"]) or detail["msg"].replace("Input should be", "must be", 1)
            raise forms.ValidationError(f"{self.label} {problem}.") from None
        return number


_TOP_K = TunableSetting("top_k", "episodes_recall", "top_k", "Most in a prompt", "0", "20", "1")
EPISODE_SETTINGS = (
    TunableSetting("threshold", "episodes_recall", "similarity_threshold", "Lowest similarity", "0", "1", "0.01"),
    _TOP_K,
    TunableSetting("episode_halflife", "episodes_recall", "halflife_days", "Half-life, days", "1", "365", "1"),
    TunableSetting(
        "recall_weight", "episodes_recall", "recall_weight_scale", "Weight of earlier recalls", "0", "2", "0.05"
    ),
    TunableSetting("max_age", "episodes_recall", "max_age_days", "Oldest, days", "1", "365", "1"),
)
CONTENT_SETTINGS = (TunableSetting("gate", "episodes_recall", "gate", "Nearness it takes", "0", "0.5", "0.01"), _TOP_K)
"""Those of mode `hybrid`, in place of the ones before."""

FACT_SETTINGS = (
    TunableSetting("fact_halflife", "facts_importance", "halflife_days", "Half-life, days", "1", "365", "1"),
    TunableSetting("edit_weight", "facts_importance", "edit_weight_scale", "Weight of each edit", "0", "3", "0.05"),
    TunableSetting("max_facts", "facts", "max_injected", "Most in a prompt", "0", "100", "1"),
    TunableSetting("max_chars", "facts", "max_chars", "Most characters", "0", "8192", "64"),
)
TUNABLE_SETTINGS = (*EPISODE_SETTINGS, *FACT_SETTINGS)


def episode_settings(memory: MemorySettings) -> Sequence[TunableSetting]:
    """The settings for past conversations that the mode in force has."""
    return CONTENT_SETTINGS if memory.episodes_recall.mode == "hybrid" else EPISODE_SETTINGS


@dataclass(frozen=True)
class Slider:
    """The slider of a setting. Its step is fine enough to reach both the value and the current setting."""

    knob: TunableSetting
    value: str
    current: str
    low: str
    high: str
    step: str
    error: str = ""

    @classmethod
    def of(cls, setting: TunableSetting, value: float, *, current: float, error: str = "") -> "Slider":
        """The slider at this value; `current` is the one in force."""
        numbers = [Decimal(format_number(value)), Decimal(format_number(current))]
        low, high = min(Decimal(setting.low), *numbers), max(Decimal(setting.high), *numbers)
        steps = [Decimal(setting.step), *(step for step in _FINER_STEPS if step < Decimal(setting.step))]
        step = next((step for step in steps if not any((number - low) % step for number in numbers)), steps[-1])
        return cls(
            knob=setting,
            value=format_number(value),
            current=format_number(current),
            low=f"{low:f}",
            high=f"{high:f}",
            step=f"{step:f}",
            error=error,
        )

    @property
    def has_changed(self) -> bool:
        """Whether its value differs from the current setting."""
        return self.value != self.current


def format_number(number: float) -> str:
    """A number as written in an environment file: 3, 0.25, 36500."""
    return f"{number:.10g}" if isinstance(number, float) else str(number)

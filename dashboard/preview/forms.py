"""The settings that a preview can try: one slider each, checked by the settings tree's own rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django import forms
from django.conf import settings
from django.utils.datastructures import MultiValueDict
from pydantic import ValidationError

from caesar.conf import MemorySettings
from caesar.environment import PLAIN_WORDS, PREFIX
from memory.recall import retrieval
from memory.text.lines import one_line

MOST_MESSAGE_CHARS = 800
_FARTHEST = timedelta(days=3653)
_STEPS = [Decimal(10) ** -digits for digits in range(7)]


@dataclass(frozen=True)
class Knob:
    """One setting of `memory.<section>.<field>`, and the span its slider has unless the value lies outside of it."""

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
        """What counts under these settings: an unset threshold is the embedder's own."""
        if self.field == "similarity_threshold":
            return retrieval.similarity_threshold(memory.episodes_recall)
        number: float = getattr(getattr(memory, self.section), self.field)
        return number

    def read(self, text: str) -> float:
        """The number that a setting of this text is. Raises `forms.ValidationError` as the settings tree would."""
        section = type(getattr(settings.CAESAR.memory, self.section))
        try:
            number: float = getattr(section.model_validate({self.field: text}), self.field)
        except ValidationError as error:
            detail = error.errors(include_url=False)[0]
            problem = PLAIN_WORDS.get(detail["type"]) or detail["msg"].replace("Input should be", "must be", 1)
            raise forms.ValidationError(f"{self.label} {problem}.") from None
        return number


EPISODE_KNOBS = (
    Knob("threshold", "episodes_recall", "similarity_threshold", "Lowest similarity", "0", "1", "0.01"),
    Knob("top_k", "episodes_recall", "top_k", "Most in a prompt", "0", "20", "1"),
    Knob("episode_halflife", "episodes_recall", "halflife_days", "Half-life, days", "1", "365", "1"),
    Knob("recall_weight", "episodes_recall", "recall_weight_scale", "Weight of earlier recalls", "0", "2", "0.05"),
    Knob("max_age", "episodes_recall", "max_age_days", "Oldest, days", "1", "365", "1"),
)
FACT_KNOBS = (
    Knob("fact_halflife", "facts_importance", "halflife_days", "Half-life, days", "1", "365", "1"),
    Knob("edit_weight", "facts_importance", "edit_weight_scale", "Weight of each edit", "0", "3", "0.05"),
    Knob("max_facts", "facts", "max_injected", "Most in a prompt", "0", "100", "1"),
    Knob("max_chars", "facts", "max_chars", "Most characters", "0", "8192", "64"),
)
KNOBS = (*EPISODE_KNOBS, *FACT_KNOBS)


@dataclass(frozen=True)
class Slider:
    """A knob as it is drawn. Its step is as fine as it takes for the value and the current setting to lie on it."""

    knob: Knob
    value: str
    current: str
    low: str
    high: str
    step: str
    error: str = ""

    @classmethod
    def of(cls, knob: Knob, value: float, *, error: str = "") -> "Slider":
        """The slider at this value."""
        numbers = [Decimal(written(value)), Decimal(written(knob.value(settings.CAESAR.memory)))]
        low, high = min(Decimal(knob.low), *numbers), max(Decimal(knob.high), *numbers)
        steps = [Decimal(knob.step), *(step for step in _STEPS if step < Decimal(knob.step))]
        step = next((step for step in steps if not any((number - low) % step for number in numbers)), _STEPS[-1])
        return cls(knob, written(value), written(float(numbers[1])), f"{low:f}", f"{high:f}", f"{step:f}", error)

    @property
    def has_changed(self) -> bool:
        """Whether it stands elsewhere than the setting."""
        return self.value != self.current


@dataclass(frozen=True)
class EnvironmentLine:
    """A setting that was tried, as it would be written down, and what it is now."""

    text: str
    now: str


class _KnobField(forms.Field):
    """A number for one knob; blank is the setting as it is."""

    def __init__(self, knob: Knob) -> None:
        super().__init__(required=False)
        self.knob = knob

    def clean(self, value: object) -> float:
        """The number. Raises `forms.ValidationError`."""
        text = one_line(str(value or ""))
        return self.knob.read(text) if text else self.knob.value(settings.CAESAR.memory)


class PreviewForm(forms.Form):
    """A message, a day and a number for each knob; what is missing is as it is now."""

    message = forms.CharField(
        required=False,
        strip=False,
        max_length=MOST_MESSAGE_CHARS,
        error_messages={"max_length": f"The message is longer than {MOST_MESSAGE_CHARS} characters. Shorten it."},
    )
    as_of = forms.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": "Write the day as year-month-day, such as 2026-05-31."},
    )

    def __init__(self, asked: MultiValueDict[str, str], *, now: datetime) -> None:
        super().__init__(asked)
        self.now = now
        self.fields.update({knob.name: _KnobField(knob) for knob in KNOBS})

    def clean_as_of(self) -> datetime:
        """The moment that is asked about: now, or this time of another day. Raises `forms.ValidationError`."""
        local = self.now.astimezone(settings.CAESAR.zone)
        day = self.cleaned_data["as_of"] or local.date()
        if abs(day - local.date()) > _FARTHEST:
            raise forms.ValidationError("Choose a day within ten years of today.")
        if day == local.date():
            return self.now
        return datetime.combine(day, local.time(), settings.CAESAR.zone).astimezone(self.now.tzinfo)

    @property
    def tried(self) -> MemorySettings:
        """The memory settings with what was tried in them."""
        memory = settings.CAESAR.memory
        sections: dict[str, dict[str, float]] = {}
        for knob in self._turned():
            sections.setdefault(knob.section, {})[knob.field] = self.cleaned_data[knob.name]
        return memory.model_copy(
            update={name: getattr(memory, name).model_copy(update=values) for name, values in sections.items()}
        )

    @property
    def environment(self) -> Sequence[EnvironmentLine]:
        """The lines to set to keep what was tried."""
        memory = settings.CAESAR.memory
        return [
            EnvironmentLine(f"{knob.variable}={written(self.cleaned_data[knob.name])}", written(knob.value(memory)))
            for knob in self._turned()
        ]

    @property
    def asks_for_changes(self) -> bool:
        """Whether anything is tried: another day, or a knob that was turned."""
        return self.cleaned_data["as_of"] != self.now or any(self._turned())

    @property
    def parameters(self) -> Mapping[str, str]:
        """What an address to this preview has to say: the message, the day and the knobs that were turned."""
        turned = {knob.name: written(self.cleaned_data[knob.name]) for knob in self._turned()}
        is_other_day = self.cleaned_data["as_of"] != self.now
        day = (
            {"as_of": f"{self.cleaned_data['as_of'].astimezone(settings.CAESAR.zone):%Y-%m-%d}"} if is_other_day else {}
        )
        message = {"message": self.cleaned_data["message"]} if self.cleaned_data["message"] else {}
        return {**message, **day, **turned}

    @property
    def episode_sliders(self) -> Sequence[Slider]:
        """The sliders about past conversations."""
        return [self._slider(knob) for knob in EPISODE_KNOBS]

    @property
    def fact_sliders(self) -> Sequence[Slider]:
        """The sliders about facts."""
        return [self._slider(knob) for knob in FACT_KNOBS]

    def _turned(self) -> Iterator[Knob]:
        memory = settings.CAESAR.memory
        return (knob for knob in KNOBS if self.cleaned_data[knob.name] != knob.value(memory))

    def _slider(self, knob: Knob) -> Slider:
        """A refused number leaves its slider at the setting, with the reason beside it."""
        errors = self.errors.get(knob.name)
        value = knob.value(settings.CAESAR.memory) if errors else self.cleaned_data[knob.name]
        return Slider.of(knob, value, error=str(errors[0]) if errors else "")


def written(number: float) -> str:
    """A number as an environment file has it: 3, 0.25, 36500."""
    return f"{number:.10g}" if isinstance(number, float) else str(number)

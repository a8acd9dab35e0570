"""The form of the preview: a message, a day, and a value for each setting that can be tried."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django import forms
from django.conf import settings
from django.utils.datastructures import MultiValueDict

from caesar.conf import MemorySettings
from dashboard.preview.tunable_settings import (
    FACT_SETTINGS,
    Slider,
    TunableSetting,
    episode_settings,
    format_number,
)
from memory.text.lines import one_line

MAX_MESSAGE_CHARS = 800
_MAX_DAY_DISTANCE = timedelta(days=3653)


@dataclass(frozen=True)
class EnvironmentLine:
    """A changed setting as a line of an environment file, and its current value."""

    text: str
    now: str


class _SettingField(forms.Field):
    """The value of one setting. Blank means its current value."""

    def __init__(self, setting: TunableSetting, memory: MemorySettings) -> None:
        super().__init__(required=False)
        self.setting, self.memory = setting, memory

    def clean(self, value: object) -> float:
        """The number. Raises `forms.ValidationError`."""
        text = one_line(str(value or ""))
        return self.setting.parse(text) if text else self.setting.value(self.memory)


class PreviewForm(forms.Form):
    """A message, a day and a value for each setting. What is missing is as it is now, in `memory`."""

    message = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_MESSAGE_CHARS,
        error_messages={"max_length": f"The message is longer than {MAX_MESSAGE_CHARS} characters. Shorten it."},
    )
    as_of = forms.DateField(
        required=False,
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": "Write the day as year-month-day, such as 2026-05-31."},
    )

    def __init__(self, data: MultiValueDict[str, str], *, memory: MemorySettings, now: datetime) -> None:
        super().__init__(data)
        self.memory, self.now = memory, now
        self.episode_settings = episode_settings(memory)
        self.settings = (*self.episode_settings, *FACT_SETTINGS)
        self.fields.update({setting.name: _SettingField(setting, memory) for setting in self.settings})

    def clean_as_of(self) -> datetime:
        """The moment to preview: now, or this time of another day. Raises `forms.ValidationError`."""
        local = self.now.astimezone(settings.CAESAR.zone)
        day = self.cleaned_data["as_of"] or local.date()
        if abs(day - local.date()) > _MAX_DAY_DISTANCE:
            raise forms.ValidationError("Choose a day within ten years of today.")
        if day == local.date():
            return self.now
        return datetime.combine(day, local.time(), settings.CAESAR.zone).astimezone(self.now.tzinfo)

    @property
    def tried(self) -> MemorySettings:
        """The memory settings with the changed values in them."""
        memory = self.memory
        sections: dict[str, dict[str, float]] = {}
        for setting in self._changed_settings():
            sections.setdefault(setting.section, {})[setting.field] = self.cleaned_data[setting.name]
        return memory.model_copy(
            update={name: getattr(memory, name).model_copy(update=values) for name, values in sections.items()}
        )

    @property
    def environment(self) -> Sequence[EnvironmentLine]:
        """The lines that make the changed values permanent."""
        return [
            EnvironmentLine(
                f"{setting.variable}={self._tried_value(setting)}", format_number(setting.value(self.memory))
            )
            for setting in self._changed_settings()
        ]

    @property
    def asks_for_changes(self) -> bool:
        """Whether anything differs from now: the day or a setting."""
        return self.cleaned_data["as_of"] != self.now or any(self._changed_settings())

    @property
    def changed_count(self) -> int:
        """How many settings differ from now; 0 while the form holds an error."""
        return 0 if self.errors else sum(1 for _ in self._changed_settings())

    @property
    def has_open_settings(self) -> bool:
        """Whether the settings stand open where they are folded: one has changed, or holds an error."""
        return bool(self.changed_count or self.errors) or self.cleaned_data["as_of"] != self.now

    @property
    def parameters(self) -> Mapping[str, str]:
        """The query parameters of this preview: the message, another day, and the changed settings."""
        parameters = {"message": self.cleaned_data["message"]}
        if self.cleaned_data["as_of"] != self.now:
            parameters["as_of"] = f"{self.cleaned_data['as_of'].astimezone(settings.CAESAR.zone):%Y-%m-%d}"
        return parameters | {setting.name: self._tried_value(setting) for setting in self._changed_settings()}

    @property
    def episode_sliders(self) -> Sequence[Slider]:
        """The sliders for past conversations."""
        return [self._slider(setting) for setting in self.episode_settings]

    @property
    def fact_sliders(self) -> Sequence[Slider]:
        """The sliders for facts."""
        return [self._slider(setting) for setting in FACT_SETTINGS]

    def _changed_settings(self) -> Iterator[TunableSetting]:
        return (setting for setting in self.settings if self.cleaned_data[setting.name] != setting.value(self.memory))

    def _tried_value(self, setting: TunableSetting) -> str:
        return format_number(self.cleaned_data[setting.name])

    def _slider(self, setting: TunableSetting) -> Slider:
        """The slider of a setting. With a refused value it is at the current one, with the reason beside it."""
        errors = self.errors.get(setting.name)
        current = setting.value(self.memory)
        value = current if errors else self.cleaned_data[setting.name]
        return Slider.of(setting, value, current=current, error=str(errors[0]) if errors else "")

"""The file of cases: one JSON object a line, a chat with the facts that it should teach and those that it must not."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, field_validator, model_validator

from memory.management.evaluation.chats import Named, Part, SaidChat, Text
from memory.management.evaluation.facts import matching
from memory.management.evaluation.json_lines import Shape
from memory.text import normalising

Operation = Literal["add", "update", "confirm"]


class KnownFact(Part):
    """A fact that was known before the chat."""

    key: Text
    value: Text

    @model_validator(mode="after")
    def _can_be_kept(self) -> "KnownFact":
        if self.claim is None:
            raise ValueError("cannot be kept as a fact: the key or the value is blank, over-long or a secret")
        return self

    @property
    def claim(self) -> normalising.Claim | None:
        """The fact as a worker would have learned it."""
        return normalising.parse_claim({"key": self.key, "value": self.value, "confidence": 0.9})


class GoldFact(Part):
    """A fact to be learned: patterns of its key (`pet.*`), the values that will do, and what becomes of it."""

    key_any: Annotated[list[Text], Field(min_length=1)]
    value_any: Annotated[list[Text], Field(min_length=1)]
    op: Operation = "add"

    @field_validator("value_any")
    @classmethod
    def _can_be_found(cls, values: list[str]) -> list[str]:
        return _with_words(values)


class Case(Named, SaidChat):
    """One chat. `have`: what was known before; `retire`: patterns of the keys of known facts that end with it."""

    tag: str = ""
    have: list[KnownFact] = []
    gold: list[GoldFact]
    forbidden: list[str] = []
    retire: list[Text] = Field(default=[], validation_alias=AliasChoices("retire", "ends"))

    @field_validator("forbidden")
    @classmethod
    def _can_be_broken(cls, rules: list[str]) -> list[str]:
        for rule in rules:
            _with_words(rule.split("=", 1))
        return rules


def _with_words(texts: list[str]) -> list[str]:
    """The texts, each of which holds a letter or a digit: other marks are not compared. Raises ValueError."""
    for text in texts:
        if not matching.normalised(text):
            raise ValueError(f"{text!r} holds no letter and no digit, so nothing could match it")
    return texts


_SHAPE = Shape(Case, "case", needs="A case has id, messages and gold (an empty list for none).", docs="docs/models.md")


def read(path: Path, *, limit: int | None = None) -> list[Case]:
    """The cases of a file, at most `limit` of them. Blank lines are left out. Raises `BadFile`."""
    return _SHAPE.read(path, limit=limit)

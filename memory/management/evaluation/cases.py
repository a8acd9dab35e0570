"""The file of cases: one JSON object a line, a chat with the facts that it should teach and those that it must not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from memory.management.evaluation import matching
from memory.text import normalising

Text = Annotated[str, Field(min_length=1)]
Operation = Literal["add", "update", "confirm"]


class CasesError(Exception):
    """The file cannot be used. The message names the line and the cure."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class SaidMessage(_Part):
    """One message of the chat."""

    role: Literal["user", "assistant", "system"]
    content: str


class KnownFact(_Part):
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


class GoldFact(_Part):
    """A fact to be learned: patterns of its key (`pet.*`), the values that will do, and what becomes of it."""

    key_any: Annotated[list[Text], Field(min_length=1)]
    value_any: Annotated[list[Text], Field(min_length=1)]
    op: Operation = "add"

    @field_validator("value_any")
    @classmethod
    def _can_be_found(cls, values: list[str]) -> list[str]:
        return _with_words(values)


class Case(_Part):
    """One chat. `have`: what was known before; `retire`: patterns of the keys of known facts that end with it."""

    id: Text
    tag: str = ""
    have: list[KnownFact] = []
    messages: Annotated[list[SaidMessage], Field(min_length=1)]
    gold: list[GoldFact]
    forbidden: list[str] = []
    retire: list[Text] = Field(default=[], validation_alias=AliasChoices("retire", "ends"))

    @field_validator("messages")
    @classmethod
    def _somebody_speaks(cls, messages: list[SaidMessage]) -> list[SaidMessage]:
        if not any(message.role == "user" and message.content.strip() for message in messages):
            raise ValueError("needs at least one message of the role user that is not blank")
        return messages

    @field_validator("forbidden")
    @classmethod
    def _can_be_broken(cls, rules: list[str]) -> list[str]:
        for rule in rules:
            _with_words(rule.split("=", 1))
        return rules

    @property
    def asked(self) -> list[SaidMessage]:
        """The messages that the client sent: all but the final reply."""
        return self.messages[:-1] if self.messages[-1].role == "assistant" else self.messages

    @property
    def reply(self) -> str:
        """The final reply; "" where the chat ends with the user."""
        return self.messages[-1].content if self.messages[-1].role == "assistant" else ""


def _with_words(texts: list[str]) -> list[str]:
    """The texts, each of which holds a letter or a digit: other marks are not compared. Raises ValueError."""
    for text in texts:
        if not matching.normalised(text):
            raise ValueError(f"{text!r} holds no letter and no digit, so nothing could match it")
    return texts


def read(path: Path, *, limit: int | None = None) -> list[Case]:
    """The cases of a file, at most `limit` of them. Blank lines are left out. Raises `CasesError`."""
    cases: list[Case] = []
    lines_by_id: dict[str, int] = {}
    for number, line in _lines(path):
        if len(cases) == limit:
            break
        case = _parsed(line, where=f"{path}, line {number}")
        if case.id in lines_by_id:
            raise CasesError(
                f"{path}, line {number}: the id {case.id!r} is that of line {lines_by_id[case.id]}. "
                "Give each line its own."
            )
        lines_by_id[case.id] = number
        cases.append(case)
    if not cases:
        raise CasesError(f"{path} holds no case. Write one JSON object a line; docs/models.md shows three.")
    return cases


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CasesError(f"{path}: {error.strerror}. Name a file of JSON lines.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise CasesError(f"{path}, line {line}: not UTF-8 text. Save the file as UTF-8.") from None
    yield from ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _parsed(line: str, *, where: str) -> Case:
    try:
        return Case.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
    if first["type"] == "json_invalid":
        raise CasesError(f"{where}: no JSON ({first['ctx']['error']}). Write the whole object on one line.")
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        raise CasesError(f"{where}: {place} is missing. A case has id, messages and gold (an empty list for none).")
    problem = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    raise CasesError(f"{where}: {place or 'the line'}: {problem}. Correct that line.")

"""The file of conversations: one JSON object a line, the chats of one store, and questions whose evidence is known."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Self

from pydantic import AwareDatetime, BeforeValidator, ConfigDict, Field, model_validator

from memory.management.evaluation.chats import Named, Part, SaidChat, Text
from memory.management.evaluation.json_lines import BadFile, Shape

SHIPPED = Path(__file__).parent / "ten_lives.jsonl"
_ASKED_AFTER = timedelta(days=1)


def _with_words(text: object) -> object:
    if isinstance(text, str) and not text.strip():
        raise ValueError("holds no words")
    return text


Message = Annotated[Text, BeforeValidator(_with_words)]


class _Strict(Part):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DatedChat(Named, SaidChat, _Strict):
    """One chat, and when it took place."""

    at: AwareDatetime


class Question(Named, _Strict):
    """A later message, and the chats that it should bring back. `at`: when; unset, a day after the last chat.

    `kind` is a name of your own, by which the figures are told apart.
    """

    message: Message
    evidence: Annotated[list[Text], Field(min_length=1)]
    kind: Text = "said"
    at: AwareDatetime | None = None


class Conversation(Named, _Strict):
    """One store: what one person said over weeks. `unrelated`: messages for which nothing should come back."""

    chats: Annotated[list[DatedChat], Field(min_length=1)]
    questions: list[Question] = []
    unrelated: list[Message] = []

    @model_validator(mode="after")
    def _can_be_asked(self) -> Self:
        for name, ids in (("chats", self.chats), ("questions", self.questions)):
            _refuse_twins(name, [one.id for one in ids])
        times = {chat.id: chat.at for chat in self.chats}
        for question in self.questions:
            _refuse_unknown(question, times, self.asked_at(question))
        return self

    @property
    def ends(self) -> datetime:
        """When the unrelated messages are sent, and the questions that have no time of their own."""
        return max(chat.at for chat in self.chats) + _ASKED_AFTER

    def asked_at(self, question: Question) -> datetime:
        """When a question is asked."""
        return question.at or self.ends


def _refuse_twins(name: str, ids: list[str]) -> None:
    twins = [id_ for place, id_ in enumerate(ids) if id_ in ids[:place]]
    if twins:
        raise ValueError(f"{name}: the id {twins[0]!r} is there twice, give each its own")


def _refuse_unknown(question: Question, times: dict[str, datetime], asked_at: datetime) -> None:
    """Raises ValueError for evidence that is no chat of the conversation, or not yet at that time."""
    for name in question.evidence:
        where = f"questions: {question.id!r}: evidence: "
        if name not in times:
            raise ValueError(f"{where}no chat has the id {name!r}, name chats of the same line")
        if times[name] > asked_at:
            raise ValueError(f"{where}the chat {name!r} is later than the question, correct one of the two times")


_SHAPE = Shape(
    Conversation,
    "conversation",
    needs="A conversation has id and chats (id, at, messages), questions (id, message, evidence) and unrelated.",
    docs="docs/how-it-recalls.md",
)


def read(path: Path, *, limit: int | None = None) -> list[Conversation]:
    """The conversations of a file, at most `limit` of them. Blank lines are left out. Raises `BadFile`."""
    found = _SHAPE.read(path, limit=limit)
    if not any(one.questions or one.unrelated for one in found):
        raise BadFile(f"{path} asks nothing. Give a conversation questions, or unrelated messages.")
    return found

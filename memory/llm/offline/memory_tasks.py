"""What a memory task asks a model for, by rules: the facts and the summary of the conversation in its request."""

import json
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field, JsonValue, ValidationError

from memory.events import Message
from memory.llm.errors import BadAnswer
from memory.llm.offline import endings, rules
from memory.llm.offline.rules import Turn
from memory.llm.offline.summary import summary_of
from memory.text.lines import with_plain_breaks


def facts(messages: Sequence[Message]) -> str:
    """The JSON list of the claims that the conversation teaches, and of what ended in it. Raises `BadAnswer`."""
    document = _document_in(messages)
    claims = rules.facts_in(document.turns(), [*document.known_keys, *document.ended_keys])
    found: list[dict[str, JsonValue]] = [
        {"key": claim.key, "value": claim.value, "confidence": claim.confidence, "quote": claim.quote}
        for claim in claims
    ]
    found += [_ended(one) for one in endings.endings_in(document.turns(), document.known_keys)]
    return json.dumps(found, ensure_ascii=False)


def summary(messages: Sequence[Message]) -> str:
    """The summary of the conversation. Raises `BadAnswer`."""
    return summary_of(_document_in(messages).turns())


class _Line(BaseModel):
    speaker: Literal["operator", "assistant"]
    status: Literal["earlier", "new"] = "new"
    text: str


class _Document(BaseModel):
    """The parts that the rules read of the document in a memory task's last user message."""

    known_keys: list[str] = Field(default_factory=list)
    ended_keys: list[str] = Field(default_factory=list)
    conversation: list[_Line]

    def turns(self) -> list[Turn]:
        """The conversation as the rules take it."""
        return [
            Turn(speaker=line.speaker, text=with_plain_breaks(line.text), is_new=line.status == "new")
            for line in self.conversation
        ]


def _document_in(messages: Sequence[Message]) -> _Document:
    asked = next((message.content for message in reversed(messages) if message.role == "user"), None)
    try:
        return _Document.model_validate_json(asked if isinstance(asked, str) else "")
    except ValidationError:
        raise BadAnswer(
            "offline reads a memory task's conversation document only, and the request holds none.", provider="offline"
        ) from None


def _ended(one: endings.Ended) -> dict[str, JsonValue]:
    entry: dict[str, JsonValue] = {"key": one.key, "ends": True, "quote": one.quote}
    return entry | ({"value": one.value} if one.value else {}) | ({"forget": True} if one.asked else {})

"""Answers without a model: facts by hand-written rules, a summary made of quotations, and a fixed chat reply.

Its answers are recognisable: the model id is `offline`, and the chat reply says that no model is connected.
"""

import json
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field, JsonValue, ValidationError

from memory.events import Message
from memory.llm.errors import BadAnswer
from memory.llm.offline import endings, rules
from memory.llm.offline.rules import Turn
from memory.llm.offline.summary import summary_of
from memory.llm.types import Completion, Request
from memory.text import wording
from memory.text.lines import with_plain_breaks

MODEL = "offline"


class OfflineCompletion:
    """How the provider `offline` completes."""

    def complete(self, request: Request) -> Completion:
        """The rules' answer. Raises `BadAnswer` where a memory task's request holds no conversation document."""
        if request.task == "chat":
            text = chat_reply(request.messages)
        elif request.task == "memory_extract":
            text = _facts(_document_in(request.messages))
        else:
            text = summary_of(_document_in(request.messages).turns())
        return Completion(text, MODEL, "offline", "stop", None, None)


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


def _facts(document: _Document) -> str:
    claims = rules.facts_in(document.turns(), [*document.known_keys, *document.ended_keys])
    found: list[dict[str, JsonValue]] = [
        {"key": claim.key, "value": claim.value, "confidence": claim.confidence, "quote": claim.quote}
        for claim in claims
    ]
    found += [_ended(one) for one in endings.endings_in(document.turns(), document.known_keys)]
    return json.dumps(found, ensure_ascii=False)


def _ended(one: endings.Ended) -> dict[str, JsonValue]:
    entry: dict[str, JsonValue] = {"key": one.key, "ends": True, "quote": one.quote}
    return entry | ({"value": one.value} if one.value else {}) | ({"forget": True} if one.asked else {})


# --- chat -------------------------------------------------------------------------------------------------------


def chat_reply(messages: Sequence[Message]) -> str:
    """The reply to a chat: no model is connected, how many lines memory added to the prompt, and the cure."""
    count = sum(_memory_lines(message.content) for message in messages if message.role == "system")
    return (
        "No language model is connected (CAESAR_LLM__PROVIDER=offline), so this is a fixed reply. Your message is on "
        f"record, and memory works: the prompt of this turn held {count} remembered line{'' if count == 1 else 's'}. "
        "For real answers set CAESAR_LLM__PROVIDER, its key and CAESAR_LLM__MODEL."
    )


def _memory_lines(content: object) -> int:
    """How many lines memory put into a system prompt."""
    headings = (wording.FACTS_HEADING, wording.EPISODES_HEADING)
    count, in_block = 0, False
    for line in content.split("\n") if isinstance(content, str) else ():
        in_block = line in headings or (in_block and line.startswith("  - "))
        count += in_block and line not in headings
    return count

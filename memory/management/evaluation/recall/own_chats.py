"""Questions made from the operator's own chats, without a model.

Two kinds. `reworded`: the longest sentence of a chat, a third of its words left out and its halves exchanged, asked a
week later. `named`: the first message of a later conversation that shares two words or more with one earlier
conversation and with no other. Only reads the log.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from memory import conversation, transcript
from memory.events import ChatCompleted
from memory.management.evaluation.chats import SaidMessage
from memory.management.evaluation.json_lines import BadFile
from memory.management.evaluation.recall import conversations
from memory.management.evaluation.recall.conversations import Conversation, DatedChat, Question
from memory.models import AuditRow
from memory.text import sentences

NEWEST = 200
_LEAST_WORDS, _MOST_WORDS = 8, 40
_LEAST_NAME_CHARS = 4
_LEAST_NAMES = 2
_ASKED_LATER = timedelta(days=7)
_JUST_BEFORE = timedelta(seconds=1)


class TooFewChats(Exception):
    """The log holds nothing to ask about. The message names the cure."""


def make(newest: int) -> Conversation:
    """One conversation of the newest chats that may teach, with the questions and the shipped unrelated messages.

    Raises `TooFewChats` where no question can be made of them.
    """
    chats = list(_chats(newest))
    questions = [*_reworded(chats), *_named(chats)]
    if not questions:
        raise TooFewChats(
            f"No question could be made of {len(chats)} chats. Chat for a while, or write a file of your own: "
            "docs/how-it-recalls.md shows the shape."
        )
    unrelated = [message for given in conversations.read(conversations.SHIPPED) for message in given.unrelated]
    return Conversation(id="my chats", chats=[chat.dated for chat in chats], questions=questions, unrelated=unrelated)


def save(made: Conversation, path: Path) -> None:
    """Write it to a new file that only its owner can read. Raises `BadFile`."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(made.model_dump_json(exclude_none=True) + "\n")
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}. Name a file that is not there yet.") from None


def trust(made: Conversation) -> str:
    """How far the figures of such a set can be trusted."""
    counted = Counter(question.kind for question in made.questions)
    return (
        f"Made from {len(made.chats):,} of your chats: {counted['reworded']:,} reworded sentences, "
        f"{counted['named']:,} messages that name what an earlier chat said.\n"
        "Reworded sentences keep your very words, so they flatter. Shared words may be chance, so some of the second "
        "kind cannot be right.\nNothing is asked in other words. Compare modes and settings by them; for how good "
        "recall is, write questions of your own."
    )


@dataclass(frozen=True)
class _Chat:
    """A chat of the log. `conversation`: the same for chats of one conversation. `opens`: whether it is its first."""

    row: AuditRow
    completed: ChatCompleted
    messages: Sequence[SaidMessage]
    conversation: str
    opens: bool

    @classmethod
    def of(cls, row: AuditRow) -> Self | None:
        """None for a chat that teaches nothing, or cannot be read."""
        try:
            completed = row.completed
        except ValidationError:  # a row that no version of ours wrote
            return None
        spoken = conversation.Conversation(completed.messages, row.conversation_id)
        if not completed.learn or not conversation.new_message_indices(completed):
            return None
        name = row.conversation_id or spoken.fingerprints[0]
        return cls(row, completed, _said(completed), name, opens=len(spoken.operator_messages) == 1)

    @property
    def dated(self) -> DatedChat:
        """As a line of a file has it."""
        return DatedChat(id=str(self.row.pk), at=self.row.said_at, messages=list(self.messages))

    @cached_property
    def sentences(self) -> list[str]:
        """What the operator said in it for the first time, sentence by sentence."""
        texts = conversation.new_texts(self.completed).values()
        return [text[one.start : one.end].strip() for text in texts for one in sentences.split(text)]

    @cached_property
    def names(self) -> frozenset[str]:
        """The words in it that are long enough to name something."""
        said = [*conversation.new_texts(self.completed).values(), self.completed.reply]
        return frozenset(word for text in said for word in sentences.words_of(text) if len(word) >= _LEAST_NAME_CHARS)


def _chats(newest: int) -> Iterator[_Chat]:
    """The newest chats, oldest first."""
    rows = list(AuditRow.objects.get_queryset().turns().order_by("-id")[:newest])
    read = (_Chat.of(row) for row in sorted(rows, key=lambda row: (row.said_at, row.pk)))
    yield from (chat for chat in read if chat is not None)


def _said(completed: ChatCompleted) -> list[SaidMessage]:
    """What the operator and the assistant said, the reply last."""
    said = [
        SaidMessage(role="user" if transcript.is_operator(message) else "assistant", content=text)
        for message in completed.messages
        if transcript.is_operator(message) or transcript.is_assistant(message)
        if (text := transcript.plain_text(message)).strip()
    ]
    return [*said, SaidMessage(role="assistant", content=completed.reply)] if completed.reply else said


def _reworded(chats: Sequence[_Chat]) -> Iterator[Question]:
    for chat in chats:
        found = [words for sentence in chat.sentences if _LEAST_WORDS <= len(words := sentence.split()) <= _MOST_WORDS]
        if found:
            yield Question(
                id=f"reworded {chat.row.pk}",
                message=reworded(max(found, key=len)),
                evidence=[str(chat.row.pk)],
                kind="reworded",
                at=chat.row.said_at + _ASKED_LATER,
            )


def reworded(words: Sequence[str]) -> str:
    """Every third word left out, and the second half of the rest before the first."""
    kept = [word for place, word in enumerate(words, 1) if place % 3]
    half = len(kept) // 2
    return " ".join([*kept[half:], *kept[:half]])


def _named(chats: Sequence[_Chat]) -> Iterator[Question]:
    """For the first message of each conversation, the earlier chat with which alone it shares the most words."""
    chats_by_word: dict[str, list[_Chat]] = defaultdict(list)
    for chat in chats:
        for word in chat.names:
            chats_by_word[word].append(chat)
    for chat in chats:
        message = conversation.Conversation(chat.completed.messages).question
        found = (_only_earlier(chats_by_word[word], chat) for word in {*sentences.words_of(message)} & chat.names)
        shared = Counter(str(earlier.row.pk) for earlier in found if earlier is not None)
        if chat.opens and shared and max(shared.values()) >= _LEAST_NAMES:
            yield Question(
                id=f"named {chat.row.pk}",
                message=message,
                evidence=[max(shared, key=lambda name: (shared[name], int(name)))],
                kind="named",
                at=chat.row.said_at - _JUST_BEFORE,
            )


def _only_earlier(holding: Sequence[_Chat], chat: _Chat) -> _Chat | None:
    """The first chat that holds a word, where one other conversation does, and before this chat."""
    others = [one for one in holding if one.conversation != chat.conversation]
    if len({one.conversation for one in others}) != 1 or others[-1].row.said_at >= chat.row.said_at - _JUST_BEFORE:
        return None
    return others[0]

"""One conversation as a client sent it, read once: what each speaker said, and how it is recognised again. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory import transcript
from memory.events import ChatCompleted, Message
from memory.text import normalising, wording


@dataclass(frozen=True)
class OperatorMessage:
    """A message of the operator's.

    `index`: its place among all messages. `text`: its words, or a placeholder for a message without any (a picture
    alone). `hash`: its identity. `fingerprint`: the identity of the operator's messages up to and with this one.
    """

    index: int
    text: str
    has_words: bool
    hash: str
    fingerprint: str


@dataclass(frozen=True)
class Conversation:
    """The messages of one request, or of one recorded chat. `id`: the client's own name for the conversation.

    Everything below is worked out once, when it is first asked for.
    """

    messages: Sequence[Message]
    id: str | None = None

    @cached_property
    def by_operator(self) -> Sequence[OperatorMessage]:
        """What the operator said, message by message: the sequence a conversation is recognised by."""
        spoken: list[OperatorMessage] = []
        fingerprint = ""
        for index, message in enumerate(self.messages):
            if not transcript.is_operator(message):
                continue
            words = transcript.said(message)
            text = words or transcript.placeholder(message)
            hash_ = normalising.message_hash(text)
            fingerprint = normalising.fingerprint(fingerprint, hash_)
            spoken.append(OperatorMessage(index, text, bool(words), hash_, fingerprint))
        return spoken

    @cached_property
    def operator_texts(self) -> Sequence[str]:
        """The texts of `by_operator`."""
        return [message.text for message in self.by_operator]

    @cached_property
    def fingerprints(self) -> Sequence[str]:
        """The identity of each beginning of the operator's messages, the last one that of the whole."""
        return [message.fingerprint for message in self.by_operator]

    @property
    def question(self) -> str:
        """The words of the operator's newest message, "" where there are none: what recall is asked with."""
        newest = self.by_operator[-1:]
        return newest[0].text if newest and newest[0].has_words else ""

    @cached_property
    def system_prompt(self) -> str | None:
        """The client's own system messages as plain text; None where it sent none."""
        own = [transcript.plain_text(message) for message in self.messages if transcript.is_system(message)]
        return "\n\n".join(own) if own else None

    @cached_property
    def latest(self) -> Sequence[int]:
        """Indices of the operator's messages after the last turn of the assistant: what this request adds."""
        ends = [index for index, message in enumerate(self.messages) if transcript.is_assistant(message)]
        start = ends[-1] if ends else -1
        return [message.index for message in self.by_operator if message.index > start]

    def teaching(self, *, unheard: Collection[int], recorded: int = 0) -> list[int]:
        """Indices of the messages that may teach, in order (decision 1): the latest, and any never heard before.

        `unheard`: indices of operator messages whose text was never heard. `recorded`: how many of the operator's
        messages a recorded chat begins with; they were heard there, wherever the assistant's turns stand. Messages
        without words teach nothing.
        """
        latest = set(self.latest) - {message.index for message in self.by_operator[:recorded]}
        return [
            message.index
            for message in self.by_operator
            if message.has_words and (message.index in latest or message.index in unheard)
        ]

    def with_system_block(self, block: str, *, prompt: str, position: wording.Position) -> list[Message]:
        """The messages for a model: the memory block beside the client's first system message, all else as sent.

        Without a system message of the client's, `prompt` (memory and the configured prompt) is one before them.
        """
        place = next((place for place, message in enumerate(self.messages) if transcript.is_system(message)), None)
        if place is None:
            own = [Message(role="system", content=prompt)] if prompt else []
            return [*own, *self.messages]
        system = transcript.with_block(self.messages[place], block, position=position)
        return [*self.messages[:place], system, *self.messages[place + 1 :]]


def new_messages(completed: ChatCompleted) -> list[int]:
    """Indices of a recorded chat's messages that may teach, as settled when the chat was recorded.

    A row written without that step heard everything for the first time.
    """
    if completed.new_messages is not None:
        return [index for index in completed.new_messages if 0 <= index < len(completed.messages)]
    return Conversation(completed.messages).teaching(unheard=range(len(completed.messages)))

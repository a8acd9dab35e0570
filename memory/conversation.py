"""One conversation as a client sent it, parsed once: what each speaker said, and how it is recognised again. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory import transcript
from memory.events import ChatCompleted, Message
from memory.text import normalising, wording


@dataclass(frozen=True)
class OperatorMessage:
    """A message of the operator's.

    `index`: its position among all messages. `text`: its words, or a placeholder where it has none (a picture alone).
    `hash`: its identity. `fingerprint`: the identity of the operator's messages up to and including this one.
    """

    index: int
    text: str
    has_words: bool
    hash: str
    fingerprint: str


@dataclass(frozen=True)
class Conversation:
    """The messages of one request, or of one recorded chat. `id`: the client's own name for the conversation.

    Every property is computed once, at its first use.
    """

    messages: Sequence[Message]
    id: str | None = None

    @cached_property
    def operator_messages(self) -> Sequence[OperatorMessage]:
        """The operator's messages in order: the sequence by which a conversation is recognised."""
        spoken: list[OperatorMessage] = []
        fingerprint = ""
        for index, message in enumerate(self.messages):
            if not transcript.is_operator(message):
                continue
            words = transcript.own_words(message)
            text = words or transcript.placeholder(message)
            hash_ = normalising.message_hash(text)
            fingerprint = normalising.fingerprint(fingerprint, hash_)
            spoken.append(OperatorMessage(index, text, bool(words), hash_, fingerprint))
        return spoken

    @cached_property
    def operator_texts(self) -> Sequence[str]:
        """The texts of `operator_messages`."""
        return [message.text for message in self.operator_messages]

    @cached_property
    def fingerprints(self) -> Sequence[str]:
        """The identity of each beginning of the operator's messages, shortest first; the last is that of all."""
        return [message.fingerprint for message in self.operator_messages]

    @property
    def question(self) -> str:
        """The text of the operator's newest message, "" where it has no words. Recall searches with it."""
        newest = self.operator_messages[-1:]
        return newest[0].text if newest and newest[0].has_words else ""

    @cached_property
    def system_prompt(self) -> str | None:
        """The client's own system messages as plain text; None where it sent none."""
        own = [transcript.plain_text(message) for message in self.messages if transcript.is_system(message)]
        return "\n\n".join(own) if own else None

    @cached_property
    def latest_indices(self) -> Sequence[int]:
        """Indices of the operator's messages after the assistant's last message: what this request adds."""
        ends = [index for index, message in enumerate(self.messages) if transcript.is_assistant(message)]
        start = ends[-1] if ends else -1
        return [message.index for message in self.operator_messages if message.index > start]

    def teaching_indices(self, *, unheard: Collection[int], recorded: int = 0) -> list[int]:
        """Indices of the messages to learn from, in order (decision 1): the latest, and any never heard before.

        `unheard`: indices of operator messages whose text was never heard. `recorded`: how many of the operator's
        first messages belong to a recorded chat; they are not new, wherever the assistant's messages are. Messages
        without words teach nothing.
        """
        latest_indices = set(self.latest_indices) - {message.index for message in self.operator_messages[:recorded]}
        return [
            message.index
            for message in self.operator_messages
            if message.has_words and (message.index in latest_indices or message.index in unheard)
        ]

    def with_system_block(self, block: str, *, prompt: str, position: wording.Position) -> list[Message]:
        """The messages for a model: the memory block joined to the client's first system message, all else as sent.

        Where the client sent no system message, `prompt` (memory and the configured prompt) becomes the first one.
        """
        place = next((place for place, message in enumerate(self.messages) if transcript.is_system(message)), None)
        if place is None:
            own = [Message(role="system", content=prompt)] if prompt else []
            return [*own, *self.messages]
        system = transcript.with_memory_block(self.messages[place], block, position=position)
        return [*self.messages[:place], system, *self.messages[place + 1 :]]


def new_message_indices(completed: ChatCompleted) -> list[int]:
    """Indices of a recorded chat's messages to learn from, as determined when the chat was recorded.

    In a row without them, every message counts as never heard.
    """
    if completed.new_messages is not None:
        return [index for index in completed.new_messages if 0 <= index < len(completed.messages)]
    return Conversation(completed.messages).teaching_indices(unheard=range(len(completed.messages)))


def new_texts(completed: ChatCompleted) -> dict[int, str]:
    """{index of a message: its own words} of what may teach in a recorded chat. The one place that says what is new.

    Places in these texts are places in the message's own words: what of a message was heard before is to be made blank
    here, not cut out.
    """
    return {index: transcript.own_words(completed.messages[index]) for index in new_message_indices(completed)}

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

    `index`: its position among all messages. `text`: the operator's own words; all of it where there are none (a
    document alone), a placeholder where there is no text (a picture). `hash`: its identity. `fingerprint`: the identity
    of the operator's messages up to and including this one. `exact_hash`, `exact_fingerprint`: the same with what was
    pasted into the messages, by which they were once recorded.
    """

    index: int
    text: str
    has_words: bool
    hash: str
    fingerprint: str
    exact_hash: str
    exact_fingerprint: str

    @property
    def hashes(self) -> tuple[str, str]:
        """Both hashes, under either of which it may have been heard."""
        return self.hash, self.exact_hash


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
        fingerprint = exact_fingerprint = ""
        for index, message in enumerate(self.messages):
            if not transcript.is_operator(message):
                continue
            words = transcript.own_words(message)
            whole = transcript.whole_words(message) or transcript.placeholder(message)
            text = words or whole
            hash_ = normalising.message_hash(text)
            exact_hash = hash_ if text == whole else normalising.message_hash(whole)
            fingerprint = normalising.fingerprint(fingerprint, hash_)
            exact_fingerprint = normalising.fingerprint(exact_fingerprint, exact_hash)
            spoken.append(OperatorMessage(index, text, bool(words), hash_, fingerprint, exact_hash, exact_fingerprint))
        return spoken

    @cached_property
    def operator_texts(self) -> Sequence[str]:
        """The texts of `operator_messages`."""
        return [message.text for message in self.operator_messages]

    @cached_property
    def fingerprints(self) -> Sequence[str]:
        """The identity of each beginning of the operator's messages, shortest first; the last is that of all."""
        return [message.fingerprint for message in self.operator_messages]

    @cached_property
    def exact_fingerprints(self) -> Sequence[str]:
        """The same of the messages with what was pasted into them: how they were once recorded."""
        return [message.exact_fingerprint for message in self.operator_messages]

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
        there = (index for index in completed.new_messages if 0 <= index < len(completed.messages))
        return [index for index in there if transcript.own_words(completed.messages[index])]
    return Conversation(completed.messages).teaching_indices(unheard=range(len(completed.messages)))

"""One conversation as a client sent it, parsed once: what each speaker said, and how it is recognised again. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory import transcript
from memory.events import ChatCompleted, HeardSpan, Message
from memory.text import normalising, sentences, wording
from memory.text.messages import pasted


@dataclass(frozen=True)
class OperatorMessage:
    """A message of the operator's.

    `index`: its position among all messages. `text`: the operator's own words; all of it where there are none (a
    document alone), a placeholder where there is no text (a picture). `hash`: what it says (`sentences.identity`).
    `fingerprint`: the identity of the operator's messages up to and including this one. `exact_hash`,
    `exact_fingerprint`: the same of all its very words, as earlier versions stored them. `has_pasted`: whether there is
    more in it than the operator's own words.
    """

    index: int
    text: str
    has_words: bool
    hash: str
    fingerprint: str
    exact_hash: str
    exact_fingerprint: str
    has_pasted: bool = False

    @property
    def hashes_to_keep(self) -> tuple[str, ...]:
        """The hashes under which it is remembered: with what was pasted into it, that is another message."""
        return self.hashes if self.has_pasted else (self.hash,)

    @property
    def hashes(self) -> tuple[str, str]:
        """Both hashes, under either of which it may have been heard."""
        return self.hash, self.exact_hash


@dataclass(frozen=True)
class Conversation:
    """The messages of one request, or of one recorded chat. `id`: the client's own name for the conversation.

    `hashes`: those of the operator's messages as they were said, where `messages` have secrets masked.
    Every property is computed once, at its first use.
    """

    messages: Sequence[Message]
    id: str | None = None
    hashes: Sequence[str] | None = None

    @cached_property
    def _spoken(self) -> Sequence[tuple[int, str, str]]:
        """Of each of the operator's messages: index, own words, and all of it or what stands for it."""
        found: list[tuple[int, str, str]] = []
        for index, message in enumerate(self.messages):
            if transcript.is_operator(message):
                whole = transcript.whole_words(message)
                found.append((index, pasted.own_words(whole), whole or transcript.placeholder(message)))
        return found

    @cached_property
    def operator_messages(self) -> Sequence[OperatorMessage]:
        """The operator's messages in order: the sequence by which a conversation is recognised."""
        spoken: list[OperatorMessage] = []
        fingerprint = exact_fingerprint = ""
        for index, words, whole in self._spoken:
            text = words or whole
            exact_hash = normalising.message_hash(whole)
            given = self.hashes[len(spoken)] if self.hashes is not None and len(spoken) < len(self.hashes) else None
            hash_ = given or sentences.identity(text) or exact_hash
            fingerprint = normalising.fingerprint(fingerprint, hash_)
            exact_fingerprint = normalising.fingerprint(exact_fingerprint, exact_hash)
            spoken.append(
                OperatorMessage(
                    index,
                    text,
                    bool(words),
                    hash_,
                    fingerprint,
                    exact_hash,
                    exact_fingerprint,
                    has_pasted=text != whole,
                )
            )
        return spoken

    @cached_property
    def operator_texts(self) -> Sequence[str]:
        """The texts of `operator_messages`, without working out their hashes."""
        return [words or whole for _, words, whole in self._spoken]

    @cached_property
    def fingerprints(self) -> Sequence[str]:
        """The identity of each beginning of the operator's messages, shortest first; the last is that of all."""
        return [message.fingerprint for message in self.operator_messages]

    @cached_property
    def exact_fingerprints(self) -> Sequence[str]:
        """The same of the messages with all that is in them: how earlier versions recorded them."""
        return [message.exact_fingerprint for message in self.operator_messages]

    @property
    def is_step(self) -> bool:
        """Whether the assistant goes on after the operator's newest message, as between the steps of a tool."""
        return bool(self.operator_messages) and not self.latest_indices

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

    In a row without them, every message of the operator's counts as never heard.
    """
    if completed.new_messages is not None:
        there = (index for index in completed.new_messages if 0 <= index < len(completed.messages))
        return [index for index in there if transcript.own_words(completed.messages[index])]
    return [said.index for said in Conversation(completed.messages).operator_messages if said.has_words]


@dataclass(frozen=True)
class Piece:
    """A piece of a message's own words, `start` being its first character, and whether it is new (decision 25)."""

    text: str
    start: int
    is_new: bool
    heard_in: int | None = None
    """The chat in which it was first heard."""


def said_pieces(completed: ChatCompleted) -> dict[int, list[Piece]]:
    """The own words of each of the operator's messages in a recorded chat, cut into what is new and what is not.

    Keyed by the message's index. A message that is not among those to learn from is one piece; blanks are left out.
    """
    new = dict(_new_pieces(completed))
    said: dict[int, list[Piece]] = {}
    for index, message in enumerate(completed.messages):
        if transcript.is_operator(message):
            found = new.get(index) or [Piece(transcript.own_words(message), 0, is_new=False)]
            said[index] = [piece for piece in found if piece.text.strip()]
    return said


def _new_pieces(completed: ChatCompleted) -> Iterator[tuple[int, list[Piece]]]:
    """Index and pieces, blank ones too, of each message that may teach."""
    heard: dict[int, list[HeardSpan]] = {}
    for span in sorted(completed.heard, key=lambda span: span.start):
        heard.setdefault(span.message, []).append(span)
    for index in new_message_indices(completed):
        yield index, _cut(transcript.own_words(completed.messages[index]), heard.get(index, ()))


def _cut(text: str, spans: Sequence[HeardSpan]) -> list[Piece]:
    """A text cut at the spans that lie in it."""
    found: list[Piece] = []
    position = 0
    for span in spans:
        if not 0 <= span.start < span.end <= len(text):
            continue
        found.append(Piece(text[position : span.start], position, is_new=True))
        found.append(Piece(text[span.start : span.end], span.start, is_new=False, heard_in=span.chat_id))
        position = span.end
    return [*found, Piece(text[position:], position, is_new=True)]


def new_texts(completed: ChatCompleted) -> dict[int, str]:
    """{index of a message: its own words} of what may teach in a recorded chat, what was heard before made blank.

    Places in these texts are places in the message's own words.
    """
    return {
        index: "".join(piece.text if piece.is_new else " " * len(piece.text) for piece in pieces)
        for index, pieces in _new_pieces(completed)
    }

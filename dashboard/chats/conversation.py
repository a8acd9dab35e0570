"""A chat as it is shown: who said what, as plain text, with new messages apart from earlier ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dashboard.chats.taught import TaughtFact, TaughtSegment, find_taught, mark_taught
from memory import transcript
from memory.events import ChatCompleted, Message
from memory.text.lines import encodable, one_line

_SPEAKERS = {
    "user": "You",
    "assistant": "Assistant",
    "system": "System",
    "developer": "System",
    "tool": "Tool",
    "function": "Tool",
}
_PART_NAMES = {
    "image": "picture",
    "image_url": "picture",
    "input_image": "picture",
    "input_audio": "sound",
    "audio": "sound",
    "file": "file",
    "input_file": "file",
    "document": "file",
}


@dataclass(frozen=True)
class ShownMessage:
    """One message: its text in segments, and `stand_ins` that name its pictures, files and tool calls."""

    speaker: str
    pieces: Sequence[TaughtSegment]
    stand_ins: Sequence[str] = ()
    is_new: bool = False


@dataclass(frozen=True)
class Conversation:
    """The messages before the first new one, and the rest up to and including the reply."""

    earlier: Sequence[ShownMessage]
    turns: Sequence[ShownMessage]

    @classmethod
    def of(cls, chat: ChatCompleted, taught: Sequence[TaughtFact] = ()) -> "Conversation":
        """The conversation of a chat. Where no message is new, none counts as earlier.

        `taught`: facts that were learned from it; their words are marked in the operator's new messages.
        """
        new = set(chat.new_messages or [])
        speakers = _SPEAKERS | ({"user": f"Trigger {one_line(chat.proactive)}"} if chat.proactive else {})
        turns = [
            _shown_message(index, message, speakers, taught=taught if index in new else None)
            for index, message in enumerate(chat.messages)
        ]
        start = min((index for index in new if 0 <= index < len(turns)), default=0)
        reply = [ShownMessage("Assistant", mark_taught(encodable(chat.reply), ()))] if chat.reply else []
        return cls(turns[:start], [*turns[start:], *reply])

    @cached_property
    def marked(self) -> frozenset[int]:
        """The numbers of the facts whose words are marked in it."""
        return frozenset(fact.number for turn in self.turns for piece in turn.pieces for fact in piece.facts)


def _shown_message(
    index: int, message: Message, speakers: Mapping[str, str], *, taught: Sequence[TaughtFact] | None
) -> ShownMessage:
    """`taught`: the facts whose words are marked in a new message; None for a message that is not new."""
    speaker = speakers.get(message.role, message.role)
    text = transcript.plain_text(message)
    marks = [(span, fact) for fact in taught or () for span in find_taught(fact, index, message, text)]
    return ShownMessage(speaker, mark_taught(text, marks), list(_stand_ins(message)), is_new=taught is not None)


def _stand_ins(message: Message) -> Iterator[str]:
    for part in message.content if isinstance(message.content, list) else []:
        if not isinstance(part.get("text"), str):
            kind = str(part.get("of") or part.get("type") or "part")
            yield _PART_NAMES.get(kind, kind)
    calls = (message.model_extra or {}).get("tool_calls")
    if isinstance(calls, list) and calls:
        yield f"calls {len(calls)} tool{'s' if len(calls) > 1 else ''}"

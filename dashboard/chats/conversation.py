"""A chat as it is shown: who said what, as plain text, with new messages apart from earlier ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dashboard.shared.highlights import TextSegment, highlight
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
    pieces: Sequence[TextSegment]
    stand_ins: Sequence[str] = ()
    is_new: bool = False


@dataclass(frozen=True)
class Conversation:
    """The messages before the first new one, and the rest up to and including the reply."""

    earlier: Sequence[ShownMessage]
    turns: Sequence[ShownMessage]

    @classmethod
    def of(cls, chat: ChatCompleted, learned: Sequence[str] = ()) -> "Conversation":
        """The conversation of a chat. Where no message is new, none counts as earlier.

        `learned`: values that were learned from it, to be marked in the operator's new messages.
        """
        new = set(chat.new_messages or [])
        speakers = _SPEAKERS | ({"user": f"Trigger {one_line(chat.proactive)}"} if chat.proactive else {})
        turns = [
            _shown_message(message, speakers, to_mark=learned if index in new else None)
            for index, message in enumerate(chat.messages)
        ]
        start = min((index for index in new if 0 <= index < len(turns)), default=0)
        reply = [ShownMessage("Assistant", highlight(encodable(chat.reply), ()))] if chat.reply else []
        return cls(turns[:start], [*turns[start:], *reply])

    def holds(self, value: str) -> bool:
        """Whether a value occurs word for word in the operator's new messages."""
        new = [turn for turn in self.turns if turn.is_new]
        return any(piece.is_marked for turn in new for piece in highlight(_message_text(turn), [value]))


def _message_text(turn: ShownMessage) -> str:
    return "".join(piece.text for piece in turn.pieces)


def _shown_message(message: Message, speakers: Mapping[str, str], *, to_mark: Sequence[str] | None) -> ShownMessage:
    """`to_mark`: the values to mark in a new message; None for a message that is not new."""
    speaker = speakers.get(message.role, message.role)
    pieces = highlight(transcript.plain_text(message), to_mark or ())
    return ShownMessage(speaker, pieces, list(_stand_ins(message)), is_new=to_mark is not None)


def _stand_ins(message: Message) -> Iterator[str]:
    for part in message.content if isinstance(message.content, list) else []:
        if not isinstance(part.get("text"), str):
            kind = str(part.get("of") or part.get("type") or "part")
            yield _PART_NAMES.get(kind, kind)
    calls = (message.model_extra or {}).get("tool_calls")
    if isinstance(calls, list) and calls:
        yield f"calls {len(calls)} tool{'s' if len(calls) > 1 else ''}"

"""A chat as it is read: who said what, as plain text, the new words apart from what was said before."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dashboard.shared.highlights import Piece, marked
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
_PARTS = {
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
class Turn:
    """One message: its text in pieces, and `stand_ins` that name what is no text: pictures, files, calls of tools."""

    speaker: str
    pieces: Sequence[Piece]
    stand_ins: Sequence[str] = ()
    is_new: bool = False


@dataclass(frozen=True)
class Conversation:
    """The turns before the first new words, and the rest up to the reply."""

    earlier: Sequence[Turn]
    turns: Sequence[Turn]

    @classmethod
    def of(cls, chat: ChatCompleted, learned: Sequence[str] = ()) -> "Conversation":
        """The conversation of a chat; all of it where nothing in it is new.

        `learned`: values that were learned from it. They are marked where the operator's new words hold them.
        """
        new = set(chat.new_messages or [])
        speakers = _SPEAKERS | ({"user": f"Trigger {one_line(chat.proactive)}"} if chat.proactive else {})
        turns = [
            _turn(message, speakers, new_words=learned if index in new else None)
            for index, message in enumerate(chat.messages)
        ]
        start = min((index for index in new if 0 <= index < len(turns)), default=0)
        reply = [Turn("Assistant", marked(encodable(chat.reply), ()))] if chat.reply else []
        return cls(turns[:start], [*turns[start:], *reply])

    def holds(self, value: str) -> bool:
        """Whether a value stands in the operator's new words, as it is."""
        new = [turn for turn in self.turns if turn.is_new]
        return any(piece.is_marked for turn in new for piece in marked(_text(turn), [value]))


def _text(turn: Turn) -> str:
    return "".join(piece.text for piece in turn.pieces)


def _turn(message: Message, speakers: Mapping[str, str], *, new_words: Sequence[str] | None) -> Turn:
    """`new_words`: what is marked in new words; None where they are not new."""
    speaker = speakers.get(message.role, message.role)
    pieces = marked(transcript.plain_text(message), new_words or ())
    return Turn(speaker, pieces, list(_stand_ins(message)), is_new=new_words is not None)


def _stand_ins(message: Message) -> Iterator[str]:
    for part in message.content if isinstance(message.content, list) else []:
        if not isinstance(part.get("text"), str):
            kind = str(part.get("of") or part.get("type") or "part")
            yield _PARTS.get(kind, kind)
    calls = (message.model_extra or {}).get("tool_calls")
    if isinstance(calls, list) and calls:
        yield f"calls {len(calls)} tool{'s' if len(calls) > 1 else ''}"

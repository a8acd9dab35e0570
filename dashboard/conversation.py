"""A chat as it is read: who said what, as plain text, the new words apart from what was said before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory import transcript
from memory.events import ChatCompleted, Message

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
    """One message. `stand_ins` name what cannot be shown as text: pictures, files, calls of tools."""

    speaker: str
    text: str
    stand_ins: Sequence[str] = ()
    is_new: bool = False


@dataclass(frozen=True)
class Conversation:
    """The turns before the first new words, and the rest up to the reply."""

    earlier: Sequence[Turn]
    turns: Sequence[Turn]

    @classmethod
    def of(cls, chat: ChatCompleted) -> "Conversation":
        """The conversation of a chat; all of it where nothing in it is new."""
        new = set(chat.new_messages or [])
        turns = [_turn(message, is_new=index in new) for index, message in enumerate(chat.messages)]
        start = min((index for index in new if 0 <= index < len(turns)), default=0)
        reply = [Turn("Assistant", transcript.encodable(chat.reply))] if chat.reply else []
        return cls(turns[:start], [*turns[start:], *reply])


def _turn(message: Message, *, is_new: bool) -> Turn:
    speaker = _SPEAKERS.get(message.role, message.role)
    return Turn(speaker, transcript.plain_text(message), list(_stand_ins(message)), is_new)


def _stand_ins(message: Message) -> Iterator[str]:
    for part in message.content if isinstance(message.content, list) else []:
        if not isinstance(part.get("text"), str):
            kind = str(part.get("of") or part.get("type") or "part")
            yield _PARTS.get(kind, kind)
    calls = (message.model_extra or {}).get("tool_calls")
    if isinstance(calls, list) and calls:
        yield f"calls {len(calls)} tool{'s' if len(calls) > 1 else ''}"

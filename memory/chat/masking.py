"""What of a turn is kept in a file until the database takes it, with its secrets masked (decision 33)."""

from collections.abc import Sequence
from typing import TypeVar

from memory import transcript
from memory.events import Event, Message
from memory.models.masks import speech_masker
from memory.text.secrets.masking import Masker

_Event = TypeVar("_Event", bound=Event)


def masked_messages(messages: Sequence[Message], masker: Masker) -> list[Message]:
    """The messages as the log stores them."""
    dumped = (message.model_dump(exclude_unset=True) for message in transcript.storable(messages))
    return [Message.model_validate(masker.object(message)) for message in dumped]


def masked_event(event: _Event) -> _Event:
    """A receipt, or a call that was passed through, as the log stores it."""
    masker = speech_masker()
    fields = masker.object(event.model_dump(mode="json"))
    return type(event).model_validate(fields | {"masked": event.masked + masker.count})

"""A chat as the files of evaluations have it. Pure."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from memory.conversation import Conversation
from memory.events import Message

Text = Annotated[str, Field(min_length=1)]


class Part(BaseModel):
    """A part of a line."""

    model_config = ConfigDict(frozen=True)


class Named(Part):
    """What a whole line of a file has: a name of its own."""

    id: Text


class SaidMessage(Part):
    """One message of a chat."""

    role: Literal["user", "assistant", "system"]
    content: str


class SaidChat(Part):
    """What was said, in order. The last message may be the assistant's reply."""

    messages: Annotated[list[SaidMessage], Field(min_length=1)]

    @field_validator("messages")
    @classmethod
    def _somebody_speaks(cls, messages: list[SaidMessage]) -> list[SaidMessage]:
        if not any(message.role == "user" and message.content.strip() for message in messages):
            raise ValueError("needs at least one message of the role user that is not blank")
        return messages

    @property
    def asked(self) -> list[SaidMessage]:
        """The messages that the client sent: all but the final reply."""
        return self.messages[:-1] if self.messages[-1].role == "assistant" else self.messages

    @property
    def conversation(self) -> Conversation:
        """The messages that the client sent, as memory knows them."""
        return Conversation([Message(role=message.role, content=message.content) for message in self.asked])

    @property
    def reply(self) -> str:
        """The final reply; "" where the chat ends with the user."""
        return self.messages[-1].content if self.messages[-1].role == "assistant" else ""

"""What became of one conversation, as the process in the sandbox tells it."""

from pydantic import BaseModel, ConfigDict

SIZES = (1, 3, 5)
"""How many chats a message may bring back. Each is asked for by itself: a mode may choose by that number."""


class Answered(BaseModel):
    """What a question brought back: for each of `SIZES` the ids of chats, best first. `failure`: why it was not looked
    for, "" where it was."""

    model_config = ConfigDict(frozen=True)

    id: str
    found: dict[int, list[str]] = {}
    failure: str = ""


class Cost(BaseModel):
    """What the chats or the messages cost. `embedded`: texts that the embedder was given."""

    model_config = ConfigDict(frozen=True)

    count: int = 0
    seconds: float = 0.0
    embedded: int = 0
    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost.model_validate({name: getattr(self, name) + getattr(other, name) for name in Cost.model_fields})


class Outcome(BaseModel):
    """What recall made of one conversation.

    `injected`: for each unrelated message, whether something came back. `unread`: chats that could not be read.
    `learning`: the cost of reading its chats; `searching`: that of its messages, each search counted.
    `failure`: why a chat could not be read or a message not looked for, "" where all could.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    answered: list[Answered] = []
    injected: list[bool] = []
    unread: int = 0
    unsearched: int = 0
    learning: Cost = Cost()
    searching: Cost = Cost()
    failure: str = ""

"""What became of one case, as the process in the sandbox tells it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class LearnedFact(BaseModel):
    """A fact that the chat added, changed or confirmed, as it stands in the table afterwards."""

    model_config = ConfigDict(frozen=True)

    key: str
    value: str
    confidence: float
    op: Literal["add", "update", "confirm"]


class Outcome(BaseModel):
    """What the worker made of one chat.

    `kept`: the facts known before that the chat left as they were, key to value. `retired`: the keys of facts that
    ended. `refused`: claims that were not taken, by reason. `unusable`: entries of an answer that are no facts.
    `unreported`: answers without a count of tokens. `failure`: why the chat could not be read, "" where it was.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    learned: list[LearnedFact] = []
    kept: dict[str, str] = {}
    retired: list[str] = []
    refused: dict[str, int] = {}
    unusable: int = 0
    answers: int = 0
    unreported: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    failure: str = ""

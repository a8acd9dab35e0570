"""Many texts to vectors: one that cannot be embedded keeps no other from it, and an embedder that is down is no text's
fault."""

from collections.abc import Sequence

from django.conf import settings

from memory.llm import LLMError, Vectors, embed
from memory.llm.embedding import BATCH_SIZE, Vector

__all__ = ["BATCH_SIZE", "vectors_of"]

_PROBE = "Is the embedder there?"
_FAULT_OF_A_TEXT = 500  # some servers answer with it for a text that they cannot read


def vectors_of(texts: Sequence[str]) -> list[Vector | LLMError]:
    """For each of up to `BATCH_SIZE` texts its vector (d,), or why it alone has none. Outside of a transaction.

    Asked for together, and one by one where that fails by what is in them. Raises `LLMError` where the embedder is at
    fault: an outage, or a failure that it answers a plain question with, too.
    """
    try:
        return list(_embed(texts).rows)
    except LLMError as error:
        if not _may_be_the_text(error):
            raise
    return [_alone(text) for text in texts]


def _alone(text: str) -> Vector | LLMError:
    try:
        vector: Vector = _embed([text]).rows[0]
        return vector
    except LLMError as error:
        if not _may_be_the_text(error):
            raise
        fault = error
    _embed([_PROBE])
    return fault


def _may_be_the_text(error: LLMError) -> bool:
    return error.permanent or error.status == _FAULT_OF_A_TEXT


def _embed(texts: Sequence[str]) -> Vectors:
    """Nobody waits for these as for a turn: the time is the one that a language model has."""
    return embed(texts, timeout_seconds=settings.CAESAR.llm.timeout_seconds)

"""Vectors for many texts, where one text that cannot be embedded does not keep the others from theirs.

An embedder that is down is told apart from a text that is at fault.
"""

from collections.abc import Sequence

from django.conf import settings

from memory.llm.embedding import BATCH_SIZE, Vector, Vectors, embed
from memory.llm.errors import LLMError

__all__ = ["BATCH_SIZE", "vectors_of"]

_TEST_TEXT = "Is the embedder there?"
_STATUS_FOR_A_BAD_TEXT = 500  # of some servers, for a text that they cannot read


def vectors_of(texts: Sequence[str]) -> list[Vector | LLMError]:
    """For each of up to `BATCH_SIZE` texts its vector (d,), or the error that only this text causes.

    To be called outside of a transaction. Embeds all together, or one by one where that fails because of a text. Raises
    `LLMError` where the embedder is at fault: an outage, or a failure that a harmless text causes, too.
    """
    try:
        return list(_embed(texts).rows)
    except LLMError as error:
        if not _may_be_fault_of_text(error):
            raise
    return [_embed_one(text) for text in texts]


def _embed_one(text: str) -> Vector | LLMError:
    try:
        vector: Vector = _embed([text]).rows[0]
        return vector
    except LLMError as error:
        if not _may_be_fault_of_text(error):
            raise
        fault = error
    _embed([_TEST_TEXT])
    return fault


def _may_be_fault_of_text(error: LLMError) -> bool:
    return error.permanent or error.status == _STATUS_FOR_A_BAD_TEXT


def _embed(texts: Sequence[str]) -> Vectors:
    """Nobody waits for these as for a turn, so they get the longer timeout of a language model."""
    return embed(texts, timeout_seconds=settings.CAESAR.llm.timeout_seconds)

"""A turn's newest message, embedded once for facts and episodes alike."""

import time
from dataclasses import dataclass

from caesar.conf import SemanticSettings
from memory.recall.retrieval import Asked, embed_message

SWITCHED_OFF = "switched off: CAESAR_SEMANTIC__ENABLED"


@dataclass(frozen=True)
class Question(Asked):
    """A message with its vector. `deadline` (`time.monotonic`): how long its turn may wait for the embedder."""

    deadline: float


def ask(message: str, semantic: SemanticSettings) -> Question:
    """Embed a turn's message. Without a usable embedder the question holds the reason (decision 16)."""
    deadline = time.monotonic() + semantic.timeout_seconds
    vectors = embed_message(message, semantic.timeout_seconds) if semantic.enabled else SWITCHED_OFF
    return Question(message, vectors, deadline)

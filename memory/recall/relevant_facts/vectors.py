"""The vectors of facts' texts, in this process alone: made in batches while a turn has time, and kept."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from caesar.processor_time import places
from memory.llm import LLMError, Vectors, embedding
from memory.llm.embedding import Vector

logger = logging.getLogger(__name__)

MAX_KEPT = 5_000
"""How many vectors a process keeps, those that were needed last: 10 MB with the embedder that runs here."""


@dataclass(frozen=True)
class Found:
    """One vector (d,) for each text, None where there is none yet; `missing` says why, "" where none is missing."""

    vectors: Sequence[Vector | None]
    missing: str = ""


class TextVectors:
    """A bounded store of vectors by embedder model and text. A text that is edited is another one."""

    def __init__(self, most: int = MAX_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Vector] = OrderedDict()
        self._lock = threading.Lock()
        self._embedding = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, texts: Sequence[str], *, like: Vectors, deadline: float) -> Found:
        """The vectors of these texts that can be compared with those of `like`.

        What is not kept is embedded, in batches, one thread at a time and until `deadline` (`time.monotonic`); the next
        call goes on from there. Never raises an `LLMError`: it is logged, and the result says it.
        """
        found = self._comparable(texts, like)
        if all(vector is not None for vector in found):
            return Found(found)
        with places.waiting():  # the one that embeds may need a place to go on
            is_first = self._embedding.acquire(timeout=max(0.0, deadline - time.monotonic()))
        if not is_first:
            return Found(found, _unfinished(found))
        try:
            failure = self._embed_missing(texts, like, deadline)
        finally:
            self._embedding.release()
        found = self._comparable(texts, like)
        return Found(found, failure or _unfinished(found))

    def _comparable(self, texts: Sequence[str], like: Vectors) -> list[Vector | None]:
        length = like.rows.shape[1]
        with self._lock:
            found = [self._kept.get((like.model, text)) for text in texts]
            for text, vector in zip(texts, found, strict=True):
                if vector is not None:
                    self._kept.move_to_end((like.model, text))
        return [vector if vector is not None and vector.size == length else None for vector in found]

    def _embed_missing(self, texts: Sequence[str], like: Vectors, deadline: float) -> str:
        """Embed what is missing, as far as time goes; why it ended early, "" where it did not or time was up."""
        found = self._comparable(texts, like)
        missing = list(dict.fromkeys(text for text, vector in zip(texts, found, strict=True) if vector is None))
        for start in range(0, len(missing), embedding.BATCH_SIZE):
            seconds_left = deadline - time.monotonic()
            if seconds_left <= 0:
                return ""
            batch = missing[start : start + embedding.BATCH_SIZE]
            try:
                self._keep(batch, embedding.embed(batch, timeout_seconds=seconds_left))
            except LLMError as error:
                logger.warning("Facts are chosen without their vectors: %s", error)
                return str(error)
        return ""

    def _keep(self, texts: Sequence[str], made: Vectors) -> None:
        with self._lock:
            for text, row in zip(texts, made.rows, strict=True):
                self._kept[made.model, text] = row.copy()  # not a part of the batch, which would stay whole
                self._kept.move_to_end((made.model, text))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def _unfinished(found: Sequence[Vector | None]) -> str:
    count = sum(vector is None for vector in found)
    if not count:
        return ""
    facts = "1 fact was" if count == 1 else f"{count:,} facts were"
    return f"{facts} not embedded in time; the next turns go on with it"

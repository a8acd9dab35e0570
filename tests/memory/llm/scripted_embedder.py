"""A fake at the wire: a small deterministic embedder for everybody's tests.

with scripted_embedder() as embedder:                       # texts that share words are similar
    recall_something()
assert embedder.texts == ["How is Beans?"]

with scripted_embedder(table={"boats": [1, 0], "kayaks": [0.8, 0.6]}):        # vectors as a case file gives them

with scripted_llm("A summary.") as llm, scripted_embedder(beside=llm):        # both, the embedder inside
"""

import json
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
from django.conf import settings
from django.test import override_settings

from caesar.conf import SemanticSettings
from memory.llm.http import client
from tests.memory.llm.scripted import ScriptedLLM

BASE_URL = "http://embedder.test/v1"
OLLAMA_URL = "http://embedder.test"
MODEL = "scripted"
MODEL_ID = f"openai:{MODEL}"
DIMENSIONS = 256

Answer = httpx.Response | Exception | Callable[[dict[str, Any]], httpx.Response]


def word_vector(text: str, *, dimensions: int = DIMENSIONS) -> list[float]:
    """How often each word occurs, words counted by their hash: the more words two texts share, the higher their cosine.

    A text without any word is one word of its own.
    """
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.casefold()) or [text]:
        vector[zlib.crc32(word.encode()) % dimensions] += 1.0
    return vector


def openai_answer(*vectors: Sequence[Any]) -> dict[str, Any]:
    """The JSON of one answer in OpenAI's and Voyage's shape."""
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return {"object": "list", "model": MODEL, "data": data, "usage": {"prompt_tokens": 3, "total_tokens": 3}}


def ollama_answer(*vectors: Sequence[Any]) -> dict[str, Any]:
    """The JSON of one answer of Ollama's."""
    return {"model": MODEL, "embeddings": list(vectors), "total_duration": 1, "prompt_eval_count": 3}


class ScriptedEmbedder:
    """A server of embeddings. A text in `table` gets the vector there, any other its words' own.

    `answers` go first, one to a call: an `httpx.Response`, an exception to raise, or a function from the request's
    JSON to a response. `requests` are the JSON bodies, `sent` the requests themselves, `texts` every text that was
    asked for, `pauses` the seconds that were not slept before a repeat.
    """

    def __init__(
        self,
        *answers: Answer,
        table: Mapping[str, Sequence[float]] | None = None,
        beside: ScriptedLLM | None = None,
    ) -> None:
        self.answers = deque(answers)
        self.table = dict(table or {})
        self.beside = beside
        self.requests: list[dict[str, Any]] = []
        self.sent: list[httpx.Request] = []
        self.pauses: list[float] = []

    @property
    def texts(self) -> list[str]:
        return [text for request in self.requests for text in request["input"]]

    def add(self, *answers: Answer) -> None:
        """Put answers at the end of the queue."""
        self.answers.extend(answers)

    def pause(self, seconds: float) -> None:
        """Note a pause, of the language model's calls too."""
        self.pauses.append(seconds)
        if self.beside is not None:
            self.beside.pauses.append(seconds)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith(("/embeddings", "/api/embed")):
            return self._beside(request)
        body = json.loads(request.content)
        self.sent.append(request)
        self.requests.append(body)
        if self.answers:
            return self._scripted(self.answers.popleft(), body)
        shape = ollama_answer if request.url.path.endswith("/api/embed") else openai_answer
        return httpx.Response(200, json=shape(*map(self.vector, body["input"])))

    def _beside(self, request: httpx.Request) -> httpx.Response:
        if self.beside is None:
            raise AssertionError(f"Only embeddings are scripted, not {request.url}: scripted_embedder(beside=llm)")
        return self.beside(request)

    def _scripted(self, answer: Answer, body: dict[str, Any]) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(body)

    def vector(self, text: str) -> Sequence[float]:
        """The vector that this text gets, of the table's length where there is a table."""
        dimensions = len(next(iter(self.table.values()))) if self.table else DIMENSIONS
        return self.table[text] if text in self.table else word_vector(text, dimensions=dimensions)


@contextmanager
def scripted_embedder(
    *answers: Answer,
    table: Mapping[str, Sequence[float]] | None = None,
    beside: ScriptedLLM | None = None,
    **changes: Any,
) -> Iterator[ScriptedEmbedder]:
    """A scripted embedder that is the chosen one while open; `changes` are fields of `settings.CAESAR.semantic`.

    Its vectors are of the model `MODEL_ID`. Calls of a language model go to `beside`.
    """
    embedder = ScriptedEmbedder(*answers, table=table, beside=beside)
    address = OLLAMA_URL if changes.get("provider") == "ollama" else BASE_URL
    fields = {"provider": "openai", "model": MODEL, "base_url": address, **changes}
    with semantic_settings(**fields), client.transport(httpx.MockTransport(embedder), sleep=embedder.pause):
        yield embedder


@contextmanager
def semantic_settings(**fields: Any) -> Iterator[None]:
    """`settings.CAESAR.semantic` made of these fields and defaults while open."""
    tree = settings.CAESAR.model_copy(update={"semantic": SemanticSettings(**fields)})
    with override_settings(CAESAR=tree):
        yield

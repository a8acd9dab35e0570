"""Turns texts into vectors, one row for each text, with the embedder that the settings choose.

Synchronous, and to be called outside of a transaction. Vectors of two models must never be compared, so the id of the
model is stored beside each vector (`embedder_model()`, decision 13).
"""

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from django.conf import settings

from caesar import metrics
from memory.llm import gateway, usage
from memory.llm.answers.validation import bad_answer, server_of
from memory.llm.embedders import EMBEDDERS
from memory.llm.embedders.types import Defaults, Matrix, Rows
from memory.llm.errors import LLMError, NotConfigured, RequestRefused, TooSlow
from memory.llm.http import client
from memory.llm.types import Route
from memory.ranking import Threshold
from memory.text.lines import one_line, shorten

logger = logging.getLogger(__name__)

Vector: TypeAlias = npt.NDArray[np.float32]

BATCH_SIZE = 32  # the default limit of Hugging Face's server, the lowest that is known
MAX_DIMENSIONS = 16_384

_SECTION = "CAESAR_SEMANTIC"
_MAX_READ_CHARS = 65_536
_SURE_TO_FIT_BYTES = 720  # in the smallest usual window, 256 tokens: four bytes of English a token, three of Chinese
_SHORTEST_WAIT_SECONDS = 0.001

# How servers refuse a text that is longer than their model can read; llama.cpp's answers 500.
_TOO_LONG_STATUSES = frozenset({400, 413, 422, 500})
_TOO_LONG = re.compile(
    r"context (?:length|size|window)|too (?:large|long)\b|too many tokens|max\w*\b.{0,40}\btokens|"
    r"(?:less|fewer) than \d+ tokens|token limit",
    re.IGNORECASE,
)

_TOKENS = re.compile(r"\b\d{3,6}\b(?= tokens\b)")


@dataclass(frozen=True)
class Vectors:
    """The embeddings of texts: `rows` (n, d) float32, one for each text, and the id of the `model` that made them.

    Every row is finite and not zero, but it need not have unit length. Without any text the shape is (0, 0).
    """

    rows: Matrix
    model: str


def embed(texts: Sequence[str], *, timeout_seconds: float | None = None) -> Vectors:
    """One vector for each text, in the same order. A text is put on one line and cut at a word to the embedder's limit.

    `timeout_seconds` (default: CAESAR_SEMANTIC__TIMEOUT_SECONDS) is for each batch of up to 32 texts. It includes one
    retry by the rule of `complete`, and one request with short texts where the server calls them too long. The
    embedder in this process ignores it.

    Raises `LLMError`: `NotConfigured` where the embedder is off or lacks something, `RequestRefused` for a blank text
    (before anything is asked), `BadAnswer` for vectors that cannot be compared with any other.
    """
    route = embedder_route(timeout_seconds=timeout_seconds)
    lines = [_line(text, number, route) for number, text in enumerate(texts, start=1)]
    batches = [lines[start : start + BATCH_SIZE] for start in range(0, len(lines), BATCH_SIZE)]
    with metrics.timed("embed"):
        matrices = [_matrix(_embed_batch(batch, route), len(batch), route) for batch in batches]
    if len({matrix.shape[1] for matrix in matrices}) > 1:
        raise bad_answer(route, "with embeddings of another length than in the answer before")
    usage.note_embedded(len(lines))
    rows = np.concatenate(matrices) if matrices else np.empty((0, 0), dtype=np.float32)
    return Vectors(rows, _model_id(route.provider, route.model))


def embedder_model() -> str:
    """The id that is stored beside each vector: provider and model, such as "openai:text-embedding-3-small"."""
    return _model_id(settings.CAESAR.semantic.provider, _model())


def _model_id(provider: str, model: str) -> str:
    return f"{provider}:{model}"


def default_threshold() -> Threshold:
    """The lowest cosine that counts as similar where no setting says so: 0.45, embedded from 0.25 (decision 14)."""
    return _defaults().threshold


def warm() -> None:
    """Load the model at the start of a process, so that the first text need not wait. Logs failures, never raises.

    Does nothing for an embedder that is a server, or where the embedder is off.
    """
    if not settings.CAESAR.semantic.enabled:
        return
    try:
        EMBEDDERS[embedder_route().provider].warm()
    except LLMError as error:
        logger.warning("Past conversations will not be recalled: %s", error)


def embedder_route(*, timeout_seconds: float | None = None) -> Route:
    """Where texts go by the settings now. Raises `NotConfigured` where something is missing. Asks nobody."""
    semantic = settings.CAESAR.semantic
    if not semantic.enabled:
        raise NotConfigured(f"The embedder is off. Set {_SECTION}__ENABLED=true.", provider=semantic.provider)
    route = Route(
        provider=semantic.provider,
        model=_model(),
        base_url=semantic.base_url or _defaults().base_url,
        api_key=semantic.api_key.get_secret_value() if semantic.api_key else None,
        timeout_seconds=timeout_seconds or semantic.timeout_seconds,
        model_section=_SECTION,
        server_section=_SECTION,
    )
    EMBEDDERS[semantic.provider].check(route)
    return route


def _model() -> str:
    """The model by the settings now."""
    defaults = _defaults()
    return defaults.model if defaults.has_one_model else settings.CAESAR.semantic.model or defaults.model


def _defaults() -> Defaults:
    """The defaults of the embedder that the settings choose."""
    return EMBEDDERS[settings.CAESAR.semantic.provider].defaults


# --- the texts --------------------------------------------------------------------------------------------------


def _line(text: str, number: int, route: Route) -> str:
    """A text on one line, without invisible characters and half surrogates, cut. Raises `RequestRefused` if blank."""
    line = one_line(text.lstrip()[:_MAX_READ_CHARS])
    if not line:
        raise RequestRefused(f"Text {number} is blank: there is nothing to embed.", provider=route.provider)
    return _cut(line, EMBEDDERS[route.provider].defaults.max_chars)


def _cut(line: str, max_chars: int) -> str:
    """At most the first `max_chars` characters, cut at a word, without an ellipsis, which would be embedded too."""
    return line if len(line) <= max_chars else shorten(line, max_chars + 1)[:-1]


# --- asking -----------------------------------------------------------------------------------------------------


def _embed_batch(lines: Sequence[str], route: Route) -> Rows:
    """The rows of one batch, with one retry by the gateway's rule, all within the route's timeout."""
    deadline = time.monotonic() + route.timeout_seconds
    try:
        return _embed_shortened(lines, route, deadline)
    except LLMError as error:
        pause_seconds = gateway.retry_pause_seconds(error)
        if pause_seconds is None or time.monotonic() + pause_seconds >= deadline:
            raise
    client.pause(pause_seconds)
    return _embed_shortened(lines, route, deadline)


def _embed_shortened(lines: Sequence[str], route: Route, deadline: float) -> Rows:
    """The rows of one batch. Where texts are too long for the server's model, it is asked once more with short ones."""
    try:
        return _embed_once(lines, route, deadline)
    except LLMError as error:
        if not _is_too_long(error) or time.monotonic() >= deadline:
            raise
        shortened = _shortened(lines, str(error))
        if shortened == list(lines):
            raise
    return _embed_once(shortened, route, deadline)


def _shortened(lines: Sequence[str], refusal: str) -> list[str]:
    """The texts cut to what surely fits: as many characters as the refusal allows tokens, or to the smallest window.

    At most half of the longest text, since that one did not fit.
    """
    half = max(map(len, lines)) // 2
    limits = [int(number) for number in _TOKENS.findall(refusal)]
    if limits:
        return [_cut(line, min([*limits, half])) for line in lines]
    return [line if len(line.encode()) <= _SURE_TO_FIT_BYTES else _cut_bytes(line) for line in lines]


def _cut_bytes(line: str) -> str:
    short = line.encode()[:_SURE_TO_FIT_BYTES].decode(errors="ignore")
    return _cut(line, len(short))


def _is_too_long(error: LLMError) -> bool:
    return error.status in _TOO_LONG_STATUSES and bool(_TOO_LONG.search(str(error)))


def _embed_once(lines: Sequence[str], route: Route, deadline: float) -> Rows:
    """The rows of one batch, asked once, within the time that is left. A timeout names the embedder's own setting."""
    seconds_left = max(deadline - time.monotonic(), _SHORTEST_WAIT_SECONDS)
    try:
        return EMBEDDERS[route.provider].embed(lines, replace(route, timeout_seconds=seconds_left))
    except TooSlow as error:
        if error.status is not None:
            raise
        raise TooSlow(
            f"{server_of(route)} gave no whole answer within {route.timeout_seconds:g} seconds. A turn waits "
            f"{_SECTION}__TIMEOUT_SECONDS: raise it, or choose a faster embedder.",
            provider=route.provider,
        ) from None


# --- the answer -------------------------------------------------------------------------------------------------


def _matrix(rows: Rows, count: int, route: Route) -> Matrix:
    """The rows of an answer (n, d) as float32. Raises `BadAnswer` where one cannot be used."""
    if len(rows) != count:
        raise bad_answer(route, f"with {len(rows)} embeddings for {count} texts")
    vectors: list[Vector] = []
    for number, row in enumerate(rows, start=1):
        vector = _vector(row)
        if isinstance(vector, str):
            raise bad_answer(route, f"whose embedding {number} of {count} {vector}")
        if vectors and vector.size != vectors[0].size:
            raise bad_answer(route, f"with embeddings of different lengths: {vectors[0].size} and {vector.size}")
        vectors.append(vector)
    return np.stack(vectors)


def _vector(row: object) -> Vector | str:
    """A row as float32 (d,); or, as text, what is wrong with it ("is all zeros")."""
    if isinstance(row, list) and not set(map(type, row)) <= {int, float}:
        return "holds something else than numbers"
    if not isinstance(row, list | np.ndarray):
        return "is no list of numbers"
    if not 1 <= len(row) <= MAX_DIMENSIONS:
        return f"has {len(row)} numbers instead of 1 to {MAX_DIMENSIONS}"
    return _comparable(row)


def _comparable(numbers: Sequence[float] | Vector) -> Vector | str:
    """The numbers as float32 (d,), or the problem: the sum of squares must be finite and above zero in float32."""
    try:
        with np.errstate(over="ignore", under="ignore"):
            vector = np.asarray(numbers, dtype=np.float64).astype(np.float32)
            square = float(np.vecdot(vector, vector))
    except OverflowError:  # an integer of more than 308 digits
        return "is not finite"
    if not np.isfinite(vector).all():
        return "is not finite"
    if not np.isfinite(square):
        return "is too long for any cosine"
    return vector if square > 0 else "is all zeros"


# --- vectors as JSON --------------------------------------------------------------------------------------------


def json_vector(row: Vector) -> list[float]:
    """A float32 row (d,) as JSON numbers: the shortest decimals that read back as the same float32."""
    return [_shortest(number) for number in row]


def _shortest(number: np.float32) -> float:
    """The float with the fewest decimals that reads back as this float32.

    JSON is read as doubles, so a value is rounded twice. Of all float32 numbers only 7.038531e-26 changes that way, and
    that one is written with all its digits.
    """
    shortest = float(str(number))
    return shortest if np.float32(shortest) == number else float(number)


def vector_from_json(numbers: object) -> Vector | None:
    """A stored row as float32 (d,), or None where it cannot be compared.

    That is a row that is not a list of 1 to 16,384 numbers, holds an infinite number or NaN, or is all zeros.
    """
    vector = _vector(numbers)
    return None if isinstance(vector, str) else vector

"""Texts as vectors, in OpenAI's shape, by the embedder that recall uses. Nothing of them is stored."""

import base64
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import numpy as np
from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Router
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, JsonValue, Tag

from caesar.processor_time import places
from memory import llm
from memory.api.auth import ApiRequest, BearerKey
from memory.api.capacity import turn_limiter
from memory.api.errors import UNION_TAG_PREFIX, ApiError, invalid
from memory.api.requests import Body, Whole, example, invalid_value
from memory.api.turns import CLIENT_ANSWERS
from memory.chat import relay
from memory.llm.embedding import Vector
from memory.text.lines import one_line

router = Router(tags=["Chat clients"], auth=BearerKey("record"))

_MOST_TEXTS = 2_048
"""As many as OpenAI takes."""
_TEXTS_AT_ONCE = 32
_TOKENS = (
    "must be text or a list of texts: numbers of tokens mean something to one of OpenAI's models only. Have your "
    "client send texts (LangChain: check_embedding_ctx_length=False)"
)


def _no_tokens(given: object) -> object:
    if isinstance(given, list) and any(isinstance(one, int | list) for one in given):
        raise invalid_value(_TOKENS)
    return given


def _visible(text: str) -> str:
    if not one_line(text):
        raise invalid_value("is blank: there is nothing to embed")
    return text


def _input_kind(given: object) -> str | None:
    if isinstance(given, str):
        return UNION_TAG_PREFIX + "text"
    return UNION_TAG_PREFIX + "texts" if isinstance(given, list) else None


_Text = Annotated[str, Field(min_length=1), AfterValidator(_visible)]
_Texts = Annotated[
    Annotated[_Text, Tag(UNION_TAG_PREFIX + "text")]
    | Annotated[list[_Text], Field(min_length=1, max_length=_MOST_TEXTS), Tag(UNION_TAG_PREFIX + "texts")],
    Discriminator(_input_kind, custom_error_type="input", custom_error_message="must be text or a list of texts"),
    BeforeValidator(_no_tokens),
]


class EmbeddingsRequest(Body):
    """Texts to embed, in OpenAI's shape."""

    model_config = ConfigDict(json_schema_extra=example({"model": "caesar", "input": "My dog's name is Beans."}))

    input: _Texts
    """A text, or up to 2,048 of them. Each is put on one line and cut to what the embedder reads."""
    model: Annotated[str, Field(max_length=256)] | None = None
    """`caesar`, or the name of the embedder in use."""
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: Annotated[int, Field(ge=1), Whole] | None = None
    """Taken where it is the length that the embedder's vectors have anyway."""


@router.post("/embeddings", response=CLIENT_ANSWERS, summary="Texts as vectors")
def embed(request: ApiRequest, asked: EmbeddingsRequest) -> HttpResponse:
    """Each text as a vector of unit length, by the embedder in use. No word of them is stored.

    The usage is 0: embedders do not all count tokens.
    """
    name = llm.embedder_model()
    if asked.model and asked.model not in (relay.OWN_MODEL, name, name.partition(":")[2]):
        message = (
            f"There is no embedder {asked.model[:200]} here. The one in use is {name}: ask for that, or for caesar."
        )
        raise ApiError(404, message, code="model_not_found", param="model")
    with turn_limiter.slot():  # it may wait for a server as a turn does
        vectors = list(_vectors([asked.input] if isinstance(asked.input, str) else asked.input))
    length = len(vectors[0])
    if asked.dimensions not in (None, length):
        message = f"dimensions must be {length}: {name} gives vectors of that length alone. Or leave it out."
        raise invalid(message, param="dimensions")
    data: list[JsonValue] = [
        {"object": "embedding", "index": index, "embedding": _written(vector, asked.encoding_format)}
        for index, vector in enumerate(vectors)
    ]
    usage: JsonValue = {"prompt_tokens": 0, "total_tokens": 0}
    return JsonResponse({"object": "list", "data": data, "model": name, "usage": usage})


def _vectors(texts: Sequence[str]) -> Iterator[Vector]:
    """A vector (d,) of unit length for each text. Others may compute between any two batches. Raises `llm.LLMError`."""
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        with places.taken(timezone.now()):
            rows = llm.embed(texts[start : start + _TEXTS_AT_ONCE]).rows
        yield from rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _written(vector: Vector, encoding_format: str | None) -> JsonValue:
    """The vector as JSON numbers, or its float32 values, little end first, as base64."""
    if encoding_format == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    return list[JsonValue](llm.json_vector(vector))

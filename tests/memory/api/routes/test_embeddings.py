"""Embeddings in OpenAI's shape: vectors of the embedder in use, refusals with the cure, and no trace."""

import base64
from typing import Any

import httpx
import numpy as np
import pytest

from memory.models import AuditRow
from tests.conftest import ApiClient
from tests.memory.llm.scripted_embedder import MODEL, MODEL_ID, scripted_embedder

pytestmark = pytest.mark.django_db

PATH = "/v1/embeddings"
TABLE = {"boats": [3.0, 4.0], "kayaks": [0.0, 2.0]}


def test_it_works(api: ApiClient) -> None:
    with scripted_embedder(table=TABLE) as embedder:
        answer = api.post(PATH, json={"model": "caesar", "input": ["boats", "kayaks"]}).json()
    assert embedder.texts == ["boats", "kayaks"]
    assert (answer["object"], answer["model"]) == ("list", MODEL_ID)
    assert [(one["index"], one["object"]) for one in answer["data"]] == [(0, "embedding"), (1, "embedding")]
    assert np.allclose([one["embedding"] for one in answer["data"]], [[0.6, 0.8], [0.0, 1.0]])
    assert answer["usage"] == {"prompt_tokens": 0, "total_tokens": 0}
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize(
    "fields", [{"model": MODEL}, {"model": MODEL_ID}, {"dimensions": 2}, {"encoding_format": "float"}, {"user": "me"}]
)
def test_one_text(api: ApiClient, fields: dict[str, Any]) -> None:
    with scripted_embedder(table=TABLE):
        answer = api.post(PATH, json={"input": "boats", **fields}).json()
    assert np.allclose(answer["data"][0]["embedding"], [0.6, 0.8])


def test_base64_is_float32_with_the_little_end_first(api: ApiClient) -> None:
    with scripted_embedder(table=TABLE):
        answer = api.post(PATH, json={"input": "boats", "encoding_format": "base64"}).json()
    assert np.allclose(np.frombuffer(base64.b64decode(answer["data"][0]["embedding"]), dtype="<f4"), [0.6, 0.8])


def test_many_texts_go_in_batches(api: ApiClient) -> None:
    texts = [f"text {number}" for number in range(70)]
    with scripted_embedder() as embedder:
        answer = api.post(PATH, json={"input": texts}).json()
    assert [len(request["input"]) for request in embedder.requests] == [32, 32, 6]
    assert [one["index"] for one in answer["data"]] == list(range(70))


@pytest.mark.parametrize(
    ("fields", "status", "param", "words"),
    [
        ({"input": [1, 2, 3]}, 422, "input", "check_embedding_ctx_length"),
        ({"input": [[1, 2], [3]]}, 422, "input", "send texts"),
        ({"input": []}, 422, "input", "must not be empty"),
        ({"input": {"a": "b"}}, 422, "input", "must be text or a list of texts"),
        ({"input": ["boats", " "]}, 422, "input[1]", "is blank"),
        ({"input": ["boats"] * 2_049}, 422, "input", "2048"),
        ({"dimensions": 256}, 422, "dimensions", "must be 2"),
        ({"encoding_format": "int8"}, 422, "encoding_format", "must be one of"),
        ({"model": "text-embedding-3-small"}, 404, "model", MODEL_ID),
    ],
)
def test_refused_with_the_cure(api: ApiClient, fields: dict[str, Any], status: int, param: str, words: str) -> None:
    with scripted_embedder(table=TABLE):
        refused = api.post(PATH, json={"input": "boats", **fields})
    error = refused.json()["error"]
    assert (refused.status_code, error["param"]) == (status, param)
    assert words in error["message"]


def test_without_an_embedder_the_setting_is_named(api: ApiClient) -> None:
    with scripted_embedder(enabled=False):
        refused = api.post(PATH, json={"input": "boats"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "provider_not_configured")
    assert "CAESAR_SEMANTIC__ENABLED" in refused.json()["error"]["message"]


def test_an_embedder_that_is_down_is_its_fault(api: ApiClient) -> None:
    with scripted_embedder(*[httpx.Response(503, text="down")] * 2):
        refused = api.post(PATH, json={"input": "boats"})
    assert (refused.status_code, refused.json()["error"]["type"]) == (502, "provider_error")

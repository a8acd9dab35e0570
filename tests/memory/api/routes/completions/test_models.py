"""The list of models."""

import httpx
import pytest

from memory import events
from tests.conftest import ApiClient
from tests.memory.api.routes.completions.completions_helpers import DOG, PATH, last
from tests.memory.llm.scripted import MODEL, scripted_llm

pytestmark = pytest.mark.django_db


def test_models_are_listed_and_named(api: ApiClient) -> None:
    listed = httpx.Response(200, json={"data": [{"id": "org/large"}, {"id": MODEL}]})
    with scripted_llm(listed, listed, listed):
        names = [model["id"] for model in api.get("/v1/models").json()["data"]]
        one = api.get("/v1/models/org/large")
        none = api.get("/v1/models/other")
    assert names == ["caesar", MODEL, "org/large"]
    assert (one.status_code, one.json()["id"], one.json()["object"]) == (200, "org/large", "model")
    assert (none.status_code, none.json()["error"]["code"]) == (404, "model_not_found")


def test_models_without_a_list_are_the_configured_one(api: ApiClient) -> None:
    with scripted_llm(httpx.Response(404, json={})):
        assert [model["id"] for model in api.get("/v1/models").json()["data"]] == ["caesar", MODEL]


def test_offline_there_is_caesar(api: ApiClient) -> None:
    assert [model["id"] for model in api.get("/v1/models").json()["data"]] == ["caesar"]
    response = api.post(PATH, json=DOG)
    assert "No language model is connected" in response.json()["choices"][0]["message"]["content"]
    assert last(events.ChatCompleted).completed.provider == "offline"

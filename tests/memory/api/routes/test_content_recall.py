"""The answers of the API in mode `hybrid`: the parts of each score, and how the message was searched for."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from memory.models import AuditRow
from tests.conftest import ApiClient, Configure
from tests.content_chats import take_up
from tests.memory.llm.scripted import scripted_llm
from tests.memory.llm.scripted_embedder import scripted_embedder

pytestmark = pytest.mark.django_db

MESSAGE = "The thermostat in the bedroom clicks again"
PARTS = {"meaning", "words", "conversation", "pairs", "day", "month", "recency", "word_weight", "by"}


@pytest.fixture(autouse=True)
def hybrid(configure: Configure, memory_on: None, now: datetime) -> Iterator[None]:
    """Three chats, one of which is about the message."""
    with scripted_embedder():
        configure(memory__episodes_recall__mode="hybrid", memory__episodes_recall__top_k=1)
        take_up("The thermostat in the bedroom clicks every night.", now=now - timedelta(days=3))
        take_up("Boats need varnish in spring.", now=now - timedelta(days=2))
        take_up("My sister plays the cello.", now=now - timedelta(days=1))
        yield


def context(api: ApiClient) -> Any:
    response = api.post("/v1/memory/context", json={"message": MESSAGE})
    assert response.status_code == 200
    return response.json()


def test_it_works(api: ApiClient) -> None:
    answer = context(api)
    (episode,) = answer["episodes"]
    assert set(episode["parts"]) == PARTS
    assert (episode["parts"]["meaning"], episode["parts"]["words"], episode["parts"]["by"]) == (1.0, 1.0, "score")
    assert answer["content_recall"]["gate"] >= answer["content_recall"]["gate_threshold"]
    assert answer["content_recall"]["word_weight"] == episode["parts"]["word_weight"] == 1.0
    assert {miss["reason"] for miss in answer["near_misses"]} == {"below_threshold"}, "it has not earned a place"
    assert set(answer["near_misses"][0]["parts"]) == PARTS


def test_a_gate_that_stays_shut_is_said(api: ApiClient, configure: Configure) -> None:
    configure(memory__episodes_recall__gate=2.0)
    answer = context(api)
    assert answer["episodes"] == []
    assert answer["content_recall"]["gate_threshold"] == 2.0
    assert {miss["reason"] for miss in answer["near_misses"]} == {"gate"}
    short_by = 2.0 - answer["content_recall"]["gate"]
    assert [miss["short_by"] for miss in answer["near_misses"]] == [pytest.approx(short_by)] * 3


def test_a_chats_answer_and_its_rows_hold_the_same_parts(api: ApiClient) -> None:
    with scripted_llm("Hm.") as llm, scripted_embedder(beside=llm):
        response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": MESSAGE}]})
    (episode,) = response.json()["memory"]["episodes"]
    turn = AuditRow.objects.filter(decision_id=response.json()["decision_id"])
    receipt = turn.get(event_type="memory.context.served").payload
    recalled = turn.get(event_type="memory.episode.recalled").payload
    assert episode["parts"] == receipt["episodes"][0]["parts"] == recalled["parts"]
    rows = api.get(f"/v1/audit?decision={response.json()['decision_id']}&type=memory.context.served").json()["data"]
    assert rows[0]["payload"]["content_recall"] == receipt["content_recall"]


def test_in_mode_record_they_are_null(api: ApiClient, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="record", memory__episodes_recall__max_age_days=36_500)
    answer = context(api)
    assert answer["content_recall"] is None
    assert [one["parts"] for one in [*answer["episodes"], *answer["near_misses"]]] == [None] * 3


def test_the_document_describes_them(api: ApiClient) -> None:
    schemas = api.get("/v1/openapi.json").json()["components"]["schemas"]
    assert set(schemas["ScoreParts"]["properties"]) == PARTS
    assert {"gate", "gate_threshold", "coverage", "word_weight"} == set(schemas["ContentRecall"]["properties"])
    for name in ("ServedEpisode", "NearMiss"):
        assert "parts" in schemas[name]["properties"]
    assert "content_recall" in schemas["ContextAnswer"]["properties"]

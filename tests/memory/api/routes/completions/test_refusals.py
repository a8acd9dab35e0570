"""Refusals: the upstream's errors, wrong bodies, too many turns at once."""

from typing import Any

import httpx
import pytest

from memory import events
from memory.api.capacity import SPARE_THREADS
from memory.models import AuditRow
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import DOG, PATH, chunk, event_stream
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
def test_an_error_keeps_the_upstreams_status(api: ApiClient, status: int, stream: bool) -> None:
    refusal = httpx.Response(status, json={"error": {"message": "no sk-secret1234"}}, headers={"Retry-After": "20"})
    with scripted_llm(refusal):
        response = api.post(PATH, json={**DOG, "stream": stream})
    error = response.json()["error"]
    assert (response.status_code, set(error)) == (status, {"message", "type", "param", "code"})
    assert "sk-secret1234" not in response.content.decode()
    assert status not in (429, 503) or response.headers["Retry-After"] == "20"
    assert [row.event_type for row in AuditRow.objects.all()] == [events.ChatFailed.name]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (httpx.Response(200, text="<html><title>Log in</title></html>"), 502),
        (httpx.Response(301, headers={"Location": "http://llm.test/v1/v1"}), 502),
        (httpx.ConnectError("refused"), 502),
        (httpx.ReadTimeout("slow"), 504),
        (httpx.Response(200, json={"error": {"message": "model not loaded"}}), 502),
    ],
)
def test_what_is_no_answer_is_a_502_or_504(
    api: ApiClient, answer: httpx.Response | Exception, status: int, stream: bool
) -> None:
    with scripted_llm(answer, answer):
        response = api.post(PATH, json={**DOG, "stream": stream})
    assert (response.status_code, response.json()["error"]["type"]) == (status, "provider_error")
    assert AuditRow.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"messages": [{"content": "hello"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({**DOG, "stream": "yes"}, "stream"),
        ({**DOG, "model": 5}, "model"),
    ],
)
def test_a_wrong_body_names_the_field(api: ApiClient, body: dict[str, Any], param: str) -> None:
    with scripted_llm():
        response = api.post(PATH, json=body)
    assert (response.status_code, response.json()["error"]["param"]) == (422, param)
    assert not AuditRow.objects.exists()


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_too_many_turns_at_once_are_refused_with_a_time_to_come_back(api: ApiClient, configure: Configure) -> None:
    configure(server__threads=SPARE_THREADS + 1)
    with scripted_llm(event_stream(chunk("one"), chunk(finish_reason="stop")), "two", "three") as model:
        under_way = api.post(PATH, json={**DOG, "stream": True})
        refused = api.post(PATH, json=DOG)
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        assert len(model.requests) == 1
        under_way.close()
        assert api.post(PATH, json=DOG).status_code == 200
        assert api.post(PATH, json=DOG).status_code == 200


def test_a_refused_turn_gives_its_place_back(api: ApiClient, configure: Configure) -> None:
    configure(server__threads=SPARE_THREADS + 1)
    with scripted_llm(*[httpx.Response(429, json={})] * 3, "ok"):
        statuses = [api.post(PATH, json={**DOG, "stream": stream}).status_code for stream in (True, False, True, False)]
    assert statuses == [429, 429, 429, 200]


def test_a_key_is_needed(api: ApiClient) -> None:
    api.headers = {}
    assert {api.post(PATH, json=DOG).status_code, api.get("/v1/models").status_code} == {401}

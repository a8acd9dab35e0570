"""What model servers answered that broke other systems, through the door of chat clients."""

import json
from typing import Any

import httpx
import pytest
import time_machine

from memory import events
from memory.models import AuditRow
from tests import cases
from tests.conftest import ApiClient
from tests.memory.llm.test_provider_cases import http_answer, provider, strange

PATH = "/v1/chat/completions"
OBOE: dict[str, Any] = {"messages": [{"role": "user", "content": "I play the oboe."}]}


@pytest.mark.parametrize("stream", [False, True])
@cases.of_kind("api_provider_response")
def test_an_answer_that_broke_others(api: ApiClient, case: cases.Case, stream: bool) -> None:
    with time_machine.travel(case.clock, tick=False), provider(case.given["provider"], http_answer(case.given)):
        response = api.post(PATH, json={**OBOE, "stream": stream})
        told = _told(response)
    if "chat" in case.expect.get("also_for", {}):
        assert case.expect["also_for"]["chat"] == "HTTP 502 or 503 with a JSON error, no chat.completed row"
        assert response.status_code in (502, 503)
        assert set(json.loads(told)["error"]) == {"message", "type", "param", "code"}
    _check_one_end(response, told)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("name", "body"), strange())
def test_a_strange_200_ends_in_one_way(name: str, body: str, stream: bool, api: ApiClient, db: None) -> None:
    with provider(name, *[httpx.Response(200, text=body)] * 2):
        response = api.post(PATH, json={**OBOE, "stream": stream})
        _check_one_end(response, _told(response))


def _told(response: Any) -> str:
    return b"".join(response.streaming_content).decode() if response.streaming else response.content.decode()


def _check_one_end(response: Any, told: str) -> None:
    """Either an answer and a chat on record, or an error that says who failed, and a failed turn."""
    ends = AuditRow.objects.get_queryset().of_type(events.ChatCompleted, events.ChatFailed)
    (kind,) = ends.values_list("event_type", flat=True)
    if kind == events.ChatCompleted.name:
        assert response.status_code == 200
        assert '"error"' not in told
        assert told.endswith("data: [DONE]\n\n") == response.streaming
    else:
        assert response.status_code >= 400 or '"error"' in told
        assert response.status_code < 500 or response.status_code in (502, 503, 504)
        assert "[DONE]" not in told
        for foreign in ("NoneType", "Error(", "object has no", "subscript"):
            assert foreign not in told

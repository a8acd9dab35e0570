"""Requests that broke other systems."""

import json
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings

from memory.conversation import Conversation
from memory.events import Message
from memory.models import AuditRow
from tests import cases
from tests.conftest import ApiClient
from tests.memory.llm.scripted import scripted_llm


def send(api: ApiClient, given: dict[str, Any], *, instead: str = "") -> Any:
    """The case's request, `instead` to another address."""
    method, path = (instead or given["endpoint"]).split(" ")
    raw = given.get("raw_body") or json.dumps(given["body"])
    return api.client.generic(method, path, raw, content_type="application/json", headers=api.headers)


def statuses(expect: dict[str, Any]) -> set[int]:
    http = expect["http"]
    allowed = set(http.get("status_in", [http.get("status")]))
    return allowed | ({400} if any("status 400" in text for text in expect.get("accept", [])) else set())


@pytest.mark.parametrize("instead", ["", "POST /v1/chat/completions"])
@cases.of_kind("api_request")
def test_a_request_that_broke_others(api: ApiClient, settings: LazySettings, case: cases.Case, instead: str) -> None:
    for name, value in case.given.get("settings", {}).items():
        setattr(settings, name, value)
    with time_machine.travel(case.clock, tick=False), scripted_llm("Yes.") as llm:
        cases.prepare(case)
        before = cases.last_row_id()
        response = send(api, case.given, instead=instead)
        rows = cases.new_rows(before)
    assert response.status_code in statuses(case.expect)
    assert response["Content-Type"].startswith("application/json")
    if response.status_code >= 400:
        assert "error" in response.json()
        assert not rows
    cases.check_tables(case.expect, rows=rows)
    check_copies(case, response, llm.requests, rows)


def check_copies(case: cases.Case, response: Any, requests: list[dict[str, Any]], rows: list[AuditRow]) -> None:
    """Every stored and forwarded copy is text that UTF-8 can write; the words recall is asked with are plain."""
    for copy in (response.json(), requests, [row.payload for row in rows]):
        json.dumps(copy, ensure_ascii=False).encode()
    if "recall_query_text" in case.expect:
        sent = [Message.model_validate(message) for message in requests[0]["messages"]]
        assert requests[0]["messages"][-1] == case.given["body"]["messages"][-1]
        query = Conversation(sent).question
        assert query == case.expect["recall_query_text"]
        for words in case.expect["never_in"]["recall_query"]:
            assert words not in query


@pytest.mark.parametrize("text", ["\ud83c", "a\0b", "\ud83c\udf00"])
def test_odd_text_is_never_a_500(api: ApiClient, text: str) -> None:
    response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": text}]})
    assert response.status_code == 200

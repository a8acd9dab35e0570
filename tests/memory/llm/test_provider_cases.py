"""Answers of model servers that broke other systems, through the real worker, the summaries and `/v1/chat`.

The case files of the kind `api_provider_response`, and more of that kind for every provider.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import time_machine
from django.test import Client

from caesar.conf import AnthropicSettings, OllamaSettings
from memory import learning, llm
from memory.events import Message
from memory.learning.extraction import EXTRACTION
from memory.learning.summaries import SUMMARY
from memory.models import AuditRow, EpisodeSummary, ExtractCursor, PersonalFact, SummariseCursor
from tests import cases
from tests.conftest import ApiClient
from tests.memory.llm.scripted import Answer, ScriptedLLM, llm_settings, scripted_llm
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.memory.llm.servers.model_server import ModelServer, Refusal, model_server
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

PROVIDERS = ("anthropic", "ollama", "openai")
KEY = "plain-words-of-a-key"


@contextmanager
def provider(name: str, *answers: Answer) -> Iterator[ScriptedLLM]:
    """A scripted server of that kind, which every task goes to; the embedder works."""
    sections = {
        "anthropic": AnthropicSettings(api_key=KEY),
        "ollama": OllamaSettings(base_url="http://llm.test"),
    }
    with scripted_llm(*answers, provider=name, **sections) as model, scripted_embedder(beside=model):
        yield model


def http_answer(given: dict[str, Any]) -> httpx.Response:
    http = given["http"]
    return httpx.Response(http["status"], headers=http["headers"], text=http["body"])


def extract(now: datetime) -> learning.Tally:
    return learning.run(EXTRACTION, clock=lambda: now)


def summarise(now: datetime) -> learning.Tally:
    return learning.run(SUMMARY, clock=lambda: now)


# --- the case files -----------------------------------------------------------------------------------------------


@cases.of_kind("api_provider_response")
def test_an_answer_that_broke_others(case: cases.Case) -> None:
    if "audit_before" not in case.given:
        return  # about a chat: below
    cases.prepare(case)
    before = cases.last_row_id()
    with provider(case.given["provider"], http_answer(case.given)) as model:
        tally = extract(case.clock)
    cases.check_tables(case.expect, rows=cases.new_rows(before))
    if "counters" in case.expect:
        assert tally.rows_failed == case.expect["counters"]["rows_failed"]
    _check_error(case.expect)
    _check_request(case.expect, model.requests[0])


def _check_error(expect: dict[str, Any]) -> None:
    error = ExtractCursor.current().last_error
    assert not [words for words in expect.get("error_text_contains", []) if words not in error]
    assert not [words for words in expect.get("error_text_not_contains", []) if words in error]


def _check_request(expect: dict[str, Any], request: dict[str, Any]) -> None:
    assert request["stream"] is False
    if "request_sent" in expect:
        assert request[expect["request_sent"]["json_path"]] == expect["request_sent"]["value"]
    if any("the failure text says the content was empty" in text for text in expect.get("invariants", [])):
        assert "empty, though its thinking is not" in ExtractCursor.current().last_error


@cases.of_kind("api_provider_response")
def test_the_same_answer_to_a_summary(case: cases.Case) -> None:
    if "memory_summarise" not in case.expect.get("also_for", {}):
        return
    assert case.expect["also_for"]["memory_summarise"] == "memory.episode.summarise_failed, cursor advances"
    cases.prepare(case, cursor=SummariseCursor)
    before = cases.last_row_id()
    with provider(case.given["provider"], http_answer(case.given)):
        summarise(case.clock)
    assert [row.event_type for row in cases.new_rows(before)] == ["memory.episode.summarise_failed"]
    assert SummariseCursor.current().last_audit_id == before
    assert not EpisodeSummary.objects.exists()


@cases.of_kind("api_provider_response")
def test_the_same_answer_to_a_chat(api: ApiClient, case: cases.Case) -> None:
    if "chat" not in case.expect.get("also_for", {}):
        return
    assert case.expect["also_for"]["chat"] == "HTTP 502 or 503 with a JSON error, no chat.completed row"
    with time_machine.travel(case.clock, tick=False), provider(case.given["provider"], http_answer(case.given)):
        response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": "I play the oboe."}]})
    assert response.status_code in (502, 503)
    assert set(json.loads(response.content)["error"]) == {"message", "type", "param", "code"}
    assert [row.event_type for row in AuditRow.objects.all()] == ["chat.failed"]


def streamed(words: str) -> httpx.Response:
    """These words in two chunks, as the case's server streams them."""
    half = len(words) // 2
    pieces = [{"delta": {"content": words[:half]}}, {"delta": {"content": words[half:]}, "finish_reason": "stop"}]
    events = [f"data: {json.dumps({'choices': [{'index': 0, **piece}]})}\n\n" for piece in pieces]
    return httpx.Response(
        200, headers={"content-type": "text/event-stream"}, text="".join([*events, "data: [DONE]\n\n"])
    )


def test_a_stream_for_a_plain_request_is_read(api: ApiClient) -> None:
    case = cases.one("H47")
    with provider(case.given["provider"], http_answer(case.given)):
        response = api.post("/v1/chat", json=case.given["body"])
    told = json.loads(response.content)
    assert response.status_code == 200
    assert case.expect["accept"][0] == "200 with the text 'Hello'"
    assert "Hello" in json.dumps(told)
    assert AuditRow.objects.get(event_type="chat.completed").payload["reply"] == "Hello"


@pytest.mark.parametrize("path", ["/v1/chat", "/v1/chat/completions"])
@pytest.mark.parametrize("name", ["anthropic", "ollama"])
def test_another_provider_that_streams_is_told_apart_from_a_wrong_address(name: str, path: str, api: ApiClient) -> None:
    case = cases.one("H47")
    with provider(name, http_answer(case.given)):
        response = api.post(path, json=case.given["body"])
    message = json.loads(response.content)["error"]["message"]
    assert response.status_code == 502
    assert "streams although it was asked for one whole answer" in message
    assert "base URL" not in message


def test_a_stream_for_a_plain_request_serves_the_memorys_tasks(now: datetime) -> None:
    record("We have two hens.", now=now)
    with provider("openai", streamed('[{"key": "hens.count", "value": "2"}]')):
        assert extract(now).rows_ok == 1
    with provider("openai", streamed("The operator told of two hens.")):
        assert summarise(now).rows_ok == 1
    assert PersonalFact.objects.get().value == "2"
    assert EpisodeSummary.objects.get().summary == "The operator told of two hens."


@pytest.mark.parametrize("name", ["anthropic", "ollama"])
def test_the_memorys_tasks_say_so_too(name: str, now: datetime) -> None:
    record("We have two hens.", now=now)
    with provider(name, *[streamed("[]")] * 2):
        assert extract(now).rows_ok == 0
    assert "streams although it was asked for one whole answer" in ExtractCursor.current().last_error


def test_a_stream_for_a_plain_request_is_relayed_whole(api: ApiClient) -> None:
    pieces = [
        {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": "c1", "function": {"name": "look", "arguments": '{"a"'}}],
        },
        {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]},
    ]
    chunks = [{"choices": [{"index": 0, "delta": piece}]} for piece in pieces]
    chunks += [
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
        {"choices": [], "usage": {"x": 1}},
    ]
    text = "".join(f"data: {json.dumps({'id': 'i', 'model': 'm', **chunk})}\n\n" for chunk in chunks)
    with provider("openai", httpx.Response(200, text=text)):
        response = api.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "look"}]})
    told = json.loads(response.content)
    assert (told["object"], told["choices"][0]["finish_reason"], told["usage"]) == (
        "chat.completion",
        "tool_calls",
        {"x": 1},
    )
    (call,) = told["choices"][0]["message"]["tool_calls"]
    assert (call["id"], call["function"]) == ("c1", {"name": "look", "arguments": '{"a": 1}'})


@pytest.mark.parametrize(
    "text",
    [
        'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n',
        'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\ndata: {"choices":[{"ind',
        'data: {"error": {"message": "overloaded", "code": 503}}\n\n',
    ],
)
def test_a_stream_that_breaks_off_is_no_answer(text: str, api: ApiClient) -> None:
    with provider("openai", *[httpx.Response(200, headers={"content-type": "text/event-stream"}, text=text)] * 2):
        response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": "hi"}]})
    assert response.status_code == 502
    assert "base URL" not in json.loads(response.content)["error"]["message"].replace(
        "check the server and the base URL", ""
    )


# --- more of that kind: no 200 without an answer in it is ever "no facts" -----------------------------------------

THOUGHT = '[{"key": "hens.count", "value": "2"}]'
STRANGE: dict[str, Sequence[object]] = {
    "anthropic": [
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        {"content": [{"type": "thinking", "thinking": THOUGHT, "signature": "s"}], "stop_reason": "end_turn"},
        {"content": [{"type": "redacted_thinking", "data": "x"}], "stop_reason": "end_turn"},
        {"content": [{"type": "tool_use", "id": "1", "name": "facts", "input": {}}], "stop_reason": "max_tokens"},
        {"content": [{"type": "tool_use", "id": "1", "name": "facts", "input": {}}], "stop_reason": "tool_use"},
        {"content": [{"type": "text", "text": "[]"}], "stop_reason": "refusal"},
        {"content": [], "stop_reason": "pause_turn"},
        {"content": None},
    ],
    "ollama": [
        {"error": "model requires more system memory"},
        {"message": {"role": "assistant", "content": "", "thinking": THOUGHT}, "done": True, "done_reason": "stop"},
        {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "load"},
        {"message": {"role": "assistant", "content": "[]"}, "done": True, "done_reason": "length"},
        {"message": None, "done": True},
        {"models": []},
    ],
    "openai": [
        {"error": {"message": "upstream", "code": 502}, "choices": None},
        {"choices": [{"message": {"content": "", "reasoning_content": THOUGHT}, "finish_reason": "stop"}]},
        {"choices": [{"message": {"content": "[]"}, "finish_reason": "length"}]},
        {"choices": [{"message": {"content": None, "refusal": "No."}, "finish_reason": "stop"}]},
        {"choices": []},
    ],
}
ANYWHERE: Sequence[object] = [{}, [], None, "<html><title>Sign in</title></html>", '{"content": [', ""]


def strange() -> list[Any]:
    """Every strange 200 of every provider."""
    return [
        pytest.param(name, body if isinstance(body, str) else json.dumps(body), id=f"{name}-{place}")
        for name in PROVIDERS
        for place, body in enumerate([*STRANGE[name], *ANYWHERE])
    ]


def record(text: str, *, now: datetime) -> int:
    said = [Message(role="user", content=text)]
    return record_turn(said, "Fresh eggs!", now=now).audit_log_id


@pytest.mark.parametrize(("name", "body"), strange())
def test_a_strange_200_teaches_nothing_and_loses_nothing(name: str, body: str, now: datetime) -> None:
    record("We have two hens.", now=now)
    with provider(name, *[httpx.Response(200, text=body)] * 2):
        tally = extract(now)
    assert (tally.rows_ok, tally.rows_failed) == (0, 1)
    assert not PersonalFact.objects.exists()
    cursor = ExtractCursor.current()
    assert cursor.last_audit_id == 0
    assert cursor.last_error.startswith(f"{name} at ")
    assert not [
        foreign for foreign in ("NoneType", "Error(", "object has no", "subscript") if foreign in cursor.last_error
    ]
    assert AuditRow.objects.filter(event_type="memory.fact.extract_failed").count() == 1


@pytest.mark.parametrize(("name", "body"), strange())
def test_a_strange_200_is_no_chat(name: str, body: str, api: ApiClient) -> None:
    shows = {'"refusal": "No."', '"content": "[]"', '"text": "[]"'}
    with provider(name, *[httpx.Response(200, text=body)] * 2):
        response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": "Hello"}]})
    if any(words in body for words in shows):  # a chat shows what there is
        assert response.status_code == 200
    else:
        assert response.status_code == 502
        assert json.loads(response.content)["error"]["message"].startswith(f"{name} at ")


@pytest.mark.parametrize("name", PROVIDERS)
def test_an_outage_is_written_down_once_and_caught_up_once(name: str, now: datetime) -> None:
    """Each provider's own words for "busy", over an hour, then an answer."""
    good = {
        "anthropic": {
            "content": [{"type": "tool_use", "id": "1", "name": "facts", "input": {"facts": json.loads(THOUGHT)}}],
            "stop_reason": "tool_use",
        },
        "ollama": {"message": {"content": json.dumps({"facts": json.loads(THOUGHT)})}, "done_reason": "stop"},
        "openai": {"choices": [{"message": {"content": THOUGHT}, "finish_reason": "stop"}]},
    }
    chat_id = record("We have two hens.", now=now)
    for minute in range(60):
        with provider(name, *[httpx.Response(529, json={"error": "busy"})] * 2):
            extract(now + timedelta(minutes=minute))
    with provider(name, httpx.Response(200, json=good[name])):
        extract(now + timedelta(minutes=90))
    assert PersonalFact.objects.get().value == "2"
    assert ExtractCursor.current().last_audit_id == chat_id
    kinds = list(AuditRow.objects.order_by("id").values_list("event_type", flat=True))
    assert kinds == ["chat.completed", "memory.fact.extract_failed", "memory.fact.added"]


# --- keys -----------------------------------------------------------------------------------------------------------


@contextmanager
def echoing(name: str, *, times: int = 4) -> Iterator[ModelServer]:
    """A real server that gives the key back in its refusals, as some do, and every task routed to it."""
    words = f"{KEY} is no key; you sent x-api-key: {KEY}, Authorization: Bearer {KEY}"
    with model_server(*[Refusal(401, {"error": {"type": "authentication_error", "message": words}})] * times) as server:
        routes = {"base_url": f"{server.url}/v1" if name == "openai" else server.url, "api_key": KEY}
        tasks = ("chat", "memory_extract", "memory_summarise")
        with llm_settings(provider=name, model="m", task_routing=dict.fromkeys(tasks, routes)):
            yield server


PAGES = ("", "board", "health", "connect", "models", "facts", "preview", "audit", "audit?type=chat.failed")


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_key_is_on_no_page(name: str, api: ApiClient, operator: Client, now: datetime) -> None:
    record("We have two hens.", now=now)
    with echoing(name, times=3):
        api.post("/v1/chat", json={"messages": [{"role": "user", "content": "Hello"}]})
        extract(now)
        summarise(now)
        rows = AuditRow.objects.values_list("id", flat=True)
        addresses = [f"/dashboard/{page}" for page in PAGES] + [f"/dashboard/audit/{row}" for row in rows]
        pages = [operator.get(address, follow=True) for address in addresses]
    assert {page.status_code for page in pages} == {200}
    assert not [page for page in pages if KEY in page.content.decode()]
    assert any("[removed]" in page.content.decode() for page in pages)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_key_is_in_no_row_no_log_line_and_no_answer(
    name: str, api: ApiClient, now: datetime, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    record("We have two hens.", now=now)
    with caplog.at_level(logging.DEBUG), echoing(name) as server:
        response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": "Hello"}]})
        tallies = [extract(now), summarise(now)]
        with pytest.raises(llm.AccessDenied) as raised:
            llm.list_models("chat")
        shown = [repr(llm.route_for("chat")), llm.describe("chat"), str(raised.value), repr(raised.value)]
    assert all(KEY in json.dumps(asked.headers) for asked in server.asked)
    assert (response.status_code, [tally.rows_failed for tally in tallies]) == (502, [1, 1])
    rows = [json.dumps(row.payload) for row in AuditRow.objects.all()]
    errors = [ExtractCursor.current().last_error, SummariseCursor.current().last_error]
    places = [*shown, *rows, *errors, response.content.decode(), caplog.text, *capsys.readouterr()]
    assert not [place for place in places if KEY in place]
    assert "[removed]" in ExtractCursor.current().last_error

"""The tool with which the model asks memory: answered here, bounded, on the receipt; the client sees none of it."""

import json
from datetime import datetime
from typing import Any

import httpx
import pytest

from memory import events
from memory.chat.memory_tool import rounds
from memory.models import AuditRow, PersonalFact
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import PATH, chunk, event_stream, last, told
from tests.memory.llm.scripted import Answer, completion, scripted_llm

pytestmark = pytest.mark.django_db

ASK: dict[str, Any] = {"messages": [{"role": "user", "content": "what colour is my lantern?"}]}
WEATHER: Any = {"type": "function", "function": {"name": "weather", "parameters": {}}}


@pytest.fixture(autouse=True)
def on(configure: Configure, now: datetime) -> None:
    configure(chat__memory_tool="on")
    rounds._refusing.clear()
    PersonalFact.objects.add("home.lantern", "emerald", now=now)


def call(name: str = "search_memory", id: str = "c1", **arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def calls(*given: dict[str, Any], text: str | None = None) -> httpx.Response:
    return httpx.Response(200, json=completion(text, finish_reason="tool_calls", tool_calls=list(given)))


def _json(api: ApiClient, body: dict[str, Any]) -> Any:
    response: Any = api.post(PATH, json=body)
    return response.json()


def names(request: dict[str, Any]) -> list[str]:
    return [tool["function"]["name"] for tool in request.get("tools", [])]


def test_it_works(api: ApiClient) -> None:
    with scripted_llm(calls(call(query="lantern", until="2100-01-01")), "It is emerald.") as model:
        answer = _json(api, ASK)
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "It is emerald."}
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert answer["usage"] == {"prompt_tokens": 22, "completion_tokens": 14, "total_tokens": 36}
    asked, answered = model.requests[1]["messages"][-2:]
    assert asked["tool_calls"][0]["id"] == answered["tool_call_id"] == "c1"
    assert "emerald" in answered["content"]
    assert names(model.requests[0]) == ["search_memory"]


def test_it_is_one_turn_with_the_search_on_its_receipt(api: ApiClient) -> None:
    with scripted_llm(calls(call(query="lantern")), "It is emerald."):
        api.post(PATH, json=ASK)
    (row,) = AuditRow.objects.get_queryset().chats()
    assert (row.completed.reply, row.completed.usage.input_tokens) == ("It is emerald.", 22)
    (search,) = last(events.ContextServed).payload["searches"]
    assert (search["query"], search["found"][0]["id"]) == ("lantern", "fact:home.lantern")
    searched = last(events.MemorySearched)
    assert (searched.payload["door"], searched.decision_id) == ("model", row.decision_id)
    assert searched.actor == row.actor


def test_after_three_rounds_the_tool_is_withdrawn(api: ApiClient) -> None:
    asking: list[Answer] = [calls(call(query=f"lantern {number}")) for number in range(3)]
    with scripted_llm(*asking, "I do not know.") as model:
        answer = _json(api, ASK)
    assert [names(request) for request in model.requests] == [["search_memory"]] * 3 + [[]]
    assert answer["choices"][0]["message"]["content"] == "I do not know."


def test_a_model_that_still_calls_it_then_just_ends(api: ApiClient) -> None:
    with scripted_llm(*[calls(call(query="lantern"), text="Hm.") for _ in range(4)]):
        choice = _json(api, ASK)["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["message"] == {"role": "assistant", "content": "Hm."}


def test_the_clients_own_calls_win(api: ApiClient) -> None:
    with scripted_llm(calls(call(query="lantern"), call("weather", id="c2"))) as model:
        choice = _json(api, {**ASK, "tools": [WEATHER]})["choices"][0]
    assert names(model.requests[0]) == ["weather", "search_memory"]
    assert [one["id"] for one in choice["message"]["tool_calls"]] == ["c2"]
    assert choice["finish_reason"] == "tool_calls"
    assert not AuditRow.objects.filter(event_type="memory.searched").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"tool_choice": "none"},
        {"tool_choice": "required", "tools": [WEATHER]},
        {"functions": []},
        {"n": 2},
        {"tools": [{"type": "function", "function": {"name": "search_memory"}}]},
    ],
)
def test_it_is_not_offered_where_the_client_leaves_no_room(api: ApiClient, changes: dict[str, Any]) -> None:
    with scripted_llm("ok") as model:
        api.post(PATH, json={**ASK, **changes})
    assert model.requests[0].get("tools") == changes.get("tools")


@pytest.mark.parametrize("headers", [{"X-Memory": "off"}, {"X-Memory-Task": "errand"}])
def test_it_is_not_offered_where_memory_keeps_out(api: ApiClient, headers: dict[str, str]) -> None:
    with scripted_llm("ok") as model:
        api.post(PATH, json=ASK, headers=headers)
    assert "tools" not in model.requests[0]


def test_it_is_off_unless_it_is_switched_on(api: ApiClient, configure: Configure) -> None:
    configure(chat__memory_tool="off")
    with scripted_llm("ok") as model:
        api.post(PATH, json=ASK)
    assert "tools" not in model.requests[0]


@pytest.mark.parametrize("stream", [False, True])
def test_a_server_that_refuses_tools_is_asked_without(api: ApiClient, stream: bool) -> None:
    refusal = httpx.Response(400, json={"error": {"message": "tiny does not support tools"}})
    good = (
        event_stream(chunk("ok"), chunk(finish_reason="stop")) if stream else httpx.Response(200, json=completion("ok"))
    )
    again = (
        event_stream(chunk("ok"), chunk(finish_reason="stop")) if stream else httpx.Response(200, json=completion("ok"))
    )
    with scripted_llm(refusal, good, again) as model:
        for _ in range(2):
            response: Any = api.post(PATH, json={**ASK, "stream": stream})
            assert response.status_code == 200
            _ = told(response) if stream else response.json()
    assert ["tools" in request for request in model.requests] == [True, False, False]


def test_bad_arguments_are_told_to_the_model(api: ApiClient) -> None:
    bad = [
        call(query=" "),
        call(id="c2", query="a", since="May"),
        {**call(id="c3"), "function": {"name": "search_memory", "arguments": "{"}},
    ]
    with scripted_llm(calls(*bad), "Sorry.") as model:
        api.post(PATH, json=ASK)
    told_it = [message["content"] for message in model.requests[1]["messages"][-3:]]
    assert told_it == [
        "Not searched: query must hold words.",
        "Not searched: since must be a day such as 2026-05-20.",
        "Not searched: the arguments are no JSON object.",
    ]
    assert last(events.ContextServed).payload["searches"] == []


# --- streams ----------------------------------------------------------------------------------------------------------


def piece(index: int, *, name: str = "", arguments: str = "", id: str = "") -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return chunk(None, tool_calls=[{"index": index, "function": function} | ({"id": id} if id else {})])  # type: ignore[arg-type]


def usage(prompt: int, answer: int) -> dict[str, Any]:
    counts = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    return {**chunk(), "choices": [], "usage": counts}


def asking(text: str = "") -> httpx.Response:
    return event_stream(
        chunk(text, role="assistant"),
        piece(0, name="search_memory", id="c1"),
        piece(0, arguments='{"query": "lan'),
        piece(0, arguments='tern"}'),
        chunk(finish_reason="tool_calls"),
        usage(11, 7),
    )


def test_a_stream_shows_the_final_answer_alone(api: ApiClient) -> None:
    final = event_stream(
        chunk("It is ", role="assistant"), chunk("emerald."), chunk(finish_reason="stop"), usage(20, 3)
    )
    with scripted_llm(asking("Let me see."), final) as model:
        *chunks, done = told(api.post(PATH, json={**ASK, "stream": True, "stream_options": {"include_usage": True}}))
    assert done == "[DONE]"
    deltas = [one["choices"][0]["delta"] for one in chunks if one["choices"]]
    assert "".join(delta.get("content") or "" for delta in deltas) == "Let me see.\n\nIt is emerald."
    assert not [delta for delta in deltas if "tool_calls" in delta]
    assert [one["choices"][0]["finish_reason"] for one in chunks if one["choices"]][-1] == "stop"
    assert len({one["id"] for one in chunks}) == 1
    (counted,) = [one["usage"] for one in chunks if one.get("usage")]
    assert counted == {"prompt_tokens": 31, "completion_tokens": 10, "total_tokens": 41}
    assert "emerald" in model.requests[1]["messages"][-1]["content"]
    (row,) = AuditRow.objects.get_queryset().chats()
    assert row.completed.reply == "Let me see.\n\nIt is emerald."
    assert (row.completed.usage.input_tokens, row.completed.usage.output_tokens) == (31, 10)
    assert len(last(events.ContextServed).payload["searches"]) == 1


def test_a_stream_hands_the_clients_own_calls_on(api: ApiClient) -> None:
    both = event_stream(
        piece(0, name="search_memory", id="c1", arguments="{}"),
        piece(1, name="weather", id="c2", arguments="{"),
        piece(1, arguments="}"),
        chunk(finish_reason="tool_calls"),
    )
    with scripted_llm(both):
        *chunks, _ = told(api.post(PATH, json={**ASK, "stream": True, "tools": [WEATHER]}))
    shown = [one for each in chunks for one in each["choices"][0]["delta"].get("tool_calls", [])]
    assert [(one["index"], one["function"]["arguments"]) for one in shown] == [(0, "{"), (0, "}")]
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_a_stream_whose_next_round_fails_is_a_failed_turn(api: ApiClient) -> None:
    with scripted_llm(asking(), httpx.Response(401, json={"error": {"message": "no"}})):
        told(api.post(PATH, json={**ASK, "stream": True}))
    assert last(events.ChatFailed)
    assert not AuditRow.objects.get_queryset().chats().exists()


def test_a_stream_without_a_question_comes_through_as_it_is(api: ApiClient) -> None:
    plain = [chunk("It is ", role="assistant"), chunk("late."), chunk(finish_reason="stop"), usage(1, 2)]
    with scripted_llm(event_stream(*plain)):
        *chunks, _ = told(api.post(PATH, json={**ASK, "stream": True, "stream_options": {"include_usage": True}}))
    assert "".join(one["choices"][0]["delta"].get("content") or "" for one in chunks if one["choices"]) == "It is late."
    assert chunks[-1]["usage"]["total_tokens"] == 3

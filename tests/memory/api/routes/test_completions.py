"""Chat completions in OpenAI's shape: memory goes in, the answer comes through as it is, the turn is on record."""

import json
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.utils import timezone

from memory import events
from memory.api.capacity import SPARE_THREADS
from memory.events import Message
from memory.models import AuditRow, HeardMessage, PersonalFact
from memory.text import wording
from memory.text.normalising import Claim
from tests.conftest import ApiClient, Configure
from tests.memory.llm.scripted import MODEL, completion, scripted_llm

pytestmark = pytest.mark.django_db

DOG: dict[str, Any] = {"messages": [{"role": "user", "content": "my dog's name is Beans"}]}
PATH = "/v1/chat/completions"


@pytest.fixture
def beans() -> None:
    """The operator said once that the dog is called Beans."""
    now = timezone.now() - timedelta(days=3)
    chat = AuditRow.objects.record(
        events.ChatCompleted(messages=[Message(role="user", content="x")], new_messages=[]), now=now
    )
    PersonalFact.objects.learn([Claim("dog.name", "Beans", 1.0)], chat=chat, now=now)


def event_stream(*chunks: dict[str, Any] | str, done: bool = True) -> httpx.Response:
    """An upstream's stream: each chunk as an event, then `[DONE]`."""
    written = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks] + ["[DONE]"] * done
    content = "".join(f"data: {text}\n\n" for text in written)
    return httpx.Response(200, text=content, headers={"Content-Type": "text/event-stream"})


def chunk(text: str = "", *, finish_reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish_reason}],
    }


def told(response: Any) -> list[Any]:
    """The events of an answer that was streamed, `[DONE]` as a text."""
    body = b"".join(response.streaming_content).decode()
    assert body.endswith("\n\n")
    texts = [part.removeprefix("data: ") for part in body.removesuffix("\n\n").split("\n\n")]
    return [text if text == "[DONE]" else json.loads(text) for text in texts]


def last(kind: type[events.Event]) -> AuditRow:
    return AuditRow.objects.get_queryset().of_type(kind).latest("id")


# --- one turn ---------------------------------------------------------------------------------------------------


def test_it_works(api: ApiClient, beans: None) -> None:
    answer = completion("A fine name.", annotations=[{"x": 1}])
    with scripted_llm(httpx.Response(200, json=answer)) as model:
        response = api.post(PATH, json={**DOG, "model": "gpt-x", "seed": 7})
    assert (response.status_code, response.json()) == (200, answer)
    sent = model.requests[0]
    assert (sent["model"], sent["seed"], sent["messages"][1:]) == ("gpt-x", 7, DOG["messages"])
    assert "Your dog's name is Beans." in sent["messages"][0]["content"]
    row = last(events.ChatCompleted)
    assert (row.completed.reply, row.completed.model, row.completed.new_messages) == ("A fine name.", MODEL, [0])
    assert row.decision_id == response.headers["X-Decision-Id"] == last(events.ContextServed).decision_id


def test_memory_stands_before_the_clients_own_system_message(api: ApiClient, beans: None) -> None:
    system = {"role": "system", "content": "Be brief.", "name": "setup"}
    with scripted_llm("ok") as model:
        api.post(PATH, json={"messages": [system, *DOG["messages"]]})
    first = model.requests[0]["messages"][0]
    block = last(events.ContextServed).payload["block"]
    assert first == {**system, "content": f"{block}\n\nBe brief."}
    assert block.startswith(wording.PREFACE)


def test_memory_stands_behind_it_where_the_settings_say_so(api: ApiClient, beans: None, configure: Configure) -> None:
    configure(memory__injection__position="after_prompt")
    system = {"role": "developer", "content": [{"type": "text", "text": "Be brief.", "cache_control": {"a": 1}}]}
    with scripted_llm("ok") as model:
        api.post(PATH, json={"messages": [system, *DOG["messages"]]})
    first = model.requests[0]["messages"][0]
    block = last(events.ContextServed).payload["block"]
    assert first == {"role": "developer", "content": [*system["content"], {"type": "text", "text": block}]}


def test_messages_come_through_as_they_are_where_memory_has_nothing(api: ApiClient) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "what is it?"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {}}]},
        {"role": "tool", "tool_call_id": "1", "content": "21 degrees"},
    ]
    tools = [{"type": "function", "function": {"name": "look", "parameters": {}}}]
    with scripted_llm("A cat.") as model:
        api.post(PATH, json={"messages": messages, "tools": tools, "n": 2, "logprobs": True, "metadata": {"a": "b"}})
    sent = model.requests[0]
    assert (sent["messages"], sent["tools"], sent["n"]) == (messages, tools, 2)
    assert (sent["logprobs"], sent["metadata"]) == (True, {"a": "b"})
    stored = last(events.ChatCompleted).completed.messages
    assert stored[1].content == [{"type": "text", "text": "what is it?"}, {"type": "placeholder", "of": "image_url"}]


@pytest.mark.parametrize("asked", [{}, {"model": "caesar"}, {"model": ""}])
def test_the_configured_model_answers_to_caesar(api: ApiClient, asked: dict[str, str]) -> None:
    with scripted_llm("ok") as model:
        api.post(PATH, json={**DOG, **asked})
    assert model.requests[0]["model"] == MODEL


def test_an_answer_that_calls_a_tool_comes_through_and_teaches(api: ApiClient) -> None:
    calls = [{"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
    answer = completion(None, finish_reason="tool_calls", tool_calls=calls)
    with scripted_llm(httpx.Response(200, json=answer)):
        response = api.post(PATH, json=DOG)
    assert response.json() == answer
    row = last(events.ChatCompleted).completed
    assert (row.reply, row.finish_reason, row.new_messages) == ("", "tool_calls", [0])


# --- streams ----------------------------------------------------------------------------------------------------


def test_a_stream_comes_through_and_is_recorded(api: ApiClient) -> None:
    chunks = [chunk(role="assistant"), chunk("A fine "), chunk("name."), chunk(finish_reason="stop")]
    with scripted_llm(event_stream(*chunks)) as model:
        response = api.post(PATH, json={**DOG, "stream": True, "stream_options": {"include_usage": True}})
        assert told(response) == [*chunks, "[DONE]"]
    assert (model.requests[0]["stream"], model.requests[0]["stream_options"]) == (True, {"include_usage": True})
    assert response.headers["Content-Type"] == "text/event-stream"
    row = last(events.ChatCompleted)
    assert (row.completed.reply, row.completed.finish_reason, row.completed.cut_off) == ("A fine name.", "stop", False)
    assert row.decision_id == response.headers["X-Decision-Id"]


def test_a_character_cut_between_two_chunks_comes_through(api: ApiClient) -> None:
    halves = [chunk("\ud83d"), chunk("\ude00"), chunk(finish_reason="stop")]
    with scripted_llm(event_stream(*halves)):
        assert told(api.post(PATH, json={**DOG, "stream": True})) == [*halves, "[DONE]"]
    assert last(events.ChatCompleted).completed.reply == "\N{GRINNING FACE}"


def test_the_turn_is_on_record_before_the_client_is_told_that_it_is_over(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("Fine."), chunk(finish_reason="stop"))):
        parts = iter(api.post(PATH, json={**DOG, "stream": True}).streaming_content)
        assert b"Fine." in next(parts)
        assert not AuditRow.objects.exists()
        assert b"stop" in next(parts)
        assert next(parts) == b"data: [DONE]\n\n"
        assert last(events.ChatCompleted).completed.reply == "Fine."
        assert not list(parts)


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_a_client_that_hangs_up_is_recorded_as_cut_off(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("A fine "), chunk("name."), chunk(finish_reason="stop"))):
        response = api.post(PATH, json={**DOG, "stream": True})
        next(iter(response.streaming_content))
        response.close()
        response.close()
    row = AuditRow.objects.get_queryset().chats().get().completed
    assert (row.reply, row.finish_reason, row.cut_off, row.new_messages) == ("A fine ", "", True, [0])


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_a_client_that_hangs_up_before_the_first_chunk_is_recorded_too(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("A fine name."), chunk(finish_reason="stop"))):
        api.post(PATH, json={**DOG, "stream": True}).close()
    assert last(events.ChatCompleted).completed.cut_off


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_what_was_cut_off_teaches_once_though_its_continuation_was_recorded_first(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("A fine "), chunk("name."), chunk(finish_reason="stop")), "Very old?"):
        cut = api.post(PATH, json={**DOG, "stream": True})
        next(iter(cut.streaming_content))
        said = [{"role": "assistant", "content": "A fine "}, {"role": "user", "content": "and he is old"}]
        api.post(PATH, json={"messages": [*DOG["messages"], *said]})
        cut.close()
    first, second = AuditRow.objects.get_queryset().chats().order_by("id")
    assert (first.completed.new_messages, first.completed.cut_off) == ([0, 2], False)
    assert (second.completed.new_messages, second.completed.cut_off, second.completed.replay) == ([], True, True)


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        ([chunk("half")], "ConnectionLost"),
        ([chunk("half"), {"error": {"message": "overloaded", "type": "overloaded_error"}}], "ServerFault"),
    ],
)
def test_an_upstream_that_dies_in_mid_stream_is_an_error_and_a_failed_turn(
    api: ApiClient, ending: list[dict[str, Any]], kind: str
) -> None:
    with scripted_llm(event_stream(*ending, done=False)):
        answer = told(api.post(PATH, json={**DOG, "stream": True}))
    assert answer[0] == chunk("half")
    assert answer[-1]["error"]["type"] == "provider_error"
    assert "[DONE]" not in answer
    assert [row.event_type for row in AuditRow.objects.all()] == [events.ChatFailed.name]
    assert last(events.ChatFailed).payload["kind"] == kind
    assert not HeardMessage.objects.exists()


# --- refusals ---------------------------------------------------------------------------------------------------


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


# --- what is no conversation ----------------------------------------------------------------------------------------

TASK = "### Task:\nGenerate a concise title\n<chat_history>\nUSER: my dog's name is Beans\n</chat_history>"


def test_a_clients_own_errand_is_passed_through(api: ApiClient, beans: None) -> None:
    body = {"messages": [{"role": "user", "content": TASK}], "temperature": 0.1}
    with scripted_llm("Dog Names") as model:
        response = api.post(PATH, json=body)
    assert response.json()["choices"][0]["message"]["content"] == "Dog Names"
    assert model.requests[0] == {**body, "model": MODEL, "stream": False}
    row = last(events.ChatPassedThrough)
    assert (row.payload["reason"], row.payload["model"]) == ("task_prompt", MODEL)
    assert row.payload["beginning"].startswith("### Task: Generate a concise title")
    kinds = ["chat.completed", "memory.fact.added", "chat.passed_through"]  # the first two are the fixture's
    assert [row.event_type for row in AuditRow.objects.order_by("id")] == kinds
    assert not HeardMessage.objects.exists()


@pytest.mark.parametrize("stream", [False, True])
def test_memory_off_is_passed_through_without_a_word_kept(api: ApiClient, beans: None, stream: bool) -> None:
    answer = event_stream(chunk("ok"), chunk(finish_reason="stop")) if stream else "ok"
    with scripted_llm(answer) as model:
        response = api.post(PATH, json={**DOG, "stream": stream}, headers={"X-Memory": "Off"})
        b"".join(response.streaming_content) if stream else response.content
    assert model.requests[0]["messages"] == DOG["messages"]
    row = last(events.ChatPassedThrough)
    assert row.payload["reason"] == "memory_off"
    assert "Beans" not in json.dumps(row.payload)
    assert not HeardMessage.objects.exists()


def test_which_beginnings_are_errands_is_a_setting(api: ApiClient, configure: Configure) -> None:
    configure(proxy__task_beginnings="TITLE PLEASE; name this")
    with scripted_llm("a", "b", "c"):
        for content in ("TITLE PLEASE for it", " name this chat", TASK):
            api.post(PATH, json={"messages": [{"role": "user", "content": content}]})
    kinds = [row.event_type for row in AuditRow.objects.exclude(event_type=events.ContextServed.name).order_by("id")]
    assert kinds == ["chat.passed_through", "chat.passed_through", "chat.completed"]


# --- conversations ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "metadata"),
    [
        ({"X-Conversation-Id": "thread 7"}, None),
        ({"X-OpenWebUI-Chat-Id": "thread 7"}, None),
        ({}, {"conversation_id": "thread 7"}),
        ({}, {"chat_id": " thread 7 "}),
    ],
)
def test_the_clients_conversation_id_is_kept(
    api: ApiClient, headers: dict[str, str], metadata: dict[str, str] | None
) -> None:
    with scripted_llm("ok"):
        api.post(PATH, json={**DOG, "metadata": metadata}, headers=headers)
    assert {row.conversation_id for row in AuditRow.objects.all()} == {"thread 7"}


def test_a_conversation_id_decides_nothing_about_what_is_new(api: ApiClient) -> None:
    with scripted_llm("ok", "ok"):
        for name in ("one", "two"):
            api.post(PATH, json=DOG, headers={"X-Conversation-Id": name})
    replays = [row.completed.replay for row in AuditRow.objects.get_queryset().chats().order_by("id")]
    assert replays == [False, True]


# --- models -----------------------------------------------------------------------------------------------------


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


def test_a_key_is_needed(api: ApiClient) -> None:
    api.headers = {}
    assert {api.post(PATH, json=DOG).status_code, api.get("/v1/models").status_code} == {401}

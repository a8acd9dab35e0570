"""Messages of a megabyte, conversations of thousands, pictures and odd text: taken, bounded, in every call."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pydantic import JsonValue

from memory.models import AuditRow, PersonalFact
from memory.text import lines
from tests.conftest import ApiClient, Configure
from tests.growth import LINEAR_AT_MOST, growth
from tests.memory.llm.scripted import scripted_llm

MEGABYTE = 1_000_000
PIXELS = "iVBORw0KGgo" * 1_000

CALLS = ("/v1/chat", "/v1/memory/context", "/v1/memory/chats")
every_call = pytest.mark.parametrize("path", CALLS)


def send(api: ApiClient, path: str, *messages: JsonValue, **fields: JsonValue) -> Any:
    reply: dict[str, JsonValue] = {"reply": "Fine."} if path == "/v1/memory/chats" else {}
    return api.post(path, json={"messages": list(messages), **reply, **fields})


def user(content: JsonValue, **fields: JsonValue) -> dict[str, JsonValue]:
    return {"role": "user", "content": content, **fields}


def last_chat() -> dict[str, Any]:
    payload: dict[str, Any] = AuditRow.objects.get_queryset().chats().latest("id").payload
    return payload


@every_call
@pytest.mark.parametrize("shape", ["word ", "\n"])
def test_a_message_of_a_megabyte_is_taken(api: ApiClient, path: str, shape: str) -> None:
    giant = shape * (MEGABYTE // len(shape))
    is_blank = not giant.strip() and path != "/v1/memory/chats"
    with scripted_llm("Fine.") as llm:
        assert (send(api, path, user(giant)).status_code == 422) is is_blank
    if path == "/v1/chat" and not is_blank:
        assert llm.requests[0]["messages"][-1]["content"] == giant


def call_growth(api: ApiClient, path: str, made: Callable[[int], list[JsonValue]], *, size: int) -> float:
    """The growth of a call for the messages that are `made`; what one call stored is gone at the next."""

    def call(sent: list[JsonValue]) -> None:
        with scripted_llm("Fine."), transaction.atomic():
            assert send(api, path, *sent).status_code < 300
            transaction.set_rollback(True)

    return growth(call, made, size=size)


@every_call
@pytest.mark.parametrize("shape", ["word ", "\n", "\u0301", "\U0001f468\u200d", "<think>[", "  - x\n"])
def test_the_time_of_a_call_grows_no_faster_than_its_message(api: ApiClient, path: str, shape: str) -> None:
    def made(chars: int) -> list[JsonValue]:
        return [user("x" + shape * (chars // len(shape)))]

    assert call_growth(api, path, made, size=25_000) <= LINEAR_AT_MOST


def test_it_is_kept_to_its_bound_with_a_mark(api: ApiClient, configure: Configure) -> None:
    configure(memory__chat_max_chars=10_000)
    with scripted_llm("Yes. " * 200_000):
        answer = send(api, "/v1/chat", user([{"type": "text", "text": "a" * MEGABYTE}], name="n" * MEGABYTE)).json()
    assert len(answer["message"]["content"]) > 900_000
    stored = last_chat()
    assert stored["truncated"] is True
    kept = [stored["messages"][0]["content"][0]["text"], stored["messages"][0]["name"], stored["reply"]]
    assert [len(text) <= 10_000 and lines.CUT_MARK.strip() in text for text in kept] == [True] * 3


@every_call
def test_two_thousand_messages_take_few_queries(api: ApiClient, path: str) -> None:
    sent = conversation(2_000)
    with scripted_llm("Fine.") as llm, CaptureQueriesContext(connection) as captured:
        assert send(api, path, *sent).status_code < 300
    assert len(captured) < 60  # rows go in and are looked up by the hundred
    if path == "/v1/chat":
        assert llm.requests[0]["messages"][1:] == sent
    if path != "/v1/memory/context":
        assert len(last_chat()["messages"]) == 2_001


@every_call
def test_the_time_of_a_call_grows_no_faster_than_its_messages(api: ApiClient, path: str) -> None:
    assert call_growth(api, path, conversation, size=500) <= LINEAR_AT_MOST


def conversation(count: int) -> list[JsonValue]:
    """So many messages of two, and a last question."""
    half = range(count // 2)
    answers: list[JsonValue] = [{"role": "assistant", "content": f"Answer {number}"} for number in half]
    return [*(user(f"Message {number}") for number in half), *answers, user("And now?")]


def test_thousands_of_parts_in_one_message_are_taken(api: ApiClient) -> None:
    parts: JsonValue = [{"type": "text", "text": f"part {number}"} for number in range(5_000)]
    assert send(api, "/v1/memory/chats", user(parts)).status_code == 201
    assert len(last_chat()["messages"][0]["content"]) == 5_000


# --- parts, tools, silence ------------------------------------------------------------------------------------------


def test_parts_go_on_unchanged_and_are_stored_as_placeholders(api: ApiClient) -> None:
    parts: JsonValue = [
        {"type": "text", "text": "What is this?", "cache_control": {"type": "ephemeral"}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}", "detail": "low"}},
        {"type": "input_audio", "input_audio": {"data": PIXELS, "format": "wav"}},
        {"type": "new_kind", "anything": [1, None, {"deep": True}]},
    ]
    with scripted_llm("A picture.") as llm:
        assert send(api, "/v1/chat", user(parts)).status_code == 200
    assert llm.requests[0]["messages"][-1]["content"] == parts
    assert last_chat()["messages"][0]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "placeholder", "of": "image_url"},
        {"type": "placeholder", "of": "input_audio"},
        {"type": "placeholder", "of": "new_kind"},
    ]
    assert all("iVBOR" not in json.dumps(row.payload) for row in AuditRow.objects.all())


@every_call
def test_tools_and_silence_are_taken_and_teach_nothing(api: ApiClient, path: str) -> None:
    call: JsonValue = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    sent: list[JsonValue] = [
        {"role": "developer", "content": "Be brief."},
        user("Weather?"),
        {"role": "assistant", "content": None, "tool_calls": [call], "refusal": None},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "my name is Rain"}]},
        {"role": "assistant"},
        user("", name="x"),
        user([]),
    ]
    teaching = [1]
    if path != "/v1/memory/chats":  # what asks a model ends with a question
        sent.append(user("Well?"))
        teaching.append(7)
    with scripted_llm("It rains.") as llm:
        assert send(api, path, *sent).status_code < 300
    if path == "/v1/chat":
        assert llm.requests[0]["messages"][1:] == sent[1:]
    if path != "/v1/memory/context":
        assert last_chat()["new_messages"] == teaching


def test_memory_off_gives_a_context_without_memory(api: ApiClient, now: Any) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    body: JsonValue = {"message": "Hello", "system": "You are a butler."}
    answer = api.post("/v1/memory/context", json=body, headers={"X-Memory": "off"}).json()
    assert (answer["facts"], answer["episodes"], answer["block"]) == ([], [], "")
    assert answer["system_prompt"] == "You are a butler."


# --- odd text in every field ----------------------------------------------------------------------------------------

ODD = ["\ud83c", "\udc00\ud800", "a\0b", "\0", "\ud83c\udf00", "\ufeff", "\u202e", "\x1b[2J"]


@pytest.mark.parametrize("odd", ODD)
def test_odd_text_in_any_field_is_mended_or_refused_but_never_breaks(api: ApiClient, odd: str) -> None:
    with scripted_llm("Fine."):
        answers = [
            send(api, "/v1/chat", user(odd, **{f"x{odd}": [odd]}), {"role": "assistant", "content": odd, "name": odd}),
            send(api, "/v1/memory/context", {"role": "system", "content": odd}, user([{"type": odd, "text": odd}])),
            api.post("/v1/memory/context", json={"message": f"x{odd}", "system": odd}),
            send(api, "/v1/memory/chats", user("Hi"), reply=odd, model=odd),
            send(api, "/v1/memory/chats", user("Hi"), decision_id=odd),
            api.put("/v1/memory/facts/odd", json={"value": f"x{odd}"}),
            api.put("/v1/memory/facts/odd", json={"value": odd, "expected": odd}),
        ]
    assert [answer.status_code for answer in answers[:4]] == [200, 200, 200, 201]
    assert answers[4].status_code in (201, 422)
    assert [answer.status_code for answer in answers[5:]] in ([201, 422], [201, 409])
    for row in AuditRow.objects.all():
        assert "\\u0000" not in json.dumps(row.payload)
        json.dumps(row.payload, ensure_ascii=False).encode()


@pytest.mark.parametrize("odd", ["%00", "%ED%A0%80", "%FF", "%0A", "%F0%9F%8C%80", "%E2%80%AE", "a%00b"])
def test_odd_text_in_an_address_never_breaks(api: ApiClient, odd: str) -> None:
    for path in ("facts/{}", "facts?before={}", "episodes?before={}", "episodes/{}"):
        assert api.get("/v1/memory/" + path.format(odd)).status_code < 500
    for field in ("type", "fact", "chat", "decision", "conversation", "q", "before", "limit"):
        assert api.get(f"/v1/audit?{field}={odd}").status_code < 500
    assert api.put(f"/v1/memory/facts/{odd}", json={"value": "x"}).status_code < 500
    assert api.delete(f"/v1/memory/facts/{odd}").status_code < 500

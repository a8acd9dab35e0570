"""POST /v1/chat: one turn, memory in and memory out."""

import json

import httpx
import pytest
from pydantic import JsonValue

from memory.models import AuditRow, PersonalFact
from memory.text import wording
from tests.conftest import ApiClient, Configure
from tests.memory.llm.scripted import scripted_llm

HELLO: list[JsonValue] = [{"role": "user", "content": "Hello, what do you know?"}]


@pytest.fixture
def beans(now, db) -> PersonalFact:
    return PersonalFact.objects.add("dog.name", "Beans", now=now)


def test_it_works(api: ApiClient, beans: PersonalFact) -> None:
    with scripted_llm("Your dog is Beans.") as llm:
        response = api.post("/v1/chat", json={"messages": HELLO})
    assert response.status_code == 200
    answer = response.json()
    assert answer["message"] == {"role": "assistant", "content": "Your dog is Beans."}
    assert answer["model"] == "scripted"
    assert answer["usage"] == {"input_tokens": 11, "output_tokens": 7}
    assert "Your dog's name is Beans." in llm.requests[0]["messages"][0]["content"]


def test_the_answer_has_the_documented_shape(api: ApiClient, beans: PersonalFact) -> None:
    answer = api.post("/v1/chat", json={"messages": HELLO}).json()
    assert set(answer) == {
        "message", "model", "finish_reason", "decision_id", "audit_log_id", "usage", "memory",
    }  # fmt: skip
    assert set(answer["memory"]) == {"facts", "episodes"}
    assert [set(fact) for fact in answer["memory"]["facts"]] == [{"key", "sentence", "importance"}]
    assert answer["memory"]["episodes"] == []


def test_the_answer_names_its_rows(api: ApiClient, beans: PersonalFact) -> None:
    answer = api.post("/v1/chat", json={"messages": HELLO}).json()
    chat = AuditRow.objects.get(pk=answer["audit_log_id"])
    assert (chat.event_type, chat.decision_id) == ("chat.completed", answer["decision_id"])
    receipt = AuditRow.objects.get(event_type="memory.context.served")
    assert receipt.decision_id == answer["decision_id"]
    assert receipt.payload["facts"][0]["sentence"] == answer["memory"]["facts"][0]["sentence"]


def test_model_and_max_tokens_reach_the_provider(api: ApiClient) -> None:
    with scripted_llm("Yes.") as llm:
        api.post("/v1/chat", json={"messages": HELLO, "model": "other-model", "max_tokens": 7})
    assert llm.requests[0]["model"] == "other-model"
    assert 7 in (llm.requests[0].get("max_tokens"), llm.requests[0].get("max_completion_tokens"))


def test_fields_that_are_null_are_as_if_unset(api: ApiClient) -> None:
    body: JsonValue = {"messages": HELLO, "model": None, "max_tokens": None, "memory": None}
    assert api.post("/v1/chat", json=body).status_code == 200


def test_unknown_fields_are_ignored(api: ApiClient) -> None:
    body: JsonValue = {"messages": HELLO, "temperature": 0.5, "stream": False, "memory": {"colour": "red"}}
    assert api.post("/v1/chat", json=body).status_code == 200


def test_a_clients_system_message_takes_the_place_of_ours(api: ApiClient, configure: Configure) -> None:
    configure(memory__facts__enabled=False)
    body: JsonValue = {"messages": [{"role": "system", "content": "Speak like a pirate."}, *HELLO]}
    with scripted_llm("Arr.") as llm:
        api.post("/v1/chat", json=body)
    assert llm.requests[0]["messages"][0] == {"role": "system", "content": "Speak like a pirate."}


def test_a_developer_message_is_a_system_message(api: ApiClient, configure: Configure) -> None:
    configure(memory__facts__enabled=False)
    with scripted_llm("Arr.") as llm:
        api.post("/v1/chat", json={"messages": [{"role": "developer", "content": "Pirate."}, *HELLO]})
    assert [message["role"] for message in llm.requests[0]["messages"]] == ["system", "user"]
    assert llm.requests[0]["messages"][0]["content"] == "Pirate."


def test_tool_calls_and_other_extras_reach_the_provider_and_the_record(api: ApiClient) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    messages: JsonValue = [
        {"role": "user", "content": "Weather?", "name": "sam"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "Rain."},
    ]
    with scripted_llm("It rains.") as llm:
        answer = api.post("/v1/chat", json={"messages": messages}).json()
    assert llm.requests[0]["messages"][1:] == messages
    assert AuditRow.objects.get(pk=answer["audit_log_id"]).payload["messages"] == messages


def test_an_assistants_message_may_lack_content(api: ApiClient) -> None:
    messages: JsonValue = [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": []}, *HELLO]
    assert api.post("/v1/chat", json={"messages": messages}).status_code == 200


# --- memory on and off ------------------------------------------------------------------------------------------


def last_chat() -> AuditRow:
    return AuditRow.objects.get_queryset().chats().order_by("-id")[0]


@pytest.mark.parametrize(
    ("options", "injects", "learns"),
    [
        ({}, True, True),
        ({"inject": False}, False, True),
        ({"learn": False}, True, False),
        ({"inject": False, "learn": False}, False, False),
        ({"inject": None, "learn": True}, True, True),
    ],
)
def test_memory_is_used_as_asked(
    api: ApiClient, beans: PersonalFact, options: JsonValue, injects: bool, learns: bool
) -> None:
    answer = api.post("/v1/chat", json={"messages": HELLO, "memory": options}).json()
    assert bool(answer["memory"]["facts"]) == injects
    assert last_chat().payload["learn"] == learns


@pytest.mark.parametrize("word", ["off", "OFF", " off "])
def test_the_header_off_wins(api: ApiClient, beans: PersonalFact, word: str) -> None:
    body: JsonValue = {"messages": HELLO, "memory": {"inject": True, "learn": True}}
    answer = api.post("/v1/chat", json=body, headers={"X-Memory": word}).json()
    assert answer["memory"]["facts"] == []
    assert last_chat().payload["learn"] is False


@pytest.mark.parametrize("word", ["on", "", "0", "offf"])
def test_another_word_in_the_header_is_422(api: ApiClient, word: str) -> None:
    response = api.post("/v1/chat", json={"messages": HELLO}, headers={"X-Memory": word})
    assert (response.status_code, response.json()["error"]["param"]) == (422, "X-Memory")
    assert "off" in response.json()["error"]["message"]


# --- when the model does not answer -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (httpx.ConnectError("no route"), 502, "provider_unavailable"),
        (httpx.ReadTimeout("slow"), 504, "provider_timeout"),
        (httpx.Response(500, text="boom"), 502, "provider_unavailable"),
        (
            httpx.Response(401, json={"error": {"message": "Incorrect API key sk-abcdef123"}}),
            502,
            "provider_denied_access",
        ),
        (httpx.Response(429, headers={"Retry-After": "30"}, json={}), 502, "provider_rate_limited"),
        (httpx.Response(404, json={"error": {"message": "no such model"}}), 502, "provider_not_found"),
        (httpx.Response(400, json={"error": {"message": "context too long"}}), 400, "provider_refused_request"),
        (httpx.Response(200, text="<html>"), 502, None),
    ],
)
def test_a_provider_that_fails_is_a_refusal_in_the_envelope(
    api: ApiClient, answer: httpx.Response, status: int, code: str | None
) -> None:
    with scripted_llm(answer, answer):
        response = api.post("/v1/chat", json={"messages": HELLO})
    error = response.json()["error"]
    assert response.status_code == status
    assert set(error) == {"message", "type", "param", "code"}
    assert code is None or error["code"] == code
    assert "sk-abcdef123" not in response.text


def test_a_rate_limit_says_when_to_come_back(api: ApiClient) -> None:
    with scripted_llm(httpx.Response(429, headers={"Retry-After": "30"}, json={})):
        response = api.post("/v1/chat", json={"messages": HELLO})
    assert response["Retry-After"] == "30"


def test_a_provider_that_is_not_set_up_is_503(api: ApiClient, configure: Configure) -> None:
    configure(llm__provider="anthropic")
    response = api.post("/v1/chat", json={"messages": HELLO})
    assert (response.status_code, response.json()["error"]["code"]) == (503, "provider_not_configured")
    assert "CAESAR_LLM" in response.json()["error"]["message"]


def test_a_failed_turn_leaves_one_row_and_no_receipt(api: ApiClient, beans: PersonalFact) -> None:
    before = AuditRow.objects.count()
    with scripted_llm(httpx.ReadTimeout("slow")):
        api.post("/v1/chat", json={"messages": HELLO})
    assert list(AuditRow.objects.order_by("id").values_list("event_type", flat=True)[before:]) == ["chat.failed"]


# --- odd text ---------------------------------------------------------------------------------------------------


def test_half_a_surrogate_pair_and_nul_are_mended_in_every_copy(api: ApiClient) -> None:
    broken = "weather \ud83c to\0day"
    body: JsonValue = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": broken}], "na\0me": "\ud83c"}]
    }
    with scripted_llm("Fine.") as llm:
        answer = api.post("/v1/chat", json=body).json()
    sent = llm.requests[0]["messages"][-1]
    assert sent["content"] == [{"type": "text", "text": "weather \ufffd today"}]
    assert sent["name"] == "\ufffd"
    stored = AuditRow.objects.get(pk=answer["audit_log_id"]).payload
    json.dumps(stored, ensure_ascii=False).encode()
    assert "weather \ufffd today" in json.dumps(stored, ensure_ascii=False)


def test_our_own_block_in_a_system_message_opens_no_second_one(api: ApiClient, beans: PersonalFact) -> None:
    with scripted_llm("Yes.") as llm:
        api.post("/v1/chat", json={"messages": HELLO})
    assert llm.requests[0]["messages"][0]["content"].count(wording.FACTS_HEADING) == 1

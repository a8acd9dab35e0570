"""Who calls and what for: keys, people and conversations as Anthropic's clients name them, and errands of agents."""

import json
from typing import Any

import httpx
import pytest
from django.test import Client
from pydantic import SecretStr

from caesar.conf import AnthropicSettings
from memory import events
from memory.api.capacity import SPARE_THREADS, turn_limiter
from memory.models import AuditRow
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import last
from tests.memory.api.routes.messages.messages_helpers import DOG, PATH, text, whole
from tests.memory.llm.scripted import ScriptedLLM, scripted_llm

pytestmark = pytest.mark.django_db

SESSION, OTHER = "0b62e1a4-2f7a-4a36-9d53-d1b1e42f8a10", "77e1a4b2-2f7a-4a36-9d53-d1b1e42f8a11"
ACCOUNT = "5c1e0f92-8d1b-4c3e-a1f7-3b6a9d2e4c58"
IDENTITY = text("You are Claude Code, Anthropic's official CLI for Claude.")


def agent(session: str = SESSION, account: str = ACCOUNT) -> dict[str, Any]:
    return {"user_id": f"user_{'9f' * 32}_account_{account}_session_{session}"}


def agent_json(session: str = SESSION, account: str = ACCOUNT) -> dict[str, Any]:
    return {"user_id": json.dumps({"device_id": "9f" * 32, "account_uuid": account, "session_id": session})}


def say(api: ApiClient, claude: ScriptedLLM, headers: dict[str, str] | None = None, **fields: Any) -> AuditRow:
    """The newest row after a turn."""
    claude.add(whole())
    assert api.post(PATH, json={**DOG, **fields}, headers=headers or {}).status_code == 200
    return AuditRow.objects.latest("id")


# --- keys ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [f"{PATH}/count_tokens", "/v1/memory/context", "/v1/chat/completions"])
def test_their_header_is_a_key_everywhere(api: ApiClient, path: str) -> None:
    key = api.headers["Authorization"].removeprefix("Bearer ")
    for headers in (
        {"x-api-key": key},
        {"x-api-key": key, **api.headers},
        {"x-api-key": key, "Authorization": "Basic x"},
    ):
        body = json.dumps({"messages": DOG["messages"]})
        answer = Client().post(path, body, content_type="application/json", headers=headers)
        assert answer.status_code == 200, answer.content


@pytest.mark.parametrize("headers", [{}, {"x-api-key": "caesar_wrong"}, {"Authorization": "Bearer caesar_wrong"}])
def test_without_a_good_key_the_refusal_has_their_shape(db: None, headers: dict[str, str]) -> None:
    answer = Client().post(PATH, json.dumps(DOG), content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["error"]["type"]) == (401, "authentication_error")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_two_different_keys_are_refused(api: ApiClient) -> None:
    answer = api.post(PATH, json=DOG, headers={"x-api-key": "caesar_other"})
    assert answer.status_code == 401
    assert "Two different keys" in answer.json()["error"]["message"]


# --- conversations and people -------------------------------------------------------------------------------------


@pytest.mark.parametrize("metadata", [agent(), agent_json(), agent(account=""), agent_json(account="")])
def test_the_session_of_a_coding_agent_is_the_conversation(api: ApiClient, claude: ScriptedLLM, metadata: Any) -> None:
    row = say(api, claude, metadata=metadata)
    assert (row.event_type, row.conversation_id) == ("chat.completed", SESSION)


def test_a_header_names_the_conversation_before_it(api: ApiClient, claude: ScriptedLLM) -> None:
    assert say(api, claude, {"X-Conversation-Id": "mine"}, metadata=agent()).conversation_id == "mine"
    assert say(api, claude, {"X-Claude-Code-Session-Id": OTHER}, metadata=agent()).conversation_id == OTHER


@pytest.mark.parametrize("form", [agent, agent_json])
def test_another_session_is_the_same_person_and_another_account_is_not(
    api: ApiClient, claude: ScriptedLLM, form: Any
) -> None:
    assert say(api, claude, metadata=form()).event_type == "chat.completed"
    assert say(api, claude, metadata=form(session=OTHER)).event_type == "chat.completed"
    row = say(api, claude, metadata=form(account=OTHER))
    assert (row.event_type, row.payload["reason"]) == ("chat.passed_through", "other_person")


def test_the_account_may_be_named_as_the_operators(api: ApiClient, claude: ScriptedLLM, configure: Configure) -> None:
    configure(operator__ids=(ACCOUNT.upper(),))
    assert say(api, claude, metadata=agent()).event_type == "chat.completed"
    assert say(api, claude, metadata=agent(account="")).event_type == "chat.completed"
    assert say(api, claude, metadata=agent(account=OTHER)).event_type == "chat.passed_through"


@pytest.mark.parametrize("user_id", ["anna", "{not json", '{"id": "bob"}', '["a"]', "user_1_account_2", "{" * 5000])
def test_any_other_id_is_a_persons(api: ApiClient, claude: ScriptedLLM, configure: Configure, user_id: str) -> None:
    configure(operator__ids=("somebody-else",))
    row = say(api, claude, metadata={"user_id": user_id})
    assert (row.event_type, row.conversation_id) == ("chat.passed_through", None)


# --- errands ------------------------------------------------------------------------------------------------------

ERRANDS: dict[str, dict[str, Any]] = {
    "quota": {"max_tokens": 1, "messages": [{"role": "user", "content": "quota"}]},
    "a cache that is warmed": {"max_tokens": 0},
    "topic": {
        "system": [IDENTITY, text("Analyze if this message indicates a new conversation topic. Answer in JSON.")],
        "messages": [{"role": "user", "content": "I live in Oslo, fix my build"}],
    },
    "title": {
        "system": [
            text("x-anthropic-billing-header: cc_version=2.1;"),
            IDENTITY,
            text('Generate a concise title (3-7 words) for this coding session. JSON with a "title" field.'),
        ],
    },
    "title in the message": {
        "messages": [{"role": "user", "content": "Please write a 5-10 word title for this conversation, nothing else."}]
    },
    "prefix of a command": {
        "system": [text("Your task is to process Bash commands that an AI coding agent wants to run.")],
        "messages": [{"role": "user", "content": "Command: git status"}],
    },
}


@pytest.mark.parametrize("name", ERRANDS)
def test_errands_of_coding_agents_are_passed_through(
    api: ApiClient, beans: None, claude: ScriptedLLM, name: str
) -> None:
    row = say(api, claude, **ERRANDS[name])
    assert (row.event_type, row.payload["reason"]) == ("chat.passed_through", "task_prompt")
    assert claude.requests[0] == {**DOG, **ERRANDS[name], "model": "claude-x", "stream": False}


def test_the_agents_own_prompt_is_no_errand(api: ApiClient, claude: ScriptedLLM) -> None:
    prompt = "You are an interactive agent that helps users with software engineering tasks. Be brief."
    assert say(api, claude, system=[IDENTITY, text(prompt)]).event_type == "chat.completed"


def test_a_probe_of_openais_clients_is_one_too(api: ApiClient) -> None:
    with scripted_llm("x"):
        api.post("/v1/chat/completions", json={"messages": DOG["messages"], "max_completion_tokens": 1})
    assert AuditRow.objects.get().event_type == "chat.passed_through"
    with scripted_llm("x"):
        headers = {"X-Memory-Task": "chat"}
        api.post("/v1/chat/completions", json={"messages": DOG["messages"], "max_tokens": 1}, headers=headers)
    assert last(events.ChatCompleted).completed.new_messages == [0]


# --- models and addresses -----------------------------------------------------------------------------------------

VERSION = {"anthropic-version": "2023-06-01"}


def test_models_are_listed_in_their_shape_where_they_are_asked_for_so(api: ApiClient, claude: ScriptedLLM) -> None:
    listed = httpx.Response(200, json={"data": [{"id": "claude-x"}, {"id": "claude-y"}]})
    claude.add(*[listed] * 5)
    page = api.get("/v1/models", headers=VERSION).json()
    assert [one["id"] for one in page["data"]] == ["caesar", "claude-x", "claude-y"]
    assert {one["type"] for one in page["data"]} == {"model"}
    assert (page["has_more"], page["first_id"], page["last_id"]) == (False, "caesar", "claude-y")
    page = api.get("/v1/models?limit=1&after_id=caesar", headers=VERSION).json()
    assert ([one["id"] for one in page["data"]], page["has_more"], page["last_id"]) == (["claude-x"], True, "claude-x")
    one = api.get("/v1/models/claude-y", headers=VERSION).json()
    assert (one["id"], one["display_name"], one["created_at"]) == ("claude-y", "claude-y", "1970-01-01T00:00:00Z")
    none = api.get("/v1/models/claude-z", headers=VERSION)
    assert (none.status_code, none.json()["error"]["type"]) == (404, "not_found_error")
    assert api.get("/v1/models").json()["object"] == "list"


@pytest.mark.parametrize("limit", ["0", "1001", "many", "-1"])
def test_a_page_of_no_sensible_length_is_refused(api: ApiClient, claude: ScriptedLLM, limit: str) -> None:
    claude.add(httpx.Response(200, json={"data": []}))
    answer = api.get(f"/v1/models?limit={limit}", headers=VERSION)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("get", "/v1/messages/batches", {}),
        ("post", "/v1/messages/batches", {}),
        ("get", "/v1/files", VERSION),
        ("post", "/v1/v1/messages", VERSION),
        ("post", "/v1/complete", VERSION),
        ("post", "/messages", VERSION),
    ],
)
def test_what_there_is_not_is_said_in_their_shape(db: None, method: str, path: str, headers: dict[str, str]) -> None:
    answer = getattr(Client(), method)(path, headers=headers)
    body = answer.json()
    assert (answer.status_code, body["type"], body["error"]["type"]) == (404, "error", "not_found_error")
    assert "POST /v1/messages, POST /v1/messages/count_tokens" in body["error"]["message"]
    assert answer["request-id"] == body["request_id"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"messages": []}, "messages must not be empty"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].role must be one of"),
        ({"messages": [{"role": "user", "content": None}]}, "messages[0].content must be text or a list of blocks"),
        ({"messages": [{"role": "user", "content": " "}]}, "messages[0].content is blank"),
        ({"messages": DOG["messages"], "system": 7}, "system must be text or a list of blocks"),
    ],
)
def test_what_cannot_be_taken_is_400(api: ApiClient, body: Any, words: str) -> None:
    answer = api.post(PATH, json=body)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")
    assert words in answer.json()["error"]["message"]


def test_a_provider_without_its_key_is_said_to_be_ours_to_mend(api: ApiClient) -> None:
    with scripted_llm(provider="anthropic", model="x", anthropic=AnthropicSettings(api_key=SecretStr(""))):
        answer = api.post(PATH, json=DOG)
    assert (answer.status_code, answer.json()["error"]["type"]) == (503, "api_error")


def test_too_many_turns_are_an_overload_with_a_time_to_wait(api: ApiClient, configure: Configure) -> None:
    configure(server__threads=SPARE_THREADS + 1)
    with turn_limiter.slot():
        answer = api.post(PATH, json=DOG)
    assert (answer.status_code, answer.json()["error"]["type"]) == (503, "overloaded_error")
    assert answer.headers["Retry-After"]

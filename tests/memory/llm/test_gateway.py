import json
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx
import pytest

from caesar.conf import OpenAISettings, RouteSettings
from memory import llm
from memory.events import Message
from memory.llm import LLMError, NotConfigured
from tests.memory.llm.scripted import BASE_URL, Answer, completion, llm_settings, local_server, scripted_llm

HELLO = [Message(role="user", content="Hello")]


def status(code: int, *, retry_after: str | None = None) -> httpx.Response:
    headers = {"Retry-After": retry_after} if retry_after else {}
    return httpx.Response(code, headers=headers, json={"error": {"message": "No"}})


def test_it_works() -> None:
    with scripted_llm("Hello to you.") as model:
        answer = llm.complete(HELLO, task="chat", max_tokens=5)
    assert answer == llm.Completion("Hello to you.", "scripted", "openai", "stop", 11, 7)
    assert model.requests[0]["max_tokens"] == 5
    assert model.pauses == []


def test_a_server_on_this_machine_is_asked_over_the_real_wire() -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        body = json.dumps(completion(f"You asked {request.path}.")).encode()
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    with local_server(answer) as url:
        openai = OpenAISettings(base_url=f"{url}/v1")
        with llm_settings(provider="openai", model="m", openai=openai):
            assert llm.complete(HELLO, task="chat").text == "You asked /v1/chat/completions."


def test_the_longest_answer_is_a_setting() -> None:
    with scripted_llm("ok", max_tokens=123) as model:
        llm.complete(HELLO, task="chat")
    assert model.requests[0]["max_tokens"] == 123


# --- asking twice -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "pause_seconds"),
    [
        (httpx.ConnectError("refused"), 0.5),
        (httpx.ConnectTimeout("slow"), 0.5),
        (status(502), 0.5),
        (status(503), 0.5),
        (status(503, retry_after="2"), 2),
        (status(504), 0.5),
        (status(429, retry_after="5"), 5),
        (status(429, retry_after="0"), 0),
        (httpx.Response(200, json={"error": {"message": "upstream", "code": 502}}), 0.5),
    ],
)
def test_a_passing_failure_is_asked_again_once(failure: Answer, pause_seconds: float) -> None:
    with scripted_llm(failure, "There.") as model:
        assert llm.complete(HELLO, task="chat").text == "There."
    assert model.pauses == [pause_seconds]
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ReadTimeout("slow"),
        httpx.WriteTimeout("slow"),
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("disconnected"),
        status(429),
        status(429, retry_after="6"),
        status(503, retry_after="60"),
        status(500),
        status(401),
        status(404),
        status(400),
        httpx.Response(200, text="no JSON"),
        httpx.Response(200, json=completion("")),
    ],
)
def test_what_may_have_been_paid_for_or_will_not_pass_is_not_asked_again(failure: Answer) -> None:
    with scripted_llm(failure) as model, pytest.raises(LLMError):
        llm.complete(HELLO, task="chat")
    assert model.pauses == []
    assert len(model.requests) == 1


def test_two_failures_are_enough() -> None:
    with scripted_llm(status(503), status(502)) as model, pytest.raises(llm.ServerFault, match="answered 502"):
        llm.complete(HELLO, task="memory_extract")
    assert len(model.requests) == 2


# --- routing ----------------------------------------------------------------------------------------------------


def test_a_task_has_its_own_model_address_and_key() -> None:
    route = RouteSettings(model="small", base_url="http://other.test/v1", api_key="own-key")
    shared = OpenAISettings(base_url=BASE_URL, api_key="shared-key")
    with scripted_llm("a", "b", task_routing={"memory_extract": route}, openai=shared) as model:
        llm.complete(HELLO, task="memory_extract")
        llm.complete(HELLO, task="chat")
    assert [request["model"] for request in model.requests] == ["small", "scripted"]
    assert [request.url.host for request in model.sent] == ["other.test", "llm.test"]
    assert [request.headers["Authorization"] for request in model.sent] == ["Bearer own-key", "Bearer shared-key"]


def test_a_key_is_not_sent_to_another_address_than_it_was_set_for() -> None:
    routes = {
        "memory_extract": RouteSettings(base_url="http://other.test/v1"),
        "memory_summarise": RouteSettings(base_url="http://llm.test/v2"),
    }
    shared = OpenAISettings(base_url=BASE_URL, api_key="shared-key")
    with scripted_llm("a", "b", task_routing=routes, openai=shared) as model:
        llm.complete(HELLO, task="memory_extract")
        llm.complete(HELLO, task="memory_summarise")
    assert ["Authorization" in request.headers for request in model.sent] == [False, True]


def test_a_task_may_be_done_offline() -> None:
    with scripted_llm(task_routing={"chat": RouteSettings(provider="offline")}) as model:
        assert llm.complete(HELLO, task="chat").provider == "offline"
    assert model.requests == []


def test_the_client_chooses_the_model_of_a_chat_and_of_nothing_else() -> None:
    with scripted_llm("a", "b", task_routing={"chat": RouteSettings(model="routed")}) as model:
        llm.complete(HELLO, task="chat", model="wanted")
        llm.complete(HELLO, task="memory_extract", model="wanted")
    assert [request["model"] for request in model.requests] == ["wanted", "scripted"]


def test_offline_has_no_models_to_choose_from() -> None:
    with llm_settings(provider="offline"):
        assert llm.complete(HELLO, task="chat", model="gpt-x").model == "offline"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"provider": "openai"}, "Set CAESAR_LLM__MODEL."),
        ({"provider": "openai", "model": "gpt-x"}, "Set CAESAR_LLM__OPENAI__API_KEY"),
        ({"task_routing": {"chat": RouteSettings(provider="openai")}}, "Set CAESAR_LLM__TASK_ROUTING__CHAT__MODEL."),
        (
            {
                "provider": "ollama",
                "model": "llama",
                "task_routing": {"chat": RouteSettings(provider="openai", base_url=BASE_URL)},
            },
            "Set CAESAR_LLM__TASK_ROUTING__CHAT__MODEL.",
        ),
        (
            {
                "provider": "openai",
                "model": "gpt-x",
                "openai": OpenAISettings(base_url=BASE_URL, api_key="k"),
                "task_routing": {"chat": RouteSettings(base_url="https://api.openai.com/v1")},
            },
            "Set CAESAR_LLM__TASK_ROUTING__CHAT__API_KEY",
        ),
        ({"provider": "anthropic"}, "no anthropic provider; set CAESAR_LLM__PROVIDER=openai or offline"),
        ({"provider": "ollama"}, "CAESAR_LLM__OPENAI__BASE_URL=http://<ollama host>:11434/v1"),
    ],
)
def test_what_is_missing_is_named_before_anybody_is_asked(fields: dict[str, Any], words: str) -> None:
    with llm_settings(**fields), pytest.raises(NotConfigured) as raised:
        llm.complete(HELLO, task="chat")
    assert words in str(raised.value)
    assert not raised.value.permanent


# --- descriptions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "offline (no language model)"),
        (
            {"provider": "openai", "model": "gpt-x", "openai": OpenAISettings(api_key="sk-secret")},
            "openai gpt-x at api.openai.com",
        ),
        (
            {"provider": "openai", "model": "m", "openai": OpenAISettings(base_url="http://127.0.0.1:11434/v1")},
            "openai m at 127.0.0.1:11434",
        ),
    ],
)
def test_where_a_task_goes_is_said_without_the_key(fields: dict[str, Any], text: str) -> None:
    with llm_settings(**fields):
        assert llm.describe("chat") == text


def test_what_is_missing_is_described_and_not_raised() -> None:
    with llm_settings(provider="openai"):
        assert llm.describe("chat").startswith("not ready: The provider openai was chosen, but no model is set.")


# --- the fake itself --------------------------------------------------------------------------------------------


def test_the_scripted_model_says_when_it_has_no_more_answers() -> None:
    with scripted_llm() as model, pytest.raises(AssertionError, match="once more than it has answers"):
        llm.complete(HELLO, task="chat")
    model.add("later")


def test_the_scripted_model_answers_from_the_request() -> None:
    with scripted_llm(lambda request: f"You said {request['messages'][0]['content']}."):
        assert llm.complete(HELLO, task="chat").text == "You said Hello."

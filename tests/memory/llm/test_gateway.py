import json
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx
import pytest

from caesar.conf import AnthropicSettings, OllamaSettings, OpenAISettings, RouteSettings
from memory import llm
from memory.events import Message
from memory.llm import AccessDenied, LLMError, NotConfigured, ServerFault, Task, TooSlow, Unreachable
from tests.memory.llm.scripted import BASE_URL, Answer, completion, llm_settings, scripted_llm
from tests.memory.llm.servers.local_server import local_server
from tests.memory.llm.servers.model_server import Refusal, model_server

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
        (status(529), 0.5),
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
        ({"provider": "anthropic", "model": "m"}, "Set CAESAR_LLM__ANTHROPIC__API_KEY"),
        ({"provider": "anthropic", "anthropic": AnthropicSettings(api_key="k")}, "Set CAESAR_LLM__MODEL."),
        ({"provider": "ollama"}, "Set CAESAR_LLM__MODEL."),
        (
            {"provider": "ollama", "model": "m", "ollama": OllamaSettings(base_url="http://box:11434/v1")},
            "CAESAR_LLM__OLLAMA__BASE_URL must end before /v1 or /api.",
        ),
        (
            {
                "provider": "anthropic",
                "model": "m",
                "task_routing": {"chat": RouteSettings(base_url="http://proxy.test/v1")},
            },
            "CAESAR_LLM__TASK_ROUTING__CHAT__BASE_URL must end before /v1.",
        ),
    ],
)
def test_what_is_missing_is_named_before_anybody_is_asked(fields: dict[str, Any], words: str) -> None:
    with llm_settings(**fields), pytest.raises(NotConfigured) as raised:
        llm.complete(HELLO, task="chat")
    assert words in str(raised.value)
    assert not raised.value.permanent


def test_each_task_may_go_to_a_provider_of_its_own() -> None:
    """The three wire formats, each to its own address with its own key."""
    claude = {"content": [{"type": "text", "text": "a"}], "stop_reason": "end_turn"}
    llama = {"message": {"content": "b"}, "done": True, "done_reason": "stop"}
    with model_server(claude, llama, completion("c")) as server:
        routes: dict[Task, RouteSettings] = {
            "chat": RouteSettings(provider="anthropic", model="claude", base_url=server.url, api_key="key-of-claude"),
            "memory_extract": RouteSettings(provider="ollama", model="llama"),
            "memory_summarise": RouteSettings(provider="openai", model="gpt"),
        }
        shared = OpenAISettings(base_url=f"{server.url}/v1", api_key="key-of-gpt")
        with llm_settings(task_routing=routes, openai=shared, ollama=OllamaSettings(base_url=server.url)):
            answers = [llm.complete(HELLO, task=task) for task in routes]
    assert [(answer.provider, answer.model, answer.text) for answer in answers] == [
        ("anthropic", "claude", "a"),
        ("ollama", "llama", "b"),
        ("openai", "scripted", "c"),
    ]
    assert [asked.path for asked in server.asked] == ["/v1/messages", "/api/chat", "/v1/chat/completions"]
    keys = [(asked.headers.get("x-api-key"), asked.headers.get("authorization")) for asked in server.asked]
    assert keys == [("key-of-claude", None), (None, None), (None, "Bearer key-of-gpt")]


def test_anthropics_key_is_not_sent_to_another_address() -> None:
    claude = {"content": [{"type": "text", "text": "a"}], "stop_reason": "end_turn"}
    with model_server(claude) as server:
        route = RouteSettings(base_url=server.url)
        anthropic = AnthropicSettings(api_key="key-of-claude")
        with llm_settings(provider="anthropic", model="m", anthropic=anthropic, task_routing={"chat": route}):
            llm.complete(HELLO, task="chat")
    assert "x-api-key" not in server.asked[0].headers


def test_a_stranger_to_all_of_it_is_asked_at_anthropics_own_address() -> None:
    with llm_settings(provider="anthropic", model="m", anthropic=AnthropicSettings(api_key="key-of-claude")):
        route = llm.route_for("memory_extract")
        assert (route.base_url, route.api_key) == ("https://api.anthropic.com", "key-of-claude")
        assert llm.describe("memory_extract") == "anthropic m at api.anthropic.com"


# --- the models to choose from ------------------------------------------------------------------------------------


def test_models_are_listed_for_a_task_without_one() -> None:
    with model_server({"data": [{"id": "gpt-b"}, {"id": "gpt-a"}]}, {"models": [{"name": "llama"}]}) as server:
        shared = OpenAISettings(base_url=f"{server.url}/v1", api_key="key-of-gpt")
        route = RouteSettings(provider="ollama", base_url=server.url)
        with llm_settings(provider="openai", openai=shared, task_routing={"memory_extract": route}):
            assert llm.list_models("chat") == ["gpt-a", "gpt-b"]
            assert llm.list_models("memory_extract") == ["llama"]
    assert [(asked.method, asked.path) for asked in server.asked] == [("GET", "/v1/models"), ("GET", "/api/tags")]
    assert server.asked[0].headers["authorization"] == "Bearer key-of-gpt"


def test_offline_has_no_models() -> None:
    with llm_settings(provider="offline"):
        assert llm.list_models("chat") == []


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Refusal(401, {"error": {"message": "Incorrect API key"}}), AccessDenied, "Check the API key"),
        (Refusal(503, "down"), ServerFault, "answered 503"),
        ({"object": "list"}, ServerFault, "no list of models"),
    ],
)
def test_a_list_that_fails_is_asked_for_once_and_says_why(answer: Any, kind: type[LLMError], words: str) -> None:
    with model_server(answer) as server:
        shared = OpenAISettings(base_url=f"{server.url}/v1")
        with llm_settings(provider="openai", openai=shared), pytest.raises(kind, match=words):
            llm.list_models("chat")
    assert len(server.asked) == 1


def test_a_list_is_not_waited_for_long() -> None:
    with scripted_llm(timeout_seconds=60) as model:
        model.answers.append(httpx.ReadTimeout("slow"))
        with pytest.raises(TooSlow, match="no list of its models within 5 seconds. Try again later, or type"):
            llm.list_models("chat")
    assert model.sent[0].extensions["timeout"]["read"] == 5


def test_a_server_that_is_not_there_has_no_list() -> None:
    with model_server() as server:
        pass
    shared = OllamaSettings(base_url=server.url)
    with llm_settings(provider="ollama", ollama=shared), pytest.raises(Unreachable, match="Check that it runs"):
        llm.list_models("chat")


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

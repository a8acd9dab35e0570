"""OpenAI's own Python package against a real server, with each kind of provider behind it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openai
import pytest

from tests.clients.standins.providers import provider
from tests.clients.standins.upstream import ENDLESS, TOOL_CALL, Upstream, upstream
from tests.servers import Installation, eventually, running

pytestmark = pytest.mark.real_processes

MONDAY = "by the way, my dog's name is Beans"
THURSDAY = "What should I get for my dog?"


@contextmanager
def client_of(server: Installation, **options: Any) -> Iterator[openai.OpenAI]:
    """The package with nothing but the address and the key."""
    key = str(server.api.headers["Authorization"]).removeprefix("Bearer ")
    with openai.OpenAI(base_url=f"{server.url}v1", api_key=key, **options) as client:
        yield client


def say(client: openai.OpenAI, text: str, **options: Any) -> Any:
    return client.chat.completions.create(model="caesar", messages=[{"role": "user", "content": text}], **options)


def streamed(client: openai.OpenAI, text: str, **options: Any) -> str:
    chunks = list(say(client, text, stream=True, **options))
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def is_known(server: Installation) -> bool:
    return any(fact["value"] == "Beans" for fact in server.api.get("/v1/memory/facts").json()["data"])


@pytest.mark.parametrize("name", ["anthropic", "ollama"])
def test_monday_and_thursday(name: str, tmp_path: Path) -> None:
    with upstream() as model, running(tmp_path, **provider(name, model.url)) as server, client_of(server) as client:
        answer = say(client, MONDAY)
        assert (answer.choices[0].message.content, answer.choices[0].finish_reason) == ("I know: nothing.", "stop")
        assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (20, 4)
        eventually(lambda: is_known(server))
        assert streamed(client, THURSDAY) == "I know: Your dog's name is Beans.."


@pytest.fixture(scope="module")
def model() -> Iterator[Upstream]:
    """An OpenAI-compatible server."""
    with upstream() as running_model:
        yield running_model


@pytest.fixture(scope="module")
def server(model: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation with that server behind it."""
    with running(tmp_path_factory.mktemp("server"), **provider("openai", model.url)) as installation:
        yield installation


def test_openai_monday_and_thursday(server: Installation, model: Upstream) -> None:
    with client_of(server) as client:
        assert say(client, MONDAY).choices[0].message.content == "I know: nothing."
        eventually(lambda: is_known(server))
        assert say(client, THURSDAY).choices[0].message.content == "I know: Your dog's name is Beans.."
        assert streamed(client, f"{THURSDAY} And why?") == "I know: Your dog's name is Beans.."


def test_usage_in_a_stream(server: Installation, model: Upstream) -> None:
    with client_of(server) as client:
        chunks = list(say(client, "count the words", stream=True, stream_options={"include_usage": True}))
    assert chunks[-1].usage.total_tokens == 24
    assert chunks[-2].choices[0].finish_reason == "stop"


@pytest.mark.parametrize("stream", [False, True])
def test_tools_there_and_back(server: Installation, model: Upstream, stream: bool) -> None:
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
    asked = {"role": "user", "content": f"look at the thermostat, please ({stream})"}
    with client_of(server) as client:
        create: Any = client.chat.completions.create
        if stream:
            with client.chat.completions.stream(model="caesar", messages=[asked], tools=tools) as events:  # type: ignore[list-item, arg-type]
                message: Any = events.get_final_completion().choices[0].message
        else:
            message = create(model="caesar", messages=[asked], tools=tools).choices[0].message
        call = message.tool_calls[0]
        assert (call.id, call.function.name) == (TOOL_CALL["id"], "look")
        assert call.function.arguments == '{"at": "the thermostat"}'
        called = {"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]}
        result = {"role": "tool", "tool_call_id": call.id, "content": "21 degrees"}
        answer = create(model="caesar", messages=[asked, called, result], tools=tools)
    assert answer.choices[0].finish_reason == "stop"
    assert model.requests[-1]["messages"][-3:] == [asked, called, result]
    assert model.requests[-1]["tools"] == tools


def test_a_refusal_is_repeated_by_the_package_and_then_raised(server: Installation, model: Upstream) -> None:
    with client_of(server, max_retries=1) as client:
        model.refusals += [(429, {"Retry-After": "20", "retry-after-ms": "1"})] * 2
        with pytest.raises(openai.RateLimitError, match="Rate limit reached"):
            say(client.with_options(max_retries=0), "are you there?")
        model.refusals.clear()
        model.refusals += [(401, {})]
        with pytest.raises(openai.AuthenticationError, match="answered 401"):
            say(client, "are you there now?")
        assert not model.refusals


def test_errors_of_ours_have_the_packages_classes(server: Installation) -> None:
    with client_of(server, max_retries=0) as client:
        with pytest.raises(openai.UnprocessableEntityError) as refused:
            client.chat.completions.create(model="caesar", messages=[])
        assert refused.value.param == "messages"
        with pytest.raises(openai.NotFoundError):
            client.models.retrieve("nothing")
        assert [model.id for model in client.models.list()] == ["caesar", "large"]
    with (
        openai.OpenAI(base_url=f"{server.url}v1", api_key="caesar_wrong", max_retries=0) as stranger,
        pytest.raises(openai.AuthenticationError),
    ):
        say(stranger, "hello")


@pytest.mark.parametrize("shape", ["completions", "responses"])
def test_a_client_that_hangs_up_in_mid_stream_is_cut_off(server: Installation, model: Upstream, shape: str) -> None:
    model.was_hung_up.clear()
    with client_of(server) as client:
        if shape == "completions":
            answer = say(client, ENDLESS, stream=True)
            next(iter(answer))
        else:
            answer = client.responses.create(model="caesar", input=ENDLESS, stream=True, metadata={"chat_id": shape})
            next(event for event in answer if event.type == "response.output_text.delta")
        answer.close()

    def recorded() -> list[dict[str, Any]]:
        asked = {"type": "chat.completed", "q": "endless"}
        rows = server.api.get("/v1/audit", params=asked).json()["data"]
        return [row["payload"] for row in rows if (row["conversation_id"] == shape) == (shape == "responses")]

    (payload,) = eventually(recorded)
    assert payload["cut_off"]
    assert payload["reply"].startswith("on and on")
    assert model.was_hung_up.wait(60)

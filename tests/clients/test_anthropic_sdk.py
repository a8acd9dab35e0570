"""Anthropic's own Python package against a real server, beyond what every pair of client and provider is tried with."""

from collections.abc import Callable
from typing import Any

import anthropic
import pytest

from memory.models import AuditRow
from tests.clients.shapes import Refused, anthropic_client
from tests.clients.standins.messages_api import THOUGHT
from tests.clients.standins.providers import Behind
from tests.clients.standins.upstream import ENDLESS, OVERLOADS, TOKENS
from tests.servers import eventually

pytestmark = pytest.mark.django_db(transaction=True)

TOOLS: Any = [{"name": "look", "input_schema": {"type": "object"}}]
NATIVE_AND_TRANSLATED = pytest.mark.parametrize("provider", ["anthropic", "openai"])


@pytest.fixture
def native(behind: Callable[[str], Behind]) -> Behind:
    """A server with Anthropic's behind it."""
    return behind("anthropic")


def say(client: anthropic.Anthropic, *messages: Any, **options: Any) -> Any:
    return client.messages.create(
        model="caesar",
        max_tokens=1024,
        messages=[{"role": "user", "content": one} if isinstance(one, str) else one for one in messages],
        **options,
    )


@pytest.mark.parametrize("stream", [False, True])
def test_thinking_comes_with_its_signature_and_goes_back_unchanged(native: Behind, stream: bool) -> None:
    thinking: Any = {"type": "enabled", "budget_tokens": 1000}
    asked: Any = {"role": "user", "content": f"Think about the thermostat, please ({stream})."}
    with anthropic_client(native) as client:
        if stream:
            with client.messages.stream(
                model="caesar", max_tokens=1024, messages=[asked], tools=TOOLS, thinking=thinking
            ) as events:
                answer: Any = events.get_final_message()
        else:
            answer = say(client, asked, tools=TOOLS, thinking=thinking)
        thought, use = answer.content
        assert (thought.thinking, thought.signature) == (THOUGHT["thinking"], THOUGHT["signature"])
        result = {"type": "tool_result", "tool_use_id": use.id, "content": "21 degrees"}
        said = [{"role": "assistant", "content": answer.content}, {"role": "user", "content": [result]}]
        final = say(client, asked, *said, tools=TOOLS, thinking=thinking)
    assert (final.stop_reason, final.model, final.usage.output_tokens) == ("end_turn", "claude-large", 4)
    sent = native.model.requests[-1]["messages"][1]["content"][0]
    assert {name: sent[name] for name in THOUGHT} == THOUGHT


def test_headers_of_the_beta_part_of_the_package_go_out(native: Behind) -> None:
    with anthropic_client(native) as client:
        client.beta.messages.create(
            model="caesar",
            max_tokens=9,
            messages=[{"role": "user", "content": "beta?"}],
            betas=["some-beta-2026-01-01"],
        )
        version = client.default_headers["anthropic-version"]
    headers = {name.lower(): value for name, value in native.model.headers[-1].items()}
    assert (headers["anthropic-beta"], headers["anthropic-version"]) == ("some-beta-2026-01-01", version)


@NATIVE_AND_TRANSLATED
def test_a_refusal_of_the_provider_has_its_class(behind: Callable[[str], Behind], provider: str) -> None:
    there = behind(provider)
    with anthropic_client(there) as client:
        there.model.refusals.append((429, {"Retry-After": "20"}))
        with pytest.raises(anthropic.RateLimitError, match="Rate limit reached") as limited:
            say(client, "are you there?")
        there.model.refusals.append((401, {}))
        with pytest.raises(anthropic.AuthenticationError, match="answered 401"):
            say(client, "are you there now?")
    assert limited.value.response.headers["Retry-After"] == "20"
    assert limited.value.request_id


def test_an_error_in_mid_stream_is_raised(native: Behind) -> None:
    with anthropic_client(native) as client, pytest.raises(anthropic.APIStatusError, match="Overloaded") as broken:
        list(say(client, OVERLOADS, stream=True))
    body: Any = broken.value.body
    assert body["error"]["type"] == "overloaded_error"


@NATIVE_AND_TRANSLATED
def test_a_client_that_hangs_up_is_cut_off(behind: Callable[[str], Behind], provider: str) -> None:
    there = behind(provider)
    there.model.was_hung_up.clear()
    with anthropic_client(there) as client:
        answer = say(client, ENDLESS, stream=True)
        heard = iter(answer)
        while "on and on" not in str(next(heard)):
            pass
        answer.close()

    def recorded() -> list[Any]:
        return [row.completed for row in AuditRow.objects.get_queryset().chats()]

    (chat,) = eventually(recorded)
    assert chat.cut_off
    assert chat.reply.startswith("on and on")
    assert there.model.was_hung_up.wait(60)


@pytest.mark.parametrize("provider", ["anthropic", "openai", "ollama", "offline"])
def test_models_and_tokens(behind: Callable[[str], Behind], provider: str) -> None:
    with anthropic_client(behind(provider)) as client:
        names = [model.id for model in client.models.list(limit=1)]
        assert names == (["caesar"] if provider == "offline" else ["caesar", "large"])
        assert client.models.retrieve("caesar").type == "model"
        counted = client.messages.count_tokens(model="caesar", messages=[{"role": "user", "content": "hello there"}])
    assert counted.input_tokens == TOKENS if provider == "anthropic" else counted.input_tokens > 4


def test_errors_of_ours_have_the_packages_classes(native: Behind) -> None:
    with anthropic_client(native) as client:
        with pytest.raises(anthropic.NotFoundError, match="count_tokens"):
            client.messages.batches.list()
        with pytest.raises(anthropic.NotFoundError):
            client.models.retrieve("nothing")
    with pytest.raises(Refused, match="is blank"), anthropic_client(native) as client:
        say(client, " ")
    with (
        anthropic.Anthropic(base_url=native.url, api_key="caesar_wrong") as stranger,
        pytest.raises(anthropic.AuthenticationError),
    ):
        say(stranger, "hello")


def test_the_token_of_a_coding_agent_is_a_key(native: Behind) -> None:
    with anthropic.Anthropic(base_url=native.url, api_key=None, auth_token=native.key) as agent:
        assert say(agent, "good morning").stop_reason == "end_turn"

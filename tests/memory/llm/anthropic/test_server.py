"""The provider `anthropic`: what it needs, and the models it lists."""

import pytest

from memory.llm import (
    NotConfigured,
)
from memory.llm.anthropic import Anthropic
from memory.llm.types import Request
from tests.memory.llm.anthropic.completing import HELLO, KEY, TEXT, answering, route
from tests.memory.llm.servers.model_server import model_server

# --- what it needs ----------------------------------------------------------------------------------------------


def test_only_anthropic_itself_needs_a_key() -> None:
    Anthropic().check(route())
    Anthropic().check(route(base_url="http://127.0.0.1:4000", api_key=None))
    with pytest.raises(NotConfigured, match="Set CAESAR_LLM__ANTHROPIC__API_KEY"):
        Anthropic().check(route(api_key=None))


def test_a_model_is_needed() -> None:
    with pytest.raises(NotConfigured, match="Set CAESAR_LLM__MODEL"):
        Anthropic().check(route(model=""))


@pytest.mark.parametrize("path", ["/v1", "/v1/messages", "/anthropic/v1"])
def test_an_address_that_says_too_much_is_refused_with_the_cure(path: str) -> None:
    with pytest.raises(NotConfigured, match="BASE_URL must end before /v1"):
        Anthropic().check(route(base_url=f"https://llm.test{path}"))


def test_without_a_key_none_is_sent() -> None:
    with model_server(answering(TEXT)) as server:
        bare = route(base_url=server.url, api_key=None)
        Anthropic().complete(Request(messages=HELLO, task="chat", route=bare, max_tokens=7))
    assert "x-api-key" not in server.asked[0].headers


# --- the models -------------------------------------------------------------------------------------------------


def test_the_models_are_listed_by_name() -> None:
    listed = {"data": [{"type": "model", "id": "claude-b"}, {"id": "claude-a"}, {"id": "claude-a"}], "has_more": False}
    with model_server(listed) as server:
        assert Anthropic().models(route(base_url=server.url, model="")) == ["claude-a", "claude-b"]
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("GET", "/v1/models?limit=1000")
    assert (asked.headers["x-api-key"], asked.headers["anthropic-version"]) == (KEY, "2023-06-01")


def test_models_need_the_key_too() -> None:
    with pytest.raises(NotConfigured, match="no API key"):
        Anthropic().models(route(api_key=None))

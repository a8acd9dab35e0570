"""Where tasks go, for pages: what is ready, what is missing, what a server offers; never a key."""

from typing import Any

import pytest

from caesar.conf import OllamaSettings, OpenAISettings, RouteSettings
from memory import model_servers
from tests.conftest import Configure
from tests.memory.llm.servers.model_server import Refusal, model_server

KEY = "sk-very-secret-0123456789abcdef"


def destination(task: str) -> model_servers.Destination:
    return next(each for each in model_servers.destinations() if each.task == task)


def test_it_works(configure: Configure) -> None:
    with model_server({"data": [{"id": "gpt-b"}, {"id": "gpt-a\n"}]}) as server:
        configure(llm__provider="openai", llm__model="gpt-a", llm__openai__base_url=f"{server.url}/v1")
        there = destination("chat")
        assert (there.provider, there.model, there.problem, there.is_on) == ("openai", "gpt-a", "", True)
        assert there.host in server.url
        assert (there.model_setting, there.own_setting) == (
            "CAESAR_LLM__MODEL",
            "CAESAR_LLM__TASK_ROUTING__CHAT__MODEL",
        )
        assert model_servers.offered("chat") == model_servers.Offer(["gpt-a", "gpt-b"])
        assert len(server.asked) == 1, "and nobody is asked for the rest"


def test_every_task_has_a_place(configure: Configure) -> None:
    assert [each.task for each in model_servers.destinations()] == ["chat", "memory_extract", "memory_summarise"]
    assert all(each.is_offline and not each.problem for each in model_servers.destinations())


def test_what_is_missing_is_said_with_the_cure(configure: Configure) -> None:
    configure(llm__provider="openai", llm__model=None)
    assert "Set CAESAR_LLM__MODEL" in destination("chat").problem
    assert not destination("chat").is_offline


def test_a_task_of_its_own_names_its_own_setting(configure: Configure) -> None:
    route = RouteSettings(provider="ollama", base_url="http://127.0.0.1:1")
    configure(llm__provider="openai", llm__model="gpt-a", llm__task_routing={"memory_extract": route})
    there = destination("memory_extract")
    assert (there.provider, there.host) == ("ollama", "127.0.0.1:1")
    assert there.model_setting == there.own_setting == "CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT__MODEL"


def test_a_worker_that_is_off_is_off(configure: Configure) -> None:
    configure(memory__facts_extract__enabled=False)
    assert [each.is_on for each in model_servers.destinations()][:2] == [True, False]


@pytest.mark.parametrize(
    "answer", [Refusal(401, {"error": {"message": f"Incorrect API key: {KEY}"}}), KEY, {"data": KEY}]
)
def test_a_list_that_cannot_be_had_is_a_problem_without_the_key(configure: Configure, answer: Any) -> None:
    with model_server(answer) as server:
        configure(llm__provider="openai", llm__openai=OpenAISettings(base_url=f"{server.url}/v1", api_key=KEY))
        offer = model_servers.offered("chat")
    assert offer.problem
    assert not offer.names
    assert KEY not in repr(offer)
    assert KEY not in repr(model_servers.destinations())


def test_a_server_with_very_many_models_is_cut_short(configure: Configure) -> None:
    names = [{"name": f"m{number:04}" + "x" * 300} for number in range(model_servers.MOST_NAMES + 7)]
    with model_server({"models": names}) as server:
        configure(llm__provider="ollama", llm__ollama=OllamaSettings(base_url=server.url))
        offer = model_servers.offered("chat")
    assert (len(offer.names), offer.left_out) == (model_servers.MOST_NAMES, 7)
    assert all(len(name) <= 200 for name in offer.names)


def test_the_embedder_is_told_too(configure: Configure) -> None:
    assert not model_servers.embedder().is_on
    assert "CAESAR_SEMANTIC__ENABLED" in model_servers.embedder().problem
    configure(semantic__enabled=True, semantic__provider="embedded")
    assert (model_servers.embedder().host, model_servers.embedder().problem) == ("", "")
    assert model_servers.embedder().threshold.base == 0.25
    configure(semantic__provider="voyage", semantic__api_key=None)
    assert "it has no API key" in model_servers.embedder().problem
    configure(semantic__provider="openai", semantic__base_url="http://127.0.0.1:9/v1", semantic__api_key=KEY)
    there = model_servers.embedder()
    assert (there.model, there.host, there.problem) == ("openai:text-embedding-3-small", "127.0.0.1:9", "")
    assert KEY not in repr(there)

"""Where tasks go, for pages: what is ready, what is missing, what a server offers; never a key."""

from typing import Any

import pytest

from caesar.conf import OllamaSettings, OpenAISettings, RouteSettings
from memory import providers
from tests.conftest import Configure
from tests.memory.llm.model_server import Refusal, model_server

KEY = "sk-very-secret-0123456789abcdef"


def destination(task: str) -> providers.Destination:
    return next(each for each in providers.destinations() if each.task == task)


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
        assert providers.offered("chat") == providers.Offer(["gpt-a", "gpt-b"])
        assert len(server.asked) == 1, "and nobody is asked for the rest"


def test_every_task_has_a_place(configure: Configure) -> None:
    assert [each.task for each in providers.destinations()] == ["chat", "memory_extract", "memory_summarise"]
    assert all(each.is_offline and not each.problem for each in providers.destinations())


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
    assert [each.is_on for each in providers.destinations()][:2] == [True, False]


@pytest.mark.parametrize(
    "answer", [Refusal(401, {"error": {"message": f"Incorrect API key: {KEY}"}}), KEY, {"data": KEY}]
)
def test_a_list_that_cannot_be_had_is_a_problem_without_the_key(configure: Configure, answer: Any) -> None:
    with model_server(answer) as server:
        configure(llm__provider="openai", llm__openai=OpenAISettings(base_url=f"{server.url}/v1", api_key=KEY))
        offer = providers.offered("chat")
    assert offer.problem
    assert not offer.names
    assert KEY not in repr(offer)
    assert KEY not in repr(providers.destinations())


def test_a_server_with_very_many_models_is_cut_short(configure: Configure) -> None:
    names = [{"name": f"m{number:04}" + "x" * 300} for number in range(providers.MOST_NAMES + 7)]
    with model_server({"models": names}) as server:
        configure(llm__provider="ollama", llm__ollama=OllamaSettings(base_url=server.url))
        offer = providers.offered("chat")
    assert (len(offer.names), offer.left_out) == (providers.MOST_NAMES, 7)
    assert all(len(name) <= 200 for name in offer.names)


def test_the_embedder_is_told_too(configure: Configure) -> None:
    assert not providers.embedder().is_on
    assert "CAESAR_SEMANTIC__ENABLED" in providers.embedder().problem
    configure(semantic__enabled=True, semantic__provider="embedded")
    assert (providers.embedder().host, providers.embedder().problem) == ("", "")
    assert providers.embedder().threshold == 0.25
    configure(semantic__provider="voyage", semantic__api_key=None)
    assert "it has no API key" in providers.embedder().problem
    configure(semantic__provider="openai", semantic__base_url="http://127.0.0.1:9/v1", semantic__api_key=KEY)
    there = providers.embedder()
    assert (there.model, there.host, there.problem) == ("openai:text-embedding-3-small", "127.0.0.1:9", "")
    assert KEY not in repr(there)

"""/dashboard/models: where tasks go, what is missing, and what a server offers when it is asked."""

from typing import Any

import pytest
from django.test import Client

from caesar.conf import OpenAISettings, RouteSettings
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, htmx_headers, visible_text
from tests.memory.llm.servers.model_server import Refusal, model_server

pytestmark = pytest.mark.django_db

MODELS = "/dashboard/models"
HTMX = htmx_headers(MODELS)
KEY = "sk-very-secret-0123456789abcdef"


@pytest.fixture
def connected(configure: Configure) -> Any:
    """Puts `openai` at this address in place, with a key."""

    def connect(url: str, **more: object) -> None:
        configure(llm__provider="openai", llm__openai=OpenAISettings(base_url=f"{url}/v1", api_key=KEY), **more)

    return connect


def test_it_works(operator: Client, connected: Any) -> None:
    with model_server({"data": [{"id": "gpt-a"}, {"id": "<b>gpt-b</b>"}]}) as server:
        connected(server.url, llm__model="gpt-a")
        first = get_page(operator, MODELS)
        assert not server.asked, "the page asks nobody"
        asking = find_elements(first, "a", class_="button")[0]
        assert asking["href"].partition("#")[0] == asking["hx-get"] == f"{MODELS}?ask=chat"
        listed = get_page(operator, asking["hx-get"])
        assert len(server.asked) == 1
    text = visible_text(listed)
    assert "Every task Configured openai gpt-a at 127.0.0.1" in text
    assert "CAESAR_LLM__MODEL=gpt-a in use" in text
    assert "CAESAR_LLM__MODEL=<b>gpt-b</b>" in text
    assert "CAESAR_LLM__TASK_ROUTING__CHAT__MODEL , CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT__MODEL" in text
    assert not find_elements(listed, "b")
    assert len(find_elements(first, "a", href=MODELS, aria_current="page")) == 1, "reachable from every page"


def test_with_script_the_list_comes_alone(operator: Client, connected: Any) -> None:
    with model_server({"data": [{"id": "gpt-a"}]}) as server:
        connected(server.url)
        target = find_elements(get_page(operator, MODELS), "a", class_="button")[0]["hx-target"]
        response = operator.get(f"{MODELS}?ask=memory_extract", headers=HTMX)
    assert not find_elements(response, "html")
    assert find_elements(response, "div")[0]["id"] == target.removeprefix("#")
    assert "CAESAR_LLM__MODEL=gpt-a" in visible_text(response)


def test_the_back_button_brings_a_whole_page(operator: Client, connected: Any) -> None:
    with model_server({"data": [{"id": "gpt-a"}]}) as server:
        connected(server.url)
        again = operator.get(f"{MODELS}?ask=chat", headers=HTMX | {"HX-History-Restore-Request": "true"})
    assert find_elements(again, "html")


def test_no_key_is_ever_shown(operator: Client, connected: Any, configure: Configure) -> None:
    with model_server(Refusal(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})) as server:
        route = RouteSettings(provider="ollama", base_url=server.url, api_key=KEY, model="m")
        connected(server.url, llm__model="gpt-a", llm__task_routing={"memory_extract": route})
        configure(semantic__enabled=True, semantic__provider="voyage", semantic__api_key=KEY)
        shown = get_page(operator, f"{MODELS}?ask=chat").content.decode()
    assert "Check the API key" in shown
    assert "very-secret" not in shown


def test_what_is_missing_is_said(operator: Client, configure: Configure) -> None:
    configure(llm__provider="anthropic", llm__model=None)
    text = visible_text(get_page(operator, MODELS))
    assert "Not ready anthropic" in text
    assert "Set CAESAR_LLM__MODEL" in text
    configure(llm__provider="offline", memory__facts_extract__enabled=False)
    text = visible_text(get_page(operator, MODELS))
    assert "Every task No model offline" in text
    assert "memory_extract Off CAESAR_MEMORY__FACTS_EXTRACT__ENABLED=true turns it on." in text


@pytest.mark.parametrize("task", ["chat", "nonsense", "", "%00", "embedder", "memory_extract "])
def test_there_is_nothing_to_ask_for_it(operator: Client, task: str) -> None:
    """Offline, or no task at all: the page as it is, for htmx too."""
    assert "Which models" not in visible_text(get_page(operator, f"{MODELS}?ask={task}"))
    assert find_elements(operator.get(f"{MODELS}?ask={task}", headers=HTMX), "html")


def test_the_model_whose_server_is_out_leads_here(operator: Client) -> None:
    assert find_elements(get_page(operator, "/dashboard/"), "a", href=MODELS)

""" "Try it now": one short call through the gateway, told with its time and tokens, or in the gateway's words."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from caesar.conf import OpenAISettings, RouteSettings
from memory import events, model_servers
from memory.models import AuditRow
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, htmx_headers, visible_text
from tests.memory.llm.servers.model_server import Refusal, model_server

pytestmark = pytest.mark.django_db

MODELS = "/dashboard/models"
TRY = "/dashboard/models/try"
HTMX = htmx_headers(MODELS)
KEY = "sk-very-secret-0123456789abcdef"
READY = {
    "model": "gpt-a-2026",
    "choices": [{"message": {"role": "assistant", "content": "ready <b>now</b>"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 14, "completion_tokens": 2},
}


@pytest.fixture
def connected(configure: Configure) -> Any:
    """Puts `openai` at this address in place, with a key."""

    def connect(url: str, **more: object) -> None:
        openai = OpenAISettings(base_url=f"{url}/v1", api_key=KEY)
        configure(llm__provider="openai", llm__model="gpt-a", llm__openai=openai, **more)

    return connect


def test_it_works(operator: Client, connected: Any) -> None:
    with model_server(READY) as server:
        connected(server.url)
        form = find_elements(get_page(operator, MODELS), "form", action=TRY, method="post")
        assert len(form) == 1, "all tasks go one way, so there is one to try"
        answer = operator.post(TRY, {"task": "chat"})
        assert len(server.asked) == 1
        shown = get_page(operator, answer["Location"].partition("#")[0])
        assert len(server.asked) == 1, "looking at it again asks nobody"
    assert "It answers “ready <b>now</b>”" in visible_text(shown)
    assert "14 tokens in, 2 out, by gpt-a-2026." in visible_text(shown)
    row = AuditRow.objects.get()
    event = events.parse(row.event_type, row.payload)
    assert isinstance(event, events.ModelTried)
    assert (event.task, event.model, event.error) == ("chat", "gpt-a-2026", "")
    assert f"{event.milliseconds} ms" in visible_text(shown)
    assert row.actor == "account operator"


def test_with_script_the_result_comes_alone(operator: Client, connected: Any) -> None:
    with model_server(READY) as server:
        connected(server.url)
        form = find_elements(get_page(operator, MODELS), "form", action=TRY)[0]
        response = operator.post(TRY, {"task": "chat"}, headers=HTMX)
    assert not find_elements(response, "html")
    assert find_elements(response, "div", role="status")[0]["id"] == form["hx-target"].removeprefix("#")


def test_what_is_wrong_is_said_in_the_gateways_words(operator: Client, connected: Any) -> None:
    with model_server(Refusal(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})) as server:
        connected(server.url)
        response = operator.post(TRY, {"task": "chat"}, headers=HTMX)
    assert "Check the API key" in visible_text(response)
    assert AuditRow.objects.get().payload["kind"] == "AccessDenied"
    assert "very-secret" not in response.content.decode() + str(AuditRow.objects.get().payload)


def test_a_call_is_not_repeated_where_it_fails(operator: Client, connected: Any) -> None:
    with model_server(Refusal(503, {"error": {"message": "busy"}})) as server:
        connected(server.url)
        operator.post(TRY, {"task": "chat"})
        assert len(server.asked) == 1


def test_a_way_of_its_own_is_tried_alone(operator: Client, connected: Any) -> None:
    with model_server() as chat, model_server({"message": {"content": "ready"}, "done": True}) as own:
        route = RouteSettings(provider="ollama", base_url=own.url, model="m")
        connected(chat.url, llm__task_routing={"memory_extract": route})
        assert len(find_elements(get_page(operator, MODELS), "form", action=TRY)) == 2
        operator.post(TRY, {"task": "memory_extract"})
        assert (len(chat.asked), len(own.asked)) == (0, 1)


@pytest.mark.parametrize("task", ["chat", "nonsense", ""])
def test_without_a_model_there_is_none_to_try(operator: Client, task: str) -> None:
    assert operator.post(TRY, {"task": task}).status_code == 404
    assert not find_elements(get_page(operator, MODELS), "form", action=TRY)
    assert not AuditRow.objects.exists()


def test_it_asks_for_the_permission(client: Client, connected: Any) -> None:
    client.force_login(User.objects.create_user("guest", password="a long enough password", is_staff=True))
    with model_server() as server:
        connected(server.url)
        assert client.post(TRY, {"task": "chat"}).status_code == 403
        assert not server.asked


def test_only_a_post_costs_something(operator: Client) -> None:
    assert operator.get(TRY).status_code == 405


def test_an_event_of_another_kind_is_no_result(operator: Client) -> None:
    operator.post("/dashboard/learning/pause")
    page = get_page(operator, f"{MODELS}?tried={AuditRow.objects.get().pk}")
    assert "It answers" not in visible_text(page)


# --- the lines for .env -----------------------------------------------------------------------------------------------


def test_the_lines_that_choose_a_way_hold_no_key(connected: Any) -> None:
    connected("http://127.0.0.1:9")
    (way,) = model_servers.ways()
    assert way.env_lines == [
        "CAESAR_LLM__PROVIDER=openai",
        "CAESAR_LLM__MODEL=gpt-a",
        "CAESAR_LLM__OPENAI__BASE_URL=http://127.0.0.1:9/v1",
        "# CAESAR_LLM__OPENAI__API_KEY is set",
    ]


def test_a_way_of_its_own_has_lines_of_its_own(connected: Any) -> None:
    route = RouteSettings(provider="ollama", base_url="http://127.0.0.1:8", model="m")
    connected("http://127.0.0.1:9", llm__task_routing={"memory_extract": route})
    shared, own = model_servers.ways()
    assert [each.task for each in shared.destinations] == ["chat", "memory_summarise"]
    section = "CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT"
    assert own.env_lines == [
        f"{section}__PROVIDER=ollama",
        f"{section}__MODEL=m",
        f"{section}__BASE_URL=http://127.0.0.1:8",
    ]


def test_another_key_for_the_same_model_is_another_way(connected: Any) -> None:
    url = "http://127.0.0.1:9"
    route = RouteSettings(provider="openai", base_url=f"{url}/v1", model="gpt-a", api_key="sk-another-key-0123456789")
    connected(url, llm__task_routing={"memory_extract": route})
    assert [len(way.destinations) for way in model_servers.ways()] == [2, 1]
    same = RouteSettings(provider="openai", base_url=f"{url}/v1", model="gpt-a", api_key=KEY)
    connected(url, llm__task_routing={"memory_extract": same})
    assert [way.is_every_task for way in model_servers.ways()] == [True]

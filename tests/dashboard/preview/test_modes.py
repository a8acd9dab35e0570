"""The preview shows both modes of recall side by side, the one in force first. It writes nothing."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.preview.comparison import compare_scenarios
from dashboard.preview.scenarios import Scenario
from memory.events import Message
from tests.conftest import Configure
from tests.content_chats import take_up
from tests.dashboard.helpers import HEAD_QUERIES, HTMX, find_elements, get_page, visible_text
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db

MESSAGE = "The thermostat in the bedroom clicks again"
CLICKS = "The thermostat in the bedroom clicks every night."
PARTS = "meaning 1.00 · words 1.00 · conversation 1.00"


@pytest.fixture(autouse=True)
def embedder(configure: Configure, memory_on: None, now: datetime) -> Iterator[ScriptedEmbedder]:
    with scripted_embedder() as scripted:
        configure(memory__episodes_recall__mode="hybrid", memory__episodes_recall__top_k=1)
        yield scripted


@pytest.fixture
def chats(embedder: ScriptedEmbedder, now: datetime) -> None:
    """Three chats, one of which is about the message."""
    take_up(CLICKS, now=now - timedelta(days=3), summary="We spoke of the heating.")
    take_up("Boats need varnish in spring.", now=now - timedelta(days=2))
    take_up("My sister plays the cello.", now=now - timedelta(days=1))
    embedder.requests.clear()


def asked(client: Client, *, htmx: bool = False, **knobs: object) -> Any:
    query = urlencode({"message": MESSAGE, **knobs})
    response = client.get(f"/dashboard/preview?{query}", headers=HTMX | {"HX-Target": "preview-result"} if htmx else {})
    assert response.status_code == 200
    return response


def columns(response: Any) -> tuple[str, str]:
    """What is said of the mode in force, and of the other one."""
    whole = visible_text(response)
    first, second = whole.split("The mode in force ")[1].split("The other mode ")
    return first, second.split(" Facts ")[0]


def everything() -> dict[str, list[dict[str, Any]]]:
    return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in apps.get_models()}


def test_it_works(operator: Client, chats: None) -> None:
    hybrid, record = columns(asked(operator))
    assert hybrid.split()[:2] == ["Mode", "hybrid"]
    assert "The nearest conversation reached" in hybrid
    assert f"3 days ago · {PARTS}" in hybrid
    assert "it has too little of what the best one has" in hybrid
    assert "fresh ×" not in hybrid
    assert record.split()[:2] == ["Mode", "record"]
    assert "found by summaries, of 0.45 similarity or more" in record
    assert "similarity 0.30 < 0.45" in record
    assert "meaning 0" not in record


def test_the_mode_in_force_comes_first(operator: Client, chats: None, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="record")
    record, hybrid = columns(asked(operator))
    assert record.split()[:2] == ["Mode", "record"]
    assert f"3 days ago · {PARTS}" in hybrid


def test_both_lists_call_a_chat_by_the_same_number(operator: Client, chats: None) -> None:
    """And those that the other mode alone has go on from there."""
    in_force, other = columns(asked(operator))
    numbers = [dict(re.findall(r"(\d+) “[^”]*” .*?(chat \d+)", column)) for column in (in_force, other)]
    assert list(numbers[0]) == [str(number) for number in range(1, len(numbers[0]) + 1)]
    shared = set(numbers[0].values()) & set(numbers[1].values())
    assert shared
    for chat in shared:
        assert [number for number, name in numbers[0].items() if name == chat] == [
            number for number, name in numbers[1].items() if name == chat
        ]


def test_it_is_the_prompt_that_a_turn_gets(chats: None, now: datetime, configure: Configure) -> None:
    for change in ({}, {"top_k": 3}, {"gate": 2.0}, {"top_k": 0}, {"mode": "record"}):
        memory = settings.CAESAR.memory
        tried = memory.model_copy(update={"episodes_recall": memory.episodes_recall.model_copy(update=change)})
        shown = compare_scenarios(MESSAGE, Scenario(memory, now), Scenario(tried, now)).tried.prompt
        configure(memory=tried.model_dump())
        assert shown == compose_turn([Message(role="user", content=MESSAGE)], now=now).system_prompt
        configure(memory=memory.model_dump())


def test_it_asks_the_embedder_once(operator: Client, chats: None, embedder: ScriptedEmbedder) -> None:
    asked(operator, gate=0.4, as_of="2026-05-19")
    assert embedder.texts == [MESSAGE]


def test_it_writes_nothing(operator: Client, chats: None) -> None:
    before = everything()
    asked(operator)
    asked(operator, htmx=True, gate=0.3, top_k=2, as_of="2026-05-18")
    assert everything() == before


def test_in_mode_hybrid_its_own_settings_are_tried(operator: Client, chats: None) -> None:
    response = asked(operator)
    names = [slider["name"] for slider in find_elements(response, "input", type="range")]
    assert names == ["gate", "top_k", "fact_halflife", "edit_weight", "max_facts", "max_chars"]
    assert "To keep these settings" not in visible_text(response)
    hybrid, _ = columns(asked(operator, gate="-2", top_k=2))
    assert "+ comes in" in hybrid


def test_a_gate_that_is_not_set_is_the_measured_one(operator: Client, chats: None) -> None:
    """0.1 for 27 conversations, 0.09 at least: it is no change."""
    gate = find_elements(asked(operator, gate="0.09"), "input", name="gate")[0]
    assert (gate["value"], gate["data-now"]) == ("0.09", "0.09")
    assert "To keep these settings" not in visible_text(asked(operator, gate="0.09"))


def test_a_gate_that_stays_shut_lets_nothing_in(operator: Client, chats: None) -> None:
    response = asked(operator, gate="1.5")
    hybrid, _ = columns(response)
    assert ": nothing was near enough to the message." in hybrid
    assert "− drops out" in hybrid
    assert "nothing was near enough to the message: reached " in hybrid
    assert "CAESAR_MEMORY__EPISODES_RECALL__GATE=1.5" in visible_text(response)
    assert "of 1.50" in hybrid


def test_a_gate_the_settings_refuse_is_an_error_at_its_field(operator: Client) -> None:
    response = operator.get("/dashboard/preview?gate=9")
    assert response.status_code == 422
    assert "Nearness it takes must be less than or equal to 2." in visible_text(response)


def test_of_a_day_that_is_over_later_things_are_left_out(operator: Client, chats: None) -> None:
    hybrid, record = columns(asked(operator, as_of="2026-05-16"))
    assert "None comes near this message." in hybrid
    assert "it took place after that day" in record
    response = asked(operator, as_of="2026-05-18", top_k=3, gate=-2)
    hybrid, _ = columns(response)
    assert f"yesterday · {PARTS}" in hybrid
    assert "it took place after that day chat " in hybrid
    prompt = visible_text(response).split("System prompt, line by line")[1]
    assert "thermostat" in prompt
    assert "cello" not in prompt


def test_in_mode_record_without_anything_to_search_it_says_how_to_try(
    operator: Client, now: datetime, configure: Configure
) -> None:
    configure(memory__episodes_recall__mode="record")
    _, hybrid = columns(asked(operator))
    assert "write CAESAR_MEMORY__EPISODES_RECALL__MODE=hybrid into .env" in hybrid
    assert "manage.py reembed" in hybrid
    assert "Score =" not in hybrid


def test_in_mode_hybrid_without_anything_to_search_it_says_what_to_run(operator: Client) -> None:
    hybrid, record = columns(asked(operator))
    assert "No chat has been taken up for it yet. manage.py reembed takes up the chats there are." in hybrid
    assert "CAESAR_MEMORY__EPISODES_RECALL__MODE" not in hybrid + record
    assert "None comes near this message." in record


def test_no_place_at_all_is_no_lack_of_chats(operator: Client, chats: None) -> None:
    hybrid, _ = columns(asked(operator, top_k=0))
    assert "None is let in." in hybrid
    assert "reembed" not in hybrid


def test_a_blank_message_shows_neither(operator: Client, chats: None, embedder: ScriptedEmbedder) -> None:
    text = visible_text(get_page(operator, "/dashboard/preview"))
    assert "type a message to see which ones it brings back" in text
    assert "The other mode" not in text
    assert embedder.texts == []


@pytest.mark.django_db(transaction=True)
def test_sixteen_queries_are_enough(operator: Client, now: datetime) -> None:
    for number in range(12):
        take_up(f"Talk {number} of the thermostat.", now=now - timedelta(days=number))
    wanted = {"top_k": 9, "as_of": "2026-05-15"}
    asked(operator, **wanted)
    with CaptureQueriesContext(connection) as queries:
        asked(operator, **wanted)
    assert len(queries) <= 16 + HEAD_QUERIES, "\n".join(query["sql"][:150] for query in queries)

"""/dashboard/preview: the prompt a message would get, beside the one of other settings. It writes nothing."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.preview.comparison import compare_scenarios
from dashboard.preview.line_diff import DiffLine, diff_lines
from dashboard.preview.scenarios import Scenario
from dashboard.preview.tunable_settings import TUNABLE_SETTINGS
from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary, PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import HEAD_QUERIES, HTMX, find_elements, get_page, learn_fact, record_chat, visible_text
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db

PREVIEW = "/dashboard/preview"
MESSAGE = "the thermostat thing"
SLEEP = "We discussed the operator's sleep trouble."
BOATS = "We spoke of boats."
TABLE = {MESSAGE: [1.0, 0.0]}


@pytest.fixture(autouse=True)
def embedder(configure: Configure, memory_on: None) -> Iterator[ScriptedEmbedder]:
    configure(semantic__enabled=True, memory__episodes_recall__similarity_threshold=0.45)
    with scripted_embedder(table=TABLE) as scripted:
        configure(memory__episodes_recall__similarity_threshold=0.45)
        yield scripted


def asked(client: Client, message: str = MESSAGE, *, status: int = 200, htmx: bool = False, **knobs: object) -> Any:
    query = urlencode({"message": message, **knobs})
    target = HTMX | {"HX-Target": "preview-result"} if htmx else {}
    response = client.get(f"{PREVIEW}?{query}", headers=target)
    assert response.status_code == status
    return response


def episode(summary: str, cosine: float, *, at: datetime, recalls: int = 0) -> EpisodeSummary:
    row = record_chat(summary, now=at)
    EpisodeSummary.objects.summarise(row, summary, Embedded([cosine, (1 - cosine**2) ** 0.5], fake.MODEL_ID), now=at)
    EpisodeSummary.objects.filter(audit_log=row).update(recall_count=recalls)
    return EpisodeSummary.objects.get(audit_log=row)


def everything() -> dict[str, list[dict[str, Any]]]:
    return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in apps.get_models()}


def test_it_works(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=60), confidence=0.9)
    shown = episode(SLEEP, 0.8, at=now - timedelta(days=3))
    near = episode(BOATS, 0.4, at=now - timedelta(days=1))
    text = visible_text(asked(operator))
    assert "- Your dog's name is Beans." in text
    assert f"- 3 days ago: {SLEEP}" in text
    assert "0.37 fresh × 0.90 sure 0.33" in text
    assert f"“{SLEEP}” close in meaning, recent chat {shown.audit_log_id} , 3 days ago" in text
    assert "0.80 similar × 0.90 fresh × 1.00 recalled" in text
    assert f"“{BOATS}” not near enough by 0.05 chat {near.audit_log_id} , yesterday similarity 0.40 < 0.45" in text
    assert "1 conversation and 1 fact go in; 1 just missed, by 0.05." in text
    assert "With the settings as they are." in text
    assert "To keep these settings" not in text


def test_it_is_the_prompt_that_a_turn_gets(operator: Client, now: datetime, configure: Configure) -> None:
    """Under settings as they are and as they are tried: what the preview says, a turn with them does."""
    for number in range(8):
        learn_fact(
            f"thing.number{number}",
            f"value {number}",
            now=now - timedelta(days=9 * number),
            confidence=0.5 + number / 20,
        )
        episode(f"Talk {number}.", 0.3 + 0.08 * number, at=now - timedelta(days=11 * number), recalls=number % 3)
    PersonalFact.objects.get(key="thing.number7").edit("another value", now=now - timedelta(days=50))
    before = compare_scenarios(MESSAGE, Scenario(_memory(), now), Scenario(_memory(), now))
    assert before.tried.prompt == before.now.prompt == _turn(now)
    for change in (
        {"episodes_recall__top_k": 5, "episodes_recall__halflife_days": 4.0, "facts__max_injected": 3},
        {"episodes_recall__similarity_threshold": 0.7, "facts_importance__halflife_days": 5.0, "facts__max_chars": 90},
        {"episodes_recall__recall_weight_scale": 9.0, "facts_importance__edit_weight_scale": 30.0},
        {"episodes_recall__max_age_days": 30, "episodes_recall__top_k": 0, "facts__max_injected": 0},
    ):
        tried = _tried(configure, change)
        shown = compare_scenarios(MESSAGE, Scenario(_memory(), now), Scenario(tried, now))
        assert shown.now.prompt == before.now.prompt
        _with(configure, tried)
        assert shown.tried.prompt == _turn(now)
        _with(configure, before.now.terms.memory)


def _memory() -> Any:
    from django.conf import settings

    return settings.CAESAR.memory


def _tried(configure: Configure, change: dict[str, Any]) -> Any:
    current = _memory()
    configure(**{f"memory__{name}": value for name, value in change.items()})
    tried = _memory()
    _with(configure, current)
    return tried


def _with(configure: Configure, memory: Any) -> None:
    configure(memory=memory.model_dump())


def _turn(now: datetime) -> str:
    return compose_turn([Message(role="user", content=MESSAGE)], now=now).system_prompt


def test_it_writes_nothing(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    episode(SLEEP, 0.8, at=now - timedelta(days=3))
    before = everything()
    asked(operator)
    asked(operator, htmx=True, top_k=1, threshold=0.1, as_of="2026-05-18")
    asked(operator, status=422, top_k="x")
    assert everything() == before


def test_what_would_change_is_marked_by_sign_and_word(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=1))
    learn_fact("cat.name", "Tom", now=now - timedelta(days=2))
    episode(SLEEP, 0.8, at=now - timedelta(days=3))
    episode(BOATS, 0.4, at=now - timedelta(days=1))
    response = asked(operator, max_facts=1, threshold=0.4)
    text = visible_text(response)
    assert "1 line added, 1 line removed against the settings as they are today." in text
    assert f"+ added: - yesterday: {BOATS}" in text
    assert "− removed: - Your cat's name is Tom." in text
    assert f"“{BOATS}” + comes in" in text
    assert "Your cat's name is Tom. − drops out" in text
    assert "Below this line nothing goes in: 1 fact is the most it takes" in text
    assert len(find_elements(response, "ins")) == len(find_elements(response, "del")) == 1


def test_what_moves_is_no_addition(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=1), confidence=0.5)
    learn_fact("cat.name", "Tom", now=now - timedelta(days=40), confidence=1.0)
    text = visible_text(asked(operator, fact_halflife=10))
    assert "1 line moved against the settings as they are today." in text
    assert "↕ moved: - Your" in text
    assert "↕ moves" in text


def test_only_what_differs_is_to_be_written_down(operator: Client) -> None:
    text = visible_text(asked(operator, top_k=5, threshold=0.45, episode_halflife=30, edit_weight="0.75"))
    keep = text.split("To keep these settings")[1].split("System prompt")[0]
    lines = [word for word in keep.split() if word.startswith("CAESAR_MEMORY__")]
    assert lines == [
        "CAESAR_MEMORY__EPISODES_RECALL__TOP_K=5",
        "CAESAR_MEMORY__FACTS_IMPORTANCE__EDIT_WEIGHT_SCALE=0.75",
    ]


def test_an_unset_threshold_is_the_embedders_own(operator: Client, configure: Configure) -> None:
    configure(
        memory__episodes_recall__similarity_threshold=None, semantic__provider="embedded", semantic__enabled=False
    )
    response = asked(operator, threshold=0.25)
    assert find_elements(response, "input", name="threshold")[0]["value"] == "0.25"
    assert "CAESAR_MEMORY__EPISODES_RECALL__SIMILARITY_THRESHOLD" not in visible_text(response)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("threshold", "1.5", "Lowest similarity must be less than or equal to 1."),
        ("top_k", "2.5", "Most in a prompt must be a whole number."),
        ("top_k", "-1", "Most in a prompt must be greater than or equal to 0."),
        ("episode_halflife", "0", "Half-life, days must be greater than 0."),
        ("fact_halflife", "nan", "Half-life, days must be a finite number."),
        ("recall_weight", "much", "Weight of earlier recalls must be a number."),
        ("max_age", "0", "Oldest, days must be greater than or equal to 1."),
        ("max_chars", "9" * 5000, "Most characters"),
        ("as_of", "31.5.2026", "Write the day as year-month-day, such as 2026-05-31."),
        ("as_of", "1066-10-14", "Choose a day within ten years of today."),
        ("message", "x" * 801, "The message is longer than 800 characters."),
    ],
)
def test_an_error_stands_at_its_field(operator: Client, name: str, value: str, error: str) -> None:
    query: dict[str, Any] = {"message": MESSAGE} | {name: value}
    for headers in ({}, HTMX | {"HX-Target": "preview-result"}):
        response = operator.get(f"{PREVIEW}?{urlencode(query)}", headers=headers)
        assert response.status_code == 422
        assert error in visible_text(response)
        (field,) = [field for field in find_elements(response) if field.attributes.get("name") == name]
        assert field["aria-invalid"] == "true"
        described = field["aria-describedby"].split()[0]
        assert find_elements(response, "p", id=described)
        if headers:
            assert response["HX-Retarget"] == "#preview"


def test_a_setting_between_the_steps_of_its_slider_is_no_change(operator: Client, configure: Configure) -> None:
    configure(memory__episodes_recall__halflife_days=30.25, memory__facts__max_chars=200_001)
    response = asked(operator)
    halflife = find_elements(response, "input", name="episode_halflife")[0]
    assert (halflife["value"], halflife["step"]) == ("30.25", "0.01")
    chars = find_elements(response, "input", name="max_chars")[0]
    assert (chars["value"], chars["max"], chars["step"]) == ("200001", "200001", "1")
    response = asked(operator, episode_halflife="30.25", max_chars="200001")
    assert "To keep these settings" not in visible_text(response)


def test_every_slider_is_labelled_and_says_where_it_stands(operator: Client) -> None:
    response = asked(operator, top_k=7)
    labels = {label["for"] for label in find_elements(response, "label")}
    sliders = find_elements(response, "input", type="range")
    assert [slider["name"] for slider in sliders] == [knob.name for knob in TUNABLE_SETTINGS]
    for slider in sliders:
        assert slider["id"] in labels
        assert slider["form"] == "preview-form"
        assert find_elements(response, id=slider["aria-describedby"])
    assert "Most in a prompt 7 now 3" in visible_text(response)


def test_another_day_counts_ages_at_that_day(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    episode(SLEEP, 0.8, at=now - timedelta(days=3))
    text = visible_text(asked(operator, as_of="2026-07-19"))
    assert "0.37 fresh × 1.00 sure" in text
    assert f"+ added: - 2 months ago: {SLEEP}" in text
    text = visible_text(asked(operator, as_of="2026-12-31"))
    assert "older than 90 days chat " in text
    assert "To keep these settings" not in text


def test_of_a_day_that_is_over_later_things_are_left_out(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=10))
    learn_fact("cat.name", "Tom", now=now - timedelta(days=1))
    episode(SLEEP, 0.8, at=now - timedelta(days=8))
    episode(BOATS, 0.9, at=now - timedelta(days=1))
    text = visible_text(asked(operator, as_of="2026-05-15"))
    assert f"- 3 days ago: {SLEEP}" in text
    assert f"− removed: - yesterday: {BOATS}" in text
    assert "it took place after that day chat " in text
    assert "− removed: - Your cat's name is Tom." in text
    assert "left out, it was first said after that day" in text


def test_without_an_embedder_facts_are_shown_alone(
    operator: Client, now: datetime, configure: Configure, embedder: ScriptedEmbedder
) -> None:
    learn_fact("dog.name", "Beans", now=now)
    configure(semantic__enabled=False)
    text = visible_text(asked(operator))
    assert "None: switched off: CAESAR_SEMANTIC__ENABLED." in text
    assert "- Your dog's name is Beans." in text
    configure(memory__episodes_recall__enabled=False)
    assert "None: switched off: CAESAR_MEMORY__EPISODES_RECALL__ENABLED." in visible_text(asked(operator))


def test_an_embedder_that_is_down_says_so(operator: Client, now: datetime, configure: Configure) -> None:
    learn_fact("dog.name", "Beans", now=now)
    configure(semantic__provider="openai", semantic__base_url="https://api.openai.com/v1", semantic__api_key=None)
    text = visible_text(asked(operator))
    assert "None: openai" in text or "no API key" in text
    assert "- Your dog's name is Beans." in text


def test_facts_that_are_off_stay_off(operator: Client, now: datetime, configure: Configure) -> None:
    learn_fact("dog.name", "Beans", now=now)
    configure(memory__facts__enabled=False)
    response = asked(operator)
    assert "Facts are not put into prompts: CAESAR_MEMORY__FACTS__ENABLED is off." in visible_text(response)
    assert "What you've told me" not in visible_text(response)


def test_a_blank_message_brings_nothing_back_and_asks_nobody(operator: Client, embedder: ScriptedEmbedder) -> None:
    assert "type a message to see which ones it brings back" in visible_text(get_page(operator, PREVIEW))
    assert embedder.texts == []


def test_both_sides_are_embedded_once(operator: Client, now: datetime, embedder: ScriptedEmbedder) -> None:
    episode(SLEEP, 0.8, at=now - timedelta(days=3))
    asked(operator, threshold=0.2, as_of="2026-05-19")
    assert embedder.texts == [MESSAGE]


def test_the_same_message_again_is_this_very_conversation(operator: Client, now: datetime) -> None:
    row = record_chat(MESSAGE, now=now - timedelta(days=3))
    EpisodeSummary.objects.summarise(row, SLEEP, Embedded([1.0, 0.0], fake.MODEL_ID), now=now)
    assert "it is this very conversation chat " in visible_text(asked(operator))


def test_htmx_gets_the_result_and_the_shortest_address(operator: Client) -> None:
    response = asked(operator, htmx=True, top_k=5, threshold=0.45, as_of="2026-05-20", max_age=90)
    assert not find_elements(response, "html")
    assert not find_elements(response, "form")
    assert find_elements(response, "div", id="preview-result")
    assert response["HX-Replace-Url"] == f"{PREVIEW}?message=the+thermostat+thing&top_k=5"


@pytest.mark.django_db(transaction=True)
def test_twelve_queries_are_enough(operator: Client, now: datetime) -> None:
    for number in range(30):
        learn_fact(f"thing.number{number}", "x", now=now - timedelta(days=number))
        episode(f"Talk {number}.", 0.3 + number / 50, at=now - timedelta(days=number))
    wanted = {"top_k": 9, "threshold": 0.2, "fact_halflife": 9, "as_of": "2026-05-01"}
    asked(operator, **wanted)  # fills the index, which reaches back further than turns do
    with CaptureQueriesContext(connection) as queries:
        asked(operator, **wanted)
    assert len(queries) <= 12 + HEAD_QUERIES, "\n".join(query["sql"][:150] for query in queries)


def test_more_episodes_than_are_weighed_at_once(
    now: datetime, monkeypatch: pytest.MonkeyPatch, configure: Configure
) -> None:
    """Then each side is searched for by its own settings, with the same outcome."""
    for number in range(12):
        episode(f"Talk {number}.", 0.5 + number / 40, at=now - timedelta(days=3 * number))
    tried = Scenario(_tried(configure, {"episodes_recall__halflife_days": 3.0, "episodes_recall__top_k": 4}), now)
    whole = compare_scenarios(MESSAGE, Scenario(_memory(), now), tried)
    monkeypatch.setattr("memory.recall.comparison.MAX_SHARED_HITS", 4)
    assert compare_scenarios(MESSAGE, Scenario(_memory(), now), tried).tried.prompt == whole.tried.prompt


def test_markup_in_a_message_is_text(operator: Client) -> None:
    response = asked(operator, "<img src=x onerror=alert(1)>\u202e</textarea>")
    assert not find_elements(response, "img")
    assert "<img src=x" in visible_text(response)


def test_strangers_are_sent_to_the_login() -> None:
    assert Client().get(PREVIEW).status_code == 302
    assert AuditRow.objects.count() == 0


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\nb", "a\nb", [("a", ""), ("b", "")]),
        ("a\nb", "b", [("a", "removed"), ("b", "")]),
        ("a", "a\nb", [("a", ""), ("b", "added")]),
        ("a\nb\nc", "c\na\nb", [("c", "moved"), ("a", ""), ("b", "")]),
        ("a\na", "a", [("a", ""), ("a", "removed")]),
        ("a\n\nb", "b", [("a", "removed"), ("b", "")]),
    ],
)
def test_lines_are_compared_one_by_one(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert [(line.text, line.mark) for line in diff_lines(before, after)] == expected
    assert diff_lines(after, after) == [DiffLine(text) for text in after.split("\n")]

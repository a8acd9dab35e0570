"""What other settings change, as a sentence: with the names of what comes and goes, and said to screen readers."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from dashboard.preview.changes import NamedItems, describe_change
from tests.dashboard.helpers import HTMX, find_elements, learn_fact, visible_text

PREVIEW = "/dashboard/preview"


def test_it_works() -> None:
    names = {1: "sleep diary", 2: "felt and wire.", 3: "tea"}
    change = describe_change([1, 3], [3, 2], names)
    assert change.dropped == NamedItems(["sleep diary"], 0)
    assert change.brought == NamedItems(["felt and wire"], 0)
    assert change.moved == 0
    assert not change.is_none


def test_places_alone_are_no_names() -> None:
    change = describe_change(["a", "b", "c"], ["c", "a", "b"], {"a": "a", "b": "b", "c": "c"})
    assert (change.dropped.names, change.brought.names, change.moved) == ([], [], 1)
    assert not change.is_none
    assert describe_change(["a"], ["a"], {"a": "a"}).is_none


def test_few_are_named_and_shortened() -> None:
    names = {number: f"{number} " + "word " * 40 for number in range(9)}
    dropped = describe_change(list(range(9)), [], names).dropped
    assert len(dropped.names) == 2
    assert dropped.more == 7
    assert all(len(name) <= 44 for name in dropped.names)


@pytest.fixture
def known(now: datetime, memory_on: None, operator: Client) -> None:
    for age, (key, value) in enumerate((("dog.name", "Beans"), ("cat.name", "Tom"), ("fish.name", "Nemo"))):
        learn_fact(key, value, now=now - timedelta(days=age))


def asked(client: Client, *, htmx: bool = False, **knobs: object) -> Any:
    headers = HTMX | {"HX-Target": "preview-result"} if htmx else {}
    return client.get(f"{PREVIEW}?{urlencode(knobs)}", headers=headers)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("knobs", "sentence"),
    [
        ({}, "With the settings as they are."),
        ({"max_facts": 2}, "Drops Your fish's name is Nemo ."),
        ({"max_facts": 0}, "Drops Your dog's name is Beans , Your cat's name is Tom and 1 more."),
        ({"fact_halflife": 59}, "The same as with the settings as they are today."),
    ],
)
def test_the_page_says_it(operator: Client, known: None, knobs: dict[str, object], sentence: str) -> None:
    assert visible_text(asked(operator, **knobs)).count(sentence) == 1
    swapped = visible_text(asked(operator, htmx=True, **knobs))
    assert swapped.count(sentence) == 2, "once to be seen, once to be heard"


@pytest.mark.django_db
def test_what_is_said_stays_while_the_result_is_swapped(operator: Client, known: None) -> None:
    (region,) = find_elements(asked(operator), "p", id="preview-said")
    assert region["aria-live"] == "polite"
    assert "hx-swap-oob" not in region.attributes
    response = asked(operator, htmx=True, max_facts=2)
    (update,) = find_elements(response, "p", id="preview-said")
    assert update["hx-swap-oob"] == "innerHTML"
    assert not find_elements(response, "form")


@pytest.mark.django_db
def test_the_settings_come_before_what_they_change(operator: Client, known: None) -> None:
    """In the document, so that the first slider comes before the results, behind the head."""
    elements = find_elements(asked(operator))
    focusable = [
        element
        for element in elements
        if element.tag in ("a", "button", "summary", "textarea", "select")
        or (element.tag == "input" and element.attributes.get("type") != "hidden")
    ]
    places = [element.attributes.get("name", element.tag) for element in focusable if element.tag != "summary"]
    assert places.index("threshold") + 1 <= 21
    ids = [element.attributes.get("id") for element in elements]
    assert ids.index("message") < ids.index("knob-threshold") < ids.index("preview-result")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("knobs", "is_open"),
    [({}, False), ({"max_facts": 2}, True), ({"top_k": "x"}, True), ({"as_of": "2026-05-01"}, True)],
)
def test_on_a_telephone_changed_settings_stand_open(
    operator: Client, known: None, knobs: dict[str, object], is_open: bool
) -> None:
    settings_fold = find_elements(asked(operator, **knobs), "details")[2]  # the first two are the menu and the theme
    assert ("open" in settings_fold.attributes) is is_open

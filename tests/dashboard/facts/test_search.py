"""Searching the facts and choosing a namespace: what is found, where the prompt ends, what the address keeps."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.facts.search import NAMESPACES_FOLDED, NAMESPACES_SHOWN, namespace_chips, namespace_of, search_matcher
from memory.models import PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import (
    HEAD_QUERIES,
    bars,
    create_facts,
    event_types,
    find_elements,
    get_page,
    htmx_headers,
    learn_fact,
    newest_row_id,
    visible_text,
)

pytestmark = pytest.mark.django_db

FACTS = "/dashboard/facts"


def facts(now: datetime, **values: str) -> None:
    """Facts in this order of importance; `dog__name` stands for `dog.name`."""
    for days, (key, value) in enumerate(values.items()):
        learn_fact(key.replace("__", "."), value, now=now - timedelta(days=days))


def asked_for(**parameters: object) -> str:
    return f"{FACTS}?{urlencode(parameters)}"


def keys(response: Any) -> list[str]:
    """The keys of the rows, in order."""
    labels = [box.attributes.get("aria-label", "") for box in find_elements(response, "a")]
    return [label.removeprefix("Edit fact ") for label in labels if label.startswith("Edit fact ")]


def told(response: Any) -> str:
    """The text of a page, without the space that a tag before a comma or full stop leaves."""
    return visible_text(response).replace(" ,", ",").replace(" .", ".")


# --- what is found ----------------------------------------------------------------------------------------------


def test_it_works(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", address__city="Portland", dog__breed="beagle")
    response = get_page(operator, asked_for(q="DOG"))
    assert keys(response) == ["dog.name", "dog.breed"]
    assert "3 facts, all fit the prompt (30 facts or 2,048 characters). 2 match “DOG”, all in the prompt." in told(
        response
    )
    assert find_elements(response, "input", type="search", name="q", id="search")[0]["value"] == "DOG"
    assert find_elements(response, "title")


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("beans", True),  # the value
        ("DOG.N", True),  # the key
        ("your dog's", True),  # the sentence
        ("beans dog", True),  # each word somewhere
        ("beans cat", False),
        ("  Beans\t", True),
        ("b%", False),
        ("_", False),
        ("\u202ebeans", True),  # what cannot be seen is not searched for
    ],
)
def test_key_value_and_sentence_are_searched(operator: Client, now: datetime, search: str, found: bool) -> None:
    facts(now, dog__name="Beans")
    assert keys(get_page(operator, asked_for(q=search))) == (["dog.name"] if found else [])


@pytest.mark.parametrize(
    ("search", "value", "found"),
    [
        ("STRASSE", "Lange Straße", True),
        ("straße", "LANGE STRASSE", True),
        ("ΟΔΟΣ", "οδός", True),
        ("москва", "МОСКВА", True),
        ("käse", "KÄSE", True),
        ("ka\u0308se", "Käse", True),  # an accent of its own
        ("kase", "Käse", True),
        ("käse", "Kase", False),
        ("istanbul", "İstanbul", True),
        ("ｂｅａｎｓ", "beans", True),
        ("🐶", "a 🐶 of mine", True),
        ("犬", "私の犬", True),
    ],
)
def test_case_never_counts_and_accents_only_where_typed(search: str, value: str, found: bool) -> None:
    assert search_matcher(search)(["some.key", value]) is found


def test_any_search_is_text(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans")
    for search in ('<script>alert("x")</script>', "%", "'; --", "\\", "\0", "a" * 5000, "🐶", "%ff"):
        response = get_page(operator, asked_for(q=search))
        assert not [element for element in find_elements(response, "script") if "src" not in element.attributes]
        assert len(find_elements(response, "input", type="search", name="q", id="search")[0]["value"]) <= 200
    assert 'No fact matches “<b>"x”' in visible_text(get_page(operator, asked_for(q='<b>"x')))


def test_a_key_of_any_kind_is_found_and_leads_on(operator: Client, now: datetime) -> None:
    for key in ("a/b", "100%", 'say_"hi"', "it's", "dog.🐶", "a&q=b", "a#b", "Raw Key"):
        PersonalFact.objects.create(key=key, value="x", first_seen_at=now, last_confirmed_at=now)
        response = get_page(operator, asked_for(q=key))
        assert key in keys(response)
        own = [a["href"] for a in find_elements(response, "a") if a["href"].startswith("/dashboard/facts/one")]
        assert f"/dashboard/facts/one?{urlencode({'key': key})}" in own
        assert get_page(operator, own[0])


def test_nothing_found_says_so_and_how_to_go_on(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", address__city="Portland")
    response = get_page(operator, asked_for(q="Beans", ns="address"))
    assert "No fact in address matches “Beans”." in visible_text(response)
    assert find_elements(response, "a", href="/dashboard/facts?q=Beans")
    assert find_elements(response, "a", href=FACTS)
    assert not find_elements(response, "table")


# --- the line where the prompt ends -----------------------------------------------------------------------------


def test_the_line_stays_right_among_those_found(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=2)
    facts(now, a__one="x", b__one="x", a__two="x", b__two="x")
    response = get_page(operator, asked_for(q="a."))
    text = told(response)
    assert text.index("a.one: x") < text.index("Below this line nothing is put into the prompt") < text.index("a.two")
    assert "4 facts, 2 fit the prompt (2 facts or 2,048 characters). 2 match “a.”, 1 of them in the prompt." in text
    assert text.count("Not in the prompt.") == 1
    assert len([row for row in find_elements(response, "tr") if row.attributes.get("class") == "fact out"]) == 1


def test_where_none_found_is_in_the_prompt_the_line_comes_first(
    operator: Client, now: datetime, configure: Configure
) -> None:
    configure(memory__facts__max_injected=1)
    facts(now, a="x", b="x", c="x")
    text = told(get_page(operator, asked_for(q="c:")))
    assert "1 matches “c:”, but not in the prompt." in text
    assert text.index("Below this line") < text.rindex("c: x")
    assert "Below this line" not in visible_text(get_page(operator, asked_for(q="a:")))


def test_bars_are_scaled_to_the_largest_of_all(operator: Client, now: datetime) -> None:
    learn_fact("a", "sure", now=now)
    learn_fact("b", "half", now=now, confidence=0.5)
    assert bars(get_page(operator, asked_for(q="half"))) == ["50%"]


def test_injection_switched_off_draws_no_line(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__enabled=False)
    facts(now, a="x", b="x")
    text = told(get_page(operator, asked_for(q="a:")))
    assert "1 matches “a:”." in text
    assert "Below this line" not in text


# --- namespaces -------------------------------------------------------------------------------------------------


def test_namespaces_are_chips_with_counts(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", dog__breed="beagle", address__city="Portland")
    response = get_page(operator)
    assert "any dog 2 address 1" in visible_text(response)
    assert find_elements(response, "a", href="/dashboard/facts?ns=dog", class_="chip")
    assert find_elements(response, "a", href=FACTS, aria_current="true", class_="chip")
    chosen = get_page(operator, asked_for(ns="dog"))
    assert keys(chosen) == ["dog.name", "dog.breed"]
    assert find_elements(chosen, "a", href="/dashboard/facts?ns=dog", aria_current="true")
    assert "2 are in dog" in visible_text(chosen)
    assert find_elements(chosen, "input", type="hidden", name="ns")[0]["value"] == "dog", "a search stays in it"


def test_chips_count_what_the_search_found_and_keep_it(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", dog__food="beans", address__city="Beansville", job="nurse")
    response = get_page(operator, asked_for(q="beans"))
    assert "any dog 2 address 1" in visible_text(response)
    assert find_elements(response, "a", href="/dashboard/facts?q=beans&ns=dog")
    assert keys(get_page(operator, asked_for(q="beans", ns="address"))) == ["address.city"]


def test_many_namespaces_fold() -> None:
    namespaces = [f"ns{number:03}" for number in range(100)] * 2 + ["big"] * 3
    found = namespace_chips(namespaces, chosen="ns099")
    assert [chip.name for chip in found.shown][:2] == ["big", "ns000"]
    assert found.shown[-1].name == "ns099"
    assert found.shown[-1].is_chosen
    assert (len(found.shown), len(found.folded)) == (NAMESPACES_SHOWN, NAMESPACES_FOLDED)
    assert found.left_out == 101 - NAMESPACES_SHOWN - NAMESPACES_FOLDED


def test_namespaces_with_one_fact_stand_together(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", dog__breed="beagle", address__city="Portland", job="nurse", other="x", other__y="z")
    response = get_page(operator)
    assert "any dog 2 other 2 other 2" in visible_text(response), "a namespace of that name, and the rest"
    rest = asked_for(ns="*")
    assert find_elements(response, "a", href=rest, class_="chip")
    assert keys(get_page(operator, rest)) == ["address.city", "job"]
    assert "2 are in namespaces with one fact" in visible_text(get_page(operator, rest))


@pytest.mark.parametrize(
    ("key", "first"),
    [("dog.name", "dog"), ("Dog.Name", "dog"), ("notes", "notes"), ("..", ".."), (".x", ".x"), ("a/b.c", "a/b")],
)
def test_a_namespace_is_the_first_part(key: str, first: str) -> None:
    assert namespace_of(key) == first


@pytest.mark.parametrize("key", ["a/b.c", "100%.x", "a&b.c", "dog 🐶.x", "..", '"quoted".x'])
def test_the_chip_of_any_namespace_leads_to_it(operator: Client, now: datetime, key: str) -> None:
    two = [key, key if key == ".." else f"{key}y"]
    for name in dict.fromkeys(two):
        PersonalFact.objects.create(key=name, value="x", first_seen_at=now, last_confirmed_at=now)
    facts(now, other__key="x", other__key2="x", third="x")
    found = [a["href"] for a in find_elements(get_page(operator), "a", class_="chip") if "ns=" in a["href"]]
    assert any(key in keys(get_page(operator, address)) for address in found)


def test_a_namespace_without_facts_can_be_left(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans")
    response = get_page(operator, asked_for(ns="cat"))
    assert "No fact in cat any more." in visible_text(response)
    assert find_elements(response, "a", href=FACTS)


# --- while typing, the address, the back button -----------------------------------------------------------------


def test_typing_brings_the_table_alone_and_its_address(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", address__city="Portland")
    form = find_elements(get_page(operator), "form", role="search")[0]
    assert (form["action"], form["method"], form["hx-get"], form["hx-target"]) == (FACTS, "get", FACTS, "#facts-table")
    assert "delay:" in form["hx-trigger"]
    assert form["hx-sync"] == "this:replace"
    response = operator.get(asked_for(q="dog", ns=""), headers=htmx_headers(FACTS))
    assert response.status_code == 200
    assert not find_elements(response, "html")
    assert not find_elements(response, "input", type="search"), "the field with the cursor in it stays"
    assert find_elements(response)[0]["id"] == "facts-table"
    assert keys(response) == ["dog.name"]
    assert response["HX-Push-Url"] == "/dashboard/facts?q=dog"
    said = find_elements(response, "output", id="facts-found")[0]
    assert said["hx-swap-oob"] == "innerHTML"
    assert visible_text(response).count("1 matches “dog”") == 2, "once to see, once to hear"


def test_further_letters_are_the_same_step_of_the_history(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans")
    response = operator.get(asked_for(q="dogs"), headers=htmx_headers("/dashboard/facts?q=dog"))
    assert response["HX-Replace-Url"] == "/dashboard/facts?q=dogs"
    assert "HX-Push-Url" not in response
    cleared = operator.get(asked_for(q="", ns="dog"), headers=htmx_headers("/dashboard/facts?q=dogs&ns=dog"))
    assert cleared["HX-Replace-Url"] == "/dashboard/facts?ns=dog"


def test_the_back_button_brings_a_whole_page(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans")
    headers = htmx_headers("/dashboard/facts") | {"HX-History-Restore-Request": "true"}
    response = operator.get(asked_for(q="dog"), headers=headers)
    assert find_elements(response, "h1")
    assert find_elements(response, "input", type="search", name="q", id="search")[0]["value"] == "dog"
    assert "HX-Push-Url" not in response


def test_a_changed_fact_stays_in_sight_of_the_search(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", address__city="Portland")
    edit = "/dashboard/facts/edit?key=dog.name"
    response = operator.post(
        edit, {"value": "Bowser", "seen": "Beans"}, headers=htmx_headers("/dashboard/facts?q=beans")
    )
    assert keys(response) == ["dog.name"], "the search would not find it, the operator just wrote it"
    response = operator.post(
        "/dashboard/facts/add",
        {"key": "cat.name", "value": "Tom"},
        headers=htmx_headers("/dashboard/facts?q=bowser&ns=dog"),
    )
    assert sorted(keys(response)) == ["cat.name", "dog.name"]


def test_with_htmx_a_verb_answers_for_what_is_on_the_screen_now(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", dog__breed="beagle", address__city="Portland")
    drawn_under_another_search = "/dashboard/facts/delete?key=dog.name&q=portland"
    response = operator.post(drawn_under_another_search, headers=htmx_headers("/dashboard/facts?q=dog"))
    assert keys(response) == ["dog.breed"]
    undo = operator.post(
        f"/dashboard/facts/restore/{newest_row_id()}?q=dog", headers=htmx_headers("/dashboard/facts?ns=address")
    )
    assert keys(undo) == ["dog.name", "address.city"]


def test_without_script_every_address_carries_the_search_on(operator: Client, now: datetime) -> None:
    facts(now, dog__name="Beans", dog__breed="beagle")
    response = get_page(operator, asked_for(q="dog", ns="dog"))
    carried = "q=dog&ns=dog"
    assert find_elements(response, "a", href=f"/dashboard/facts/edit?key=dog.name&{carried}")
    delete = f"/dashboard/facts/delete?key=dog.name&{carried}"
    assert find_elements(response, "form", action=f"/dashboard/facts/delete-chosen?{carried}")
    assert operator.post(delete)["Location"] == f"{FACTS}?{carried}"
    after = get_page(operator, f"{FACTS}?{carried}")
    undo = f"/dashboard/audit/{newest_row_id()}/undo?{carried}"
    assert find_elements(after, "form", action=undo)
    undone = operator.post(undo, {"next": f"{FACTS}?{carried}"})
    assert undone["Location"].startswith(f"{FACTS}?{carried}#fact-row-")
    edit = get_page(operator, f"/dashboard/facts/edit?key=dog.breed&{carried}")
    cancel = next(a["href"] for a in find_elements(edit, "a") if "data-cancel" in a.attributes)
    assert cancel.startswith(f"{FACTS}?{carried}#fact-row-")
    saved = operator.post(f"/dashboard/facts/edit?key=dog.breed&{carried}", {"value": "pug", "seen": "beagle"})
    assert saved["Location"].startswith(f"{FACTS}?{carried}#fact-row-")


# --- a thousand -------------------------------------------------------------------------------------------------


def test_a_thousand_facts_stay_quick(operator: Client, now: datetime) -> None:
    create_facts(1000, now=now, namespaces=("even", "odd"))
    for address in (asked_for(q="thing"), asked_for(ns="odd"), asked_for(q="thing", ns="odd", page=3)):
        with CaptureQueriesContext(connection) as queries:
            response = get_page(operator, address)
        assert len(queries) <= 14 + HEAD_QUERIES
    assert "page 3 of 10" in visible_text(response)
    assert "500 match “thing” in odd" in visible_text(response)
    assert find_elements(response, "a", href="/dashboard/facts?page=2&q=thing&ns=odd")
    assert len(keys(response)) == 50
    assert "Nothing on" not in visible_text(response)
    assert event_types() == []


def test_pages_below_the_line_say_so(operator: Client, now: datetime) -> None:
    create_facts(100, now=now, namespaces=("even", "odd"))
    text = visible_text(get_page(operator, asked_for(page=2)))
    assert text.index("Below this line nothing is put into the prompt") < text.index("thing 0050")

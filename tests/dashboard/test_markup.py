"""What holds for every page: the Content-Security-Policy's demands, and what a screen reader needs."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.dashboard.helpers import HTMX, find_elements, get_page, learn_fact, newest_row_id

pytestmark = pytest.mark.django_db

ADDRESSES = ["/dashboard/facts", "/dashboard/facts/add", "/dashboard/facts/edit?key=dog.name", "/dashboard/audit"]
ADDRESSES += ["/dashboard/facts?q=dog&ns=dog", "/dashboard/facts?q=nothing", "/dashboard/facts/one?key=dog.name"]
ADDRESSES += ["/dashboard/episodes", "/dashboard/episodes?order=most&q=nothing"]
ADDRESSES += ["/dashboard/audit?fact=dog.name", "/password"]


@pytest.fixture
def pages(operator: Client, now: datetime) -> list[Any]:
    """Every page, with something on it."""
    learn_fact("dog.name", "Beans", now=now)
    refused = operator.post("/dashboard/facts/add", {"key": "", "value": ""})
    events = [
        f"/dashboard/audit/{newest_row_id() - 1}",
        f"/dashboard/audit/{newest_row_id()}",
    ]  # a chat, and what it taught
    shown = [operator.get("/dashboard/nowhere"), refused, *(get_page(operator, one) for one in [*ADDRESSES, *events])]
    return [*shown, get_page(Client(), "/login")]


def test_nothing_is_inline(pages: list[Any]) -> None:
    for response in pages:
        for element in find_elements(response):
            assert "style" not in element.attributes
            assert element.tag != "style"
            assert element.tag != "script" or element.attributes.get("src", "").startswith("/static/")
            assert not [name for name in element.attributes if name.startswith("on")]
            assert not element.attributes.get("href", "").startswith(("http:", "https:", "//", "data:"))


def test_one_heading_names_each_page(pages: list[Any]) -> None:
    for response in pages:
        assert len(find_elements(response, "h1")) == 1
        assert response.content.decode().partition("</head>")[0].count("<title>") == 1  # a drawing has its own
        assert len(find_elements(response, "main", id="content")) == 1
        assert find_elements(response, "a", href="#content")
        assert len(find_elements(response, role="status", aria_live="polite")) == 1


def test_every_field_has_its_label_and_every_id_is_one(pages: list[Any]) -> None:
    for response in pages:
        ids = [element["id"] for element in find_elements(response) if "id" in element.attributes]
        assert len(ids) == len(set(ids))
        labelled = {label["for"] for label in find_elements(response, "label")}
        for field in find_elements(response, "input"):
            if field.attributes.get("type") != "hidden":
                assert field.attributes.get("aria-label") or field["id"] in labelled
                assert set(field.attributes.get("aria-describedby", "").split()) <= set(ids)


def test_tables_are_tables(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    response = get_page(operator)
    assert len(find_elements(response, "caption")) == len(find_elements(response, "table")) == 1
    assert len(find_elements(response, "th")) == len(find_elements(response, "th", scope="col")) == 6


def test_every_form_that_changes_something_carries_its_token(pages: list[Any]) -> None:
    for response in pages:
        tokens = len(find_elements(response, "input", name="csrfmiddlewaretoken"))
        searches = len(find_elements(response, "form", method="get"))
        assert (
            tokens
            == len(find_elements(response, "form", method="post"))
            == len(find_elements(response, "form")) - searches
        )


def test_htmx_evaluates_nothing_and_swaps_refused_forms(operator: Client) -> None:
    meta = find_elements(get_page(operator), "meta", name="htmx-config")[0]["content"]
    for setting in ('"allowEval": false', '"includeIndicatorStyles": false', '"selfRequestsOnly": true'):
        assert setting in meta
    assert '{"code": "422", "swap": true}' in meta


def test_a_partial_carries_no_page_around_it(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    for address in ("/dashboard/facts/edit?key=dog.name", "/dashboard/facts/row?key=dog.name"):
        response = operator.get(address, headers=HTMX)
        assert not find_elements(response, "html")
        assert len(find_elements(response, "tr")) == 1


def test_the_policy_stays_on(operator: Client) -> None:
    assert "script-src 'self'" in get_page(operator)["Content-Security-Policy"]


def test_the_script_stays_small() -> None:
    static = Path(settings.STATICFILES_DIRS[0])
    assert len((static / "js" / "dashboard.js").read_text().splitlines()) <= 60

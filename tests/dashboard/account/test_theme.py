"""Light, dark, or as the system: what is chosen is in the page that the server sends."""

import pytest
from django.test import Client

from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page

pytestmark = pytest.mark.django_db

PAGES = ["/v1/docs", "/dashboard/", "/dashboard/facts", "/password", "/dashboard/manual"]


@pytest.mark.parametrize("page", PAGES)
def test_it_works(operator: Client, page: str) -> None:
    assert "data-theme" not in find_elements(get_page(operator, page), "html")[0].attributes
    for theme in ("light", "dark"):
        operator.post("/theme", {"theme": theme})
        assert find_elements(get_page(operator, page), "html")[0]["data-theme"] == theme
    operator.post("/theme", {"theme": "system"})
    assert "data-theme" not in find_elements(get_page(operator, page), "html")[0].attributes


def test_it_goes_back_to_the_page_it_was_chosen_on(operator: Client) -> None:
    answer = operator.post("/theme", {"theme": "dark"}, headers={"Referer": "http://testserver/dashboard/facts?q=dog"})
    assert answer["Location"] == "/dashboard/facts?q=dog"


def test_it_goes_nowhere_else(operator: Client) -> None:
    answer = operator.post("/theme", {"theme": "dark"}, headers={"Referer": "https://elsewhere.example/"})
    assert answer["Location"] == "/"


def test_a_stranger_chooses_before_the_login(client: Client) -> None:
    assert find_elements(get_page(client, "/login"), "form", action="/theme")
    client.post("/theme", {"theme": "dark"})
    assert find_elements(get_page(client, "/login"), "html")[0]["data-theme"] == "dark"


def test_what_is_no_theme_is_not_written_into_a_page(operator: Client) -> None:
    operator.cookies["theme"] = '"><b>'
    assert "data-theme" not in find_elements(get_page(operator), "html")[0].attributes
    operator.post("/theme", {"theme": "purple"})
    assert operator.cookies["theme"].value == ""


def test_the_page_says_which_one_it_is(operator: Client) -> None:
    operator.post("/theme", {"theme": "dark"})
    pressed = find_elements(get_page(operator), "button", aria_pressed="true", name="theme")
    assert [button["value"] for button in pressed] == ["dark"]


def test_it_is_changed_by_post_alone(operator: Client) -> None:
    assert operator.get("/theme").status_code == 405


def test_over_https_its_cookie_is_sent_by_https_alone(operator: Client, configure: Configure) -> None:
    operator.post("/theme", {"theme": "dark"})
    assert operator.cookies["theme"]["httponly"]
    assert operator.cookies["theme"]["samesite"] == "Lax"

"""Error pages come without static files, database or session, and pages without a collection of static files."""

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.staticfiles import finders
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import include, path

from caesar.server import error_pages
from caesar.server.static_files import CollectedOrSource
from caesar.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500"]


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a fault")


def forbidden(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def unreadable(request: HttpRequest) -> HttpResponse:
    raise BadRequest


urlpatterns = [
    path("broken", broken),
    path("forbidden", forbidden),
    path("unreadable", unreadable),
    path("", include("dashboard.urls")),
]


@pytest.fixture
def _broken_server(settings: LazySettings) -> None:
    settings.ROOT_URLCONF = __name__


def no_database(*args: object) -> None:
    raise OperationalError("gone")


@pytest.mark.usefixtures("_broken_server")
def test_a_fault_is_a_page(operator: Client) -> None:
    operator.raise_request_exception = False
    with connection.execute_wrapper(no_database):
        response = operator.get("/broken")
    assert response.status_code == 500
    assert "Something broke here" in response.text


@pytest.mark.usefixtures("_broken_server")
@pytest.mark.parametrize("address", ["/broken", "/forbidden", "/unreadable", "/nowhere"])
def test_an_error_page_has_the_dress_of_the_others(operator: Client, address: str) -> None:
    """The same files as the pages with an account, and each of them is there."""
    operator.raise_request_exception = False
    response = operator.get(address)
    assert response.status_code >= 400
    assert '<section class="problem">' in response.text
    assert linked(response.text) == [*linked(operator.get("/dashboard/").text)[:5], "/static/css/problem.css"]
    assert all(finders.find(name.removeprefix("/static/")) for name in linked(response.text))


def linked(page: str) -> list[str]:
    """The icons and style sheets of a page."""
    return re.findall(r'<link [^>]*href="([^"]+)"', page)


@pytest.mark.usefixtures("_broken_server")
def test_a_broken_template_is_still_a_page(client: Client, db: None, settings: LazySettings, tmp_path: Path) -> None:
    client.raise_request_exception = False
    (tmp_path / "500.html").write_text("{% nonsense %}")
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]
    response = client.get("/broken")
    assert (response.status_code, "Something broke here" in response.text) == (500, True)


def test_a_page_that_is_not_there_is_404_without_a_database_too(operator: Client) -> None:
    with connection.execute_wrapper(no_database):
        response = operator.get("/dashboard/nowhere")
    assert response.status_code == 404
    assert "There is no such page" in response.text
    assert "Log out" not in response.text


def test_the_other_pages_too(rf: RequestFactory, operator: Client) -> None:
    request = rf.get("/")
    request.COOKIES = {name: morsel.value for name, morsel in operator.cookies.items()}
    answers = [
        error_pages.bad_request(request, ValueError()),
        error_pages.permission_denied(request, ValueError()),
        error_pages.csrf_failure(request),
    ]
    assert [answer.status_code for answer in answers] == [400, 403, 403]


def test_a_name_that_was_not_collected_stays_as_it_is(tmp_path: Path) -> None:
    storage = CollectedOrSource(location=tmp_path, base_url="/static/")
    assert storage.url("style.css") == "/static/style.css"
    storage.hashed_files = {"style.css": "style.1234.css"}
    assert storage.url("style.css") == "/static/style.1234.css"

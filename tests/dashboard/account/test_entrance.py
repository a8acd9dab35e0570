"""The way in and out, and where a stranger is sent."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from tests.conftest import Configure
from tests.dashboard.helpers import HTMX, find_elements, get_page, htmx_headers, visible_text

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough password"
PAGES = [
    "/dashboard/",
    "/dashboard/?said=1",
    "/dashboard/connect",
    "/dashboard/facts",
    "/dashboard/facts?page=2",
    "/dashboard/facts/add",
    "/dashboard/facts/edit?key=a%2Fb",
    "/dashboard/audit",
    "/dashboard/audit?fact=a%26b",
    "/dashboard/audit/1",
]


@pytest.fixture
def stranger(db: None) -> Client:
    """A browser in which nobody is logged in; the operator has an account."""
    get_user_model().objects.create_superuser("operator", password=PASSWORD)
    return Client()


def test_it_works(stranger: Client) -> None:
    assert stranger.get("/")["Location"] == "/dashboard/"
    form = get_page(stranger, "/login")
    assert find_elements(form, "input", name="username", autocomplete="username")
    assert find_elements(form, "input", name="password", autocomplete="current-password")
    answer = stranger.post("/login", {"username": "operator", "password": PASSWORD})
    assert answer["Location"] == "/dashboard/"
    assert "operator" in visible_text(get_page(stranger))


def test_the_first_address_leads_to_the_overview(operator: Client) -> None:
    assert operator.get("/")["Location"] == "/dashboard/"
    assert "Overview" in visible_text(get_page(operator, "/dashboard/"))


@pytest.mark.parametrize("address", PAGES)
def test_a_stranger_is_sent_to_the_login_and_then_back(stranger: Client, address: str) -> None:
    answer = stranger.get(address)
    assert answer.status_code == 302
    login = answer["Location"]
    assert login.startswith("/login?next=")
    hidden = find_elements(get_page(stranger, login), "input", name="next")[0]["value"]
    assert hidden == address
    answer = stranger.post("/login", {"username": "operator", "password": PASSWORD, "next": hidden})
    assert answer["Location"] == address


@pytest.mark.parametrize("method", ["get", "post"])
def test_htmx_of_a_stranger_gets_a_client_redirect_to_the_page_it_is_on(stranger: Client, method: str) -> None:
    headers = htmx_headers("/dashboard/facts?page=3")
    answer = getattr(stranger, method)("/dashboard/facts/edit?key=a", headers=headers)
    assert answer.status_code == 200
    assert answer["HX-Redirect"] == "/login?next=%2Fdashboard%2Ffacts%3Fpage%3D3"
    assert answer.content == b""


def test_htmx_from_elsewhere_comes_back_to_the_facts(stranger: Client) -> None:
    headers = HTMX | {"HX-Current-URL": "https://elsewhere.example/x"}
    answer = stranger.get("/dashboard/facts/edit?key=a", headers=headers)
    assert answer["HX-Redirect"] == "/login?next=%2Fdashboard%2Ffacts"


def test_a_form_sent_after_the_session_ended_comes_back_to_its_page(stranger: Client) -> None:
    headers = {"Referer": "http://testserver/dashboard/facts?page=2"}
    answer = stranger.post("/dashboard/facts/delete?key=a", headers=headers)
    assert answer["Location"] == "/login?next=%2Fdashboard%2Ffacts%3Fpage%3D2"
    foreign = stranger.post("/dashboard/facts/delete?key=a", headers={"Referer": "https://elsewhere.example/x"})
    assert foreign["Location"] == "/login?next=%2Fdashboard%2Ffacts"


def test_a_wrong_password_is_said_at_the_fields(stranger: Client) -> None:
    answer = stranger.post("/login", {"username": "operator", "password": "no"})
    assert answer.status_code == 422
    assert find_elements(answer, "p", id="login-error", role="alert")
    assert find_elements(answer, "input", name="username")[0]["value"] == "operator"
    assert find_elements(answer, "input", name="password")[0]["aria-describedby"] == "login-error"
    assert "value" not in find_elements(answer, "input", name="password")[0].attributes


def test_login_leads_nowhere_else(stranger: Client) -> None:
    sent = {"username": "operator", "password": PASSWORD, "next": "https://elsewhere.example/"}
    assert stranger.post("/login", sent)["Location"] == "/dashboard/"


def test_before_the_first_account_the_page_says_how_to_make_one(db: None, client: Client) -> None:
    assert "manage.py createsuperuser" in visible_text(get_page(client, "/login"))
    get_user_model().objects.create_user("operator")
    assert "createsuperuser" not in visible_text(get_page(client, "/login"))


def test_logout_is_a_post(operator: Client) -> None:
    assert find_elements(get_page(operator), "form", action="/logout", method="post")
    assert operator.get("/logout").status_code == 405
    assert operator.post("/logout")["Location"] == "/login"
    assert operator.get("/dashboard/facts").status_code == 302


@pytest.mark.parametrize("address", ["/dashboard/facts", "/dashboard/audit", "/dashboard/facts/add"])
def test_pages_are_not_kept_by_the_browser(operator: Client, address: str) -> None:
    assert "no-store" in get_page(operator, address)["Cache-Control"]


@pytest.mark.parametrize("name", ["fact-add", "fact-edit", "fact-delete"])
def test_changes_without_a_csrf_token_are_refused_readably(operator: Client, name: str) -> None:
    guarded = Client(enforce_csrf_checks=True)
    guarded.force_login(get_user_model().objects.get())
    answer = guarded.post(reverse(name), headers=HTMX)
    assert answer.status_code == 403
    assert find_elements(answer, "div", id="problem")
    assert "Reload the page" in visible_text(answer)


def test_the_icon_is_there_for_pages_that_name_none(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"] == "/static/favicon.ico"


def test_error_pages_name_the_cure(operator: Client, configure: Configure) -> None:
    missing = operator.get("/dashboard/nowhere")
    assert (missing.status_code, len(find_elements(missing, "h1"))) == (404, 1)
    assert "no such page" in visible_text(missing)
    refused = operator.get("/dashboard/facts/delete?key=a")
    assert (refused.status_code, refused["Allow"]) == (405, "POST")
    assert "use the button" in visible_text(refused)
    host = operator.get("/dashboard/facts", headers={"Host": "elsewhere.example"})
    assert host.status_code == 400
    assert "CAESAR_ALLOWED_HOSTS" in visible_text(host)


def test_a_fault_of_the_server_says_so_without_touching_the_database(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboard.overview import responses

    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(responses, "read_summary", broken)
    operator.raise_request_exception = False
    answer = operator.get("/dashboard/")
    assert answer.status_code == 500
    assert "The log says what happened" in visible_text(answer)
    assert "broken" not in visible_text(answer)

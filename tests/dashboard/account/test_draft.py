"""A form that is sent after the session ended: the login says why, and what was typed is there after it."""

from datetime import datetime, timedelta
from urllib.parse import unquote

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from memory.models import AuditRow, PersonalFact, WaitingFact
from tests.dashboard.helpers import fact_url, find_elements, get_page, htmx_headers, learn_fact, visible_text

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough password"
EDIT = {"value": "Bowser of the hill", "seen": "Beans"}


@pytest.fixture
def browser(now: datetime) -> Client:
    """A browser whose operator had logged in and looked at the facts; then the session ended."""
    get_user_model().objects.create_superuser("operator", password=PASSWORD)
    get_user_model().objects.create_superuser("other", password=PASSWORD)
    learn_fact("dog.name", "Beans", now=now)
    client = Client()
    log_in(client)
    get_page(client)
    end_session(client)
    return client


def end_session(client: Client) -> None:
    Session.objects.all().delete()


def log_in(client: Client, username: str = "operator", page: str = "/dashboard/facts") -> HttpResponse:
    return client.post("/login", {"username": username, "password": PASSWORD, "next": page})


def send_edit(client: Client, **extra: object) -> HttpResponse:
    return client.post(fact_url("fact-edit", "dog.name"), EDIT, **extra)  # type: ignore[arg-type]


def test_it_works(browser: Client) -> None:
    login = send_edit(browser)["Location"]
    assert login.startswith("/login?next=")
    assert "session had ended" in visible_text(get_page(browser, login))
    assert log_in(browser)["Location"] == "/draft"
    page = get_page(browser, "/draft")
    form = find_elements(page, "form", action=fact_url("fact-edit", "dog.name"), method="post")
    assert len(form) == 1
    sent = {field["name"]: field["value"] for field in find_elements(page, "input") if "value" in field.attributes}
    assert EDIT.items() <= sent.items()
    browser.post(form[0]["action"], EDIT)
    assert PersonalFact.objects.get().value == EDIT["value"]


def test_once_saved_it_is_gone(browser: Client) -> None:
    send_edit(browser)
    log_in(browser)
    send_edit(browser)
    assert browser.get("/draft")["Location"] == "/dashboard/"


def test_what_htmx_sent_is_kept_too(browser: Client) -> None:
    answer = send_edit(browser, headers=htmx_headers("/dashboard/facts?page=2"))
    assert answer["HX-Redirect"].startswith("/login?next=")
    log_in(browser)
    assert EDIT["value"] in get_page(browser, "/draft").content.decode()


def test_another_account_does_not_get_it(browser: Client) -> None:
    send_edit(browser)
    assert log_in(browser, "other")["Location"] == "/dashboard/facts"
    assert browser.get("/draft")["Location"] == "/dashboard/"
    assert not any(EDIT["value"] in str(session.get_decoded()) for session in Session.objects.all())


def test_whoever_came_in_by_the_admin_gets_none_and_leaves_none(browser: Client) -> None:
    send_edit(browser)
    browser.post("/admin/login/", {"username": "other", "password": PASSWORD, "next": "/admin/"})
    assert browser.get("/draft")["Location"] == "/dashboard/"
    assert not any(EDIT["value"] in str(session.get_decoded()) for session in Session.objects.all())
    end_session(browser)
    send_edit(browser)
    assert log_in(browser)["Location"] == "/dashboard/facts"
    assert browser.get("/draft")["Location"] == "/dashboard/"


def test_its_text_is_in_no_address_and_no_log(browser: Client, caplog: pytest.LogCaptureFixture) -> None:
    answers = [send_edit(browser), log_in(browser)]
    for answer in answers:
        assert "Bowser" not in unquote(answer["Location"])
        assert "Bowser" not in str(answer.cookies)
    assert "Bowser" not in caplog.text
    assert not AuditRow.objects.filter(payload__icontains="Bowser").exists()


def test_a_stranger_stores_nothing(browser: Client) -> None:
    send_edit(Client())
    assert not Session.objects.exists()
    forged = Client()
    forged.cookies["account"] = "1"
    send_edit(forged)
    assert not Session.objects.exists()


def test_it_is_kept_for_an_hour(browser: Client, now: datetime) -> None:
    send_edit(browser)
    with time_machine.travel(now + timedelta(minutes=61), tick=False):
        assert log_in(browser)["Location"] == "/dashboard/facts"
        assert not any("Bowser" in str(session.get_decoded()) for session in Session.objects.all())


def test_the_session_after_it_lives_as_long_as_any(browser: Client) -> None:
    send_edit(browser)
    log_in(browser)
    assert browser.session.get_expiry_age() > 24 * 3600


def test_it_can_be_dropped(browser: Client) -> None:
    send_edit(browser, headers={"Referer": "http://testserver/dashboard/facts?q=dog"})
    log_in(browser)
    assert browser.post("/draft/drop")["Location"] == "/dashboard/facts?q=dog"
    assert browser.get("/draft")["Location"] == "/dashboard/"


def test_a_verb_without_text_is_not_kept(browser: Client) -> None:
    browser.post(fact_url("fact-delete", "dog.name"))
    assert log_in(browser)["Location"] == "/dashboard/facts"
    assert PersonalFact.objects.exists()


BUTTONS = ["fact-confirm", "fact-keep", "fact-unkeep", "fact-let-go", "fact-delete"]


@pytest.mark.parametrize("name", BUTTONS)
def test_a_button_is_no_draft(browser: Client, name: str) -> None:
    browser.post(reverse(name), {"key": "dog.name", "next": "/dashboard/"})
    assert log_in(browser)["Location"] == "/dashboard/facts"


CLICKS: list[tuple[str, dict[str, str]]] = [
    *((reverse(name), {"key": "dog.name", "next": "/dashboard/"}) for name in BUTTONS),
    ("/dashboard/say", {"message": " "}),
    ("/dashboard/facts/edit?key=cat.name", {"value": "Tom", "seen": "Tom"}),
    ("/dashboard/facts/add", {"key": "cat.name", "value": "", "seen": "Tom"}),
    (reverse("waiting-accept", args=[1]), {"value": "Tom", "seen": "", "held": "Tom"}),
    (reverse("waiting-drop", args=[1]), {"value": "Tom", "seen": "", "held": "Tom"}),
]


@pytest.mark.parametrize(("address", "fields"), CLICKS)
def test_a_click_that_typed_nothing_leaves_the_draft(browser: Client, address: str, fields: dict[str, str]) -> None:
    send_edit(browser)
    browser.post(address, fields)
    log_in(browser)
    assert EDIT["value"] in get_page(browser, "/draft").content.decode()


def test_a_key_that_was_typed_is_kept(browser: Client) -> None:
    browser.post("/dashboard/facts/add", {"key": "cat.name", "value": ""})
    assert log_in(browser)["Location"] == "/draft"


def test_a_claim_that_was_corrected_is_kept(browser: Client) -> None:
    browser.post(reverse("waiting-accept", args=[1]), {"value": "Tim", "seen": "", "held": "Tom"})
    assert log_in(browser)["Location"] == "/draft"


def test_a_waiting_claim_says_what_its_field_held(operator: Client, now: datetime) -> None:
    WaitingFact.objects.create(key="cat.name", value="Tom", said_at=now, created_at=now)
    page = get_page(operator)
    assert find_elements(page, "input", name="held", value="Tom")


def test_too_much_is_not_kept(browser: Client) -> None:
    browser.post("/dashboard/say", {"message": "x" * 50_000})
    assert not Session.objects.exists()


def test_a_page_asked_for_says_that_the_session_ended(browser: Client) -> None:
    assert "session has ended" in visible_text(get_page(browser, browser.get("/dashboard/facts")["Location"]))
    assert "session" not in visible_text(get_page(Client(), "/login?next=/dashboard/facts"))


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/dashboard/facts/add", {"key": "cat.name", "value": "Tom"}),
        ("/dashboard/say", {"message": "My cat\nis Tom."}),
        ("/dashboard/connect/keys", {"label": "tablet", "limits": "1", "scopes": ["record", "read"]}),
    ],
)
def test_every_field_comes_back(browser: Client, address: str, fields: dict[str, str | list[str]]) -> None:
    browser.post(address, fields)
    log_in(browser)
    page = get_page(browser, "/draft")
    shown = page.content.decode()
    for text in (text for value in fields.values() for text in ([value] if isinstance(value, str) else value)):
        assert text in shown
    names = [field["name"] for field in find_elements(page, "input") if "name" in field.attributes]
    assert names.count("scopes") == len(fields.get("scopes", []))


def test_after_the_login_it_is_no_older_than_an_hour_either(browser: Client, now: datetime) -> None:
    send_edit(browser)
    log_in(browser)
    assert get_page(browser, "/draft")
    with time_machine.travel(now + timedelta(minutes=61), tick=False):
        assert browser.get("/draft")["Location"] == "/dashboard/"

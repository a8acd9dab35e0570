"""Where a page leads back to: by a form's `next`, the Referer or a draft, and never to another server."""

from datetime import datetime
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client

from memory.models import AuditRow
from tests.dashboard.helpers import fact_url, get_page, htmx_headers, learn_fact

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough password"
ELSEWHERE = [
    "http://testserver//evil.example/x",
    "http://testserver///evil.example/",
    "http://testserver/\\evil.example",
    "http://testserver/\t/evil.example/",
    "http://testserver@evil.example/",
    "https://evil.example/",
    "http:///evil.example",
    "//evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\tevil.example/",
    "/\t/evil.example/",
    "\t//evil.example/",
    "javascript:alert(1)",
]


@pytest.fixture
def lapsed(now: datetime) -> Client:
    """A browser whose operator had looked at the facts; then the session ended."""
    get_user_model().objects.create_superuser("operator", password=PASSWORD)
    learn_fact("dog.name", "Beans", now=now)
    client = Client()
    log_in(client)
    get_page(client)
    Session.objects.all().delete()
    return client


def log_in(client: Client) -> HttpResponse:
    return client.post("/login", {"username": "operator", "password": PASSWORD})


def stays_here(where: str) -> bool:
    """Whether a browser on this server stays on it. Browsers drop tabs, and take a backslash for a slash."""
    where = "".join(where.replace("\\", "/").split())
    where = "//" + where.lstrip("/") if where.startswith("//") else where
    return urlsplit(urljoin("http://testserver/", where))[:2] == ("http", "testserver")


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_next_leads_to_no_other_server(operator: Client, now: datetime, elsewhere: str) -> None:
    learn_fact("dog.name", "Beans", now=now)
    sent = {"key": "dog.name", "next": elsewhere}
    assert stays_here(operator.post("/dashboard/facts/confirm", sent)["Location"])
    answer = operator.post("/dashboard/facts/confirm", sent, headers=htmx_headers("/dashboard/"))
    assert stays_here(answer["HX-Redirect"])


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_the_referer_leads_to_no_other_server(client: Client, elsewhere: str) -> None:
    assert stays_here(client.post("/theme", {"theme": "dark"}, headers={"Referer": elsewhere})["Location"])


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_a_draft_leads_back_to_no_other_server(lapsed: Client, elsewhere: str) -> None:
    lapsed.post(fact_url("fact-edit", "dog.name"), {"value": "Bo", "seen": "Beans"}, headers={"Referer": elsewhere})
    log_in(lapsed)
    assert stays_here(lapsed.post("/draft/drop")["Location"])


@pytest.mark.parametrize("size", [1000, 3000, 9000, 60_000])
def test_a_huge_next_is_no_error(operator: Client, now: datetime, size: int) -> None:
    learn_fact("dog.name", "Beans", now=now)
    rows = AuditRow.objects.count()
    answer = operator.post("/dashboard/facts/confirm", {"key": "dog.name", "next": "/dashboard/facts?q=" + "é" * size})
    assert (answer.status_code, AuditRow.objects.count()) == (302, rows + 1)


@pytest.mark.parametrize("size", [3000, 9000, 60_000])
def test_a_huge_address_leads_to_the_login_all_the_same(lapsed: Client, size: int) -> None:
    huge = "/dashboard/audit?q=" + "é" * size
    assert lapsed.get(huge)["Location"] == "/login?next=%2Fdashboard%2Faudit"
    assert lapsed.get("/dashboard/board", headers=htmx_headers(huge))["HX-Redirect"].startswith("/login")
    sent = {"value": "Bo", "seen": "Beans"}
    answer = lapsed.post(fact_url("fact-edit", "dog.name"), sent, headers={"Referer": f"http://testserver{huge}"})
    assert answer["Location"].startswith("/login")
    assert log_in(lapsed)["Location"] == "/draft"

"""What protects the operator on every address there is: the policy, the login, and that text stays text."""

import ast
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from memory import events
from memory.models import SCOPES, ApiKey, AuditRow
from tests.conftest import ApiClient
from tests.dashboard.helpers import find_elements, get_page, htmx_headers, learn_fact
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a long enough password"
ARGUMENTS = {"row_id": "1", "chat_id": "1", "key_id": "1", "deletion_id": "1", "name": "extract", "key": "dog.name"}
POLICY = {name: set(values) for name, values in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()}
OPEN_TO_ALL = ("/healthz", "/readyz", "/v1/docs", "/v1/openapi.json", "/admin/jsi18n/", "/login", "/admin/login/")
SECRET = "Quagga"


def policy_of(response: HttpResponse) -> dict[str, set[str]]:
    """The policy an answer carries, {directive: its sources}."""
    parts = (part.split() for part in response["Content-Security-Policy"].split(";"))
    return {name: set(sources) for name, *sources in parts}


def addresses(patterns: list[URLPattern | URLResolver], start: str = "/") -> Iterator[str]:
    """Every address of the server, its arguments filled in; those of Django admin that need more are left out."""
    for pattern in patterns:
        part = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: ARGUMENTS.get(found[1], "1"), str(pattern.pattern))
        part = part.replace("^", "").replace("/?$", "").replace("\\Z", "").replace("$", "")
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, start + part)
        elif "(?P" not in part:
            yield start + part


EVERYWHERE = sorted(set(addresses(get_resolver().url_patterns)))


@pytest.fixture
def lived_in(operator: Client, now: datetime) -> Client:
    learn_fact("dog.name", SECRET, now=now)
    ApiKey.objects.issue("kitchen tablet")
    operator.raise_request_exception = False
    return operator


@pytest.mark.parametrize("address", EVERYWHERE)
def test_the_policy_stands_on_every_answer_and_a_stranger_reads_nothing(lived_in: Client, address: str) -> None:
    stranger = Client(raise_request_exception=False, REMOTE_ADDR="192.0.2.9")
    for response in (
        asked := stranger.get(address),
        stranger.post(address),
        lived_in.get(address),
        lived_in.post(address),
    ):
        assert response.status_code < 500 or address == "/readyz"  # which says that no worker runs
        assert policy_of(response) == POLICY
        assert response["X-Frame-Options"] == "DENY"
        assert response["X-Content-Type-Options"] == "nosniff"
    assert SECRET not in asked.content.decode()
    assert asked.status_code != 200 or address in OPEN_TO_ALL


def test_the_policy_allows_nothing_inline_and_nobody_else() -> None:
    assert POLICY["default-src"] == {"'none'"}
    assert set().union(*POLICY.values()) == {"'none'", "'self'"}


def test_the_list_of_addresses_is_not_empty() -> None:
    wanted = {"/login", "/dashboard/models", "/dashboard/audit/1", "/v1/docs", "/v1/openapi.json", "/admin/login/"}
    assert wanted <= set(EVERYWHERE)
    assert len(EVERYWHERE) > 80


# --- sessions -----------------------------------------------------------------------------------------------------

HTMX_PAGES = [
    ("/dashboard/facts/edit?key=dog.name", "/dashboard/facts?q=dog"),
    ("/dashboard/facts/row?key=dog.name", "/dashboard/facts?page=2"),
    ("/dashboard/audit?q=a", "/dashboard/audit?day=2026-05-20"),
    ("/dashboard/audit/news?after=1", "/dashboard/audit?family=facts"),
    ("/dashboard/board", "/dashboard/"),
    ("/dashboard/said/1", "/dashboard/?said=1"),
    ("/dashboard/models?ask=chat", "/dashboard/models"),
    ("/dashboard/preview?message=a", "/dashboard/preview?message=b"),
]


@pytest.mark.parametrize(("part", "shown"), HTMX_PAGES)
def test_a_session_that_ends_leads_back_to_the_page_not_to_a_part_of_it(now: datetime, part: str, shown: str) -> None:
    get_user_model().objects.create_superuser("operator", password=PASSWORD)
    client, sent = Client(), {"username": "operator", "password": PASSWORD}
    client.post("/login", sent)
    learn_fact("dog.name", "Beans", now=now)
    headers = htmx_headers(shown)
    assert "HX-Redirect" not in client.get(part, headers=headers)
    later = now + timedelta(seconds=settings.SESSION_COOKIE_AGE + 1)
    with time_machine.travel(later, tick=False):
        login = client.get(part, headers=headers)["HX-Redirect"]
        hidden = find_elements(get_page(client, login), "input", name="next")[0]["value"]
        assert client.post("/login", {**sent, "next": hidden})["Location"] == shown
        assert find_elements(get_page(client, shown), "html")


def test_a_part_asked_for_by_itself_is_a_page(operator: Client, now: datetime) -> None:
    """Whoever is sent to such an address after a login, or opens it in a new tab, gets a page."""
    learn_fact("dog.name", "Beans", now=now)
    for part, _ in HTMX_PAGES:
        assert find_elements(operator.get(part, follow=True), "html"), part


def test_a_session_taken_away_on_the_server_is_over_at_once(operator: Client) -> None:
    get_page(operator, "/dashboard/facts")
    Session.objects.all().delete()
    assert operator.get("/dashboard/facts")["Location"] == "/login?next=%2Fdashboard%2Ffacts"


def test_a_new_password_ends_every_other_session() -> None:
    get_user_model().objects.create_superuser("operator", password=PASSWORD)
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        client.post("/login", {"username": "operator", "password": PASSWORD})
    new = "another long enough one"
    sent = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert here.post("/password", sent)["Location"] == "/password/done"
    get_page(here, "/dashboard/facts")
    assert elsewhere.get("/dashboard/facts").status_code == 302


# --- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/memory/facts", "/v1/audit", "/v1/memory/episodes"])
def test_a_revoked_key_is_refused_at_its_next_call(now: datetime, path: str) -> None:
    issued = ApiKey.objects.issue("kitchen tablet", scopes=SCOPES)
    client = ApiClient(issued.secret)
    assert client.get(path).status_code == 200
    issued.row.revoke(now=now)
    assert client.get(path).status_code == 401


# --- text stays text --------------------------------------------------------------------------------------------------

MARKUP = "<img src=x onerror=alert(1)></script></pre></textarea>\"'><svg onload=alert(2)>"


def test_nothing_is_declared_safe() -> None:
    """The one way to markup from Python is `format_html`, which escapes what it is given; templates have no way.

    The manual's Markdown comes from our own files, and its reader lets no markup of theirs through. The timeline marks
    words in sentences that templates have made: it puts `<mark>` around text, and escapes every text anew.
    """
    manual = ROOT / "dashboard" / "manual" / "documents.py"
    for path in {*ROOT.glob("dashboard/**/*.py"), *ROOT.glob("memory/**/*.py"), *ROOT.glob("caesar/*.py")} - {manual}:
        names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
        assert not names & {"mark_safe", "format_html_join", "safestring", "html_safe"}, path
    for path in ROOT.glob("templates/**/*.html"):
        assert not re.search(r"\|\s*safe|autoescape|safeseq|\|\s*escapejs|json_script", path.read_text()), path


def test_format_html_is_given_its_markup_literally() -> None:
    for path in (*ROOT.glob("dashboard/**/*.py"), *ROOT.glob("memory/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "format_html":
                assert isinstance(node.args[0], ast.Constant), f"{path}: {ast.unparse(node)}"


def test_markup_of_any_origin_is_shown_as_text(operator: Client, now: datetime) -> None:
    """In facts and their keys, chats, roles, names of models, errors, summaries, triggers, conversations, API keys."""
    said = [events.Message(role="user", content=MARKUP), events.Message(role=MARKUP, content=MARKUP)]
    recorded = record_turn(said, MARKUP, now=now, model=MARKUP, conversation_id=MARKUP[:100], decision_id=MARKUP[:60])
    row = AuditRow.objects.get(pk=recorded.audit_log_id)
    learn_fact(f"k{MARKUP}".lower()[:100], MARKUP, now=now, source=row)
    told = [
        events.ChatFailed(error=MARKUP, kind=MARKUP, provider=MARKUP, proactive=MARKUP),
        events.ChatPassedThrough(reason="task_prompt", beginning=MARKUP, model=MARKUP),
        events.ChatCompleted(messages=said, reply=MARKUP, model=MARKUP, proactive=MARKUP),
        events.ExtractAbandoned(error=MARKUP, attempts=5, reason="bad_answer"),
        events.EpisodeSummarised(audit_log_id=row.pk, summary=MARKUP, model=MARKUP),
        events.ContextServed(block=MARKUP, left_out=[events.LeftOut(part="facts", reason=MARKUP)]),
    ]
    for event in told:
        AuditRow.objects.record(event, now=now, chat=row)
    ApiKey.objects.issue(MARKUP)
    rows = [f"/dashboard/audit/{number}" for number in AuditRow.objects.values_list("pk", flat=True)]
    fact = AuditRow.objects.exclude(fact_key=None).get().fact_key
    for address in (
        "/dashboard/",
        "/dashboard/facts",
        f"/dashboard/facts/one?{urlencode({'key': fact})}",
        "/dashboard/audit",
        "/dashboard/audit?q=onerror",
        "/dashboard/connect",
        "/dashboard/preview?message=%3Cimg%20src=x%20onerror=alert(1)%3E",
        *rows,
    ):
        response = get_page(operator, address)
        assert not find_elements(response, "img"), address
        assert not [svg for svg in find_elements(response, "svg") if "onload" in svg.attributes], address
        assert all(script["src"].startswith("/static/") for script in find_elements(response, "script")), address

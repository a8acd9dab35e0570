"""Who fails to log in too often waits; everybody else notices nothing."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.conftest import ApiClient
from tests.dashboard.helpers import find_elements, visible_text

PASSWORD = "a long enough password"
DOORS = ["/login", "/admin/login/"]


@pytest.fixture
def stranger(db: None) -> Client:
    """A browser in which nobody is logged in; the operator has an account."""
    get_user_model().objects.create_superuser("operator", password=PASSWORD)
    return Client()


def attempt(
    client: Client, password: str, *, door: str = "/login", name: str = "operator", **sent: Any
) -> HttpResponse:
    response: HttpResponse = client.post(door, {"username": name, "password": password}, **sent)
    return response


def fail(client: Client, times: int, **sent: Any) -> list[int]:
    return [attempt(client, "wrong", **sent).status_code for _ in range(times)]


@pytest.mark.parametrize("door", DOORS)
def test_the_fifth_failure_locks_even_the_right_password_out(stranger: Client, door: str) -> None:
    refused = {"/login": 422, "/admin/login/": 200}[door]
    assert fail(stranger, 5, door=door) == [refused] * 4 + [429]
    answer = attempt(stranger, PASSWORD, door=door)
    assert answer.status_code == 429
    assert "sessionid" not in stranger.cookies


def test_both_doors_count_together(stranger: Client) -> None:
    fail(stranger, 3, door="/login")
    assert fail(stranger, 2, door="/admin/login/") == [200, 429]
    assert attempt(stranger, PASSWORD).status_code == 429


def test_the_page_says_when_it_ends_and_how_to_end_it(stranger: Client, now: datetime) -> None:
    with time_machine.travel(now, tick=False) as clock:
        fail(stranger, 5)
        clock.shift(timedelta(minutes=5, seconds=10))
        answer = attempt(stranger, PASSWORD)
    assert answer["Retry-After"] == str(9 * 60 + 50)
    assert "no-store" in answer["Cache-Control"]
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert len(find_elements(answer, "h1")) == len(find_elements(answer, "main", id="content")) == 1
    assert "for 10 minutes, even with the right password. Try again at 09:15" in visible_text(answer).replace(" .", ".")
    assert "manage.py axes_reset" in visible_text(answer)
    assert find_elements(answer, "a", href="/login")


def test_trying_on_does_not_make_it_longer_and_it_ends_as_said(stranger: Client, now: datetime) -> None:
    with time_machine.travel(now, tick=False) as clock:
        fail(stranger, 5)
        clock.shift(timedelta(minutes=14))
        assert fail(stranger, 1) == [429]
        wait = attempt(stranger, PASSWORD)["Retry-After"]
        assert wait == "60"
        clock.shift(timedelta(seconds=int(wait) + 1))
        assert attempt(stranger, PASSWORD).status_code == 302


def test_failures_of_several_browsers_count_together_and_the_end_is_true(stranger: Client, now: datetime) -> None:
    with time_machine.travel(now, tick=False) as clock:
        fail(stranger, 3, headers={"User-Agent": "one"})
        clock.shift(timedelta(minutes=4))
        assert fail(stranger, 2, headers={"User-Agent": "two"}) == [422, 429]
        wait = attempt(stranger, PASSWORD)["Retry-After"]
        assert wait == str(11 * 60)
        clock.shift(timedelta(seconds=int(wait) + 1))
        assert attempt(stranger, PASSWORD).status_code == 302


def test_another_address_and_another_name_are_not_locked(stranger: Client) -> None:
    get_user_model().objects.create_user("ann", password=PASSWORD)
    fail(stranger, 5)
    assert attempt(stranger, PASSWORD, name="ann").status_code == 302
    assert attempt(Client(REMOTE_ADDR="192.0.2.7"), PASSWORD).status_code == 302


def test_an_address_that_is_only_claimed_counts_for_nothing(stranger: Client) -> None:
    last = [fail(stranger, 1, headers={"X-Forwarded-For": f"192.0.2.{n}"}) for n in range(5)][-1]
    assert last == [429]


def test_a_success_counts_from_the_start_again(stranger: Client) -> None:
    fail(stranger, 4)
    assert attempt(stranger, PASSWORD).status_code == 302
    assert not AccessAttempt.objects.exists()
    assert fail(Client(), 4) == [422] * 4


def test_the_command_ends_it_at_once(stranger: Client) -> None:
    fail(stranger, 5)
    call_command("axes_reset", verbosity=0)
    assert attempt(stranger, PASSWORD).status_code == 302


def test_no_password_is_kept_or_logged(stranger: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        for _ in range(5):
            attempt(stranger, "my secret attempt", name="my other secret")
    kept = [{**row, "username": ""} for row in AccessAttempt.objects.values()]
    assert kept
    assert "secret" not in str(kept)
    assert "secret" not in "".join(record.getMessage() for record in caplog.records if record.name.startswith("axes"))
    assert "127.0.0.1" in caplog.text


def test_pages_and_api_ask_it_nothing(operator: Client, api: ApiClient) -> None:
    fail(Client(), 5)
    with CaptureQueriesContext(connection) as asked:
        assert operator.get("/dashboard/facts").status_code == 200
        assert api.get("/v1/audit").status_code == 200
        assert ApiClient("wrong").get("/v1/audit").status_code == 401
    assert not [query["sql"] for query in asked if "axes" in query["sql"]]


def test_the_session_of_the_operator_goes_on_through_a_lock(operator: Client) -> None:
    fail(Client(), 5)
    assert operator.get("/dashboard/facts").status_code == 200
    assert operator.post("/logout")["Location"] == "/login"


def test_its_own_checks_pass_with_none_silenced() -> None:
    assert not [found for found in run_checks() if str(found.id).startswith("axes")]
    assert not [name for name in getattr(settings, "SILENCED_SYSTEM_CHECKS", []) if name.startswith("axes")]
    assert settings.AXES_ENABLED

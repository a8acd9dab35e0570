"""`manage.py search`: a table that can be read, or JSON; one row says what was asked."""

import json
from datetime import datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from memory.events import Message
from memory.models import AuditRow, PersonalFact
from tests.turns import record_turn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def lantern(db: None, now: datetime) -> None:
    PersonalFact.objects.add("home.lantern", "green", now=now)
    record_turn([Message(role="user", content="The green lantern is broken.")], "I see.", now=now - timedelta(days=1))


def test_it_works(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("search", "green lantern")
    told = capsys.readouterr().out
    assert "2026-05-20   fact           fact:home.lantern" in told
    assert "2026-05-19   message        chat:" in told
    assert "The green lantern is broken." in told
    assert "You wrote “green” and “lantern”" in told
    row = AuditRow.objects.get(event_type="memory.searched")
    assert (row.payload["door"], row.payload["found"], row.actor) == ("command", 2, None)


def test_json_has_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("search", "lantern", "--kind", "message", "--until", "2026-05-19", "--json")
    answer = json.loads(capsys.readouterr().out)
    (hit,) = answer["data"]
    assert (hit["kind"], hit["audit_log_id"], hit["key"]) == ("message", int(hit["id"].removeprefix("chat:")), None)


def test_nothing_found_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("search", "submarine last May")
    told = capsys.readouterr().out
    assert "Dates read as: 1 to 31 May 20" in told
    assert "Nothing was found." in told


@pytest.mark.parametrize(
    ("given", "cure"),
    [
        ([" "], "Say what you want to know"),
        (["a", "--limit", "0"], "Choose a --limit of 1 to 50"),
        (["a", "--since", "May"], "--since must be a day that exists, such as 2026-05-01"),
        (["a", "--since", "2026-05-02", "--until", "2026-05-01"], "Exchange the two"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_cure(given: list[str], cure: str) -> None:
    with pytest.raises(CommandError, match=cure):
        call_command("search", *given)

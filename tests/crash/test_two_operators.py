"""Two operators at one fact: one wins, the others see both values, and the winner leaves the one audit row."""

from datetime import datetime
from importlib import import_module
from urllib.parse import quote

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from memory.models import SCOPES, ApiKey, AuditRow, PersonalFact
from tests.crash.processes.fork_client import Child, ForkServer

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 10
OPERATORS = 4
KEY = "dog.name"
EDIT = f"/dashboard/facts/edit?key={KEY}"


@pytest.fixture
def key(db: None) -> str:
    return ApiKey.objects.issue("a chat backend", scopes=SCOPES).secret


def at_once(children: list[Child]) -> list[dict[str, object]]:
    """Let all go on at the same moment; what each says."""
    for child in children:
        assert child.next_message() == {"ready": True}
    for child in children:
        child.resume()
    return [child.answer() for child in children]


def edits() -> list[tuple[str, str]]:
    """Old and new value of each edit, oldest first."""
    rows = AuditRow.objects.filter(event_type="memory.fact.user_edited").order_by("id")
    return [(row.payload["old_value"], row.payload["new_value"]) for row in rows]


def value() -> str:
    return PersonalFact.objects.get(key=KEY).value


def test_of_calls_at_once_that_expect_the_same_value_one_wins(fork_server: ForkServer, key: str, now: datetime) -> None:
    PersonalFact.objects.add(KEY, "Beans", now=now)
    seen, history = "Beans", []
    for turn in range(ROUNDS):
        wanted = [f"Bowser {turn} {number}" for number in range(OPERATORS)]
        bodies = [{"value": one, "expected": seen} for one in wanted]
        path = f"/v1/memory/facts/{KEY}"
        answers = at_once(
            [fork_server.start("call", path=path, method="put", key=key, body=body, waits=True) for body in bodies]
        )
        assert sorted(answer["status"] for answer in answers) == [200] + [409] * (OPERATORS - 1), answers
        winner = next(one for one, answer in zip(wanted, answers, strict=True) if answer["status"] == 200)
        for one, answer in zip(wanted, answers, strict=True):
            if one != winner:
                assert answer["body"]["conflict"] == {"wanted": one, "current": winner}
        history.append((seen, winner))
        seen = value()
        assert seen == winner
    assert edits() == history
    print(f"{ROUNDS} rounds of {OPERATORS} calls at once: {len(history)} changes, {ROUNDS * (OPERATORS - 1)} conflicts")


def test_of_calls_at_once_that_add_a_key_one_wins(fork_server: ForkServer, key: str) -> None:
    for turn in range(ROUNDS):
        path = f"/v1/memory/facts/{quote(f'cat.{turn}')}"
        bodies = [{"value": f"Waffles {number}"} for number in range(OPERATORS)]
        answers = at_once(
            [fork_server.start("call", path=path, method="put", key=key, body=body, waits=True) for body in bodies]
        )
        statuses = [answer["status"] for answer in answers]
        assert statuses.count(201) == 1, answers
        assert set(statuses) <= {200, 201, 409}, "one that came later may have seen what it corrects"
    added = AuditRow.objects.filter(event_type="memory.fact.user_added")
    assert sorted(added.values_list("fact_key", flat=True)) == sorted(f"cat.{turn}" for turn in range(ROUNDS))


def session_of_its_own() -> str:
    """A browser's session in which the operator is logged in."""
    user, _ = get_user_model().objects.get_or_create(username="operator", is_staff=True, is_superuser=True)
    browser = Client()
    browser.force_login(user)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    assert import_module(settings.SESSION_ENGINE).SessionStore(session).exists(session)
    return session


def test_of_forms_sent_at_once_one_wins_and_the_others_show_both_values(fork_server: ForkServer, now: datetime) -> None:
    PersonalFact.objects.add(KEY, "Beans", now=now)
    sessions = [session_of_its_own() for _ in range(OPERATORS)]
    for turn in range(ROUNDS):
        seen, wanted = value(), [f"Bowser {turn} {number}" for number in range(OPERATORS)]
        answers = at_once(
            [
                fork_server.start("save_form", session=session, address=EDIT, fields={"value": one, "seen": seen})
                for session, one in zip(sessions, wanted, strict=True)
            ]
        )
        assert sorted(answer["status"] for answer in answers) == [302] + [422] * (OPERATORS - 1), answers
        winner = value()
        assert edits()[-1] == (seen, winner)
        assert len(edits()) == turn + 1
        for one, answer in zip(wanted, answers, strict=True):
            if one == winner:
                assert answer["status"] == 302
            else:
                assert answer["status"] == 422
                assert f"“{winner}”" in str(answer["page"])
                assert f"“{one}”" in str(answer["page"])


def test_a_fact_deleted_by_one_and_edited_by_another_at_once_ends_in_one_of_two_orders(
    fork_server: ForkServer, key: str, now: datetime
) -> None:
    for _ in range(ROUNDS):
        PersonalFact.objects.add(KEY, "Beans", now=now)
        path, before = f"/v1/memory/facts/{KEY}", AuditRow.objects.order_by("-id").values_list("id", flat=True)[0]
        body = {"value": "Bowser", "expected": "Beans"}
        edited, deleted = at_once(
            [
                fork_server.start("call", path=path, method="put", key=key, body=body, waits=True),
                fork_server.start("call", path=path, method="delete", key=key, waits=True),
            ]
        )
        kinds = list(AuditRow.objects.filter(id__gt=before).order_by("id").values_list("event_type", flat=True))
        if edited["status"] == 200:
            assert kinds == ["memory.fact.user_edited", "memory.fact.user_deleted"]
        else:
            assert edited["status"] == 409
            assert edited["body"]["conflict"] == {"wanted": "Bowser", "current": None}
            assert kinds == ["memory.fact.user_deleted"]
        assert deleted["status"] == 200
        assert not PersonalFact.objects.exists()

"""Who the operator is: by the setting, or the first person seen; ids that came together are one person."""

import threading
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError, connection

from memory.models import FirstPerson, OperatorId, PersonId
from memory.models.operator.identity import MOST_IDS

ANNA = PersonId("mail", "anna@example.org")
ANNA_ACCOUNT = PersonId("account", "a-1")
ANNA_NAME = PersonId("name", "anna")
BOB = PersonId("mail", "bob@example.org")
BOB_ACCOUNT = PersonId("account", "b-1")
BOB_NAME = PersonId("name", "bob")


def is_operator(*ids: PersonId, now: datetime, named: Sequence[str] = ()) -> bool:
    return OperatorId.objects.is_operator(ids, named=named, now=now)


@pytest.mark.django_db
def test_it_works(now: datetime) -> None:
    assert is_operator(ANNA, now=now)
    assert not is_operator(BOB, now=now)
    assert is_operator(ANNA, now=now)
    assert is_operator(now=now), "who says nothing is the operator"


@pytest.mark.django_db
@pytest.mark.parametrize("named", [[], ["anna@example.org"]])
def test_ids_that_came_together_are_one_person(now: datetime, named: list[str]) -> None:
    assert is_operator(ANNA, ANNA_ACCOUNT, ANNA_NAME, now=now, named=named)
    for alone in (ANNA, ANNA_ACCOUNT, ANNA_NAME):
        assert is_operator(alone, now=now, named=named)
    for other in ([BOB], [BOB_ACCOUNT], [BOB_NAME], [BOB, BOB_ACCOUNT, BOB_NAME]):
        assert not is_operator(*other, now=now, named=named)


@pytest.mark.django_db
@pytest.mark.parametrize("named", [[], ["anna@example.org"]])
def test_an_id_of_the_operators_does_not_help_who_has_another_mail_address(now: datetime, named: list[str]) -> None:
    constant = PersonId("user", "my-client")
    assert is_operator(ANNA, constant, now=now, named=named)
    assert not is_operator(BOB, constant, now=now, named=named)
    assert not is_operator(BOB, BOB_ACCOUNT, ANNA_NAME, now=now, named=named), "a name is anybody's choice"
    assert not is_operator(BOB, ANNA_ACCOUNT, now=now, named=named)
    assert not OperatorId.objects.filter(value__startswith="bob").exists()


@pytest.mark.django_db
def test_an_id_is_known_wherever_it_stands(now: datetime) -> None:
    assert is_operator(PersonId("user", "u-7"), now=now)
    assert is_operator(PersonId("safety", "u-7"), now=now)
    assert is_operator(PersonId("account", "x"), PersonId("user", "u-7"), now=now)
    assert is_operator(PersonId("account", "x"), now=now)
    assert not is_operator(PersonId("user", "u-8"), now=now)


@pytest.mark.django_db
def test_the_setting_wins_over_who_came_first(now: datetime) -> None:
    assert is_operator(BOB, BOB_ACCOUNT, now=now)
    assert not is_operator(BOB, now=now, named=["anna@example.org", "a-2"])
    assert not is_operator(BOB_ACCOUNT, now=now, named=["anna@example.org", "a-2"])
    assert is_operator(ANNA, now=now, named=["anna@example.org", "a-2"])
    assert is_operator(PersonId("account", "a-2"), now=now, named=["anna@example.org", "a-2"])
    assert is_operator(BOB, now=now), "and without it the first is the first again"


@pytest.mark.django_db
def test_ids_of_one_setting_are_nothing_under_another(now: datetime) -> None:
    assert is_operator(ANNA, ANNA_ACCOUNT, now=now, named=["anna@example.org"])
    assert not is_operator(ANNA_ACCOUNT, now=now, named=["bob@example.org"])


@pytest.mark.django_db
def test_another_person_is_noted_once_an_hour_and_without_an_id(
    now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    is_operator(ANNA, now=now)
    assert FirstPerson.shared() is None
    for minutes in (0, 1, 59, 61):
        is_operator(BOB, now=now + timedelta(minutes=minutes))
    shared = FirstPerson.shared()
    assert shared is not None
    assert shared.other_seen_at == now + timedelta(minutes=61)
    assert len(caplog.records) == 2
    assert "CAESAR_OPERATOR__IDS" in caplog.text
    assert "example.org" not in caplog.text


@pytest.mark.django_db
def test_a_client_that_sends_a_new_id_each_time_does_not_fill_the_table(now: datetime) -> None:
    for number in range(MOST_IDS + 20):
        assert is_operator(ANNA, PersonId("safety", f"s-{number}"), now=now)
    assert OperatorId.objects.count() == MOST_IDS


@pytest.mark.django_db
def test_what_cannot_be_noted_stops_no_turn(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("django.db.models.query.QuerySet.bulk_create", full)
        patched.setattr("django.db.models.query.QuerySet.update", full)
        assert is_operator(ANNA, ANNA_ACCOUNT, now=now)
        assert not is_operator(BOB, now=now)
    assert is_operator(ANNA, ANNA_ACCOUNT, now=now)
    assert is_operator(ANNA_ACCOUNT, now=now), "it is noted as soon as it can be"


@pytest.mark.django_db(transaction=True)
def test_of_two_first_requests_at_once_one_is_first(now: datetime) -> None:
    at_once = threading.Barrier(4)
    outcomes: dict[str, bool] = {}

    def ask(person: PersonId) -> None:
        try:
            at_once.wait(10)
            outcomes[person.value] = is_operator(person, now=now)
        finally:
            connection.close()

    people = [PersonId("mail", f"{number}@example.org") for number in range(4)]
    threads = [threading.Thread(target=ask, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    (first,) = [value for value, was_operator in outcomes.items() if was_operator]
    assert len(outcomes) == 4
    assert [person.value for person in people if is_operator(person, now=now)] == [first]

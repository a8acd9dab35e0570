"""Claims that wait, and facts that ended, in Django's admin."""

from datetime import datetime

import pytest
from django.test import Client

from memory.models import PersonalFact, WaitingFact
from tests.memory.models.fact_helpers import claim_that_waits, end, event_types, learn

pytestmark = pytest.mark.django_db

WAITING = "/admin/memory/waitingfact/"
FACTS = "/admin/memory/personalfact/"


def act(operator: Client, page: str, action: str, *ids: int) -> str:
    response = operator.post(page, {"action": action, "_selected_action": ids}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def test_a_claim_is_shown_and_never_edited(operator: Client, now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now, quote="my dog")
    assert "my dog" in operator.get(WAITING).content.decode()
    assert operator.get(f"{WAITING}{claim.pk}/change/").status_code == 200
    assert operator.post(f"{WAITING}{claim.pk}/change/", {"value": "x"}).status_code == 403
    assert operator.get(f"{WAITING}add/").status_code == 403


def test_claims_are_accepted_and_dropped(operator: Client, now: datetime) -> None:
    beans, tom = claim_that_waits("dog.name", "Beans", now=now), claim_that_waits("cat.name", "Tom", now=now)
    assert "1 accepted." in act(operator, WAITING, "accept", beans.pk)
    assert "1 dropped." in act(operator, WAITING, "drop", tom.pk)
    assert PersonalFact.objects.get().value == "Beans"
    assert not WaitingFact.objects.open().exists()
    assert "dog.name" not in operator.get(WAITING).content.decode()
    assert event_types()[-2:] == ["memory.fact.user_added", "memory.fact.user_dropped"]


def test_ended_facts_are_brought_back(operator: Client, now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    fact = PersonalFact.objects.get()
    assert "1 brought back." in act(operator, FACTS, "bring_back", fact.pk)
    assert PersonalFact.objects.get().retired_at is None
    assert operator.get(f"{FACTS}?retired_at__isempty=1").status_code == 200

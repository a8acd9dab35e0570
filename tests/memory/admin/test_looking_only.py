"""Who may only look at memory in the admin changes nothing there."""

from datetime import datetime

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from memory.models import AuditRow, PersonalFact, WaitingFact
from tests.memory.models.fact_helpers import claim_that_waits, end, fact, learn

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest() -> Client:
    """An account of staff that may look at facts, claims and the log."""
    user = User.objects.create_user("guest", password="a long enough password", is_staff=True)
    names = ("view_personalfact", "view_waitingfact", "view_auditrow")
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("action", ["confirm", "keep", "unkeep", "bring_back"])
def test_no_fact_changes(guest: Client, now: datetime, action: str) -> None:
    learn("dog.name", "Rex", now=now)
    if action == "unkeep":
        fact("dog.name").keep(now=now)
    if action == "bring_back":
        end("dog.name", now=now)
    count = AuditRow.objects.count()
    guest.post("/admin/memory/personalfact/", {"action": action, "_selected_action": [fact("dog.name").pk]})
    assert AuditRow.objects.count() == count


@pytest.mark.parametrize("action", ["accept", "drop"])
def test_no_claim_is_reviewed(guest: Client, now: datetime, action: str) -> None:
    claim = claim_that_waits("dog.name", "Rex", now=now)
    guest.post("/admin/memory/waitingfact/", {"action": action, "_selected_action": [claim.pk]})
    assert WaitingFact.objects.open().count() == 1


def test_nothing_is_undone(guest: Client, now: datetime) -> None:
    learn("dog.name", "Rex", now=now)
    row = fact("dog.name").edit("Max", now=now)
    assert row is not None
    guest.post("/admin/memory/auditrow/", {"action": "undo", "_selected_action": [row.pk]})
    assert PersonalFact.objects.get(key="dog.name").value == "Max"

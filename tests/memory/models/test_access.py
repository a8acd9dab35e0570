"""API keys leave a trace: one audit row for each that is made or revoked, through whatever door, without the key."""

from collections.abc import Callable
from datetime import datetime
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client

from memory.models import ApiKey, AuditRow

pytestmark = pytest.mark.django_db

LABEL = "kitchen tablet"


def rows() -> list[AuditRow]:
    return list(AuditRow.objects.order_by("id"))


def by_command(operator: Client) -> None:
    call_command("create_api_key", LABEL, stdout=StringIO(), stderr=StringIO())


def by_admin(operator: Client) -> None:
    operator.post("/admin/memory/apikey/add/", {"label": LABEL})


def by_page(operator: Client) -> None:
    operator.post("/dashboard/connect/keys", {"label": LABEL})


@pytest.mark.parametrize("make", [by_command, by_admin, by_page])
def test_a_key_that_is_made_leaves_one_row(operator: Client, make: Callable[[Client], None]) -> None:
    make(operator)
    key, (row,) = ApiKey.objects.get(), rows()
    assert row.event_type == "access.key_created"
    limits = {"scopes": ["record"], "expires_at": None, "requests_per_minute": None, "tokens_per_day": None}
    assert row.payload == {"key_label": LABEL, "prefix": key.prefix} | limits
    assert row.ts == key.created_at


def test_the_row_holds_no_more_of_the_key_than_its_beginning() -> None:
    issued = ApiKey.objects.issue(LABEL)
    row = rows()[0]
    assert issued.secret[len(issued.row.prefix) :] not in str(row.payload)
    assert issued.row.key_hash not in str(row.payload)


def in_admin(operator: Client, key: ApiKey) -> None:
    sent = {"action": "revoke", "_selected_action": [key.pk]}
    operator.post("/admin/memory/apikey/", sent)


def on_the_page(operator: Client, key: ApiKey) -> None:
    operator.post(f"/dashboard/connect/keys/{key.pk}/revoke")


@pytest.mark.parametrize("revoke", [in_admin, on_the_page])
def test_a_key_that_is_revoked_leaves_one_row_and_a_second_time_none(
    operator: Client, now: datetime, revoke: Callable[[Client, ApiKey], None]
) -> None:
    issued = ApiKey.objects.issue(LABEL)
    revoke(operator, issued.row)
    revoke(operator, issued.row)
    made, revoked = rows()
    assert revoked.event_type == "access.key_revoked"
    assert revoked.payload == {"key_label": LABEL, "prefix": made.payload["prefix"]}
    assert ApiKey.objects.verify(issued.secret, now=now) is None, "refused at once"


def test_a_second_revocation_keeps_the_first_moment(now: datetime) -> None:
    first, second = ApiKey.objects.issue(LABEL).row, ApiKey.objects.get()
    assert first.revoke(now=now)
    assert not second.revoke(now=datetime.now(now.tzinfo))
    assert second.revoked_at == now == ApiKey.objects.get().revoked_at


def test_a_key_that_could_not_be_written_leaves_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_urlsafe", lambda length: "the same twice")
    ApiKey.objects.issue(LABEL)
    with pytest.raises(IntegrityError):
        ApiKey.objects.issue(LABEL)
    assert len(rows()) == 1

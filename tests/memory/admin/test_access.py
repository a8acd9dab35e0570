"""API keys in Django's admin: shown once, revoked, never deleted."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from memory.models import ApiKey
from tests.memory.admin.admin_helpers import KEYS, action, text_of

pytestmark = pytest.mark.django_db


def test_a_new_key_is_shown_once(operator: Client) -> None:
    page = text_of(operator.post(f"{KEYS}add/", {"label": "kitchen tablet"}, follow=True))
    found = re.search(r"The key of kitchen tablet, shown this once: (caesar_\S+)", page)
    assert found
    assert ApiKey.objects.verify(found[1], now=timezone.now()) == ApiKey.objects.get(label="kitchen tablet")
    assert found[1] not in operator.get(KEYS).content.decode()


def test_a_key_without_a_label_is_refused_in_the_form(operator: Client) -> None:
    response = operator.post(f"{KEYS}add/", {"label": "  "})
    assert "This field is required." in text_of(response)
    assert not ApiKey.objects.exists()


def test_a_key_is_revoked_and_never_deleted(operator: Client) -> None:
    issued = ApiKey.objects.issue("kitchen tablet")
    assert "Revoked." in action(operator, KEYS, "revoke", issued.row.pk)
    assert ApiKey.objects.verify(issued.secret, now=timezone.now()) is None
    assert operator.post(f"{KEYS}{issued.row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert operator.post(f"{KEYS}{issued.row.pk}/change/", {"label": "x"}).status_code == 403

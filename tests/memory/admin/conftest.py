"""What the tests of Django's admin share: one fact, and somebody who may only look."""

from datetime import datetime

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client

from memory.models import PersonalFact


@pytest.fixture
def fact(now: datetime) -> PersonalFact:
    return PersonalFact.objects.add("dog.name", "Beans", now=now)


@pytest.fixture
def viewer(db: None) -> Client:
    """A browser in which somebody is logged in who may view every page and change nothing."""
    user = get_user_model().objects.create_user("guest", password="x", is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__startswith="view_"))
    client = Client()
    client.force_login(user)
    return client

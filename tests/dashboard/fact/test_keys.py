"""A fact's page whatever its key is."""

from datetime import datetime
from urllib.parse import urlencode

import pytest
from django.test import Client

from memory.models import PersonalFact
from tests.dashboard.helpers import (
    fact_url,
    find_elements,
    get_page,
    learn_fact,
    visible_text,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "key", ["a/b", "/", "..", "100%", "%2f", "what?", "a#b", "a&key=b", "it's", 'say_"hi"', "dog.🐶", "<b>", "Dog Name"]
)
def test_any_key_has_its_page_alive_and_deleted(operator: Client, now: datetime, key: str) -> None:
    PersonalFact.objects.create(key=key, value="first", first_seen_at=now, last_confirmed_at=now)
    path = fact_url("fact", key)
    response = get_page(operator, path)
    edit = next(f["action"] for f in find_elements(response, "form") if "facts/edit" in f["action"])
    assert operator.post(edit, {"value": "second", "seen": "first"})["Location"] == path
    delete = next(f["action"] for f in find_elements(get_page(operator, path), "form") if "facts/delete" in f["action"])
    assert operator.post(delete)["Location"] == path
    gone = get_page(operator, path)
    restore = next(f["action"] for f in find_elements(gone, "form") if "restore" in f["action"])
    assert operator.post(restore)["Location"] == path
    assert PersonalFact.objects.get(key=key).value == "second"
    assert find_elements(get_page(operator, path), "a", href=f"/dashboard/audit?{urlencode({'fact': key})}")


def test_two_spellings_are_two_facts(operator: Client, now: datetime) -> None:
    PersonalFact.objects.create(key="Dog Name", value="raw", first_seen_at=now, last_confirmed_at=now)
    learn_fact("dog_name", "normal", now=now)
    assert "Learned" in visible_text(get_page(operator, fact_url("fact", "dog_name")))
    assert "Learned" not in visible_text(get_page(operator, fact_url("fact", "Dog Name")))
    assert "dog_name" in visible_text(get_page(operator, fact_url("fact", "DOG name")))


@pytest.mark.parametrize("key", ["nothing", "", "%00", "x" * 3000, "%ff%fe"])
def test_a_fact_that_never_was_is_404(operator: Client, key: str) -> None:
    assert operator.get(f"/dashboard/facts/one?key={key}").status_code == 404
    assert operator.get("/dashboard/facts/one").status_code == 404
    assert operator.post("/dashboard/facts/one").status_code == 405

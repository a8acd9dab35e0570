"""Claims that wait, and facts that ended, through the API."""

from datetime import datetime, timedelta

import pytest

from memory.models import PersonalFact, WaitingFact
from tests.conftest import ApiClient
from tests.memory.models.fact_helpers import claim_that_waits, end, event_types, learn

pytestmark = pytest.mark.django_db

WAITING = "/v1/memory/waiting-facts"


def test_it_works(api: ApiClient, now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now, quote="my dog")
    (listed,) = api.get(WAITING).json()["data"]
    assert listed == {
        "id": claim.pk,
        "key": "dog.name",
        "value": "Beans",
        "sentence": "Your dog's name is Beans.",
        "confidence": 0.8,
        "quote": "my dog",
        "said_at": "2026-05-20T09:00:00Z",
        "created_at": "2026-05-20T09:00:00Z",
        "valid_until": None,
        "source_audit_id": claim.source_audit_id,
    }
    accepted = api.post(f"{WAITING}/{claim.pk}/accept", json={})
    assert accepted.status_code == 200
    assert accepted.json()["value"] == "Beans"
    assert api.get(WAITING).json() == {"data": [], "next": None}
    assert api.post(f"{WAITING}/{claim.pk}/accept", json={}).status_code == 404
    assert event_types() == ["memory.fact.waiting", "memory.fact.user_added"]


def test_a_value_that_changed_meanwhile_is_a_conflict(api: ApiClient, now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    learn("dog.name", "Rex", now=now)
    refused = api.post(f"{WAITING}/{claim.pk}/accept", json={"expected": ""})
    assert refused.status_code == 409
    assert refused.json()["conflict"] == {"wanted": "Beans", "current": "Rex"}
    assert api.post(f"{WAITING}/{claim.pk}/accept", json={"value": " "}).status_code == 422
    corrected = api.post(f"{WAITING}/{claim.pk}/accept", json={"value": "Bean", "expected": "Rex"})
    assert corrected.json()["value"] == "Bean"


def test_dropping_names_the_row_that_holds_it(api: ApiClient, now: datetime) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    dropped = api.post(f"{WAITING}/{claim.pk}/drop", json={})
    assert dropped.status_code == 200
    assert dropped.json()["key"] == "dog.name"
    assert api.post(f"{WAITING}/{claim.pk}/drop", json={}).status_code == 404
    assert api.post(f"{WAITING}/{10**30}/drop", json={}).status_code == 422
    assert event_types()[-1] == "memory.fact.user_dropped"


def test_pages_go_from_the_newest_to_the_oldest(api: ApiClient, now: datetime) -> None:
    ids = [claim_that_waits("dog.name", f"Beans {number}", now=now).pk for number in range(3)]
    first = api.get(f"{WAITING}?limit=2").json()
    rest = api.get(f"{WAITING}?limit=2&before={first['next']}").json()
    assert [claim["id"] for claim in first["data"] + rest["data"]] == ids[::-1]
    assert rest["next"] is None


def test_ended_facts_are_listed_where_they_are_asked_for(api: ApiClient, now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    learn("cat.name", "Tom", now=now)
    end("dog.name", now=now)
    assert [fact["key"] for fact in api.get("/v1/memory/facts").json()["data"]] == ["cat.name"]
    (ended,) = api.get("/v1/memory/facts?retired=true").json()["data"]
    assert (ended["key"], ended["retired_at"]) == ("dog.name", "2026-05-20T09:00:00Z")
    assert api.get("/v1/memory/facts/dog.name").json()["retired_at"]


def test_a_put_brings_an_ended_fact_back_and_a_delete_deletes_it(api: ApiClient, now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    back = api.put("/v1/memory/facts/dog.name", json={"value": "Waffles"})
    assert (back.status_code, back.json()["value"], back.json()["retired_at"]) == (200, "Waffles", None)
    end("dog.name", now=now + timedelta(days=1))
    assert api.delete("/v1/memory/facts/dog.name").status_code == 200
    assert not PersonalFact.objects.exists()
    assert not WaitingFact.objects.exists()

"""/v1/memory/facts: the operator's verbs."""

from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from pydantic import JsonValue

from memory.models import AuditRow, PersonalFact
from tests.conftest import ApiClient

pytestmark = pytest.mark.usefixtures("frozen_clock")

FACTS = "/v1/memory/facts"


def at(key: str) -> str:
    return f"{FACTS}/{quote(key, safe='')}"


def kinds() -> list[str]:
    return list(AuditRow.objects.order_by("id").values_list("event_type", flat=True))


def test_it_works(api: ApiClient) -> None:
    assert api.put(at("dog.name"), json={"value": "Beans"}).status_code == 201
    assert api.get(at("dog.name")).json()["sentence"] == "Your dog's name is Beans."
    assert [fact["key"] for fact in api.get(FACTS).json()["data"]] == ["dog.name"]
    assert api.delete(at("dog.name")).status_code == 200
    assert api.get(FACTS).json() == {"data": [], "next": None}


def test_a_new_key_adds(api: ApiClient) -> None:
    response = api.put(at("Dog Name"), json={"value": " Beans "})
    assert response.status_code == 201
    assert response.json() == {
        "key": "dog_name",
        "value": "Beans",
        "sentence": "dog_name: Beans",
        "confidence": 1.0,
        "importance": 1.0,
        "freshness": 1.0,
        "edit_count": 0,
        "first_seen_at": "2026-05-20T09:00:00Z",
        "last_confirmed_at": "2026-05-20T09:00:00Z",
        "source_audit_id": None,
        "valid_until": None,
        "retired_at": None,
        "kept_at": None,
    }
    assert kinds() == ["memory.fact.user_added"]


def test_an_existing_key_is_edited(api: ApiClient, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now - timedelta(days=60))
    response = api.put(at("dog.name"), json={"value": "Bean"})
    assert response.status_code == 200
    fact = response.json()
    assert (fact["value"], fact["edit_count"], fact["importance"]) == ("Bean", 1, 1.5)
    assert fact["first_seen_at"] == "2026-03-21T09:00:00Z"
    assert kinds() == ["memory.fact.user_added", "memory.fact.user_edited"]


def test_the_same_value_again_writes_nothing(api: ApiClient) -> None:
    api.put(at("dog.name"), json={"value": "Beans"})
    assert api.put(at("dog.name"), json={"value": "Beans"}).status_code == 200
    assert kinds() == ["memory.fact.user_added"]


def test_an_edit_of_what_changed_meanwhile_is_409_with_both_values(api: ApiClient) -> None:
    api.put(at("dog.name"), json={"value": "Beans"})
    response = api.put(at("dog.name"), json={"value": "Rex", "expected": "Bruno"})
    assert response.status_code == 409
    assert set(response.json()["error"]) == {"message", "type", "param", "code"}
    assert response.json()["conflict"] == {"wanted": "Rex", "current": "Beans"}
    assert api.put(at("dog.name"), json={"value": "Rex", "expected": "Beans"}).status_code == 200


def test_an_edit_of_what_vanished_meanwhile_is_409(api: ApiClient) -> None:
    response = api.put(at("dog.name"), json={"value": "Rex", "expected": "Beans"})
    assert response.status_code == 409
    assert response.json()["conflict"] == {"wanted": "Rex", "current": None}
    assert not PersonalFact.objects.exists()


@pytest.mark.parametrize(
    ("key", "body", "param"),
    [
        ("dog.name", {"value": ""}, "value"),
        ("dog.name", {"value": " \n "}, "value"),
        ("dog.name", {"value": "x" * 501}, "value"),
        ("dog.name", {"value": 7}, "value"),
        ("dog.name", {"value": None}, "value"),
        ("dog.name", {}, "value"),
        ("dog.name", {"value": "Rex", "expected": 7}, "expected"),
        ("x" * 129, {"value": "Rex"}, "key"),
        (" ", {"value": "Rex"}, "key"),
    ],
)
def test_what_cannot_be_kept_is_422(api: ApiClient, key: str, body: JsonValue, param: str) -> None:
    response = api.put(at(key), json=body)
    assert (response.status_code, response.json()["error"]["param"]) == (422, param)
    assert not PersonalFact.objects.exists()


def test_a_blank_edit_is_422_and_changes_nothing(api: ApiClient) -> None:
    api.put(at("dog.name"), json={"value": "Beans"})
    assert api.put(at("dog.name"), json={"value": " "}).status_code == 422
    assert api.get(at("dog.name")).json()["value"] == "Beans"


@pytest.mark.parametrize(
    "key",
    [
        "a/b",
        "a//b",
        "/a",
        "a/",
        "50%",
        "a%2fb",
        "%00",
        "100% of it",
        "dog's name",
        "naïve",
        "🐕.name",
        "a?b#c",
        "a+b&c=d",
        ".",
        "facts",
    ],
)
def test_any_key_works(api: ApiClient, key: str) -> None:
    created = api.put(at(key), json={"value": "Beans"})
    assert created.status_code == 201
    stored = created.json()["key"]
    for spelling in (key, stored):
        assert api.get(at(spelling)).json()["key"] == stored
    assert api.put(at(key), json={"value": "Rex"}).status_code == 200
    assert api.delete(at(key)).status_code == 200
    assert not PersonalFact.objects.exists()


def test_a_key_that_normalising_would_change_is_found_as_it_is_spelled(api: ApiClient, now: datetime) -> None:
    PersonalFact.objects.create(key="Dog Name", value="Beans", first_seen_at=now, last_confirmed_at=now)
    assert api.get(at("Dog Name")).status_code == 200
    assert api.delete(at("Dog Name")).status_code == 200


def test_nul_and_broken_bytes_in_a_key_do_no_harm(api: ApiClient) -> None:
    assert api.get(f"{FACTS}/dog%00name").status_code == 404
    assert api.get(f"{FACTS}/%ff%fe").status_code == 404
    assert api.put(f"{FACTS}/dog%00.name", json={"value": "Beans"}).json()["key"] == "dog.name"


def test_delete_answers_with_the_row_that_holds_the_fact(api: ApiClient) -> None:
    api.put(at("dog.name"), json={"value": "Beans"})
    answer = api.delete(at("dog.name")).json()
    row = AuditRow.objects.get(event_type="memory.fact.user_deleted")
    assert answer == {"deleted": True, "key": "dog.name", "audit_log_id": row.pk}
    assert row.payload["value"] == "Beans"


@pytest.mark.parametrize("method", ["get", "delete"])
def test_an_unknown_key_is_404(api: ApiClient, method: str) -> None:
    response = getattr(api, method)(at("dog.name"))
    assert response.status_code == 404
    assert "dog.name" in response.json()["error"]["message"]
    assert kinds() == []


# --- the list ---------------------------------------------------------------------------------------------------


def add_facts(count: int, now: datetime) -> None:
    """Facts k0, k1, ...: each a day older, and so less important, than the one before."""
    for number in range(count):
        PersonalFact.objects.add(f"k{number}", "x", now=now - timedelta(days=number))


def test_the_list_is_in_order_of_importance_with_its_parts(api: ApiClient, now: datetime) -> None:
    add_facts(3, now)
    data = api.get(FACTS).json()["data"]
    assert [fact["key"] for fact in data] == ["k0", "k1", "k2"]
    assert data[1]["freshness"] == pytest.approx(0.983471)  # exp(-1 / 60)
    assert data[1]["importance"] == pytest.approx(0.983471)


def test_pages_follow_each_other_to_the_end(api: ApiClient, now: datetime) -> None:
    add_facts(5, now)
    keys, before = [], ""
    for _ in range(3):
        page = api.get(f"{FACTS}?limit=2{before}").json()
        keys.append([fact["key"] for fact in page["data"]])
        before = f"&before={quote(page['next'] or '')}"
    assert keys == [["k0", "k1"], ["k2", "k3"], ["k4"]]
    assert page["next"] is None


def test_a_full_last_page_has_no_next(api: ApiClient, now: datetime) -> None:
    add_facts(2, now)
    assert api.get(f"{FACTS}?limit=2").json()["next"] is None


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=many", "limit"),
        ("limit=" + "9" * 30, "limit"),
        ("limit=" + "9" * 5_000, "limit"),
        ("before=2", "before"),
        ("before=", "before"),
        ("before=%F0%9F%90%95", "before"),
        ("before=ZmFjdHM6LTE=", "before"),
    ],
)
def test_a_wrong_query_is_422(api: ApiClient, query: str, param: str) -> None:
    response = api.get(f"{FACTS}?{query}")
    assert (response.status_code, response.json()["error"]["param"]) == (422, param)

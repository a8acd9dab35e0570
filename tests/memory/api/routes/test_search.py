"""`GET /v1/memory/search`: what is found, what is refused with the cure, and the row that says who asked."""

from datetime import datetime, timedelta

import pytest

from memory.events import Message
from memory.models import ApiKey, AuditRow, PersonalFact
from tests.conftest import ApiClient, Configure
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

SEARCH = "/v1/memory/search"


@pytest.fixture
def reader(db: None) -> ApiClient:
    return ApiClient(ApiKey.objects.issue("kitchen tablet", scopes=["read"]).secret)


@pytest.fixture
def chat_id(now: datetime) -> int:
    PersonalFact.objects.add("home.lantern", "green", now=now)
    said = [Message(role="user", content="The green lantern is broken.")]
    return record_turn(said, "I see.", now=now - timedelta(days=1)).audit_log_id or 0


def test_it_works(reader: ApiClient, chat_id: int) -> None:
    answer = reader.get(f"{SEARCH}?q=green+lantern").json()
    assert {hit["id"] for hit in answer["data"]} == {"fact:home.lantern", f"chat:{chat_id}"}
    message = next(hit for hit in answer["data"] if hit["kind"] == "message")
    assert message["audit_log_id"] == chat_id
    assert message["when"] == "2026-05-19T09:00:00Z"
    assert message["why"] == "You wrote “green” and “lantern”"
    assert message["key"] is None


def test_one_row_says_who_asked_what(reader: ApiClient, chat_id: int) -> None:
    reader.get(f"{SEARCH}?q=lantern+sk-proj-{'a1B2' * 12}&kind=message&until=2026-05-20")
    row = AuditRow.objects.get(event_type="memory.searched")
    assert row.actor == "key kitchen tablet"
    assert row.api_key is not None
    assert row.payload["door"] == "api"
    assert row.payload["until"] == "2026-05-20"
    assert row.payload["kinds"] == ["message"]
    assert "a1B2a1B2" not in row.payload["query"]
    assert row.payload["found"] == len(row.payload["ids"])


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"X-Conversation-Id": "temporary:1"}, "temporary_chat"),
        ({"X-OpenWebUI-User-Email": "bob@example.org"}, "other_person"),
        ({"X-OpenWebUI-User-Email": "bob@example.org", "X-Memory-Task": "errand"}, "other_person"),
    ],
)
def test_temporary_chats_and_other_people_get_nothing(
    reader: ApiClient, chat_id: int, configure: Configure, headers: dict[str, str], code: str
) -> None:
    configure(operator__ids=("ada@example.org",))
    refused = reader.get(f"{SEARCH}?q=lantern", headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, code)
    assert not AuditRow.objects.filter(event_type="memory.searched").exists()
    assert reader.get(f"{SEARCH}?q=lantern", headers={"X-OpenWebUI-User-Email": "ada@example.org"}).status_code == 200


@pytest.mark.parametrize("headers", [{"X-Memory": "Off"}, {"X-Memory-Task": "errand"}])
def test_with_memory_off_no_words_are_kept(reader: ApiClient, chat_id: int, headers: dict[str, str]) -> None:
    assert reader.get(f"{SEARCH}?q=lantern", headers=headers).json()["data"]
    assert not AuditRow.objects.filter(event_type="memory.searched").exists()


def test_a_long_question_is_cut_in_the_row(reader: ApiClient) -> None:
    assert reader.get(f"{SEARCH}?q={'lantern+' * 200}").status_code == 200
    assert len(AuditRow.objects.get(event_type="memory.searched").payload["query"]) <= 500


@pytest.mark.parametrize("kinds", ["kind=fact&kind=message", "kind=fact,message"])
def test_kinds_are_repeated_or_listed(reader: ApiClient, chat_id: int, kinds: str) -> None:
    assert {hit["kind"] for hit in reader.get(f"{SEARCH}?q=lantern&{kinds}").json()["data"]} == {"fact", "message"}
    assert {hit["kind"] for hit in reader.get(f"{SEARCH}?q=lantern&kind=fact").json()["data"]} == {"fact"}


@pytest.mark.parametrize(
    ("query", "param", "cure"),
    [
        ("", "q", "q is missing."),
        ("q=+%20", "q", "q must hold words."),
        ("q=a&since=may", "since", "since must be a day that exists, such as 2026-05-20."),
        ("q=a&until=2026-02-30", "until", "until must be a day that exists, such as 2026-05-20."),
        ("q=a&since=2026-05-02&until=2026-05-01", "until", "until must not be before since: exchange the two."),
        ("q=a&limit=0", "limit", "limit must be at least 1."),
        ("q=a&limit=51", "limit", "limit must be at most 50."),
        ("q=a&kind=dream", "kind", "kind must be fact, conversation or message; several with commas between."),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_cure(reader: ApiClient, query: str, param: str, cure: str) -> None:
    answer = reader.get(f"{SEARCH}?{query}")
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["param"], error["message"]) == (param, cure)
    assert not AuditRow.objects.filter(event_type="memory.searched").exists()

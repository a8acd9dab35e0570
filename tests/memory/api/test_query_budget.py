"""POST /v1/chat asks the database at most fifteen things, however much is remembered."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ
from pydantic import JsonValue

from memory.models import ApiKey, ExtractCursor, PersonalFact
from tests.conftest import ApiClient, Configure

MOST_QUERIES = 15
LOOKS_BACK = 3
"""More that a turn asks that goes on: where it began, when, and what it was given then."""
_TRANSACTION = ("BEGIN", "SAVEPOINT", "RELEASE", "COMMIT", "ROLLBACK", "SELECT pg_advisory_xact_lock", "SET LOCAL")
"""Begin and end transactions, or order them: not counted."""


def queries_of_a_turn(api: ApiClient, messages: list[JsonValue], on_commit: Any) -> list[str]:
    """The start of each statement of one turn, its nudge of the worker included."""
    with CaptureQueriesContext(connection) as captured, on_commit(execute=True):
        response = api.post("/v1/chat", json={"messages": messages})
    assert response.status_code == 200
    return [query["sql"][:100] for query in captured if not query["sql"].startswith(_TRANSACTION)]


@pytest.fixture
def on_commit(django_capture_on_commit_callbacks: Any) -> Any:
    """Runs what waits for the commit; the worker's cursor is there, so that a nudge is one."""
    ExtractCursor.current()
    return django_capture_on_commit_callbacks


@pytest.mark.parametrize("facts", [0, 1, 200])
def test_a_turn_keeps_to_the_budget(api: ApiClient, now: datetime, facts: int, on_commit: Any) -> None:
    for number in range(facts):
        PersonalFact.objects.add(f"key.{number}", "value", now=now - timedelta(hours=number))
    messages: list[JsonValue] = [{"role": "user", "content": "My dog's name is Beans."}]
    first = queries_of_a_turn(api, messages, on_commit)
    assert ApiKey.objects.get().last_used_at is not None, "the turn that is counted notes the key's use"
    assert OrmQ.objects.count() == 1, "the turn that is counted wakes the worker"
    other = queries_of_a_turn(api, [{"role": "user", "content": "And my cat is called Tom."}], on_commit)
    again = queries_of_a_turn(api, messages, on_commit)
    assert len(first) <= MOST_QUERIES, "\n".join(first)
    assert len(other) < len(first), "\n".join(other)
    assert len(again) <= MOST_QUERIES + LOOKS_BACK, "\n".join(again)


@pytest.mark.parametrize("facts", [1, 200, 2000])
def test_facts_by_what_is_asked_keep_to_it(
    api: ApiClient, now: datetime, facts: int, on_commit: Any, configure: Configure
) -> None:
    configure(memory__facts__selection="mixed")
    PersonalFact.objects.bulk_create(
        PersonalFact(key=f"key.{number}", value="value", first_seen_at=now, last_confirmed_at=now)
        for number in range(facts)
    )
    first = queries_of_a_turn(api, [{"role": "user", "content": "Which key is it?"}], on_commit)
    assert len(first) <= MOST_QUERIES, "\n".join(first)


def test_the_number_does_not_grow_with_the_messages(api: ApiClient, on_commit: Any) -> None:
    messages: list[JsonValue] = [{"role": "user", "content": "And now?"}]
    for number in range(50):
        messages += [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": f"Message {number}"}]
    asked = queries_of_a_turn(api, messages, on_commit)
    assert len(asked) <= MOST_QUERIES, "\n".join(asked)

"""POST /v1/chat asks the database at most twelve things, however much is remembered."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from memory.models import ApiKey, ExtractCursor, PersonalFact
from tests.conftest import ApiClient

MOST_QUERIES = 12
_TRANSACTION = ("BEGIN", "SAVEPOINT", "RELEASE", "COMMIT", "ROLLBACK")


def queries_of_a_turn(api: ApiClient, words: str, on_commit: Any) -> list[str]:
    with CaptureQueriesContext(connection) as captured, on_commit(execute=True):
        response = api.post("/v1/chat", json={"messages": [{"role": "user", "content": words}]})
    assert response.status_code == 200
    return [query["sql"] for query in captured if not query["sql"].startswith(_TRANSACTION)]


@pytest.mark.parametrize("facts", [0, 1, 200])
def test_a_turn_keeps_to_the_budget(
    api: ApiClient, now: datetime, facts: int, django_capture_on_commit_callbacks: Any
) -> None:
    ExtractCursor.current()
    for number in range(facts):
        PersonalFact.objects.add(f"key.{number}", "value", now=now - timedelta(hours=number))
    first = queries_of_a_turn(api, "My dog's name is Beans.", django_capture_on_commit_callbacks)
    assert ApiKey.objects.get().last_used_at is not None
    assert OrmQ.objects.count() == 1, "the turn that is counted wakes the worker"
    again = queries_of_a_turn(api, "My dog's name is Beans.", django_capture_on_commit_callbacks)
    assert len(first) <= MOST_QUERIES, "\n".join(first)
    assert len(again) <= MOST_QUERIES, "\n".join(again)


def test_the_number_does_not_grow_with_the_messages(
    api: ApiClient, now: datetime, django_capture_on_commit_callbacks: Any
) -> None:
    ExtractCursor.current()
    messages = [
        message
        for number in range(50)
        for message in (
            {"role": "user", "content": f"Message {number}"},
            {"role": "assistant", "content": "Yes."},
        )
    ]
    body: Any = {"messages": [*messages, {"role": "user", "content": "And now?"}]}
    with CaptureQueriesContext(connection) as captured, django_capture_on_commit_callbacks(execute=True):
        assert api.post("/v1/chat", json=body).status_code == 200
    asked = [query["sql"] for query in captured if not query["sql"].startswith(_TRANSACTION)]
    assert len(asked) <= MOST_QUERIES, "\n".join(asked)

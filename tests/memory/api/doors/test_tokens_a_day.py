"""A key's limit of tokens a day: turns beyond it are refused on every route that asks a model, others are not."""

from datetime import timedelta

import pytest
import time_machine

from memory.models import SCOPES, ApiKey, AuditRow, KeyDay, ModelUsage
from tests.conftest import ApiClient
from tests.memory.api.routes.completions.completions_helpers import chunk, event_stream
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db

ASKING = ("/v1/chat", "/v1/chat/completions", "/v1/messages", "/v1/responses")
WORDS = "Hello, what is the weather like?"
TURN = {"messages": [{"role": "user", "content": WORDS}]}


@pytest.mark.parametrize("path", ASKING)
def test_a_key_takes_as_many_tokens_a_day_as_it_may(path: str) -> None:
    body = {"input": WORDS} if path == "/v1/responses" else TURN | {"max_tokens": 100, "model": "caesar"}
    with time_machine.travel("2026-05-20T23:00:00Z", tick=False) as clock, scripted_llm("Fine.", "Fine.") as llm:
        issued = ApiKey.objects.issue("busy", scopes=SCOPES, tokens_per_day=3)
        api = ApiClient(issued.secret)
        assert api.post(path, json=body).status_code == 200
        taken = KeyDay.objects.get().input_tokens + KeyDay.objects.get().output_tokens
        assert taken >= 3, "the scripted answer counts its tokens"
        asked, rows = len(llm.requests), AuditRow.objects.count()
        refused = api.post(path, json=body)
        assert refused.status_code == 429
        assert refused.json()["error"]["type"] == "rate_limit_error"
        assert refused.headers["Retry-After"] == "3600"
        assert "tokens a day" in refused.json()["error"]["message"]
        assert (len(llm.requests), AuditRow.objects.count()) == (asked, rows), "nothing was asked or written"
        assert api.post("/v1/memory/context", json={"message": "Hello"}).status_code == 200
        assert api.post("/v1/memory/chats", json=TURN | {"reply": "Fine."}).status_code == 201
        clock.shift(timedelta(hours=1))
        assert api.post(path, json=body).status_code == 200


def test_a_key_without_a_limit_costs_no_question(django_assert_num_queries: pytest.FixtureRequest) -> None:
    key = ApiKey.objects.issue("free").row
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert key.has_tokens_left(now=key.created_at)


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
@pytest.mark.parametrize("headers", [{}, {"X-Memory": "off"}])
def test_an_answer_without_token_counts_is_estimated_for_its_key_alone(headers: dict[str, str]) -> None:
    api = ApiClient(ApiKey.objects.issue("busy", scopes=SCOPES).secret)
    with scripted_llm(event_stream(chunk("Fine."), chunk(" Sunny."), chunk(finish_reason="stop"))):
        response = api.post("/v1/chat/completions", json=TURN | {"stream": True}, headers=headers)
        next(iter(response.streaming_content))
        response.close()
    day, model = KeyDay.objects.get(), ModelUsage.objects.get()
    assert (day.input_tokens, day.output_tokens) == (8, 2), "32 and 5 characters"
    assert (model.input_tokens, model.output_tokens) == (0, 0)

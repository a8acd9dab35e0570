"""Streamed answers: passed on chunk by chunk, recorded at the end, and when a client hangs up."""

from typing import Any

import pytest

from memory import events
from memory.models import AuditRow, HeardMessage
from tests.conftest import ApiClient
from tests.memory.api.routes.completions.completions_helpers import DOG, PATH, chunk, event_stream, last, told
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db


def test_a_stream_comes_through_and_is_recorded(api: ApiClient) -> None:
    chunks = [chunk(role="assistant"), chunk("A fine "), chunk("name."), chunk(finish_reason="stop")]
    with scripted_llm(event_stream(*chunks)) as model:
        response = api.post(PATH, json={**DOG, "stream": True, "stream_options": {"include_usage": True}})
        assert told(response) == [*chunks, "[DONE]"]
    assert (model.requests[0]["stream"], model.requests[0]["stream_options"]) == (True, {"include_usage": True})
    assert response.headers["Content-Type"] == "text/event-stream"
    row = last(events.ChatCompleted)
    assert (row.completed.reply, row.completed.finish_reason, row.completed.cut_off) == ("A fine name.", "stop", False)
    assert row.decision_id == response.headers["X-Decision-Id"]


def test_a_character_cut_between_two_chunks_comes_through(api: ApiClient) -> None:
    halves = [chunk("\ud83d"), chunk("\ude00"), chunk(finish_reason="stop")]
    with scripted_llm(event_stream(*halves)):
        assert told(api.post(PATH, json={**DOG, "stream": True})) == [*halves, "[DONE]"]
    assert last(events.ChatCompleted).completed.reply == "\N{GRINNING FACE}"


def test_the_turn_is_on_record_before_the_client_is_told_that_it_is_over(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("Fine."), chunk(finish_reason="stop"))):
        parts = iter(api.post(PATH, json={**DOG, "stream": True}).streaming_content)
        assert b"Fine." in next(parts)
        assert not AuditRow.objects.exists()
        assert b"stop" in next(parts)
        assert next(parts) == b"data: [DONE]\n\n"
        assert last(events.ChatCompleted).completed.reply == "Fine."
        assert not list(parts)


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_a_client_that_hangs_up_is_recorded_as_cut_off(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("A fine "), chunk("name."), chunk(finish_reason="stop"))):
        response = api.post(PATH, json={**DOG, "stream": True})
        next(iter(response.streaming_content))
        response.close()
        response.close()
    row = AuditRow.objects.get_queryset().chats().get().completed
    assert (row.reply, row.finish_reason, row.cut_off, row.new_messages) == ("A fine ", "", True, [0])


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_a_client_that_hangs_up_before_the_first_chunk_is_recorded_too(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("A fine name."), chunk(finish_reason="stop"))):
        api.post(PATH, json={**DOG, "stream": True}).close()
    assert last(events.ChatCompleted).completed.cut_off


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_what_was_cut_off_teaches_once_though_its_continuation_was_recorded_first(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("A fine "), chunk("name."), chunk(finish_reason="stop")), "Very old?"):
        cut = api.post(PATH, json={**DOG, "stream": True})
        next(iter(cut.streaming_content))
        said = [{"role": "assistant", "content": "A fine "}, {"role": "user", "content": "and he is old"}]
        api.post(PATH, json={"messages": [*DOG["messages"], *said]})
        cut.close()
    first, second = AuditRow.objects.get_queryset().chats().order_by("id")
    assert (first.completed.new_messages, first.completed.cut_off) == ([0, 2], False)
    assert (second.completed.new_messages, second.completed.cut_off, second.completed.replay) == ([], True, True)


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        ([chunk("half")], "ConnectionLost"),
        ([chunk("half"), {"error": {"message": "overloaded", "type": "overloaded_error"}}], "ServerFault"),
    ],
)
def test_an_upstream_that_dies_in_mid_stream_is_an_error_and_a_failed_turn(
    api: ApiClient, ending: list[dict[str, Any]], kind: str
) -> None:
    with scripted_llm(event_stream(*ending, done=False)):
        answer = told(api.post(PATH, json={**DOG, "stream": True}))
    assert answer[0] == chunk("half")
    assert answer[-1]["error"]["type"] == "provider_error"
    assert "[DONE]" not in answer
    assert [row.event_type for row in AuditRow.objects.all()] == [events.ChatFailed.name]
    assert last(events.ChatFailed).payload["kind"] == kind
    assert not HeardMessage.objects.exists()

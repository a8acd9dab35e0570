"""A stream in the shape of Responses: the sequence of its events, and how it ends."""

from typing import Any

import pytest
from openai.types.responses import Response

from memory import events
from memory.models import AuditRow, HeardMessage
from tests.conftest import ApiClient
from tests.memory.api.openai_responses.responses_helpers import DOG, PATH, told
from tests.memory.api.routes.completions.completions_helpers import chunk, event_stream, last
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db

USAGE = {"choices": [], "object": "chat.completion.chunk", "usage": {"prompt_tokens": 9, "completion_tokens": 2}}
STOP = chunk(finish_reason="stop")
BEGIN = ["response.created", "response.in_progress"]
TEXT_OPENS = ["response.output_item.added", "response.content_part.added"]
TEXT_CLOSES = ["response.output_text.done", "response.content_part.done", "response.output_item.done"]
DELTA = "response.output_text.delta"


def stream(api: ApiClient, *chunks: dict[str, Any], done: bool = True) -> list[dict[str, Any]]:
    with scripted_llm(event_stream(*chunks, done=done)) as model:
        heard = told(api.post(PATH, json={"input": DOG, "stream": True}))
    assert model.requests[0]["stream_options"] == {"include_usage": True}
    return heard


def call(index: int | None, arguments: str, **head: Any) -> dict[str, Any]:
    place = {} if index is None else {"index": index}
    function = {"arguments": arguments} | ({"name": head.pop("name")} if "name" in head else {})
    return chunk(tool_calls=[{**place, **head, "function": function}])


def types(heard: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in heard]


def test_it_works(api: ApiClient) -> None:
    heard = stream(api, chunk(role="assistant"), chunk("A fine "), chunk("name."), STOP, USAGE)
    assert types(heard) == [*BEGIN, *TEXT_OPENS, DELTA, DELTA, *TEXT_CLOSES, "response.completed"]
    assert [event["delta"] for event in heard if event["type"] == DELTA] == ["A fine ", "name."]
    assert {event["item_id"] for event in heard if "item_id" in event} == {heard[2]["item"]["id"]}
    assert heard[2]["item"]["content"] == []
    response = Response.model_validate(heard[-1]["response"])
    assert (response.output_text, response.status) == ("A fine name.", "completed")
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.total_tokens) == (9, 11)
    assert {event["response"]["id"] for event in heard if "response" in event} == {response.id}
    row = last(events.ChatCompleted)
    assert (row.completed.reply, row.completed.finish_reason, row.completed.cut_off) == ("A fine name.", "stop", False)


def test_reasoning_and_text_and_calls_are_items_in_their_order(api: ApiClient) -> None:
    heard = stream(
        api,
        chunk(reasoning_content="I must "),
        chunk(reasoning_content="look."),
        chunk("Let me see."),
        call(0, "", id="call_1", name="look"),
        call(0, '{"at": '),
        call(0, '"it"}'),
        chunk(finish_reason="tool_calls"),
    )
    reasoning = "response.reasoning_summary"
    assert types(heard) == [
        *BEGIN,
        "response.output_item.added",
        f"{reasoning}_part.added",
        *[f"{reasoning}_text.delta"] * 2,
        f"{reasoning}_text.done",
        f"{reasoning}_part.done",
        "response.output_item.done",
        *TEXT_OPENS,
        DELTA,
        *TEXT_CLOSES,
        "response.output_item.added",
        *["response.function_call_arguments.delta"] * 2,
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ]
    thought, message, called = heard[-1]["response"]["output"]
    assert thought["summary"][0]["text"] == "I must look."
    assert message["content"][0]["text"] == "Let me see."
    assert (called["call_id"], called["name"], called["arguments"]) == ("call_1", "look", '{"at": "it"}')
    assert {item["status"] for item in (thought, message, called)} == {"completed"}


@pytest.mark.parametrize("is_counted", [True, False])
def test_pieces_of_two_calls(api: ApiClient, is_counted: bool) -> None:
    first, second = (0, 1) if is_counted else (None, None)
    pieces = [call(first, "{", id="call_1", name="look"), call(first, "}"), call(second, "[", id="call_2", name="open")]
    by_turns = [call(second, "]"), call(first, " ")] if is_counted else [call(None, "]")]
    heard = stream(api, *pieces, *by_turns, chunk(finish_reason="tool_calls"))
    calls = [(item["call_id"], item["name"], item["arguments"].strip()) for item in heard[-1]["response"]["output"]]
    assert calls == [("call_1", "look", "{}"), ("call_2", "open", "[]")]


def test_a_character_cut_between_two_chunks_comes_through(api: ApiClient) -> None:
    heard = stream(api, chunk("\ud83d"), chunk("\ude00"), STOP)
    assert heard[-1]["response"]["output"][0]["content"][0]["text"] == "\N{GRINNING FACE}"


def test_a_refusal_of_the_model(api: ApiClient) -> None:
    heard = stream(api, chunk(refusal="I will not."), STOP)
    assert "response.refusal.delta" in types(heard)
    assert heard[-1]["response"]["output"][0]["content"] == [{"type": "refusal", "refusal": "I will not."}]


def test_an_answer_without_a_word_has_an_empty_message(api: ApiClient) -> None:
    heard = stream(api, chunk(role="assistant"), STOP)
    assert types(heard) == [*BEGIN, *TEXT_OPENS, *TEXT_CLOSES, "response.completed"]


def test_an_answer_that_was_cut_is_incomplete(api: ApiClient) -> None:
    end = stream(api, chunk("A fi"), chunk(finish_reason="length"))[-1]
    assert (end["type"], end["response"]["status"]) == ("response.incomplete", "incomplete")
    assert end["response"]["incomplete_details"] == {"reason": "max_output_tokens"}


@pytest.mark.parametrize(
    ("ending", "kind"),
    [([], "ConnectionLost"), ([{"error": {"message": "overloaded", "type": "overloaded_error"}}], "ServerFault")],
)
def test_a_provider_that_dies_in_mid_stream_is_an_error_and_a_failed_turn(
    api: ApiClient, ending: list[dict[str, Any]], kind: str
) -> None:
    heard = stream(api, chunk("half"), *ending, done=False)
    error, failed = heard[-2:]
    assert (error["type"], error["error"]["type"]) == ("error", "provider_error")
    assert error["message"] == error["error"]["message"] != ""
    assert (failed["type"], failed["response"]["status"]) == ("response.failed", "failed")
    assert failed["response"]["error"] == {"code": "server_error", "message": error["message"]}
    assert failed["response"]["output"][0]["content"][0]["text"] == "half"
    assert [row.event_type for row in AuditRow.objects.all()] == [events.ChatFailed.name]
    assert last(events.ChatFailed).payload["kind"] == kind
    assert not HeardMessage.objects.exists()


@pytest.mark.django_db(transaction=True)  # a closed answer closes its connection
def test_a_client_that_hangs_up_is_recorded_as_cut_off(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("A fine "), chunk("name."), STOP)):
        response = api.post(PATH, json={"input": DOG, "stream": True})
        assert b"response.created" in next(iter(response.streaming_content))  # type: ignore[attr-defined]
        response.close()
    row = AuditRow.objects.get_queryset().chats().get().completed
    assert (row.reply, row.cut_off, row.new_messages) == ("A fine ", True, [0])

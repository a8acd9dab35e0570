"""A whole answer in the shape of Responses, as OpenAI's package reads it."""

from typing import Any

import httpx
import pytest
from openai.types.responses import Response

from tests.conftest import ApiClient
from tests.memory.api.openai_responses.responses_helpers import DOG, TOOL, answered
from tests.memory.llm.scripted import MODEL, completion

pytestmark = pytest.mark.django_db

CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}}


def answer(api: ApiClient, given: dict[str, Any] | str, **fields: Any) -> Response:
    upstream = given if isinstance(given, str) else httpx.Response(200, json=given)
    body = answered(api, {"input": DOG, **fields}, upstream)
    body.pop("sent")
    return Response.model_validate(body)


def test_it_works(api: ApiClient) -> None:
    response = answer(api, "A fine name.")
    assert (response.output_text, response.status, response.model) == ("A fine name.", "completed", MODEL)
    assert response.id.startswith("resp_")
    (message,) = response.output
    assert (message.type, message.role, message.status) == ("message", "assistant", "completed")  # type: ignore[union-attr]
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens) == (11, 7, 18)
    assert (response.error, response.incomplete_details, response.previous_response_id) == (None, None, None)


def test_what_was_asked_for_is_in_the_answer(api: ApiClient) -> None:
    response = answer(
        api, "Fine.", store=True, instructions="Be kind.", tools=[TOOL], metadata={"chat_id": "1"}, temperature=0.5
    )
    assert response.model_dump()["store"] is False
    assert (response.instructions, response.metadata, response.temperature) == ("Be kind.", {"chat_id": "1"}, 0.5)
    assert (response.tools[0].name, response.tool_choice, response.parallel_tool_calls) == ("look", "auto", True)  # type: ignore[union-attr]


def test_calls_of_functions_are_items_of_their_own(api: ApiClient) -> None:
    thought = {"reasoning_content": "I must look."}
    response = answer(api, completion("Let me see.", finish_reason="tool_calls", tool_calls=[CALL], **thought))
    reasoning, message, call = (item.model_dump() for item in response.output)
    assert reasoning["summary"] == [{"type": "summary_text", "text": "I must look."}]
    assert message["content"][0]["text"] == "Let me see."
    assert (call["type"], call["call_id"], call["name"], call["arguments"]) == (
        "function_call", "call_1", "look", '{"at": "it"}'
    )  # fmt: skip
    assert len({item["id"] for item in (reasoning, message, call)}) == 3
    alone = answer(api, completion(None, finish_reason="tool_calls", tool_calls=[CALL]))
    assert [item.type for item in alone.output] == ["function_call"]


@pytest.mark.parametrize(
    ("finish_reason", "reason"), [("length", "max_output_tokens"), ("content_filter", "content_filter")]
)
def test_an_answer_that_was_cut_is_incomplete(api: ApiClient, finish_reason: str, reason: str) -> None:
    response = answer(api, completion("A fi", finish_reason=finish_reason))
    assert (response.status, response.incomplete_details.reason) == ("incomplete", reason)  # type: ignore[union-attr]
    assert response.output[0].status == "incomplete"  # type: ignore[union-attr]
    assert response.output_text == "A fi"


def test_a_refusal_of_the_model(api: ApiClient) -> None:
    response = answer(api, completion(None, refusal="I will not."))
    assert response.output[0].content[0].model_dump() == {"type": "refusal", "refusal": "I will not."}  # type: ignore[union-attr, index]


def test_details_of_the_usage(api: ApiClient) -> None:
    given = completion("Fine.")
    given["usage"] |= {
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    usage = answer(api, given).usage
    assert usage is not None
    assert (usage.input_tokens_details.cached_tokens, usage.output_tokens_details.reasoning_tokens) == (4, 3)
    del given["usage"]
    assert answer(api, given).usage is None

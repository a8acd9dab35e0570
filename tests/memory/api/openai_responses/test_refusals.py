"""What Responses does not do here is refused with the cure, and a provider's failure keeps its status."""

from typing import Any

import httpx
import pytest

from memory import events
from memory.models import AuditRow
from tests.conftest import ApiClient
from tests.memory.api.openai_responses.responses_helpers import DOG, PATH, said
from tests.memory.api.routes.completions.completions_helpers import last
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db

BUILT_IN = [
    "web_search",
    "web_search_preview",
    "file_search",
    "computer",
    "code_interpreter",
    "mcp",
]


@pytest.mark.parametrize(
    ("fields", "param", "words"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id", "Send the earlier items in input"),
        ({"conversation": {"id": "conv_1"}}, "conversation", "Send the earlier items in input"),
        ({"prompt": {"id": "pmpt_1"}}, "prompt", "instructions"),
        ({"background": True}, "background", "stream"),
        *(({"tools": [{"type": kind}]}, "tools[0]", f"built-in tool {kind}") for kind in BUILT_IN),
        ({"tools": [{"type": "function"}]}, "tools[0].name", "is missing"),
        ({"tool_choice": {"type": "web_search"}}, "tool_choice", "must be auto"),
        ({"text": {"format": {"type": "json_schema", "name": "dog"}}}, "text.format.schema", "is missing"),
        ({"text": {"format": {"type": "grammar"}}}, "text.format", "json_schema"),
        ({"input": []}, "input", "must not be empty"),
        ({"input": [{"type": "reasoning", "summary": []}]}, "input", "nothing but reasoning"),
        ({"input": 7}, "input", "must be text or a list of items"),
        ({"input": ["hello"]}, "input[0]", "must be a message"),
        ({"input": "  "}, "input", "is blank"),
        ({"input": [said({"type": "input_text", "text": " "})]}, "input[0].content", "is blank"),
        ({"input": [{"type": "item_reference", "id": "msg_1"}]}, "input[0]", "send the item itself"),
        ({"input": [{"type": "web_search_call", "id": "ws_1"}]}, "input[0]", "built-in tools"),
        ({"input": [{"role": "critic", "content": "hm"}]}, "input[0].role", "must be one of"),
        ({"input": [said({"type": "image_url"})]}, "input[0].content[0]", "must be input_text"),
        ({"input": [said({"type": "input_image", "file_id": "file_1"})]}, "input[0].content[0].file_id", "data URL"),
        (
            {"input": [said({"type": "input_file", "file_url": "https://x"})]},
            "input[0].content[0].file_url",
            "file_data",
        ),
        ({"input": [{"type": "function_call_output", "output": "x"}]}, "input[0].call_id", "is missing"),
    ],
)
def test_refused_with_the_cure(api: ApiClient, fields: dict[str, Any], param: str, words: str) -> None:
    refused = api.post(PATH, json={"input": DOG, **fields})
    error = refused.json()["error"]
    assert (refused.status_code, error["param"]) == (422, param)
    assert words in error["message"]
    assert not AuditRow.objects.exists()


def test_what_is_said_to_be_nothing_is_taken(api: ApiClient) -> None:
    nothing = dict.fromkeys(("previous_response_id", "conversation", "prompt", "tools", "text", "reasoning", "include"))
    with scripted_llm("Fine."):
        assert api.post(PATH, json={"input": DOG, "background": False, **nothing}).status_code == 200


def test_many_messages_are_refused_as_everywhere(api: ApiClient, settings: Any) -> None:
    most = settings.CAESAR.api.max_messages
    refused = api.post(PATH, json={"input": [{"role": "user", "content": "hi"}] * (most + 1)})
    assert (refused.status_code, refused.json()["error"]["param"]) == (422, "input")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [401, 404, 429])
def test_a_providers_refusal_keeps_its_status(api: ApiClient, status: int, stream: bool) -> None:
    body = {"error": {"message": "No more today", "type": "requests", "code": None}}
    answers = [httpx.Response(status, json=body)] * 2
    with scripted_llm(*answers):
        refused = api.post(PATH, json={"input": DOG, "stream": stream})
    assert refused.status_code == status
    assert refused.json()["error"]["type"] == "provider_error"
    assert last(events.ChatFailed)

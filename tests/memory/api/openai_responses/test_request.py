"""What of a request in the shape of Responses reaches the model, as chat completions."""

from typing import Any

import pytest

from caesar.conf import OpenAISettings
from tests.conftest import ApiClient
from tests.memory.api.openai_responses.responses_helpers import DOG, FUNCTION, PATH, TOOL, answered, said
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db

CALL = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"at": "it"}', "id": "fc_1"}
RESULT = {"type": "function_call_output", "call_id": "call_1", "output": "21 degrees"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "I must look."}]}
SENT_CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}}
PICTURE = "data:image/png;base64,iVBORw0KGgo="


def messages(api: ApiClient, given: Any, **fields: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = answered(api, {"input": given, **fields})["sent"]["messages"]
    return sent


def test_it_works(api: ApiClient) -> None:
    assert messages(api, DOG)[1:] == [{"role": "user", "content": DOG}]
    assert messages(api, [{"role": "user", "content": DOG}], instructions="Be kind.") == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": DOG},
    ]


@pytest.mark.parametrize(
    ("part", "sent"),
    [
        ({"type": "input_text", "text": DOG}, {"type": "text", "text": DOG}),
        (
            {"type": "input_image", "image_url": PICTURE, "detail": "low"},
            {"type": "image_url", "image_url": {"url": PICTURE, "detail": "low"}},
        ),
        ({"type": "input_image", "image_url": PICTURE}, {"type": "image_url", "image_url": {"url": PICTURE}}),
        (
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,AA=="},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AA=="}},
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
            {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
        ),
    ],
)
def test_parts(api: ApiClient, part: dict[str, Any], sent: dict[str, Any]) -> None:
    beside = {"type": "input_text", "text": "See this."}
    assert messages(api, [said(beside, part)])[-1]["content"] == [{"type": "text", "text": "See this."}, sent]


@pytest.mark.parametrize("role", ["system", "developer"])
def test_a_developer_speaks_as_the_system_which_every_server_knows(api: ApiClient, role: str) -> None:
    prompt = said({"type": "input_text", "text": "Be brief."}, role=role)
    sent = messages(api, [prompt, {"role": "user", "content": DOG}])
    assert sent == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": DOG}]


def test_calls_join_the_words_before_them_and_results_follow(api: ApiClient) -> None:
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Let me look."}]}
    second = {**CALL, "call_id": "call_2"}
    given = [{"role": "user", "content": DOG}, answer, CALL, second, RESULT, {**RESULT, "call_id": "call_2"}]
    assert messages(api, given)[-4:] == [
        {"role": "user", "content": DOG},
        {"role": "assistant", "content": "Let me look.", "tool_calls": [SENT_CALL, {**SENT_CALL, "id": "call_2"}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "21 degrees"},
        {"role": "tool", "tool_call_id": "call_2", "content": "21 degrees"},
    ]


def test_a_refusal_is_what_the_assistant_said(api: ApiClient) -> None:
    refused = said({"type": "refusal", "refusal": "I will not."}, role="assistant")
    assert messages(api, [refused, {"role": "user", "content": DOG}])[-2]["content"] == "I will not."


def test_reasoning_goes_back_with_the_calls_of_this_turn_alone(api: ApiClient) -> None:
    asked = {"role": "user", "content": DOG}
    step = messages(api, [asked, THOUGHT, CALL, RESULT])[-2]
    assert step == {
        "role": "assistant", "content": None, "tool_calls": [SENT_CALL], "reasoning_content": "I must look."
    }  # fmt: skip
    sealed = {**THOUGHT, "encrypted_content": "gAAAA"}
    assert "reasoning_content" not in messages(api, [asked, sealed, CALL, RESULT])[-2]
    earlier = messages(api, [asked, THOUGHT, CALL, RESULT, said({"type": "input_text", "text": "and now?"})])
    assert not any("reasoning_content" in message for message in earlier)


SCHEMA = {"type": "json_schema", "name": "dog", "schema": {"type": "object"}, "strict": True}


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"max_output_tokens": 50}, {"max_tokens": 50}),
        ({"temperature": 0.5, "top_p": 1}, {"temperature": 0.5, "top_p": 1}),
        ({"reasoning": {"effort": "low", "summary": "auto"}}, {"reasoning_effort": "low"}),
        ({"safety_identifier": "me", "service_tier": "flex"}, {"safety_identifier": "me", "service_tier": "flex"}),
        ({"text": {"format": {"type": "text"}, "verbosity": "low"}}, {"verbosity": "low"}),
        ({"text": {"format": {"type": "json_object"}}}, {"response_format": {"type": "json_object"}}),
        (
            {"text": {"format": SCHEMA}},
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {k: v for k, v in SCHEMA.items() if k != "type"},
                }
            },
        ),
        (
            {"tools": [TOOL], "parallel_tool_calls": False, "tool_choice": "required"},
            {
                "tools": [{"type": "function", "function": FUNCTION}],
                "parallel_tool_calls": False,
                "tool_choice": "required",
            },
        ),
        (
            {"tools": [TOOL], "tool_choice": {"type": "function", "name": "look"}},
            {
                "tools": [{"type": "function", "function": FUNCTION}],
                "tool_choice": {"type": "function", "function": {"name": "look"}},
            },
        ),
        (
            {
                "tools": [TOOL, {**TOOL, "name": "open"}],
                "tool_choice": {
                    "type": "allowed_tools",
                    "mode": "auto",
                    "tools": [{"type": "function", "name": "look"}],
                },
            },
            {"tools": [{"type": "function", "function": FUNCTION}], "tool_choice": "auto"},
        ),
        ({"tools": [], "tool_choice": "auto", "parallel_tool_calls": True}, {}),
        ({"store": True, "truncation": "auto", "include": ["reasoning.encrypted_content"], "metadata": {"a": "b"}}, {}),
    ],
)
def test_the_other_fields(api: ApiClient, fields: dict[str, Any], sent: dict[str, Any]) -> None:
    body = answered(api, {"input": DOG, **fields})["sent"]
    assert {k: v for k, v in body.items() if k not in ("messages", "model", "stream")} == sent


def test_openais_own_server_bounds_the_answer_by_the_newer_field(api: ApiClient) -> None:
    body = {"input": DOG, "max_output_tokens": 50, "model": "other"}
    with scripted_llm("Fine.", openai=OpenAISettings(base_url="https://api.openai.com/v1", api_key="k")) as model:
        assert api.post(PATH, json=body).status_code == 200
    assert (model.requests[0]["model"], model.requests[0]["max_completion_tokens"]) == ("other", 50)
    assert "max_tokens" not in model.requests[0]

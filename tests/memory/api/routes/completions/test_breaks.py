"""Chat completions against servers and clients that behave badly: what comes through, what is kept, what is let go."""

import json
import math
import socket
import struct
from typing import Any, NoReturn

import httpx
import pytest
from django.apps import apps
from django.test import RequestFactory
from pydantic import SecretStr

from caesar.conf import AnthropicSettings
from memory import events
from memory.api.capacity import MAX_WRITE_WAIT_SECONDS, limit_write_wait
from memory.models import AuditRow
from tests.conftest import ApiClient
from tests.memory.api.routes.completions.completions_helpers import PATH, chunk, event_stream, last, told
from tests.memory.llm.scripted import completion, scripted_llm

pytestmark = pytest.mark.django_db

TASK = {"role": "user", "content": "### Task:\nGenerate a title"}
SECRET = "the surprise party is on friday"


def strictly(text: str) -> Any:
    """The JSON in `text`, as every other language reads it: NaN and Infinity are none."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


# --- numbers that are no JSON -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_no_json_comes_through_as_null(api: ApiClient, number: float) -> None:
    answer = completion("Fine.", score=number, logprob=-0.5)
    with scripted_llm(httpx.Response(200, text=json.dumps(answer))):
        response = api.post(PATH, json={"messages": [{"role": "user", "content": "how is it?"}]})
    message = strictly(response.content.decode())["choices"][0]["message"]
    assert (message["content"], message["score"], message["logprob"]) == ("Fine.", None, -0.5)


def test_such_a_number_in_a_stream_is_null_too(api: ApiClient) -> None:
    said = {"messages": [{"role": "user", "content": "how is it?"}], "stream": True}
    with scripted_llm(event_stream(chunk("Fine.", score=math.nan), chunk(finish_reason="stop"))):
        first, *_ = b"".join(api.post(PATH, json=said).streaming_content).decode().split("\n\n")
    assert strictly(first.removeprefix("data: "))["choices"][0]["delta"] == {"content": "Fine.", "score": None}


# --- answers that are less than they seem -----------------------------------------------------------------------


@pytest.mark.parametrize("choices", [None, []])
def test_a_stream_that_says_nothing_and_is_done_is_no_answer(api: ApiClient, choices: object) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 0}
    said = {"messages": [{"role": "user", "content": "hello"}], "stream": True}
    with scripted_llm(event_stream({**chunk(), "choices": choices, "usage": usage})):
        answer = api.post(PATH, json=said)
        error = (told(answer)[-1] if answer.streaming else answer.json())["error"]  # nothing but counts: none was begun
    assert error["code"] == "provider_bad_answer"
    assert [row.event_type for row in AuditRow.objects.all()] == [events.ChatFailed.name]


@pytest.mark.parametrize(
    ("provider", "answer"),
    [
        ({}, completion("Hi.")),
        (
            {"provider": "anthropic", "anthropic": AnthropicSettings(api_key=SecretStr("k"))},
            {"content": [{"type": "text", "text": "Hi."}], "usage": {"input_tokens": 11, "output_tokens": 7}},
        ),
    ],
)
def test_tokens_are_counted_where_the_server_does_not_stream(
    api: ApiClient, provider: dict[str, Any], answer: dict[str, Any]
) -> None:
    said = {"messages": [{"role": "user", "content": "hello"}], "stream": True}
    with scripted_llm(httpx.Response(200, json=answer), **provider):
        assert told(api.post(PATH, json=said))[-1] == "[DONE]"
    counted = last(events.ChatCompleted).completed.usage
    assert (counted.input_tokens, counted.output_tokens) == (11, 7)


# --- whose call it was ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "behind",
    [
        {"role": "assistant", "content": "{"},
        {"role": "system", "content": "Answer in JSON."},
        {"role": "developer", "content": [{"type": "text", "text": "Answer in JSON."}]},
    ],
)
def test_an_errand_is_one_whatever_stands_behind_it(api: ApiClient, behind: dict[str, Any]) -> None:
    messages = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Hi."}, TASK, behind]
    with scripted_llm("A title") as model:
        api.post(PATH, json={"messages": messages})
    assert model.requests[0]["messages"] == messages
    assert AuditRow.objects.get().event_type == events.ChatPassedThrough.name
    assert last(events.ChatPassedThrough).payload["beginning"] == "### Task: Generate a title"


def test_what_follows_an_errand_is_a_conversation(api: ApiClient) -> None:
    messages = [TASK, {"role": "assistant", "content": "A title"}, {"role": "user", "content": "what is ### Task:?"}]
    with scripted_llm("A heading."):
        api.post(PATH, json={"messages": messages})
    assert last(events.ChatCompleted).completed.reply == "A heading."


# --- memory off -------------------------------------------------------------------------------------------------


def kept() -> str:
    """All that the database holds, as one text."""
    return repr([list(model._default_manager.values_list()) for model in apps.get_models(include_auto_created=True)])


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(400, json={"error": {"message": f"cannot read: {SECRET}"}}),
        httpx.Response(200, json={"error": {"message": f"cannot read: {SECRET}"}}),
        httpx.Response(200, text=f"I know that {SECRET}"),
        httpx.Response(200, text=f"<html><title>{SECRET}</title></html>"),
    ],
)
def test_a_failure_keeps_no_words_where_memory_is_off(api: ApiClient, answer: httpx.Response, stream: bool) -> None:
    said = {"messages": [{"role": "user", "content": SECRET}], "stream": stream}
    with scripted_llm(answer):
        response = api.post(PATH, json=said, headers={"X-Memory": "off"})
    assert response.status_code in (400, 502)
    assert SECRET not in kept()
    assert "More is not kept: memory was off" in last(events.ChatFailed).payload["error"]


def test_an_error_in_mid_stream_keeps_no_words_either(api: ApiClient) -> None:
    said = {"messages": [{"role": "user", "content": SECRET}], "stream": True}
    with scripted_llm(event_stream(chunk("half"), {"error": {"message": f"cannot go on: {SECRET}"}})):
        told = b"".join(api.post(PATH, json=said, headers={"X-Memory": "off"}).streaming_content)
    assert SECRET in told.decode()
    assert SECRET not in kept()
    assert last(events.ChatFailed).payload["kind"] == "ServerFault"


def test_a_failure_in_words_of_ours_keeps_them_where_memory_is_off(api: ApiClient) -> None:
    said = {"messages": [{"role": "user", "content": SECRET}]}
    with scripted_llm(httpx.ConnectError("refused"), httpx.ConnectError("refused")):
        api.post(PATH, json=said, headers={"X-Memory": "off"})
    assert "cannot be reached" in last(events.ChatFailed).payload["error"]


# --- clients that stop reading ----------------------------------------------------------------------------------


def test_a_client_that_stops_reading_is_let_go_in_the_end() -> None:
    here, there = socket.socketpair()
    with here, there:
        limit_write_wait(RequestFactory().post(PATH, **{"gunicorn.socket": here}))
        waits = struct.unpack("ll", here.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.calcsize("ll")))
        assert waits == (MAX_WRITE_WAIT_SECONDS, 0)
        assert here.gettimeout() is None


def test_a_stream_bounds_the_writes_to_its_client(api: ApiClient) -> None:
    here, there = socket.socketpair()
    api.client.defaults["gunicorn.socket"] = here
    with here, there, scripted_llm(event_stream(chunk("Fine."), chunk(finish_reason="stop"))):
        told(api.post(PATH, json={"messages": [{"role": "user", "content": "hello"}], "stream": True}))
        assert any(here.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.calcsize("ll")))

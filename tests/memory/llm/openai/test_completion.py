import json
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from memory.events import Message
from memory.llm import Completion, JsonSchema, errors
from memory.llm.openai import OpenAI
from memory.llm.types import Request, Task
from tests.memory.llm.routes import route_to
from tests.memory.llm.scripted import BASE_URL, Answer, ScriptedLLM, completion, scripted_llm

SCHEMA: JsonSchema = {"title": "facts", "type": "object", "properties": {"facts": {"type": "array"}}}
HELLO = [Message(role="user", content="Hello")]


def ask(
    llm_answers: Sequence[Answer],
    *,
    task: Task = "memory_extract",
    messages: Sequence[Message] = HELLO,
    json_schema: JsonSchema | None = None,
    base_url: str = BASE_URL,
    provider: OpenAI | None = None,
) -> tuple[Completion, ScriptedLLM]:
    """What a fresh provider makes of these answers, and the server that gave them."""
    route = route_to(base_url, model="scripted", api_key="sk-test-0123456789")
    request = Request(messages=messages, task=task, route=route, max_tokens=77, json_schema=json_schema)
    with scripted_llm(*llm_answers) as llm:
        return (provider or OpenAI()).complete(request), llm


def answering(text: str | None, **changes: Any) -> httpx.Response:
    return httpx.Response(200, json=completion(text, **changes))


def test_it_works() -> None:
    answer, llm = ask(["Hello to you."])
    assert answer == Completion("Hello to you.", "scripted", "openai", "stop", 11, 7)
    assert llm.requests == [
        {
            "model": "scripted",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": False,
            "max_tokens": 77,
            "reasoning_effort": "low",
            "chat_template_kwargs": {"enable_thinking": False},
        }
    ]
    assert str(llm.sent[0].url) == f"{BASE_URL}/chat/completions"
    assert llm.sent[0].headers["Authorization"] == "Bearer sk-test-0123456789"


# --- the request ------------------------------------------------------------------------------------------------


def test_messages_go_out_as_they_came_in() -> None:
    sent: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {"url": "data:image/png"}}],
            "name": "ann",
        },
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "f"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "42"},
    ]
    _, llm = ask(["ok"], messages=[Message.model_validate(message) for message in sent])
    assert llm.requests[0]["messages"] == sent


def test_half_a_surrogate_pair_does_not_stop_a_request() -> None:
    _, llm = ask(["ok"], messages=[Message(role="user", content="weather \ud83c today")])
    assert llm.requests[0]["messages"][0]["content"] == "weather \ufffd today"


def test_a_schema_is_asked_for_as_response_format() -> None:
    _, llm = ask(["[]"], json_schema=SCHEMA)
    assert llm.requests[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "facts", "schema": SCHEMA, "strict": False},
    }


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."),
        (422, "response_format.type: unknown variant"),
        (404, "No endpoints found that support structured outputs"),
    ],
)
def test_a_server_without_response_format_is_asked_once_more_and_never_that_way_again(status: int, words: str) -> None:
    provider = OpenAI()
    refusal = httpx.Response(status, json={"error": {"message": words}})
    answer, llm = ask([refusal, "[]"], json_schema=SCHEMA, provider=provider)
    assert answer.text == "[]"
    assert ["response_format" in request for request in llm.requests] == [True, False]
    _, llm = ask(["[]"], json_schema=SCHEMA, provider=provider)
    assert "response_format" not in llm.requests[0]


def test_another_server_is_asked_for_response_format_again() -> None:
    provider = OpenAI()
    refusal = httpx.Response(400, json={"error": {"message": "response_format is not supported"}})
    ask([refusal, "[]"], json_schema=SCHEMA, provider=provider)
    _, llm = ask(["[]"], json_schema=SCHEMA, provider=provider, base_url="http://other.test/v1")
    assert "response_format" in llm.requests[0]


def test_a_model_that_wants_max_completion_tokens_gets_it() -> None:
    words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    refusals = [
        httpx.Response(400, json={"error": {"message": words}}),
        httpx.Response(400, json={"error": {"message": "response_format is not supported"}}),
    ]
    _, llm = ask([*refusals, "[]"], json_schema=SCHEMA)
    assert llm.requests[-1]["max_completion_tokens"] == 77
    assert "max_tokens" not in llm.requests[-1]
    assert "response_format" not in llm.requests[-1]


def test_a_server_that_refuses_again_without_response_format_is_not_asked_for_ever() -> None:
    refusal = httpx.Response(400, json={"error": {"message": "response_format is not supported"}})
    with pytest.raises(errors.RequestRefused):
        ask([refusal, refusal], json_schema=SCHEMA)


def test_another_refusal_is_not_repeated() -> None:
    with pytest.raises(errors.RequestRefused, match="maximum context length"):
        ask([httpx.Response(400, json={"error": {"message": "maximum context length"}})], json_schema=SCHEMA)


# --- the address ------------------------------------------------------------------------------------------------


def test_a_404_without_v1_in_the_address_says_so() -> None:
    with pytest.raises(errors.NotFound, match="Most servers want CAESAR_LLM__OPENAI__BASE_URL to end in /v1"):
        ask([httpx.Response(404, text="404 page not found")], base_url="http://llm.test")


def test_a_404_with_a_path_in_the_address_is_about_the_model() -> None:
    with pytest.raises(errors.NotFound) as raised:
        ask([httpx.Response(404, json={"error": {"message": "model 'scripted' not found"}})])
    assert "end in /v1" not in str(raised.value)
    assert "model 'scripted' not found" in str(raised.value)


@pytest.mark.parametrize("listed", [{"data": [{"id": "b"}, {"id": "a"}]}, [{"id": "b"}, {"id": "a", "odd": 1}]])
def test_the_models_are_listed_by_name(listed: object) -> None:
    with scripted_llm(httpx.Response(200, json=listed)) as llm:
        assert OpenAI().models(route_to(model="", api_key="sk-x")) == ["a", "b"]
    assert (llm.sent[0].method, str(llm.sent[0].url)) == ("GET", f"{BASE_URL}/models")
    assert llm.sent[0].headers["Authorization"] == "Bearer sk-x"


def test_a_list_at_a_wrong_address_says_so() -> None:
    lost = httpx.Response(404, text="404 page not found")
    with scripted_llm(lost), pytest.raises(errors.NotFound, match="BASE_URL to end in /v1"):
        OpenAI().models(route_to(base_url="http://llm.test"))


def test_only_openai_itself_needs_a_key() -> None:
    OpenAI().check(route_to())
    OpenAI().check(route_to(base_url="https://api.openai.com/v1", api_key="sk-x"))
    with pytest.raises(errors.NotConfigured, match="Set CAESAR_LLM__OPENAI__API_KEY"):
        OpenAI().check(route_to(base_url="https://api.openai.com/v1"))


def test_a_model_is_needed() -> None:
    with pytest.raises(errors.NotConfigured, match="Set CAESAR_LLM__MODEL"):
        OpenAI().check(route_to(model=""))


def test_an_address_that_ends_in_chat_completions_is_refused_with_the_cure() -> None:
    with pytest.raises(errors.NotConfigured, match="BASE_URL must end before /chat/completions"):
        OpenAI().check(route_to(base_url=f"{BASE_URL}/chat/completions"))


def test_no_key_means_no_authorization_header() -> None:
    request = Request(messages=HELLO, task="chat", route=route_to(), max_tokens=1)
    with scripted_llm("ok") as llm:
        OpenAI().complete(request)
    assert "Authorization" not in llm.sent[0].headers


def test_a_route_does_not_show_its_key() -> None:
    assert "sk-x" not in repr(route_to(api_key="sk-x"))


# --- the answer -------------------------------------------------------------------------------------------------


def test_text_parts_are_joined_and_reasoning_is_left_out() -> None:
    parts = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": '[{"key":'},
        {"type": "output_text", "text": '"a"}]'},
        {"text": ""},
        "",
        None,
    ]
    payload = completion("", reasoning_content="secret thoughts")
    payload["choices"][0]["message"]["content"] = parts
    answer, _ = ask([httpx.Response(200, json=payload)])
    assert answer.text == '[{"key":"a"}]'


def test_what_no_database_takes_is_taken_out_of_the_text() -> None:
    body = json.dumps(completion("a\0b \ud83c c"))
    answer, _ = ask([httpx.Response(200, content=body.encode())])
    assert answer.text == "ab \ufffd c"


@pytest.mark.parametrize(
    "usage", [None, {}, "many", {"prompt_tokens": "11"}, {"prompt_tokens": -1}, {"prompt_tokens": True}]
)
def test_missing_token_counts_are_none(usage: object) -> None:
    payload = completion("ok") | {"usage": usage, "model": None}
    answer, _ = ask([httpx.Response(200, json=payload)])
    assert (answer.input_tokens, answer.output_tokens, answer.model) == (None, None, "scripted")


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({}, "without any choice"),
        ({"choices": None}, "without any choice"),
        ({"choices": []}, "without any choice"),
        ({"choices": "none"}, "without any choice"),
        ({"choices": [None]}, "without any choice"),
        ({"choices": [{}]}, "without a message"),
        ({"choices": [{"message": "hello"}]}, "without a message"),
        ({"choices": [{"message": {}}]}, "empty"),
        ({"choices": [{"message": {"content": {"a": 1}}, "finish_reason": 7}]}, "empty"),
        (completion(None), "empty"),
        (completion("  \n"), "empty"),
        (completion("", reasoning="I think"), "empty, though its reasoning is not"),
        (completion(None, tool_calls=[{"id": "1"}]), "calls a tool"),
        (completion(None, refusal="I cannot."), "refuses: I cannot"),
        (completion("[{", finish_reason="content_filter"), r"content filter \(finish_reason content_filter\)"),
    ],
)
def test_an_answer_of_no_use_is_bad_and_says_why(payload: dict[str, Any], reason: str) -> None:
    with pytest.raises(errors.BadAnswer, match=reason) as raised:
        ask([httpx.Response(200, json=payload)])
    assert str(raised.value).startswith("openai at llm.test (scripted) gave an answer ")
    assert raised.value.permanent
    for foreign in ("NoneType", "KeyError", "IndexError", "subscriptable"):
        assert foreign not in str(raised.value)


def test_an_empty_summary_with_a_normal_stop_is_an_answer_unless_it_was_thought() -> None:
    answer, _ = ask([""], task="memory_summarise")
    assert answer.text == ""
    with pytest.raises(errors.BadAnswer, match="empty, though its reasoning is not"):
        ask([answering("", reasoning_content="They greeted.")], task="memory_summarise")


@pytest.mark.parametrize("finish_reason", [None, "content_filter", "tool_calls", "error"])
def test_an_empty_summary_for_any_other_reason_is_bad(finish_reason: str | None) -> None:
    with pytest.raises(errors.BadAnswer):
        ask([answering("", finish_reason=finish_reason)], task="memory_summarise")


@pytest.mark.parametrize("task", ["memory_extract", "memory_summarise"])
@pytest.mark.parametrize("text", ["", '[{"key":"car.model","value":"1998 hatchback"},{"key":"car.insu'])
def test_a_memory_task_does_not_take_an_answer_cut_by_the_token_limit(task: Task, text: str) -> None:
    with pytest.raises(errors.Truncated, match="finish_reason length.*CAESAR_LLM__TASK_MAX_TOKENS"):
        ask([answering(text, finish_reason="length", reasoning="The user wants ...")], task=task)


def test_a_chat_shows_a_cut_answer() -> None:
    answer, _ = ask([answering("Once upon a", finish_reason="length")], task="chat")
    assert (answer.text, answer.finish_reason) == ("Once upon a", "length")


def test_other_words_for_the_token_limit_are_the_same() -> None:
    answer, _ = ask([answering("Once upon a", finish_reason="model_length")], task="chat")
    assert answer.finish_reason == "length"


def test_a_chat_shows_a_refusal_in_the_models_words() -> None:
    answer, _ = ask([answering(None, refusal="I cannot help with that.")], task="chat")
    assert answer.text == "I cannot help with that."


def test_a_chat_without_a_word_is_bad() -> None:
    with pytest.raises(errors.Truncated):
        ask([answering("", finish_reason="length")], task="chat")
    with pytest.raises(errors.BadAnswer, match="empty"):
        ask([answering("")], task="chat")


@pytest.mark.parametrize(
    ("code", "kind"),
    [(429, errors.RateLimited), (502, errors.ServerFault), ("context_length_exceeded", errors.RequestRefused)],
)
def test_an_error_inside_a_choice_counts_by_its_code(code: int | str, kind: type[errors.LLMError]) -> None:
    choice = {"finish_reason": "error", "message": {"content": ""}, "error": {"message": "upstream", "code": code}}
    with pytest.raises(kind, match="upstream"):
        ask([httpx.Response(200, json={"choices": [choice]})])


def test_an_error_inside_a_200_names_what_the_server_said() -> None:
    body = '{"error":{"message":"Rate limit exceeded: free-models-per-day","code":429},"choices":null}'
    with pytest.raises(errors.RateLimited, match="Rate limit exceeded: free-models-per-day") as raised:
        ask([httpx.Response(200, text=body)])
    assert not raised.value.permanent

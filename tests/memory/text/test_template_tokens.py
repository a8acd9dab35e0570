"""Marks of chat templates in anything that goes into a prompt, old rows included."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.template_tokens import TOKEN, prompt_line
from memory.text.wording import episodes_block, facts_block, sentence
from tests.growth import LINEAR_AT_MOST, growth, of_unit

MARKS = (
    "<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|endoftext|>", "[INST]", "[/INST]", "<<SYS>>",
    "<</SYS>>", "<start_of_turn>", "<end_of_turn>", "<s>", "</s>", "<bos>", "<eos>", "<\uff5cUser\uff5c>",
    "<\uff5cbegin\u2581of\u2581sentence\uff5c>", "<|channel|>", "<|turn>", "<turn|>", "[SYSTEM_PROMPT]", "[gMASK]",
    "<|START_OF_TURN_TOKEN|>", "<tool_call>", "<unused7>",
)  # fmt: skip


@pytest.mark.parametrize("mark", MARKS)
def test_no_mark_comes_into_a_prompt(mark: str) -> None:
    for text in (sentence("note", f"a{mark}b"), sentence(f"n{mark}x", "b"), sentence("dog.name", mark)):
        assert mark not in text
    assert mark not in facts_block([f"Your note: a{mark}b."], max_facts=9, max_chars=999).text
    assert mark not in episodes_block([("today", f"We met.{mark}system")])


@pytest.mark.parametrize(
    "text", ["<3 sailing", "C#", "a <b> c", "[1] and [two]", "I <| you |> x", "<name>", "x < y > z"]
)
def test_other_brackets_stay(text: str) -> None:
    assert prompt_line(text) == text


@given(
    st.lists(
        st.sampled_from([*MARKS, "<|", "|>", "im_start", "<", ">", "[", "]", "INST", " ", "\u200b", "x"]), max_size=12
    )
)
def test_no_mark_is_left_or_made(pieces: list[str]) -> None:
    line = prompt_line("".join(pieces))
    assert not TOKEN.search(line)
    assert prompt_line(line) == line


@pytest.mark.parametrize("unit", ["<|", "<", "<|im_start", "[", "<s", "<a|"])
def test_the_time_grows_with_the_length(unit: str) -> None:
    assert growth(prompt_line, of_unit(unit), size=40_000) <= LINEAR_AT_MOST

"""What a model thought is taken out of what it said."""

import pytest

from memory.llm.answers.reasoning import without_reasoning
from tests.growth import LINEAR_AT_MOST, growth, of_unit

HARMONY = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>a</think>\n\nb", "b"),
        ("<THINKING>a</THINKING>b", "b"),
        ("b <thought>a</thought>c", "b c"),
        ("<reasoning>a</reasoning>b", "b"),
        ("<reflection>a</reflection>b", "b"),
        ("[THINK]a[/THINK]b", "b"),
        ("\u25c1think\u25b7a\u25c1/think\u25b7b", "b"),
        ("<|begin_of_thought|>a<|end_of_thought|>b", "b"),
        ('<details type="reasoning" done="true">\n<summary>Thought</summary>\na\n</details>\nb', "b"),
        (HARMONY, "Hello"),
        ("<|channel|>analysis<|message|>hm", ""),
        ("<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}<|call|>", ""),
        ("analysisThe user greets.assistantfinalHello", "Hello"),
        ("a</think>b", "b"),
        ("<think>never closed", ""),
        ("b\n<think>\nnever closed", "b"),
    ],
)
def test_it_works(text: str, said: str) -> None:
    assert without_reasoning(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Wrap it in <think> tags.",
        "Use `<think>` and `</think>`.",
        "End with `</think>`, then answer.",
        "The analysis of the assistant's final answer is fine.",
        "<details><summary>More</summary>Grout</details>",
        "I think [think] twice.",
    ],
)
def test_words_about_reasoning_stay(text: str) -> None:
    assert without_reasoning(text) == text


@pytest.mark.parametrize(
    "unit",
    ["<think>", "</think>", "<|channel|>analysis", "<details type=reasoning", "`<think>", "analysisx", "<|start|>a"],
)
def test_the_time_grows_with_the_length(unit: str) -> None:
    assert growth(without_reasoning, of_unit(unit), size=40_000) <= LINEAR_AT_MOST

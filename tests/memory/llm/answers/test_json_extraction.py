import json
import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memory.llm.answers.json_extraction import entries, without_reasoning
from memory.llm.errors import BadAnswer, Truncated
from tests.growth import LINEAR_AT_MOST, growth, of_unit

DOG = {"key": "dog.name", "value": "Beans", "confidence": 0.9}
DOG_TEXT = '{"key": "dog.name", "value": "Beans", "confidence": 0.9}'
CITY = {"key": "address.city", "value": "Ghent"}
CITY_TEXT = '{"key": "address.city", "value": "Ghent"}'


def test_it_works() -> None:
    assert entries(f"[{DOG_TEXT}, {CITY_TEXT}]") == [DOG, CITY]


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n[\n  {DOG_TEXT}\n]\n```\n\nI found one durable fact; the rest is a one-off.",
        f"```\n[{DOG_TEXT}]\n```",
        f"```json\n[{DOG_TEXT}]",
        f"Sure [as asked], here is the list:\n[{DOG_TEXT}]\nTell me if {{anything}} in the list [1] looks off.",
        f"Set {{a, b}} and [see below]: [{DOG_TEXT}] as in [2][3]. The {{key}} is new.",
        f'{{"facts": [{DOG_TEXT}]}}',
        f'Here: {{"facts": [{DOG_TEXT}], "notes": [], "count": 1}}',
        f'{{"result": {{"facts": [{DOG_TEXT}]}}}}',
        f'[{{"facts": [{DOG_TEXT}]}}]',
        f'{{"learned": [{DOG_TEXT}]}}',
        DOG_TEXT,
        f"The one fact is {DOG_TEXT}.",
        f"[{DOG_TEXT},]",
        f"[{DOG_TEXT}],",
        f"[{DOG_TEXT}]\n[{DOG_TEXT}]",
        f"{DOG_TEXT}\n\nThat is: {DOG_TEXT}",
        f"[]\n\nWait, there is one after all:\n[{DOG_TEXT}]",
        f"[{DOG_TEXT}]\nNothing else, so for the others: []",
        f'The form is [{{"key": ..., "value": ...}}], so:\n[{DOG_TEXT}]',
        f'[{DOG_TEXT}]\nEach has the form {{"key": ..., "value": ...}}.',
        '{"facts": {"dog.name": {"value": "Beans", "confidence": 0.9}}}',
        '{"dog.name": {"value": "Beans", "confidence": 0.9}}',
        '"[{\\"key\\": \\"dog.name\\", \\"value\\": \\"Beans\\", \\"confidence\\": 0.9}]"',
        '{"facts": "[{\\"key\\": \\"dog.name\\", \\"value\\": \\"Beans\\", \\"confidence\\": 0.9}]"}',
        f"\ufeff  [{DOG_TEXT}]  ",
    ],
)
def test_the_entry_is_found_whatever_stands_around_it(answer: str) -> None:
    assert entries(answer) == [DOG]


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning", "Think"])
def test_drafts_in_reasoning_are_not_the_answer(tag: str) -> None:
    draft = f'Maybe [{{"key": "address.city", "value": "Lille"}}] ... no {{see above}}.\n</{tag}>\n[{CITY_TEXT}]'
    assert entries(f"<{tag}>\n{draft}") == [CITY]
    assert entries(draft) == [CITY]


def test_the_last_list_wins_over_earlier_drafts() -> None:
    assert entries(f"First thought: [{DOG_TEXT}]\nCorrected:\n[{CITY_TEXT}]") == [CITY]


@pytest.mark.parametrize(
    "final",
    [
        "That was a joke. Final answer: []",
        "On reflection the final answer is [].",
        "**Final answer:** `[]`",
        "Final answer:\n```json\n[]\n```",
        'Corrected: {"facts": []}',
        "Endgültige Antwort: []",
        "最终答案：[]",
    ],
)
def test_an_announced_empty_list_takes_back_an_earlier_draft(final: str) -> None:
    assert entries(f"Draft: [{DOG_TEXT}]\n\n{final}") == []


@pytest.mark.parametrize("final", [CITY_TEXT, f"[{CITY_TEXT}]", '{"address.city": "Ghent"}'])
def test_an_announced_answer_counts_in_whatever_shape_it_comes(final: str) -> None:
    (entry,) = entries(f"Draft: [{DOG_TEXT}]\nFinal answer:\n{final}")
    assert isinstance(entry, dict)
    assert (entry["key"], entry["value"]) == (CITY["key"], CITY["value"])


@pytest.mark.parametrize(
    "rest",
    [
        "Rejected: []",
        "Final answer: [1]",
        "Final answer: none.",
        "(Had there been none, the answer would be [].)",
        "That is my final answer.\nSkipped: []",
    ],
)
def test_what_only_sounds_like_an_answer_takes_nothing_back(rest: str) -> None:
    assert entries(f"The answer: [{DOG_TEXT}]\n{rest}") == [DOG]


def test_entries_one_after_another_are_one_list() -> None:
    assert entries(f"{DOG_TEXT}\n{CITY_TEXT}\n") == [DOG, CITY]
    assert entries(f"- {DOG_TEXT}\n- {CITY_TEXT}") == [DOG, CITY]
    assert entries(f"1. {DOG_TEXT}\n2. {CITY_TEXT}") == [DOG, CITY]


def test_different_entries_with_prose_between_are_ambiguous() -> None:
    with pytest.raises(BadAnswer, match="here and there"):
        entries(f"Certain: {DOG_TEXT}. Then again {CITY_TEXT} is likely.")


@pytest.mark.parametrize(
    "answer",
    [
        "[]",
        " [\n] ",
        "```json\n[]\n```",
        "[]\n\nNothing durable was said.",
        "[] (nothing durable)",
        "The answer is: []",
        "**[]**",
        '{"facts": []}',
        '{"facts": {}}',
        "{}",
        "<think>[]? yes</think>[]",
        f"Maybe [{DOG_TEXT}]? No, that was a joke.\n\n[]",
    ],
)
def test_an_empty_list_means_no_facts(answer: str) -> None:
    assert entries(answer) == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("Understood! I will remember that your dog is now called Waffle.", "no JSON"),
        ("I cannot write [] or {} here, sorry.", "no JSON|no facts"),
        ("As the source says [1].", "no facts"),
        ('["dog.name: Beans"]', "no facts"),
        ('{"error": "I cannot do that", "details": []}', "no facts"),
        ('{"status": "ok"}', "no facts"),
        ('{"reply": {"confidence": 5}}', "no facts"),
        ('{"facts": null}', "no facts"),
        ("42", "no JSON"),
        ("<think>I wonder what to do", "nothing but reasoning"),
        ("<think>all of it</think>", "nothing but reasoning"),
        (f"<think>[{DOG_TEXT}]", "nothing but reasoning"),
    ],
)
def test_an_answer_without_a_list_is_bad_and_says_why(answer: str, reason: str) -> None:
    with pytest.raises(BadAnswer, match=reason):
        entries(answer)


@pytest.mark.parametrize(
    "answer",
    [
        f'[{DOG_TEXT}, {{"key": "car.insurance_end", "value": "Octo',
        f"[{DOG_TEXT}, {CITY_TEXT}",
        f"[{DOG_TEXT}, ",
        f'{{"facts": [{DOG_TEXT}',
        f'Draft: [{DOG_TEXT}]\nFinal:\n[{DOG_TEXT}, {{"key": "add',
    ],
)
def test_an_answer_that_breaks_off_is_truncated_and_its_head_is_not_kept(answer: str) -> None:
    with pytest.raises(Truncated, match="breaks off"):
        entries(answer)


@pytest.mark.parametrize(
    "answer",
    [
        f'[{{"key": "quote", "value": "he said "hi" to me"}}, {DOG_TEXT}]',
        f"```json\n[{DOG_TEXT}, {CITY_TEXT}\n```",
        f"[{DOG_TEXT}, {CITY_TEXT}\n\nI found two.",
        '[{"key": "a", "value": a b, "tags":\n[]\n}]',
    ],
)
def test_a_part_of_a_broken_list_is_not_taken_for_the_whole(answer: str) -> None:
    with pytest.raises(BadAnswer, match="broken JSON"):
        entries(answer)


def test_control_characters_and_wrong_escapes_inside_strings_are_read() -> None:
    assert entries('[{"key": "a", "value": "coffee,\n\tthen a walk"}]') == [
        {"key": "a", "value": "coffee,\n\tthen a walk"}
    ]
    assert entries(r'[{"key": "a", "value": "it\'s \u00e9 \"x\""}]') == [{"key": "a", "value": 'it\'s é "x"'}]


@pytest.mark.parametrize(
    "value",
    [
        r"C:\Users\new\notes",
        r"\d+\.\d{2}",
        r"\(x^2\)",
        r"snake\_case \t",
        r"\u12 and \n",
        r"\\srv\share\temp",
        "C:\\Temp\\",
    ],
)
def test_where_one_escape_is_none_every_backslash_is_one(value: str) -> None:
    if value.endswith("\\"):
        with pytest.raises(BadAnswer):
            entries(f'[{{"key": "path", "value": "{value}"}}]')
    else:
        assert entries(f'[{{"key": "path", "value": "{value}"}}]') == [{"key": "path", "value": value}]


@pytest.mark.parametrize("value", [r"say \"hi\" in C:\Users", r"\d and \"x\""])
def test_what_cannot_be_read_so_is_refused_and_not_repaired(value: str) -> None:
    with pytest.raises(BadAnswer, match="broken JSON"):
        entries(f'[{{"key": "path", "value": "{value}"}}, {{"key": "dog.name", "value": "Beans"}}]')


def test_whole_escapes_are_escapes() -> None:
    assert entries(r'[{"key": "a", "value": "C:\\Users\\new \"x\"\n"}]') == [
        {"key": "a", "value": 'C:\\Users\\new "x"\n'}
    ]


def test_missing_commas_and_python_words_are_read() -> None:
    assert entries('[{"key": "a" "value": True} {"key": "b", "value": None}]') == [
        {"key": "a", "value": True},
        {"key": "b", "value": None},
    ]


def test_types_come_out_as_they_are() -> None:
    answer = '[{"key":"shoe.size","value":43,"confidence":0.9,},{"key":"n","value":2.0,"confidence":-1e-2,},"text",]'
    assert entries(answer) == [
        {"key": "shoe.size", "value": 43, "confidence": 0.9},
        {"key": "n", "value": 2.0, "confidence": -0.01},
        "text",
    ]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_numbers_that_json_does_not_have_are_not_finite(number: str) -> None:
    found = entries(f'[{{"key": "a", "value": "b", "confidence": {number}}}, {DOG_TEXT}]')
    assert isinstance(found[0], dict)
    assert not math.isfinite(float(str(found[0]["confidence"])))
    assert found[1] == DOG


def test_a_bare_word_costs_its_entry_and_not_the_batch() -> None:
    assert entries(f'[{{"key": "a", "value": "b", "confidence": high}}, {DOG_TEXT}]') == [
        {"key": "a", "value": "b", "confidence": "high"},
        DOG,
    ]


def test_values_may_hold_brackets_fences_and_reasoning_tags() -> None:
    value = "uses <think> and </think>, ``` and [{ in prompts"
    assert entries(f'[{{"key": "a", "value": "{value}"}}]') == [{"key": "a", "value": value}]
    assert entries(f'```json\n[{{"key": "a", "value": "{value}"}}]\n```') == [{"key": "a", "value": value}]


# --- reasoning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>Okay, summarise.</think>\n\nWe discussed a tap.", "We discussed a tap."),
        ("Okay, summarise.\n</think>\nWe discussed a tap.", "We discussed a tap."),
        ("We discussed a tap.\n<think>Was that right? Yes", "We discussed a tap."),
        ("<think>a<think>b</think>c</think>We discussed a tap.", "We discussed a tap."),
        ("We <reasoning>hm</reasoning>discussed <THINK >no</think >a tap.", "We discussed a tap."),
        ("<think></think>We discussed a tap.", "We discussed a tap."),
        ("We discussed a tap.", "We discussed a tap."),
        ("We discussed the <think> tag.", "We discussed the <think> tag."),
        ("About the <think> tag.\n<think>secret thoughts", "About the <think> tag."),
        ("<think>nothing but this", ""),
        ("", ""),
    ],
)
def test_reasoning_is_taken_out(text: str, rest: str) -> None:
    assert without_reasoning(text) == rest


# --- hostile input ----------------------------------------------------------------------------------------------

_SHREDS = [
    *'[]{}",:\\\n \u2028`',
    '"key"',
    '"value": ',
    DOG_TEXT,
    "```json",
    "<think>",
    "</think>",
    "NaN",
    "-1e5",
    "12",
    "\\u00",
    "\ud800",
    "words",
    "[]",
]


@hypothesis_settings(deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(_SHREDS), max_size=40).map("".join)))
def test_nothing_but_bad_answer_is_ever_raised(text: str) -> None:
    with suppress(BadAnswer):
        assert isinstance(entries(text), list)
    assert isinstance(without_reasoning(text), str)


_VALUES = st.text() | st.integers() | st.booleans()


@hypothesis_settings(deadline=None)
@given(st.lists(st.fixed_dictionaries({"key": st.text(min_size=1), "value": _VALUES})))
def test_what_json_writes_is_read_back(facts: list[dict[str, str | int | bool]]) -> None:
    assert entries(json.dumps(facts)) == facts
    assert entries(json.dumps({"facts": facts}, indent=2, ensure_ascii=False)) == facts


@pytest.mark.parametrize(
    "shred",
    [
        "[",
        "[ ",
        '["',
        '{"',
        '{"a":',
        '{"a":"',
        '"',
        '"\\',
        "[]",
        "[]\n",
        "[x",
        "[[1]]",
        "[{}]x",
        DOG_TEXT,
        DOG_TEXT + " and ",
        f"[{DOG_TEXT},",
        "<think>",
        "</think>",
        "<think></think>",
        "\n          <",
        "```json\n",
        "Final answer: [] ",
        "answer [1] ",
        "final ",
        " ",
        "9",
    ],
)
@pytest.mark.parametrize("start", ["", "[", '[{"key": "'])
def test_hostile_text_takes_linear_time(start: str, shred: str) -> None:
    def read(text: str) -> None:
        with suppress(BadAnswer):
            entries(text)

    assert growth(read, of_unit(shred, before=start), size=25_000) < LINEAR_AT_MOST

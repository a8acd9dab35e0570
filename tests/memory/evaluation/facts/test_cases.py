"""The file of cases: what is read, and how a bad line is named with its cure."""

import json
from pathlib import Path
from typing import Any

import pytest

from memory.management.evaluation.facts import cases
from memory.management.evaluation.json_lines import BadFile

SAID = [{"role": "user", "content": "My cat is Miso."}, {"role": "assistant", "content": "Hello Miso."}]


def line(**fields: Any) -> str:
    return json.dumps({"id": "a", "messages": SAID, "gold": [], **fields})


def written(folder: Path, *texts: str) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BadFile) as caught:
        cases.read(path)
    return str(caught.value)


def test_it_works(tmp_path: Path) -> None:
    gold = [{"key_any": ["cat.name"], "value_any": ["Miso"]}]
    (case,) = cases.read(written(tmp_path, line(gold=gold, forbidden=["dog"])))
    assert (case.id, case.forbidden) == ("a", ["dog"])
    assert (case.gold[0].value_any, case.gold[0].op) == (["Miso"], "add")
    assert [message.content for message in case.asked] == ["My cat is Miso."]
    assert case.reply == "Hello Miso."


def test_a_chat_may_end_with_the_user(tmp_path: Path) -> None:
    (case,) = cases.read(written(tmp_path, line(messages=SAID[:1])))
    assert (len(case.asked), case.reply) == (1, "")


def test_blank_lines_are_left_out_and_a_limit_reads_no_further(tmp_path: Path) -> None:
    path = written(tmp_path, line(), "", line(id="b"), "{broken")
    assert [case.id for case in cases.read(path, limit=2)] == ["a", "b"]


@pytest.mark.parametrize("name", ["retire", "ends"])
def test_facts_that_end_have_two_names(tmp_path: Path, name: str) -> None:
    (case,) = cases.read(written(tmp_path, line(**{name: ["job.*"]})))
    assert case.retire == ["job.*"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON"),
        ("[]", "the line: must be an object"),
        (json.dumps({"id": "a", "gold": []}), "messages is missing. A case has id, messages and gold"),
        (line(gold=[{"key_any": [], "value_any": ["x"]}]), "gold.0.key_any"),
        (line(gold=[{"key_any": ["x"], "value_any": ["!"]}]), "'!' holds no letter and no digit"),
        (line(gold=[{"key_any": ["x"], "value_any": ["x"], "op": "forget"}]), "'add', 'update' or 'confirm'"),
        (line(forbidden=["city="]), "holds no letter and no digit"),
        (line(have=[{"key": "x", "value": " "}]), "cannot be kept as a fact"),
        (line(messages=[{"role": "user", "content": " "}]), "at least one message of the role user"),
        (line(messages=[{"role": "robot", "content": "x"}]), "messages.0.role: must be 'user'"),
        (line(), "the id 'a' is that of line 1. Give each line its own."),
    ],
)
def test_a_bad_line_names_its_number_and_the_cure(tmp_path: Path, text: str, words: str) -> None:
    said = refusal(written(tmp_path, line(), "", text))
    assert said.startswith(f"{tmp_path}/cases.jsonl, line 3: ")
    assert words in said
    assert said.endswith(".")


def test_a_file_that_is_not_text_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(line().encode() + b"\n\xff\n")
    assert "line 2: not UTF-8 text" in refusal(path)


def test_a_missing_or_empty_file_is_named(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "none.jsonl")
    assert "holds no case" in refusal(written(tmp_path, ""))

"""The triggers file: what is taken, and that everything else is refused with its line, its reason and its cure."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from croniter import croniter
from hypothesis import given
from hypothesis import strategies as st

from caesar.environment import ROOT
from memory.proactive.triggers import MAX_BYTES, Trigger, TriggersError, find, parse, read

ONE = """\
- name: morning
  cron: "0 7 * * *"
  prompt: What is on my mind today?
"""


def entry(**fields: str) -> str:
    """One trigger as a file has it, with some fields as given; "" leaves a field out."""
    whole = {"name": "morning", "cron": '"0 7 * * *"', "prompt": "Good morning."} | fields
    lines = [f"{name}: {value}" for name, value in whole.items() if value]
    return "- " + "\n  ".join(lines) + "\n"


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(TriggersError) as refused:
        parse(text, source="t.yaml")
    return refused.value.problems


def problem(text: str) -> str:
    """The one thing that is wrong with it."""
    (found,) = problems(text)
    return found


# --- what is taken --------------------------------------------------------------------------------------------------


def test_it_works() -> None:
    text = ONE + '- name: weekly.review-2\n  cron: 30 18 * * FRI\n  prompt: "What did I do?"\n  enabled: false\n'
    assert parse(text, source="t.yaml") == [
        Trigger("morning", "0 7 * * *", "What is on my mind today?", enabled=True),
        Trigger("weekly.review-2", "30 18 * * FRI", "What did I do?", enabled=False),
    ]


def test_the_documented_example_is_taken() -> None:
    page = (ROOT / "docs/proactive.md").read_text(encoding="utf-8")
    example = page.split("```yaml\n")[1].split("```")[0]
    triggers = parse(example, source="proactive.md")
    assert [(trigger.name, trigger.enabled) for trigger in triggers] == [("morning", True), ("weekly-review", False)]


def test_the_list_may_stand_under_its_key() -> None:
    indented = "".join(f"  {line}\n" for line in ONE.splitlines())
    assert parse("triggers:\n" + indented, source="t.yaml") == parse(ONE, source="t.yaml")


@pytest.mark.parametrize("text", ["[]", "triggers: []", "# none yet\n[]\n"])
def test_none_at_all_is_written_as_an_empty_list(text: str) -> None:
    assert parse(text, source="t.yaml") == []


def test_a_prompt_may_have_several_lines() -> None:
    (trigger,) = parse(entry(prompt="|\n    Good morning.\n\n    What is due: today?\n"), source="t.yaml")
    assert trigger.prompt == "Good morning.\n\nWhat is due: today?"


@pytest.mark.parametrize(
    ("written", "is_enabled"), [("true", True), ("yes", True), ("On", True), ("false", False), ("no", False)]
)
def test_enabled_in_yaml_s_words(written: str, is_enabled: bool) -> None:
    (trigger,) = parse(entry(enabled=written), source="t.yaml")
    assert trigger.enabled is is_enabled


@pytest.mark.parametrize(
    "cron", ["*/5 * * * *", "0 7 * * MON-FRI", "0,30 6-9 1,15 jan,jul *", "0 0 29 2 *", "0 7 * * 7", "@daily"]
)
def test_cron_lines_that_are_taken(cron: str) -> None:
    (trigger,) = parse(entry(cron=f'"{cron}"'), source="t.yaml")
    assert trigger.cron == cron


def test_spaces_in_a_cron_line_do_not_matter() -> None:
    (trigger,) = parse(entry(cron='"  0   7 * * * "'), source="t.yaml")
    assert trigger.cron == "0 7 * * *"


@pytest.mark.parametrize(
    ("cron", "has_fixed_hours"),
    [("30 2 * * *", True), ("0 */2 * * *", True), ("@daily", True), ("30 * * * *", False), ("@hourly", False)],
)
def test_which_hours_are_fixed(cron: str, has_fixed_hours: bool) -> None:
    assert Trigger("a", cron, "x").has_fixed_hours is has_fixed_hours


def test_find_goes_by_the_whole_name() -> None:
    triggers = parse(ONE, source="t.yaml")
    assert find(triggers, "morning") is triggers[0]
    assert find(triggers, "Morning") is find(triggers, "morn") is None


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "holds no list of triggers"),
        ("# nothing\n", 1, "holds no list of triggers"),
        ("triggers:\n", 1, "is no list of triggers"),
        ("name: morning\ncron: 0 7 * * *\nprompt: x\n", 1, "is no list of triggers. Begin each with a hyphen"),
        ("\n\njust text", 3, "is no list of triggers"),
        ("triggers: []\nother: 1\n", 2, "there is no field 'other'"),
        (ONE + "- morning\n", 4, "is no trigger"),
        (ONE + "-\n", 4, "is no trigger"),
        (ONE + "  promt: x\n", 4, "there is no field 'promt'. Did you mean prompt?"),
        (ONE + "  enabled: true\n  prompt: again\n", 5, "prompt stands twice"),
        (ONE + "- [a]: x\n", 4, "there is no field"),
        (ONE + "- <<: {name: x}\n", 4, "there is no field '<<'"),
        (ONE + entry(cron=""), 4, "lacks its cron"),
        (ONE + entry(name="", prompt=""), 4, "lacks its name and its prompt"),
        (entry(name="7"), 1, "name must be text: put it in quotes"),
        (entry(name="on"), 1, "name must be text: put it in quotes"),
        (entry(prompt="[a, b]"), 3, "prompt must be text, not a list"),
        (entry(prompt="12"), 3, "prompt must be text: put it in quotes"),
        (entry(cron="7"), 2, "cron must be text: put it in quotes"),
        (entry(cron="{a: b}"), 2, "cron must be text, not a list or a mapping"),
        (entry(enabled='"true"'), 4, "enabled must be true or false"),
        (entry(enabled="1"), 4, "enabled must be true or false"),
        (entry(enabled="null"), 4, "enabled must be true or false"),
        (entry(prompt="~"), 3, "prompt is empty"),
        (entry(prompt="'  '"), 3, "prompt is empty"),
        (entry(name="''"), 1, "name is empty"),
        (entry(name="two words"), 1, "'two words' holds odd characters"),
        (entry(name="a/b"), 1, "holds odd characters"),
        (entry(name="-a"), 1, "holds odd characters"),
        (entry(name='"a\\nb"'), 1, "holds odd characters"),
        (entry(name="früh"), 1, "holds odd characters"),
        (entry(name="a" * 65), 1, "name is longer than 64 characters"),
        (entry(cron="0 7 * *"), 2, "'0 7 * *' has not five fields"),
        (entry(cron='"* * * * * *"'), 2, "has not five fields"),
        (entry(cron="'@reboot'"), 2, "has not five fields"),
        (entry(cron="61 7 * * *"), 2, "is no cron line: [61 7 * * *] is not acceptable, out of range"),
        (entry(cron="0 24 * * *"), 2, "is no cron line"),
        (entry(cron="'*/0 * * * *'"), 2, "is no cron line"),
        (entry(cron="0 7 * * noday"), 2, "is no cron line"),
        (entry(cron="0 0 30 2 *"), 2, "never comes"),
        (entry(cron="R * * * *"), 2, "names no fixed time"),
        (entry(cron="0 h(1-5) * * *"), 2, "names no fixed time"),
        (entry(cron="0 7 * * " + ",".join(["1"] * 60)), 2, "cron is longer than 100 characters"),
        (entry(prompt='"a\\0b"'), 3, "a character that is no text"),
        (entry(prompt='"a\\ud83d"'), 3, "a character that is no text"),
        (entry(prompt="a\x07b"), 3, "a character that is no text"),
        (ONE + entry(), 4, "name morning stands already at line 1"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, reason: str) -> None:
    found = problem(text)
    assert found.startswith(f"t.yaml, line {line}: ")
    assert reason in found
    assert "\n" not in found


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("- name: a: b\n", 1, "mapping values are not allowed here"),
        ("- name: morning\n\tcron: x\n", 2, "cannot start any token"),
        ("- name: morning\n  cron: 'x\n", 3, "while scanning a quoted scalar from line 2 on"),
        ("[]\n---\n[]\n", 2, "another document"),
        ("%YAML 3.0\n---\n[]\n", 1, "incompatible YAML"),
        (entry(cron="*/5 * * * *"), 2, 'a value that begins with * goes in quotes: "*/5 * * * *"'),
        (entry(cron="* * * * *"), 2, "a value that begins with * goes in quotes"),
        ("- &a [x]\n", 1, "anchors (&) and aliases (*) are not taken"),
        ("- name: *a\n", 1, "anchors (&) and aliases (*) are not taken"),
        ("- name: !!python/object/apply:os.system [x]\n", 1, "tags (!) are not taken"),
        ("- !!str 7\n", 1, "tags (!) are not taken"),
        ('- name: a\n  prompt: "\\U00110000"\n', 2, "holds an escape (\\U...) that is no character"),
        ('- name: "\\U0010FFFF"\n  prompt: "\\UFFFFFFFF"\n', 2, "holds an escape (\\U...) that is no character"),
    ],
)
def test_what_is_no_yaml_or_too_much_of_it_is_told_with_its_line(text: str, line: int, reason: str) -> None:
    found = problem(text)
    assert found.startswith(f"t.yaml, line {line}: ")
    assert reason in found


@pytest.mark.parametrize("opening", ["[", "- ", "? ", "{a: "])
def test_deep_nesting_is_refused_before_it_is_built(opening: str) -> None:
    assert "nested too deeply" in problem(opening * (MAX_BYTES // len(opening)))


def test_aliases_that_multiply_are_refused_before_they_are_followed() -> None:
    rows = [f"  - &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert "line 2: anchors" in problem("triggers:\n  - &a0 [x]\n" + "\n".join(rows))


def test_the_first_fault_of_each_trigger_is_told() -> None:
    text = entry(cron="61 7 * * *", prompt="~") + entry(name="b") + entry(name="c", cron="nonsense")
    first, second = problems(text)
    assert first.startswith("t.yaml, line 2: cron")
    assert second.startswith("t.yaml, line 8: cron")


def test_a_message_names_the_first_and_counts_the_rest() -> None:
    with pytest.raises(TriggersError, match=r"^t\.yaml, line 1: is no trigger\..* \(1 more like it\)$"):
        parse("- a\n- b\n", source="t.yaml")


def test_hundreds_of_faults_are_not_all_told() -> None:
    assert len(problems("- x\n" * 1000)) == 20


@given(fields=st.lists(st.text("0123456789*/,-#?LWlJANMONsun@", min_size=1, max_size=6), min_size=5, max_size=5))
def test_a_cron_line_is_refused_or_the_queue_can_go_by_it(fields: list[str]) -> None:
    try:
        (trigger,) = parse(entry(cron='"' + " ".join(fields) + '"'), source="t.yaml")
    except TriggersError:
        return
    now = datetime(2026, 5, 20, 9, 0, tzinfo=UTC)
    assert croniter(trigger.cron, now).get_next(datetime) > now


@given(text=st.text(max_size=300))
def test_any_text_is_triggers_or_a_refusal(text: str) -> None:
    found: tuple[str, ...] = ()
    try:
        parse(text, source="t.yaml")
    except TriggersError as error:
        found = error.problems
    assert all(one.startswith("t.yaml, line ") for one in found)


# --- the file itself ------------------------------------------------------------------------------------------------


def refusal(path: Path) -> str:
    with pytest.raises(TriggersError) as refused:
        read(path)
    return str(refused.value)


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "triggers.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + ONE.replace("\n", "\r\n").encode())
    assert [trigger.name for trigger in read(path)] == ["morning"]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.yaml") == f"{tmp_path / 'none.yaml'}: No such file or directory."


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path}: is no file."


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe").endswith("is no file.")


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "triggers.yaml"
    path.write_text(ONE)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert refusal(path) == f"{path}: Permission denied."


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "triggers.yaml"
    path.write_text(ONE + "#" * MAX_BYTES)
    assert refusal(path) == f"{path}: is larger than 64 KiB. It holds triggers and nothing else."


def test_what_is_not_utf_8_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "triggers.yaml"
    path.write_bytes(b"# one\n# two \xe4\n[]\n")
    assert refusal(path) == f"{path}, line 2: is not UTF-8."


def test_a_faulty_line_is_told_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "triggers.yaml"
    path.write_text(ONE + "  promt: x\n")
    assert refusal(path).startswith(f"{path}, line 4: there is no field")

"""The settings tree, `.env.example` and the README's settings table say the same."""

import re
import tomllib
from typing import get_args

from caesar.conf import Settings, Task
from caesar.environment import ENV_FILE, ROOT, EnvironmentSource, read_env_file, setting_names, written
from memory.events import EVENTS

TURNED_ON = {
    "CAESAR_LLM__PROVIDER": "offline",
    "CAESAR_MEMORY__FACTS__ENABLED": "true",
    "CAESAR_MEMORY__FACTS_EXTRACT__ENABLED": "true",
    "CAESAR_MEMORY__EPISODES_SUMMARISE__ENABLED": "true",
}


def defaults() -> dict[str, str]:
    """Every setting with its default, as an env file has it."""
    return {name: written(field.default) for name, field in setting_names(Settings).items()}


def readme_rows() -> dict[str, str]:
    """Setting and default from each row of the README's table, `<TASK>` written out for every task."""
    rows: dict[str, str] = {}
    for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines():
        row = re.match(r"\| *`(CAESAR_[A-Z0-9_<>]+)` *\| *(.*?) *\|", line)
        if row:
            name, default = row[1], row[2].strip("`")
            tasks = get_args(Task) if "<TASK>" in name else ("",)
            rows |= {name.replace("<TASK>", task.upper()): "" if default == "unset" else default for task in tasks}
    return rows


def test_env_example_lists_every_setting_once_and_no_other() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert re.findall(r"^(?:# )?(CAESAR_[A-Z0-9_]+)=", text, re.MULTILINE) == list(setting_names(Settings))


def test_env_example_explains_every_setting_in_the_line_above() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    above = {re.split(r"[ =]", line.removeprefix("# "))[0]: lines[number - 1] for number, line in enumerate(lines)}
    for name, field in setting_names(Settings).items():
        assert field.description, name
        assert above[name] == "# " + field.description.replace("`", "")


def test_env_example_shows_the_defaults() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^# (CAESAR_[A-Z0-9_]+)=(.*)$", text, re.MULTILINE))
    assert shown == {name: default for name, default in defaults().items() if name not in TURNED_ON}


def test_env_example_turns_all_of_memory_on_without_a_model() -> None:
    values = read_env_file(ROOT / ".env.example")
    assert values == TURNED_ON
    tree = Settings.model_validate(EnvironmentSource(Settings, values)())
    assert tree.llm.provider == "offline"
    assert tree.facts_injection_enabled
    assert tree.memory.facts_extract.enabled
    assert tree.memory.episodes_summarise.enabled
    assert tree.memory.episodes_recall.enabled
    assert tree.semantic.enabled


def test_env_example_with_every_line_uncommented_is_valid() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    values = dict(re.findall(r"^(?:# )?(CAESAR_[A-Z0-9_]+)=(.*)$", text, re.MULTILINE))
    assert Settings.model_validate(EnvironmentSource(Settings, values)()).server == Settings().server


def test_readme_table_lists_every_setting_with_its_default() -> None:
    assert readme_rows() == defaults()


def test_readme_names_the_variables_that_are_no_settings() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [
        name for name in (ENV_FILE, "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST", "_FILE`") if name not in text
    ]
    assert not missing


def test_readme_lists_every_event() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `((?:access|chat|memory)\.[a-z_.]+)` \|", text, re.MULTILINE)) == sorted(EVENTS)


def test_readme_names_every_room_of_the_house() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    house = text[text.index("## The house") : text.index("## Growth")]
    rooms = {
        path.name for path in (ROOT / "memory").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    missing = [name for name in rooms - {"__init__.py", "apps.py", "migrations"} if name.removesuffix("/") not in house]
    assert not missing


def test_the_changelog_names_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

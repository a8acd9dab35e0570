"""README, CONTRIBUTING and `docs/` say what the code says: settings, events, commands, rooms, decisions, links."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from caesar.conf import Settings, Task
from caesar.environment import ENV_FILE, ROOT, EnvironmentSource, read_env_file, setting_names, written
from memory.events import EVENTS
from tests.test_floors import FLOORS

README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]

TURNED_ON = {
    "CAESAR_LLM__PROVIDER": "offline",
    "CAESAR_MEMORY__FACTS__ENABLED": "true",
    "CAESAR_MEMORY__FACTS_EXTRACT__ENABLED": "true",
    "CAESAR_MEMORY__EPISODES_SUMMARISE__ENABLED": "true",
}

# How each block of shell or Python in README and clients.md is tried, by its first line: the test that runs it, or why
# none does.
TRIED = {
    "make run": "tests/test_makefile.py::test_packages_are_installed_first_and_then_no_more",
    "make test": "tests/test_makefile.py::test_packages_are_installed_first_and_then_no_more",
    "KEY=caesar_...": "tests/docs/test_walkthrough.py::test_the_first_three_minutes",
    "curl -s http://127.0.0.1:8000/v1/chat ": "tests/docs/test_walkthrough.py::test_the_first_three_minutes",
    "curl -s http://127.0.0.1:8000/v1/memory/facts ": "tests/docs/test_walkthrough.py::test_the_first_three_minutes",
    "curl -s http://127.0.0.1:8000/v1/memory/context ": "tests/docs/test_walkthrough.py::test_the_first_three_minutes",
    "from openai import OpenAI": "tests/clients/test_readme_clients.py::test_openai_for_python",
    "from langchain_openai import ChatOpenAI": "tests/clients/frameworks/test_frameworks.py::test_it_works",
    "from llama_index.core.llms import ChatMessage": "tests/clients/frameworks/test_frameworks.py::test_it_works",
    "import litellm": "tests/clients/frameworks/test_frameworks.py::test_it_works",
    "from pydantic_ai import Agent": "tests/clients/frameworks/test_frameworks.py::test_it_works",
    "from anthropic import Anthropic": "tests/clients/test_readme_clients.py::test_anthropic_for_python",
    "llm keys set caesar --value caesar_...": "tests/clients/test_readme_clients.py::test_llm",
    "import asyncio": "tests/clients/test_mcp_sdk.py::test_the_documented_program",
}
NOT_TRIED = {
    "claude mcp add ": "a line for Claude Code; that Connect says the same is tested with its tabs",
    "export ANTHROPIC_BASE_URL=http://127.0.0.1:8000": "for Claude Code, which no test has",
    "CAESAR_LLM__PROVIDER=openai": "lines for .env that need a paid key; that the names are settings is tested below",
    "CAESAR_LLM__PROVIDER=ollama": "lines for .env that need Ollama; that the names are settings is tested below",
}

_NUMBERS = r"\d+(?:(?:,\s*|\s+to\s+|\s+and\s+|,\s+and\s+)\d+)*"
_DECISIONS = re.compile(rf"\bdecisions?\s+({_NUMBERS})", re.IGNORECASE)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def without_code(text: str) -> str:
    """Markdown without its code blocks, in which nothing is a heading or a link."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def first_column(text: str, pattern: str) -> list[str]:
    """What the first cell of each row of a page's tables holds, between its backquotes."""
    return re.findall(rf"^\| `({pattern})`", text, re.MULTILINE)


# --- settings ---------------------------------------------------------------------------------------------------


def defaults() -> dict[str, str]:
    """Every setting with its default, as an env file has it."""
    return {name: written(field.default) for name, field in setting_names(Settings).items()}


def settings_rows() -> dict[str, tuple[str, str]]:
    """Default and description from each row of the settings table, `<TASK>` written out for every task."""
    rows: dict[str, tuple[str, str]] = {}
    for line in read("docs/settings.md").splitlines():
        row = re.match(r"\| *`(CAESAR_[A-Z0-9_<>]+)` *\| *(.*?) *\| *(.*?) *\|$", line)
        if row:
            name, default = row[1], row[2].strip("`")
            tasks = get_args(Task) if "<TASK>" in name else ("",)
            shown = "" if default == "unset" else default
            rows |= {name.replace("<TASK>", task.upper()): (shown, row[3]) for task in tasks}
    return rows


def test_env_example_lists_every_setting_once_and_no_other() -> None:
    listed = re.findall(r"^(?:# )?(CAESAR_[A-Z0-9_]+)=", read(".env.example"), re.MULTILINE)
    assert listed == list(setting_names(Settings))


def test_env_example_explains_every_setting_in_the_line_above() -> None:
    lines = read(".env.example").splitlines()
    above = {re.split(r"[ =]", line.removeprefix("# "))[0]: lines[number - 1] for number, line in enumerate(lines)}
    for name, field in setting_names(Settings).items():
        assert field.description, name
        assert above[name] == "# " + field.description.replace("`", "")


def test_env_example_shows_the_defaults() -> None:
    shown = dict(re.findall(r"^# (CAESAR_[A-Z0-9_]+)=(.*)$", read(".env.example"), re.MULTILINE))
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
    values = dict(re.findall(r"^(?:# )?(CAESAR_[A-Z0-9_]+)=(.*)$", read(".env.example"), re.MULTILINE))
    assert Settings.model_validate(EnvironmentSource(Settings, values)()).server == Settings().server


def test_the_settings_table_lists_every_setting_with_its_default() -> None:
    assert {name: default for name, (default, _) in settings_rows().items()} == defaults()


def test_the_settings_table_says_what_the_code_says() -> None:
    described = {name: description for name, (_, description) in settings_rows().items()}
    assert described == {name: field.description for name, field in setting_names(Settings).items()}


def test_the_settings_page_names_the_variables_that_are_no_settings() -> None:
    text = read("docs/settings.md")
    names = (ENV_FILE, "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST", "_FILE`")
    assert not [name for name in names if name not in text]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_setting_that_a_page_names_is_one(page: Path) -> None:
    known = {*setting_names(Settings), ENV_FILE}
    named = set(re.findall(r"\bCAESAR_[A-Z0-9_]+(?![A-Z0-9_<])", page.read_text(encoding="utf-8")))
    of_a_task = {name for name in named if name.startswith("CAESAR_LLM__TASK_ROUTING__") and name.endswith("__")}
    assert not {name for name in named - of_a_task if name not in known and name.removesuffix("_FILE") not in known}


# --- events and commands ----------------------------------------------------------------------------------------


def test_the_events_page_lists_every_event() -> None:
    names = first_column(read("docs/events.md"), r"(?:access|backup|chat|mcp|memory)\.[a-z_.]+")
    assert sorted(names) == sorted(EVENTS)


def test_the_commands_page_lists_every_command_of_ours() -> None:
    own = {path.stem for path in (ROOT / "memory/management/commands").glob("[a-z]*.py")}
    own_part = read("docs/commands.md").split("Of Django's own")[0]
    assert {name.split()[1] for name in first_column(own_part, r"manage\.py .*?")} == own


def test_the_commands_page_lists_every_target_of_make() -> None:
    targets = set(re.findall(r"^([a-z]+):.*## ", read("Makefile"), re.MULTILINE))
    assert set(first_column(read("docs/commands.md"), r"make .*?")) == {f"make {name}" for name in targets - {"help"}}


# --- the house --------------------------------------------------------------------------------------------------


def house() -> dict[str, int]:
    """Each room with its floor, as the table of the architecture page has them, named as Python names them."""
    rows = re.findall(r"^\| (\d+) \| (.*?) \|", read("docs/architecture.md"), re.MULTILINE)
    rooms = {room: int(floor) for floor, cell in rows for room in re.findall(r"`(.*?)`", cell)}
    return {room.removesuffix("/").removesuffix(".py").replace("/", "."): floor for room, floor in rooms.items()}


def test_the_architecture_page_has_every_room_on_its_floor() -> None:
    shown = house()
    assert {room: shown.get(room) for room in FLOORS} == FLOORS


@pytest.mark.parametrize("app", ["memory", "dashboard"])
def test_the_architecture_page_names_every_room(app: str) -> None:
    text = read("docs/architecture.md")
    folders = {path.parent.name + "/" for path in (ROOT / app).glob("*/__init__.py")}
    modules = {path.name for path in (ROOT / app).glob("*.py")} - {"__init__.py"}
    assert not [name for name in folders | modules if f"`{app}/{name}`" not in text]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_in_a_sentence_is_there(page: Path) -> None:
    sentences = [line for line in without_code(page.read_text(encoding="utf-8")).splitlines() if line[:1] != "|"]
    tops = r"(?:bench|caesar|dashboard|docs|memory|static|templates|tests)"
    paths = re.findall(rf"`({tops}/[\w./-]*)`", "\n".join(sentences))
    assert not [path for path in paths if not (ROOT / path).exists()]


# --- decisions --------------------------------------------------------------------------------------------------


def sources() -> Iterator[Path]:
    """Every file of the repository that may refer to a decision."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.html", "*.md"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    if not listed:  # a copy without its history
        tops = ("bench", "caesar", "dashboard", "docs", "memory", "templates", "tests")
        listed = [str(path.relative_to(ROOT)) for top in tops for path in (ROOT / top).rglob("*.[phm][ytd]*")]
    yield from (path for name in listed if (path := ROOT / name).is_file() and path.suffix in (".py", ".html", ".md"))


def referred(text: str) -> set[int]:
    """The numbers that a text refers to: "decisions 1, 2, 15 to 17"."""
    numbers: set[int] = set()
    for found in _DECISIONS.finditer(text):
        numbers |= {int(number) for number in re.findall(r"\d+", found[1])}
        for first, last in re.findall(r"(\d+)\s+to\s+(\d+)", found[1]):
            numbers |= set(range(int(first), int(last) + 1))
    return numbers


def test_references_are_read_in_every_form() -> None:
    assert referred("decision 7; (decisions 1, 2, 15 to 17) and decisions 8 and\n 9.") == {7, 1, 2, 15, 16, 17, 8, 9}


def test_every_decision_that_is_referred_to_has_its_heading() -> None:
    decided = [int(number) for number in re.findall(r"^### (\d+)\. ", read("docs/decisions.md"), re.MULTILINE)]
    assert all(one < other for one, other in pairwise(decided))
    unknown = {
        str(path.relative_to(ROOT)): numbers
        for path in sources()
        if (numbers := referred(path.read_text(encoding="utf-8")) - set(decided))
    }
    assert unknown == {}


def test_every_decision_says_why() -> None:
    chapters = re.split(r"^### ", read("docs/decisions.md"), flags=re.MULTILINE)[1:]
    assert not [chapter.splitlines()[0] for chapter in chapters if "\n*Why:* " not in chapter]


def test_the_records_are_named_in_one_way() -> None:
    odd = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources()
        for name in re.findall(r"\bADR[-\s]?\d+", path.read_text(encoding="utf-8"))
        if name not in ("ADR-0033", "ADR-0034", "ADR-0020")
    }
    assert odd == set()
    assert all(f"**{name}**" in read("docs/decisions.md") for name in ("ADR-0033", "ADR-0034", "ADR-0020"))


# --- links, limits, blocks --------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: list[str] = []
    for heading in re.findall(r"^#{1,6} (.+)$", without_code(page.read_text(encoding="utf-8")), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
    return set(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


def test_every_page_is_reached_from_the_readme() -> None:
    linked = set(re.findall(r"\]\(([\w./-]+\.md)", README.read_text(encoding="utf-8")))
    assert {str(page.relative_to(ROOT)) for page in PAGES if page != README} == linked


def test_every_picture_is_taken_and_shown() -> None:
    there = {path.name for path in (DOCS / "pictures").glob("*.png")}
    taken = {f"{name}.png" for name in re.findall(r'picture\(page, "([a-z]+)"', read("docs/pictures/take.py"))}
    shown = {name for page in PAGES for name in re.findall(r"pictures/([a-z]+\.png)", page.read_text(encoding="utf-8"))}
    assert taken == there
    assert shown == there


def test_the_readme_stays_short() -> None:
    text = README.read_bytes()
    assert len(text.splitlines()) <= 200
    assert len(text) <= 12_000


def test_every_block_of_readme_and_clients_is_tried_or_says_why_not() -> None:
    text = README.read_text(encoding="utf-8") + read("docs/clients.md")
    first_lines = set(re.findall(r"^```(?:sh|bash|python)\n(.*)$", text, re.MULTILINE))
    known = [*TRIED, *NOT_TRIED]
    assert not [line for line in first_lines if not line.startswith(tuple(known))]
    assert not [start for start in known if not any(line.startswith(start) for line in first_lines)]
    for test in TRIED.values():
        file, _, name = test.partition("::")
        assert f"def {name}(" in read(file)


def test_the_changelog_names_the_version() -> None:
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    assert f"## {version}" in read("CHANGELOG.md")

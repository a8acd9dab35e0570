"""The case files of the kind `prompt_render`, through the real composer and the real tables."""

import itertools
from typing import Any

import pytest

from memory.events import Message
from memory.models import PersonalFact
from memory.text import wording
from tests import cases
from tests.conftest import ApiClient, Configure
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db

SETTINGS = {
    "facts_enabled": "memory__facts__enabled",
    "max_injected": "memory__facts__max_injected",
    "max_chars": "memory__facts__max_chars",
}


def composed(case: cases.Case) -> str:
    context = compose_turn(
        [Message(role="user", content="hello")],
        now=case.clock,
        system=case.given.get("operator_prompt", "You are CAESAR."),
    )
    return context.system_prompt


def facts_block(prompt: str) -> list[str]:
    """The lines of the facts block, heading included."""
    lines = prompt.split("\n")
    start = lines.index(wording.FACTS_HEADING)
    return [lines[start], *itertools.takewhile(lambda line: line.startswith("  - "), lines[start + 1 :])]


def apply_settings(configure: Configure, given: dict[str, Any]) -> None:
    configure(**{SETTINGS[name]: value for name, value in given.get("settings", {}).items()})


@cases.of_kind("prompt_render")
def test_the_prompt_is_as_it_should_be(case: cases.Case, configure: Configure, api: ApiClient) -> None:
    apply_settings(configure, case.given)
    cases.prepare(case)
    if "prompt_per_turn" in case.expect:
        _check_turns(case, configure, api)
        return
    prompt = composed(case)
    _check(case.expect["prompt"], prompt)
    assert PersonalFact.objects.count() == len(case.given["facts_before"])
    marked = [line for line in facts_block(prompt) if len(line) >= wording.MAX_LINE_CHARS - 20]
    assert all(line.endswith("\N{HORIZONTAL ELLIPSIS}") for line in marked)


def _check_turns(case: cases.Case, configure: Configure, api: ApiClient) -> None:
    for turn, status in zip(case.given["turns"], case.expect["http"]["statuses"], strict=True):
        apply_settings(configure, turn)
        cases.prepare(cases.Case(case.id, case.kind, {"clock": case.given["clock"], **turn}, {}))
        assert composed(case) == case.given["operator_prompt"]
        sent = [{"role": "system", "content": case.given["operator_prompt"]}, {"role": "user", "content": "hello"}]
        assert api.post("/v1/chat", json={"messages": sent}).status_code == status
        answer = api.post("/v1/memory/context", json={"messages": sent}).json()
        assert answer["system_prompt"] == case.given["operator_prompt"]


def _check(expect: dict[str, Any], prompt: str) -> None:
    lines, block = prompt.split("\n"), facts_block(prompt)
    assert len(block) == expect.get("facts_block_line_count", len(block))
    assert block[0] == expect.get("first_line", block[0])
    assert all(line.startswith(expect.get("every_fact_line_starts_with", "  - ")) for line in block[1:])
    assert sum(len(line) + 1 for line in block) <= expect.get("facts_block_max_chars", 2048)
    wanted = [*expect.get("contains_lines", []), *([expect["contains_line"]] if "contains_line" in expect else [])]
    assert [line for line in wanted if line not in lines] == []
    assert [line for line in expect.get("no_line_equals", []) if line in lines] == []
    assert not [line for line in lines if line.startswith(tuple(expect.get("no_line_starts_with", ["\0"])))]
    assert [words for words in expect.get("not_contains", []) if words in prompt] == []
    assert prompt.endswith(expect.get("ends_with", ""))
    if expect.get("episodes_block") == "absent":
        assert wording.EPISODES_HEADING not in lines

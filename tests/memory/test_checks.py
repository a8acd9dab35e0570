"""System checks: mistakes in the settings are found at start, each with a stable id and its cure."""

from pathlib import Path

import pytest
from django.core.checks import ERROR, INFO, WARNING, CheckMessage, run_checks

from tests.conftest import Configure


def found(*, deploy: bool = False) -> dict[str, CheckMessage]:
    """Our messages by id."""
    messages = run_checks(tags=["caesar"], include_deployment_checks=deploy)
    return {message.id: message for message in messages if message.id}


def test_it_works() -> None:
    assert found() == {}


@pytest.mark.parametrize(("seconds", "is_told"), [(60, False), (300, False), (90, True), (0.5, True)])
def test_an_interval_that_is_no_whole_minute_is_told(seconds: float, is_told: bool, configure: Configure) -> None:
    configure(memory__facts_extract__interval_seconds=seconds)
    assert ("caesar.W001" in found()) is is_told


def test_the_interval_in_use_is_named(configure: Configure) -> None:
    configure(memory__facts_extract__interval_seconds=90)
    message = found()["caesar.W001"]
    assert "CAESAR_MEMORY__FACTS_EXTRACT__INTERVAL_SECONDS is 90" in message.msg
    assert "every 120 seconds" in message.msg
    assert message.level == WARNING


def test_the_interval_of_a_worker_that_is_off_does_not_matter(configure: Configure) -> None:
    configure(memory__episodes_summarise__enabled=False, memory__episodes_summarise__interval_seconds=90)
    assert found() == {}


def test_summaries_without_an_embedder_are_an_error(configure: Configure) -> None:
    configure(memory__episodes_summarise__enabled=True, semantic__enabled=False)
    message = found()["caesar.E002"]
    assert message.level == ERROR
    assert message.hint
    assert "CAESAR_SEMANTIC__ENABLED=true" in message.hint


def test_learning_for_nothing_is_told(configure: Configure) -> None:
    configure(memory__facts__enabled=False)
    assert found()["caesar.W003"].level == WARNING
    configure(memory__facts_extract__enabled=False)
    assert found() == {}


@pytest.mark.parametrize(
    ("host", "is_told"),
    [
        ("127.0.0.1", False),
        ("127.0.0.2", False),
        ("localhost", False),
        ("::1", False),
        ("0.0.0.0", True),  # noqa: S104
        ("box", True),
    ],
)
def test_debug_where_others_can_reach_it_is_told(host: str, is_told: bool, configure: Configure) -> None:
    configure(debug=True, server__host=host)
    assert ("caesar.W004" in found()) is is_told
    configure(debug=False)
    assert found() == {}


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_provider_without_its_key_is_told_once_for_all_tasks(provider: str, configure: Configure) -> None:
    configure(llm__provider=provider, llm__model="some-model")
    assert list(found()) == ["caesar.W006"]
    message = found()["caesar.W006"]
    assert message.level == WARNING
    assert f"CAESAR_LLM__{provider.upper()}__API_KEY" in message.msg


def test_a_provider_that_one_task_alone_goes_to_is_looked_at(configure: Configure) -> None:
    configure(llm__task_routing={"memory_extract": {"provider": "anthropic", "model": "m"}})
    assert "memory_extract" in found()["caesar.W006"].msg
    configure(memory__facts_extract__enabled=False)
    assert found() == {}


@pytest.mark.parametrize("provider", ["anthropic", "openai", "ollama"])
def test_every_provider_needs_a_model(provider: str, configure: Configure) -> None:
    configure(llm__provider=provider, llm__anthropic__api_key="k", llm__openai__api_key="k")
    assert "Set CAESAR_LLM__MODEL." in found()["caesar.W006"].msg


def test_a_provider_without_its_model_is_a_warning(configure: Configure) -> None:
    configure(llm__provider="openai", llm__openai__base_url="http://127.0.0.1:1234/v1")
    message = found()["caesar.W006"]
    assert message.level == WARNING
    assert "CAESAR_LLM__MODEL" in message.msg


@pytest.mark.parametrize(
    ("provider", "needs"),
    [
        ("openai", {"llm__openai__base_url": "http://127.0.0.1:1234/v1"}),
        ("anthropic", {"llm__anthropic__api_key": "k"}),
        ("ollama", {}),
    ],
)
def test_a_provider_with_all_it_needs_is_fine(provider: str, needs: dict[str, str], configure: Configure) -> None:
    configure(llm__provider=provider, llm__model="m", **needs)
    assert found(deploy=True) == {}


def test_offline_is_mentioned_before_a_deployment_only() -> None:
    assert found() == {}
    message = found(deploy=True)["caesar.I007"]
    assert message.level == INFO
    assert "chat and memory_extract" in message.msg


def test_a_wrong_triggers_file_is_an_error_for_each_line(tmp_path: Path, configure: Configure) -> None:
    file = tmp_path / "triggers.yaml"
    configure(proactive__triggers_path=file)
    assert found()["caesar.E008"].msg == f"{file}: No such file or directory."
    file.write_text("- name: morning\n- name: evening\n")
    told = [message for message in run_checks(tags=["caesar"]) if message.id == "caesar.E008"]
    assert [message.msg for message in told] == [
        f"{file}, line 1: this trigger lacks its cron and its prompt.",
        f"{file}, line 2: this trigger lacks its cron and its prompt.",
    ]
    assert told[0].level == ERROR
    assert told[0].hint
    assert "CAESAR_PROACTIVE__TRIGGERS_PATH" in told[0].hint
    file.write_text('- name: morning\n  cron: "0 7 * * *"\n  prompt: Good morning.\n')
    assert found() == {}

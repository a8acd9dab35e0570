"""`manage.py run_trigger NAME`: one proactive run by hand."""

from io import StringIO
from pathlib import Path

import httpx
import pytest
from django.core.management import CommandError, call_command

from memory.models import AuditRow
from tests.conftest import WriteTriggers
from tests.memory.llm.scripted import scripted_llm

pytestmark = pytest.mark.django_db

FILE = """\
triggers:
  - name: morning
    cron: "0 7 * * *"
    prompt: Good morning.
  - name: asleep
    cron: "0 7 * * *"
    prompt: Good night.
    enabled: false
"""


@pytest.fixture
def file(write_triggers: WriteTriggers) -> Path:
    """The triggers file in use."""
    return write_triggers(FILE)


def run(name: str) -> str:
    out = StringIO()
    call_command("run_trigger", name, stdout=out)
    return out.getvalue()


def refusal(name: str) -> str:
    with pytest.raises(CommandError) as refused:
        run(name)
    return str(refused.value)


@pytest.mark.parametrize(("name", "prompt"), [("morning", "Good morning."), ("asleep", "Good night.")])
def test_it_prints_the_answer_alone(file: Path, name: str, prompt: str) -> None:
    with scripted_llm("Two things are due.\nThe talk, and the bins.") as model:
        assert run(name) == "Two things are due.\nThe talk, and the bins.\n"
    assert model.requests[0]["messages"][-1]["content"] == prompt
    (chat,) = AuditRow.objects.get_queryset().chats()
    assert chat.completed.proactive == name


def test_it_may_be_run_again_at_once(file: Path) -> None:
    with scripted_llm("one", "two"):
        assert (run("morning"), run("morning")) == ("one\n", "two\n")


def test_a_name_that_is_not_there_brings_those_that_are(file: Path) -> None:
    assert refusal("mornin") == "There is no trigger 'mornin'. There are: morning, asleep (disabled)."
    assert not AuditRow.objects.exists()


def test_a_file_without_triggers_says_so(file: Path) -> None:
    file.write_text("[]")
    assert refusal("morning") == "There is no trigger 'morning'. The triggers file holds none."


def test_without_a_file_the_setting_is_named() -> None:
    assert refusal("morning") == "There are no triggers: CAESAR_PROACTIVE__TRIGGERS_PATH is not set."


def test_a_wrong_file_is_told_with_its_line(file: Path) -> None:
    file.write_text("- name: morning\n")
    assert refusal("morning") == f"{file}, line 1: this trigger lacks its cron and its prompt."


def test_no_answer_is_an_error_and_written_down(file: Path) -> None:
    with scripted_llm(httpx.Response(400, json={"error": {"message": "no"}})):
        assert refusal("morning").startswith("No answer: ")
    (failed,) = AuditRow.objects.filter(event_type="chat.failed")
    assert failed.payload["proactive"] == "morning"

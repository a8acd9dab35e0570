"""`manage.py run_batch extract`: a batch by hand, what stopped it, and chats that would not go through."""

import json
from datetime import timedelta
from io import StringIO

import httpx
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.events import ExtractAbandoned
from memory.models import AuditRow, ExtractCursor, PersonalFact
from tests.conftest import Configure
from tests.memory.chat_helpers import record_chat
from tests.memory.llm.scripted import Answer, scripted_llm

pytestmark = pytest.mark.django_db

FACT = json.dumps([{"key": "dog.name", "value": "Beans", "confidence": 0.9}])


def say(text: str) -> int:
    """Record a chat of now; its id."""
    return record_chat(text, timezone.now()).pk


def run(*arguments: str, answers: tuple[Answer, ...] = ()) -> tuple[str, str]:
    """What is printed to standard output and to standard error."""
    out, err = StringIO(), StringIO()
    with scripted_llm(*answers):
        call_command("run_batch", "extract", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def failure(*arguments: str, answers: tuple[Answer, ...] = ()) -> CommandError:
    with pytest.raises(CommandError) as caught:
        run(*arguments, answers=answers)
    return caught.value


def test_it_works() -> None:
    say("My dog's name is Beans.")
    out, err = run(answers=(FACT,))
    assert out == "memory.extract: 1 chats read, 1 asked about, 1 added (done)\n"
    assert err == ""
    assert PersonalFact.objects.get().value == "Beans"


def test_it_works_while_the_worker_is_switched_off(configure: Configure) -> None:
    say("My dog's name is Beans.")
    configure(memory__facts_extract__enabled=False)
    run(answers=(FACT,))
    assert PersonalFact.objects.exists()


def test_one_run_is_one_batch(configure: Configure) -> None:
    configure(memory__facts_extract__batch_size=2)
    for number in range(3):
        say(f"My number is {number}.")
    out, _ = run(answers=("[]", "[]"))
    assert "2 chats read" in out
    assert "(full)" in out


def test_all_goes_on_until_nothing_waits(configure: Configure) -> None:
    configure(memory__facts_extract__batch_size=2)
    for number in range(5):
        say(f"My number is {number}.")
    out, _ = run("--all", answers=("[]",) * 5)
    assert out == "memory.extract: 5 chats read, 5 asked about (done)\n"


def test_a_failed_run_is_exit_code_1_and_names_the_chat_and_the_cure() -> None:
    say("My dog's name is Beans.")
    stuck = say("My cat's name is Tofu.")
    error = failure("--all", answers=(FACT, "no JSON"))
    assert error.returncode == 1
    assert str(error).startswith(f"Stuck at chat #{stuck} after 1 try: ")
    assert f"--skip {stuck} gives it up" in str(error)
    assert PersonalFact.objects.count() == 1


def test_a_paused_worker_says_until_when() -> None:
    say("My dog's name is Beans.")
    failure(answers=(httpx.Response(401, text="no"),))
    out, err = run("--all")
    assert "(paused)" in out
    assert "Next try at" in err


def test_a_busy_worker_is_left_alone() -> None:
    say("My dog's name is Beans.")
    now = timezone.now()
    ExtractCursor.claim(now=now, until=now + timedelta(minutes=5))
    out, err = run("--all")
    assert "(busy)" in out
    assert "Another worker" in err


def test_retry_ends_the_pause_of_the_chat_it_is_stuck_at() -> None:
    stuck = say("My dog's name is Beans.")
    failure(answers=(httpx.Response(401, text="no"),))
    out, _ = run("--retry", str(stuck), answers=(FACT,))
    assert "1 added" in out


def test_skip_gives_up_the_chat_and_goes_on() -> None:
    stuck = say("My dog's name is Beans.")
    say("My cat's name is Tofu.")
    out, _ = run("--skip", str(stuck), answers=("[]",))
    assert out.startswith(f"Chat #{stuck} given up.\n")
    assert AuditRow.objects.get_queryset().of_type(ExtractAbandoned).get().chat_id == stuck


def test_retry_failed_reads_every_given_up_chat_again() -> None:
    stuck = say("My dog's name is Beans.")
    run("--skip", str(stuck))
    out, _ = run("--retry-failed", answers=(FACT,))
    assert out.startswith("1 given-up chats to be read again.\n")
    assert PersonalFact.objects.get().source_audit_id == stuck


@pytest.mark.parametrize("option", ["--retry", "--skip"])
def test_a_chat_that_is_not_stuck_is_refused(option: str) -> None:
    say("My dog's name is Beans.")
    assert "#999" in str(failure(option, "999"))


def test_an_unknown_job_is_refused() -> None:
    with pytest.raises(CommandError, match="invalid choice: 'dream'"):
        call_command("run_batch", "dream")


def test_an_interrupt_is_one_line_and_keeps_what_was_read() -> None:
    say("My dog's name is Beans.")
    say("My cat's name is Tofu.")

    def interrupt(body: object) -> Answer:
        raise KeyboardInterrupt

    error = failure(answers=(FACT, interrupt))
    assert error.returncode == 130
    assert PersonalFact.objects.count() == 1
    assert ExtractCursor.current().claimed_until is None

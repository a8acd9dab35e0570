"""`manage.py reembed`: after a change of the embedder every episode can be recalled again (decision 13)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import httpx
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary, MemoryRevision
from tests.conftest import Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.turns import compose_turn

pytestmark = pytest.mark.django_db

OLD = "voyage:voyage-3"
PROBE = "How long is a vector?"
"""What the embedder is asked where episodes have its name, since a name does not say how long its vectors are."""


def episodes(count: int, now: datetime, *, model: str = OLD, summary: str = "Number {}.") -> list[EpisodeSummary]:
    """Episodes 0, 1, ...: each an hour older than the one before."""
    moments = [now - timedelta(hours=number) for number in range(count)]
    chats = [AuditRow(event_type="chat.completed", ts=moment, payload={"messages": []}) for moment in moments]
    AuditRow.objects.bulk_create(chats)
    vector = [1.0] + [0.0] * (fake.DIMENSIONS - 1 if model == fake.MODEL_ID else 1)
    rows = [
        EpisodeSummary(audit_log=row, summary=summary.format(number), embedding=vector, model=model, created_at=row.ts)
        for number, row in enumerate(chats)
    ]
    return EpisodeSummary.objects.bulk_create(rows)


def reembed(*arguments: str, err: StringIO | None = None) -> tuple[str, str]:
    """What is printed to standard output and to standard error."""
    out, err = StringIO(), err or StringIO()
    call_command("reembed", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def failure(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as caught:
        reembed(*arguments)
    return caught.value


def of_model(model: str) -> list[str]:
    rows = EpisodeSummary.objects.filter(model=model).order_by("-created_at")
    return list(rows.values_list("summary", flat=True))


def vectors(body: dict[str, Any]) -> httpx.Response:
    """The scripted embedder's own answer."""
    return httpx.Response(200, json=fake.openai_answer(*map(fake.word_vector, body["input"])))


def refusing(text: str, answer: Callable[[], httpx.Response]) -> list[fake.Answer]:
    """Answers of an embedder that fails whatever it is asked together with `text`."""

    def respond(body: dict[str, Any]) -> httpx.Response:
        return answer() if text in body["input"] else vectors(body)

    return [respond] * 50


def test_it_works(now: datetime) -> None:
    episodes(3, now)
    with scripted_embedder():
        out, err = reembed()
    assert out == "reembed: 3 of 3 embedded\n"
    assert err == ""
    for row in EpisodeSummary.objects.all():
        assert row.model == fake.MODEL_ID
        assert row.embedding == fake.word_vector(row.summary)


def test_it_can_be_recalled_again(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__similarity_threshold=0.45)
    episodes(1, now, summary="We spoke of the thermostat.")

    def reasons() -> tuple[list[str], list[str]]:
        receipt = compose_turn([Message(role="user", content="the thermostat")], now=now).receipt
        return [item.summary for item in receipt.episodes], [miss.reason for miss in receipt.near_misses]

    with scripted_embedder():
        configure(semantic__enabled=True)
        assert reasons() == ([], ["other_model"])
        reembed()
        assert reasons() == (["We spoke of the thermostat."], [])


def test_newest_come_first_in_batches_of_32(now: datetime) -> None:
    rows = episodes(70, now)
    with scripted_embedder() as embedder:
        reembed()
    assert [len(request["input"]) for request in embedder.requests] == [32, 32, 6]
    assert embedder.texts == [row.summary for row in rows]


def test_current_and_empty_ones_are_left_alone(now: datetime) -> None:
    episodes(1, now, model=fake.MODEL_ID), episodes(1, now, model="", summary="")
    before = list(EpisodeSummary.objects.order_by("id").values())
    with scripted_embedder() as embedder:
        out, _ = reembed()
    assert out == f"Nothing to do: every episode has a vector of {fake.MODEL_ID}.\n"
    assert embedder.texts == [PROBE]
    assert list(EpisodeSummary.objects.order_by("id").values()) == before


def test_nothing_but_the_vector_changes_and_no_audit_row_is_written(now: datetime) -> None:
    (row,) = episodes(1, now)
    EpisodeSummary.objects.bump([row.pk], now=now)
    columns = ("audit_log_id", "summary", "created_at", "last_recalled_at", "recall_count")
    before = EpisodeSummary.objects.values(*columns).get()
    count = AuditRow.objects.count()
    with scripted_embedder():
        reembed()
    assert EpisodeSummary.objects.values(*columns).get() == before
    assert AuditRow.objects.count() == count


@pytest.mark.django_db(transaction=True)
def test_the_embedder_is_asked_outside_of_a_transaction_and_each_row_tells_other_processes(now: datetime) -> None:
    episodes(3, now)
    before = MemoryRevision.current().episodes_changed

    def respond(body: dict[str, Any]) -> httpx.Response:
        assert not connection.in_atomic_block
        return vectors(body)

    with scripted_embedder(respond):
        reembed()
    assert MemoryRevision.current().episodes_changed == before + 3


# --- beside others --------------------------------------------------------------------------------------------------


def test_what_is_deleted_meanwhile_stays_deleted(now: datetime) -> None:
    forgotten, swept, kept = episodes(3, now)

    def respond(body: dict[str, Any]) -> httpx.Response:
        forgotten.forget(now=now)
        AuditRow.objects.get_queryset().filter(pk=swept.audit_log_id).sweep_away()
        return vectors(body)

    with scripted_embedder(respond):
        out, _ = reembed()
    assert out == "reembed: 1 of 3 embedded, 2 changed meanwhile\n"
    assert of_model(fake.MODEL_ID) == [kept.summary]
    forgotten.refresh_from_db()
    assert (forgotten.summary, forgotten.embedding, forgotten.model) == ("", [], "")


def test_what_another_run_has_done_is_not_paid_for_again(now: datetime) -> None:
    rows = episodes(40, now)

    def respond(body: dict[str, Any]) -> httpx.Response:
        for row in rows[32:]:
            EpisodeSummary.objects.embed_again(row.pk, Embedded([2.0], fake.MODEL_ID), seen_summary=row.summary)
        return vectors(body)

    with scripted_embedder(respond) as embedder:
        out, _ = reembed()
    assert len(embedder.texts) == 32
    assert out == "reembed: 32 of 40 embedded, 8 changed meanwhile\n"


# --- what goes wrong ------------------------------------------------------------------------------------------------


def test_an_interrupted_run_is_gone_on_with(now: datetime) -> None:
    episodes(70, now)

    def interrupt(body: dict[str, Any]) -> httpx.Response:
        raise KeyboardInterrupt

    with scripted_embedder(vectors, interrupt):
        error = failure()
    assert error.returncode == 130
    assert str(error) == "Interrupted. So far: 32 of 70 embedded. Run it again to go on."
    with scripted_embedder() as embedder:
        out, _ = reembed()
    assert len(embedder.texts) == 1 + 38
    assert out == "reembed: 38 of 38 embedded\n"
    assert of_model(OLD) == []


@pytest.mark.parametrize(
    "outage", [httpx.ConnectError("refused"), httpx.Response(401, text="no"), httpx.Response(404, text="no")]
)
def test_an_outage_is_exit_code_1_with_how_many_are_done(now: datetime, outage: httpx.Response | Exception) -> None:
    episodes(40, now)
    with scripted_embedder(vectors, outage, outage):
        error = failure()
    assert error.returncode == 1
    assert "embedder.test" in str(error)
    assert str(error).endswith("So far: 32 of 40 embedded. Run it again to go on.")
    assert len(of_model(fake.MODEL_ID)) == 32


def zeros() -> httpx.Response:
    return httpx.Response(200, json=fake.openai_answer(*[[0.0, 0.0]] * 3))


@pytest.mark.parametrize(
    "answer",
    [
        lambda: httpx.Response(500, json={"error": "unsupported value: NaN"}),
        lambda: httpx.Response(422, json={"error": "not this one"}),
        zeros,
    ],
)
def test_a_text_that_fails_alone_is_told_and_left(now: datetime, answer: Callable[[], httpx.Response]) -> None:
    rows = episodes(3, now)
    with scripted_embedder(*refusing("Number 1.", answer)):
        out, err = reembed()
    assert out == "reembed: 2 of 3 embedded, 1 left as they were\n"
    assert err.startswith(f"Chat #{rows[1].audit_log_id}: ")
    assert of_model(OLD) == ["Number 1."]
    assert of_model(fake.MODEL_ID) == ["Number 0.", "Number 2."]


def test_a_blank_summary_keeps_no_other_from_its_vector(now: datetime) -> None:
    episodes(1, now), episodes(1, now, summary="\u200b ")
    with scripted_embedder():
        out, err = reembed()
    assert out == "reembed: 1 of 2 embedded, 1 left as they were\n"
    assert "blank" in err


@pytest.mark.parametrize("status", [400, 500])
def test_an_embedder_that_answers_nothing_is_at_fault_and_not_each_text(now: datetime, status: int) -> None:
    episodes(64, now)
    answers: list[fake.Answer] = [lambda body: httpx.Response(status, json={"error": "no"})] * 50
    with scripted_embedder(*answers) as embedder:
        error = failure()
    assert error.returncode == 1
    assert "So far: 0 of 64 embedded." in str(error)
    assert len(embedder.requests) <= 6
    assert len(of_model(OLD)) == 64


def test_what_is_not_set_up_is_said_and_nobody_is_asked(now: datetime) -> None:
    episodes(1, now)
    with scripted_embedder(enabled=False) as embedder:
        for arguments in ((), ("--dry-run",)):
            assert "CAESAR_SEMANTIC__ENABLED=true" in str(failure(*arguments))
    assert embedder.requests == []


# --- what is shown --------------------------------------------------------------------------------------------------


class Terminal(StringIO):
    """Standard error of somebody who looks at it."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_bar(now: datetime) -> None:
    episodes(64, now)
    with scripted_embedder():
        _, err = reembed(err=Terminal())
    assert err == (
        "\r[..............................] 0 of 64"
        "\r[###############...............] 32 of 64"
        "\r[##############################] 64 of 64\n"
    )


def test_a_log_file_gets_a_line_each_thousand(now: datetime) -> None:
    episodes(1_025, now)
    with scripted_embedder() as embedder:
        _, err = reembed()
    assert err == "1,024 of 1,025\n"
    assert len(embedder.requests) == 33


def test_an_outage_ends_the_line_of_the_bar_first(now: datetime) -> None:
    episodes(64, now)
    refused = httpx.ConnectError("refused")
    err = Terminal()
    with scripted_embedder(vectors, refused, refused), pytest.raises(CommandError):
        reembed(err=err)
    assert err.getvalue().endswith("32 of 64\n")


def test_a_dry_run_counts_each_model_and_changes_nothing(now: datetime) -> None:
    episodes(2, now), episodes(1, now, model="ollama:x"), episodes(4, now, model=fake.MODEL_ID)
    episodes(3, now, model="", summary="")
    with scripted_embedder() as embedder:
        out, _ = reembed("--dry-run")
    assert [line.split() for line in out.splitlines()] == [
        ["4", fake.MODEL_ID, "(the", "embedder", "now)"],
        ["2", OLD],
        ["1", "ollama:x"],
        f"3 episodes would get a vector of {fake.MODEL_ID}.".split(),
    ]
    assert embedder.texts == [PROBE]
    assert len(of_model(OLD)) == 2


def test_a_dry_run_with_nothing_to_do_says_so(now: datetime) -> None:
    episodes(1, now, model=fake.MODEL_ID)
    with scripted_embedder():
        out, _ = reembed("--dry-run")
    assert out.endswith(f"Nothing to do: every episode has a vector of {fake.MODEL_ID}.\n")

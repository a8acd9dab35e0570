"""The tables as JSON lines: what is written is read again, byte for byte, and nothing else is."""

import json
import tracemalloc
from datetime import datetime
from itertools import chain

import pytest
from django.apps import apps
from django.db import transaction

from memory.models import AuditRow, Embedded, EpisodeSummary, PersonalFact
from memory.portable import tables
from memory.portable.tables import UnreadableTables
from memory.text.normalising import Claim
from tests.memory.chat_helpers import record_chat

pytestmark = pytest.mark.django_db(transaction=True)

LISTED = tables.models_of(apps)


class Lines(list[bytes]):
    """A sink that keeps what it is given."""

    def write(self, data: bytes, /) -> None:
        self.append(data)


def written() -> Lines:
    lines = Lines()
    with transaction.atomic():
        tables.write(LISTED, lines, using="default")
    return lines


def read(lines: list[bytes]) -> dict[str, int]:
    with transaction.atomic():
        tables.empty(LISTED, using="default")
        return tables.read(lines, LISTED, using="default")


def lived(now: datetime) -> None:
    chat = record_chat("My dog Käse is a “good” dog 🐕\n", now=now)
    PersonalFact.objects.learn([Claim("dog.name", "Käse", 1 / 3)], chat=chat, now=now)
    EpisodeSummary.objects.summarise(chat, "A dog.", Embedded([0.1, 1e-7, -3.0], "m"), now=now)


def test_what_is_written_is_read_again_byte_for_byte(now: datetime) -> None:
    lived(now)
    first = written()
    counts = read(first)
    assert counts["personal_facts"] == 1
    assert counts["audit_log"] == AuditRow.objects.count() > 2
    assert written() == first
    assert AuditRow.objects.get_queryset().search("Käse").exists()


def test_new_rows_are_numbered_after_those_that_were_read(now: datetime) -> None:
    lived(now)
    last = AuditRow.objects.latest("id").pk
    read(written())
    assert record_chat("And a cat", now=now).pk > last


def test_a_table_is_its_head_and_a_list_for_each_row(now: datetime) -> None:
    lived(now)
    lines = [json.loads(line) for line in written()]
    head = next(line for line in lines if isinstance(line, dict) and line["table"] == "personal_facts")
    row = dict(zip(head["columns"], lines[lines.index(head) + 1], strict=True))
    assert (row["key"], row["value"], row["last_confirmed_at"]) == ("dog.name", "Käse", "2026-05-20T09:00:00+00:00")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"columns":["id"],"table":"no_such_table"}\n', "no_such_table"),
        (b'{"columns":["id"],"table":"personal_facts"}\n', "other columns"),
        (b'{"columns":["id","name"],"table":"auth_group"}\n[1]\n', "number of values"),
        (b"not JSON\n", "no JSON"),
    ],
)
def test_other_lines_are_refused_and_nothing_is_changed(line: bytes, said: str, now: datetime) -> None:
    lived(now)
    with pytest.raises(UnreadableTables, match=said):
        read(line.splitlines(keepends=True))
    assert PersonalFact.objects.count() == 1


class Counter:
    """A sink that forgets."""

    count = 0

    def write(self, data: bytes, /) -> None:
        self.count += 1


def test_of_many_rows_a_few_are_in_memory_at_a_time() -> None:
    """Twenty megabytes go in and out again within three."""
    listed, rows = [model for model in LISTED if model._meta.db_table == "django_session"], 20_000
    head = b'{"columns":["session_key","session_data","expire_date"],"table":"django_session"}\n'
    row = b'["%040d","' + b"x" * 1_000 + b'","2026-05-20T09:00:00+00:00"]\n'
    tracemalloc.start()
    with transaction.atomic():
        tables.read(chain([head], (row % number for number in range(rows))), listed, using="default")
        tables.write(listed, sink := Counter(), using="default")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sink.count == rows + 1
    assert peak < 3_000_000


def test_an_older_state_has_the_tables_of_its_time() -> None:
    older = {model._meta.db_table for model in tables.models_at([("memory", "0005_conversations")])}
    assert "personal_facts" in older
    assert "episode_units" not in older
    with pytest.raises(UnreadableTables, match="memory.9999_later"):
        tables.models_at([("memory", "9999_later")])

"""`manage.py sync_schedules` and the triggers file: one row of type cron for each trigger that is enabled."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils.module_loading import import_string
from django_q.conf import Conf
from django_q.models import Schedule

from memory.queue import RUN_TRIGGER
from tests.conftest import Configure

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path, configure: Configure) -> Path:
    path = tmp_path / "triggers.yaml"
    configure(proactive__triggers_path=path, memory__facts_extract__enabled=False)
    return path


def write(file: Path, *triggers: Sequence[str]) -> None:
    """(name, cron) or (name, cron, enabled) for each."""
    entries = [
        f'- name: {name}\n  cron: "{cron}"\n  prompt: x\n' + "".join(f"  enabled: {is_on}\n" for is_on in enabled)
        for name, cron, *enabled in triggers
    ]
    file.write_text("".join(entries) or "[]")


def sync(at: datetime | None = None) -> list[str]:
    out = StringIO()
    with time_machine.travel(at or datetime(2026, 5, 20, 9, 0, tzinfo=UTC), tick=False):
        call_command("sync_schedules", stdout=out)
    return [line for line in out.getvalue().splitlines() if line.startswith("proactive.")]


def names() -> set[str]:
    return set(Schedule.objects.exclude(name__startswith="memory.").values_list("name", flat=True))


def test_it_works(file: Path) -> None:
    write(file, ("morning", "0 7 * * *"), ("asleep", "0 8 * * *", "false"))
    assert sync() == ["proactive.morning: 0 7 * * * (UTC)", "proactive.asleep: disabled, no schedule"]
    row = Schedule.objects.get(func=RUN_TRIGGER)
    assert (row.name, row.schedule_type, row.cron, row.repeats) == ("proactive.morning", Schedule.CRON, "0 7 * * *", -1)
    assert row.next_run == datetime(2026, 5, 21, 7, 0, tzinfo=UTC)


def test_the_queue_finds_what_it_is_to_run() -> None:
    assert callable(import_string(RUN_TRIGGER))


def test_a_second_run_changes_nothing(file: Path) -> None:
    write(file, ("morning", "0 7 * * *"), ("evening", "0 18 * * *"))
    sync()
    before = list(Schedule.objects.order_by("id").values())
    sync()
    assert list(Schedule.objects.order_by("id").values()) == before


def test_renamed_disabled_and_removed_ones_lose_their_row(file: Path) -> None:
    write(file, ("renamed", "0 7 * * *"), ("disabled", "0 7 * * *"), ("removed", "0 7 * * *"), ("stays", "0 7 * * *"))
    sync()
    write(file, ("anew", "0 7 * * *"), ("disabled", "0 7 * * *", "false"), ("stays", "0 7 * * *"))
    sync()
    assert names() == {"proactive.anew", "proactive.stays"}


def test_without_the_file_all_of_them_go(file: Path, configure: Configure) -> None:
    write(file, ("morning", "0 7 * * *"))
    sync()
    configure(proactive__triggers_path=None)
    sync()
    assert names() == set()


def test_another_cron_line_takes_the_place_of_the_old(file: Path) -> None:
    write(file, ("morning", "0 7 * * *"))
    sync()
    write(file, ("morning", "30 12 * * *"))
    sync()
    assert Schedule.objects.get(func=RUN_TRIGGER).next_run == datetime(2026, 5, 20, 12, 30, tzinfo=UTC)


def test_duplicates_go(file: Path) -> None:
    write(file, ("morning", "0 7 * * *"))
    sync()
    row = Schedule.objects.get(func=RUN_TRIGGER)
    row.pk = None
    row.save()
    sync()
    assert Schedule.objects.filter(func=RUN_TRIGGER).count() == 1


def test_rows_of_others_stay(file: Path) -> None:
    """Another's row keeps its name, even one like ours; so does a row of our function that has a name of its own."""
    Schedule.objects.create(name="backup", func="somewhere.backup")
    Schedule.objects.create(name="proactive.morning", func="somewhere.else")
    Schedule.objects.create(name="by hand", func=RUN_TRIGGER, args="'morning',")
    write(file, ("morning", "0 7 * * *"))
    sync()
    write(file)
    sync()
    assert names() == {"backup", "proactive.morning", "by hand"}
    assert Schedule.objects.get(name="proactive.morning").func == "somewhere.else"


def test_the_workers_rows_stay(file: Path, configure: Configure) -> None:
    configure(memory__facts_extract__enabled=True)
    write(file, ("extract", "0 7 * * *"))
    sync()
    assert {"memory.extract", "proactive.extract"} <= set(Schedule.objects.values_list("name", flat=True))


def test_another_time_zone_counts_at_once(file: Path, configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    write(file, ("morning", "0 7 * * *"))
    sync()
    configure(time_zone="Asia/Kolkata")
    monkeypatch.setattr(Conf, "TIME_ZONE", "Asia/Kolkata")  # the queue's copy of Django's
    assert sync() == ["proactive.morning: 0 7 * * * (Asia/Kolkata)"]
    assert Schedule.objects.get(func=RUN_TRIGGER).next_run == datetime(2026, 5, 21, 1, 30, tzinfo=UTC)


def test_a_run_that_is_due_this_moment_is_not_lost(file: Path) -> None:
    write(file, ("morning", "0 7 * * *"))
    sync()
    due = Schedule.objects.get(func=RUN_TRIGGER).next_run
    sync(at=due + timedelta(seconds=10))
    assert Schedule.objects.get(func=RUN_TRIGGER).next_run == due


def test_a_wrong_file_changes_nothing(file: Path) -> None:
    write(file, ("morning", "0 7 * * *"))
    sync()
    before = list(Schedule.objects.order_by("id").values())
    file.write_text("- name: evening\n  cron: 0 25 * * *\n  prompt: x\n")
    with pytest.raises(CommandError, match=r"line 2: cron .* The schedules stay as they are\.$"):
        sync()
    assert list(Schedule.objects.order_by("id").values()) == before

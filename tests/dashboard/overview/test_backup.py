"""How the backups stand: a line on the overview, and what needs the operator where something is wrong with them."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memory import events
from memory.models import AuditRow
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, record_chat, visible_text
from tests.dashboard.overview.states import OVERVIEW, mark_all_read

pytestmark = pytest.mark.django_db

MADE = events.BackupMade(file="caesar-1.zip", folder="/b", bytes=2_048, seconds=1, reason="nightly")


@pytest.fixture
def now() -> datetime:
    """The page's own clock."""
    return timezone.now()


@pytest.fixture(autouse=True)
def on(configure: Configure, memory_on: None) -> None:
    configure(backup__enabled=True)


def looked_at(operator: Client, *rows: tuple[events.Event, float], now: datetime) -> tuple[str, str]:
    """The line about backups, and what needs the operator, after these events of so many days ago."""
    record_chat("I like figs.", now=now - timedelta(days=max([0.0, *(days for _, days in rows)])))
    mark_all_read()
    for event, days in rows:
        AuditRow.objects.record(event, now=now - timedelta(days=days))
    page = get_page(operator, OVERVIEW)
    needs = find_elements(page, "li", id="backup-needs")
    text = visible_text(page)
    return text, "needs" if needs else ""


def test_it_works(operator: Client, now: datetime) -> None:
    drilled = events.BackupDrilled(file="caesar-1.zip", rows=9)
    text, needs = looked_at(operator, (MADE, 0.25), (drilled, 0.125), now=now)
    assert "Last backup 6 hours ago , 2.0 KB; tried 3 hours ago , restores." in text  # each time a tag of its own
    assert not needs


def test_before_the_first_night_nothing_is_wrong(operator: Client, now: datetime) -> None:
    text, needs = looked_at(operator, now=now)
    assert "The first backup is made tonight." in text
    assert not needs


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(MADE, 3.1)], "The last backup is of"),
        ([(MADE, 1.0), (events.BackupFailed(error="No room. Make some."), 0.1)], "The last backup failed. No room."),
        ([(MADE, 1.0), (events.BackupDrilled(file="a.zip", problem="It is cut off."), 0.5)], "It is cut off."),
        ([(events.LearningPaused(), 4.0)], "There is no backup yet."),
    ],
)
def test_what_is_wrong_needs_the_operator(
    rows: list[tuple[events.Event, float]], said: str, operator: Client, now: datetime
) -> None:
    text, needs = looked_at(operator, *rows, now=now)
    assert said in text
    assert needs


def test_a_later_good_one_settles_it(operator: Client, now: datetime) -> None:
    failed = events.BackupFailed(error="No room.")
    drills = [(events.BackupDrilled(file="a.zip", problem="cut off"), 0.9), (events.BackupDrilled(file="a.zip"), 0.8)]
    _, needs = looked_at(operator, (failed, 1.0), *drills, (MADE, 0.1), now=now)
    assert not needs


def test_where_they_are_off_an_old_one_is_no_matter(operator: Client, configure: Configure, now: datetime) -> None:
    configure(backup__enabled=False)
    text, needs = looked_at(operator, (MADE, 9.0), now=now)
    assert "Last backup" in text
    assert not needs

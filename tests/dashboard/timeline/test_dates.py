"""/dashboard/audit from one day to another, in the operator's zone."""

from datetime import UTC, datetime, timedelta

import pytest
from django.http import HttpResponse
from django.test import Client

from dashboard.timeline import dates
from memory import events
from memory.models import AuditRow
from tests.conftest import Configure
from tests.dashboard.helpers import find_elements, get_page, htmx_headers, visible_text

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"


def ids(response: HttpResponse) -> list[int]:
    return [int(item["id"].removeprefix("event-")) for item in find_elements(response, "li")]


def failed(at: datetime) -> int:
    return AuditRow.objects.record(events.ChatFailed(error="Start it.", kind="x"), now=at).pk


def test_it_works(operator: Client, now: datetime) -> None:
    rows = {days: failed(now - timedelta(days=days)) for days in (10, 8, 5, 3, 1)}
    both = get_page(operator, f"{TIMELINE}?from=2026-05-12&to=2026-05-17")
    assert ids(both) == [rows[3], rows[5], rows[8]]
    assert "From 12 May 2026 to 17 May 2026." in visible_text(both)
    assert ids(get_page(operator, f"{TIMELINE}?from=2026-05-15")) == [rows[1], rows[3], rows[5]]
    assert ids(get_page(operator, f"{TIMELINE}?to=2026-05-12")) == [rows[8], rows[10]]
    assert ids(get_page(operator, f"{TIMELINE}?from=2026-05-12&to=2026-05-17&family=failures")) == ids(both)
    assert ids(get_page(operator, f"{TIMELINE}?from=2026-05-12&to=2026-05-17&q=start")) == ids(both)
    assert ids(get_page(operator, f"{TIMELINE}?from=&to=")) == ids(get_page(operator, TIMELINE))


def test_days_begin_in_the_operators_zone(operator: Client, configure: Configure) -> None:
    configure(time_zone="America/New_York")
    failed(datetime(2026, 5, 11, 3, 59, tzinfo=UTC))
    first = failed(datetime(2026, 5, 11, 4, 0, tzinfo=UTC))
    last = failed(datetime(2026, 5, 13, 3, 59, tzinfo=UTC))
    failed(datetime(2026, 5, 13, 4, 0, tzinfo=UTC))
    response = get_page(operator, f"{TIMELINE}?from=2026-05-11&to=2026-05-12")
    assert ids(response) == [last, first]
    assert "America/New_York" in response.content.decode()


def test_the_same_day_twice_is_that_day(operator: Client, now: datetime) -> None:
    failed(now - timedelta(days=2))
    row = failed(now - timedelta(days=1))
    response = get_page(operator, f"{TIMELINE}?from=2026-05-19&to=2026-05-19")
    assert ids(response) == [row]
    assert find_elements(response, "a", rel="prev", href=f"{TIMELINE}?day=2026-05-18")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("from=2026-05-20&to=2026-05-12", "The first day, 20 May 2026, lies after the last, 12 May 2026."),
        ("from=20.5.2026", "Write the first day as 2026-05-20, in a year from 1971 to 9000."),
        ("to=2026-02-30", "Write the last day as 2026-05-20, in a year from 1971 to 9000."),
        ("from=0001-01-01", "Write the first day as 2026-05-20, in a year from 1971 to 9000."),
        ("to=9999-12-31", "Write the last day as 2026-05-20, in a year from 1971 to 9000."),
        ("from=%00x&to=%3Cb%3E", "Write the first day as"),
    ],
)
def test_days_that_make_no_sense_are_said_at_the_fields(
    operator: Client, now: datetime, query: str, problem: str
) -> None:
    failed(now)
    response = operator.get(f"{TIMELINE}?{query}&family=failures")
    assert response.status_code == 422
    assert problem in visible_text(response)
    assert ids(response) == [], "rows of other days would pass for those that were asked for"
    field = find_elements(response, "input", name="from")[0]
    assert (field["aria-invalid"], field["aria-describedby"]) == ("true", "dates-problem")
    assert not find_elements(response, "b")
    swapped = operator.get(f"{TIMELINE}?{query}", headers=htmx_headers(TIMELINE))
    assert swapped.status_code == 422
    assert find_elements(swapped, "p", id="dates-problem", hx_swap_oob="innerHTML")
    assert operator.get(f"{TIMELINE}/download?{query}").status_code == 422


def test_what_was_written_stays_in_the_field(operator: Client) -> None:
    response = operator.get(f"{TIMELINE}?from=20.5.2026&to=2026-05-21")
    assert [find_elements(response, "input", name=name)[0]["value"] for name in ("from", "to")] == [
        "20.5.2026",
        "2026-05-21",
    ]


def test_no_row_in_these_days_is_said(operator: Client, now: datetime) -> None:
    failed(now)
    response = get_page(operator, f"{TIMELINE}?from=2026-05-01&to=2026-05-03")
    assert "Nothing of this kind from 1 May 2026 to 3 May 2026." in visible_text(response)


def test_pages_within_days_keep_them_and_miss_none(operator: Client, now: datetime) -> None:
    rows = [failed(now - timedelta(days=4, minutes=-number)) for number in range(70)]
    failed(now)
    first = get_page(operator, f"{TIMELINE}?from=2026-05-15&to=2026-05-17&family=failures")
    older = find_elements(first, "a", rel="next")[0]["href"]
    assert "from=2026-05-15&to=2026-05-17" in older
    assert ids(first) + ids(get_page(operator, older)) == rows[::-1]


def test_only_so_many_rows_are_looked_at_to_find_the_ids(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dates, "MOST_LOOKED_AT", 2)
    rows = [failed(now - timedelta(days=4, minutes=-number)) for number in (1, 0, 2, 3, 4, 5, 6, 8, 7)]
    failed(now)
    day = (now - timedelta(days=4)).date()
    assert dates.TimeSpan.of(dates.Dates(day, day)).ids() == (rows[0], rows[-1])
    assert dates.TimeSpan.of(dates.Dates(first=day)).ids() == (rows[0], None)
    assert dates.TimeSpan.of(dates.Dates()).ids() == (None, None)

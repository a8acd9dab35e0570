"""What each client's turns took, for its limit of tokens and for the page of keys."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.models import ApiKey, KeyDay, KeyUsed
from memory.models.usage import seconds_to_tomorrow
from tests.conftest import Configure

pytestmark = pytest.mark.django_db

MAY = datetime(2026, 5, 31, 22, 30, tzinfo=UTC)


def add(key: ApiKey, now: datetime, tokens: int | None) -> None:
    KeyDay.objects.add(key.pk, now=now, input_tokens=tokens, output_tokens=1)


def test_days_and_months_are_the_operators(configure: Configure) -> None:
    configure(time_zone="Europe/Berlin")  # there it is half past midnight, in June
    key, other = ApiKey.objects.issue("one").row, ApiKey.objects.issue("other").row
    for now, tokens in ((MAY - timedelta(hours=1), 100), (MAY, 10), (MAY + timedelta(hours=1), None)):
        add(key, now, tokens)
    add(other, MAY, 7)
    assert KeyDay.objects.today(key.pk, now=MAY) == KeyUsed(answers=2, input_tokens=10, output_tokens=2)
    assert KeyDay.objects.this_month(now=MAY) == {key.pk: KeyUsed(2, 10, 2), other.pk: KeyUsed(1, 7, 1)}
    assert KeyDay.objects.this_month(now=MAY - timedelta(hours=1))[key.pk].tokens == 101
    assert seconds_to_tomorrow(MAY) == 23.5 * 3600


def test_a_key_that_took_nothing_has_taken_nothing() -> None:
    key = ApiKey.objects.issue("new").row
    assert KeyDay.objects.today(key.pk, now=MAY).tokens == 0
    assert KeyDay.objects.this_month(now=MAY) == {}

"""`manage.py sweep`: it says what it held back, and deletes it with `--anyway`."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from memory.models import AuditRow

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_it_works(capsys: pytest.CaptureFixture[str]) -> None:
    now = timezone.now()
    for _ in range(30):
        AuditRow.objects.bulk_create([AuditRow(ts=now - 100 * DAY, event_type="chat.passed_through")])
    AuditRow.objects.bulk_create([AuditRow(ts=now, event_type="chat.passed_through")])
    call_command("sweep", "--dry-run")
    call_command("sweep")
    said = capsys.readouterr().out
    assert said.count("30 more are due and held back") == 2
    assert "manage.py sweep --anyway" in said
    call_command("sweep", "--anyway")
    assert "Deleted 30 rows" in capsys.readouterr().out
    assert AuditRow.objects.filter(event_type="chat.passed_through").count() == 1

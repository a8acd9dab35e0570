"""`manage.py create_api_key`: the key alone on standard output, nowhere stored."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.models import ApiKey

pytestmark = pytest.mark.django_db


def create(label: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("create_api_key", label, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_it_works() -> None:
    key = create("kitchen tablet")[0].rstrip("\n")
    assert ApiKey.objects.verify(key, now=timezone.now()) == ApiKey.objects.get(label="kitchen tablet")


def test_standard_output_is_the_key_alone() -> None:
    out, err = create("kitchen tablet")
    assert out == out.strip() + "\n"
    assert " " not in out
    assert "kitchen tablet" in err


def test_the_key_is_not_stored() -> None:
    key = create("kitchen tablet")[0].strip()
    assert key not in str(list(ApiKey.objects.values()))


def test_a_blank_label_is_refused_with_the_cure() -> None:
    with pytest.raises(CommandError, match="Give the key a label"):
        create("  ")


@pytest.mark.parametrize("days", [0, -1, 99_999_999, 10**23])
def test_days_that_no_calendar_has_are_refused_with_the_cure(days: int) -> None:
    with pytest.raises(CommandError, match="Choose 1 to 36500 days"):
        call_command("create_api_key", "guest", expires_days=days)


def test_a_key_may_do_what_is_chosen() -> None:
    call_command("create_api_key", "reader", "--scope", "read", "--scope", "manage", "--requests-per-minute", "9")
    key = ApiKey.objects.get()
    assert (list(key.limits.scopes), key.requests_per_minute, key.expires_at) == (["read", "manage"], 9, None)

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

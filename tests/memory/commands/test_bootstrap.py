"""`manage.py bootstrap`: what a first start needs, made once, shown once."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import RequestFactory, override_settings
from django.utils import timezone
from django_q.models import Schedule

from memory.models import ApiKey

pytestmark = pytest.mark.django_db


def bootstrap() -> str:
    out = StringIO()
    call_command("bootstrap", stdout=out)
    return out.getvalue()


def shown(name: str, output: str) -> str:
    found = re.search(rf"\|  {name} +(\S+) +\|", output)
    assert found, output
    return found[1]


def test_it_works() -> None:
    output = bootstrap()
    request = RequestFactory().post("/login")
    operator = authenticate(request, username=shown("User name", output), password=shown("Password", output))
    assert operator is not None
    assert "change it at /password " in output
    assert operator.get_username() == "operator"
    assert operator.is_superuser
    assert ApiKey.objects.verify(shown("API key", output), now=timezone.now())
    assert set(Schedule.objects.values_list("name", flat=True)) == {"memory.extract", "memory.sweep"}


def test_a_second_run_makes_and_prints_nothing() -> None:
    bootstrap()
    before = list(get_user_model().objects.values()), list(ApiKey.objects.values()), list(Schedule.objects.values())
    assert bootstrap() == ""
    after = list(get_user_model().objects.values()), list(ApiKey.objects.values()), list(Schedule.objects.values())
    assert after == before


def test_an_account_of_another_name_is_enough() -> None:
    get_user_model().objects.create_superuser("ann", password="a long enough password")
    output = bootstrap()
    assert "Password" not in output
    assert "API key" in output
    assert get_user_model().objects.count() == 1


def test_a_revoked_key_is_not_replaced() -> None:
    ApiKey.objects.issue("first key").row.revoke(now=timezone.now())
    assert "API key" not in bootstrap()


def test_every_password_is_another() -> None:
    first = bootstrap()
    get_user_model().objects.all().delete()
    assert shown("Password", first) != shown("Password", bootstrap())


def test_the_box_is_closed_and_fits_a_terminal() -> None:
    lines = bootstrap().splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) <= 100


def test_password_and_key_are_stored_nowhere() -> None:
    output = bootstrap()
    stored = str(list(get_user_model().objects.values())) + str(list(ApiKey.objects.values()))
    assert shown("Password", output) not in stored
    assert shown("API key", output) not in stored


@pytest.fixture
def collected(tmp_path: Path) -> Path:
    """A server with DEBUG off that serves its static files from a folder of this test; the sources in `app/`."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "site.css").write_text("a { color: red }")
    return tmp_path


def collect(folder: Path) -> list[str]:
    with override_settings(
        SERVES_STATIC_FROM_SOURCE=False,
        STATIC_ROOT=folder / "static",
        STATICFILES_DIRS=[folder / "app"],
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
        STORAGES={"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}},
    ):
        bootstrap()
        assert staticfiles_storage.stored_name("site.css") != "site.css"
    return sorted(path.name for path in (folder / "static").iterdir())


def test_static_files_are_gathered_where_debug_is_off(collected: Path) -> None:
    assert "staticfiles.json" in collect(collected)


def test_static_files_are_gathered_again_only_after_a_change(collected: Path) -> None:
    collect(collected)
    (collected / "static" / "staticfiles.json").touch()
    (collected / "static" / "left-alone").touch()
    manifest = (collected / "static" / "staticfiles.json").stat().st_mtime_ns
    collect(collected)
    assert (collected / "static" / "staticfiles.json").stat().st_mtime_ns == manifest
    (collected / "app" / "site.css").write_text("a { color: green }")
    collect(collected)
    assert (collected / "static" / "staticfiles.json").stat().st_mtime_ns > manifest


def test_static_files_are_gathered_again_where_the_folder_was_lost(collected: Path) -> None:
    collect(collected)
    (collected / "static" / "staticfiles.json").unlink()
    assert "staticfiles.json" in collect(collected)

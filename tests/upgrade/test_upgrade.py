"""A database that a released version left is brought up to date with every row in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connection

from memory.backup import archive
from tests.servers import environment, run_manage
from tests.upgrade.databases import Row, everything_in, released, unpacked

# What an upgrade is meant to change in rows that are there, as (table, column).
CHANGED: frozenset[tuple[str, str]] = frozenset()
# What Django and the apps add to by themselves after every migration; the row that says where the backup is.
GROWS = frozenset(
    {"audit_log", "django_migrations", "django_content_type", "auth_permission", "auth_user_user_permissions"}
)


@dataclass(frozen=True)
class Upgraded:
    """A released database after `manage.py migrate`, with what was in it before."""

    name: str
    url: str
    env: dict[str, str]
    before: dict[str, list[Row]]
    said: str


@pytest.fixture(scope="module", params=released())
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    folder = tmp_path_factory.mktemp("released")
    with unpacked(request.param, folder) as url:
        env = environment(folder, CAESAR_DB__URL=url)
        before = everything_in(url)
        said = run_manage(env, "migrate", "--verbosity", "0")
        yield Upgraded(request.param, url, env, before, said)


pytestmark = pytest.mark.real_processes


def test_every_row_is_still_there(upgraded: Upgraded) -> None:
    after = everything_in(upgraded.url)
    for table, rows in upgraded.before.items():
        assert rows, f"{table} has no row in the fixture, which would prove nothing"
        kept = [{name: value for name, value in row.items() if (table, name) not in CHANGED} for row in rows]
        now = [{name: row[name] for name in kept[0]} for row in after[table]]
        missing = [row for row in kept if row not in now]
        assert not missing, f"{table} lost or changed {missing}"
        assert table in GROWS or len(now) == len(kept), f"{table} has {len(now) - len(kept)} rows too many"


def test_a_backup_of_it_as_it_was_is_made_where_something_changes(upgraded: Upgraded) -> None:
    made = files_in(upgraded)
    if upgraded.name == sorted(released())[-1]:
        assert upgraded.said == ""
        assert made == [], "nothing was to be changed"
        return
    assert f"A backup of it as it was: {made[0]}" in upgraded.said
    manifest = archive.opened(made[0]).manifest
    assert manifest.last_migration.startswith(upgraded.name)
    rows = {table: len(rows) for table, rows in upgraded.before.items() if table != "django_migrations"}
    assert {table: manifest.rows[table] for table in rows} == rows
    said = run_manage(upgraded.env, "restore", "--check", str(made[0]))
    assert "It restores" in said


def files_in(upgraded: Upgraded) -> list[Path]:
    return sorted(Path(upgraded.env["CAESAR_BACKUP__PATH"]).glob("before-upgrade-*.zip"))


@pytest.mark.django_db
def test_the_schema_is_that_of_a_new_database(upgraded: Upgraded) -> None:
    with connection.cursor() as cursor:
        for table, rows in everything_in(upgraded.url).items():
            if not rows:  # a table that is new
                continue
            described = connection.introspection.get_table_description(cursor, table)
            assert set(rows[0]) == {column.name for column in described}


def test_it_is_searched_and_read_as_before(upgraded: Upgraded) -> None:
    said = run_manage(upgraded.env, "shell", "-c", _LOOK)
    assert "I live in K\\xe4se" in said
    assert "Your dog's name is Beans." in said


_LOOK = """
from memory.models import AuditRow, PersonalFact
print(ascii([row.payload for row in AuditRow.objects.get_queryset().search("Kase")]))
print(PersonalFact.objects.get(key="dog.name").sentence)
"""


def test_keys_that_were_there_may_do_all_and_the_first_account_may_operate(upgraded: Upgraded) -> None:
    if upgraded.name >= "0006":
        pytest.skip("its keys have scopes already, and every row is still there")
    said = run_manage(upgraded.env, "shell", "-c", _ACCESS)
    assert "{'record read manage'} True" in said


_ACCESS = """
from django.contrib.auth.models import User
from memory.models import ApiKey
first = User.objects.earliest("pk")
print({key.scopes for key in ApiKey.objects.all()}, first.user_permissions.filter(codename="operate_memory").exists())
"""

"""A database that a released version left is brought up to date with every row in it."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.db import connection

from tests.servers import environment, run_manage
from tests.upgrade.databases import Row, everything_in, released, unpacked

# What an upgrade is meant to change in rows that are there, as (table, column).
CHANGED: frozenset[tuple[str, str]] = frozenset()
# What Django and the apps add to by themselves after every migration.
GROWS = frozenset({"django_migrations", "django_content_type", "auth_permission", "auth_user_user_permissions"})


@dataclass(frozen=True)
class Upgraded:
    """A released database after `manage.py migrate`, with what was in it before."""

    url: str
    env: dict[str, str]
    before: dict[str, list[Row]]


@pytest.fixture(scope="module", params=released())
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    folder = tmp_path_factory.mktemp("released")
    with unpacked(request.param, folder) as url:
        env = environment(folder, CAESAR_DB__URL=url)
        before = everything_in(url)
        run_manage(env, "migrate", "--verbosity", "0")
        yield Upgraded(url, env, before)


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
    said = run_manage(upgraded.env, "shell", "-c", _ACCESS)
    assert "{'record read manage'} True" in said


_ACCESS = """
from django.contrib.auth.models import User
from memory.models import ApiKey
first = User.objects.earliest("pk")
print({key.scopes for key in ApiKey.objects.all()}, first.user_permissions.filter(codename="operate_memory").exists())
"""

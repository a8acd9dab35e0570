"""Restoring: everything is looked at before anything is touched, and what was there is kept."""

import gzip
import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from memory.backup import archive, making, sqlite_files
from memory.backup.archive import BackupUnusable
from memory.backup.restoring import restore as restoring
from memory.backup.restoring.scratch import NotRestored
from memory.models import AuditRow, Embedded, EpisodeSummary, MemoryRevision, PersonalFact
from memory.portable import tables
from memory.recall.index import snapshots
from memory.recall.index.blocks import stored_keys, unpack_ids
from memory.recall.index.snapshots import VectorSpace
from tests.memory.backup.conftest import close_connections
from tests.memory.chat_helpers import record_chat
from tests.upgrade.write_fixture import FOLDER


@pytest.fixture
def backup(lived: AuditRow, now: datetime) -> Path:
    """A backup; since then the fact was edited and a chat came."""
    made = making.make("command", now=now)
    PersonalFact.objects.get(key="dog.name").edit("Bowser", now=now)
    record_chat("A later word", now=now)
    return made.path


def restored(path: Path, now: datetime, *, force: bool = True) -> restoring.Restored:
    close_connections()
    return restoring.restore(path, now=now, force=force)


def changed(path: Path, **manifest: object) -> Path:
    """The backup with another manifest."""
    other = path.with_name("changed.zip")
    with ZipFile(path) as source, ZipFile(other, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == archive.MANIFEST:
                data = json.dumps(json.loads(data) | manifest).encode()
            target.writestr(name, data)
    return other


def test_it_works(backup: Path, now: datetime) -> None:
    later = AuditRow.objects.latest("id").pk
    before = MemoryRevision.current()
    done = restored(backup, now + timedelta(hours=1))
    assert PersonalFact.objects.get(key="dog.name").value == "Beans"
    assert not AuditRow.objects.get_queryset().search("later").exists()
    assert AuditRow.objects.get_queryset().search("Beans").exists()
    row = AuditRow.objects.latest("id")
    assert (row.event_type, row.payload["file"]) == ("backup.restored", backup.name)
    assert row.pk > later, "a number that was given out is not given to another row"
    assert MemoryRevision.current().episodes_changed > before.episodes_changed
    assert not done.key_changed
    if connection.vendor == "sqlite":
        kept = Path(done.kept)
        assert kept.stat().st_mode & 0o777 == 0o600
        with closing(sqlite3.connect(kept)) as before:
            assert before.execute("SELECT value FROM personal_facts").fetchall() == [("Bowser",)]
    else:
        schema = done.kept.removeprefix("the schema ")
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT value FROM "{schema}".personal_facts')  # noqa: S608
            assert cursor.fetchall() == [("Bowser",)]


def test_a_running_process_sees_other_episodes(backup: Path, now: datetime) -> None:
    """The index holds an episode that the backup has not; another one that comes later has no number of an old one."""

    def held() -> list[int]:
        with connection.cursor() as cursor:
            known = snapshots.current(cursor, VectorSpace("m", 2), since_us=0, now=now)
        return sorted(int(one) for one in unpack_ids(stored_keys(known.blocks)))

    first = EpisodeSummary.objects.get()
    chat = record_chat("Of cats", now=now)
    EpisodeSummary.objects.summarise(chat, "A cat.", Embedded([0.8, 0.6], "m"), now=now)
    second = EpisodeSummary.objects.latest("id")
    assert held() == [first.pk, second.pk]
    restored(backup, now)
    assert held() == [first.pk]
    chat = record_chat("Of birds", now=now)
    EpisodeSummary.objects.summarise(chat, "A bird.", Embedded([1.0, 0.0], "m"), now=now)
    again = EpisodeSummary.objects.latest("id")
    assert again.pk > second.pk
    assert held() == [first.pk, again.pk]
    snapshots.forget()


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ({"migrations": [["memory", "0001_initial"], ["memory", "9999_later"]]}, "newer version of CAESAR"),
        ({"migrations": []}, "no tables"),
        ({"rows": {"personal_facts": 2}}, "personal_facts has 1 rows instead of 2"),
        ({"product": "Other memory"}, "no backup of CAESAR memory"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_changed(
    manifest: dict[str, object], said: str, backup: Path, now: datetime
) -> None:
    rows = AuditRow.objects.count()
    with pytest.raises(BackupUnusable, match=said):
        restored(changed(backup, **manifest), now)
    assert PersonalFact.objects.get().value == "Bowser"
    assert AuditRow.objects.count() == rows


def test_the_drill_changes_nothing_and_says_what_it_found(backup: Path, now: datetime) -> None:
    rows = AuditRow.objects.count()
    assert restoring.drill_and_record(backup, now=now).problem == ""
    wrong = changed(backup, rows={"personal_facts": 2})
    with pytest.raises(CommandError, match="instead of 2"):
        call_command("restore", str(wrong), "--check")
    assert PersonalFact.objects.get().value == "Bowser"
    drilled = AuditRow.objects.filter(pk__gt=rows).filter(event_type="backup.drilled")
    assert [bool(row.payload["problem"]) for row in drilled.order_by("id")] == [False, True]


def test_another_signing_key_comes_back_and_the_present_one_is_kept(backup: Path, now: datetime, own_var: Path) -> None:
    key = own_var / "secret_key"
    key.write_text("another")
    assert restored(backup, now).key_changed
    assert key.read_text() == "signs this"
    assert key.stat().st_mode & 0o777 == 0o600
    assert [path.read_text() for path in own_var.glob("secret_key.before-restore-*")] == ["another"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the older state below comes from SQLite already")
def test_a_backup_of_postgresql_restores_into_sqlite(lived: AuditRow, now: datetime, tmp_path: Path) -> None:
    path = tmp_path / "rows.zip"
    listed = tables.models_of(apps)
    with transaction.atomic(), archive.drafted(path, made_at=now, look=lambda: None) as draft:
        with draft.member(archive.TABLES) as sink:
            written = tables.write(listed, sink, using="default")
        applied = list(MigrationRecorder(connection).applied_migrations())
        rows = {name: one.rows for name, one in written.items()}
        draft.finish(making._manifest("postgresql", now, applied, rows))
    PersonalFact.objects.get().forget(now=now)
    restored(path, now)
    assert PersonalFact.objects.get().value == "Beans"
    assert AuditRow.objects.get_queryset().search("Beans").exists()


def test_two_at_once_do_not_mix(backup: Path, now: datetime) -> None:
    close_connections()
    with restoring._workshop(), pytest.raises(NotRestored, match="under way"):
        restoring.restore(backup, now=now, force=True)
    assert PersonalFact.objects.get().value == "Bowser"


def test_an_older_state_is_brought_up_to_date(lived: AuditRow, now: datetime, tmp_path: Path) -> None:
    """The oldest database that was ever released; on PostgreSQL it comes from the other engine, too."""
    old = tmp_path / "old.sqlite3"
    old.write_bytes(gzip.decompress((FOLDER / "0005.sqlite3.gz").read_bytes()))
    path = tmp_path / "old.zip"
    with archive.drafted(path, made_at=now, look=lambda: None) as draft:
        draft.put_file(archive.SQLITE, old)
        draft.finish(making._manifest("sqlite", now, sqlite_files.migrations(old), sqlite_files.counts(old)))
    done = restored(path, now)
    assert "memory.0017_last_looks" in done.migrated
    assert PersonalFact.objects.get(key="dog.name").value == "Beans"
    assert AuditRow.objects.get_queryset().search("Käse").exists()

"""Making a backup: one private file with all of memory, whose every byte is accounted for; never a full disk."""

import json
import os
import threading
from datetime import datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from caesar.environment import ROOT
from memory import tasks
from memory.backup import archive, files, making
from memory.backup.files import NoBackup
from memory.models import AuditRow
from tests.conftest import Configure
from tests.memory.backup.conftest import folder
from tests.memory.chat_helpers import record_chat

MIGRATIONS = ROOT / "memory" / "migrations"


def test_it_works(lived: AuditRow, now: datetime) -> None:
    made = making.make_and_record("command", now=now)
    assert made.path == folder() / "caesar-2026-05-20T090000Z.zip"
    assert made.path.stat().st_mode & 0o777 == 0o600
    manifest = archive.opened(made.path).manifest
    assert manifest.rows["personal_facts"] == 1
    assert manifest.rows["audit_log"] == AuditRow.objects.count() - 1  # its own row came after
    assert (manifest.engine, manifest.made_at) == (connection.vendor, now)
    assert manifest.last_migration == sorted(path.stem for path in MIGRATIONS.glob("0*.py"))[-1]
    row = AuditRow.objects.get(event_type="backup.made")
    assert (row.payload["file"], row.payload["bytes"]) == (made.path.name, made.path.stat().st_size)
    assert [path.name for path in folder().iterdir()] == [made.path.name]


def test_it_holds_the_key_and_the_settings_but_no_secret(
    lived: AuditRow, now: datetime, configure: Configure, tmp_path: Path
) -> None:
    configure(llm__openai__api_key="sk-hidden", llm__system_prompt="It's you; # hi", memory__retention_days=7)
    for with_secrets in (False, True):
        made = making.make("command", now=now, target=tmp_path / f"{with_secrets}.zip", with_secrets=with_secrets)
        with ZipFile(made.path) as file:
            assert file.read("secret_key") == b"signs this"
            settings = file.read("settings.env").decode()
        assert ("sk-hidden" in settings) is with_secrets
        assert "CAESAR_MEMORY__RETENTION_DAYS=7\n" in settings
        assert "CAESAR_LLM__SYSTEM_PROMPT='It\\'s you; # hi'\n" in settings


def test_of_many_the_newest_are_kept(lived: AuditRow, now: datetime, configure: Configure) -> None:
    configure(backup__keep=2)
    other = folder() / "caesar-2026.txt"
    days = [making.make("nightly", now=now + timedelta(days=day)) for day in range(3)]
    other.write_text("mine")
    upgrade = making.make("upgrade", now=now)
    assert [made.deleted for made in days] == [0, 0, 1]
    assert {path.name for path in folder().iterdir()} == {
        other.name,
        upgrade.path.name,
        *(made.path.name for made in days[1:]),
    }


def test_a_disk_without_room_is_left_alone(lived: AuditRow, now: datetime, configure: Configure) -> None:
    configure(backup__least_free_megabytes=100_000_000)
    with pytest.raises(NoBackup, match="are to stay free. Make room"):
        making.make_and_record("nightly", now=now)
    assert "CAESAR_BACKUP__LEAST_FREE_MEGABYTES" in AuditRow.objects.get(event_type="backup.failed").payload["error"]
    assert list(folder().iterdir()) == []


def test_what_a_killed_one_left_goes_after_an_hour(lived: AuditRow, now: datetime) -> None:
    folder().mkdir()
    old, new = folder() / ".caesar-1.zip.part-a", folder() / ".caesar-2.zip.part-b"
    for path, age in ((old, 7_200), (new, 60)):
        path.write_text("half")
        os.utime(path, (now.timestamp() - age,) * 2)
    making.make("nightly", now=now)
    assert not old.exists()
    assert new.exists()


def test_who_writes_meanwhile_does_not_wait_and_is_not_in_it(lived: AuditRow, now: datetime) -> None:
    """A chat that is recorded while the copy is made stands in the database, and the copy is of the moment before."""
    before = AuditRow.objects.count()

    def write() -> None:
        record_chat("later", now=now)
        connections.close_all()

    def write_once() -> None:
        if not AuditRow.objects.filter(pk__gt=lived.pk, event_type="chat.completed").exists():
            writer = threading.Thread(target=write)
            writer.start()
            writer.join(10)
            assert not writer.is_alive()

    target = folder() / "a.zip"
    folder().mkdir()
    if connection.vendor == "sqlite":
        from memory.backup import sqlite_files

        copied = folder() / "copy"
        sqlite_files.copy(Path(connection.settings_dict["NAME"]), copied, look=write_once)
        counted = sqlite_files.counts(copied)["audit_log"]
    else:
        with archive.drafted(target, made_at=now, look=lambda: None) as draft:
            original = draft.member

            def member(name: str):  # type: ignore[no-untyped-def]
                write_once_in_thread()
                return original(name)

            def write_once_in_thread() -> None:
                writer = threading.Thread(target=write)
                writer.start()
                writer.join(10)

            draft.member = member  # type: ignore[method-assign]
            manifest = making._put_postgresql(draft, now)
            draft.finish(manifest)
        counted = manifest.rows["audit_log"]
    assert counted == before
    assert AuditRow.objects.count() > before


def test_a_file_that_is_there_is_not_written_over(lived: AuditRow, tmp_path: Path) -> None:
    there = tmp_path / "there.zip"
    there.write_text("mine")
    with pytest.raises(CommandError, match="already"):
        call_command("backup", str(there))
    assert there.read_text() == "mine"


def test_the_night_makes_one_where_it_is_on(lived: AuditRow, configure: Configure) -> None:
    assert "CAESAR_BACKUP__ENABLED" in tasks.backup()
    configure(backup__enabled=True)
    assert "caesar-" in tasks.backup()
    assert AuditRow.objects.get(event_type="backup.made").payload["reason"] == "nightly"
    assert "rows restored" in tasks.backup_drill()
    assert AuditRow.objects.get(event_type="backup.drilled").payload["problem"] == ""


@pytest.mark.parametrize("harm", ["cut", "byte", "exchanged", "other", "text", "newer format"])
def test_a_damaged_or_foreign_file_is_refused(harm: str, lived: AuditRow, now: datetime) -> None:
    path = making.make("command", now=now).path
    whole = path.read_bytes()
    if harm == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif harm == "byte":
        at = len(whole) // 2
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    elif harm == "text":
        path.write_text("hello")
    elif harm == "exchanged":
        other = making.make("command", now=now, target=path.with_name("other.zip")).path
        with ZipFile(path) as source, ZipFile(other, "w") as target:
            for name in source.namelist():
                target.writestr(name, b"another key" if name == "secret_key" else source.read(name))
        os.replace(other, path)
    else:
        manifest = {"product": "Other"} if harm == "other" else {"product": archive.PRODUCT, "format": 2}
        with ZipFile(path, "w") as file:
            file.writestr("manifest.json", json.dumps(manifest))
    with pytest.raises(archive.BackupUnusable):
        archive.opened(path)


def test_the_newest_is_the_newest_of_either_kind(lived: AuditRow, now: datetime) -> None:
    older = making.make("nightly", now=now)
    newer = making.make("upgrade", now=now + timedelta(seconds=1))
    assert files.listed() == [newer.path, older.path]

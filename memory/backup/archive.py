"""The file of a backup: a zip with the database, the signing key, the settings, and a manifest of all of it.

It is written beside its place and renamed when it is complete and on the disk; nobody else can read it. Reading it
looks at every byte before anything is done with it.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Literal
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory.backup.files import NoBackup, sync_folder

MANIFEST = "manifest.json"
SQLITE = "database.sqlite3"
TABLES = "tables.jsonl"
SECRET_KEY = "secret_key"  # noqa: S105 (a name)
SETTINGS = "settings.env"
PRODUCT = "CAESAR memory"
FORMAT = 1
_CHUNK = 1024 * 1024
_LOOKS_EVERY_BYTES = 16 * _CHUNK

Engine = Literal["sqlite", "postgresql"]


class BackupUnusable(Exception):
    """The file cannot be restored here. The message says why, and the cure."""


class Member(BaseModel):
    """One file in the backup."""

    model_config = ConfigDict(frozen=True)

    bytes: int
    sha256: str


class Manifest(BaseModel):
    """What a backup holds. `last_migration`: the state of the tables; `rows` and `tables`: of each, count and hash."""

    model_config = ConfigDict(frozen=True)

    product: str
    format: int
    made_at: datetime
    version: str
    engine: Engine
    last_migration: str
    migrations: list[tuple[str, str]]
    rows: dict[str, int]
    tables: dict[str, str] = Field(default_factory=dict)
    members: dict[str, Member] = Field(default_factory=dict)
    with_secrets: bool = False

    @property
    def row_count(self) -> int:
        """How many rows all tables have."""
        return sum(self.rows.values())


# --- writing --------------------------------------------------------------------------------------------------------


@dataclass
class Draft:
    """A backup that is being written into `folder`. `look` is called now and then, and may stop it by raising."""

    file: ZipFile
    folder: Path
    look: Callable[[], None]
    made_at: datetime
    members: dict[str, Member] = field(default_factory=dict)

    @contextmanager
    def member(self, name: str) -> Iterator["MemberSink"]:
        """Write one file of it."""
        info = ZipInfo(name, date_time=self.made_at.timetuple()[:6])
        info.compress_type, info.external_attr = ZIP_DEFLATED, 0o600 << 16
        with self.file.open(info, "w", force_zip64=True) as raw:
            sink = MemberSink(raw, self.look)
            yield sink
        self.members[name] = Member(bytes=sink.count, sha256=sink.digest.hexdigest())

    def put(self, name: str, data: bytes) -> None:
        """Write a small file."""
        with self.member(name) as sink:
            sink.write(data)

    def put_file(self, name: str, path: Path) -> None:
        """Write the content of a file."""
        with path.open("rb") as source, self.member(name) as sink:
            while chunk := source.read(_CHUNK):
                sink.write(chunk)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest: what has none is no backup."""
        whole = manifest.model_copy(update={"members": self.members})
        data = json.dumps(whole.model_dump(mode="json"), indent=1, sort_keys=True).encode()
        self.file.writestr(ZipInfo(MANIFEST, date_time=self.made_at.timetuple()[:6]), data)


class MemberSink:
    """Writes on, counts and hashes."""

    def __init__(self, raw: IO[bytes], look: Callable[[], None]) -> None:
        self.count, self.digest = 0, hashlib.sha256()
        self._raw, self._look, self._looks_at = raw, look, _LOOKS_EVERY_BYTES

    def write(self, data: bytes, /) -> int:
        """Take some bytes."""
        self.digest.update(data)
        self.count += len(data)
        if self.count >= self._looks_at:
            self._looks_at = self.count + _LOOKS_EVERY_BYTES
            self._look()
        return self._raw.write(data)


@contextmanager
def drafted(target: Path, *, made_at: datetime, look: Callable[[], None]) -> Iterator[Draft]:
    """A backup to be written while open; at the end it is on the disk and has its name. Raises `NoBackup`."""
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.part-")  # O_EXCL, mode 0600
    except OSError as error:
        raise NoBackup(f"{target.parent} cannot be written to: {error.strerror}. See CAESAR_BACKUP__PATH.") from None
    part = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as raw:
            with ZipFile(raw, "w", ZIP_DEFLATED, compresslevel=1) as file:
                yield Draft(file, target.parent, look, made_at)
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(part, target)
        sync_folder(target.parent)
    finally:
        part.unlink(missing_ok=True)


# --- reading --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Archive:
    """A backup whose every byte was looked at."""

    path: Path
    manifest: Manifest

    def extract(self, name: str, target: Path) -> None:
        """Write one file of it to `target`, private."""
        descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as sink, self._opened(name) as source:
            shutil.copyfileobj(source, sink, _CHUNK)
            sink.flush()
            os.fsync(sink.fileno())

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of one file of it."""
        with self._opened(name) as source:
            yield from source

    def text(self, name: str) -> str | None:
        """One small file of it; None where it has none of that name."""
        if name not in self.manifest.members:
            return None
        with self._opened(name) as source:
            return source.read().decode()

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        with ZipFile(self.path) as file, file.open(name) as source:
            yield source


def opened(path: Path) -> Archive:
    """The backup in that file, every byte of it looked at. Raises `BackupUnusable`."""
    try:
        with ZipFile(path) as file:
            manifest = _manifest(path, file)
            for name, member in manifest.members.items():
                _verify(file, name, member)
    except OSError as error:
        raise BackupUnusable(f"{path} cannot be read: {error.strerror or error}.") from None
    except (BadZipFile, ZlibError, EOFError, KeyError, NotImplementedError):
        # All that `zipfile` raises for what is no archive, cut off, lacks a member, or is packed as nobody here packs.
        raise BackupUnusable(f"{path} is no backup, or it is cut off or damaged. {_TAKE_ANOTHER}") from None
    return Archive(path, manifest)


_TAKE_ANOTHER = "Take another one, or copy it again from where it came."


def _manifest(path: Path, file: ZipFile) -> Manifest:
    if MANIFEST not in file.namelist():
        raise BackupUnusable(f"{path} is no backup of {PRODUCT}: it has no {MANIFEST}.")
    try:
        said = json.loads(file.read(MANIFEST))
    except ValueError:
        said = None
    if not isinstance(said, dict) or said.get("product") != PRODUCT:
        raise BackupUnusable(f"{path} is no backup of {PRODUCT}.")
    if said.get("format") != FORMAT:
        raise BackupUnusable(f"{path} was made by a newer version of {PRODUCT}. Restore it with that one.")
    try:
        return Manifest.model_validate(said)
    except ValidationError:
        raise BackupUnusable(f"The manifest of {path} is damaged. {_TAKE_ANOTHER}") from None


def _verify(file: ZipFile, name: str, member: Member) -> None:
    digest = hashlib.sha256()
    with file.open(name) as source:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != member.sha256:
        raise BackupUnusable(f"{name} in the backup is not what its manifest says. {_TAKE_ANOTHER}")

"""Where backups are, what they are called, and how much room a disk has for them."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from django.conf import settings

ENDING = ".zip"
NIGHTLY = "caesar"
BEFORE_UPGRADE = "before-upgrade"
_KINDS = (NIGHTLY, BEFORE_UPGRADE)
_STAMP = "%Y-%m-%dT%H%M%SZ"
_MEGABYTE = 1024 * 1024
_LEFT_OVER_SECONDS = 3_600.0


class NoBackup(Exception):
    """No backup could be made. The message names the cure."""


def folder() -> Path:
    """The folder of the backups."""
    path: Path = settings.CAESAR.backup.path or settings.VAR_DIR / "backups"
    return path if path.is_absolute() else Path(settings.BASE_DIR) / path


def stamp(moment: datetime) -> str:
    """A moment as it stands in names of files: they sort by it."""
    return moment.strftime(_STAMP)


def name_for(kind: str, moment: datetime) -> Path:
    """A file of that kind that is not there yet."""
    return unused(folder() / f"{kind}-{stamp(moment)}", ENDING)


def unused(path: Path, ending: str = "") -> Path:
    """The path with its ending, with a number between the two where there is such a file already."""
    names = chain([path.name + ending], (f"{path.name}-{number}{ending}" for number in count(2)))
    return next(free for name in names if not (free := path.with_name(name)).exists())


def listed(kind: str = "*") -> list[Path]:
    """The backups in the folder, newest first."""
    found = [path for one in (_KINDS if kind == "*" else (kind,)) for path in folder().glob(f"{one}-2*{ENDING}")]
    return sorted(found, key=lambda path: path.name.rpartition("-2")[2], reverse=True)


def prune(kind: str) -> int:
    """Delete the oldest backups of that kind beyond `CAESAR_BACKUP__KEEP`; how many. Others may do the same."""
    old = listed(kind)[settings.CAESAR.backup.keep :]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def make_folder(path: Path) -> None:
    """Make a private folder. Raises `NoBackup`."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NoBackup(f"{path} cannot be made: {error.strerror}. Make it, or set CAESAR_BACKUP__PATH.") from None


def sweep_left_over(path: Path, *, now: datetime) -> None:
    """Delete what a backup that was killed has left in a folder: nobody has written to it for an hour."""
    for file in [*path.glob(".*.part-*"), *path.glob(".copy-*")]:
        if now.timestamp() - file.stat().st_mtime > _LEFT_OVER_SECONDS:
            shutil.rmtree(file, ignore_errors=True) if file.is_dir() else file.unlink(missing_ok=True)


def demand_room(path: Path, needed: int) -> None:
    """Raise `NoBackup` where the disk would not have `needed` bytes, and what is to stay free, in that folder."""
    disk = os.statvfs(path)
    free = disk.f_bavail * disk.f_frsize
    floor = settings.CAESAR.backup.least_free_megabytes * _MEGABYTE
    if free - needed < floor:
        raise NoBackup(
            f"Not enough room on the disk of {path}: {megabytes(free)} are free, the backup may take "
            f"{megabytes(needed)}, and {megabytes(floor)} are to stay free. Make room, set CAESAR_BACKUP__PATH to "
            "another disk, keep fewer (CAESAR_BACKUP__KEEP), or lower CAESAR_BACKUP__LEAST_FREE_MEGABYTES."
        )


def megabytes(count: int) -> str:
    """A number of bytes in words."""
    return f"{count / _MEGABYTE:,.1f} MB"


@contextmanager
def private_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A folder of this process's own, gone when the context ends."""
    path = parent / f"{prefix}{os.getpid()}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(mode=0o700)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def write_private(path: Path, text: str) -> None:
    """Write a small file that nobody else can read; whoever reads it finds the whole text, or what was there before."""
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    descriptor = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def sync_folder(path: Path) -> None:
    """Have the names in a folder on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_files(paths: Sequence[Path]) -> None:
    """Have the content of these files on the disk."""
    for path in paths:
        with path.open("rb") as file:
            os.fsync(file.fileno())

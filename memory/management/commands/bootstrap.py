"""`manage.py bootstrap`: a database, an account and a key to start with. What is there already stays as it is."""

import hashlib
import secrets
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import IntegrityError, transaction

from memory import queue
from memory.models import SCOPES, ApiKey

USERNAME = "operator"
FIRST_KEY_LABEL = "first key"
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another


class Command(BaseCommand):
    """Asks nothing and may run at every start. Password and key are printed once, when they are made."""

    help = "Make everything ready to run: database, timetable, static files, and the first account and API key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to do without the backup before an upgrade."""
        parser.add_argument("--no-backup", action="store_true", help="upgrade the database without a backup of it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing; the account last, so that nothing can fail before its password is printed.

        Tables of an older version are brought up to date, after a backup of them.
        """
        _make_private(settings.VAR_DIR)
        call_command(
            "migrate", interactive=False, verbosity=0, no_backup=options.get("no_backup", False), stdout=self.stdout
        )
        call_command("sync_schedules", verbosity=0)
        _nudge_workers()
        _collect_static()
        password, key = _first_account(), _first_key()
        if password or key:
            self.stdout.write("\n".join(_box(_credentials(password, key))))
            self.stdout.flush()


def _make_private(folder: Path) -> None:
    """Make a folder that no other account of this machine can read: the database is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def _nudge_workers() -> None:
    """Have each worker run when the queue starts: it reads what waits, and its heartbeat shows at once."""
    memory = settings.CAESAR.memory
    if memory.facts_extract.enabled:
        queue.nudge("memory.extract")
    if memory.episodes_summarise.enabled:
        queue.nudge("memory.summarise")


def _first_account() -> str | None:
    """The password of a new `operator`, or None where there is an account already."""
    users = get_user_model().objects
    password = "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))
    try:
        with transaction.atomic():
            if users.exists():
                return None
            users.create_superuser(USERNAME, password=password)
    except IntegrityError:  # another process was faster
        return None
    return password


def _first_key() -> str | None:
    """A new API key, or None where there is one already, revoked or not."""
    with transaction.atomic():
        return None if ApiKey.objects.exists() else ApiKey.objects.issue(FIRST_KEY_LABEL, scopes=SCOPES).secret


def _credentials(password: str | None, key: str | None) -> Iterator[str]:
    yield "Shown this once. Keep it."
    if password:
        yield ""
        yield f"User name  {USERNAME}"
        yield f"Password   {password}"
        yield "           change it at /password"
    if key:
        yield ""
        yield f"API key    {key}"
        yield "           more, and to revoke it: the page Connect"


def _box(lines: Iterator[str]) -> Sequence[str]:
    text = list(lines)
    width = max(map(len, text))
    edge = "+" + "-" * (width + 4) + "+"
    return [edge, *(f"|  {line:<{width}}  |" for line in text), edge]


def _collect_static() -> None:
    """Run collectstatic, if any file changed since the last time."""
    if settings.SERVES_STATIC_FROM_SOURCE:
        return
    root = Path(settings.STATIC_ROOT)
    stamp, wanted = root.with_suffix(".stamp"), _sources_hash()
    if stamp.exists() and stamp.read_text() == wanted and (root / "staticfiles.json").exists():
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(wanted)


def _sources_hash() -> str:
    """Changes whenever a static file of any app does."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            status = Path(storage.path(path)).stat()
            digest.update(f"{storage.path(path)} {status.st_mtime_ns} {status.st_size}\n".encode())
    return digest.hexdigest()

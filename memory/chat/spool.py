"""Turns that were answered and could not be written down: each waits in a file of its own until the database takes it.

A paid answer is never lost (decision 32). What a file holds is all that is written for its turn, and the answer that
was given under its `Idempotency-Key`. The turn's `decision_id` is its identity: it is recorded once, however often its
file is read and whoever is killed in between.
"""

import fcntl
import hashlib
import json
import logging
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from django.conf import settings
from django.db import connections, router
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict

from memory import events
from memory.actor import Actor
from memory.chat.turn import MemoryUse, Reply, Turn
from memory.conversation import Conversation
from memory.events import Message
from memory.models import AuditRow, IdempotencyKey

logger = logging.getLogger(__name__)

Kept = Literal["later", "no"]
"""What became of a turn that the database did not take: it waits in its file (`later`), or is lost (`no`)."""

_ENDING = ".json"
_REFUSED_ENDING = ".refused"
_LOCK = ".lock"


def _storable(moment: datetime) -> datetime:
    """The moment in UTC, in which every database takes it. Refuses one that lies outside the calendar there."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("is no time that can be stored") from None


Moment = Annotated[AwareDatetime, AfterValidator(_storable)]


class KeptAnswer(BaseModel):
    """The answer of a request that carried an `Idempotency-Key`, as it is kept under that key."""

    model_config = ConfigDict(frozen=True)

    api_key_id: int
    key: str
    request_hash: str
    created_at: Moment
    status: int
    body: str

    @property
    def row(self) -> IdempotencyKey:
        """The row to be written."""
        return IdempotencyKey(**self.model_dump())


class SpooledTurn(BaseModel):
    """All that is written for one turn. `passed`: set for a call that was passed through, whose only row it is.

    Secrets in it are masked (decision 33), but for the answer, which the client gets again as it was. `hashes`: those
    of the operator's messages as they were said. `masked`: how many secrets of the chat were masked.
    """

    model_config = ConfigDict(frozen=True)

    decision_id: str
    now: Moment
    conversation_id: str | None
    messages: list[Message]
    hashes: list[str] | None = None
    masked: int = 0
    use: MemoryUse
    proactive: str
    asked_by: Actor | None = None
    reply: Reply
    receipt: events.ContextServed | None
    episode_ids: list[int]
    is_counted: bool = False
    passed: events.ChatPassedThrough | None = None
    answer: KeptAnswer | None = None

    @property
    def turn(self) -> Turn:
        """The turn as it was asked for, at its own time."""
        return Turn(
            conversation=Conversation(self.messages, self.conversation_id, self.hashes),
            now=self.now,
            use=self.use,
            proactive=self.proactive,
            asked_by=self.asked_by,
            decision_id=self.decision_id,
        )

    @property
    def is_recorded(self) -> bool:
        """Whether its chat is on record. Ask in the transaction that would record it, holding the chats' order."""
        rows = AuditRow.objects.get_queryset().of_type(events.ChatCompleted, events.ChatPassedThrough)
        return rows.filter(decision_id=self.decision_id).exists()


def keep(spooled: SpooledTurn, error: BaseException) -> Kept:
    """Put a turn that the database refused with `error` into its file, in one step; "no" where even that failed."""
    why = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    try:
        _write(folder() / _name(spooled), json.dumps(spooled.model_dump(mode="json")))
    except (OSError, ValueError) as failure:
        logger.error("A paid turn (%s) is lost to memory. %s. Its file: %s", spooled.decision_id, why, failure)
        return "no"
    logger.warning("A turn (%s) is recorded later. %s. %d wait in %s", spooled.decision_id, why, waiting(), folder())
    return "later"


def waiting() -> int:
    """How many turns wait in their files."""
    return len(files())


def files() -> list[Path]:
    """The turns that wait, oldest first."""
    try:
        with os.scandir(folder()) as found:
            names = sorted(entry.name for entry in found if entry.name.endswith(_ENDING) and entry.is_file())
    except FileNotFoundError:
        return []
    return [folder() / name for name in names]


def read(file: Path) -> SpooledTurn:
    """The turn in a file. Raises `OSError` where it is gone, `ValueError` where it is none."""
    return SpooledTurn.model_validate(json.loads(file.read_text(encoding="ascii")))


def answer_to(api_key_id: int, key: str) -> KeptAnswer | None:
    """What the request with this `Idempotency-Key` was answered, where its turn still waits."""
    mark = _mark(api_key_id, key)
    for file in files():
        if file.name.endswith(f"-{mark}{_ENDING}"):
            with suppress(OSError, ValueError):  # recorded meanwhile; or unreadable
                return read(file).answer
    return None


def put_aside(file: Path) -> None:
    """Leave a file that can never be recorded to the operator, out of the way of the others."""
    with suppress(FileNotFoundError):
        file.rename(file.with_suffix(_REFUSED_ENDING))


def folder() -> Path:
    """Where the files are: as set, else beside the SQLite file, else in `var`."""
    if settings.CAESAR.db.spool_path is not None:
        return settings.BASE_DIR / settings.CAESAR.db.spool_path
    connection = connections[router.db_for_write(AuditRow)]
    if connection.vendor == "sqlite":
        return Path(f"{connection.settings_dict['NAME']}-turns")
    return settings.VAR_DIR / "turns"


_here = threading.Lock()


@contextmanager
def alone() -> Iterator[bool]:
    """Whether nobody else on this host reads the files at the moment. For thrift: two would do no harm."""
    if not _here.acquire(blocking=False):
        yield False
        return
    try:
        with (folder() / _LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
    finally:
        _here.release()


def _open_lock() -> None:
    global _here
    _here = threading.Lock()


os.register_at_fork(after_in_child=_open_lock)


def _write(file: Path, text: str) -> None:
    """A private file, under its name only when it is whole and on the disk."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=file.parent, prefix=".draft-")  # mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.rename(draft, file)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise
    directory = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _name(spooled: SpooledTurn) -> str:
    """The file's name: the turn's time, by which files sort, its id, and a hash of the Idempotency-Key."""
    answer = spooled.answer
    mark = "0" if answer is None else _mark(answer.api_key_id, answer.key)
    return f"{spooled.now.astimezone(UTC):%Y%m%dT%H%M%S%f}-{spooled.decision_id}-{mark}{_ENDING}"


def _mark(api_key_id: int, key: str) -> str:
    return hashlib.sha256(f"{api_key_id}:{key}".encode()).hexdigest()[:32]

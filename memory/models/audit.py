"""The audit log: one append-only row for everything that happened."""

import json
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn, Self, cast

from django.conf import settings
from django.db import connections, models, router
from django.db.models import F
from django.db.models.expressions import RawSQL
from django.db.models.lookups import GreaterThanOrEqual, LessThan
from django.utils import timezone
from pydantic import JsonValue

from caesar import metrics
from memory import actor, events
from memory.actor import CLIENT
from memory.models import search, turn_sql
from memory.models.masks import speech_masker
from memory.models.turn_sql import AuditValues, insert_audit
from memory.text import normalising
from memory.text.clamping import clamp, fits

SAID_ANEW_AFTER = timedelta(hours=1)
_CHAT_LOCK = 0x43414553  # any fixed number: the advisory lock that orders chats on PostgreSQL
_values = attrgetter(*AuditValues._fields)


class AppendOnly(TypeError):
    """Audit rows are never changed or deleted one by one; only the retention sweep removes or empties old ones."""


@dataclass(frozen=True)
class Page:
    """One page of the timeline, newest first, and the id before which the next page continues (None on the last)."""

    rows: list["AuditRow"]
    next_before: int | None


class Swept(NamedTuple):
    """How many rows a sweep deleted, and how many episodes with them."""

    rows: int
    episodes: int


class AuditQuerySet(models.QuerySet["AuditRow"]):
    """Queries of the timeline."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnly(AppendOnly.__doc__)

    def delete(self) -> NoReturn:
        raise AppendOnly(AppendOnly.__doc__)

    def sweep_away(self) -> Swept:
        """Delete these rows, for the retention sweep alone. Episodes go with their chat; other links become null."""
        by_model = super(AuditQuerySet, self.only("pk")).delete()[1]  # payloads are not read
        return Swept(by_model.get("memory.AuditRow", 0), by_model.get("memory.EpisodeSummary", 0))

    def empty_words(self) -> int:
        """Empty these rows of the operator's, for the retention sweep alone; how many they were.

        Key, time, place in the log and actor stay, and which row of theirs it took back. No hash of a value does: no
        rule compares values, and what a short one said could be found out by trying.
        """
        rows = list(self.values_list("pk", "fact_key", "payload__restored_from", "payload__reverts"))
        for pk, key, *taken_back in rows:
            payload = {"key": key or "", "emptied": True}
            names = zip(("restored_from", "reverts"), taken_back, strict=True)
            payload |= {name: row for name, row in names if isinstance(row, int)}
            models.QuerySet.update(self.model._default_manager.filter(pk=pk), payload=payload)
        return len(rows)

    def chats(self) -> Self:
        """The finished chats."""
        return self.filter(event_type=events.ChatCompleted.name)

    def turns(self) -> Self:
        """The finished chats, a turn of several steps once (decision 26)."""
        return self.chats().filter(chat__isnull=True)

    def without_steps(self) -> Self:
        """These rows without the chats that go on with a turn."""
        return self.exclude(event_type=events.ChatCompleted.name, chat__isnull=False)

    def of_type(self, *kinds: type[events.Event]) -> Self:
        """Rows of these events."""
        return self.filter(event_type__in=[kind.name for kind in kinds])

    def about(self, key: str) -> Self:
        """Rows about a fact, its key as given or in its normal form."""
        return self.filter(fact_key__in=normalising.key_spellings(key))

    def of_conversation(self, beginnings: Sequence[str], *, conversation_id: str | None) -> Self:
        """The turns of one conversation: those with its id, and those whose operator messages are its beginning.

        `beginnings`: the fingerprints of its beginnings (decision 12).
        """
        same = models.Q(fingerprint__in=beginnings)
        return self.filter(same | models.Q(conversation_id=conversation_id) if conversation_id else same)

    def of_client(self, key_ids: Sequence[int]) -> Self:
        """The rows that a client with these API keys brought: its chats, what came of them, and what it did."""
        if not key_ids:
            return self.none()
        # One key is compared, not listed: then the rows come in the order of the index, and a page reads no more.
        return self.filter(api_key_id=key_ids[0]) if len(key_ids) == 1 else self.filter(api_key_id__in=key_ids)

    def search(self, words: str) -> Self:
        """Rows that hold all of these words, of which the last may be incomplete; marks are ignored.

        All rows where `words` is blank, none where it holds only marks. `memory.models.search` says what is indexed.
        """
        if not words.strip():
            return self
        engine = connections[self.db].vendor
        query = search.query(words, vendor=engine)
        if not query:
            return self.none()
        tables, conditions = search.FOUND[engine]
        return cast("Self", self.extra(tables=tables, where=conditions, params=[query]))  # noqa: S610 (constants)

    def chats_last_marked(self, mark: type[events.Event], *, or_by: Iterable[type[events.Event]]) -> Self:
        """The chats whose latest event of these kinds is `mark` and none of `or_by`, oldest first."""
        marked = AuditRow.objects.get_queryset().of_type(mark)
        marks = AuditRow.objects.get_queryset().of_type(mark, *or_by).filter(chat_id=models.OuterRef("pk"))
        latest = models.Subquery(marks.order_by("-id").values("event_type")[:1])
        chats = self.chats().filter(id__in=marked.values("chat_id")).annotate(latest_mark=latest)
        return chats.filter(latest_mark=mark.name).order_by("id")

    def newest_first(self, *, before: int | None = None, since: int | None = None) -> Self:
        """The rows with an id below `before` and not below `since`, newest first."""
        place = self._place()
        rows = self if before is None else self.filter(LessThan(place, before))
        rows = rows if since is None else rows.filter(GreaterThanOrEqual(place, since))
        return rows.order_by(place.desc())

    def page(self, *, before: int | None = None, limit: int = 50) -> Page:
        """The `limit` newest rows with an id below `before`: keyset paging, as quick at the end as at the start."""
        found = list(self.newest_first(before=before)[: limit + 1])
        more = len(found) > limit
        return Page(found[:limit], found[limit - 1].pk if more else None)

    def _place(self) -> F | RawSQL:
        """A row's id, from the index that is read: on SQLite a search stops early only by that of its own index."""
        if "audit_fts" in self.query.extra_tables:
            return RawSQL("audit_fts.rowid", (), output_field=models.BigIntegerField())  # noqa: S611 (no input in it)
        return F("pk")


class AuditManager(models.Manager["AuditRow"]):
    """The one way rows are written."""

    def get_queryset(self) -> AuditQuerySet:
        return AuditQuerySet(self.model, using=self._db)

    def record(
        self,
        event: events.Event,
        *,
        now: datetime,
        decision_id: str | None = None,
        chat: "AuditRow | None" = None,
        fingerprint: str | None = None,
        conversation_id: str | None = None,
    ) -> "AuditRow":
        """Write one row for `event`. Call it in the transaction of the change it records.

        `chat`: the chat it came of; where nobody acts, as in a worker, the row is its client's too.
        """
        chat_id = None if chat is None else chat.pk
        row = self.draft(
            event,
            now=now,
            decision_id=decision_id,
            chat_id=chat_id,
            fingerprint=fingerprint,
            conversation_id=conversation_id,
        )
        if chat is not None and actor.current() is None:
            row.api_key_id = chat.api_key_id  # what a worker makes of a chat was brought by that chat's client
        row.save(force_insert=True)
        metrics.count_event(row.event_type)
        return row

    def write(self, drafts: Sequence["AuditRow"]) -> None:
        """Write drafted rows, in order, in one statement; each gets its id."""
        connection = connections[router.db_for_write(self.model)]
        values = [AuditValues._make(_values(row))._replace(payload=row.payload_json) for row in drafts]
        ids = insert_audit(connection, values)
        for row, id_ in zip(drafts, ids, strict=True):
            row.pk, row._state.adding, row._state.db = id_, False, connection.alias
            metrics.count_event(row.event_type)

    def draft(
        self,
        event: events.Event,
        *,
        now: datetime,
        decision_id: str | None,
        chat_id: int | None = None,
        fingerprint: str | None = None,
        conversation_id: str | None = None,
    ) -> "AuditRow":
        """A row for `event`, not yet written. `chat_id`: the chat it came of."""
        by = actor.current()
        return self.model(
            ts=now,
            event_type=event.name,
            payload=_payload(event),
            decision_id=decision_id,
            fact_key=event.about_key,
            chat_id=chat_id,
            fingerprint=fingerprint,
            conversation_id=conversation_id or None,
            actor=by.name if by else None,
            api_key_id=by.key_id if by else None,
            edits=event.edit_count,
        )

    def hold_chat_order(self) -> None:
        """Make chats become visible in the order of their ids until this transaction ends.

        On PostgreSQL a lower id may commit after a higher one, and a cursor would skip it; SQLite has one writer.
        """
        connection = connections[router.db_for_write(self.model)]
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CHAT_LOCK])

    def recorded_beginning(self, *fingerprints: Sequence[str]) -> int:
        """The number of operator messages in the longest recorded beginning of a conversation (decision 1).

        `fingerprints`: those of its beginnings, shortest first, in each way they may be recorded.
        """
        wanted = list({one for beginnings in fingerprints for one in beginnings})
        known = turn_sql.recorded(connections[router.db_for_write(self.model)], wanted)
        lengths = (length for beginnings in fingerprints for length, one in enumerate(beginnings, 1) if one in known)
        return max(lengths, default=0)

    def was_said_lately(self, fingerprints: Collection[str], *, said_at: datetime) -> bool:
        """Whether a chat with one of these fingerprints took place within an hour of that moment, before or after."""
        times = self.filter(fingerprint__in=fingerprints).values_list("ts", "payload__occurred_at").order_by("-id")
        return any(abs(said_at - _took_place(*time)) <= SAID_ANEW_AFTER for time in times.iterator())

    def turn_of(self, fingerprints: Sequence[str], *, conversation_id: str | None) -> int | None:
        """The first row of the turn that the newest chat with one of these belongs to; None where there is none.

        The same words in two conversations that their client names are two turns.
        """
        connection = connections[router.db_for_write(self.model)]
        return turn_sql.turn_of(connection, fingerprints, conversation_id=conversation_id)

    def times_said(self, chat_ids: Iterable[int]) -> dict[int, datetime]:
        """When these chats took place; those that were swept are left out."""
        chats = self.filter(pk__in=set(chat_ids), event_type=events.ChatCompleted.name)
        return {pk: _took_place(*time) for pk, *time in chats.values_list("pk", "ts", "payload__occurred_at")}


def _took_place(written_at: datetime, occurred_at: str | None) -> datetime:
    return datetime.fromisoformat(occurred_at) if occurred_at else written_at


def _payload(event: events.Event) -> dict[str, JsonValue]:
    raw = event.model_dump(mode="json", exclude_unset=False, exclude={"truncated", "masked"})
    if event.holds_speech:
        masker = speech_masker()
        raw = masker.object(raw)
        if count := event.masked + masker.count:
            raw["masked"] = count
    if event.bound == "whole":
        return raw
    memory = settings.CAESAR.memory
    max_chars = memory.chat_max_chars if event.bound == "chat" else memory.audit_max_string_chars
    if fits(raw, max_chars):
        return raw
    clamped = clamp(raw, max_chars)
    payload = dict(clamped.value) if isinstance(clamped.value, dict) else {}
    return payload | ({"truncated": True} if clamped.was_cut else {})


class AuditRow(models.Model):
    """One thing that happened. `ts` is when the row was written; retention and order go by it.

    `edits`: what an edit adds to the number of its fact's edits; null for 1.
    `actor`: in whose name it was written, as they were called then. `api_key`: the client's key, of the request that
    wrote the row, or of the chat that a worker made it of. Both are null where nobody noted it.
    """

    ts = models.DateTimeField(default=timezone.now, db_index=True)
    event_type = models.CharField(max_length=64)
    payload = models.JSONField(default=dict)
    decision_id = models.CharField(max_length=64, null=True, blank=True, db_index=True)  # noqa: DJ001 (absent is not "")
    fact_key = models.TextField(null=True, blank=True)  # noqa: DJ001 (absent is not "")
    chat = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="consequences")
    fingerprint = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 (absent is not "")
    conversation_id = models.CharField(max_length=128, null=True, blank=True)  # noqa: DJ001 (absent is not "")
    actor = models.CharField(max_length=128, null=True, blank=True)  # noqa: DJ001 (absent is not "")
    api_key = models.ForeignKey(
        "ApiKey", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    edits = models.SmallIntegerField(null=True, blank=True)

    objects = AuditManager()

    class Meta:
        db_table = "audit_log"
        verbose_name = "audit row"
        indexes = [
            models.Index(fields=["event_type", "id"], name="idx_audit_type"),
            models.Index(fields=["event_type", "fact_key", "edits"], name="idx_audit_edit_counts"),
            models.Index(fields=["fact_key", "id"], name="idx_audit_fact"),
            models.Index(
                fields=["fingerprint", "id"],
                name="idx_audit_fingerprint",
                condition=models.Q(fingerprint__isnull=False),
            ),
            models.Index(
                fields=["conversation_id", "id"],
                name="idx_audit_conversation",
                condition=models.Q(conversation_id__isnull=False),
            ),
            models.Index(fields=["api_key", "id"], name="idx_audit_api_key", condition=models.Q(api_key__isnull=False)),
            models.Index(
                fields=["api_key", "event_type", "id"],
                name="idx_audit_client",
                condition=models.Q(api_key__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.event_type}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnly(AppendOnly.__doc__)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnly(AppendOnly.__doc__)

    @cached_property
    def payload_json(self) -> str:
        """A draft's payload as it is stored. Ask for it before the transaction: a long chat takes its time."""
        return json.dumps(self.payload)

    def settled(self, fields: dict[str, JsonValue], *, chat_id: int | None) -> "AuditRow":
        """This draft with more in its payload: what only its transaction can tell. The draft stays as it is."""
        row = copy(self)
        row.chat_id = chat_id
        row.payload = self.payload | fields
        row.payload_json = f"{self.payload_json[:-1]}, {json.dumps(fields)[1:]}"
        return row

    @property
    def event(self) -> events.Event:
        """The typed payload. Raises `KeyError` or `pydantic.ValidationError` for a row no version of ours wrote."""
        return events.parse(self.event_type, self.payload)

    @cached_property
    def completed(self) -> events.ChatCompleted:
        """The payload of a `chat.completed` row, parsed once: rows of the log do not change."""
        return events.ChatCompleted.model_validate(self.payload)

    @property
    def said_at(self) -> datetime:
        """The chat's time: when it took place, where the client said so, else when it was recorded (decision 2)."""
        return self.completed.occurred_at or self.ts

    @property
    def client(self) -> str | None:
        """The label of the client that brought it; None where it was no client, or where nobody noted which.

        A query, unless its `api_key` was selected with it; none for the rows of requests, which keep the label.
        """
        if self.actor and self.actor.startswith(CLIENT):
            return self.actor.removeprefix(CLIENT)
        return None if self.api_key is None else self.api_key.label

    @property
    def label(self) -> str:
        """The event's word on the timeline."""
        known = events.EVENTS.get(self.event_type)
        label = known.label if known else self.event_type
        if self.actor and self.api_key_id is not None:  # what a client did in the operator's place
            return label.replace("You ", f"{self.actor[:1].upper()}{self.actor[1:]} ", 1)
        return label

"""The end of a turn that was paid for: written down now, or kept beside the database and written down later."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from django.db import Error, InterfaceError, OperationalError

from caesar import metrics
from caesar.processor_time import places
from memory import events
from memory.actor import Actor, acting
from memory.chat import spool
from memory.chat.context import Context, ServedRows, count_served
from memory.chat.masking import masked_event, masked_messages
from memory.chat.recording import Beside, ChatEntry, Outcome, PassEntry, Unrecorded
from memory.chat.spool import KeptAnswer, SpooledTurn
from memory.chat.turn import Reply, Turn
from memory.models import ApiKey, AuditRow, IdempotencyKey
from memory.models.masks import speech_masker
from memory.models.transactions import committed

logger = logging.getLogger(__name__)

_AT_A_TIME = 3
"""How many waiting turns each new turn records after itself."""

Later = Callable[[Unrecorded], KeptAnswer | None]


def finish(
    turn: Turn, reply: Reply, *, context: Context, beside: Beside | None = None, later: Later | None = None
) -> Outcome:
    """Write down a turn that was answered: its bumps, receipt and chat, and what `beside` writes, in one transaction.

    Where the database cannot take it, it waits in a file (`memory.chat.spool`), with the answer that `later` names.
    """
    with places.taken(turn.now):
        entry = ChatEntry(turn, reply, served=ServedRows.of(context), beside=beside)
    count_served(context)

    def spooled(unrecorded: Unrecorded) -> SpooledTurn:
        answer = None if later is None else later(unrecorded)
        return _spooled(turn, reply, context=context).model_copy(update={"answer": answer})

    return _written(turn, entry, spooled)


def finish_passed(turn: Turn, passed: events.ChatPassedThrough, *, reply: str) -> Outcome:
    """Write down a call that memory kept out of, now or later; nothing that was said in it, `reply` included."""
    entry = PassEntry(turn, passed, reply=reply)
    return _written(turn, entry, lambda unrecorded: _spooled(turn).model_copy(update={"passed": masked_event(passed)}))


def _written(
    turn: Turn,
    entry: ChatEntry | PassEntry,
    spooled: Callable[[Unrecorded], SpooledTurn],
) -> Outcome:
    try:
        with places.taken(turn.now):
            entry.look_ahead()
        with metrics.timed("record"):
            recorded = committed(entry.write)
    except Error as error:
        return Unrecorded(turn.decision_id, spool.keep(spooled(Unrecorded(turn.decision_id)), error))
    record_waiting(most=_AT_A_TIME)
    return recorded


def _spooled(turn: Turn, reply: Reply | None = None, *, context: Context | None = None) -> SpooledTurn:
    masker = speech_masker()
    conversation, said = turn.conversation, reply or Reply("")
    return SpooledTurn(
        decision_id=turn.decision_id,
        now=turn.now,
        conversation_id=conversation.id,
        messages=[] if reply is None else masked_messages(conversation.messages, masker),
        hashes=None if reply is None else [message.hash for message in conversation.operator_messages],
        use=turn.use,
        proactive=turn.proactive,
        asked_by=turn.asked_by,
        reply=replace(said, text=masker.text(said.text)),
        masked=masker.count,
        receipt=None if context is None or context.is_on_record else masked_event(context.receipt),
        is_counted=context is not None and context.is_counted,
        episode_ids=[] if context is None else list(context.episode_ids),
    )


def record_waiting(*, most: int | None = None) -> int:
    """Write down the turns that wait in their files, oldest first; how many were. Stops where the database is not well.

    Done by each turn that commits (a few), by the workers' tasks and at the start of the web server. Raises nothing.
    """
    try:
        files = spool.files()[:most]
        if not files:
            return 0
        with spool.alone() as is_ours:
            done = _record_all(files) if is_ours else 0
    except OSError as error:
        logger.error("The turns that wait to be recorded cannot be read: %s", error)
        return 0
    if done:
        logger.info("Recorded %d turns that had waited.", done)
    return done


def _record_all(files: Sequence[Path]) -> int:
    done = 0
    for file in files:
        try:
            done += _record(file)
        except (OperationalError, InterfaceError) as error:
            logger.warning("%d turns still wait to be recorded: %s", spool.waiting(), error)
            break
        except OSError as error:  # the others can be read all the same
            logger.error("The turn in %s cannot be read: %s", file, error)
        except Exception:
            # The file was written by another version, or was damaged: reading it can fail in any way (JSON, a schema,
            # a field that has gone), and so can recording what it says. Nothing narrower would keep the turns behind
            # it from waiting for ever. Nothing is lost: the file is kept under another name, and the log has the trace.
            logger.exception("A turn cannot be recorded. Its file is put aside: %s", file)
            spool.put_aside(file)
    return done


def _record(file: Path) -> bool:
    """Record one turn unless it is recorded, then delete its file. False where another process was faster."""
    try:
        spooled = spool.read(file)
    except FileNotFoundError:
        return False
    asked_by = _known(spooled.asked_by)
    with acting(lambda: asked_by):
        entry = _entry(spooled)
        entry.look_ahead()
        written = committed(lambda: _write_once(spooled, entry))
    file.unlink(missing_ok=True)
    return written


def _known(actor: Actor | None) -> Actor | None:
    """The actor, by its name alone where its key's row is gone by now."""
    if actor is None or actor.key_id is None or ApiKey.objects.filter(pk=actor.key_id).exists():
        return actor
    return replace(actor, key_id=None)


def _entry(spooled: SpooledTurn) -> ChatEntry | PassEntry:
    if spooled.passed is not None:
        return PassEntry(spooled.turn, spooled.passed)
    served = None
    if spooled.receipt is not None:
        context = Context(spooled.turn, spooled.receipt, "", spooled.episode_ids, is_counted=spooled.is_counted)
        served = ServedRows.of(context)
    return ChatEntry(spooled.turn, spooled.reply, served=served, masked=spooled.masked)


def _write_once(spooled: SpooledTurn, entry: ChatEntry | PassEntry) -> bool:
    AuditRow.objects.hold_chat_order()
    if spooled.is_recorded:
        return False
    entry.write()
    if spooled.answer is not None:
        IdempotencyKey.objects.keep_later(spooled.answer.row)
    return True

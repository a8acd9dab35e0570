"""Every event is told on the timeline in a sentence of its own."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory import events
from memory.models import AuditRow
from tests.dashboard.helpers import get_page, record_chat, visible_text

pytestmark = pytest.mark.django_db

Told = Sequence[tuple[events.Event, str]]


def turns(chat: AuditRow, now: datetime) -> Told:
    receipt = events.ContextServed(block="block", facts=[])
    errand = events.ChatPassedThrough(reason="task_prompt", beginning="### Task: name this chat", cut_off=True)
    return [
        (events.ChatFailed(error="Start it.", kind="x", provider="ollama"), "Chat failed no answer from ollama: Start"),
        (events.ChatFailed(error="Out.", kind="x", proactive="morning"), "no answer for the trigger morning: Out."),
        (receipt, "Memory served nothing"),
        (errand, "Passed through “### Task: name this chat” an errand of the client's own, no conversation cut off"),
        (
            events.ChatPassedThrough(reason="errand"),
            "Passed through an errand, as its client says (X-Memory-Task: errand)",
        ),
        (events.ChatPassedThrough(reason="temporary"), "Passed through a chat that its client calls temporary"),
        (events.ChatPassedThrough(reason="other_person"), "Passed through somebody else than you"),
        (
            events.ChatPassedThrough(reason="memory_off"),
            "Passed through its client switched memory off for it (X-Memory: off)",
        ),
    ]


def facts(chat: AuditRow, now: datetime) -> Told:
    heard_of = {"key": "dog.name", "value": "Beans", "confidence": 0.9, "said_at": now}
    values = {"key": "dog.name", "old_value": "A", "new_value": "B"}
    sentence = "Your dog's name is Beans."
    return [
        (events.FactAdded(**heard_of), f"Learned {sentence} from chat {chat.pk}"),
        (events.FactConfirmed(**heard_of), f"Confirmed {sentence} said again in chat {chat.pk}"),
        (
            events.FactUpdated(**values, old_confidence=1, confidence=0.8, said_at=now),
            f"Updated dog.name from “A” to “B” , said in chat {chat.pk} 0.80 sure",
        ),
        (
            events.FactRetired(**heard_of, quote="Beans died", message=0, start=0, end=10),
            f"No longer true {sentence} you said: “Beans died” in chat {chat.pk}",
        ),
        (events.FactRetired(**heard_of, quote="forget it", asked=True), f"{sentence} you asked to forget it:"),
        (
            events.FactUserAdded(key="dog.name", value="Beans", restored_from=7, retired_at=now),
            f"You brought back {sentence} which had ended",
        ),
        (events.FactUserEdited(**values, retired_at=now, waited=7), "to “B” , after it had ended by accepting what"),
        (
            events.FactUserDated(key="dog.name", value="Beans", valid_until=now.date()),
            f"You dated {sentence} to hold until 20 May 2026",
        ),
        (events.FactWaiting(**heard_of, quote="my dog"), f"Waits for review {sentence} not your words: “my dog” from"),
        (events.FactUserDropped(**heard_of, quote="my dog"), f"You dropped {sentence} which waited for review"),
    ]


def operator_verbs(chat: AuditRow, now: datetime) -> Told:
    values = {"key": "dog.name", "old_value": "A", "new_value": "B"}
    times = {"first_seen_at": now, "last_confirmed_at": now}
    sentence = "Your dog's name is Beans."
    return [
        (events.FactUserEdited(**values), "You edited dog.name from “A” to “B”"),
        (events.FactUserAdded(key="dog.name", value="Beans"), f"You added {sentence}"),
        (
            events.FactUserAdded(key="dog.name", value="Beans", restored_from=7),
            f"You took back the deletion of {sentence} it is there again ( event 7 )",
        ),
        (events.FactUserDeleted(key="dog.name", value="Beans", confidence=1, **times), f"You deleted {sentence}"),
        (events.FactUserConfirmed(key="dog.name", value="Beans"), f"You confirmed {sentence} still true"),
        (
            events.FactUserConfirmed(key="dog.name", value="Beans", retired_at=now),
            f"You confirmed {sentence} true again, after it had ended",
        ),
        (
            events.FactUserConfirmed(key="dog.name", value="Beans", reverts=7),
            f"You took back “Still true” for {sentence} its date is as before ( event 7 )",
        ),
        (
            events.FactUserConfirmed(
                key="dog.name", value="Beans", reverts=8, confirmed_at=now, old_confirmed_at=now - timedelta(days=9)
            ),
            f"You confirmed {sentence} still true, said again after you took it back",
        ),
        (events.FactUserKept(key="dog.name", value="Beans"), f"You kept {sentence} first in the prompt"),
        (events.FactUserLetGo(key="dog.name", value="Beans"), f"You let go {sentence} may leave the prompt"),
        (events.FactUserEdited(**values, reverts=8, edits=1), "You edited dog.name from “A” to “B” again"),
    ]


def verbs_taken_back(chat: AuditRow, now: datetime) -> Told:
    values = {"key": "dog.name", "old_value": "A", "new_value": "B"}
    times = {"first_seen_at": now, "last_confirmed_at": now}
    sentence = "Your dog's name is Beans."
    return [
        (
            events.FactUserUnkept(key="dog.name", value="Beans", reverts=7),
            f"You took back “Keep” for {sentence} it goes by its importance again ( event 7 )",
        ),
        (
            events.FactUserKept(key="dog.name", value="Beans", reverts=7),
            f"You took back “Stop keeping” for {sentence} it comes first in the prompt again ( event 7 )",
        ),
        (
            events.FactUserLetGo(key="dog.name", value="Beans", is_gone=False, reverts=7),
            f"You took back “Let go” for {sentence} you are asked again",
        ),
        (
            events.FactUserLetGo(key="dog.name", value="Beans", is_gone=True, reverts=8),
            f"You let go {sentence} may leave the prompt after all",
        ),
        (
            events.FactUserDated(key="dog.name", value="Beans", old_valid_until=now.date(), reverts=7),
            f"You took back the last day of {sentence} it holds without an end again",
        ),
        (
            events.FactUserDeleted(key="dog.name", value="Beans", confidence=1, **times, reverts=7),
            f"You took back adding {sentence} it is gone again",
        ),
        (
            events.FactRetired(key="dog.name", value="Beans", confidence=1, said_at=now, reverts=7),
            f"You took back “Bring it back” for {sentence} it is no longer true again",
        ),
        (
            events.FactWaiting(key="dog.name", value="Beans", confidence=1, quote="", said_at=now, restored_from=7),
            f"You took back “Drop” for {sentence} it waits again",
        ),
        (
            events.FactUserDropped(key="dog.name", value="Beans", confidence=1, quote="", said_at=now, reverts=7),
            f"You dropped {sentence} again",
        ),
        (
            events.FactUserEdited(**values, reverts=7),
            "You took back your edit of dog.name it is “B” again, not “A” ( event 7 )",
        ),
    ]


def reading(chat: AuditRow, now: datetime) -> Told:
    asked = f"Reading asked again chat {chat.pk} to be read"
    return [
        (events.ExtractFailed(error="Not JSON.", kind="x"), f"Reading failed chat {chat.pk} , to be tried again: Not"),
        (
            events.ExtractAbandoned(error="Not JSON.", attempts=5, reason="bad_answer"),
            f"Gave up reading chat {chat.pk} after 5 tries, the model's answers could not be used: Not JSON.",
        ),
        (events.ExtractRecovered(), f"Read after all chat {chat.pk} though it had been given up"),
        (events.ExtractShortened(unread=12), f"Read in part chat {chat.pk} it held more new messages than one reading"),
        (
            events.ClaimsRefused(reasons={"placeholder": 2, "secret": 1}),
            f"Not kept chat {chat.pk} : 2 placeholders, 1 with the shape of a secret",
        ),
        (events.ExtractAsked(given_up=True), f"{asked} after all, though it had been given up"),
        (events.ExtractAsked(given_up=False), f"{asked} at once"),
    ]


def episodes(chat: AuditRow, now: datetime) -> Told:
    of = {"audit_log_id": chat.pk}
    score = {"cosine": 0.58, "freshness": 0.9, "recall_weight": 1, "score": 0.52}
    return [
        (events.EpisodeSummarised(**of, summary="We met.", model="m"), "Summed up “We met.” of chat"),
        (events.EpisodeReplaced(**of, summary="We parted.", model="m"), "Summed up anew “We parted.” of chat"),
        (events.EpisodeSkipped(**of, reason="trivial"), "nothing in it is worth a summary"),
        (events.EpisodeFailed(**of, error="Out.", kind="x"), f"Summary failed chat {chat.pk} : Out."),
        (
            events.EpisodeRecalled(**of, summary="We met.", **score),
            f"Recalled “We met.” from chat {chat.pk} , today 0.52 = 0.58 × 0.90 × 1.00",
        ),
        (events.EpisodeUserDeleted(**of, summary="We met."), "You deleted an episode “We met.”"),
        (
            events.EpisodeUserRestored(**of, summary="We met.", restored_from=1),
            "You brought an episode back “We met.”",
        ),
        (events.EpisodeAsked(**of, given_up=True), f"Summary asked again chat {chat.pk} to be summed up after all"),
    ]


def emptied(chat: AuditRow, now: datetime) -> Told:
    key = {"key": "dog.name", "emptied": True}
    gone = "dog.name what it said is no longer kept"
    return [
        (events.FactUserEdited(**key), f"You edited {gone}"),
        (events.FactUserAdded(**key), f"You added {gone}"),
        (events.FactUserDeleted(**key), f"You deleted {gone}"),
    ]


def backups(chat: AuditRow, now: datetime) -> Told:
    made = {"file": "caesar-1.zip", "folder": "/b", "bytes": 2048, "seconds": 1}
    return [
        (events.BackupMade(**made), "Backup made caesar-1.zip of 2.0 KB"),
        (events.BackupMade(**made, reason="upgrade"), "2.0 KB, before an upgrade"),
        (events.BackupMade(**made, reason="nightly"), "2.0 KB, as every night"),
        (events.BackupFailed(error="The disk is full. Make room."), "Backup failed The disk is full. Make room."),
        (events.BackupDrilled(file="a.zip", rows=1200), "Backup tried a.zip restores, with all its 1,200 rows"),
        (events.BackupDrilled(file="a.zip", problem="It is cut off."), "a.zip cannot be restored: It is cut off."),
        (events.BackupRestored(file="a.zip", made_at=now), "Backup restored a.zip of 20 May 2026"),
    ]


def the_rest(chat: AuditRow, now: datetime) -> Told:
    return [
        (events.RetentionSweep(older_than=now, rows=12, episodes=1), "Swept 12 rows older than 20 May 2026, 1 episode"),
        (
            events.RetentionSweep(older_than=now, rows=12, episodes=1, unfinished=True, held_back=30),
            "1 episode with them; the next sweep goes on; 30 more held back",
        ),
        (
            events.SweepAllowed(older_than=now, rows=30),
            "You allowed the sweep 30 rows older than 20 May 2026 that it had held back",
        ),
        (
            events.RetentionSweep(older_than=now, rows=0, episodes=0, emptied=2),
            "2 rows of yours emptied to key and time",
        ),
        (
            events.ModelTried(task="chat", provider="openai", model="gpt-a", milliseconds=412),
            "You tried a model openai gpt-a answered in 412 ms",
        ),
        (
            events.ModelTried(task="chat", provider="openai", milliseconds=9, error="It is out.", kind="Unreachable"),
            "did not answer: It is out.",
        ),
        (events.LearningPaused(), "You paused learning chats are kept and wait"),
        (
            events.LearningResumed(paused_at=now),
            "You resumed learning chats that waited since 20 May 2026 are read now",
        ),
    ]


def asked_of_memory(chat: AuditRow, now: datetime) -> Told:
    return [
        (
            events.MemorySearched(door="api", query="a <b>lamp</b>?", since=now.date(), found=2),
            "Memory searched “a <b>lamp</b>?” over the API, from 20 May 2026: 2 found",
        ),
        (events.MemorySearched(door="command", query="a lamp"), "“a lamp” on the command line: nothing found"),
        (
            events.MemorySearched(door="mcp", client="Claude 2", query="a lamp", found=1),
            "“a lamp” by Claude 2 over MCP: 1 found",
        ),
        (
            events.McpCalled(kind="tool", what="get_memory", arguments={"id": "<b>", "limit": 3}, client="Claude"),
            "Asked by MCP Claude used get_memory with id “<b>”, limit “3”",
        ),
        (
            events.McpCalled(kind="resource", what="caesar://facts/x", outcome="refused", problem="There is none."),
            "refused: There is none.",
        ),
        (events.McpCalled(kind="prompt", what="memory", client="Claude"), "Claude took the prompt memory"),
        (
            events.McpCalled(kind="connection", client="Claude", client_version="2"),
            "Claude 2 connected",
        ),
    ]


def keys(chat: AuditRow, now: datetime) -> Told:
    key = {"key_label": "kitchen <b>tablet</b>", "prefix": "caesar_a1B2c3"}
    return [
        (events.KeyCreated(**key), "Key made kitchen <b>tablet</b> caesar_a1B2c3…"),
        (
            events.KeyChanged(**key, scopes=["read", "manage"], old_scopes=["record"]),
            "Key changed kitchen <b>tablet</b> caesar_a1B2c3… may read, manage",
        ),
        (events.KeyRevoked(**key), "Key revoked kitchen <b>tablet</b> caesar_a1B2c3… whoever uses it is refused"),
    ]


GROUPS = (
    turns,
    facts,
    operator_verbs,
    verbs_taken_back,
    reading,
    episodes,
    emptied,
    backups,
    asked_of_memory,
    keys,
    the_rest,
)


@pytest.mark.parametrize("group", GROUPS)
def test_each_is_told(operator: Client, now: datetime, group: object) -> None:
    assert callable(group)
    chat = record_chat("hello", now=now)
    happened: Told = group(chat, now)
    for event, _ in happened:
        AuditRow.objects.record(event, now=now, chat=chat, decision_id="t1")
    text = visible_text(get_page(operator, "/dashboard/audit"))
    for _, sentence in happened:
        assert sentence in text
    assert "event " not in text.lower().replace("an event", "").replace("( event 7", ""), (
        "no row falls back on its number"
    )


def test_none_is_forgotten(operator: Client, now: datetime) -> None:
    chat = record_chat("hello", now=now)
    told = {type(event) for group in GROUPS for event, _ in group(chat, now)}
    assert told | {events.ChatCompleted} == set(events.EVENTS.values())

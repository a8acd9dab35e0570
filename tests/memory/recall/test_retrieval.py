"""Auto-recall in a turn: what comes back, why, and what is written (ADR-0034 §3, §4, §6; decisions 12 to 16)."""

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from django.utils import timezone

from memory import chat, events
from memory.events import Message
from memory.models import AuditRow, Embedded, EpisodeSummary, PersonalFact
from memory.text import wording
from tests import cases
from tests.conftest import ApiClient, Configure
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import compose_turn, record_turn

pytestmark = pytest.mark.django_db(transaction=True)

SLEEP = "We discussed the operator's sleep trouble and tried a thermostat adjustment."
ON = chat.MemoryUse()


@pytest.fixture(autouse=True)
def embedder_on(configure: Configure, memory_on: None) -> None:
    configure(semantic__enabled=True, memory__episodes_recall__similarity_threshold=0.45)


def past_chat(now: datetime, *texts: str) -> AuditRow:
    messages = [Message(role="user", content=text) for text in texts]
    with scripted_embedder():
        recorded = record_turn(messages, "ok", use=ON, now=now)
    return AuditRow.objects.get(pk=recorded.audit_log_id)


def episode(summary: str, vector: Sequence[float], *, at: datetime, count: int = 0, said: str = "") -> EpisodeSummary:
    row = past_chat(at, said or summary)
    EpisodeSummary.objects.summarise(row, summary, Embedded(list(vector), fake.MODEL_ID), now=at)
    EpisodeSummary.objects.filter(audit_log=row).update(recall_count=count)
    return EpisodeSummary.objects.get(audit_log=row)


@contextmanager
def asked(words: str, vector: Sequence[float], **options: Any) -> Iterator[ScriptedEmbedder]:
    with scripted_embedder(table={words: vector}, **options) as embedder:
        yield embedder


def composed(words: str, vector: Sequence[float], *, now: datetime, before: Sequence[str] = ()) -> chat.Context:
    messages = [Message(role="user", content=text) for text in (*before, words)]
    with asked(words, vector):
        return compose_turn(messages, use=ON, now=now, system="You are CAESAR.")


def test_it_works(now: datetime) -> None:
    episode(SLEEP, [1.0, 0.0], at=now - timedelta(days=3))
    context = composed("I tried the thermostat thing you suggested.", [0.8, 0.6], now=now)
    assert (
        context.system_prompt
        == f"{wording.PREFACE}\n\n{wording.EPISODES_HEADING}\n  - 3 days ago: {SLEEP}\n\nYou are CAESAR."
    )
    (served,) = context.receipt.episodes
    assert served.cosine == pytest.approx(0.8)
    assert served.freshness == pytest.approx(0.904837)
    assert served.recall_weight == 1.0
    assert served.score == pytest.approx(0.8 * 0.904837)


def test_the_two_blocks_stand_in_the_records_order(now: datetime) -> None:
    episode(SLEEP, [1.0, 0.0], at=now - timedelta(days=3))
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    prompt = composed("the thermostat thing", [1.0, 0.0], now=now).system_prompt
    facts, episodes, own = (prompt.index(part) for part in ("What you've", "Possibly", "You are CAESAR."))
    assert facts < episodes < own


def test_a_turn_bumps_and_audits_each_episode_once(api: ApiClient) -> None:
    now = timezone.now()
    shown = episode(SLEEP, [1.0, 0.0], at=now - timedelta(days=3))
    other = episode("We spoke of boats.", [0.0, 1.0], at=now - timedelta(days=3))
    with asked("the thermostat thing", [1.0, 0.0]):
        answer = api.post("/v1/chat", json={"messages": [{"role": "user", "content": "the thermostat thing"}]}).json()
    shown.refresh_from_db()
    other.refresh_from_db()
    assert (shown.recall_count, other.recall_count, other.last_recalled_at) == (1, 0, None)
    assert shown.last_recalled_at is not None
    (row,) = AuditRow.objects.filter(event_type="memory.episode.recalled")
    assert (row.chat_id, row.decision_id) == (shown.audit_log_id, answer["decision_id"])
    for name in ("audit_log_id", "cosine", "freshness", "score", "recall_weight", "summary"):
        assert name in row.payload
    (told,) = answer["memory"]["episodes"]
    assert (told["audit_log_id"], told["summary"]) == (shown.audit_log_id, SLEEP)


def test_a_preview_and_a_failed_turn_bump_nothing(api: ApiClient, configure: Configure) -> None:
    now = timezone.now()
    shown = episode(SLEEP, [1.0, 0.0], at=now - timedelta(days=3))
    with asked("the thermostat thing", [1.0, 0.0]):
        preview = api.post("/v1/memory/context", json={"message": "the thermostat thing", "preview": True}).json()
        assert SLEEP in preview["block"]
        configure(llm__provider="openai")
        turn = api.post("/v1/chat", json={"messages": [{"role": "user", "content": "the thermostat thing"}]})
    assert turn.status_code == 503
    shown.refresh_from_db()
    assert shown.recall_count == 0
    assert not AuditRow.objects.filter(event_type__in=["memory.episode.recalled", "memory.context.served"]).exists()


def test_the_conversation_that_is_going_on_is_not_recalled(now: datetime) -> None:
    """decision 12: the chat's operator messages are a prefix of this request's."""
    first = past_chat(now, "I sleep badly.")
    EpisodeSummary.objects.summarise(first, SLEEP, Embedded([1.0, 0.0], fake.MODEL_ID), now=now)
    messages = [
        Message(role="user", content="I sleep badly."),
        Message(role="assistant", content="Since when?"),
        Message(role="user", content="Since May."),
    ]
    with asked("Since May.", [1.0, 0.0]):
        context = compose_turn(messages, use=ON, now=now, system="x")
        later = compose_turn([Message(role="user", content="Since May.")], use=ON, now=now, system="x")
    assert context.receipt.episodes == []
    assert [miss.reason for miss in context.receipt.near_misses] == ["same_conversation"]
    assert [shown.summary for shown in later.receipt.episodes] == [SLEEP]


def test_what_just_missed_is_told_with_its_reason(now: datetime) -> None:
    for number in range(4):
        episode(f"Close {number}.", [1.0, 0.0], at=now - timedelta(days=number))
    episode("Not quite.", [0.4, 0.9165], at=now)
    misses = composed("words", [1.0, 0.0], now=now).receipt.near_misses
    assert ("Close 3.", "cap") in [(miss.summary, miss.reason) for miss in misses]
    (below,) = [miss for miss in misses if miss.reason == "below_threshold"]
    assert below.short_by == pytest.approx(0.05, abs=1e-3)
    assert len(misses) <= 5


def test_what_was_sent_stays_on_record_byte_for_byte(api: ApiClient) -> None:
    now = timezone.now()
    kept = episode(SLEEP, [1.0, 0.0], at=now - timedelta(days=3))
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    with asked("the thermostat thing", [1.0, 0.0]):
        answer = api.post("/v1/memory/context", json={"message": "the thermostat thing", "system": "x"}).json()
    dog = PersonalFact.objects.get()
    dog.edit("Bowser", now=now)
    kept.forget(now=now)
    receipt = AuditRow.objects.get(event_type="memory.context.served", decision_id=answer["decision_id"])
    assert isinstance(receipt.event, events.ContextServed)
    assert receipt.event.block == answer["block"]
    assert answer["system_prompt"] == f"{receipt.event.block}\n\nx"
    assert "Beans" in receipt.event.block
    assert SLEEP in receipt.event.block


# --- memory must not break chat (decision 16) -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(500, text="no"),
        httpx.ReadTimeout("slow"),
        httpx.ConnectError("refused"),
        httpx.Response(200, json={"data": []}),
        httpx.Response(200, json=fake.openai_answer([0.0, 0.0])),
    ],
)
def test_a_turn_goes_on_without_a_usable_embedder(
    now: datetime, answer: httpx.Response | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    episode(SLEEP, [1.0, 0.0], at=now)
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    copies = [
        answer if isinstance(answer, Exception) else httpx.Response(answer.status_code, content=answer.content)
        for _ in range(2)
    ]
    with caplog.at_level(logging.WARNING), scripted_embedder(*copies):
        context = compose_turn([Message(role="user", content="hi")], use=ON, now=now, system="x")
    assert "Beans" in context.system_prompt
    assert context.receipt.episodes == []
    (left_out,) = context.receipt.left_out
    assert left_out.part == "episodes"
    assert left_out.reason
    assert len([record for record in caplog.records if record.name == "memory.recall.retrieval"]) == 1


def test_switched_off_is_said_and_nobody_is_asked(now: datetime, configure: Configure) -> None:
    episode(SLEEP, [1.0, 0.0], at=now)
    for change in ({"memory__episodes_recall__enabled": False}, {"semantic__enabled": False}):
        configure(semantic__enabled=True, memory__episodes_recall__enabled=True)
        configure(**change)
        with scripted_embedder() as embedder:
            # scripted_embedder switches the embedder on for itself, so the switch is thrown inside it
            configure(**change)
            context = compose_turn([Message(role="user", content="hi")], use=ON, now=now, system="x")
        assert embedder.texts == []
        assert "switched off" in context.receipt.left_out[-1].reason


def test_only_the_new_message_is_embedded(now: datetime) -> None:
    parts = [{"type": "text", "text": "What plant is this?"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
    messages = [
        Message(role="system", content="secret system"),
        Message(role="user", content="old words"),
        Message.model_validate({"role": "user", "content": parts}),
    ]
    with scripted_embedder() as embedder:
        compose_turn(messages, use=ON, now=now)
    assert embedder.texts == ["What plant is this?"]


# --- the case files -------------------------------------------------------------------------------------------------


def prepare(case: cases.Case, configure: Configure) -> None:
    names = {"similarity_threshold", "top_k"}
    settings = {f"memory__episodes_recall__{k}": v for k, v in case.given.get("settings", {}).items() if k in names}
    if "TIME_ZONE" in case.given.get("settings", {}):
        settings["time_zone"] = case.given["settings"]["TIME_ZONE"]
    configure(**settings)
    current = case.given["embedder_model"]
    for row in case.given["episodes_before"]:
        AuditRow.objects.bulk_create(
            [AuditRow(id=row["audit_log_id"], event_type="chat.completed", ts=case.clock, payload={"messages": []})]
        )
        EpisodeSummary.objects.create(
            **{**row, "created_at": cases.moment(row["created_at"])}
            | {"model": fake.MODEL_ID if row["model"] == current else row["model"]}
        )


def turn(case: cases.Case, vector: Sequence[float]) -> chat.Context:
    message = Message(role="user", content="the question")
    with asked("the question", vector):
        context = compose_turn([message], use=ON, now=case.clock, system="x")
        chat.serve(context)
    return context


def check_counts(case: cases.Case) -> None:
    for number, count in case.expect.get("recall_count", {}).items():
        assert EpisodeSummary.objects.get(audit_log_id=number).recall_count == count


@cases.of_kind("embedding")
def test_recall_passes_over_vectors_that_cannot_be_compared(case: cases.Case, configure: Configure) -> None:
    if not isinstance(case.given.get("episodes_before"), list):
        pytest.skip("about the summariser, or another length: covered with them")
    prepare(case, configure)
    queries = [t["query_embedding"] for t in case.given.get("turns", [case.given])]
    surfaced = [[item.audit_log_id for item in turn(case, vector).receipt.episodes] for vector in queries]
    assert surfaced == case.expect.get("surfaced_per_turn", [case.expect.get("surfaced")])
    check_counts(case)
    assert "NaN" not in json.dumps(list(AuditRow.objects.values_list("payload", flat=True)))


@cases.of_kind("ranking")
def test_recall_ranks_by_the_combined_score(case: cases.Case, configure: Configure) -> None:
    if "episodes_before" not in case.given:
        pytest.skip("about facts: covered with the formulas")
    prepare(case, configure)
    served = turn(case, case.given["query_embedding"]).receipt.episodes
    assert [item.audit_log_id for item in served] == case.expect["surfaced_in_order"]
    for item in served:
        assert item.score == pytest.approx(case.expect["scores"][str(item.audit_log_id)], abs=case.expect["tolerance"])
    check_counts(case)
    assert AuditRow.objects.filter(event_type="memory.episode.recalled").count() == len(served)


@cases.of_kind("time")
def test_time_words_go_by_the_operators_day(case: cases.Case, configure: Configure) -> None:
    prepare(case, configure)
    context = turn(case, case.given["query_embedding"])
    when = {item.audit_log_id: item.when for item in context.receipt.episodes}
    for number, words in case.expect["prompt"]["line_for"].items():
        assert when[int(number)] in words["phrase_in"]
    assert case.expect["prompt"]["block_header"] in context.system_prompt.splitlines()

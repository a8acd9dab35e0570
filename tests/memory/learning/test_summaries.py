"""The summarise worker: one episode a chat, whatever the model says (ADR-0034 §2, §6; decisions 7, 11)."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from memory import chat, learning
from memory.events import Message
from memory.learning.answers import summary_text
from memory.learning.answers.summary_text import MAX_SUMMARY_CHARS, parse_summary
from memory.learning.summaries import SUMMARY
from memory.llm import BadAnswer
from memory.models import AuditRow, EpisodeSummary, MemoryRevision, SummariseCursor
from tests import cases
from tests.growth import growth
from tests.memory.llm import scripted_embedder as fake
from tests.memory.llm.scripted import Answer, ScriptedLLM, scripted_llm
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import record_turn

pytestmark = pytest.mark.django_db

SLEEP = "We discussed the operator's trouble sleeping; CAESAR suggested lowering the bedroom thermostat to 65°F."


@contextmanager
def models(
    *answers: Answer, embedder: Sequence[fake.Answer] = (), **options: Any
) -> Iterator[tuple[ScriptedLLM, ScriptedEmbedder]]:
    with scripted_llm(*answers) as llm, scripted_embedder(*embedder, beside=llm, **options) as vectors:
        yield llm, vectors


def run(now: datetime) -> learning.Tally:
    return learning.run(SUMMARY, clock=lambda: now)


def record(*texts: str, now: datetime, reply: str = "Try 65°F.", **options: Any) -> AuditRow:
    messages = [Message(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(texts)]
    use = chat.MemoryUse(learn=options.pop("learn", True))
    return AuditRow.objects.get(pk=record_turn(messages, reply, use=use, now=now, **options).audit_log_id)


def types() -> list[str]:
    rows = AuditRow.objects.exclude(event_type="chat.completed").order_by("id")
    return [row.event_type.removeprefix("memory.episode.") for row in rows]


def test_it_works(now: datetime) -> None:
    row = record("I keep waking up at 3am.", now=now, occurred_at=now - timedelta(days=3))
    with models(SLEEP) as (_, embedder):
        tally = run(now)
    episode = EpisodeSummary.objects.get()
    assert (episode.audit_log_id, episode.summary, episode.model) == (row.pk, SLEEP, fake.MODEL_ID)
    assert episode.created_at == now - timedelta(days=3)
    assert (episode.recall_count, episode.last_recalled_at) == (0, None)
    assert embedder.texts == [SLEEP]
    assert tally.counts == {"summarised": 1}
    audit = AuditRow.objects.get(event_type="memory.episode.summarised")
    assert audit.payload == {"audit_log_id": row.pk, "summary": SLEEP, "model": fake.MODEL_ID}
    assert audit.chat_id == row.pk
    assert SummariseCursor.current().last_audit_id == row.pk


def test_the_model_sees_the_new_exchange_as_new_and_the_rest_as_context(now: datetime) -> None:
    record("a", now=now)
    record("a", "b", "c", now=now, reply="d")
    with models("First.", "Second.") as (llm, _):
        run(now)
    turns = llm.last_document()["conversation"]
    assert [(turn["speaker"], turn["status"], turn["text"]) for turn in turns] == [
        ("operator", "earlier", "a"),
        ("assistant", "earlier", "b"),
        ("operator", "new", "c"),
        ("assistant", "new", "d"),
    ]


def test_a_replay_gets_an_empty_row_without_a_call(now: datetime) -> None:
    record("a", now=now)
    again = record("a", now=now)
    with models(SLEEP):
        run(now)
    assert EpisodeSummary.objects.get(audit_log=again).summary == ""
    skipped = AuditRow.objects.get(event_type="memory.episode.summarise_skipped")
    assert skipped.payload == {"audit_log_id": again.pk, "reason": "replay"}


def test_a_chat_kept_out_of_memory_gets_no_row(now: datetime) -> None:
    row = record("a", now=now, learn=False)
    with models():
        run(now)
    assert not EpisodeSummary.objects.exists()
    assert SummariseCursor.current().last_audit_id == row.pk


@pytest.mark.parametrize("answer", ["NONE", "none.", "", '""', "(empty)", "N/A"])
def test_a_trivial_chat_gets_an_empty_row_and_is_not_embedded(now: datetime, answer: str) -> None:
    record("what time is it?", now=now)
    with models(answer) as (_, embedder):
        run(now)
    assert EpisodeSummary.objects.get().summary == ""
    assert embedder.texts == []
    assert types() == ["summarise_skipped"]


@pytest.mark.parametrize(
    ("answer", "summary"),
    [
        (f"<think>Third person.</think>\n\n{SLEEP}", SLEEP),
        (f'"{SLEEP}"', SLEEP),
        (f"Summary: {SLEEP}", SLEEP),
        (f"```\n{SLEEP}\n```", SLEEP),
        ("We spoke\nof two\r\nthings.", "We spoke of two things."),
    ],
)
def test_a_summary_is_one_clean_line(answer: str, summary: str) -> None:
    assert parse_summary(answer) == summary


def test_a_summary_is_a_sentence_or_two_and_no_essay() -> None:
    assert len(parse_summary("word " * 1000)) <= MAX_SUMMARY_CHARS


def test_the_answer_is_compared_with_many_turns_in_little_time() -> None:
    answer = "word " * 20_000

    def read(turns: range) -> None:
        summary_text.parse_summary(answer, turn_texts=frozenset(map(str, turns)))

    assert growth(read, range, size=500, at_most=2.0) <= 2.0


@pytest.mark.parametrize(
    "answer",
    ["I keep waking up at  3AM.", "<think>only this", "<think>only this</think>", "Their card is 4111 1111 1111 1111."],
)
def test_what_is_no_summary_is_a_failure(now: datetime, answer: str) -> None:
    record("I keep waking up at 3am.", now=now)
    with models(answer):
        run(now)
    assert types() == ["summarise_failed"]
    assert not EpisodeSummary.objects.exists()


def down() -> httpx.Response:
    return httpx.Response(500, text="no")


def test_a_failure_is_recorded_and_passed(now: datetime) -> None:
    failed, fine = record("a", now=now), record("b", now=now)
    with models(down(), SLEEP):
        tally = run(now)
    assert (tally.rows_failed, tally.rows_ok, tally.state) == (1, 1, "done")
    assert SummariseCursor.current().last_audit_id == fine.pk
    assert types() == ["summarise_failed", "summarised"]
    audit = AuditRow.objects.get(event_type="memory.episode.summarise_failed")
    assert (audit.chat_id, audit.payload["kind"]) == (failed.pk, "ServerFault")
    assert list(SUMMARY.abandoned_chats()) == [failed]


def test_failed_summaries_are_done_again_when_asked(now: datetime) -> None:
    failed = record("a", now=now)
    with models(down()):
        run(now)
    assert learning.retry_all(SUMMARY, now=now) == 1
    with models(SLEEP):
        run(now)
    assert EpisodeSummary.objects.get().audit_log_id == failed.pk
    assert types() == ["summarise_failed", "summarise_asked", "summarised"]
    assert not SUMMARY.abandoned_chats().exists()


def test_a_chat_is_summed_up_once_however_often_it_runs(now: datetime) -> None:
    row = record("a", now=now)
    with models(SLEEP):
        run(now)
    SummariseCursor.objects.update(last_audit_id=0)
    with models("Another summary."):
        run(now)
    assert EpisodeSummary.objects.get(audit_log=row).summary == SLEEP
    assert types() == ["summarised"]


def test_an_episode_is_not_paid_for_again_when_the_cursor_is_set_back(now: datetime) -> None:
    record("a", now=now)
    with models(SLEEP):
        run(now)
    SummariseCursor.objects.update(last_audit_id=0)
    with models() as (llm, embedder):
        tally = run(now)
    assert (llm.requests, embedder.texts) == ([], [])
    assert (tally.rows_ok, types()) == (1, ["summarised"])


def test_a_new_episode_is_news_for_every_process(now: datetime) -> None:
    before = MemoryRevision.current().episodes_added
    record("a", now=now)
    with models(SLEEP):
        run(now)
    assert MemoryRevision.current().episodes_added == before + 1


def test_a_deleted_episode_stays_as_an_empty_row(now: datetime) -> None:
    row = record("a", now=now)
    with models(SLEEP):
        run(now)
    episode = EpisodeSummary.objects.get()
    before = MemoryRevision.current().episodes_changed
    assert episode.forget(now=now) is not None
    assert episode.forget(now=now) is None
    episode.refresh_from_db()
    assert (episode.summary, episode.embedding) == ("", [])
    assert MemoryRevision.current().episodes_changed == before + 1
    assert types() == ["summarised", "user_deleted"]
    assert AuditRow.objects.get(event_type="memory.episode.user_deleted").payload["audit_log_id"] == row.pk
    SummariseCursor.objects.update(last_audit_id=0)
    with models(SLEEP):
        run(now)
    assert EpisodeSummary.objects.get().summary == ""


def test_without_a_model_the_offline_summary_does(now: datetime) -> None:
    record("I've been struggling with sleep.", now=now, reply="Lower the thermostat.")
    with scripted_embedder():
        run(now)
    summary = EpisodeSummary.objects.get().summary
    assert "sleep" in summary
    assert "thermostat" in summary


def test_read_summary_needs_words_of_its_own() -> None:
    with pytest.raises(BadAnswer):
        parse_summary("Just what was said.", turn_texts=frozenset({"just what  was said."}))


# --- the case files -------------------------------------------------------------------------------------------------


def answers_of(given: dict[str, Any]) -> list[Answer]:
    if "http" in given:
        http = given["http"]
        return [httpx.Response(http["status"], headers=http["headers"], text=http["body"])] * 2
    return [*given.get("completions", [given.get("completion")])]


def embedder_of(given: dict[str, Any]) -> dict[str, Any]:
    if "embedder_http" in given:
        scripted = [
            httpx.Response(http["status"], headers=http["headers"], text=http["body"])
            for http in given["embedder_http"]
        ]
        return {"embedder": scripted, "provider": "ollama"}
    if "embedding" in given and "completion" in given:
        return {"table": dict.fromkeys([given["completion"].split("\n")[-1]], given["embedding"])}
    return {}


def check_each(case: cases.Case) -> None:
    """What became of each chat: its episode, or a failure."""
    for row, wanted in case.expect["per_row"].items():
        episode = EpisodeSummary.objects.filter(audit_log_id=int(row)).first()
        if wanted == "failed or skipped, never an episode":
            kinds = list(AuditRow.objects.filter(chat_id=int(row)).values_list("event_type", flat=True))
            assert kinds == ["memory.episode.summarise_failed"]
            assert episode is None
        else:
            assert episode is not None
            assert episode.summary == wanted


def check(case: cases.Case, embedder: ScriptedEmbedder, before: int) -> None:
    if "per_row" in case.expect:
        check_each(case)
        return
    expect, rows = case.expect, cases.new_rows(before)
    assert SummariseCursor.current().last_audit_id == expect["cursor"]
    assert [row.event_type for row in rows] == [wanted["event_type"] for wanted in expect["audit"]]
    for row, wanted in zip(rows, expect["audit"], strict=True):
        payload = json.dumps(row.payload, ensure_ascii=False)
        assert all(part in payload for part in map(str, wanted.get("payload_contains", [])) if part != "embed-small")
    for wanted in expect.get("episodes", []):
        episode = EpisodeSummary.objects.get(audit_log_id=wanted["audit_log_id"])
        assert episode.summary == wanted.get("summary", episode.summary)
        assert episode.embedding == wanted.get("embedding", episode.embedding)
    stored = " ".join(EpisodeSummary.objects.values_list("summary", flat=True))
    assert not [words for words in expect.get("never_stored_as_summary", []) if words in stored]
    assert EpisodeSummary.objects.exclude(summary="").count() == expect.get(
        "episodes_with_text", EpisodeSummary.objects.exclude(summary="").count()
    )
    assert len(embedder.texts) == expect.get("embed_calls", len(embedder.texts))
    assert expect.get("embed_input") in (None, *embedder.texts)


@cases.of_kind("summarise_output")
def test_the_case_files(case: cases.Case) -> None:
    _through_the_worker(case)


@cases.of_kind("embedding")
def test_the_embedder_cases(case: cases.Case) -> None:
    if "audit_before" not in case.given:
        pytest.skip("about recall: covered with it")
    _through_the_worker(case)


def _through_the_worker(case: cases.Case) -> None:
    cases.prepare(case, cursor=SummariseCursor)
    before = cases.last_row_id()
    with models(*answers_of(case.given), **embedder_of(case.given)) as (_, embedder):
        while run(case.clock).state == "full":
            pass
    check(case, embedder, before)

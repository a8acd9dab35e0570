"""A chat's page: what was learned marked where it was said, what failed and can be asked for again, its episode."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory import events
from memory.events import Message
from memory.models import AskAgain, AuditRow, EpisodeSummary, ExtractCursor, LearningSwitch, SummariseCursor
from memory.models.episodes import Embedded
from tests.dashboard.helpers import (
    HEAD_QUERIES,
    event_types,
    find_elements,
    get_page,
    learn_fact,
    newest_row_id,
    record_chat,
    visible_text,
)
from tests.turns import record_turn

pytestmark = pytest.mark.django_db


def show(row: AuditRow) -> str:
    return f"/dashboard/audit/{row.pk}"


def summed_up(row: AuditRow, summary: str, *, now: datetime) -> EpisodeSummary:
    assert EpisodeSummary.objects.summarise(row, summary, Embedded([1.0, 0.0], "m"), now=now)
    return EpisodeSummary.objects.get(audit_log=row)


def given_up(row: AuditRow, *, now: datetime) -> None:
    AuditRow.objects.record(
        events.ExtractAbandoned(error="Not JSON.", attempts=5, reason="bad_answer"), now=now, chat=row
    )
    ExtractCursor.objects.update_or_create(pk=1, defaults={"last_audit_id": row.pk})


def not_summed_up(row: AuditRow, *, now: datetime) -> None:
    AuditRow.objects.record(events.EpisodeFailed(audit_log_id=row.pk, error="Out.", kind="x"), now=now, chat=row)
    SummariseCursor.objects.update_or_create(pk=1, defaults={"last_audit_id": row.pk})


def test_it_works(operator: Client, now: datetime) -> None:
    row = record_chat("Still in Portland, so the nights are mild.", now=now, reply="Portland is mild.")
    learn_fact("address.city", "Portland", now=now, source=row)
    learn_fact("season.liked", "autumn", now=now, source=row)
    summed_up(row, "The operator likes mild nights.", now=now)
    response = get_page(operator, show(row))
    text = visible_text(response)
    assert "Still in Portland taught: You live in Portland. 1 , so the nights are mild." in text
    assert len(find_elements(response, "mark")) == 1, "in the operator's words, not in the reply"
    assert "1 Learned You live in Portland. from the words marked 1 above" in text
    assert "season.liked: autumn Summed up “The operator likes mild nights.”" in text, "what was worked out has no mark"
    assert "Not put into any prompt so far." in text


def test_what_was_said_earlier_is_not_marked(operator: Client, now: datetime) -> None:
    record_chat("I live in Portland.", now=now)
    earlier = [Message(role="user", content="I live in Portland."), Message(role="assistant", content="Portland!")]
    said = [*earlier, Message(role="user", content="Yes, <b>Portland</b>.\nPORTLAND")]
    recorded = record_turn(said, "ok", now=now)
    row = AuditRow.objects.get(pk=recorded.audit_log_id)
    learn_fact("address.city", "Portland", now=now, source=row)
    response = get_page(operator, show(row))
    assert len(find_elements(response, "mark")) == 2
    assert not find_elements(response, "b")


def test_a_chat_that_was_given_up_is_read_again(operator: Client, now: datetime) -> None:
    row = record_chat("hello", now=now)
    given_up(row, now=now)
    address = f"{show(row)}/again/extract"
    response = get_page(operator, show(row))
    assert [form["action"] for form in find_elements(response, "form", class_="again")] == [address]
    assert f"Read again : chat {row.pk}" in visible_text(response)
    before = newest_row_id()
    after = operator.post(address, follow=True)
    assert after.redirect_chain == [(show(row), 302)]
    assert f"Chat {row.pk} will be read again." in visible_text(after)
    assert AskAgain.objects.filter(job="memory.extract", chat=row).count() == 1
    assert ExtractCursor.current().nudged
    assert "It will be read again: it waits for its worker" in visible_text(after)
    assert not find_elements(after, "form", class_="again"), "asked once is asked"
    assert operator.post(address).status_code == 302, "and twice is no error"
    assert AskAgain.objects.count() == 1
    assert event_types(after=before) == ["memory.fact.extract_asked"], (
        "once; the worker's own row says what became of it"
    )


def test_a_summary_that_failed_is_made_again(operator: Client, now: datetime) -> None:
    row = record_chat("hello", now=now)
    not_summed_up(row, now=now)
    response = get_page(operator, show(row))
    assert f"Sum up again : chat {row.pk}" in visible_text(response)
    after = operator.post(f"{show(row)}/again/summarise", follow=True)
    assert f"Chat {row.pk} will be summed up again." in visible_text(after)
    assert AskAgain.objects.filter(job="memory.summarise", chat=row).exists()
    assert SummariseCursor.current().nudged


def test_what_was_done_since_is_not_offered(operator: Client, now: datetime) -> None:
    row = record_chat("hello", now=now)
    given_up(row, now=now)
    not_summed_up(row, now=now)
    AuditRow.objects.record(events.ExtractRecovered(), now=now, chat=row)
    summed_up(row, "We met.", now=now)
    response = get_page(operator, show(row))
    assert [form["action"] for form in find_elements(response, "form", class_="again")] == [
        f"{show(row)}/forget-episode"
    ]
    for name in ("extract", "summarise"):
        refused = operator.post(f"{show(row)}/again/{name}")
        assert refused.status_code == 409
        assert "has not failed, or was done meanwhile" in visible_text(refused)
    assert not AskAgain.objects.exists()


def test_while_learning_is_paused_one_may_ask_and_is_told(operator: Client, now: datetime) -> None:
    row = record_chat("hello", now=now)
    assert "It has not been read yet." in visible_text(get_page(operator, show(row)))
    LearningSwitch.pause(now=now)
    assert "you paused learning" in visible_text(get_page(operator, show(row)))
    given_up(row, now=now)
    after = operator.post(f"{show(row)}/again/extract", follow=True)
    assert "It waits until you resume learning." in visible_text(after)
    assert "as soon as you resume learning" in visible_text(after)


def test_an_episode_is_deleted_with_one_row(operator: Client, now: datetime) -> None:
    row = record_chat("hello", now=now)
    summed_up(row, "We met <i>at noon</i>.", now=now)
    address = f"{show(row)}/forget-episode"
    response = get_page(operator, show(row))
    assert find_elements(response, "form", method="post", action=address)
    assert f"Delete the episode of chat {row.pk}" in visible_text(response)
    assert "You can undo that until the chat is swept" in visible_text(response)
    before = newest_row_id()
    after = operator.post(address, follow=True)
    assert after.redirect_chain == [(show(row), 302)]
    assert event_types(after=before) == ["memory.episode.user_deleted"]
    assert EpisodeSummary.objects.get(audit_log=row).summary == ""
    assert not find_elements(after, "form", action=address)
    text = visible_text(get_page(operator, "/dashboard/audit"))
    assert f"You deleted an episode “We met <i>at noon</i>.” of chat {row.pk}" in text, "what it said stays there"
    gone = operator.post(address)
    assert gone.status_code == 404
    assert event_types(after=before) == ["memory.episode.user_deleted"]


def test_an_episode_says_which_turns_it_was_put_into(operator: Client, now: datetime) -> None:
    row = record_chat("I sleep badly.", now=now - timedelta(days=3))
    episode = summed_up(row, "We met.", now=now)
    for number in range(7):
        AuditRow.objects.record(
            events.EpisodeRecalled(
                audit_log_id=row.pk, summary="We met.", cosine=0.6, freshness=0.9, recall_weight=1.0, score=0.54
            ),
            now=now,
            decision_id=f"t{number}",
            chat=row,
        )
        EpisodeSummary.objects.bump([episode.pk], now=now)
    turn = record_chat("I tried it.", now=now, decision_id="t6")
    text = visible_text(get_page(operator, show(row)))
    assert "Put into a prompt 7 times, last today ." in text
    assert f"What chat {turn.pk} was given today 0.54 = 0.60 × 0.90 × 1.00" in text
    assert text.count("Recalled") + text.count("was given") == 5, "the newest ones"
    assert "Recalled" not in text.partition("What came of it")[2].partition("Its summary since")[0]


def test_the_verbs_take_posts_alone_with_their_token(operator: Client, now: datetime) -> None:
    row = record_chat("hello", now=now)
    given_up(row, now=now)
    guarded = Client(enforce_csrf_checks=True)
    guarded.cookies = operator.cookies
    for address in (f"{show(row)}/again/extract", f"{show(row)}/forget-episode"):
        assert operator.get(address).status_code == 405
        assert guarded.post(address).status_code == 403
        assert Client().post(address).status_code == 302
    assert operator.post(f"{show(row)}/again/nonsense").status_code == 404
    assert operator.post("/dashboard/audit/999999/again/extract").status_code == 409
    assert not AskAgain.objects.exists()


def full_receipt(source: AuditRow) -> events.ContextServed:
    """A receipt with facts, an episode and near misses, all of them from this chat."""
    return events.ContextServed(
        block="What you've told me:\n  - <b>Beans</b>.\n",
        facts=[
            events.ServedFact(
                key=f"note.{number}",
                sentence="Beans.",
                importance=1.8,
                freshness=0.9,
                confidence=1.0,
                edit_weight=2.0,
                edit_count=2,
            )
            for number in range(7)
        ],
        episodes=[
            events.ServedEpisode(
                audit_log_id=source.pk,
                summary="We met.",
                when="3 days ago",
                cosine=0.58,
                freshness=0.9,
                recall_weight=1.0,
                score=0.522,
            )
        ],
        near_misses=[
            events.NearMiss(
                audit_log_id=source.pk, summary="Far.", reason="below_threshold", cosine=0.31, short_by=0.14
            ),
            events.NearMiss(audit_log_id=source.pk, summary="Old.", reason="too_old"),
        ],
    )


def test_a_receipt_says_what_each_score_is_made_of(operator: Client, now: datetime) -> None:
    source = record_chat("I sleep badly.", now=now)
    AuditRow.objects.record(full_receipt(source), now=now, decision_id="t1")
    row = record_chat("I tried it.", now=now, decision_id="t1")
    response = get_page(operator, show(row))
    text = visible_text(response)
    assert "close in meaning, recent chat" in text
    assert "note.0 0.90 fresh × 1.00 sure × 2 edited twice 1.80" in text
    assert f"“Far.” not near enough by 0.14 chat {source.pk} similarity 0.31 < 0.45" in text
    assert "Left out" in text
    assert f"“Old.” too old chat {source.pk}" in text
    assert "1 conversation and 7 facts went in; 1 just missed, by 0.14." in text
    assert "- <b>Beans</b>." in text
    assert not find_elements(response, "b")


def test_a_dozen_queries_are_enough(operator: Client, now: datetime) -> None:
    row = record_chat("I sleep badly.", now=now, decision_id="t1")
    AuditRow.objects.record(events.ContextServed(block="b"), now=now, decision_id="t1")
    for number in range(120):
        learn_fact(f"note.{number}", "sleep", now=now, source=row)
    episode = summed_up(row, "We met.", now=now)
    AuditRow.objects.record(
        events.EpisodeRecalled(audit_log_id=row.pk, summary="s", cosine=1, freshness=1, recall_weight=1, score=1),
        now=now,
        decision_id="t2",
        chat=row,
    )
    EpisodeSummary.objects.bump([episode.pk], now=now)
    other = record_chat("hello", now=now, decision_id="t3")
    given_up(other, now=now)
    not_summed_up(other, now=now)
    for each in (row, other, record_chat("nothing came of it", now=now)):
        with CaptureQueriesContext(connection) as queries:
            get_page(operator, show(each))
        assert len(queries) <= 12 + HEAD_QUERIES, [query["sql"][:80] for query in queries]


def test_a_receipt_says_what_brought_each_fact_in(operator: Client, now: datetime) -> None:
    source = record_chat("I sleep badly.", now=now)
    plain = full_receipt(source)
    by_message = plain.facts[6].model_copy(
        update={
            "by": "message",
            "relevance": events.FactRelevance(score=1.3, meaning=0.8, words=0.5, cosine=0.41),
        }
    )
    words_alone = plain.facts[5].model_copy(
        update={"by": "message", "relevance": events.FactRelevance(score=0.5, meaning=0.0, words=0.5)}
    )
    mixed = plain.model_copy(
        update={
            "selection": "mixed",
            "words_alone": "1 fact was not embedded in time",
            "facts": [*plain.facts[:5], words_alone, by_message],
        }
    )
    AuditRow.objects.record(mixed, now=now, decision_id="t1")
    text = visible_text(get_page(operator, show(record_chat("I tried it.", now=now, decision_id="t1"))))
    assert "note.0 0.90 fresh × 1.00 sure × 2 edited twice · by importance 1.80" in text
    assert "× 2 edited twice · by the message: 0.50 words 1.80" in text
    assert "· by the message: 0.80 meaning (0.41 similar) + 0.50 words 1.80" in text
    assert "By the message's words alone: 1 fact was not embedded in time." in text
    assert "7 facts By the message" in text
    AuditRow.objects.record(plain, now=now, decision_id="t2")
    text = visible_text(get_page(operator, show(record_chat("And then.", now=now, decision_id="t2"))))
    assert "7 facts, by importance Beans." in text
    assert "· by importance" not in text

"""The operator's buttons: have a chat read again, or skip it."""

import json

import pytest

from memory import learning
from memory.learning.extraction import EXTRACTION
from memory.models import AskAgain, AuditRow, PersonalFact
from tests.conftest import Configure
from tests.memory.learning.loop_helpers import BAD, Clock, cursor, event_types, fruit, record_chat, run, unavailable

pytestmark = pytest.mark.django_db


def give_up(clock: Clock, configure: Configure) -> int:
    configure(memory__facts_extract__max_attempts=1)
    stuck = record_chat("I like quinces.", now=clock.now)
    run(clock, BAD)
    return stuck


def test_a_chat_given_up_is_read_again_when_asked(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    tally, llm = run(clock, fruit("quinces"))
    assert (tally.rows_ok, len(llm.requests)) == (1, 1)
    assert PersonalFact.objects.get().source_audit_id == stuck
    assert event_types() == ["extract_failed", "extract_abandoned", "extract_asked", "extract_recovered", "added"]
    assert not AskAgain.objects.exists()
    assert not EXTRACTION.abandoned_chats().exists()


def test_a_chat_that_fails_again_is_given_up_again(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    assert learning.retry_all(EXTRACTION, now=clock.now) == 1
    run(clock, BAD)
    assert event_types().count("extract_abandoned") == 2
    assert list(EXTRACTION.abandoned_chats()) == [AuditRow.objects.get(pk=stuck)]


def test_a_wish_survives_an_outage(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    run(clock, unavailable(), unavailable())
    assert AskAgain.objects.exists()
    _, llm = run(clock)
    assert llm.requests == []
    clock.forward(minutes=1)
    assert run(clock, fruit("quinces"))[0].rows_ok == 1


def test_evidence_read_late_does_not_override_what_is_newer(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    clock.forward(days=1)
    record_chat("I like quinces most.", now=clock.now)
    run(clock, json.dumps([{"key": "fruit.quinces", "value": "most", "confidence": 1}]))
    learning.retry(EXTRACTION, stuck, now=clock.now)
    tally, _ = run(clock, fruit("quinces"))
    assert tally.counts == {"ignored": 1}
    assert PersonalFact.objects.get().value == "most"


def test_a_stuck_chat_is_tried_at_once_when_asked(clock: Clock) -> None:
    stuck = record_chat("I like figs.", now=clock.now)
    run(clock, unavailable(), unavailable())
    assert run(clock)[0].state == "paused"
    learning.retry(EXTRACTION, stuck, now=clock.now)
    assert run(clock, fruit("figs"))[0].rows_ok == 1


def test_a_stuck_chat_is_skipped_when_asked(clock: Clock) -> None:
    stuck = record_chat("I like figs.", now=clock.now)
    run(clock, BAD)
    learning.skip(EXTRACTION, stuck, now=clock.now)
    assert cursor().last_audit_id == stuck
    assert AuditRow.objects.get(event_type="memory.fact.extract_abandoned").payload["reason"] == "skipped"


def test_what_is_not_stuck_is_neither_retried_nor_skipped(clock: Clock) -> None:
    done = record_chat("I like figs.", now=clock.now)
    run(clock, fruit("figs"))
    with pytest.raises(learning.NothingToRetry, match=f"#{done}"):
        learning.retry(EXTRACTION, done, now=clock.now)
    with pytest.raises(learning.NothingToRetry):
        learning.skip(EXTRACTION, done, now=clock.now)


def test_a_wish_that_cannot_be_done_keeps_no_chat_from_being_read(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    record_chat("I like plums.", now=clock.now)
    tally, _ = run(clock, fruit("plums"), unavailable(), unavailable())
    assert tally.rows_ok == 1
    for _ in range(40):
        clock.forward(minutes=30)
        run(clock, unavailable(), unavailable())
    assert not AskAgain.objects.exists()
    assert list(EXTRACTION.abandoned_chats().values_list("pk", flat=True)) == [stuck]


def test_a_wish_can_be_taken_back(clock: Clock, configure: Configure) -> None:
    stuck = give_up(clock, configure)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    learning.skip(EXTRACTION, stuck, now=clock.now)
    _, llm = run(clock)
    assert llm.requests == []
    asked, taken_back = AuditRow.objects.order_by("id")[3:]
    assert (asked.event_type, asked.chat_id) == ("memory.fact.extract_asked", stuck)
    assert (taken_back.event_type, taken_back.chat_id) == ("memory.fact.extract_abandoned", stuck)
    assert taken_back.payload["reason"] == "skipped"


@pytest.mark.parametrize("chat_id", [2**63, 10**30])
def test_a_number_beyond_every_id_is_no_chat(clock: Clock, chat_id: int) -> None:
    for ask in (learning.retry, learning.skip):
        with pytest.raises(learning.NothingToRetry, match=str(chat_id)):
            ask(EXTRACTION, chat_id, now=clock.now)


def test_each_wish_leaves_one_row_and_asking_twice_none(clock: Clock, configure: Configure) -> None:
    first = give_up(clock, configure)
    second = record_chat("I like pears.", now=clock.now)
    run(clock, BAD)
    learning.retry(EXTRACTION, first, now=clock.now)
    assert learning.retry_all(EXTRACTION, now=clock.now) == 2
    assert learning.retry_all(EXTRACTION, now=clock.now) == 2
    rows = AuditRow.objects.filter(event_type="memory.fact.extract_asked").order_by("id")
    assert [(row.chat_id, row.payload["given_up"]) for row in rows] == [(first, True), (second, True)]
    assert AskAgain.objects.count() == 2


def test_a_stuck_chat_tried_at_once_leaves_one_row(clock: Clock) -> None:
    stuck = record_chat("I like figs.", now=clock.now)
    run(clock, unavailable(), unavailable())
    learning.retry(EXTRACTION, stuck, now=clock.now)
    learning.retry(EXTRACTION, stuck, now=clock.now)
    row = AuditRow.objects.get(event_type="memory.fact.extract_asked")
    assert (row.chat_id, row.payload["given_up"]) == (stuck, False)

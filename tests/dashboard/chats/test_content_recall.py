"""The receipt of recall by content (mode `hybrid`): its own parts, and never the formula of the records."""

from datetime import datetime

import pytest
from django.test import Client

from memory import events
from memory.models import AuditRow, EpisodeSummary, EpisodeUnits
from memory.recall.hybrid import scoring
from memory.units import ChatWindows, SpokenTurn, units_of
from tests.dashboard.content_receipts import closed_receipt, content_receipt
from tests.dashboard.helpers import find_elements, get_page, record_chat, visible_text

pytestmark = pytest.mark.django_db

WHY = "“We met.” closest in meaning, has your words, from the month you named"
PARTS = "meaning 1.00 · words 0.80 · conversation 0.60 · pairs 0.40 · day 0.00 · month 0.25 · recency 0.90"


def shown(client: Client, receipt: events.ContextServed, *, now: datetime) -> str:
    """The receipt on the page of its chat."""
    AuditRow.objects.record(receipt, now=now, decision_id="t1")
    row = record_chat("I tried it.", now=now, decision_id="t1")
    text = visible_text(get_page(client, f"/dashboard/audit/{row.pk}"))
    return text[text.index("What memory put in") :].split("Conversation You")[0]


@pytest.fixture
def source(now: datetime, db: None) -> AuditRow:
    return record_chat("I sleep badly.", now=now)


def test_a_receipt_says_what_each_score_is_made_of(operator: Client, source: AuditRow, now: datetime) -> None:
    text = shown(operator, content_receipt(source), now=now)
    assert f"{WHY} chat {source.pk} , 3 days ago · {PARTS}" in text
    assert f"“We parted.” chosen by its meaning chat {source.pk} , 3 days ago · {PARTS}" in text
    assert f"“Behind.” near enough, behind the best 2 by 1.40 chat {source.pk} · {PARTS} score 0.77 < 2.17" in text
    for words in ("similar ×", "fresh ×", "× 1.00", "recalled", "0.58"):
        assert words not in text


def test_its_head_says_how_the_message_was_searched_for(operator: Client, source: AuditRow, now: datetime) -> None:
    text = shown(operator, content_receipt(source), now=now)
    assert (
        "Mode hybrid : found by what was said. The nearest conversation reached 0.31 of 0.12 , which is enough." in text
    )
    assert "Of each part, 1.00 is the best for this message." in text


def test_the_formula_is_the_one_that_scores(operator: Client, source: AuditRow, now: datetime) -> None:
    formula = (
        f"Score = meaning + 0.50 × ({scoring.WORDS:g} words + {scoring.CONVERSATION:g} conversation + "
        f"{scoring.PAIRS:g} pairs) + {scoring.DAY:g} day + month + {scoring.RECENCY:g} recency."
    )
    assert scoring.MONTH == 1
    assert formula in shown(operator, content_receipt(source), now=now)


@pytest.mark.parametrize(
    ("coverage", "weight", "words"),
    [
        (0.16, 0.0, "Few of your words occur together in one chat (16 %): by meaning."),
        (0.275, 0.5, "Some of your words occur together in one chat (28 %): words count 0.50 of their weight, and a "),
        (0.62, 1.0, "Your words occur together in one chat (62 %): by meaning and words."),
    ],
)
def test_it_says_what_the_words_counted_for(
    operator: Client, source: AuditRow, now: datetime, coverage: float, weight: float, words: str
) -> None:
    assert words in shown(operator, content_receipt(source, coverage=coverage, word_weight=weight), now=now)


@pytest.mark.parametrize(("gate", "reached"), [(0.08, "0.08 of 0.12"), (0.1187, "0.1187 of 0.1200")])
def test_where_nothing_was_near_enough_it_says_so(
    operator: Client, source: AuditRow, now: datetime, gate: float, reached: str
) -> None:
    text = shown(operator, closed_receipt(source, gate=gate), now=now)
    assert f"The nearest conversation reached {reached} : nothing was near enough to the message." in text
    assert f"“Far.” nothing was near enough to the message: reached {reached} chat {source.pk} · {PARTS}" in text
    assert f"Nothing went in; no conversation was near enough, the nearest reached {reached}." in text
    assert "0.20 <" not in text


def test_where_there_was_nothing_to_search_it_says_so(operator: Client, source: AuditRow, now: datetime) -> None:
    text = shown(operator, events.ContextServed(content_recall=events.ContentRecall()), now=now)
    assert "Mode hybrid : found by what was said. There was nothing to search." in text
    assert "Score =" not in text


def test_the_page_of_a_receipt_shows_the_same(operator: Client, source: AuditRow, now: datetime) -> None:
    row = AuditRow.objects.record(content_receipt(source), now=now)
    text = visible_text(get_page(operator, f"/dashboard/audit/{row.pk}"))
    assert f"{WHY} chat {source.pk} , 3 days ago · {PARTS}" in text
    assert "The nearest conversation reached 0.31 of 0.12" in text


def test_a_chat_found_without_a_summary_can_be_deleted(operator: Client, source: AuditRow, now: datetime) -> None:
    said = ChatWindows([SpokenTurn(True, "I sleep badly.", True)], 0, [])
    units = units_of(said, conversation=source.pk, model="m", vectors=None)
    EpisodeSummary.objects.skip(source, reason="trivial", units=units, now=now)
    address = f"/dashboard/audit/{source.pk}/forget-episode"
    assert find_elements(get_page(operator, f"/dashboard/audit/{source.pk}"), "form", action=address)
    after = operator.post(address, follow=True)
    assert not find_elements(after, "form", action=address)
    assert not EpisodeUnits.objects.exists()

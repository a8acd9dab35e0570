"""What the extractor is asked, and how its answer is read (decisions 5, 6)."""

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import events, learning
from memory.events import Message
from memory.learning import extraction
from memory.learning.document import Document, Turn
from memory.learning.extraction import EXTRACTION
from memory.llm import BadAnswer
from memory.models import AuditRow, PersonalFact
from memory.text import lines
from tests.conftest import Configure
from tests.memory.llm.scripted import scripted_llm
from tests.turns import record_turn


def document(row: AuditRow) -> dict[str, object]:
    question = EXTRACTION.prepare(row)
    assert question is not None
    parsed: dict[str, object] = json.loads(str(question.messages[-1].content))
    return parsed


def record(messages: list[Message], now: datetime) -> AuditRow:
    return AuditRow.objects.get(pk=record_turn(messages, "the reply", now=now).audit_log_id)


@pytest.mark.django_db
def test_it_works(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    row = record([Message(role="user", content="He is called Bowser now.")], now)
    assert document(row) == {
        "today": "2026-05-20",
        "known_keys": ["dog.name"],
        "conversation": [{"speaker": "operator", "status": "new", "text": "He is called Bowser now."}],
    }


@pytest.mark.django_db
def test_the_reply_system_and_tool_texts_are_not_sent(now: datetime) -> None:
    row = record(
        [
            Message(role="system", content="SYSTEM"),
            Message(role="user", content="first"),
            Message(role="assistant", content="answer"),
            Message(role="tool", content="TOOL"),
            Message(role="user", content="second"),
        ],
        now,
    )
    sent = document(row)["conversation"]
    assert [turn["text"] for turn in sent] == ["first", "answer", "second"]  # type: ignore[index, union-attr]


@pytest.mark.django_db
def test_the_values_of_known_facts_are_not_sent(now: datetime) -> None:
    PersonalFact.objects.add("cat.name", "Pickle", now=now)
    question = EXTRACTION.prepare(record([Message(role="user", content="I like figs.")], now))
    assert question is not None
    assert "Pickle" not in str(question)


@pytest.mark.django_db
def test_today_is_the_chats_day_where_the_operator_lives(now: datetime, configure: Configure) -> None:
    configure(time_zone="Europe/Helsinki")
    event = events.ChatCompleted(
        messages=[Message(role="user", content="hi")], occurred_at=datetime.fromisoformat("2026-05-04T22:30:00Z")
    )
    assert document(AuditRow.objects.record(event, now=now))["today"] == "2026-05-05"


def turns(*pairs: tuple[str, str]) -> list[Turn]:
    return [Turn("operator", status, text) for status, text in pairs]


def fitted(items: list[Turn], max_chars: int) -> dict[str, object]:
    encoded = Document("2026-05-20", [], items).fit(max_chars).text
    assert len(encoded) <= max_chars
    parsed: dict[str, object] = json.loads(encoded)
    return parsed


def texts(parsed: dict[str, object]) -> list[str]:
    return [turn["text"] for turn in parsed["conversation"]]  # type: ignore[attr-defined]


def test_a_short_chat_is_sent_whole() -> None:
    items = turns(("earlier", "a" * 300), ("new", "b" * 300))
    assert texts(fitted(items, 2000)) == ["a" * 300, "b" * 300]


def test_earlier_turns_go_before_new_ones_are_cut() -> None:
    items = turns(*[("earlier", f"{number} " + "old " * 100) for number in range(50)], ("new", "n" * 1500))
    parsed = fitted(items, 3000)
    assert texts(parsed)[-1] == "n" * 1500
    assert "left_out" in parsed


def test_a_giant_message_is_cut_in_the_middle_with_a_mark() -> None:
    items = turns(("new", "My allotment number is 17. " + "lorem " * 100_000 + " Please summarise."), ("new", "short"))
    giant, short = texts(fitted(items, 4000))
    assert short == "short"
    assert giant.startswith("My allotment number is 17.")
    assert giant.endswith("Please summarise.")
    assert lines.CUT_MARK in giant


@given(
    st.lists(st.tuples(st.sampled_from(["new", "earlier"]), st.text(max_size=300)), max_size=60),
    st.integers(min_value=1000, max_value=3000),
)
def test_any_chat_keeps_to_the_bound(pairs: list[tuple[str, str]], max_chars: int) -> None:
    fitted(turns(*pairs), max_chars)


def test_two_thousand_new_messages_keep_to_the_bound() -> None:
    parsed = fitted(turns(*[("new", f'message "{number}"\n' * 20) for number in range(2000)]), 48_000)
    assert "1999" in texts(parsed)[-1]


@pytest.mark.django_db
def test_what_has_no_room_is_told_to_the_operator_too(now: datetime) -> None:
    messages = [Message(role="user", content=f"Message {number}: {'word ' * 30}") for number in range(400)]
    recorded = record_turn(messages, "ok", now=now)
    with scripted_llm('[{"key": "dog.name", "value": "Beans"}]') as llm:
        assert str(learning.run(EXTRACTION, clock=lambda: now)).startswith("1 chats read")
    shown = [turn["text"] for turn in llm.last_document()["conversation"]]
    (row,) = AuditRow.objects.get_queryset().of_type(events.ExtractShortened)
    assert row.chat_id == recorded.audit_log_id
    assert row.payload["unread"] == 400 - len(shown) > 0
    assert shown[-1].startswith("Message 399:")


@pytest.mark.django_db
def test_a_chat_that_is_read_whole_says_nothing_of_it(now: datetime) -> None:
    record_turn([Message(role="user", content="hello " * 20_000)], "ok", now=now)
    with scripted_llm("[]"):
        learning.run(EXTRACTION, clock=lambda: now)
    assert not AuditRow.objects.get_queryset().of_type(events.ExtractShortened).exists()


def test_entries_fall_one_by_one() -> None:
    answer = extraction.parse_answer('[{"key": "a", "value": "b"}, {"key": "c"}, 7]')
    assert [claim.key for claim in answer.claims] == ["a"]
    assert answer.rejected == 2


@pytest.mark.parametrize("answer", ["", "  ", "I found nothing.", '[{"key": "a", "val'])
def test_what_is_no_list_is_a_bad_answer(answer: str) -> None:
    with pytest.raises(BadAnswer):
        extraction.parse_answer(answer)


def test_the_prompt_names_every_speaker_and_status_the_document_uses() -> None:
    for word in ('"operator"', '"new"', "known_keys", "JSON"):
        assert word in extraction.PROMPT

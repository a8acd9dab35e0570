"""Explicit recall: facts, conversations and words of chats, each with its date, its reason and its address."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.chat import MemoryUse
from memory.events import Message
from memory.models import AuditRow, EpisodeSummary, EpisodeUnits, MemoryRevision, PersonalFact
from memory.recall import retrieval
from memory.recall.explicit import KINDS, Found, Kind, SearchResults, search
from tests.conftest import Configure
from tests.content_chats import take_up
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder
from tests.turns import record_turn

pytestmark = pytest.mark.django_db(transaction=True)

ZONE = ZoneInfo("Europe/Brussels")
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def hybrid(configure: Configure, memory_on: None) -> None:
    retrieval.forget()
    configure(semantic__enabled=True, memory__episodes_recall__mode="hybrid")


@pytest.fixture(autouse=True)
def embedder(hybrid: None) -> Iterator[ScriptedEmbedder]:
    with scripted_embedder() as scripted:
        yield scripted


def ask(query: str, now: datetime, **changes: object) -> SearchResults:
    return search(query, **({"now": now, "zone": ZONE} | changes))  # type: ignore[arg-type]


def only(kind: Kind, query: str, now: datetime, **changes: object) -> Sequence[Found]:
    return ask(query, now, kinds=[kind], **changes).found


def test_it_works(now: datetime) -> None:
    fact = PersonalFact.objects.add("home.thermostat", "set to 19 degrees", now=now - DAY)
    episode = take_up("The thermostat man comes on Thursday.", now=now - 2 * DAY)
    take_up("My violin is out of tune.", now=now - DAY)
    found = ask("thermostat on Thursday", now).found
    by_kind = {one.kind: one for one in reversed(found)}
    assert set(by_kind) == set(KINDS)
    assert by_kind["fact"].id == "fact:home.thermostat"
    assert by_kind["fact"].chat_id == fact.source_audit_id
    talk = by_kind["conversation"]
    assert (talk.id, talk.chat_id, talk.when) == (f"episode:{episode.pk}", episode.audit_log_id, now - 2 * DAY)
    assert talk.why.startswith("Says “thermostat” and “Thursday”")
    message = by_kind["message"]
    assert message.id == f"chat:{episode.audit_log_id}"
    assert message.why == "You wrote “thermostat” and “Thursday”"
    assert message.text == "The thermostat man comes on Thursday."


def test_what_a_turn_is_not_given_is_found_all_the_same(now: datetime, configure: Configure) -> None:
    """Neither the gate, nor the window, nor age keeps it back."""
    configure(memory__episodes_recall__gate=1.9, memory__episodes_recall__max_age_days=30)
    episode = take_up("The green lantern is broken.", now=now - 900 * DAY)
    assert [one.id for one in only("conversation", "green lantern", now)] == [f"episode:{episode.pk}"]


def test_in_mode_record_summaries_of_any_age_are_found(now: datetime, configure: Configure) -> None:
    configure(memory__episodes_recall__mode="record", memory__episodes_recall__max_age_days=30)
    episode = take_up("The green lantern is broken.", now=now - 900 * DAY)
    EpisodeUnits.objects.all().delete()
    found = only("conversation", "lantern", now)
    assert [one.id for one in found] == [f"episode:{episode.pk}"]
    assert "lantern" in found[0].why


def test_it_counts_as_no_recall_and_writes_nothing(now: datetime) -> None:
    take_up("The green lantern is broken.", now=now)
    rows = AuditRow.objects.count()
    assert ask("lantern", now).found
    assert AuditRow.objects.count() == rows
    assert EpisodeSummary.objects.get().recall_count == 0


def test_a_date_in_the_question_puts_that_time_first(now: datetime) -> None:
    late = take_up("We spoke of the garden and of garden chairs.", now=now - DAY)
    early = take_up("Plans for the garden.", now=datetime(2025, 5, 9, 12, tzinfo=ZONE))
    results = ask("what about the garden in May 2025?", now, kinds=["conversation"])
    assert [one.id for one in results.found] == [f"episode:{early.pk}", f"episode:{late.pk}"]
    assert results.read_dates == "1 to 31 May 2025"
    assert results.found[0].why.endswith("from 9 May 2025, the time you asked for")


@pytest.mark.parametrize("query", ["yesterday", "gestern", "ayer", "昨日", "what did we talk about yesterday?"])
def test_a_day_alone_brings_what_was_said_on_it(now: datetime, query: str) -> None:
    episode = take_up("The green lantern is broken.", now=now - DAY)
    take_up("My violin is out of tune.", now=now - 9 * DAY)
    assert [one.id for one in only("conversation", query, now)] == [f"episode:{episode.pk}"]


def test_since_and_until_are_whole_local_days(now: datetime) -> None:
    """21:59 UTC is the last minute of 10 May in Brussels, 22:00 the first of the 11th."""
    for minute in (21 * 60 + 59, 22 * 60):
        take_up(
            f"The lantern number {minute}.", now=datetime(2026, 5, 10, tzinfo=now.tzinfo) + timedelta(minutes=minute)
        )
    for kind in ("conversation", "message"):
        ends = only(kind, "lantern", now, until=date(2026, 5, 10))
        begins = only(kind, "lantern", now, since=date(2026, 5, 11))
        assert ["1319" in one.text for one in ends] == [True]
        assert ["1320" in one.text for one in begins] == [True]


def test_facts_that_ended_are_said_to_have(now: datetime) -> None:
    fact = PersonalFact.objects.add("address.city", "Ghent", now=now - 9 * DAY)
    PersonalFact.objects.filter(pk=fact.pk).update(retired_at=now - DAY)
    MemoryRevision.move("facts_changed")
    (found,) = only("fact", "Ghent", now)
    assert found.text == "You live in Ghent. (No longer true since 19 May 2026.)"


def test_what_the_operator_deleted_is_never_found(now: datetime) -> None:
    PersonalFact.objects.add("pet.dog", "Rexford", now=now - DAY).forget(now=now)
    episode = take_up("Rexford chased the green lantern.", now=now - 2 * DAY)
    assert all("Rexford" not in one.text for one in ask("Rexford", now).found)
    episode.forget(now=now)
    assert ask("green lantern", now).found == []


def test_a_corrected_value_is_told_with_its_correction(now: datetime) -> None:
    fact = PersonalFact.objects.add("address.city", "Ghent in Belgium", now=now - 9 * DAY)
    take_up("I have lived in Ghent in Belgium for years.", now=now - 8 * DAY)
    fact.edit("Bruges", now=now)
    for one in ask("lived in Ghent", now, kinds=["conversation", "message"]).found:
        assert one.text.endswith("[Since corrected: address.city is now “Bruges”]")


def test_chats_that_nothing_may_be_learned_from_are_not_found(now: datetime) -> None:
    record_turn(
        [Message(role="user", content="The lantern is a secret.")], "I see.", now=now, use=MemoryUse(learn=False)
    )
    assert ask("lantern", now).found == []


def test_the_words_of_a_chat_need_no_episode(now: datetime) -> None:
    said = [Message(role="user", content="恒温器坏了, and the thermostat too.")]
    row = record_turn(said, "I see.", now=now)
    for query in ("恒温器", "thermostat", "“the thermostat”"):
        assert [one.chat_id for one in only("message", query, now)] == [row.audit_log_id]


def test_all_words_together_come_before_some(now: datetime) -> None:
    both = record_turn([Message(role="user", content="The lantern in the hall.")], "Yes.", now=now - DAY)
    one = record_turn([Message(role="user", content="The lantern.")], "Yes.", now=now)
    assert [hit.chat_id for hit in only("message", "lantern hall", now)] == [both.audit_log_id, one.audit_log_id]


def test_without_an_embedder_words_find(now: datetime, configure: Configure) -> None:
    PersonalFact.objects.add("home.lantern", "green", now=now)
    take_up("The green lantern is broken.", now=now)
    configure(semantic__enabled=False)
    results = ask("lantern", now)
    assert {one.kind for one in results.found} == set(KINDS)
    assert results.mode == "words"
    assert list(results.notes) == ["Found by words alone: switched off: CAESAR_SEMANTIC__ENABLED."]


def test_vectors_of_another_embedder_leave_it_to_the_words(now: datetime) -> None:
    take_up("The green lantern is broken.", now=now)
    EpisodeUnits.objects.update(model="another")
    retrieval.forget()
    (found,) = only("conversation", "lantern", now)
    assert "meaning" not in found.why


ODD = [
    "",
    " ",
    "a",
    "?",
    "\0",
    "\ud800",
    "🐕",
    '"',
    "AND OR NOT",
    "a* -b NEAR(c)",
    "(",
    "x" * 100_000,
    "the of and",
    "'; --",
]


@pytest.mark.parametrize("query", ODD, ids=repr)
def test_odd_questions_break_nothing(now: datetime, query: str) -> None:
    take_up("The green lantern is broken.", now=now)
    for one in ask(query[:100_000], now).found:
        one.text.encode()
    assert ask(query, now, since=date.min, until=date.max).read_dates == ""


def test_an_empty_store_has_nothing(now: datetime) -> None:
    assert (
        ask("lantern last May", now) == SearchResults((), "1 to 19 May 2026", "hybrid", []) or not ask("x", now).found
    )


def test_broken_rows_are_passed_over(now: datetime) -> None:
    good = take_up("The green lantern is broken.", now=now)
    bad = take_up("Another lantern.", now=now)
    EpisodeUnits.objects.filter(pk=bad.pk).update(turn_lengths=b"\1")
    EpisodeSummary.objects.filter(pk=bad.pk).update(embedding="nonsense", summary="Another lantern.")
    retrieval.forget()
    assert f"episode:{good.pk}" in [one.id for one in only("conversation", "lantern", now)]


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_no_more_come_than_are_wanted(now: datetime, limit: int) -> None:
    for number in range(3):
        take_up(f"The green lantern number {number}.", now=now)
    assert len(ask("lantern", now, limit=limit).found) == limit

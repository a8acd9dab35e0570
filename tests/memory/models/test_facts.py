"""The facts store: every verb, exactly one audit row each (ADR-0033 §1, §2, §5; decisions 2 to 5)."""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from memory import events
from memory.models import AuditRow, FactConflict, Learned, MemoryRevision, PersonalFact
from memory.text import normalising
from tests.conftest import Configure

pytestmark = pytest.mark.django_db


def chat(now: datetime, *, said_at: datetime | None = None) -> AuditRow:
    event = events.ChatCompleted(
        messages=[events.Message(role="user", content="hello")], reply="ok", occurred_at=said_at
    )
    return AuditRow.objects.record(event, now=now)


def learn(key: str, value: str, *, now: datetime, said_at: datetime | None = None, confidence: float = 0.9) -> Learned:
    source = chat(now, said_at=said_at)
    return PersonalFact.objects.learn([normalising.Claim(key, value, confidence)], chat=source, now=now)[key]


def fact(key: str) -> PersonalFact:
    return PersonalFact.objects.get(key=key)


def trail(key: str | None = None) -> list[str]:
    rows = AuditRow.objects.exclude(event_type="chat.completed").order_by("id")
    return list((rows.filter(fact_key=key) if key else rows).values_list("event_type", flat=True))


def test_it_works(now: datetime) -> None:
    assert learn("dog.name", "Beans", now=now) == "added"
    beans = fact("dog.name")
    assert (beans.value, beans.confidence) == ("Beans", 0.9)
    assert beans.first_seen_at == beans.last_confirmed_at == now
    assert beans.source_audit is not None
    assert trail() == ["memory.fact.added"]


def test_the_same_value_confirms_and_keeps_the_source(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.9)
    source = fact("dog.name").source_audit_id
    later = now + timedelta(days=3)
    assert learn("dog.name", " BEANS ", now=later, confidence=0.4) == "confirmed"
    beans = fact("dog.name")
    assert (beans.value, beans.confidence, beans.source_audit_id) == ("Beans", 0.9, source)
    assert (beans.first_seen_at, beans.last_confirmed_at) == (now, later)
    learn("dog.name", "Beans", now=later, confidence=0.95)
    assert fact("dog.name").confidence == 0.95
    assert trail() == ["memory.fact.added", "memory.fact.confirmed", "memory.fact.confirmed"]


def test_another_value_replaces_and_records_both(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.9)
    first_source = fact("dog.name").source_audit_id
    later = now + timedelta(days=3)
    assert learn("dog.name", "Bowser", now=later, confidence=0.6) == "updated"
    bowser = fact("dog.name")
    assert (bowser.value, bowser.confidence) == ("Bowser", 0.6)
    assert (bowser.first_seen_at, bowser.last_confirmed_at) == (now, later)
    assert bowser.source_audit_id != first_source
    payload = AuditRow.objects.get(event_type="memory.fact.updated").payload
    assert (payload["old_value"], payload["new_value"]) == ("Beans", "Bowser")


def test_the_same_key_twice_in_one_answer_leaves_the_last(now: datetime) -> None:
    claims = [normalising.Claim("dog.name", "Beans", 0.9), normalising.Claim("dog.name", "Bowser", 0.8)]
    assert PersonalFact.objects.learn(claims, chat=chat(now), now=now) == {"dog.name": "added"}
    assert fact("dog.name").value == "Bowser"
    assert trail() == ["memory.fact.added"]


@pytest.mark.parametrize("value", ["Beans", "Waffles"])
def test_older_evidence_changes_nothing(now: datetime, value: str) -> None:
    learn("dog.name", "Beans", now=now)
    assert learn("dog.name", value, now=now, said_at=now - timedelta(seconds=1)) == "ignored"
    assert fact("dog.name").value == "Beans"
    assert fact("dog.name").last_confirmed_at == now
    assert trail() == ["memory.fact.added"]


def test_evidence_of_the_same_moment_counts(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    assert learn("dog.name", "Bowser", now=now) == "updated"


def test_a_confirmation_from_the_future_does_not_block_what_is_said_now(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    PersonalFact.objects.update(last_confirmed_at=now + timedelta(days=300))
    assert learn("dog.name", "Bowser", now=now) == "updated"


def test_evidence_older_than_the_operators_edit_changes_nothing(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    fact("dog.name").edit("Bowser", now=now + timedelta(days=2))
    later = now + timedelta(days=3)
    assert learn("dog.name", "Beans", now=later, said_at=now + timedelta(days=1)) == "ignored"
    assert fact("dog.name").value == "Bowser"
    assert learn("dog.name", "Waffles", now=later) == "updated"


def test_evidence_older_than_the_operators_deletion_brings_nothing_back(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    fact("dog.name").forget(now=now + timedelta(days=2))
    later = now + timedelta(days=3)
    assert learn("dog.name", "Beans", now=later, said_at=now + timedelta(days=1)) == "ignored"
    assert not PersonalFact.objects.exists()
    assert learn("dog.name", "Beans", now=later) == "added"


def test_an_edit_is_certain_confirmed_and_keeps_its_source(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.5)
    source = fact("dog.name").source_audit_id
    later = now + timedelta(days=1)
    assert fact("dog.name").edit("  Bowser ", now=later)
    bowser = fact("dog.name")
    assert (bowser.value, bowser.confidence, bowser.last_confirmed_at) == ("Bowser", 1.0, later)
    assert bowser.source_audit_id == source
    assert trail() == ["memory.fact.added", "memory.fact.user_edited"]
    payload = AuditRow.objects.get(event_type="memory.fact.user_edited").payload
    assert (payload["old_value"], payload["new_value"]) == ("Beans", "Bowser")


def test_saving_the_same_value_writes_nothing(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.5)
    assert not fact("dog.name").edit("Beans", now=now + timedelta(days=1))
    assert fact("dog.name").confidence == 0.5
    assert trail() == ["memory.fact.added"]


def test_changing_only_the_case_is_an_edit(now: datetime) -> None:
    learn("dog.name", "beans", now=now)
    assert fact("dog.name").edit("Beans", now=now)
    assert fact("dog.name").value == "Beans"


@pytest.mark.parametrize("value", ["", "  \n\t ", "\u200b\u202e", "x" * 501])
def test_a_blank_or_over_long_edit_is_refused(now: datetime, value: str) -> None:
    learn("dog.name", "Beans", now=now)
    with pytest.raises(normalising.TextRefused):
        fact("dog.name").edit(value, now=now)
    assert fact("dog.name").value == "Beans"
    assert trail() == ["memory.fact.added"]


def test_an_edit_of_a_fact_that_changed_meanwhile_is_told_both_values(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    opened = fact("dog.name")
    learn("dog.name", "Waffles", now=now)
    with pytest.raises(FactConflict) as caught:
        opened.edit("Bowser", now=now)
    assert "Waffles" in str(caught.value)
    assert "Bowser" in str(caught.value)
    assert caught.value.current == fact("dog.name")
    assert fact("dog.name").value == "Waffles"


def test_an_edit_of_a_fact_that_vanished_is_refused(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    opened = fact("dog.name")
    fact("dog.name").forget(now=now)
    with pytest.raises(FactConflict) as caught:
        opened.edit("Bowser", now=now)
    assert caught.value.current is None
    assert "Bowser" in str(caught.value)
    assert trail() == ["memory.fact.added", "memory.fact.user_deleted"]


def test_an_edit_meets_the_value_its_form_showed(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    learn("dog.name", "Waffles", now=now)
    with pytest.raises(FactConflict):
        fact("dog.name").edit("Bowser", now=now, expected="Beans")
    assert fact("dog.name").edit("Bowser", now=now, expected="Waffles")


def test_forgetting_twice_leaves_one_row(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    opened = fact("dog.name")
    assert opened.forget(now=now) is not None
    assert opened.forget(now=now) is None
    assert trail() == ["memory.fact.added", "memory.fact.user_deleted"]


def test_a_deletion_taken_back_is_the_fact_as_it_was(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.7)
    before = fact("dog.name")
    deletion = before.forget(now=now + timedelta(days=1))
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now + timedelta(days=1))
    after = fact("dog.name")
    for name in ("value", "confidence", "first_seen_at", "last_confirmed_at", "source_audit_id"):
        assert getattr(after, name) == getattr(before, name)
    assert trail() == ["memory.fact.added", "memory.fact.user_deleted", "memory.fact.user_added"]
    assert AuditRow.objects.get(event_type="memory.fact.user_added").payload["restored_from"] == deletion.pk


def test_taking_a_deletion_back_twice_writes_once(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    deletion = fact("dog.name").forget(now=now)
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now)
    PersonalFact.objects.restore(deletion, now=now)
    assert trail().count("memory.fact.user_added") == 1


def test_a_deletion_is_not_taken_back_over_a_newer_value(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    deletion = fact("dog.name").forget(now=now)
    assert deletion is not None
    learn("dog.name", "Waffles", now=now + timedelta(days=1))
    with pytest.raises(FactConflict):
        PersonalFact.objects.restore(deletion, now=now + timedelta(days=1))
    assert fact("dog.name").value == "Waffles"


def test_taking_a_deletion_back_is_the_operators_last_word(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    deletion = fact("dog.name").forget(now=now + timedelta(days=3))
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now + timedelta(days=10))
    later = now + timedelta(days=11)
    assert learn("dog.name", "Waffles", now=later, said_at=now + timedelta(days=5)) == "ignored"
    assert fact("dog.name").value == "Beans"


def test_an_edit_by_a_clock_that_ran_ahead_does_not_block_what_is_said_now(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    fact("dog.name").edit("Bowser", now=now + timedelta(days=365))
    later = now + timedelta(days=1)
    assert learn("dog.name", "Waffles", now=later) == "updated"


def test_only_a_deletion_can_be_taken_back(now: datetime) -> None:
    with pytest.raises(ValueError, match="no deletion"):
        PersonalFact.objects.restore(chat(now), now=now)


def test_an_added_fact_is_certain_and_has_no_source(now: datetime) -> None:
    PersonalFact.objects.add(" Dog.Name ", "Beans\n", now=now)
    beans = fact("dog.name")
    assert (beans.value, beans.confidence, beans.source_audit) == ("Beans", 1.0, None)
    assert beans.first_seen_at == beans.last_confirmed_at == now
    assert trail() == ["memory.fact.user_added"]


def test_a_key_that_is_taken_is_not_added_again(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    with pytest.raises(FactConflict) as caught:
        PersonalFact.objects.add("DOG.NAME", "Bowser", now=now)
    assert "Beans" in str(caught.value)
    assert trail() == ["memory.fact.added"]


@pytest.mark.parametrize(("key", "value"), [("", "x"), ("k" * 129, "x"), ("dog.name", " ")])
def test_what_cannot_be_kept_is_not_added(now: datetime, key: str, value: str) -> None:
    with pytest.raises(normalising.TextRefused):
        PersonalFact.objects.add(key, value, now=now)
    assert not AuditRow.objects.exists()


def test_change_and_audit_row_commit_together(now: datetime) -> None:
    """A failure after the change, whatever it is, takes the change with it."""
    learn("dog.name", "Beans", now=now)
    with pytest.raises(RuntimeError), transaction.atomic():
        fact("dog.name").edit("Bowser", now=now)
        raise RuntimeError
    assert fact("dog.name").value == "Beans"
    assert trail() == ["memory.fact.added"]


def test_the_database_holds_confidence_to_0_and_1(now: datetime) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        PersonalFact.objects.create(key="a", value="b", confidence=1.01, first_seen_at=now, last_confirmed_at=now)


def test_a_key_found_by_its_spelling_or_its_normal_form(now: datetime) -> None:
    PersonalFact.objects.create(key="Odd Key", value="v", first_seen_at=now, last_confirmed_at=now)
    learn("dog.name", "Beans", now=now)
    for spelled, key in [("Odd Key", "Odd Key"), ("DOG.name", "dog.name"), ("nothing", None)]:
        found = PersonalFact.objects.by_key(spelled)
        assert (found.key if found else None) == key


# --- importance (ADR-0034 §4) -----------------------------------------------------------------------------------


def test_importance_is_freshness_times_confidence_times_edits(now: datetime) -> None:
    learn("dog.name", "Beans", now=now, confidence=0.5)
    fact("dog.name").edit("Bowser", now=now)
    fact("dog.name").edit("Waffles", now=now)
    (ranked,) = PersonalFact.objects.by_importance(now + timedelta(days=60))
    assert ranked.importance.freshness == pytest.approx(0.36787944)
    assert ranked.importance.edit_count == 2
    assert ranked.importance.value == pytest.approx(0.36787944 * 1.0 * 2.0)


def test_edits_of_another_key_do_not_count(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    learn("dog.name.nick", "B", now=now)
    fact("dog.name.nick").edit("Bee", now=now)
    counts = {item.fact.key: item.importance.edit_count for item in PersonalFact.objects.by_importance(now)}
    assert counts == {"dog.name": 0, "dog.name.nick": 1}


def test_the_most_important_come_first_and_ties_go_to_the_newer_then_the_lower_id(now: datetime) -> None:
    learn("old", "1", now=now - timedelta(days=10), confidence=1.0)
    for key in ("first", "second"):
        learn(key, "1", now=now, confidence=0.9)
    learn("sure", "1", now=now, confidence=1.0)
    order = [item.fact.key for item in PersonalFact.objects.by_importance(now)]
    assert order == ["sure", "first", "second", "old"]
    assert [item.fact.key for item in PersonalFact.objects.by_importance(now, limit=2)] == order[:2]


def test_ranking_takes_the_same_few_queries_for_any_number_of_facts(now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=5)
    PersonalFact.objects.bulk_create(
        PersonalFact(key=f"k{number}", value="v", first_seen_at=now, last_confirmed_at=now) for number in range(300)
    )
    MemoryRevision.current()
    with CaptureQueriesContext(connection) as queries:
        assert len(PersonalFact.objects.for_prompt(now)) == 5
    assert len(queries) <= 4


def test_no_facts_no_ranks(now: datetime) -> None:
    assert PersonalFact.objects.by_importance(now) == []
    assert PersonalFact.objects.for_prompt(now) == []


# --- sorted once per change (decision 36) -----------------------------------------------------------------------------


def prompt_keys(now: datetime) -> list[str]:
    return [item.fact.key for item in PersonalFact.objects.for_prompt(now)]


@pytest.mark.django_db(transaction=True)
def test_facts_are_sorted_once_until_one_changes(now: datetime) -> None:
    for number in range(3):
        learn(f"note.n{number}", "v", now=now - timedelta(days=number))
    later = now + timedelta(days=30)
    assert prompt_keys(now) == ["note.n0", "note.n1", "note.n2"]
    with CaptureQueriesContext(connection) as queries:
        again = PersonalFact.objects.for_prompt(later)
    assert len(queries) == 1
    assert again[0].importance.freshness == pytest.approx(0.60653066)
    assert [item.fact.key for item in again] == [item.fact.key for item in PersonalFact.objects.by_importance(later)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["learn", "edit", "forget", "restore", "add", "confirm"])
def test_every_change_of_a_fact_is_seen_at_once(now: datetime, change: str) -> None:
    learn("a.one", "v", now=now - timedelta(days=2))
    learn("b.two", "v", now=now - timedelta(days=1))
    deletion = fact("b.two").forget(now=now) if change == "restore" else None
    before = [(item.fact.key, item.fact.value) for item in PersonalFact.objects.for_prompt(now)]
    if change == "learn":
        learn("a.one", "w", now=now)
    elif change == "confirm":
        learn("a.one", "v", now=now)
    elif change == "edit":
        fact("a.one").edit("w", now=now)
    elif change == "forget":
        fact("a.one").forget(now=now)
    elif change == "add":
        PersonalFact.objects.add("c.three", "v", now=now)
    elif deletion is not None:
        PersonalFact.objects.restore(deletion, now=now)
    after = [(item.fact.key, item.fact.value) for item in PersonalFact.objects.for_prompt(now)]
    assert after != before
    assert after == [(item.fact.key, item.fact.value) for item in PersonalFact.objects.by_importance(now)]


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_undone_leaves_no_wrong_order_behind(now: datetime) -> None:
    learn("dog.name", "Beans", now=now)
    with pytest.raises(RuntimeError), transaction.atomic():
        fact("dog.name").edit("Bowser", now=now)
        assert PersonalFact.objects.for_prompt(now)[0].fact.value == "Bowser"
        raise RuntimeError
    assert PersonalFact.objects.for_prompt(now)[0].fact.value == "Beans"
    fact("dog.name").edit("Waffles", now=now)
    assert PersonalFact.objects.for_prompt(now)[0].fact.value == "Waffles"


@pytest.mark.django_db(transaction=True)
def test_a_fact_from_the_future_is_sorted_at_every_moment(now: datetime) -> None:
    """It does not age yet, so the others fall behind it as time goes on."""
    learn("a.ahead", "v", now=now, said_at=now + timedelta(minutes=4), confidence=0.99999)
    learn("b.now", "v", now=now, confidence=1.0)
    for minutes in (0, 3, 4, 90):
        moment = now + timedelta(minutes=minutes)
        assert prompt_keys(moment) == [item.fact.key for item in PersonalFact.objects.by_importance(moment)]
    assert prompt_keys(now) != prompt_keys(now + timedelta(minutes=4))


@pytest.mark.django_db(transaction=True)
def test_other_settings_sort_anew(now: datetime, configure: Configure) -> None:
    learn("a.old", "v", now=now - timedelta(days=30))
    fact("a.old").edit("w", now=now - timedelta(days=30))
    learn("b.new", "v", now=now, confidence=1.0)
    assert prompt_keys(now) == ["b.new", "a.old"]
    configure(memory__facts_importance__halflife_days=600.0)
    assert prompt_keys(now) == ["a.old", "b.new"]
    configure(memory__facts__max_injected=1)
    assert prompt_keys(now) == ["a.old"]

"""Facts that the operator keeps: first in prompts, up to half of both caps (decision 28)."""

from datetime import timedelta

import pytest

from memory.models import AuditRow, PersonalFact, TooManyKept, let_go
from memory.models.evidence import last_place
from tests.memory.models.fact_helpers import end, event_types, fact, learn

pytestmark = pytest.mark.django_db


def keys_in_prompt(now):
    return [item.fact.key for item in PersonalFact.objects.for_prompt(now)]


def facts(now, count):
    """`note.n0` is the newest and most important."""
    for number in range(count):
        learn(f"note.n{number}", "x", now=now - timedelta(days=number))


def test_it_works(now, configure):
    configure(memory={"facts": {"max_injected": 4}})
    facts(now, 6)
    before = fact("note.n5").ranked(now).importance

    row = fact("note.n5").keep(now=now)

    assert row.event_type == "memory.fact.user_kept"
    assert fact("note.n5").kept_at == now
    assert keys_in_prompt(now) == ["note.n5", "note.n0", "note.n1", "note.n2"]
    assert fact("note.n5").ranked(now).importance == before, "the number of the formula stays as it is"
    assert event_types("note.n5") == ["memory.fact.added", "memory.fact.user_kept"]

    assert fact("note.n5").unkeep(now=now).event_type == "memory.fact.user_unkept"
    assert keys_in_prompt(now) == ["note.n0", "note.n1", "note.n2", "note.n3"]


def test_kept_facts_go_by_importance_among_themselves(now, configure):
    configure(memory={"facts": {"max_injected": 4}})
    facts(now, 6)
    fact("note.n5").keep(now=now)
    fact("note.n4").keep(now=now)
    assert keys_in_prompt(now)[:2] == ["note.n4", "note.n5"]
    assert [item.fact.key for item in PersonalFact.objects.prompt_candidates(now)] == [
        "note.n4", "note.n5", "note.n0", "note.n1", "note.n2", "note.n3",
    ]  # fmt: skip


def test_a_second_click_writes_nothing(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").keep(now=now)
    assert fact("dog.name").keep(now=now) is None
    fact("dog.name").unkeep(now=now)
    assert fact("dog.name").unkeep(now=now) is None
    assert len(event_types("dog.name")) == 3


def test_one_more_than_half_of_the_number_is_refused(now, configure):
    configure(memory={"facts": {"max_injected": 5}})
    facts(now, 6)
    fact("note.n5").keep(now=now)
    fact("note.n4").keep(now=now)
    with pytest.raises(TooManyKept, match="2 facts or 1,024 characters.*CAESAR_MEMORY__FACTS__MAX_INJECTED"):
        fact("note.n3").keep(now=now)
    assert fact("note.n3").kept_at is None
    fact("note.n4").unkeep(now=now)
    fact("note.n3").keep(now=now)


def test_one_more_than_half_of_the_characters_is_refused(now, configure):
    # Heading and line end are 21, a line of ten letters is "  - " + "note.n0: " + 10 + "." ... at most 30.
    configure(memory={"facts": {"max_chars": 120}})
    facts(now, 3)
    fact("note.n0").keep(now=now)
    fact("note.n1").keep(now=now)
    with pytest.raises(TooManyKept):
        fact("note.n2").keep(now=now)


def test_one_that_never_fits_is_refused_with_another_cure(now, configure):
    configure(memory={"facts": {"max_injected": 1}})
    facts(now, 1)
    with pytest.raises(TooManyKept, match="does not fit into half"):
        fact("note.n0").keep(now=now)


def test_mixed_takes_half_of_thirty(now, configure):
    configure(memory={"facts": {"max_injected": 100, "selection": "mixed"}})
    facts(now, 16)
    for number in range(15):
        fact(f"note.n{number}").keep(now=now)
    with pytest.raises(TooManyKept, match="15 facts"):
        fact("note.n15").keep(now=now)


def test_of_more_than_half_the_most_important_come_first(now, configure):
    facts(now, 6)
    for number in (3, 4, 5):
        fact(f"note.n{number}").keep(now=now)
    configure(memory={"facts": {"max_injected": 4}})
    assert keys_in_prompt(now) == ["note.n3", "note.n4", "note.n0", "note.n1"]


def test_one_that_ended_or_is_past_is_in_no_prompt_and_takes_no_room(now, configure):
    configure(memory={"facts": {"max_injected": 4}})
    facts(now, 6)
    fact("note.n4").keep(now=now)
    fact("note.n5").keep(now=now)
    end("note.n4", now=now + timedelta(minutes=1))
    fact("note.n5").set_valid_until(now.date(), now=now)
    later = now + timedelta(days=2)
    assert keys_in_prompt(later) == ["note.n0", "note.n1", "note.n2", "note.n3"]
    fact("note.n3").keep(now=later)
    fact("note.n2").keep(now=later)


def test_a_restored_fact_is_kept_as_before(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").keep(now=now)
    deletion = fact("dog.name").forget(now=now)
    assert PersonalFact.objects.restore(deletion, now=now + timedelta(days=1)).kept_at == now
    assert fact("dog.name").kept_at == now


def test_a_restored_fact_is_not_kept_where_there_is_no_room(now, configure):
    configure(memory={"facts": {"max_injected": 2}})
    facts(now, 2)
    fact("note.n0").keep(now=now)
    deletion = fact("note.n0").forget(now=now)
    fact("note.n1").keep(now=now)
    assert PersonalFact.objects.restore(deletion, now=now).kept_at is None


def test_a_chat_does_not_change_what_is_kept(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").keep(now=now)
    learn("dog.name", "Max", now=now + timedelta(days=1))
    assert fact("dog.name").kept_at == now


def test_keeping_is_no_evidence(now):
    learn("dog.name", "Rex", now=now)
    fact("dog.name").keep(now=now + timedelta(days=2))
    assert learn("dog.name", "Max", now=now + timedelta(days=3), said_at=now + timedelta(days=1)) == "updated"
    said_last = AuditRow.objects.filter(event_type="chat.completed").order_by("-id").first()
    fact("dog.name").unkeep(now=now + timedelta(days=4))
    assert last_place("dog.name") == said_last.pk, "nor in the order of the log, where a clock was wrong"


def test_letting_go_is_no_evidence(now):
    learn("dog.name", "Rex", now=now)
    let_go(fact("dog.name"), now=now + timedelta(days=2))
    assert learn("dog.name", "Max", now=now + timedelta(days=3), said_at=now + timedelta(days=1)) == "updated"
    learn("dog.name", "Max", now=now + timedelta(days=4))
    said_last = AuditRow.objects.filter(event_type="chat.completed").order_by("-id").first()
    assert let_go(fact("dog.name"), now=now + timedelta(days=5)) is not None
    assert last_place("dog.name") == said_last.pk

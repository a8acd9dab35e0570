"""/dashboard/facts: what is believed, how it ranks, where the prompt ends (ADR-0033 §5, ADR-0034 §5)."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memory.models import AuditRow, PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import (
    HEAD_QUERIES,
    bars,
    create_facts,
    find_elements,
    get_page,
    learn_fact,
    record_chat,
    visible_text,
)

pytestmark = pytest.mark.django_db


def test_it_works(operator: Client, now: datetime) -> None:
    source = record_chat("my dog's name is Beans", now=now - timedelta(days=3))
    learn_fact("dog.name", "Beans", now=now - timedelta(days=3), confidence=0.95, source=source)
    response = get_page(operator)
    text = visible_text(response)
    assert "Your dog's name is Beans." in text
    assert "0.90 " in text, "importance: exp(-3/60) * 0.95 = 0.9037"
    assert "3 days ago" in text
    assert find_elements(response, "a", href=f"/dashboard/audit/{source.pk}")
    assert f"chat {source.pk}" in text
    assert "1 fact, it fits the prompt (30 facts or 2,048 characters)." in text


def test_facts_stand_in_order_of_importance(operator: Client, now: datetime) -> None:
    learn_fact("a", "old", now=now - timedelta(days=90))
    learn_fact("b", "unsure", now=now, confidence=0.5)
    learn_fact("c", "sure", now=now)
    text = visible_text(get_page(operator))
    assert text.index("c: sure") < text.index("b: unsure") < text.index("a: old")
    assert find_elements(get_page(operator), "th", aria_sort="descending")


def test_edits_show(operator: Client, now: datetime) -> None:
    fact = learn_fact("dog.name", "Beans", now=now)
    fact.edit("Bowser", now=now)
    assert "1.50 Your dog's name is Bowser." in visible_text(get_page(operator))
    assert "· edited" in visible_text(get_page(operator))
    PersonalFact.objects.get(key="dog.name").edit("Bones", now=now)
    assert "2.00 Your dog's name is Bones." in visible_text(get_page(operator))


def test_bars_are_scaled_to_the_largest_without_inline_style(operator: Client, now: datetime) -> None:
    learn_fact("a", "sure", now=now)
    learn_fact("b", "half sure", now=now, confidence=0.5)
    assert bars(get_page(operator)) == ["100%", "50%"]
    assert not [element for element in find_elements(get_page(operator)) if "style" in element.attributes]


def test_confirmed_is_relative_with_the_exact_time_beside_it(
    operator: Client, now: datetime, configure: Configure
) -> None:
    configure(time_zone="Pacific/Auckland")  # it is nine in the evening there
    learn_fact("a", "b", now=now - timedelta(hours=22))
    times = find_elements(get_page(operator), "time")
    assert times[0]["datetime"] == (now - timedelta(hours=22)).isoformat()
    assert times[0]["title"] == "2026-05-19 23:00:00 NZST"
    assert "yesterday" in visible_text(get_page(operator))


def test_confirmed_links_to_the_row_that_bumped_it(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now - timedelta(days=3))
    learn_fact("dog.name", "beans", now=now - timedelta(days=1))
    bump = AuditRow.objects.get(event_type="memory.fact.confirmed")
    assert find_elements(get_page(operator), "a", href=f"/dashboard/audit/{bump.pk}")


def test_a_fact_without_a_chat_says_why(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("sister.birthday", "3 June", now=now)
    assert "typed by you" in visible_text(get_page(operator))
    PersonalFact.objects.all()._raw_delete("default")
    learn_fact("dog.name", "Beans", now=now)
    PersonalFact.objects.update(source_audit=None)  # as the sweep leaves it
    assert "no longer kept" in visible_text(get_page(operator))
    assert "typed by you" not in visible_text(get_page(operator))


def test_a_restored_fact_keeps_its_origin(operator: Client, now: datetime) -> None:
    for fact in (PersonalFact.objects.add("a", "typed", now=now), learn_fact("b", "learned", now=now)):
        deletion = fact.forget(now=now)
        assert deletion is not None
        PersonalFact.objects.restore(deletion, now=now)
    text = visible_text(get_page(operator))
    assert "typed by you" in text
    assert "chat " in text
    assert "no longer kept" not in text


def test_the_line_stands_where_the_count_ends(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=2)
    create_facts(3, now=now)
    text = visible_text(get_page(operator))
    assert "3 facts, 2 fit the prompt (2 facts or 2,048 characters)." in text
    line = text.index("Below this line nothing is put into the prompt: 2 facts are the most it takes")
    assert text.index("thing 0001") < line < text.index("thing 0002")
    assert (
        len(
            [row for row in find_elements(get_page(operator), "tr") if "out" in row.attributes.get("class", "").split()]
        )
        == 1
    )


def test_the_line_stands_where_the_characters_end(operator: Client, now: datetime, configure: Configure) -> None:
    heading, line = len("What you've told me:\n"), len("  - note.0000: thing 0000\n")
    configure(memory__facts__max_chars=heading + 2 * line)
    create_facts(3, now=now)
    text = visible_text(get_page(operator))
    assert "the 73 characters it takes are used up" in text
    assert text.index("thing 0001") < text.index("Below this line") < text.index("thing 0002")


def test_there_is_no_line_where_all_fit(operator: Client, now: datetime) -> None:
    create_facts(3, now=now)
    assert "Below this line" not in visible_text(get_page(operator))
    assert "3 facts, all fit the prompt (30 facts or 2,048 characters)." in visible_text(get_page(operator))


def test_a_cap_of_nothing_puts_the_line_first(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=0)
    create_facts(1, now=now)
    text = visible_text(get_page(operator))
    assert text.index("Below this line") < text.index("thing 0000")
    assert "1 fact, none fits the prompt" in text


def test_injection_switched_off_is_said_in_one_line(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__enabled=False)
    create_facts(2, now=now)
    text = visible_text(get_page(operator))
    assert "none of them put into prompts: set CAESAR_MEMORY__FACTS__ENABLED=true" in text
    assert "Below this line" not in text


def test_an_empty_memory_says_what_to_do(operator: Client) -> None:
    text = visible_text(get_page(operator))
    assert "Nothing yet." in text
    assert not find_elements(get_page(operator), "table")


def test_a_thousand_facts_come_fifty_a_page(operator: Client, now: datetime, configure: Configure) -> None:
    create_facts(1000, now=now)
    with CaptureQueriesContext(connection) as first:
        response = get_page(operator)
    assert len(first) <= 14 + HEAD_QUERIES
    assert len(find_elements(response, "form", method="post")) < 10, "the rows share one form"
    assert "thing 0049" in visible_text(response)
    assert "thing 0050" not in visible_text(response)
    assert "page 1 of 20" in visible_text(response)
    assert find_elements(response, "a", href="/dashboard/facts?page=2")
    with CaptureQueriesContext(connection) as last:
        response = get_page(operator, "/dashboard/facts?page=20")
    assert len(last) <= 14 + HEAD_QUERIES
    assert "thing 0999" in visible_text(response)
    assert "1,000 facts, 30 fit the prompt" in visible_text(response)
    configure(memory__facts__max_injected=5000)
    with CaptureQueriesContext(connection) as wide:
        get_page(operator)
    assert len(wide) <= 14 + HEAD_QUERIES


@pytest.mark.parametrize("number", ["0", "-1", "x", "99", "9" * 40, "%00", "½"])
def test_a_page_number_that_is_none_shows_a_page(operator: Client, now: datetime, number: str) -> None:
    create_facts(1, now=now)
    assert "thing 0000" in visible_text(get_page(operator, f"/dashboard/facts?page={number}"))


def test_verbs_on_a_later_page_come_back_to_it(operator: Client, now: datetime) -> None:
    create_facts(51, now=now)
    response = get_page(operator, "/dashboard/facts?page=2")
    assert find_elements(response, "a", href="/dashboard/facts/edit?key=note.0050&page=2")
    form = next(form for form in find_elements(response, "form") if form.attributes.get("id") == "facts-chosen")
    assert form["action"] == "/dashboard/facts/delete-chosen?page=2"
    assert find_elements(response, "input", type="hidden", name="next", value="/dashboard/facts?page=2")
    assert operator.post("/dashboard/facts/delete?key=note.0050&page=2")["Location"] == "/dashboard/facts?page=2"


def test_every_control_names_its_fact(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    assert find_elements(get_page(operator), "a", aria_label="Edit fact dog.name")
    assert find_elements(get_page(operator), "summary", aria_label="More for dog.name")
    assert find_elements(get_page(operator), "input", aria_label="Select fact dog.name")


def test_a_giant_fact_is_still_listed_and_editable(operator: Client, now: datetime) -> None:
    PersonalFact.objects.create(key="notes", value="abcde " * 1000, first_seen_at=now, last_confirmed_at=now)
    learn_fact("dog.name", "Biscuit", now=now)
    text = visible_text(get_page(operator))
    assert "abcde" in text
    assert "Your dog's name is Biscuit." in text
    form = get_page(operator, "/dashboard/facts/edit?key=notes")
    assert find_elements(form, "input", name="value")[0]["value"] == ("abcde " * 1000).strip()

"""Where messages bring facts in: what the pages say is fixed, what depends, and which cap ends the facts."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory.models import PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import create_facts, find_elements, get_page, learn_fact, visible_text

pytestmark = pytest.mark.django_db

OVERVIEW = "/dashboard/"
FACT = "/dashboard/facts/one?key="


@pytest.fixture(autouse=True)
def mixed(configure: Configure, memory_on: None) -> None:
    configure(memory__facts__selection="mixed")


def page(operator: Client, path: str = "/dashboard/facts") -> str:
    return visible_text(get_page(operator, path)).replace(" ,", ",")


def lines(number: int) -> int:
    """The characters of a block of so many of `create_facts`."""
    return len("What you've told me:\n") + number * len("  - note.0000: thing 0000\n")


def test_the_line_parts_what_is_fixed_from_what_the_message_brings(operator: Client, now: datetime) -> None:
    create_facts(100, now=now)
    text = page(operator)
    assert (
        "100 facts, 10 of them in every prompt, about 20 more as the message asks for them (30 facts or 2,048 "
        "characters). The number of facts ends them, not their length."
    ) in text
    line = text.index(
        "Above this line: in every prompt. Below it each message brings in what it asks for, about 20 facts: 30 facts "
        "are the most it takes"
    )
    assert text.rindex("thing 0009") < line < text.rindex("thing 0010")
    assert text.count("In the prompt of a message that asks for it.") == 40
    assert "Not in the prompt." not in text
    rows = find_elements(get_page(operator), "tr")
    assert not [row for row in rows if "out" in row.attributes.get("class", "").split()], "none is dimmed"


def test_it_says_where_the_characters_end_them(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_chars=lines(21) + 5)
    create_facts(100, now=now)
    text = page(operator)
    assert "10 of them in every prompt, about 11 more" in text
    assert f"Their length ends them, not their number: about 21 lines fill {lines(21) + 5} characters." in text
    assert f"about 11 facts: the {lines(21) + 5} characters it takes are used up" in text


@pytest.mark.parametrize(("max_injected", "max_chars"), [(7, 2048), (30, lines(7))])
def test_caps_below_ten_leave_nothing_to_the_message(
    operator: Client, now: datetime, configure: Configure, max_injected: int, max_chars: int
) -> None:
    configure(memory__facts__max_injected=max_injected, memory__facts__max_chars=max_chars)
    create_facts(20, now=now)
    text = page(operator)
    assert "20 facts, 7 fit the prompt" in text
    assert text.index("thing 0006") < text.index("Below this line nothing is put into the prompt") < text.index("0007")
    assert "asks for" not in text


def test_where_all_fit_nothing_depends_on_the_message(operator: Client, now: datetime) -> None:
    create_facts(30, now=now)
    text = page(operator)
    assert "30 facts, all fit the prompt (30 facts or 2,048 characters)." in text
    assert "asks for" not in text
    assert "ends them" not in text


def test_past_facts_are_brought_in_by_nothing(operator: Client, now: datetime) -> None:
    create_facts(40, now=now)
    PersonalFact.objects.get(key="note.0003").set_valid_until((now - timedelta(days=9)).date(), now=now)
    text = page(operator)
    assert text.count("In the prompt of a message that asks for it.") == 29
    assert text.count("Not in the prompt.") == 1
    assert "Past by their own date" in text


def test_a_search_counts_what_is_in_every_prompt(operator: Client, now: datetime) -> None:
    create_facts(40, now=now)
    text = page(operator, "/dashboard/facts?q=note.000")
    assert "10 match “note.000”, all in every prompt." in text
    text = page(operator, "/dashboard/facts?q=note.001")
    assert "10 match “note.001”, none of them in every prompt." in text


def test_by_importance_the_page_says_which_cap_ends_the_facts(
    operator: Client, now: datetime, configure: Configure
) -> None:
    configure(memory__facts__selection="importance")
    create_facts(100, now=now)
    assert "30 fit the prompt (30 facts or 2,048 characters). The number of facts ends them, not" in page(operator)
    configure(memory__facts__max_chars=lines(21))
    assert f"21 lines fill {lines(21)} characters." in page(operator)
    assert "about 21" not in page(operator)


def test_the_overview_says_it_in_short(operator: Client, now: datetime) -> None:
    create_facts(100, now=now)
    assert "100 facts known 10 in every prompt, about 20 more by the message (30 facts or 2,048 characters)" in page(
        operator, OVERVIEW
    )


def test_the_page_of_a_fact_says_on_what_it_depends(operator: Client, now: datetime) -> None:
    create_facts(100, now=now)
    text = page(operator, f"{FACT}note.0004")
    assert "Yes: place 5 of 100." in text
    assert "The first 10 are in every prompt, and about 20 more as the message asks for them" in text
    assert "6 newer facts would leave it to the message." in text
    text = page(operator, f"{FACT}note.0040")
    assert "If the message asks for it: place 41 of 100." in text
    assert "newer facts" not in text


def test_a_fact_among_few_stays_until_not_all_fit(operator: Client, now: datetime) -> None:
    for number in range(12):
        learn_fact(f"note.n{number:02}", "thing", now=now - timedelta(days=number))
    text = page(operator, f"{FACT}note.n11")
    assert "Yes: place 12 of 12. All of them fit" in text
    assert "19 newer facts would leave it to the message." in text

"""Above the table: the map of all facts, the room in the prompt, and how little a change in a row brings."""

import re
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.facts.map.drawing import DOTS_AT_MOST
from dashboard.facts.map.scale import BOTTOM, TOP, MapScale
from memory.models import PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import create_facts, find_elements, get_page, htmx_headers, learn_fact, visible_text

pytestmark = pytest.mark.django_db


def dots(response: Any) -> list[tuple[str, float, float]]:
    """(kind, x in per cent, y in pixels) of the dots on the map."""
    found = re.findall(
        r'<a class="([\w-]+)" [^>]*><title>.*?class="dot" cx="([\d.]+)%" cy="([\d.]+)"', response.content.decode()
    )
    return [(kind, float(x), float(y)) for kind, x, y in found]


def test_it_works(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=2)
    for days, key in enumerate(("a", "b", "c")):
        learn_fact(key, "x", now=now - timedelta(days=20 * days))
    response = get_page(operator)
    drawn = sorted(dots(response), key=lambda dot: dot[1])
    assert [kind for kind, _, _ in drawn] == ["in", "in", "out"]
    assert len({y for _, _, y in drawn}) == 1, "all are equally sure"
    assert find_elements(response, "a", class_="out", href="/dashboard/facts/one?key=c")
    assert "b: x 0.72, confirmed 2 weeks ago" in response.content.decode()


def test_the_cut_off_is_a_straight_line_between_in_and_out(
    operator: Client, now: datetime, configure: Configure
) -> None:
    """importance = weight x exp(-age / half-life): with the half-life that is set, equal importances lie on it."""
    configure(memory__facts__max_injected=2, memory__facts_importance__halflife_days=30)
    for days, sure, key in ((0, 0.5, "a"), (10, 0.9, "b"), (30, 0.9, "c"), (5, 0.4, "d")):
        learn_fact(key, "x", now=now - timedelta(days=days), confidence=sure)
    response = get_page(operator)
    line = find_elements(response, "line", class_="cut-line")[0]
    x1, y1, x2, y2 = (float(line[name].rstrip("%")) for name in ("x1", "y1", "x2", "y2"))
    for kind, x, y in dots(response):
        on_line = y1 + (y2 - y1) * (x - x1) / (x2 - x1)
        assert (kind == "in") == (y < on_line), "above it is in the prompt"


def test_weights_are_logarithms() -> None:
    scale = MapScale.of(np.array([0.0, 40.0]), np.array([0.5, 2.0]), 60)
    half, one, two = scale.y(np.log(np.array([0.5, 1.0, 2.0])))
    assert BOTTOM > half > one > two > TOP
    assert half - one == pytest.approx(one - two)


def test_many_facts_are_counted_in_cells(operator: Client, now: datetime) -> None:
    create_facts(DOTS_AT_MOST, now=now)
    assert len(dots(get_page(operator))) == DOTS_AT_MOST
    learn_fact("one.more", "x", now=now)
    response = get_page(operator)
    assert dots(response) == []
    counts = re.search(r'<g class="mid counts">(.*?)</g>', response.content.decode(), re.DOTALL)
    assert counts is not None
    assert sum(map(int, re.findall(r">(\d+)</text>", counts[1]))) == DOTS_AT_MOST + 1


def test_the_room_says_which_cap_bites(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=2)
    create_facts(3, now=now)
    text = visible_text(get_page(operator))
    assert "Facts 2 of 2 full: this one bites" in text
    assert "Kept 0 of 1 half of the room at most" in text
    assert "Next to leave: note.0001: thing 0001" in text
    configure(memory__facts__max_injected=30, memory__facts__max_chars=80)
    assert "of 80 full: this one bites" in visible_text(get_page(operator))
    configure(memory__facts__max_chars=2048)
    assert "All fit: none is about to leave." in visible_text(get_page(operator))


def test_by_message_the_map_says_what_is_different(operator: Client, now: datetime, configure: Configure) -> None:
    configure(memory__facts__selection="mixed")
    create_facts(40, now=now)
    response = get_page(operator)
    kinds = [kind for kind, _, _ in dots(response)]
    assert (kinds.count("in"), kinds.count("by-message"), kinds.count("out")) == (10, 30, 0)
    assert "10 are in every prompt, and each message brings in about 20 more" in visible_text(response)


def test_kept_facts_come_first_and_have_a_ring(operator: Client, now: datetime) -> None:
    learn_fact("a", "new", now=now)
    learn_fact("b", "old", now=now - timedelta(days=50)).keep(now=now)
    response = get_page(operator)
    text = visible_text(response)
    assert text.rindex("b: old") < text.rindex("a: new")
    assert len(find_elements(response, "circle", class_="ring")) == 2, "on the map, and in its legend"
    assert "Kept 1 of 15" in text
    assert find_elements(response, "a", href="/dashboard/facts?only=kept", class_="chip")


def test_the_map_stays_folded_without_script(operator: Client, now: datetime) -> None:
    learn_fact("a", "x", now=now)
    assert "open" in find_elements(get_page(operator), "details", id="facts-map")[0].attributes
    operator.post("/dashboard/facts/map", {"map": "folded"})
    assert "open" not in find_elements(get_page(operator), "details", id="facts-map")[0].attributes
    operator.post("/dashboard/facts/map", {"map": "open"})
    assert "open" in find_elements(get_page(operator), "details", id="facts-map")[0].attributes


@pytest.mark.parametrize(
    ("address", "order"),
    [
        ("/dashboard/facts?sort=name", ["a", "b", "c"]),
        ("/dashboard/facts?sort=confirmed", ["c", "a", "b"]),
        ("/dashboard/facts?sort=learned", ["a", "b", "c"]),
        ("/dashboard/facts?only=unsure", ["b"]),
        ("/dashboard/facts?only=yours", ["a"]),
        ("/dashboard/facts?only=below", ["c"]),
        ("/dashboard/facts?only=nonsense&sort=nonsense", ["a", "b", "c"]),
    ],
)
def test_lists_are_sorted_and_filtered(
    operator: Client, now: datetime, configure: Configure, address: str, order: list[str]
) -> None:
    configure(memory__facts__max_injected=2)
    learn_fact("c", "x", now=now - timedelta(days=9), confidence=0.7)
    learn_fact("b", "x", now=now - timedelta(days=8), confidence=0.6)
    learn_fact("a", "x", now=now - timedelta(days=7)).edit("y", now=now - timedelta(days=5))
    PersonalFact.objects.get(key="b").edit("z", now=now - timedelta(days=6))
    learn_fact("b", "x", now=now - timedelta(days=5, hours=12), confidence=0.6)
    learn_fact("c", "x", now=now - timedelta(days=4), confidence=0.7)
    labels = [link.attributes.get("aria-label", "") for link in find_elements(get_page(operator, address), "a")]
    assert [label[-1] for label in labels if label.startswith("Edit fact")] == order


def test_a_change_in_a_row_brings_that_row_and_the_numbers(operator: Client, now: datetime) -> None:
    create_facts(60, now=now)
    fact = PersonalFact.objects.get(key="note.0007")
    headers = htmx_headers("/dashboard/facts") | {"HX-Target": f"fact-row-{fact.pk}"}
    response = operator.post("/dashboard/facts/edit?key=note.0007", {"value": "b", "seen": fact.value}, headers=headers)
    assert response["HX-Retarget"] == f"#fact-row-{fact.pk}"
    assert [row["id"] for row in find_elements(response, "tr")] == [f"fact-row-{fact.pk}"]
    swapped = {one["id"] for one in find_elements(response) if "hx-swap-oob" in one.attributes}
    assert swapped == {"facts-total", "facts-chips", "facts-drawing", "facts-room", "status"}
    assert "yours 1" in visible_text(response), "the chips count anew"
    assert len(find_elements(response, "circle", **{"class": "dot"})) == 60, "and so does the map"
    gone = operator.post("/dashboard/facts/delete", {"key": "note.0007"}, headers=headers)
    assert not find_elements(gone, "tr")
    assert "59 facts" in visible_text(gone)


def test_only_the_rows_of_the_page_are_made_objects(operator: Client, now: datetime) -> None:
    made: list[object] = []

    def count(**values: object) -> None:
        made.append(values["instance"])

    create_facts(1000, now=now)
    post_init.connect(count, sender=PersonalFact)
    try:
        with CaptureQueriesContext(connection) as few:
            get_page(operator)
        assert len(made) == 50 + 30, "those of the page, and those of the prompt for the head"
        create = len(few)
        made.clear()
        get_page(operator, "/dashboard/preview?message=thing")
        assert len(made) <= 128 + 30, "as many as the preview lists"
    finally:
        post_init.disconnect(count, sender=PersonalFact)
    PersonalFact.objects.filter(key__gt="note.0039").delete()
    with CaptureQueriesContext(connection) as many:
        get_page(operator)
    assert len(many) == create, "a thousand facts take as many queries as forty"


def test_a_page_of_fifty_rows_stays_small(operator: Client, now: datetime) -> None:
    create_facts(1000, now=now, namespaces=[f"space{number}" for number in range(30)])
    assert len(get_page(operator).content) < 60_000

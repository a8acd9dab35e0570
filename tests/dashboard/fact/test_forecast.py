"""What will become of a fact's place in the prompt: all facts age alike, so only others can push it out."""

import math
from datetime import datetime, timedelta

import pytest

from dashboard.fact.importance_chart import HEIGHT, ImportanceChart, draw_importance_chart
from dashboard.shared.needs.forecast import PromptForecast, count_newer_needed, read_forecast
from dashboard.shared.prompt_budget import PromptBudget
from memory.models import PersonalFact
from tests.conftest import Configure
from tests.dashboard.helpers import learn_fact

pytestmark = pytest.mark.django_db


def outlook(key: str, now: datetime) -> PromptForecast:
    standings = PersonalFact.objects.standings(now)
    at = standings.position_of(key)
    assert at is not None
    budget = PromptBudget.of(PersonalFact.objects.by_importance(now))
    return read_forecast(standings, at, is_put_in=not budget.leaves_out(at), now=now)


def chart(key: str, now: datetime) -> ImportanceChart:
    standings, seen = PersonalFact.objects.standings(now), outlook(key, now)
    at = seen.place - 1
    return draw_importance_chart(standings, at, seen, places=30, halflife_days=60, now=now)


def test_it_works(now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=3)
    learn_fact("a", "x", now=now)
    learn_fact("b", "x", now=now - timedelta(days=10))
    seen = outlook("b", now)
    assert (seen.place, seen.total, seen.is_put_in) == (2, 2, True)
    assert (seen.newer_needed, seen.is_counted) == (2, True), "a, one newer, then this one still fits"
    assert seen.learned_lately == 1
    assert seen.leaves_at == now + timedelta(days=60), "two more, at one in 30 days"


@pytest.mark.parametrize("days", [0, 30, 365, 3650])
def test_time_alone_moves_no_fact_past_another(now: datetime, days: int) -> None:
    for number, (age, confidence) in enumerate([(0, 0.3), (5, 1.0), (60, 0.9), (90, 1.0)]):
        learn_fact(f"k{number}", "x", now=now - timedelta(days=age), confidence=confidence)
    PersonalFact.objects.get(key="k2").edit("y", now=now - timedelta(days=50))
    order = [item.fact.key for item in PersonalFact.objects.by_importance(now)]
    later = [item.fact.key for item in PersonalFact.objects.by_importance(now + timedelta(days=days))]
    assert later == order


def test_characters_can_be_what_bounds_it(configure: Configure) -> None:
    heading, line = len("What you've told me:\n"), len("  - 0123456789\n")
    configure(memory__facts__max_chars=heading + 4 * line, memory__facts__max_injected=30)
    assert count_newer_needed(["0123456789"]) == 4
    assert count_newer_needed(["0123456789", "0123456789"]) == 3
    assert count_newer_needed(["0123456789"] * 4) == 1
    configure(memory__facts__max_injected=2)
    assert count_newer_needed(["0123456789"]) == 2


def test_a_fact_that_is_out_needs_nothing_to_push_it(now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=1)
    learn_fact("a", "x", now=now)
    learn_fact("b", "x", now=now - timedelta(days=1))
    seen = outlook("b", now)
    assert (seen.is_put_in, seen.newer_needed, seen.leaves_at) == (False, 0, None)


def test_nothing_learned_lately_pushes_nothing_out(now: datetime) -> None:
    learn_fact("b", "x", now=now)
    learn_fact("a", "x", now=now - timedelta(days=31))
    seen = outlook("b", now)
    assert (seen.learned_lately, seen.leaves_at) == (0, None)


def test_a_slow_pace_lasts_longer_than_the_year(now: datetime) -> None:
    learn_fact("a", "x", now=now)
    learn_fact("b", "x", now=now)
    assert outlook("b", now).learned_lately == 1
    assert outlook("b", now).leaves_at is None, "28 more at one in 30 days"


def test_what_was_brought_back_was_not_learned(now: datetime) -> None:
    deletion = learn_fact("a", "x", now=now - timedelta(days=40)).forget(now=now)
    assert deletion is not None
    PersonalFact.objects.restore(deletion, now=now)
    learn_fact("b", "x", now=now)
    assert outlook("b", now).learned_lately == 0


def test_edits_keep_newly_learned_facts_behind_for_a_while(now: datetime, configure: Configure) -> None:
    configure(memory__facts__max_injected=2)
    learn_fact("a", "x", now=now).edit("y", now=now)
    learn_fact("b", "x", now=now)
    seen = outlook("a", now)
    assert seen.safe_until is not None
    days = (seen.safe_until - now) / timedelta(days=1)
    assert days == pytest.approx(24.33, abs=0.01), "60 ln 1.5: then 1.5 has come down to 1"
    assert seen.leaves_at == seen.safe_until + timedelta(days=60)
    assert outlook("b", now).safe_until is None
    assert outlook("a", now + timedelta(days=25)).safe_until is None


def test_what_would_lift_it(now: datetime) -> None:
    learn_fact("a", "x", now=now, confidence=0.95)
    learn_fact("b", "x", now=now - timedelta(days=60), confidence=0.9)
    learn_fact("c", "x", now=now, confidence=0.92)
    seen = outlook("b", now)
    assert (seen.said_again.importance, seen.said_again.place) == (pytest.approx(0.9), 3)
    assert (seen.edited.importance, seen.edited.place) == (1.5, 1)


def test_the_curve_falls_from_now_to_next_year(now: datetime) -> None:
    learn_fact("a", "x", now=now - timedelta(days=60))
    curve = chart("a", now)
    values = [milestone.importance for milestone in curve.milestones]
    assert values == pytest.approx([0.3679, 0.2231, 0.0807, 0.0177, 0.0008], abs=0.001)
    heights = [float(point.split(",")[1]) for point in curve.line.split()]
    assert heights == sorted(heights), "downwards"
    assert all(0 < height < HEIGHT for height in heights)
    assert curve.meets is None
    assert not curve.cut_off, "there is room for all"


@pytest.mark.parametrize("edits", [0, 1])
def test_the_two_lines_meet_when_it_may_fall_out(now: datetime, configure: Configure, edits: int) -> None:
    """Worked out by hand: a fact at place 1 of 2 with room for 2 leaves when two more were learned, one in 30 days."""
    configure(memory__facts__max_injected=2)
    learn_fact("a", "x", now=now)
    for number in range(edits):
        PersonalFact.objects.get(key="a").edit(f"y{number}", now=now)
    learn_fact("b", "x", now=now)
    seen, curve = outlook("a", now), chart("a", now)
    assert seen.leaves_at is not None
    assert curve.meets is not None
    days = (seen.leaves_at - now) / timedelta(days=1)
    assert days == pytest.approx(60 + 60 * math.log(1.5) * edits, abs=0.01) or not edits
    own, cut_off = (dict(point.split(",") for point in line.split()) for line in (curve.line, curve.cut_off))
    apart = {float(x): float(own[x]) - float(cut_off[x]) for x in own if x in cut_off}
    before = [gap for x, gap in apart.items() if x < float(curve.meets.x) - 0.7]
    after = [gap for x, gap in apart.items() if float(curve.meets.x) + 0.7 < x < 60]
    assert all(gap <= 0 for gap in before), "above the cut-off, which is higher up on the drawing"
    assert after
    assert all(gap > 0 for gap in after)


@pytest.mark.parametrize("edits", [0, 1, 5, 200])
def test_the_axis_has_few_round_numbers(now: datetime, edits: int) -> None:
    learn_fact("a", "x", now=now)
    for number in range(edits):
        PersonalFact.objects.get(key="a").edit(f"x{number}", now=now)
    ticks = chart("a", now).y_ticks
    assert 1 <= len(ticks) <= 5
    assert all(0 < float(tick.at) < HEIGHT for tick in ticks)
    assert max(len(tick.words) for tick in ticks) <= 3

"""The candidate line: where dots, threshold and labels lie, and that no dot lies on another on a telephone."""

import math

import pytest

from dashboard.shared.receipts.candidate_line import NARROWEST_PX, CandidateLine, Scale, draw, lanes_apart
from dashboard.shared.receipts.candidates import LeftOutBecause, RecallTerms, WeighedEpisode, judge
from memory.events import ContentRecall
from tests.dashboard.content_receipts import PARTS


def near(chat_id: int, cosine: float | None, *, reason: LeftOutBecause | None = None) -> WeighedEpisode:
    return WeighedEpisode(chat_id, f"Talk {chat_id}.", reason, cosine=cosine)


def line_of(*episodes: WeighedEpisode, terms: RecallTerms | None = None) -> CandidateLine:
    terms = terms or RecallTerms(lowest_similarity=0.25, places=2)
    line = draw(judge(episodes, terms), terms)
    assert line is not None
    return line


def test_it_works() -> None:
    """From 0.0 at 3 % to 0.4 at 97 %: 0.32 is 3 + 94 x 0.8 = 78.2 %, the threshold 0.25 is 61.75 %."""
    line = line_of(near(1, 0.32), near(2, 0.12, reason="below_threshold"))
    assert [(tick.x, tick.words) for tick in line.ticks] == [
        ("3.00", "0.0"),
        ("26.50", "0.1"),
        ("50.00", "0.2"),
        ("73.50", "0.3"),
        ("97.00", "0.4"),
    ]
    assert [(dot.candidate.number, dot.x) for dot in line.dots] == [(2, "31.20"), (1, "78.20")]
    assert (line.needed, line.needed_x, line.rest, line.needed_anchor) == ("0.25", "61.75", "35.25", "middle")
    assert line.standings == ["in", "out"]


def test_heights_are_those_of_three_lanes() -> None:
    """Lanes of 22 px above an axis at 18 + 3 x 22 + 10 = 94 px; the lowest dots stand 13 px above it."""
    line = line_of(near(1, 0.30), near(2, 0.31), near(3, 0.32), near(4, 0.05, reason="below_threshold"))
    assert (line.base, line.height) == (94, 128)
    assert {dot.candidate.number: dot.y for dot in line.dots} == {4: 81, 1: 81, 2: 59, 3: 37}


@pytest.mark.parametrize("width", [NARROWEST_PX, 310, 720])
@pytest.mark.parametrize("count", [1, 7, 13, 24, 60])
@pytest.mark.parametrize("spread", [0.0, 0.004, 0.02])
def test_no_dot_lies_on_another(width: int, count: int, spread: float) -> None:
    line = line_of(*(near(number, 0.3 + spread * number) for number in range(count)))
    places = [(float(dot.x) / 100 * width, dot.y) for dot in line.dots]
    assert len(places) == min(count, 24)
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            assert math.dist(one, other) >= 2 * line.size.radius
        assert one[1] - line.size.radius >= 18, "below the words of the threshold"


def test_many_near_each_other_are_small_dots_without_numbers() -> None:
    few, many = (line_of(*(near(number, 0.3) for number in range(count))) for count in (6, 7))
    assert few.size.has_number
    assert not many.size.has_number
    assert many.height < 7 * 22 + 52


def test_a_place_goes_into_the_lowest_lane_with_room() -> None:
    assert lanes_apart([10, 15, 18, 21, 40], 9) == [0, 1, 2, 0, 0]
    assert lanes_apart([], 9) == []


@pytest.mark.parametrize(
    ("values", "low", "high", "step"),
    [
        ([0.25], 0.0, 0.3, 0.1),
        ([0.4], 0.0, 0.5, 0.1),
        ([0.83], 0.0, 1.0, 0.2),
        ([-0.05, 0.3], -0.1, 0.4, 0.1),
        ([2.17], 0.0, 2.5, 0.5),
        ([0.0], 0.0, 0.1, 0.1),
        ([5.2], 0.0, 6.0, 1.0),
    ],
)
def test_the_axis_ends_above_the_best(values: list[float], low: float, high: float, step: float) -> None:
    scale = Scale.around(values)
    assert (scale.low, scale.high, scale.step) == pytest.approx((low, high, step))
    assert len(scale.ticks) <= 7


def test_an_axis_of_any_length_has_few_labels() -> None:
    assert len(Scale.around([731.0]).ticks) <= 7
    assert Scale.around([731.0]).high > 731


@pytest.mark.parametrize(("needed", "anchor"), [(0.01, "start"), (0.3, "middle"), (0.59, "end")])
def test_the_words_of_the_threshold_stay_inside(needed: float, anchor: str) -> None:
    terms = RecallTerms(lowest_similarity=needed)
    assert line_of(near(1, 0.55), terms=terms).needed_anchor == anchor


def test_in_mode_hybrid_the_axis_is_the_score_and_no_rule_is_drawn() -> None:
    content = ContentRecall(gate=0.61, gate_threshold=0.2)
    episode = WeighedEpisode(1, "We met.", None, cosine=0.4, score=1.88, parts=PARTS)
    line = line_of(episode, terms=RecallTerms(lowest_similarity=0.25, content=content, places=1))
    assert line.measure == "score in mode hybrid"
    assert line.needed_x == ""
    assert line.dots[0].x == f"{3 + 94 * 1.88 / 2:.2f}", "from 0 to 2"


def test_what_has_no_number_has_no_dot() -> None:
    terms = RecallTerms(lowest_similarity=0.25)
    unknown = [near(1, None, reason="too_old"), near(2, 0.9, reason="same_conversation")]
    assert draw(judge(unknown, terms), terms) is None
    line = line_of(near(3, 0.3), *unknown)
    assert [dot.candidate.episode.chat_id for dot in line.dots] == [3]
    assert line_of(near(3, 0.3), terms=RecallTerms()).needed_x == "", "an old receipt does not say what was needed"

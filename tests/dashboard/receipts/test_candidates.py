"""Candidates of a prompt: how each fared, by how much it missed, and the sentence above them."""

import pytest

from dashboard.shared.receipts.answers import Answer
from dashboard.shared.receipts.candidates import CandidateLists, RecallTerms, WeighedEpisode, judge
from dashboard.shared.receipts.head_lines import head_line
from memory import events
from memory.events import ContentRecall, ContextServed, LeftOut, NearMiss, ServedEpisode, ServedFact
from tests.dashboard.content_receipts import PARTS


def served(chat: int, *, cosine: float = 0.5, score: float = 0.4) -> ServedEpisode:
    return ServedEpisode(
        audit_log_id=chat,
        summary=f"Talk {chat}.",
        when="yesterday",
        cosine=cosine,
        freshness=0.9,
        recall_weight=1.0,
        score=score,
    )


def missed(chat: int, reason: events.MissReason, **numbers: float) -> NearMiss:
    return NearMiss(audit_log_id=chat, summary=f"Talk {chat}.", reason=reason, **numbers)  # type: ignore[arg-type]


def facts(count: int) -> list[ServedFact]:
    return [
        ServedFact(key=f"note.{n}", sentence="x", importance=1, freshness=1, confidence=1, edit_count=0)
        for n in range(count)
    ]


def test_it_works() -> None:
    receipt = ContextServed(
        facts=facts(30),
        episodes=[served(1, score=0.24), served(2, score=0.15)],
        near_misses=[
            missed(4, "below_threshold", cosine=0.24, short_by=0.0125),
            missed(3, "cap", cosine=0.26, score=0.14),
            missed(5, "too_old"),
        ],
    )
    answer = Answer.of(receipt)
    told = [(one.number, one.episode.chat_id, one.standing, one.because) for one in answer.lists.candidates]
    assert told == [
        (1, 1, "in", "close in meaning, recent"),
        (2, 2, "in", "close in meaning, recent"),
        (3, 3, "behind", "near enough, behind the best 2 by 0.01"),
        (4, 4, "out", "not near enough by 0.01"),
        (5, 5, "aside", "too old"),
    ]
    assert [(one.figure, one.needed) for one in answer.lists.missed] == [("0.14", "0.15"), ("0.24", "0.25")]
    assert answer.head == "2 conversations and 30 facts went in; 2 just missed, the nearest by 0.01."
    assert answer.line is not None
    assert answer.line.needed == "0.25", "worked out from what fell short of it"


@pytest.mark.parametrize(
    ("receipt", "head"),
    [
        (ContextServed(), "Nothing went in: there was nothing to remember."),
        (ContextServed(facts=facts(1)), "1 fact went in."),
        (ContextServed(episodes=[served(1)]), "1 conversation went in."),
        (ContextServed(facts=facts(2000)), "2,000 facts went in."),
        (
            ContextServed(facts=facts(2), near_misses=[missed(1, "below_threshold", cosine=0.2, short_by=0.05)]),
            "2 facts went in; 1 conversation just missed, by 0.05.",
        ),
        (
            ContextServed(near_misses=[missed(1, "below_threshold", cosine=0.2), missed(2, "cap")]),
            "Nothing went in; 2 conversations just missed.",
        ),
        (ContextServed(near_misses=[missed(1, "other_model")]), "Nothing went in: there was nothing to remember."),
        (
            ContextServed(facts=facts(3), left_out=[LeftOut(part="episodes", reason="switched off")]),
            "3 facts went in; past conversations were left out.",
        ),
        (
            ContextServed(
                left_out=[
                    LeftOut(part="facts", reason="off"),
                    LeftOut(part="episodes", reason="off"),
                    LeftOut(part="episodes", reason="again"),
                ]
            ),
            "Nothing went in; facts were left out; past conversations were left out.",
        ),
        (
            ContextServed(
                facts=facts(1),
                near_misses=[missed(1, "gate", score=1.1, short_by=0.04)],
                content_recall=ContentRecall(gate=0.08, gate_threshold=0.12),
            ),
            "1 fact went in; no conversation was near enough, the nearest reached 0.08 of 0.12.",
        ),
        (ContextServed(facts=facts(1), content_recall=ContentRecall()), "1 fact went in."),
    ],
)
def test_the_head_line_says_what_went_in(receipt: ContextServed, head: str) -> None:
    assert Answer.of(receipt).head == head


@pytest.mark.parametrize(("count", "head"), [(0, "Nothing goes in."), (1, "1 fact goes in."), (2, "2 facts go in.")])
def test_a_preview_says_what_goes_in(count: int, head: str) -> None:
    assert head_line([], RecallTerms(), facts=count, is_over=False) == head


def test_a_gap_that_two_digits_hide_has_four() -> None:
    receipt = ContextServed(
        episodes=[served(1, score=0.4)],
        near_misses=[
            missed(2, "below_threshold", cosine=0.2479, short_by=0.0021),
            missed(3, "cap", cosine=0.5, score=0.39999),
        ],
    )
    answer = Answer.of(receipt)
    behind, out = answer.lists.missed
    assert (out.because, out.figure, out.needed) == ("not near enough by 0.0021", "0.2479", "0.2500")
    assert behind.because == "near enough, behind the best 1 by less than 0.0001"


def test_in_mode_hybrid_the_score_decides_and_places_by_meaning_do_not_count() -> None:
    by_meaning = PARTS.model_copy(update={"by": "meaning"})
    near = [
        WeighedEpisode(1, "a", None, score=1.88, parts=PARTS),
        WeighedEpisode(2, "b", None, score=0.9, parts=by_meaning),
        WeighedEpisode(3, "c", "cap", score=1.33, parts=PARTS),
    ]
    content = ContentRecall(gate=0.6, gate_threshold=0.2)
    _, chosen, behind = judge(near, RecallTerms(content=content, places=2))
    assert (chosen.standing, chosen.at) == ("in", 0.9)
    assert behind.because == "near enough, behind the best 2 by 0.55"
    above = judge([*near[:2], WeighedEpisode(3, "c", "cap", score=1.95, parts=PARTS)], RecallTerms(places=2))[2]
    assert above.because == "near enough, behind the best 2", "meaning chose another: no gap of scores says why"


def test_a_setting_that_lets_none_in_says_so() -> None:
    (only,) = judge([WeighedEpisode(1, "a", "cap", cosine=0.5, score=0.4)], RecallTerms(places=0))
    assert only.because == "none is let in"


def test_another_list_calls_the_same_chats_by_the_same_numbers() -> None:
    near = [WeighedEpisode(chat, "x", None, score=1.0) for chat in (70, 50, 60)]
    candidates = judge(near, RecallTerms(), numbers={50: 1, 90: 2})
    assert [(one.episode.chat_id, one.number) for one in candidates] == [(70, 3), (50, 1), (60, 4)]


def test_lists_part_them_by_how_they_fared() -> None:
    near = [
        WeighedEpisode(1, "x", None),
        WeighedEpisode(2, "x", "cap"),
        WeighedEpisode(3, "x", "later"),
    ]
    lists = CandidateLists(judge(near, RecallTerms()))
    assert [[one.number for one in part] for part in (lists.taken, lists.missed, lists.aside)] == [[1], [2], [3]]

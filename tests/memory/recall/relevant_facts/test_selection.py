"""The facts of a prompt in the mode `mixed`: ten by importance, then up to twenty by what the message asks for."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count

import pytest

from caesar.conf import FactsSettings, SemanticSettings
from memory.events import FactRelevance
from memory.models import PersonalFact, RankedFact
from memory.recall.relevant_facts import (
    Candidates,
    Question,
    SelectedFact,
    ask,
    important_places,
    most_facts,
    preload,
    select,
)
from tests.memory.llm.scripted_embedder import ScriptedEmbedder, scripted_embedder

_models = count()


def ranked(now: datetime, *values: str) -> list[RankedFact]:
    """Facts by importance: `note.n0`, `note.n1`, ... with these values."""
    items = []
    for number, value in enumerate(values):
        said = now - timedelta(days=number)
        fact = PersonalFact(key=f"note.n{number}", value=value, first_seen_at=said, last_confirmed_at=said)
        items.append(RankedFact(fact, fact.importance(now, 0)))
    return items


def plain(number: int) -> list[str]:
    return [f"thing{at}" for at in range(number)]


def text(number: int, value: str) -> str:
    """What a fact is found by: the words of its key, and its sentence."""
    return f"note n{number}: note.n{number}: {value}"


def words_only(message: str) -> Question:
    return Question(message, "the embedder is off", time.monotonic())


@contextmanager
def meaning(**table: Sequence[float]) -> Iterator[ScriptedEmbedder]:
    """An embedder of its own, so that no vector is kept of another test."""
    semantic = {"model": f"scripted-{next(_models)}"}
    with scripted_embedder(table=table, **semantic) as embedder:
        yield embedder


def relevance(fact: SelectedFact) -> FactRelevance:
    assert fact.relevance is not None
    return fact.relevance


def keys(facts: Sequence[SelectedFact]) -> list[str]:
    return [fact.item.fact.key.removeprefix("note.") for fact in facts]


def test_it_works(now: datetime) -> None:
    facts = ranked(now, *plain(40), "a collie called Bowser")
    selection = select(Candidates(facts), words_only("What does Bowser eat?"), most=30)
    assert keys(selection.facts) == [f"n{at}" for at in range(10)] + ["n40"] + [f"n{at}" for at in range(10, 29)]
    assert [fact.by for fact in selection.facts] == ["importance"] * 10 + ["message"] + ["importance"] * 19
    assert relevance(selection.facts[10]).cosine is None
    assert relevance(selection.facts[10]).score == pytest.approx(0.6)
    assert selection.facts[0].relevance is None
    assert selection.words_alone == "the embedder is off"


def test_what_is_among_the_first_ten_stays_where_it_is(now: datetime) -> None:
    facts = ranked(now, *plain(5), "a collie called Bowser", *plain(40))
    selection = select(Candidates(facts), words_only("What does Bowser eat?"), most=30)
    assert keys(selection.facts)[:10] == [f"n{at}" for at in range(10)]
    assert selection.facts[5].by == "importance"


@pytest.mark.parametrize("message", ["", "thanks!", "quite another matter"])
def test_a_message_that_asks_for_nothing_leaves_it_to_importance(now: datetime, message: str) -> None:
    selection = select(Candidates(ranked(now, *plain(40))), words_only(message), most=30)
    assert keys(selection.facts) == [f"n{at}" for at in range(30)]
    assert {fact.by for fact in selection.facts} == {"importance"}


def test_what_is_equally_relevant_goes_by_importance(now: datetime) -> None:
    values = [*plain(12), "likes figs", "thing", "likes figs", "thing", "likes figs"]
    chosen = [
        keys(select(Candidates(ranked(now, *values)), words_only("Where do figs grow?"), most=30).facts) for _ in "ab"
    ]
    assert chosen[0] == chosen[1]
    assert chosen[0][10:15] == ["n12", "n14", "n16", "n10", "n11"]


@pytest.mark.parametrize("most", [0, 1, 9, 10, 11, 30])
def test_no_more_than_asked_for(now: datetime, most: int) -> None:
    selection = select(Candidates(ranked(now, *plain(40))), words_only("thing33"), most=most)
    assert len(selection.facts) == most
    assert ("n33" in keys(selection.facts)) == (most > 10)


def test_meaning_is_the_cosine_by_the_best_facts(now: datetime) -> None:
    facts = ranked(now, *plain(10), "far", "near", "middle", "against")
    vectors = {text(at, value): [0.0, 1.0] for at, value in enumerate(plain(10))}
    vectors |= {text(10, "far"): [0.2, 0.96**0.5], text(11, "near"): [0.8, 0.6], text(12, "middle"): [0.4, 0.84**0.5]}
    vectors |= {text(13, "against"): [-1.0, 0.0]}
    with meaning(**vectors, unlike=[1.0, 0.0]):
        selection = select(Candidates(facts), ask("unlike", semantic()), most=30)
    assert keys(selection.facts)[10:] == ["n11", "n12", "n10", "n13"]
    near, middle, far = map(relevance, selection.facts[10:13])
    assert (near.cosine, near.meaning, near.words) == (pytest.approx(0.8), pytest.approx(1.0), 0.0)
    assert (middle.cosine, middle.meaning) == (pytest.approx(0.4), pytest.approx(0.5))
    assert far.score == pytest.approx(0.25)
    assert selection.facts[13].by == "importance", "nothing speaks for it"
    assert selection.words_alone == ""


def semantic() -> SemanticSettings:
    return SemanticSettings(timeout_seconds=60)


def test_a_weak_best_is_not_blown_up(now: datetime) -> None:
    facts = ranked(now, *plain(10), "weak")
    vectors = {text(at, value): [0.0, 1.0] for at, value in enumerate(plain(10))} | {text(10, "weak"): [0.02, 1.0]}
    with meaning(**vectors, unlike=[1.0, 0.0]):
        selection = select(Candidates(facts), ask("unlike", semantic()), most=30)
    assert relevance(selection.facts[10]).meaning == pytest.approx(0.4, abs=0.001), "0.02 / 0.05"


def test_scattered_words_do_not_push_out_what_is_meant(now: datetime) -> None:
    values = [*plain(10), "bridges", "retired"]
    message = "bridges " + " ".join(f"other{at}" for at in range(30))
    vectors = {text(at, value): [0.0, 1.0] for at, value in enumerate(values)} | {text(11, "retired"): [1.0, 0.0]}
    with meaning(**vectors, **{message: [1.0, 0.0]}):
        selection = select(Candidates(ranked(now, *values)), ask(message, semantic()), most=30)
    assert keys(selection.facts)[10:] == ["n11", "n10"]
    assert 0 < relevance(selection.facts[11]).words < 0.12, (
        "a thirtieth of the message stands there: a sixth of a fifth, times 0.6, at most"
    )


def test_meaning_and_words_add_up(now: datetime) -> None:
    values = [*plain(10), "bridges", "spans"]
    vectors = {text(at, value): [0.0, 1.0] for at, value in enumerate(plain(10))}
    vectors |= {text(10, "bridges"): [0.5, 0.75**0.5], text(11, "spans"): [1.0, 0.0], "bridges": [1.0, 0.0]}
    with meaning(**vectors):
        selection = select(Candidates(ranked(now, *values)), ask("bridges", semantic()), most=30)
    assert keys(selection.facts)[10:] == ["n10", "n11"]
    both = relevance(selection.facts[10])
    assert (both.meaning, both.words, both.score) == (pytest.approx(0.5), pytest.approx(0.6), pytest.approx(1.1))


def test_what_was_loaded_beforehand_is_not_embedded_in_a_turn(now: datetime) -> None:
    facts = Candidates(ranked(now, *plain(40)))
    with meaning() as embedder:
        assert preload(facts) == 40
        before = len(embedder.texts)
        selection = select(facts, ask("which thing?", semantic()), most=30)
    assert embedder.texts[before:] == ["which thing?"]
    assert selection.words_alone == ""


def test_few_facts_are_not_compared(now: datetime) -> None:
    with meaning(hello=[1.0, 0.0]) as embedder:
        question = ask("hello", semantic())
        selection = select(Candidates(ranked(now, *plain(10))), question, most=30)
    assert embedder.texts == ["hello"]
    assert keys(selection.facts) == [f"n{at}" for at in range(10)]


def test_a_fact_without_a_vector_goes_by_its_words(now: datetime) -> None:
    facts = ranked(now, *plain(40), "a collie called Bowser")
    with meaning(**{"And Bowser?": [1.0, 0.0]}):
        asked = ask("And Bowser?", semantic())
        late = Question(asked.message, asked.vectors, time.monotonic() - 1)
        selection = select(Candidates(facts), late, most=30)
    assert keys(selection.facts)[10] == "n40"
    assert selection.words_alone == "41 facts were not embedded in time; the next turns go on with it"


def test_a_key_is_found_by_its_words(now: datetime) -> None:
    said = ranked(now, *plain(12))
    said[11].fact.key, said[11].fact.value = "address.city", "Ghent"
    selection = select(Candidates(said), words_only("Which city is mine?"), most=30)
    assert selection.facts[10].item.fact.key == "address.city"


@pytest.mark.parametrize(
    ("selection", "max_injected", "most", "important"),
    [("importance", 30, 30, 30), ("importance", 100, 100, 100), ("mixed", 30, 30, 10), ("mixed", 12, 12, 10)]
    + [("mixed", 4, 4, 4), ("mixed", 100, 30, 10), ("mixed", 0, 0, 0)],
)
def test_the_places_in_a_prompt(selection: str, max_injected: int, most: int, important: int) -> None:
    facts = FactsSettings.model_validate({"selection": selection, "max_injected": max_injected})
    assert (most_facts(facts), important_places(facts)) == (most, important)


@pytest.mark.parametrize("written", ["mixed", "Mixed", "MIXED"])
def test_the_setting_is_read_in_any_case(written: str) -> None:
    assert FactsSettings.model_validate({"selection": written}).selection == "mixed"


def kept(items: Sequence[RankedFact], now: datetime, *places: int) -> list[RankedFact]:
    """These facts in a prompt's order, those at these places kept."""
    for place in places:
        items[place].fact.kept_at = now
    return [*(items[at] for at in places), *(item for at, item in enumerate(items) if at not in places)]


def test_kept_facts_come_first_and_take_places_of_the_most_important(now: datetime) -> None:
    facts = kept(ranked(now, *plain(39), "a collie called Bowser"), now, 30, 35)
    selection = select(Candidates(facts), words_only("What does Bowser eat?"), most=30)
    assert keys(selection.facts)[:11] == ["n30", "n35", *(f"n{at}" for at in range(8)), "n39"]
    assert [fact.by for fact in selection.facts][:11] == ["kept"] * 2 + ["importance"] * 8 + ["message"]


def test_more_than_ten_kept_facts_leave_the_rest_to_the_message(now: datetime) -> None:
    facts = kept(ranked(now, *plain(39), "a collie called Bowser"), now, *range(20, 32))
    selection = select(Candidates(facts), words_only("What does Bowser eat?"), most=30)
    assert [fact.by for fact in selection.facts][:13] == ["kept"] * 12 + ["message"]
    assert len(selection.facts) == 30

"""Facts carry the words they were said in; a claim with words that were not said waits (decision 27)."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from memory.events import Message
from memory.learning.extraction import EXTRACTION, parse_answer
from memory.models import AuditRow, PersonalFact, WaitingFact
from tests.memory.learning.loop_helpers import Clock, event_types, record_chat, run
from tests.turns import assistant, record_turn, user

pytestmark = pytest.mark.django_db


def learn(clock: Clock, said: str | list[Message], *entries: dict[str, Any]) -> Any:
    """Have a chat read with this answer; the run's tally."""
    if isinstance(said, str):
        record_chat(said, now=clock.now)
    else:
        record_turn(said, "I see.", now=clock.now)
    tally, _ = run(clock, json.dumps(list(entries)))
    return tally


def beans(**more: Any) -> dict[str, Any]:
    return {"key": "dog.name", "value": "Beans", "confidence": 0.9} | more


def payload(event: str) -> dict[str, Any]:
    found: dict[str, Any] = AuditRow.objects.filter(event_type=f"memory.fact.{event}").latest("id").payload
    return found


def test_it_works(clock: Clock) -> None:
    said = "Oh, and my dog's name is Beans."
    learn(clock, said, beans(quote="my dogs name is Beans"))
    added = payload("added")
    assert said[added["start"] : added["end"]] == added["quote"] == "my dog's name is Beans"
    assert added["message"] == 0
    assert not WaitingFact.objects.exists()


def test_the_records_form_without_quotes_is_applied_as_it_stands(clock: Clock) -> None:
    learn(clock, "my dog's name is Beans", beans(), {"key": "home.mood", "value": "calm", "confidence": 0.5})
    assert set(PersonalFact.objects.values_list("key", flat=True)) == {"dog.name", "home.mood"}
    rows = {row.fact_key: row.payload for row in AuditRow.objects.filter(event_type="memory.fact.added")}
    assert rows["dog.name"]["quote"] == "Beans", "it was looked for"
    assert "quote" not in rows["home.mood"], "and not found"


@pytest.mark.parametrize("quote", ["", "  ", "...", None, 7, {}])
def test_a_quote_that_is_none_counts_as_left_out(clock: Clock, quote: object) -> None:
    learn(clock, "my dog's name is Beans", beans(quote=quote))
    assert event_types() == ["added"]


def test_a_quote_that_was_not_said_sends_the_claim_to_review(clock: Clock) -> None:
    tally = learn(clock, "What is a good name for a dog?", beans(quote="my dog is called Beans"))
    assert not PersonalFact.objects.exists()
    assert event_types() == ["waiting"]
    waiting = WaitingFact.objects.get()
    assert (waiting.key, waiting.value, waiting.quote) == ("dog.name", "Beans", "my dog is called Beans")
    assert waiting.source_audit_id == AuditRow.objects.get(event_type="chat.completed").pk
    assert tally.counts["waiting"] == 1
    assert not PersonalFact.objects.for_prompt(clock.now)


@pytest.mark.parametrize(
    "messages",
    [
        [user("Name my dog"), assistant("Your dog is called Beans"), user("Thanks, what else?")],
        [user("My dog is called Beans"), assistant("Nice."), user("What should I feed him?")],
    ],
    ids=["the assistant said it", "it was heard before"],
)
def test_words_of_the_assistant_and_words_heard_before_prove_nothing(clock: Clock, messages: list[Message]) -> None:
    record_turn(messages[:1], "Nice.", now=clock.now - timedelta(minutes=5))
    run(clock, "[]")
    learn(clock, messages, beans(quote="dog is called Beans"))
    assert not PersonalFact.objects.exists()
    assert WaitingFact.objects.count() == 1


def test_the_same_claim_waits_once(clock: Clock) -> None:
    for number in range(3):
        learn(
            clock, f"Dogs, number {number}", beans(quote=f"words {number}", value=["Beans", "beans ", "BEANS"][number])
        )
    assert WaitingFact.objects.count() == 1
    assert event_types() == ["waiting"]
    learn(clock, "Dogs once more", beans(quote="other words", value="Waffles"))
    assert WaitingFact.objects.count() == 2


def test_a_claim_that_is_said_after_all_waits_no_longer(clock: Clock) -> None:
    learn(clock, "Dogs", beans(quote="not said"))
    clock.forward(minutes=1)
    learn(clock, "my dog's name is Beans", beans(quote="my dog's name is Beans"))
    assert event_types() == ["waiting", "added"]
    assert not WaitingFact.objects.open().exists()


def test_what_is_believed_already_does_not_wait(clock: Clock) -> None:
    learn(clock, "my dog's name is Beans", beans())
    learn(clock, "Dogs again", beans(quote="not said"))
    assert event_types() == ["added"], "and it confirms nothing"


def test_older_evidence_does_not_wait(clock: Clock) -> None:
    PersonalFact.objects.add("dog.name", "Waffles", now=clock.now)
    record_turn([user("Dogs")], "ok", now=clock.now, occurred_at=clock.now - timedelta(days=1))
    run(clock, json.dumps([beans(quote="not said")]))
    assert not WaitingFact.objects.exists()


def test_a_secret_in_a_quote_is_kept_nowhere(clock: Clock) -> None:
    secret = "sk-ant-api03-AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjjKKKK"
    learn(clock, "Dogs", beans(quote=f"Beans, and my key is {secret}"))
    assert not WaitingFact.objects.exists()
    learn(clock, f"my dog is Beans, key {secret}", beans(quote="my dog is Beans, key [secret masked]"))
    assert secret not in json.dumps(payload("added"))


def test_an_update_and_a_confirmation_have_their_words(clock: Clock) -> None:
    learn(clock, "my dog's name is Beans", beans())
    clock.forward(minutes=1)
    learn(clock, "yes, my dog Beans!", beans(quote="my dog Beans"))
    assert payload("confirmed")["quote"] == "my dog Beans"
    clock.forward(minutes=1)
    learn(clock, "the dog is Waffles now", beans(value="Waffles", quote="dog is Waffles now"))
    assert payload("updated")["quote"] == "dog is Waffles now"


def test_what_has_ended_does_not_come_back_because_a_model_repeats_the_context(clock: Clock) -> None:
    portland = {"key": "address.city", "value": "Portland", "confidence": 0.9}
    learn(clock, "I live in Portland", portland)
    clock.forward(minutes=1)
    learn(clock, "I no longer live in Portland", {"key": "address.city", "ends": True, "quote": "no longer live in"})
    clock.forward(minutes=1)
    learn(clock, "What is the weather like?", portland)
    assert event_types() == ["added", "retired", "waiting"]
    assert PersonalFact.objects.get().retired_at is not None
    clock.forward(minutes=1)
    learn(clock, "I live in Portland again", portland)
    assert event_types()[-1] == "confirmed"
    assert not WaitingFact.objects.open().exists()


def test_nor_under_another_spelling_of_its_key(clock: Clock) -> None:
    chess = {"key": "hobby.board_games", "value": "chess", "confidence": 0.9}
    learn(clock, "I play chess", chess)
    clock.forward(minutes=1)
    learn(clock, "I gave up chess", {"key": "hobby.board_games", "ends": True, "quote": "gave up chess"})
    clock.forward(minutes=1)
    learn(clock, "What is the weather like?", chess | {"key": "hobbies.board-games"})
    assert event_types() == ["added", "retired", "waiting"]
    assert PersonalFact.objects.get().retired_at is not None


def test_an_answer_that_both_states_and_ends_a_key(clock: Clock) -> None:
    ends = {"key": "address.city", "ends": True, "value": "Portland", "quote": "no longer live in Portland"}
    portland = {"key": "address.city", "value": "Portland", "confidence": 0.9}
    learn(clock, "I live in Portland", portland)
    clock.forward(minutes=1)
    learn(clock, "I no longer live in Portland", ends, portland)
    assert PersonalFact.objects.get().retired_at is not None, "the same value has ended"
    clock.forward(minutes=1)
    berlin = portland | {"value": "Berlin", "quote": "I live in Berlin now"}
    learn(clock, "I no longer live in Portland, no: I live in Berlin now", ends, berlin)
    assert (PersonalFact.objects.get().value, PersonalFact.objects.get().retired_at) == ("Berlin", None)


def test_the_request_names_what_ended_apart(clock: Clock) -> None:
    learn(clock, "my dog's name is Beans", beans())
    PersonalFact.objects.add("cat.name", "Tom", now=clock.now)
    clock.forward(minutes=1)
    learn(clock, "Beans died", {"key": "dog.name", "ends": True, "quote": "Beans died"})
    record_chat("What else?", now=clock.now)
    _, llm = run(clock, json.dumps([{"key": "dog.name", "ends": True, "quote": "What else"}]))
    document = json.loads(llm.requests[0]["messages"][-1]["content"])
    assert (document["known_keys"], document["ended_keys"]) == (["cat.name"], ["dog.name"])
    assert event_types().count("retired") == 1


def test_the_speakers_name_before_a_quote_does_no_harm(clock: Clock) -> None:
    learn(clock, "my dog's name is Beans", beans(quote="Operator: my dog's name is Beans"))
    assert event_types() == ["added"]


def test_three_attempts_are_told_apart_in_the_tally(clock: Clock) -> None:
    learn(clock, "my dog's name is Beans", beans())
    clock.forward(minutes=1)
    tally = learn(
        clock,
        "Beans died",
        {"key": "dog.name", "ends": True, "forget": True, "quote": "Beans died"},
        {"key": "cat.name", "ends": True, "quote": "Beans died"},
        {"key": 7, "ends": True},
    )
    assert (tally.counts["retired"], tally.counts["refused"], tally.counts["rejected"]) == (1, 1, 1)
    assert payload("retired")["asked"]


def test_what_is_interrupted_leaves_nothing(clock: Clock) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=clock.now)
    record_chat("Beans died, and I like figs", now=clock.now)
    chat = AuditRow.objects.get_queryset().chats().get()
    question = EXTRACTION.prepare(chat)
    assert question is not None
    ends = {"key": "dog.name", "ends": True, "quote": "Beans died"}
    said = [ends, {"key": "food.figs", "value": "figs"}, beans(value="Rex", quote="not said")]
    answer = parse_answer(json.dumps(said), question)
    with pytest.raises(KeyboardInterrupt), transaction.atomic():
        EXTRACTION.store(chat, answer, now=clock.now)
        assert PersonalFact.objects.retired().count() == WaitingFact.objects.count() == 1
        raise KeyboardInterrupt
    assert event_types() == ["user_added"]
    assert not WaitingFact.objects.exists()
    assert [item.fact.key for item in PersonalFact.objects.for_prompt(clock.now)] == ["dog.name"]


def test_a_key_that_another_tool_spelled_in_its_own_way_ends_too(clock: Clock) -> None:
    PersonalFact.objects.create(key="Dog.Name", value="Beans", first_seen_at=clock.now, last_confirmed_at=clock.now)
    clock.forward(minutes=1)
    learn(clock, "Beans died", {"key": "dog.name", "ends": True, "quote": "Beans died"})
    assert PersonalFact.objects.get().retired_at is not None


HISTORY = [user("Beans is no longer with us."), assistant("I am sorry."), user("What is a good name for a boat?")]


def test_words_of_an_unknown_time_end_nothing(clock: Clock) -> None:
    """They stand before an assistant's turn, and were never heard: nobody knows when they were said (decision 25)."""
    PersonalFact.objects.add("dog.name", "Beans", now=clock.now)
    clock.forward(minutes=5)
    learn(clock, HISTORY, {"key": "dog.name", "ends": True, "quote": "Beans is no longer with us"})
    assert PersonalFact.objects.get().retired_at is None
    learn(clock, HISTORY[0].content, {"key": "dog.name", "ends": True, "quote": "Beans is no longer with us"})
    assert PersonalFact.objects.get().retired_at is not None, "said anew by itself it does"


def test_a_quote_dates_its_claim(clock: Clock) -> None:
    """The newest message names a Tom, too: without the quote the older one would count as said now."""
    PersonalFact.objects.add("cat.name", "Nala", now=clock.now)
    clock.forward(minutes=5)
    said = [user("My cat's name is Tom."), assistant("Nice."), user("My dog's name is Tom.")]
    cat = {"key": "cat.name", "value": "Tom", "confidence": 0.9, "quote": "My cat's name is Tom."}
    dog = {"key": "dog.name", "value": "Tom", "confidence": 0.9, "quote": "My dog's name is Tom."}
    learn(clock, said, cat, dog)
    assert dict(PersonalFact.objects.values_list("key", "value")) == {"cat.name": "Nala", "dog.name": "Tom"}

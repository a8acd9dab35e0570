"""On the facts page: what waits is accepted, corrected or dropped; what ended is brought back."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from memory.actor import Actor, acting
from memory.models import ApiKey, AuditRow, PersonalFact, WaitingFact, undo
from memory.text import normalising
from memory.text.quotes import Quoted
from tests.dashboard.helpers import (
    HTMX,
    event_types,
    fact_url,
    find_elements,
    get_page,
    learn_fact,
    newest_row_id,
    record_chat,
    visible_text,
)
from tests.memory.models.fact_helpers import claim_that_waits, end

pytestmark = pytest.mark.django_db

BOTH = pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "plain"])


def accept_url(claim: WaitingFact) -> str:
    return f"/dashboard/facts/waiting/{claim.pk}/accept"


def drop_url(claim: WaitingFact) -> str:
    return f"/dashboard/facts/waiting/{claim.pk}/drop"


def test_it_works(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Rex", now=now)
    claim = claim_that_waits("dog.name", "Beans", now=now, quote="my dog is <b>Beans</b>")
    page = get_page(operator)
    text = visible_text(page)
    assert "Waiting for your review 1" in text
    assert "now: “Rex”" in text
    assert "Not your words: “my dog is <b>Beans</b>”" in text
    assert f"chat {claim.source_audit_id}" in text
    (field,) = find_elements(page, "input", id=f"claim-{claim.pk}")
    assert field["value"] == "Beans"
    assert find_elements(page, "label", for_=field["id"])
    assert find_elements(page, "button", formaction=drop_url(claim))
    assert "1 fact waits for your review" in visible_text(get_page(operator, "/dashboard/"))


def test_what_a_clients_model_suggested_says_so(operator: Client, now: datetime) -> None:
    key = ApiKey.objects.issue("kitchen tablet").row
    with acting(lambda: Actor.client(key.label, key.pk)):
        claim = WaitingFact.objects.suggest("cat.name", "Tom", now=now).claim
    assert claim
    text = visible_text(get_page(operator))
    assert "Suggested by kitchen tablet; no words of yours say so ·" in text
    assert "has ended" not in text
    operator.post(accept_url(claim), {"value": "Tom", "seen": ""})
    assert PersonalFact.objects.get().value == "Tom"
    undo(AuditRow.objects.get(event_type="memory.fact.user_added"), now=now)
    assert "Suggested by" not in visible_text(get_page(operator)), "it was the operator who had it wait again"
    assert "No words of yours say so ·" in visible_text(get_page(operator))


def test_nothing_waits_and_nothing_is_said_of_it(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Rex", now=now)
    page = get_page(operator)
    assert "Waiting for your review" not in visible_text(page)
    assert find_elements(page, "section", id="facts-waiting", hidden="")
    assert "No longer true" not in visible_text(page)
    assert "for your review" not in visible_text(get_page(operator, "/dashboard/"))


@BOTH
@pytest.mark.parametrize("value", ["Beans", "Bean"])
def test_a_claim_is_accepted_as_it_is_or_corrected(
    operator: Client, now: datetime, headers: dict[str, str], value: str
) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    before = newest_row_id()
    response = operator.post(accept_url(claim), {"value": value, "seen": ""}, headers=headers)
    assert response.status_code == (200 if headers else 302)
    text = visible_text(response if headers else get_page(operator))
    assert "Accepted dog.name." in text
    assert f"Your dog's name is {value}." in text
    assert "Waiting for your review" not in text
    assert event_types(after=before) == ["memory.fact.user_added"]
    if headers:
        assert find_elements(response, "section", id="facts-waiting", hx_swap_oob="true")


@BOTH
def test_a_claim_is_dropped_and_that_is_undone(operator: Client, now: datetime, headers: dict[str, str]) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    before = newest_row_id()
    response = operator.post(drop_url(claim), {"value": "Beans", "seen": ""}, headers=headers)
    page = response if headers else get_page(operator)
    assert "Dropped “Beans” for dog.name." in visible_text(page)
    undo = next(form["action"] for form in find_elements(page, "form") if "/undo" in form["action"])
    assert not WaitingFact.objects.open().exists()
    undone = operator.post(undo, headers=headers)
    assert "waits again" in visible_text(undone if headers else get_page(operator))
    assert WaitingFact.objects.open().get().value == "Beans"
    assert event_types(after=before) == ["memory.fact.user_dropped", "memory.fact.waiting"]
    operator.post(undo, headers=headers)
    assert len(event_types(after=before)) == 2, "undone twice, written once"


@BOTH
@pytest.mark.parametrize("verb", [accept_url, drop_url])
def test_a_second_browser_is_told_that_it_is_gone(
    operator: Client, now: datetime, headers: dict[str, str], verb: object
) -> None:
    assert callable(verb)
    claim = claim_that_waits("dog.name", "Beans", now=now)
    claim_that_waits("cat.name", "Tom", now=now)
    claim.accept(now=now)
    before = newest_row_id()
    response = operator.post(verb(claim), {"value": "Waffles", "seen": ""}, headers=headers)
    assert response.status_code == 404
    assert "accepted or dropped meanwhile" in visible_text(response)
    assert event_types(after=before) == []
    assert PersonalFact.objects.get().value == "Beans"
    if headers:
        assert find_elements(response, "section", id="facts-waiting", hx_swap_oob="true"), "and sees what still waits"


@BOTH
def test_a_fact_that_changed_meanwhile_is_shown_before_it_is_overwritten(
    operator: Client, now: datetime, headers: dict[str, str]
) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    learn_fact("dog.name", "Rex", now=now)
    refused = operator.post(accept_url(claim), {"value": "Bean", "seen": ""}, headers=headers)
    assert refused.status_code == 422
    assert "“Rex”" in visible_text(refused)
    (field,) = find_elements(refused, "input", id=f"claim-{claim.pk}")
    assert (field["value"], field["aria-invalid"]) == ("Bean", "true")
    seen = find_elements(refused, "input", name="seen")[0]["value"]
    operator.post(accept_url(claim), {"value": "Bean", "seen": seen}, headers=headers)
    assert PersonalFact.objects.get().value == "Bean"


@BOTH
@pytest.mark.parametrize(("typed", "message"), [("  ", "The value is empty"), ("x" * 501, "has 501 characters")])
def test_a_value_that_cannot_be_kept_is_refused_in_its_place(
    operator: Client, now: datetime, headers: dict[str, str], typed: str, message: str
) -> None:
    claim = claim_that_waits("dog.name", "Beans", now=now)
    response = operator.post(accept_url(claim), {"value": typed, "seen": ""}, headers=headers)
    assert response.status_code == 422
    assert message in visible_text(response)
    assert WaitingFact.objects.open().count() == 1


@BOTH
def test_what_ended_is_brought_back_by_one_button(operator: Client, now: datetime, headers: dict[str, str]) -> None:
    learn_fact("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    page = get_page(operator)
    assert "No longer true 1" in visible_text(page)
    assert not find_elements(page, "table"), "it is not among the facts"
    url = fact_url("fact-bring-back", "dog.name")
    assert find_elements(page, "form", action=url, hx_post=url)
    before = newest_row_id()
    response = operator.post(url, headers=headers)
    assert "dog.name is back." in visible_text(response if headers else get_page(operator))
    assert "holds already" in visible_text(operator.post(url, headers=HTMX))
    assert event_types(after=before) == ["memory.fact.user_added"]
    assert operator.post(fact_url("fact-bring-back", "nothing"), headers=headers).status_code == 404


def test_the_search_finds_what_ended(operator: Client, now: datetime) -> None:
    for key, value in (("dog.name", "Beans"), ("cat.name", "Tom")):
        learn_fact(key, value, now=now)
        end(key, now=now)
    text = visible_text(get_page(operator, "/dashboard/facts?q=beans"))
    assert "Your dog's name is Beans." in text
    assert "Tom" not in text


def test_past_facts_stand_last_and_are_marked(operator: Client, now: datetime) -> None:
    learn_fact("trip.next", "Rome", now=now).set_valid_until((now - timedelta(days=1)).date(), now=now)
    learn_fact("dog.name", "Beans", now=now - timedelta(days=50)).set_valid_until(now.date(), now=now)
    text = visible_text(get_page(operator))
    assert text.index("Beans") < text.index("Past by their own date") < text.index("Rome")
    assert "past: until 19 May 2026" in text
    assert "until 20 May 2026" in text
    assert "2 facts, 1 fits the prompt" in text


def test_the_page_of_an_ended_fact(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    end("dog.name", now=now, words="Beans died")
    page = get_page(operator, fact_url("fact", "dog.name"))
    text = visible_text(page)
    assert "No longer true · dog.name" in text
    assert "Beans died" in text
    assert find_elements(page, "form", action=fact_url("fact-bring-back", "dog.name") + "&at=fact")
    operator.post(fact_url("fact-bring-back", "dog.name") + "&at=fact")
    again = visible_text(get_page(operator, fact_url("fact", "dog.name")))
    assert "You brought back “Beans” after it had ended" in again


def test_the_page_of_a_fact_quotes_the_words_that_are_stored(operator: Client, now: datetime) -> None:
    chat = record_chat("Well,\nwe call him Beans. Beans is a good boy.", now=now)
    said = Quoted("we call him Beans", 0, 6, 23)
    PersonalFact.objects.learn([normalising.Claim("dog.name", "Beans", 1.0, said=said)], chat=chat, now=now)
    page = get_page(operator, fact_url("fact", "dog.name"))
    assert "<mark>we call him Beans</mark>. Beans is a good boy." in page.content.decode()
    AuditRow.objects.get_queryset().chats().sweep_away()
    swept = get_page(operator, fact_url("fact", "dog.name"))
    assert "<mark>we call him Beans</mark>" in swept.content.decode(), "kept with the fact, though its chat is gone"
    assert "no longer kept" in visible_text(swept)


def test_the_last_day_is_set_and_taken_away(operator: Client, now: datetime) -> None:
    learn_fact("trip.next", "Rome", now=now)
    url = fact_url("fact-date", "trip.next")
    page = get_page(operator, fact_url("fact", "trip.next"))
    assert find_elements(page, "form", action=url)
    assert operator.post(url, {"until": "2026-05-19"}).status_code == 302
    text = visible_text(get_page(operator, fact_url("fact", "trip.next")))
    assert "trip.next holds until 19 May 2026." in text
    assert "past : it held until 19 May 2026" in text
    assert "No: its last day is over." in text
    assert operator.post(url, {"until": "soon"}).status_code == 422
    operator.post(url, {"until": ""})
    assert PersonalFact.objects.get().valid_until is None
    assert operator.post(fact_url("fact-date", "nothing"), {"until": ""}).status_code == 404


def test_the_row_of_an_ending_and_of_a_drop_can_be_taken_back(operator: Client, now: datetime) -> None:
    learn_fact("dog.name", "Beans", now=now)
    end("dog.name", now=now)
    row = newest_row_id()
    page = get_page(operator, f"/dashboard/audit/{row}")
    assert find_elements(page, "form", action=fact_url("fact-bring-back", "dog.name"))
    drop = claim_that_waits("cat.name", "Tom", now=now).drop(now=now)
    page = get_page(operator, f"/dashboard/audit/{drop.pk}")
    assert find_elements(page, "form", action=f"/dashboard/facts/restore/{drop.pk}")


def test_the_fact_under_another_spelling_is_shown_and_changed(operator: Client, now: datetime) -> None:
    learn_fact("pet.dog_name", "Rex", now=now)
    claim = claim_that_waits("pets.dog-name", "Beans", now=now)
    page = get_page(operator)
    assert "now: “Rex”" in visible_text(page)
    (seen,) = (field["value"] for field in find_elements(page, "input", name="seen") if field["value"])
    operator.post(accept_url(claim), {"value": "Beans", "seen": seen})
    assert list(PersonalFact.objects.values_list("key", "value")) == [("pet.dog_name", "Beans")]

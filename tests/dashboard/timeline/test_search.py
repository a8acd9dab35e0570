"""The search of /dashboard/audit: while typing and by Enter, in the address, with the words marked where they stand."""

from datetime import datetime

import pytest
from django.http import HttpResponse
from django.test import Client

from dashboard.shared.highlights import Piece, excerpt, marked
from memory import events
from memory.models import AuditRow, PersonalFact
from tests.dashboard.page import elements, heard, page, words

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"
TYPING = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{TIMELINE}"}


def ids(response: HttpResponse) -> list[int]:
    return [int(item["id"].removeprefix("event-")) for item in elements(response, "li")]


def marks(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in pieces if piece.is_marked]


def test_it_works(operator: Client, now: datetime) -> None:
    beans = heard("My dog's name is Beans.", now=now)
    heard("hello", now=now)
    response = page(operator, f"{TIMELINE}?q=bea")
    assert ids(response) == [beans.pk]
    assert elements(response, "input", id="search")[0]["value"] == "bea"
    assert "My dog's name is Beans ." in words(response)
    assert len(elements(response, "mark")) == 1


def test_typing_brings_the_rows_alone_and_their_address(operator: Client, now: datetime) -> None:
    row = heard("My dog's name is Beans.", now=now)
    response = operator.get(f"{TIMELINE}?q=bea&day=&family=chats", headers=TYPING)
    assert not elements(response, "html")
    assert elements(response)[0].tag == "section"
    assert elements(response)[0]["id"] == "timeline"
    assert ids(response) == [row.pk]
    assert response["HX-Replace-Url"] == f"{TIMELINE}?family=chats&q=bea"
    assert "1 row" in words(response)
    assert elements(response, "output", id="timeline-found", hx_swap_oob="innerHTML")
    assert "Nothing found" in words(operator.get(f"{TIMELINE}?q=nowhere", headers=TYPING))


def test_the_form_works_by_itself_and_says_what_it_keeps(operator: Client, now: datetime) -> None:
    response = page(operator, f"{TIMELINE}?family=facts&type=memory.fact.added&fact=dog.name")
    form = elements(response, "form", id="timeline-search")[0]
    assert (form["method"], form["action"], form["hx-get"]) == ("get", TIMELINE, TIMELINE)
    kept = {field["name"]: field["value"] for field in elements(response, "input", type="hidden")}
    assert {"family": "facts", "type": "memory.fact.added", "fact": "dog.name"}.items() <= kept.items()
    assert elements(response, "button"), "Enter has a button for those without script"


def test_the_back_button_gets_a_whole_page(operator: Client, now: datetime) -> None:
    response = operator.get(f"{TIMELINE}?q=bea", headers=TYPING | {"HX-History-Restore-Request": "true"})
    assert elements(response, "html")


def test_chips_keep_the_search(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    chips = [chip["href"] for chip in elements(page(operator, f"{TIMELINE}?q=beans"), "a", class_="chip")]
    assert chips[:3] == [f"{TIMELINE}?q=beans", f"{TIMELINE}?family=chats&q=beans", f"{TIMELINE}?family=facts&q=beans"]


def test_receipts_are_searched_where_they_are_chosen(operator: Client, now: datetime) -> None:
    fact = events.ServedFact(key="dog.name", sentence="Beans.", importance=1, freshness=1, confidence=1, edit_count=0)
    receipt = AuditRow.objects.record(events.ContextServed(block="Beans.", facts=[fact]), now=now)
    chat = heard("Beans!", now=now)
    everything = page(operator, f"{TIMELINE}?q=beans")
    assert ids(everything) == [chat.pk]
    link = f"{TIMELINE}?family=served&q=beans"
    assert elements(everything, "a", href=link)
    assert ids(page(operator, link)) == [receipt.pk]
    assert receipt.pk in ids(page(operator, TIMELINE))


@pytest.mark.parametrize(
    "words_typed", ['"', "'", "OR", "a OR", "-x", "*", "(", "50%", "%00", "\\", "NEAR(", "x" * 500]
)
def test_nothing_one_types_is_an_error(operator: Client, now: datetime, words_typed: str) -> None:
    heard("hello", now=now)
    assert operator.get(TIMELINE, {"q": words_typed}).status_code == 200
    assert operator.get(TIMELINE, {"q": words_typed}, headers=TYPING).status_code == 200


def test_what_is_typed_is_text(operator: Client, now: datetime) -> None:
    response = operator.get(TIMELINE, {"q": "<b>bold</b>"})
    assert not elements(response, "b")
    assert "Nothing of this kind with “<b>bold</b>”." in words(response)


def test_a_chat_found_by_its_reply_shows_the_words_of_the_reply(operator: Client, now: datetime) -> None:
    heard(
        "What shall I do?", now=now, reply="First this. " * 30 + "Then turn the thermostat down. " + "Then that. " * 30
    )
    text = words(page(operator, f"{TIMELINE}?q=thermo"))
    assert "Then turn the thermostat down." in text
    assert "What shall I do?" not in text


def test_a_chat_found_in_other_letters_shows_its_beginning(operator: Client, now: datetime) -> None:
    heard("Ich mag Käse.", now=now)
    assert "“Ich mag Käse.”" in words(page(operator, f"{TIMELINE}?q=kase"))


def test_an_excerpt_keeps_words_whole_and_marks_them_all() -> None:
    text = "one " * 100 + "the beans are Beans again " + "two " * 100
    found = excerpt(text, "bean again", max_chars=80)
    assert marks(found) == ["beans", "Beans", "again"]
    whole = "".join(piece.text for piece in found)
    assert whole.startswith("…one")
    assert whole.endswith("two…")
    assert len(whole) <= 90
    assert excerpt(text, "nowhere", max_chars=80) == []
    assert excerpt("short beans", "beans", max_chars=80) == [Piece("short "), Piece("beans", is_marked=True)]
    assert "".join(piece.text for piece in excerpt("x" * 300 + "beans", "beans", max_chars=80)) == ""
    assert marks(excerpt("beans" + "x" * 300, "beans", max_chars=80)) == ["beans" + "x" * 75], "no word is endless"


def test_marks_stand_where_the_words_stand() -> None:
    assert marked("I live in Portland.", ["portland"])[1] == Piece("Portland", is_marked=True)
    assert marks(marked("coffee\nblack, please", ["Coffee black"])) == ["coffee\nblack"]
    assert marks(marked("Tom and Tomorrow", ["Tom"])) == ["Tom"]
    assert marks(marked("Tomorrow", ["Tom"])) == [], "a short word within a longer one is another word"
    assert marks(marked("Portlandish", ["Portland"])) == ["Portland"]
    assert marks(marked("a b c", ["a b", "b c"])) == ["a b c"], "what overlaps is one mark"
    pasted = "Tom and " * 20_000
    assert len(marks(marked(pasted, ["Tom"]))) == 500, "a page can still be shown"
    assert "".join(piece.text for piece in marked(pasted, ["Tom"])) == pasted
    assert "".join(piece.text for piece in marked("x (a+b) y", ["(a+b)", ""])) == "x (a+b) y"
    assert marked("", ["x"]) == []

"""The search of /dashboard/audit: while typing and by Enter, in the address, with the words marked where they stand."""

from datetime import datetime

import pytest
from django.http import HttpResponse
from django.test import Client

from dashboard.shared.highlights import TextSegment, highlight, search_snippet
from memory import events
from memory.models import AuditRow, PersonalFact
from tests.dashboard.helpers import find_elements, get_page, htmx_headers, record_chat, visible_text

pytestmark = pytest.mark.django_db

TIMELINE = "/dashboard/audit"
TYPING = htmx_headers(TIMELINE)


def ids(response: HttpResponse) -> list[int]:
    return [int(item["id"].removeprefix("event-")) for item in find_elements(response, "li")]


def marks(pieces: list[TextSegment]) -> list[str]:
    return [piece.text for piece in pieces if piece.is_marked]


def test_it_works(operator: Client, now: datetime) -> None:
    beans = record_chat("My dog's name is Beans.", now=now)
    record_chat("hello", now=now)
    response = get_page(operator, f"{TIMELINE}?q=bea")
    assert ids(response) == [beans.pk]
    assert find_elements(response, "input", id="search")[0]["value"] == "bea"
    assert "My dog's name is Beans ." in visible_text(response)
    assert len(find_elements(response, "mark")) == 1


def test_typing_brings_the_rows_alone_and_their_address(operator: Client, now: datetime) -> None:
    row = record_chat("My dog's name is Beans.", now=now)
    response = operator.get(f"{TIMELINE}?q=bea&day=&family=chats", headers=TYPING)
    assert not find_elements(response, "html")
    assert find_elements(response)[0].tag == "section"
    assert find_elements(response)[0]["id"] == "timeline"
    assert ids(response) == [row.pk]
    assert response["HX-Replace-Url"] == f"{TIMELINE}?family=chats&q=bea"
    assert "1 row" in visible_text(response)
    assert find_elements(response, "output", id="timeline-found", hx_swap_oob="innerHTML")
    assert "Nothing found" in visible_text(operator.get(f"{TIMELINE}?q=nowhere", headers=TYPING))


def test_the_form_works_by_itself_and_says_what_it_keeps(operator: Client, now: datetime) -> None:
    response = get_page(operator, f"{TIMELINE}?family=facts&type=memory.fact.added&fact=dog.name")
    form = find_elements(response, "form", id="timeline-search")[0]
    assert (form["method"], form["action"], form["hx-get"]) == ("get", TIMELINE, TIMELINE)
    kept = {field["name"]: field["value"] for field in find_elements(response, "input", type="hidden")}
    assert {"family": "facts", "type": "memory.fact.added", "fact": "dog.name"}.items() <= kept.items()
    assert find_elements(response, "button"), "Enter has a button for those without script"


def test_the_back_button_gets_a_whole_page(operator: Client, now: datetime) -> None:
    response = operator.get(f"{TIMELINE}?q=bea", headers=TYPING | {"HX-History-Restore-Request": "true"})
    assert find_elements(response, "html")


def test_chips_keep_the_search(operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    chips = [chip["href"] for chip in find_elements(get_page(operator, f"{TIMELINE}?q=beans"), "a", class_="chip")]
    assert chips[:3] == [f"{TIMELINE}?q=beans", f"{TIMELINE}?family=chats&q=beans", f"{TIMELINE}?family=facts&q=beans"]


def test_receipts_are_searched_where_they_are_chosen(operator: Client, now: datetime) -> None:
    fact = events.ServedFact(key="dog.name", sentence="Beans.", importance=1, freshness=1, confidence=1, edit_count=0)
    receipt = AuditRow.objects.record(events.ContextServed(block="Beans.", facts=[fact]), now=now)
    chat = record_chat("Beans!", now=now)
    everything = get_page(operator, f"{TIMELINE}?q=beans")
    assert ids(everything) == [chat.pk]
    link = f"{TIMELINE}?family=served&q=beans"
    assert find_elements(everything, "a", href=link)
    assert ids(get_page(operator, link)) == [receipt.pk]
    assert receipt.pk in ids(get_page(operator, TIMELINE))


@pytest.mark.parametrize(
    "words_typed", ['"', "'", "OR", "a OR", "-x", "*", "(", "50%", "%00", "\\", "NEAR(", "x" * 500]
)
def test_nothing_one_types_is_an_error(operator: Client, now: datetime, words_typed: str) -> None:
    record_chat("hello", now=now)
    assert operator.get(TIMELINE, {"q": words_typed}).status_code == 200
    assert operator.get(TIMELINE, {"q": words_typed}, headers=TYPING).status_code == 200


def test_what_is_typed_is_text(operator: Client, now: datetime) -> None:
    response = operator.get(TIMELINE, {"q": "<b>bold</b>"})
    assert not find_elements(response, "b")
    assert "Nothing of this kind with “<b>bold</b>”." in visible_text(response)


def test_a_chat_found_by_its_reply_shows_the_words_of_the_reply(operator: Client, now: datetime) -> None:
    record_chat(
        "What shall I do?", now=now, reply="First this. " * 30 + "Then turn the thermostat down. " + "Then that. " * 30
    )
    text = visible_text(get_page(operator, f"{TIMELINE}?q=thermo"))
    assert "Then turn the thermostat down." in text
    assert "What shall I do?" not in text


def test_a_chat_found_in_other_letters_has_them_marked(operator: Client, now: datetime) -> None:
    record_chat("Ich mag Käse.", now=now)
    assert "Ich mag <mark>Käse</mark>." in get_page(operator, f"{TIMELINE}?q=kase").content.decode()


def test_an_excerpt_keeps_words_whole_and_marks_them_all() -> None:
    text = "one " * 100 + "the beans are Beans again " + "two " * 100
    found = search_snippet(text, "bean again", max_chars=80)
    assert marks(found) == ["beans", "Beans", "again"]
    whole = "".join(piece.text for piece in found)
    assert whole.startswith("…one")
    assert whole.endswith("two…")
    assert len(whole) <= 90
    assert search_snippet(text, "nowhere", max_chars=80) == []
    assert search_snippet("short beans", "beans", max_chars=80) == [
        TextSegment("short "),
        TextSegment("beans", is_marked=True),
    ]
    assert "".join(piece.text for piece in search_snippet("x" * 300 + "beans", "beans", max_chars=80)) == ""
    assert marks(search_snippet("beans" + "x" * 300, "beans", max_chars=80)) == ["beans" + "x" * 75], (
        "no word is endless"
    )


def test_marks_stand_where_the_words_stand() -> None:
    assert highlight("I live in Portland.", ["portland"])[1] == TextSegment("Portland", is_marked=True)
    assert marks(highlight("coffee\nblack, please", ["Coffee black"])) == ["coffee\nblack"]
    assert marks(highlight("Tom and Tomorrow", ["Tom"])) == ["Tom"]
    assert marks(highlight("Tomorrow", ["Tom"])) == [], "a short word within a longer one is another word"
    assert marks(highlight("Portlandish", ["Portland"])) == ["Portland"]
    assert marks(highlight("a b c", ["a b", "b c"])) == ["a b c"], "what overlaps is one mark"
    pasted = "Tom and " * 20_000
    assert len(marks(highlight(pasted, ["Tom"]))) == 500, "a page can still be shown"
    assert "".join(piece.text for piece in highlight(pasted, ["Tom"])) == pasted
    assert "".join(piece.text for piece in highlight("x (a+b) y", ["(a+b)", ""])) == "x (a+b) y"
    assert highlight("", ["x"]) == []

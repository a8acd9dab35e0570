"""What the tests of all pages share.

First how they request a page and read its HTML, then how they write the rows it shows and read what a change wrote.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from memory import events
from memory.models import AuditRow, PersonalFact
from memory.text import normalising
from tests.turns import record_turn


def htmx_headers(page: str) -> dict[str, str]:
    """The headers that htmx sends from this page."""
    return {"HX-Request": "true", "HX-Current-URL": f"http://testserver{page}"}


HTMX = htmx_headers("/dashboard/facts")

HEAD_QUERIES = 9
"""The most that the head of a page asks for what needs the operator: in the transaction of a test it keeps nothing."""


def get_page(client: Client, path: str = "/dashboard/facts") -> Any:
    """The response for a page; fails the test unless it is a 200."""
    response = client.get(path)
    assert response.status_code == 200, path
    return response


def fact_url(name: str, key: str) -> str:
    """The address of this view for the fact with this key, written without the code under test."""
    return f"{reverse(name)}?{urlencode({'key': key})}"


@dataclass(frozen=True)
class Element:
    """A start tag."""

    tag: str
    attributes: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.words: list[str] = []
        self._drawings = 0
        self._is_tooltip = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._drawings += tag == "svg"
        self._is_tooltip = tag == "title" and self._drawings > 0
        if not self._is_tooltip:
            self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        self._drawings -= tag == "svg"
        self._is_tooltip = False

    def handle_data(self, data: str) -> None:
        if not self._is_tooltip:  # the title of a part of a drawing is not seen
            self.words.append(data)


def _read(response: HttpResponse) -> _Reader:
    reader = _Reader()
    reader.feed(response.content.decode())
    reader.close()
    return reader


def find_elements(response: HttpResponse, tag: str = "", **attributes: str) -> list[Element]:
    """The start tags with these attributes. `aria_label` stands for `aria-label`, `class_` for `class`."""
    wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    return [
        element
        for element in _read(response).elements
        if (not tag or element.tag == tag) and wanted.items() <= element.attributes.items()
    ]


def visible_text(response: HttpResponse) -> str:
    """The text of a response without its tags, as one line."""
    return " ".join(" ".join(_read(response).words).split())


def bars(response: HttpResponse) -> list[str]:
    """How long the bars of the importances in the table are."""
    table = response.content.decode().partition("<tbody")[2]
    return [element["width"] for element in find_elements(HttpResponse(table), "rect")]


def delete_form_url(client: Client, key: str) -> str:
    """Where the menu of a fact's row sends to, with the key that its button has."""
    page = get_page(client)
    assert find_elements(page, "summary", aria_label=f"More for {key}")
    button = find_elements(page, "button", form="facts-verbs", formaction="/dashboard/facts/delete", name="key")[0]
    assert button["hx-post"] == button["formaction"]
    assert find_elements(page, "form", id="facts-verbs", method="post")
    return fact_url("fact-delete", key)


def record_chat(said: str, *, now: datetime, reply: str = "I see.", decision_id: str | None = None) -> AuditRow:
    """Record a chat of one message, and return its row."""
    messages = [events.Message(role="user", content=said)]
    recorded = record_turn(messages, reply, now=now, decision_id=decision_id)
    return AuditRow.objects.get(pk=recorded.audit_log_id)


def learn_fact(
    key: str, value: str, *, now: datetime, confidence: float = 1.0, source: AuditRow | None = None
) -> PersonalFact:
    """Have a fact learned from a chat, by default from one that says so."""
    source = source or record_chat(f"{key} is {value}", now=now)
    PersonalFact.objects.learn([normalising.Claim(key, value, confidence)], chat=source, now=now)
    return PersonalFact.objects.get(key=key)


def create_facts(count: int, *, now: datetime, namespaces: Sequence[str] = ("note",)) -> None:
    """Facts without a chat, each a day older than the one before, their namespaces in turn: `note.0000`, ..."""
    PersonalFact.objects.bulk_create(
        PersonalFact(
            key=f"{namespaces[number % len(namespaces)]}.{number:04}",
            value=f"thing {number:04}",
            first_seen_at=now - timedelta(days=number),
            last_confirmed_at=now - timedelta(days=number),
        )
        for number in range(count)
    )


def event_types(*, after: int = 0) -> Sequence[str]:
    """The types of the events written after this row, in order."""
    return list(AuditRow.objects.filter(id__gt=after).order_by("id").values_list("event_type", flat=True))


def newest_row_id() -> int:
    """The id of the newest audit row."""
    return AuditRow.objects.order_by("-id").values_list("id", flat=True).first() or 0

"""Pages as tests read them: their elements, their text, and how htmx asks for them. And rows to look at."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from memory import chat, events
from memory.models import AuditRow, PersonalFact
from memory.text import normalising

HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/dashboard/facts"}


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

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def _read(response: HttpResponse) -> _Reader:
    reader = _Reader()
    reader.feed(response.content.decode())
    reader.close()
    return reader


def find_elements(response: HttpResponse, tag: str = "", **attributes: str) -> list[Element]:
    """The start tags with these attributes; `aria_label` stands for `aria-label`."""
    wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    return [
        element
        for element in _read(response).elements
        if (not tag or element.tag == tag) and wanted.items() <= element.attributes.items()
    ]


def visible_text(response: HttpResponse) -> str:
    """The text of a page, as one line."""
    return " ".join(" ".join(_read(response).words).split())


def delete_form_url(client: Client, key: str) -> str:
    """Where the page's own delete control of a fact sends to."""
    forms = [form for form in find_elements(get_page(client), "form") if form["action"] == fact_url("fact-delete", key)]
    assert [form["hx-post"] for form in forms] == [form["action"] for form in forms]
    return forms[0]["hx-post"]


def fact_url(name: str, key: str) -> str:
    """An address with its key, as the tests expect it."""
    return f"{reverse(name)}?{urlencode({'key': key})}"


def get_page(client: Client, path: str = "/dashboard/facts") -> Any:
    """A page, which must be there."""
    response = client.get(path)
    assert response.status_code == 200, path
    return response


def record_chat(said: str, *, now: datetime, reply: str = "I see.", decision_id: str | None = None) -> AuditRow:
    """A chat in which the operator said something."""
    messages = [events.Message(role="user", content=said)]
    recorded = chat.record(messages, reply, use=chat.MemoryUse(), now=now, decision_id=decision_id)
    return AuditRow.objects.get(pk=recorded.audit_log_id)


def learn_fact(
    key: str, value: str, *, now: datetime, confidence: float = 1.0, source: AuditRow | None = None
) -> PersonalFact:
    """A fact learned from a chat."""
    source = source or record_chat(f"{key} is {value}", now=now)
    PersonalFact.objects.learn([normalising.Claim(key, value, confidence)], chat=source, now=now)
    return PersonalFact.objects.get(key=key)


def event_types(*, after: int = 0) -> Sequence[str]:
    """The event types written after that row, in order."""
    return list(AuditRow.objects.filter(id__gt=after).order_by("id").values_list("event_type", flat=True))


def newest_row_id() -> int:
    """The id of the newest audit row."""
    return AuditRow.objects.order_by("-id").values_list("id", flat=True).first() or 0

"""What the tests of Django's admin share: its addresses, the words on a page, actions on rows."""

import html
import re

from django.http import HttpResponse
from django.test import Client

from memory import events
from memory.models import AuditRow

FACTS = "/admin/memory/personalfact/"
LOG = "/admin/memory/auditrow/"
CURSOR = "/admin/memory/extractcursor/"
KEYS = "/admin/memory/apikey/"


def rows(kind: type[events.Event]) -> list[AuditRow]:
    return list(AuditRow.objects.get_queryset().of_type(kind))


def text_of(response: HttpResponse) -> str:
    """What the page says, without markup."""
    return words_in(response.content.decode())


def words_in(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def action(operator: Client, page: str, name: str, *pks: object) -> str:
    response = operator.post(page, {"action": name, "_selected_action": [str(pk) for pk in pks]}, follow=True)
    assert response.status_code == 200
    return text_of(response)

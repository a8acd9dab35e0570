"""What the model asked of memory with its tool, in the receipt on the chat's page."""

from datetime import datetime

import pytest
from django.test import Client

from memory import events
from memory.events import FoundInMemory, MemorySearch
from memory.models import AuditRow
from tests.dashboard.helpers import get_page, record_chat, visible_text

pytestmark = pytest.mark.django_db


def test_it_works(operator: Client, now: datetime) -> None:
    found = [FoundInMemory(id="fact:home.lantern", text="Your lantern is <green>.")]
    asked = [MemorySearch(query="my <b>lantern</b>", since=now.date(), found=found), MemorySearch(query="a submarine")]
    AuditRow.objects.record(events.ContextServed(searches=asked), now=now, decision_id="t1")
    chat = record_chat("what colour is it?", now=now, decision_id="t1")
    text = visible_text(get_page(operator, f"/dashboard/audit/{chat.pk}"))
    assert "What the model asked memory itself" in text
    assert "“my <b>lantern</b>” from 20 May 2026 brought 1:" in text
    assert "Your lantern is <green>. fact:home.lantern" in text
    assert "“a submarine” brought nothing." in text

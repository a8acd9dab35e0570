"""Every page of Django's admin opens, and has nothing inline."""

import re
from datetime import datetime

import pytest
from django.test import Client

from memory.models import ApiKey, ExtractCursor, PersonalFact, SummariseCursor, WorkerHeartbeat
from tests.memory.admin.admin_helpers import CURSOR, FACTS, KEYS, LOG, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "page",
    [
        "personalfact/",
        "personalfact/add/",
        "auditrow/",
        "extractcursor/",
        "summarisecursor/",
        "workerheartbeat/",
        "apikey/",
        "apikey/add/",
    ],
)
def test_it_works(operator: Client, fact: PersonalFact, now: datetime, page: str) -> None:
    ExtractCursor.current(), SummariseCursor.current()
    WorkerHeartbeat.beat("memory.extract", now=now)
    ApiKey.objects.issue("kitchen tablet")
    response = operator.get(f"/admin/memory/{page}")
    assert response.status_code == 200
    assert "CAESAR memory" in text_of(response)


@pytest.mark.parametrize("page", [FACTS, f"{FACTS}add/", LOG, CURSOR, KEYS, f"{KEYS}add/"])
def test_no_page_has_anything_inline(operator: Client, fact: PersonalFact, page: str) -> None:
    page = operator.get(page).content.decode()
    assert not re.search(r"\son\w+=|\sstyle=|<style", page)
    assert not re.search(r"<script(?![^>]*\b(?:src|type=\"application/json\"))[^>]*>", page)


def test_the_queues_own_pages_stay(operator: Client) -> None:
    assert operator.get("/admin/django_q/schedule/").status_code == 200

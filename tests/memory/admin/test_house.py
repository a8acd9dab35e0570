"""Admin looks like the pages, and each row leads to its page and back."""

from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from memory.models import AuditRow, PersonalFact
from tests.dashboard.helpers import Element, find_elements, get_page, visible_text

pytestmark = pytest.mark.django_db


def links(client: Client, page: str) -> list[str]:
    return [element.attributes.get("href", "") for element in find_elements(get_page(client, page), "a")]


def body(client: Client, page: str = "/admin/") -> Element:
    return find_elements(get_page(client, page), "body")[0]


@pytest.mark.parametrize("page", ["/admin/", "/admin/memory/auditrow/"])
def test_it_follows_the_theme_of_the_pages(operator: Client, page: str) -> None:
    assert "theme-" not in body(operator, page)["class"]
    operator.post("/theme", {"theme": "dark"})
    assert "theme-dark" in body(operator, page)["class"].split()
    assert find_elements(get_page(operator, page), "form", action="/theme")


def test_its_own_login_follows_it_too(client: Client) -> None:
    client.post("/theme", {"theme": "light"})
    assert "theme-light" in body(client, "/admin/login/")["class"].split()


def test_times_have_twenty_four_hours(operator: Client, fact: PersonalFact) -> None:
    evening = datetime(2026, 5, 20, 20, 5, tzinfo=timezone.get_current_timezone())
    PersonalFact.objects.update(last_confirmed_at=evening)
    text = visible_text(get_page(operator, "/admin/memory/personalfact/"))
    assert "2026-05-20 20:05" in text
    assert "p.m." not in text


def test_a_fact_and_its_row_lead_to_each_other(operator: Client, fact: PersonalFact) -> None:
    page, row = f"/dashboard/facts/one?key={fact.key}", f"/admin/memory/personalfact/{fact.pk}/change/"
    assert row in links(operator, page)
    assert page in links(operator, row)


def test_an_event_and_its_row_lead_to_each_other(operator: Client, fact: PersonalFact) -> None:
    for pk in AuditRow.objects.values_list("pk", flat=True):
        page, row = f"/dashboard/audit/{pk}", f"/admin/memory/auditrow/{pk}/change/"
        assert row in links(operator, page)
        assert page in links(operator, row)


def test_the_pages_and_admin_lead_to_each_other(operator: Client) -> None:
    assert "/admin/" in links(operator, "/password")
    assert "/dashboard/" in links(operator, "/admin/")

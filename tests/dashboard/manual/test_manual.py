"""The documentation as pages: every document, links between them, pictures, and nothing that a page must not hold."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from dashboard.manual.documents import Document, document, documents

NAMES = [found.name for found in documents()]


def test_it_works(operator: Client) -> None:
    page = operator.get(reverse("manual"))
    assert page.status_code == 200
    assert "<h1" in page.content.decode()


@pytest.mark.parametrize("name", NAMES)
def test_every_document_is_a_page(operator: Client, name: str) -> None:
    html = operator.get(reverse("manual-page", args=[name])).content.decode()
    assert html.count("<h1") == 1
    assert f'href="{reverse("manual-page", args=[name])}" aria-current="page"' in html


@pytest.mark.parametrize("name", NAMES)
def test_every_link_and_picture_of_a_page_leads_somewhere(operator: Client, name: str) -> None:
    shown = document(name)
    assert shown is not None
    for address in re.findall(r'href="([^"]+)"', shown.html):
        if address.startswith(("http://", "https://")):
            continue
        path, _, anchor = address.partition("#")
        html = operator.get(path).content.decode() if path else shown.html
        assert f'id="{anchor}"' in html if anchor else html
    for source in re.findall(r'src="/static/([^"]+)"', shown.html):
        assert finders.find(source), source


def test_strangers_are_sent_to_the_login(client: Client, db: None) -> None:
    assert client.get(reverse("manual")).status_code == 302


def test_an_unknown_document_is_not_found(operator: Client) -> None:
    assert operator.get(reverse("manual-page", args=["secrets"])).status_code == 404


def test_links_lead_to_pages_and_files_without_one_are_text() -> None:
    html = Document("x", "x", "[a](README.md#top) [b](../memory/queue.py) [c](https://example.org) [d](#e)").html
    assert f'<a href="{reverse("manual-page", args=["README"])}#top">a</a>' in html
    assert "<span>b</span>" in html
    assert '<a href="https://example.org">c</a>' in html
    assert '<a href="#e">d</a>' in html


def test_html_in_a_document_is_text() -> None:
    assert "<script>" not in Document("x", "x", "<script>alert(1)</script>\n\na <b>b</b>").html


def test_headings_have_the_anchors_that_github_gives_them() -> None:
    assert 'id="the-way-of-a-page-v1chat"' in Document("x", "x", "## The way of a page: `/v1/chat`").html


def test_code_is_as_written_and_scrolls_by_keyboard() -> None:
    html = Document("x", "x", "```sh\ncurl -d '<b>'\n```").html
    assert html == '<pre tabindex="0" aria-label="Code"><code>curl -d &#x27;&lt;b&gt;&#x27;\n</code></pre>\n'

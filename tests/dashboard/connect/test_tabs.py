"""The tabs of Connect: what each client is told is what the documentation says."""

import html
import json
import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.test import Client

from tests.dashboard.connect.test_connect import CONNECT, KEYS, copied
from tests.dashboard.helpers import find_elements, get_page, visible_text

pytestmark = pytest.mark.django_db


def test_one_tab_is_open_and_they_are_one_group(operator: Client) -> None:
    tabs = find_elements(get_page(operator, CONNECT), "details", name="calls")
    assert len(tabs) == 6
    assert ["open" in tab.attributes for tab in tabs] == [True] + [False] * 5


def test_mcp_clients_are_told_what_the_documentation_says(operator: Client) -> None:
    documented = (Path(settings.BASE_DIR) / "docs" / "clients.md").read_text(encoding="utf-8")
    command = re.search(r"^claude mcp add .*$", documented, re.MULTILINE)
    block = re.search(r"```json\n(.*?\"mcpServers\".*?)```", documented, re.DOTALL)
    assert command
    assert block
    shown = copied(get_page(operator, CONNECT))[6:8]
    expected = [command[0], block[1]]
    with_own = [text.replace("http://127.0.0.1:8000", "http://testserver") for text in expected]
    with_own = [text.replace("caesar_...", "YOUR_KEY").strip() for text in with_own]
    assert [text.strip() for text in shown] == with_own
    assert json.loads(shown[1])["mcpServers"]["caesar"]["url"] == "http://testserver/mcp"


def test_a_new_key_that_may_not_read_says_so_beside_mcp(operator: Client) -> None:
    lacks = "This key cannot search"
    assert lacks in visible_text(operator.post(KEYS, {"label": "tablet"}))
    reading = {"label": "tablet", "limits": "1", "scopes": ["read"]}
    assert lacks not in visible_text(operator.post(KEYS, reading))


def test_librechat_is_told_what_the_documentation_says(operator: Client) -> None:
    documented = (Path(settings.BASE_DIR) / "docs" / "clients.md").read_text(encoding="utf-8")
    block = re.search(r"```yaml\n(endpoints:.*?)```", documented, re.DOTALL)
    assert block
    expected = block[1].replace("http://127.0.0.1:8000", "http://testserver").replace("caesar_...", "YOUR_KEY")
    shown = copied(get_page(operator, CONNECT))[4]
    assert yaml.safe_load(html.unescape(shown)) == yaml.safe_load(expected)


def test_open_webui_is_told_to_say_who_asks(operator: Client) -> None:
    shown = copied(get_page(operator, CONNECT))[3]
    lines = dict(line.split("=", 1) for line in shown.splitlines())
    assert lines == {
        "OPENAI_API_BASE_URL": "http://testserver/v1",
        "OPENAI_API_KEY": "YOUR_KEY",
        "ENABLE_FORWARD_USER_INFO_HEADERS": "true",
    }


def test_on_loopback_it_says_what_a_container_needs(operator: Client) -> None:
    local = operator.get(CONNECT, headers={"Host": "127.0.0.1"})
    assert "Clients in a container" in visible_text(local)
    assert "Clients in a container" not in visible_text(get_page(operator, CONNECT))
    manual = get_page(operator, "/dashboard/manual/clients")
    assert find_elements(manual, id="clients-in-a-container")


def test_the_tabs_stand_right_after_the_key_and_the_keys_in_use_below(operator: Client) -> None:
    for page in (get_page(operator, CONNECT), operator.post(f"{CONNECT}/keys", {"label": "phone"})):
        text = page.content.decode()
        assert text.index("Make a key" if b"new-key-title" not in page.content else "new-key-title") < text.index(
            "calls-title"
        )
        assert text.index("calls-title") < text.index("keys-title")

"""/v1/docs: every call and every shape of the OpenAPI document, readable and to be copied without script."""

import html
import json
import re
import shlex
from typing import Any

import pytest
from django.test import Client

from memory.api.reference import calls
from tests.conftest import ApiClient
from tests.dashboard.helpers import find_elements, get_page, visible_text

pytestmark = pytest.mark.django_db

DOCS = "/v1/docs"


@pytest.fixture
def document(client: Client) -> Any:
    return json.loads(client.get("/v1/openapi.json").content)


def test_it_works(client: Client, document: Any) -> None:
    page = get_page(client, DOCS)
    text = visible_text(page)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert f"{method.upper()} {path}" in text
            assert operation["summary"] in text
    for name in document["components"]["schemas"]:
        assert find_elements(page, "section", id=f"shape-{name}")


def test_every_link_inside_leads_somewhere(client: Client) -> None:
    page = get_page(client, DOCS)
    ids = [element["id"] for element in find_elements(page) if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    inside = [link["href"][1:] for link in find_elements(page, "a") if link.attributes.get("href", "").startswith("#")]
    assert set(inside) <= set(ids)


def test_it_has_a_language_a_heading_and_a_way_back(client: Client) -> None:
    page = get_page(client, DOCS)
    assert find_elements(page, "html")[0]["lang"] == "en"
    assert len(find_elements(page, "h1")) == 1
    assert find_elements(page, "a", href="/dashboard/connect")


def test_no_policy_is_weaker_for_it(client: Client) -> None:
    assert get_page(client, DOCS)["Content-Security-Policy"] == get_page(client, "/login")["Content-Security-Policy"]


def test_the_lines_for_the_shell_do_what_they_say(client: Client, api: ApiClient) -> None:
    page = get_page(client, DOCS).content.decode()
    lines = [html.unescape(text) for text in re.findall(r"<pre[^>]*data-copy[^>]*>(.*?)</pre>", page, re.S)]
    line = next(line for line in lines if '/v1/chat"' in line)
    command, quiet, address, *options = shlex.split(line.replace("\\\n", " "))
    assert (command, quiet, address) == ("curl", "-s", "http://testserver/v1/chat")
    body = options[options.index("-d") + 1]
    assert api.post("/v1/chat", json=json.loads(body)).status_code == 200


def test_a_quote_in_an_example_ends_no_quotes_of_the_shell() -> None:
    call = calls.Call("x", "POST", "/x", "X", [], [], [], json.dumps({"a": "it's"}), [], [])
    assert json.loads(shlex.split(f"echo '{call.example_line}'")[1]) == {"a": "it's"}


def test_what_a_field_may_be_is_said_in_words() -> None:
    schema = {
        "components": {
            "schemas": {
                "A": {
                    "required": ["x"],
                    "properties": {
                        "x": {
                            "anyOf": [{"$ref": "#/components/schemas/B"}, {"type": "null"}],
                            "description": "An `x`.",
                        },
                        "y": {"type": "array", "items": {"enum": ["on", "off"]}},
                    },
                }
            }
        }
    }
    (shape,) = calls.shapes(schema)  # type: ignore[arg-type]
    x, y = shape.fields
    assert ("".join(piece.text for piece in x.type), x.is_required) == ("B or null", True)
    assert [piece.shape for piece in x.type] == ["B", "", ""]
    assert [piece.text for piece in x.says if piece.is_code] == ["x"]
    assert ("".join(piece.text for piece in y.type), y.is_required) == ('list of "on" or "off"', False)

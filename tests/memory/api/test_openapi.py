"""The OpenAPI document and its page: open, local, and true."""

import re
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from tests.conftest import ApiClient
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.memory.models.fact_helpers import claim_that_waits

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(client: Client) -> dict[str, Any]:
    response = client.get("/v1/openapi.json")
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_it_lists_every_call(document: dict[str, Any]) -> None:
    calls = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert calls == {
        ("/v1/chat", "post"),
        ("/v1/chat/completions", "post"),
        ("/v1/responses", "post"),
        ("/v1/messages", "post"),
        ("/v1/messages/count_tokens", "post"),
        ("/v1/embeddings", "post"),
        ("/v1/models", "get"),
        ("/v1/models/{name}", "get"),
        ("/v1/memory/context", "post"),
        ("/v1/memory/chats", "post"),
        ("/v1/memory/facts", "get"),
        ("/v1/memory/facts/{key}", "get"),
        ("/v1/memory/facts/{key}", "put"),
        ("/v1/memory/facts/{key}", "delete"),
        ("/v1/memory/confirmed-facts/{key}", "post"),
        ("/v1/memory/kept-facts/{key}", "put"),
        ("/v1/memory/kept-facts/{key}", "delete"),
        ("/v1/audit/{audit_log_id}/undo", "post"),
        ("/v1/memory/waiting-facts", "get"),
        ("/v1/memory/waiting-facts/{waiting_id}/accept", "post"),
        ("/v1/memory/waiting-facts/{waiting_id}/drop", "post"),
        ("/v1/memory/episodes", "get"),
        ("/v1/memory/episodes/{audit_log_id}", "delete"),
        ("/v1/memory/episodes/{audit_log_id}/restore", "post"),
        ("/v1/memory/search", "get"),
        ("/v1/audit", "get"),
    }


def test_every_call_names_its_key_and_its_refusals(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for call in methods.values():
            assert call["security"] == [{"BearerKey": []}]
            assert {"401", "400" if path.startswith("/v1/messages") else "422"} <= set(call["responses"])
            assert call["description"]
    assert document["components"]["securitySchemes"]["BearerKey"]["scheme"] == "bearer"


def test_the_header_and_the_queries_are_documented(document: dict[str, Any]) -> None:
    chat = document["paths"]["/v1/chat"]["post"]
    assert [p["name"] for p in chat["parameters"]] == [
        "X-Memory",
        "X-Memory-Task",
        "X-Conversation-Id",
        "Idempotency-Key",
    ]
    audit = document["paths"]["/v1/audit"]["get"]
    assert [p["name"] for p in audit["parameters"]] == [
        "type",
        "fact",
        "chat",
        "decision",
        "conversation",
        "client",
        "q",
        "before",
        "limit",
    ]


def test_the_example_of_every_body_works(document: dict[str, Any], api: ApiClient, now: datetime) -> None:
    for path, methods in document["paths"].items():
        for method, call in methods.items():
            if "requestBody" not in call:
                continue
            reference = call["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            schema = document["components"]["schemas"][reference.rpartition("/")[2]]
            assert schema["examples"], f"{method} {path} shows no example"
            for example in schema["examples"]:
                waiting = claim_that_waits("dog.name", "Beans", now=now).pk if "waiting_id" in path else 0
                address = path.replace("{key}", "dog.name").replace("{waiting_id}", str(waiting))
                with scripted_embedder():
                    response = getattr(api, method)(address, json=example)
                assert response.status_code < 300, response.text


def test_every_reference_in_it_leads_somewhere(document: dict[str, Any]) -> None:
    for name in re.findall(r"#/components/schemas/(\w+)", str(document)):
        assert name in document["components"]["schemas"]


def test_its_page_needs_nothing_from_elsewhere(client: Client) -> None:
    response = client.get("/v1/docs")
    assert response.status_code == 200
    addresses = re.findall(r'(?:src|href)="([^"]+)"', response.content.decode())
    assert addresses
    assert all(re.match(r"/[^/]|/$|#", address) for address in addresses), addresses


def test_its_page_has_no_inline_script(client: Client) -> None:
    scripts = re.findall(r"<script[^>]*>", client.get("/v1/docs").content.decode())
    assert all("src=" in script or 'type="application/json"' in script for script in scripts)

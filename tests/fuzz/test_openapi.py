"""The API called with what its own OpenAPI document allows, and with what it does not.

No 5xx, and every status, content type and body is in the document. `FUZZ_EXAMPLES` in the environment sets how many
random requests each call gets of either kind, beside the systematic ones.
"""

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from schemathesis import Case, GenerationMode, Response
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi import checks as openapi_checks

from memory.api import api as product
from memory.events import Message
from memory.models import SCOPES, ApiKey, AuditRow, Embedded, EpisodeSummary, PersonalFact, WaitingFact
from tests.memory.llm.scripted_embedder import scripted_embedder
from tests.memory.models.fact_helpers import claim_that_waits
from tests.turns import record_turn

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "20"))

DOCUMENT: dict[str, Any] = json.loads(json.dumps(product.get_openapi_schema(), default=str))
CALLS = [f"{method.upper()} {path}" for path, methods in DOCUMENT["paths"].items() for method in methods]

ALWAYS = [
    not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.unsupported_method,
    openapi_checks.allow_header_conformance,
    openapi_checks.positive_data_acceptance,
]

GOOD_KEY = re.compile("[!-~]([ -~]{0,253}[!-~])?")
NOT_IN_A_SCHEMA = {"before", "occurred_at", "value", "key", "expected", "message", "messages[].content"} | {
    *("input", "input[]", "input[].content", "dimensions", "q", "since", "until")
}
"""Fields with rules that no schema can say: a cursor of ours, a time that has been, words that are not blank, the
length of an embedder's vectors."""


@pytest.fixture
def headers(db: None, now: datetime) -> dict[str, str]:
    """A good key, and something of everything that lists show."""
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    claim_that_waits("cat.name", "Tom", now=now)
    for days in range(3):
        at = now - timedelta(days=days)
        recorded = record_turn([Message(role="user", content=f"Hello {days}")], "Hi.", now=at)
        row = AuditRow.objects.get(pk=recorded.audit_log_id)
        EpisodeSummary.objects.summarise(row, f"We said hello {days}.", Embedded([1.0, 0.0], "m"), now=at)
    return {"Authorization": f"Bearer {ApiKey.objects.issue('fuzz', scopes=SCOPES).secret}"}


@pytest.fixture
def embedder() -> Iterator[None]:
    """An embedder, without which a call can give no vectors."""
    with scripted_embedder():
        yield


@pytest.fixture(autouse=True)
def _one_transaction() -> Iterator[None]:
    """The end of a request does not close the test's own connection; Django's test client sees to the same."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def schema() -> Any:
    """The document as schemathesis reads it, with the product itself to call."""
    load_all_checks()
    loaded = schemathesis.openapi.from_dict(DOCUMENT, config=SchemathesisConfig())
    loaded.app = get_wsgi_application()
    return loaded


class Fuzz:
    """Sends cases and collects what is wrong with their answers."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.headers = headers
        self.sent = 0
        self.accepted = 0

    def send(self, case: Case) -> None:
        """One request; a failed check raises. A good idempotency key becomes a new one, as the document asks for."""
        self.sent += 1
        if case.headers and GOOD_KEY.fullmatch(case.headers.get("Idempotency-Key", "")):
            case.headers["Idempotency-Key"] = f"fuzz {self.sent}"
        response = case.call(headers=self.headers)
        self.accepted += response.status_code < 300
        case.validate_response(response, headers=self.headers, checks=self._checks(case, response))

    @staticmethod
    def _checks(case: Case, response: Response) -> list[Any]:
        checks: list[Any] = [*ALWAYS]
        if response.status_code == 400 and case.operation.path.startswith("/v1/messages"):
            checks.remove(openapi_checks.positive_data_acceptance)  # their blocks have no schema here
        elif response.status_code == 422 and _field(response.json()["error"]["param"]) in NOT_IN_A_SCHEMA:
            checks.remove(openapi_checks.positive_data_acceptance)
        if case.operation.body and case.meta and not case.meta.generation.mode.is_positive:
            checks.append(openapi_checks.negative_data_rejection)
        return checks


def _field(param: str | None) -> str:
    """The place of a value without the numbers of its lists."""
    return re.sub(r"\[\d+\]", "[]", param or "")


def known(operation: Any) -> Case:
    """A good request for something that is there."""
    chat_id = EpisodeSummary.objects.values_list("audit_log_id", flat=True).first()
    if operation.label.endswith("/episodes/{audit_log_id}/restore"):
        for episode in EpisodeSummary.objects.filter(audit_log_id=chat_id):
            episode.forget(now=timezone.now())
    row_id = chat_id
    if operation.label.endswith("/audit/{audit_log_id}/undo"):
        for fact in PersonalFact.objects.filter(key="dog.name"):
            edited = fact.edit("Bowser", now=timezone.now())
            row_id = edited.pk if edited else row_id
    case: Case = operation.Case(
        path_parameters={
            "key": "dog.name",
            "audit_log_id": row_id or 1,
            "waiting_id": WaitingFact.objects.values_list("pk", flat=True).first() or 1,
            "name": "caesar",
        },
        query={"q": "hello"} if operation.label.endswith("/memory/search") else {},
        body=example_of(operation.label),
        media_type="application/json",
    )
    return case


def example_of(call: str) -> Any:
    """The body that the document shows for a call, schemathesis' word for none where it takes none."""
    method, path = call.split(" ")
    body = DOCUMENT["paths"][path][method.lower()].get("requestBody")
    if body is None:
        return NOT_SET
    name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    return DOCUMENT["components"]["schemas"][name]["examples"][0]


def systematic(operation: Any) -> Iterator[Case]:
    """Every field at, below and beyond its bounds, missing, null, of another type; every other method."""
    config = operation.schema.config.generation_for(operation=operation)
    yield from operation.schema.iter_coverage_cases(
        operation, generation_modes=list(GenerationMode), generation_config=config
    )


@pytest.mark.parametrize("call", CALLS)
def test_a_call_keeps_its_word(call: str, schema: Any, headers: dict[str, str], embedder: None) -> None:
    operation = schema.find_operation_by_label(call)
    fuzz = Fuzz(headers)
    for case in (known(operation), *systematic(operation)):
        fuzz.send(case)
    for mode in GenerationMode:
        random = hypothesis_settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(given(operation.as_strategy(generation_mode=mode))(fuzz.send))
        random()
    assert fuzz.accepted, "nothing that was sent was a good request"


@pytest.mark.parametrize("call", CALLS)
def test_no_call_answers_without_a_key(call: str, schema: Any, db: None) -> None:
    operation = schema.find_operation_by_label(call)
    case = known(operation)
    for headers in ({}, {"Authorization": "Bearer caesar_wrong"}):
        response = case.call(headers=headers)
        assert response.status_code == 401
        case.validate_response(response, checks=[openapi_checks.response_schema_conformance])

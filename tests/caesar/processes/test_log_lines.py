"""Log lines: one line each, as text or JSON, without a key, and about the request that they belong to."""

import json
import logging

import pytest
from django.http import HttpRequest, HttpResponse

from caesar import log_context
from caesar.log_lines import JSONFormatter, OneLineFormatter
from caesar.middleware import LogContextMiddleware
from tests.conftest import ApiClient, Configure

KEY = "plain-words-without-shape"
TEXT = OneLineFormatter("%(levelname)s %(message)s", keys={KEY})


def record(message: str, *args: object, error: BaseException | None = None) -> logging.LogRecord:
    info = None if error is None else (type(error), error, None)
    return logging.LogRecord("memory", logging.INFO, "", 1, message, args, info)


def test_a_line_is_one_line() -> None:
    assert TEXT.format(record("said: %s", "one\r\ntwo")) == "INFO said: one\\r\\ntwo"
    line = JSONFormatter().format(record("said: %s", "one\r\ntwo\u2028", error=ValueError("a\nb")))
    assert len(line.splitlines()) == 1
    found = json.loads(line)
    assert (found["level"], found["logger"], found["message"]) == ("INFO", "memory", "said: one\r\ntwo\u2028")
    assert "ValueError: a\nb" in found["traceback"]


@pytest.mark.parametrize("formatter", [TEXT, JSONFormatter(keys={KEY})])
def test_no_key_of_a_provider_is_in_it(formatter: logging.Formatter) -> None:
    line = formatter.format(record("sent %s", "plain%2Dwords%2Dwithout%2Dshape", error=ValueError(KEY)))
    assert "sent [removed]" in line
    assert KEY not in line


def test_a_line_names_the_request_and_nothing_of_the_one_before() -> None:
    seen: list[dict[str, str]] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(json.loads(JSONFormatter().format(record("here"))))
        log_context.note(request_id=f"request {len(seen)}")
        log_context.note(decision_id="decision")
        seen.append(json.loads(JSONFormatter().format(record("here"))))
        return HttpResponse()

    for _ in range(2):
        LogContextMiddleware(view)(HttpRequest())
    assert [line.get("request_id") for line in seen] == [None, "request 1", None, "request 3"]
    assert [line.get("decision_id") for line in seen] == [None, "decision"] * 2


@pytest.mark.django_db
def test_a_turns_lines_name_request_and_decision(api: ApiClient, configure: Configure) -> None:
    configure(memory__episodes_recall__enabled=True, semantic__enabled=True, semantic__provider="openai")
    lines: list[dict[str, str]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(JSONFormatter().format(record)))

    logger, handler = logging.getLogger("memory"), Kept()
    logger.addHandler(handler)
    try:
        body = {"messages": [{"role": "user", "content": "Hello there"}]}
        answer = api.post("/v1/chat", json=body, headers={"X-Request-Id": "mine"})
    finally:
        logger.removeHandler(handler)
    assert answer.headers["X-Request-Id"] == "mine"
    [line] = [line for line in lines if "Turn without episodes" in line["message"]]
    assert (line["request_id"], line["decision_id"]) == ("mine", answer.json()["decision_id"])

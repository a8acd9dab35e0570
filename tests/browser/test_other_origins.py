"""A page of another server in a real browser: it asks the API where its origin is allowed, as OpenAI's package does."""

from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.memory.llm.servers.local_server import local_server
from tests.servers import Installation, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASK = """async ([url, key, path]) => {
    const body = {model: "caesar", messages: [{role: "user", content: "good evening"}], stream: true};
    const headers = {"Authorization": `Bearer ${key}`, "Content-Type": "application/json", "X-Memory": "off",
                     "x-stainless-lang": "js", "X-Conversation-Id": "c-1"};
    try {
        const answer = await fetch(url + path, {method: "POST", headers, body: JSON.stringify(body)});
        const can_read = (name) => answer.headers.get(name) !== null;
        return [answer.status, can_read("X-Decision-Id"), can_read("X-Request-Id"), await answer.text()];
    } catch (error) { return [error.name]; }
}"""


def a_page(request: BaseHTTPRequestHandler) -> None:
    """Answers any request with a page."""
    html = b"<!doctype html><title>chat</title>"
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.send_header("Content-Length", str(len(html)))
    request.end_headers()
    request.wfile.write(html)


def asked(page: "Page", server: Installation, path: str = "v1/chat/completions", *, key: str = "") -> Any:
    """What the page's script gets: status, whether it can read both headers, the answer's text; or its error's name."""
    key = key or str(server.api.headers["Authorization"]).removeprefix("Bearer ")
    return page.evaluate(ASK, [server.url, key, path])


def test_a_page_that_is_named_may_ask_and_no_other(browser: Any, tmp_path: Path) -> None:
    with local_server(a_page) as named, local_server(a_page) as other, browser.new_context() as context:
        page, stranger = context.new_page(), context.new_page()
        page.goto(named)
        stranger.goto(other)
        with running(tmp_path, CAESAR_API__CORS_ORIGINS=named) as server:
            status, has_decision, has_request_id, text = asked(page, server)
            assert (status, has_decision, has_request_id) == (200, True, True)
            assert text.endswith("data: [DONE]\n\n")
            assert asked(page, server, key="caesar_wrong")[:3] == [401, False, True]
            assert asked(page, server, "v1/nothing")[:3] == [404, False, True]
            assert asked(page, server, "login") == ["TypeError"]
            assert asked(stranger, server) == ["TypeError"]

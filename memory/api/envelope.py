"""What never reaches the API's own code, in its words: unknown addresses, wrong methods, foreign hosts.

First in the list of middleware, so that it sees the answers of all the others.
"""

import json
import logging
import re
import uuid
from collections.abc import Callable
from typing import NoReturn

from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from pydantic import JsonValue

from memory.api.errors import ApiError, note_request_id, request_id
from memory.api.reference import wrong_addresses
from memory.api.refusals import body_of, speaks_anthropic

logger = logging.getLogger(__name__)

_MESSAGES = "POST /v1/messages, POST /v1/messages/count_tokens, GET /v1/models and GET /v1/models/{id}"
_SANE_ID = re.compile(r"[!-~](?:[ -~]{0,126}[!-~])?")
_SHOWN_CHARS = 200


class EnvelopeMiddleware:
    """Gives each call of the API its `X-Request-Id`, and each refusal that is no JSON the error envelope."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer. Pages of the browser go through untouched."""
        is_api = _is_api(request.path_info)
        if not (is_api or wrong_addresses.is_clients(request.method or "", request.path_info)):
            return self.get_response(request)
        note_request_id(request, _usable_id(request.headers.get("X-Request-Id", "")))
        response = self.get_response(request)
        if not is_api and response.status_code != 404:  # a page of that name
            return response
        if response.status_code >= 400 and isinstance(response, HttpResponse) and not _is_json(response):
            _replace_body(response, body_of(_error_for(request, response), request))
        response.headers["X-Request-Id"] = request_id(request)
        if speaks_anthropic(request):
            response.headers["request-id"] = request_id(request)
        return response


@csrf_exempt
def nothing(request: HttpRequest) -> NoReturn:
    """404 at the root of the API, with its slash or without, whatever the method: Django would redirect or break."""
    raise Http404


def _is_api(path: str) -> bool:
    return path.startswith("/v1/") or path in ("/v1", "/healthz", "/readyz", "/mcp", "/mcp/")


def _is_there(path: str) -> bool:
    try:
        return resolve(path).func is not nothing
    except Resolver404:
        return False


def _is_json(response: HttpResponse) -> bool:
    return response.headers.get("Content-Type", "").startswith("application/json")


def _usable_id(sent: str) -> str:
    """The client's id where it is up to 128 printable ASCII characters, else a new one."""
    return sent if _SANE_ID.fullmatch(sent) else uuid.uuid4().hex


def _replace_body(response: HttpResponse, envelope: dict[str, JsonValue]) -> None:
    """Put the envelope into the answer as it stands: its status, `Allow` and security headers stay.

    The page that it replaces may have been compressed; the envelope is not.
    """
    response.content = json.dumps(envelope).encode()
    del response.headers["Content-Encoding"]
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Length"] = str(len(response.content))


def _error_for(request: HttpRequest, response: HttpResponse) -> ApiError:
    status, path = response.status_code, request.path[:_SHOWN_CHARS]
    if status == 404:
        cure = wrong_addresses.cure_for(request.method or "", request.path_info, is_there=_is_there)
        there = f"Of Anthropic's API there are {_MESSAGES}." if speaks_anthropic(request) else ""
        words = ("There is nothing at", f"{path}.", cure, there, "/v1/docs lists every call.")
        return ApiError(status, " ".join(filter(None, words)), code="not_found")
    if status == 405:
        allowed = response.headers.get("Allow", "")
        return ApiError(status, f"{path} does not take {request.method}. Use {allowed}.", code="method_not_allowed")
    if status >= 500:
        logger.error("Request %s failed: %s %s", request_id(request), request.method, request.path)
        message = f"Something went wrong here. The server's log has the cause under request id {request_id(request)}."
        return ApiError(status, message, code="internal_error", kind="server_error")
    if status == 400 and not _host_is_allowed(request):
        message = "This server does not answer to that host name. Add it to CAESAR_ALLOWED_HOSTS."
        return ApiError(status, message, code="host_not_allowed")
    return ApiError(status, f"The request was refused: {response.reason_phrase}.", code="invalid_request")


def _host_is_allowed(request: HttpRequest) -> bool:
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True

"""The door at `/mcp`: who may come in, what they sent, and the one JSON answer to it."""

import json
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from ninja.errors import AuthenticationError
from pydantic import JsonValue, RootModel

from memory.api.auth import ApiRequest, BearerKey, Caller
from memory.api.errors import ApiError, noted_error
from memory.api.idempotency import HEADER as IDEMPOTENCY_KEY
from memory.api.idempotency import REPLAYED, idempotent, keep_answer
from memory.api.parsing import StrictJSON
from memory.api.people import kept_out_reason
from memory.mcp import methods
from memory.mcp.calls import Call
from memory.mcp.envelopes import Client, check_envelope, version_named
from memory.mcp.jsonrpc import (
    ABOUT_VERSIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    REFUSED,
    JsonObject,
    Message,
    RpcError,
    error_answer,
    id_of,
    read_message,
    result_answer,
)
from memory.mcp.tools.listing import find_tool
from memory.mcp.versions import agreed, is_stateless, takes_batches

MOST_IN_A_BATCH: Final = 20


@csrf_exempt
def serve(request: ApiRequest) -> HttpResponse:
    """The answer to one POST, whichever version of the protocol it speaks."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        _check_origin(request)
        request.auth = _authenticated(request)
        return _answered(request, StrictJSON().parse_body(request))
    except RpcError as error:
        return JsonResponse(error_answer(None, error), status=error.status)
    except Exception as raised:  # as everywhere below /v1: the last resort that says nothing of the cause
        return _refusal(request, None, raised)


def _check_origin(request: HttpRequest) -> None:
    """Raises the 403 for a page of another site: a browser sends its origin along, other clients send none."""
    origin = request.headers.get("Origin")
    if origin is None or _host_of(origin) == request.get_host():
        return
    if not {"*", origin} & set(settings.CAESAR.api.cors_origins):
        message = f"Pages of {origin[:200]} may not call this server."
        raise ApiError(403, message, code="origin_not_allowed", kind="permission_error")


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _authenticated(request: HttpRequest) -> Caller:
    caller = BearerKey(None)(request)
    if not isinstance(caller, Caller):
        raise AuthenticationError
    return caller


def _answered(request: ApiRequest, body: JsonValue) -> HttpResponse:
    version = version_named(request.headers)
    if isinstance(body, list):
        return _batch(request, body, version)
    try:
        message = read_message(body)
    except RpcError as error:
        return JsonResponse(error_answer(id_of(body), error), status=error.status)
    if message is None and is_stateless(version):
        raise RpcError(INVALID_REQUEST, "This server asks nothing, so there is nothing to answer.")
    if message is None or message.id is None:
        return HttpResponse(status=202)
    answer = _answered_once if IDEMPOTENCY_KEY in request.headers and _changes(message) else _answered_now
    try:
        return answer(request, message, version)
    except RpcError as error:
        has_status = is_stateless(version) or error.code in ABOUT_VERSIONS
        return JsonResponse(error_answer(message.id, error), status=error.status if has_status else 200)
    except Exception as raised:  # as in `serve`
        return _refusal(request, message, raised)


def _answered_now(request: ApiRequest, message: Message, version: str) -> HttpResponse:
    return JsonResponse(result_answer(message.id, _result(request, message, version)))


def _answered_once(request: ApiRequest, message: Message, version: str) -> HttpResponse:
    """The same for a request that may come again by its `Idempotency-Key`, then with another id."""
    answer = _done_once(request, message, version)
    if REPLAYED in answer.headers:
        answer.content = json.dumps(json.loads(answer.content) | {"id": message.id})
    return answer


@idempotent
def _done_once(request: ApiRequest, message: Message, version: str) -> HttpResponse:
    """Its answer is kept with what it did."""
    with transaction.atomic():
        result = _result(request, message, version)
        answer = result_answer(message.id, result)
        if not result.get("isError"):
            keep_answer(request, RootModel[JsonObject](answer), status=200)
    return JsonResponse(answer)


def _changes(message: Message) -> bool:
    """Whether it calls a tool that changes something."""
    tool = find_tool(str(message.params.get("name"))) if message.method == "tools/call" else None
    return tool is not None and not tool.hints.reads_only


def _result(request: ApiRequest, message: Message, version: str) -> JsonObject:
    """The result of one request. Raises `RpcError` and `ApiError`."""
    client = check_envelope(message, version, request.headers)
    if message.method == "initialize" and not is_stateless(version):
        client, version = Client.of(message.params.get("clientInfo")), agreed(message.params.get("protocolVersion"))
    if message.method in methods.TOUCH_MEMORY:
        _keep_out(request)
    return methods.answer(Call(request, version, client), message)


def _keep_out(request: ApiRequest) -> None:
    """Raises where the client says that somebody else asks, or that the chat is temporary (decision 29)."""
    reason = kept_out_reason(request, None, is_preview=True)
    if reason == "other_person":
        raise RpcError(REFUSED, "Memory is another person's: it keeps out of what this one asks.", data=reason)
    if reason is not None:
        raise RpcError(REFUSED, "This chat is temporary: memory keeps out of it.", data=reason)


def _batch(request: ApiRequest, body: list[JsonValue], version: str) -> HttpResponse:
    """The answers to several messages; 202 where none of them asks for one."""
    if not takes_batches(version):
        raise RpcError(INVALID_REQUEST, f"Version {version} takes one message a request, not an array of them.")
    if not 1 <= len(body) <= MOST_IN_A_BATCH:
        raise RpcError(INVALID_REQUEST, f"Send 1 to {MOST_IN_A_BATCH} messages in one array.")
    answers = [answer for one in body if (answer := _one_of_batch(request, one, version)) is not None]
    return JsonResponse(answers, safe=False) if answers else HttpResponse(status=202)


def _one_of_batch(request: ApiRequest, value: JsonValue, version: str) -> JsonObject | None:
    try:
        message = read_message(value)
        if message is None or message.id is None:
            return None
        if message.method == "initialize":
            raise RpcError(INVALID_REQUEST, "Send initialize by itself, ahead of everything else.")
        return result_answer(message.id, _result(request, message, version))
    except RpcError as error:
        return error_answer(id_of(value), error)
    except Exception as raised:  # as in `serve`; the other requests of the batch are answered
        return error_answer(id_of(value), _as_rpc_error(noted_error(request, raised)))


# --- refusals of the API, in the protocol's shape --------------------------------------------------------------------


def _refusal(request: HttpRequest, message: Message | None, raised: Exception) -> HttpResponse:
    error = noted_error(request, raised)
    answer = error_answer(message.id if message else None, _as_rpc_error(error))
    return JsonResponse(answer, status=error.status, headers=error.headers)


def _as_rpc_error(error: ApiError) -> RpcError:
    return RpcError(_code_of(error), error.message, data={"code": error.code})


def _code_of(error: ApiError) -> int:
    if error.code == "invalid_json":
        return PARSE_ERROR
    if error.status >= 500:
        return INTERNAL_ERROR
    return {400: INVALID_REQUEST, 422: INVALID_PARAMS}.get(error.status, REFUSED)

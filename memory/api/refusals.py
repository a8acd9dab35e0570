"""How a refusal goes out: in the shape of the API that the client speaks, OpenAI's or Anthropic's."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from pydantic import JsonValue

from memory.api.anthropic import errors as anthropic
from memory.api.errors import ApiError, noted_error, request_id

ANTHROPIC_VERSION = "anthropic-version"
"""Header that every client of Anthropic's API sends, and no other."""


def speaks_anthropic(request: HttpRequest) -> bool:
    """Whether the client reads Anthropic's shape."""
    path = request.path_info
    return path == "/v1/messages" or path.startswith("/v1/messages/") or ANTHROPIC_VERSION in request.headers


def status_of(error: ApiError, request: HttpRequest) -> int:
    """The status of a refusal for this client."""
    return anthropic.status_of(error) if speaks_anthropic(request) else error.status


def body_of(error: ApiError, request: HttpRequest) -> dict[str, JsonValue]:
    """The body of a refusal for this client."""
    return anthropic.body_of(error, request_id(request)) if speaks_anthropic(request) else error.body


def register(api: NinjaAPI) -> None:
    """Answer everything raised below `api` that way, the library's own answers included."""
    for kind in (Exception, Http404, HttpError, ValidationError):
        api.add_exception_handler(kind, _answer)


def _answer(request: HttpRequest, raised: Exception | type[Exception]) -> HttpResponse:
    error = noted_error(request, raised)
    return JsonResponse(body_of(error, request), status=status_of(error, request), headers=error.headers)

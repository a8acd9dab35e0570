"""The WSGI application that gunicorn serves."""

import io
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from memory.llm import embedding

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "caesar.settings")

django_application = get_wsgi_application()

# The embedder is loaded with the process, not by the first message; under `--preload` once for all of them.
embedding.warm()


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """The answer to one request, whether its body came with a length or in chunks."""
    if _is_chunked(environ):
        _measure_body(environ)
    return django_application(environ, start_response)


def _is_chunked(environ: "WSGIEnvironment") -> bool:
    codings = str(environ.get("HTTP_TRANSFER_ENCODING", "")).lower().replace(" ", "").split(",")
    return codings[-1] == "chunked" and not environ.get("CONTENT_LENGTH")


def _measure_body(environ: "WSGIEnvironment") -> None:
    """Read a chunked body and give it a length: without one, Django takes the body for empty.

    At most one byte over the limit is read; that byte is enough for Django to refuse the body as too big (413).
    """
    body = environ["wsgi.input"].read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    environ["wsgi.input"] = io.BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))

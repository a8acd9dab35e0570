"""The WSGI application that gunicorn serves."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import django
from django.conf import settings

from caesar.server.addresses import client_address
from caesar.server.client_socket import ClientSocket
from caesar.server.request import INCOMING, Handler
from memory.llm import embedding

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "caesar.settings")

django.setup(set_prefix=False)
django_application = Handler()

# The embedder is loaded with the process, not by the first message; under `--preload` once for all of them.
embedding.warm()


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """The answer to one request. A connection whose body was left unread is closed with it."""
    peer, forwarded_for = environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", "")
    environ["REMOTE_ADDR"] = client_address(peer, forwarded_for, settings.CAESAR.server.trusted_proxies)
    answer: Iterable[bytes] = django_application(environ, start_response)
    connection, incoming = environ.get("gunicorn.socket"), environ.get(INCOMING)
    if isinstance(connection, ClientSocket) and (incoming is None or not incoming.is_at_end):
        connection.close_after_answer()
    return answer

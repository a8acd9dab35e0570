"""One request that is answered as a test says."""

import httpx

from memory.llm.http import client
from memory.llm.http.client import JsonObject
from tests.memory.llm.routes import route_to

KEY = "sk-live-0123456789abcdefghij"


def post(answer: httpx.Response | Exception, *, key: str = KEY) -> JsonObject:
    """What `client.post` makes of one answer."""

    def handle(request: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with client.transport(httpx.MockTransport(handle)):
        return post_to("http://llm.test/v1/x", key=key)


def post_to(url: str, *, key: str = KEY, timeout_seconds: float = 5.0) -> JsonObject:
    route = route_to(url, timeout_seconds=timeout_seconds)
    return client.post(route, "", headers={"Authorization": f"Bearer {key}"}, body={"a": "b"})

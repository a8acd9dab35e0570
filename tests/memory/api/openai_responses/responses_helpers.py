"""What the tests of Responses share: the call, what it sent to the model, and the events of a stream."""

import json
from typing import Any

from tests.conftest import ApiClient
from tests.memory.llm.scripted import Answer, scripted_llm

PATH = "/v1/responses"
DOG = "my dog's name is Beans"
TOOL = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}, "strict": True}
FUNCTION = {"name": "look", "parameters": {"type": "object", "properties": {}}, "strict": True}


def answered(api: ApiClient, body: dict[str, Any], answer: Answer = "Fine.", **headers: str) -> dict[str, Any]:
    """The answer to a request, with what the model was sent under `sent`."""
    with scripted_llm(answer) as model:
        response = api.post(PATH, json=body, headers=headers)
    assert response.status_code == 200, response.content
    return {**response.json(), "sent": model.requests[0]}


def said(*parts: dict[str, Any], role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": list(parts)}


def told(response: Any) -> list[dict[str, Any]]:
    """The events of a stream: each is named as its type, and they are numbered from 0."""
    body = b"".join(response.streaming_content).decode()
    assert body.endswith("\n\n")
    events = []
    for text in body.removesuffix("\n\n").split("\n\n"):
        head, data = text.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert head == f"event: {event['type']}"
        events.append(event)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    return events

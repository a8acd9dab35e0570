"""
title: CAESAR memory
description: Puts what CAESAR memory remembers into each chat, and sends it the finished turn to learn from.
version: 1.0
required_open_webui_version: 0.6.0
license: the same as CAESAR memory
"""

# For installations that keep their own connection to a model. Open WebUI makes one `Filter`, calls `inlet` before the
# model is asked and `outlet` after it has answered. It gives the arguments that a method names; the rest of its
# interface is not used here, so that a new release has little to break.

import logging
import re
from collections import OrderedDict
from typing import Any

import httpx
from pydantic import BaseModel, Field

logger = logging.getLogger(__name__)

JsonObject = dict[str, Any]

TEMPORARY = ("temporary:", "local:")
MOST_TURNS_UNDER_WAY = 1_000
DETAILS = re.compile(r'<details type="[^"]*".*?</details>\s*', re.DOTALL)
"""Thoughts and tool calls, which Open WebUI writes into a message beside the answer."""


class Filter:
    """Memory for the chats of one Open WebUI. What goes wrong on the way to the server never stops a chat."""

    class Valves(BaseModel):
        """What the administrator sets."""

        base_url: str = Field("http://127.0.0.1:8000/v1", description="Address of CAESAR memory, with its /v1")
        api_key: str = Field("", description="A key of CAESAR memory with the scope record")
        inlet_seconds: float = Field(5.0, description="How long a chat waits for memory before it goes on without")
        outlet_seconds: float = Field(30.0, description="How long recording a finished turn may take")
        priority: int = Field(0, description="Order among the filters; the lowest is first")

    def __init__(self) -> None:
        self.valves = self.Valves()
        self._decisions: OrderedDict[str, str] = OrderedDict()

    async def inlet(
        self,
        body: JsonObject,
        __user__: JsonObject | None = None,
        __metadata__: JsonObject | None = None,
        __task__: str | None = None,
    ) -> JsonObject:
        """The request with memory in its system message; as it was where there is none to be had."""
        metadata = __metadata__ or {}
        chat_id = _text(metadata.get("chat_id") or body.get("chat_id"))
        messages = _spoken(body)
        if not messages or _is_left_alone(chat_id, __task__ or metadata.get("task")):
            return body
        system = next((_text(message["content"]) for message in messages if message["role"] == "system"), "")
        question = {"messages": messages, "system": system}
        found = await self._post("memory/context", question, chat_id, __user__, self.valves.inlet_seconds)
        if found.get("decision_id"):
            self._keep(_turn_id(chat_id, metadata.get("message_id")), str(found["decision_id"]))
        if found.get("block") and isinstance(found.get("system_prompt"), str):
            others = [message for message in body["messages"] if message.get("role") != "system"]
            body["messages"] = [{"role": "system", "content": found["system_prompt"]}, *others]
        return body

    async def outlet(
        self, body: JsonObject, __user__: JsonObject | None = None, __metadata__: JsonObject | None = None
    ) -> JsonObject:
        """The body as it was, after the finished turn was sent to be recorded and learned from."""
        metadata = __metadata__ or {}
        chat_id = _text(body.get("chat_id") or metadata.get("chat_id"))
        messages = _spoken(body)
        if len(messages) < 2 or _is_left_alone(chat_id, metadata.get("task")):
            return body
        *before, answer = messages
        reply = DETAILS.sub("", _text(answer["content"])).strip()
        if answer["role"] != "assistant" or not reply:
            return body
        finished: JsonObject = {"messages": before, "reply": reply, "model": _text(body.get("model"))[:256] or None}
        decision_id = self._decisions.pop(_turn_id(chat_id, body.get("id") or metadata.get("message_id")), None)
        if decision_id:
            finished["decision_id"] = decision_id
        await self._post("memory/chats", finished, chat_id, __user__, self.valves.outlet_seconds)
        return body

    def _keep(self, turn_id: str, decision_id: str) -> None:
        """Remember what a turn was given until its answer is there. What never ends is forgotten, oldest first."""
        self._decisions[turn_id] = decision_id
        while len(self._decisions) > MOST_TURNS_UNDER_WAY:
            self._decisions.popitem(last=False)

    async def _post(
        self, call: str, body: JsonObject, chat_id: str, user: JsonObject | None, seconds: float
    ) -> JsonObject:
        """The server's answer; empty where there is none, with the reason in Open WebUI's log."""
        url = f"{self.valves.base_url.rstrip('/')}/{call}"
        try:
            async with httpx.AsyncClient(timeout=seconds) as client:
                response = await client.post(url, json=body, headers=self._headers(chat_id, user))
            answer = response.json()
            if response.is_success and isinstance(answer, dict):
                return answer
            logger.warning("CAESAR memory answered %d: %.300s", response.status_code, response.text)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            logger.warning("CAESAR memory cannot be asked at %s: %s %s", url, type(error).__name__, error)
        return {}

    def _headers(self, chat_id: str, user: JsonObject | None) -> dict[str, str]:
        """The key, the chat's id, and who asks."""
        headers = {"Authorization": f"Bearer {self.valves.api_key.strip()}"}
        names = {"X-OpenWebUI-User-Id": "id", "X-OpenWebUI-User-Email": "email"}
        headers |= {name: _text((user or {}).get(field)) for name, field in names.items()}
        headers["X-Conversation-Id"] = chat_id
        return {name: value for name, value in headers.items() if value and value.isascii() and value.isprintable()}


def _is_left_alone(chat_id: str, task: object) -> bool:
    """Whether memory keeps out: a temporary chat, or an errand of Open WebUI's own (title, tags, search queries)."""
    return bool(task) or chat_id.startswith(TEMPORARY)


def _turn_id(chat_id: str, message_id: object) -> str:
    return f"{chat_id} {_text(message_id)}"


def _spoken(body: JsonObject) -> list[JsonObject]:
    """The messages with their roles and contents, without what Open WebUI keeps beside them; blank ones left out."""
    messages = body.get("messages")
    found = [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []
    roles = ("system", "user", "assistant")
    return [
        {"role": message["role"], "content": message["content"]}
        for message in found
        if message.get("role") in roles and _text(message.get("content")).strip()
    ]


def _text(value: object) -> str:
    """Text as it is, of a list of parts those that are text, and nothing of anything else."""
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, dict)]
        return "\n".join(part for part in parts if isinstance(part, str))
    return value if isinstance(value, str) else ""

"""Home Assistant, as Extended OpenAI Conversation asks: devices in the system message, a tool, its own id as `user`."""

import time
from pathlib import Path

import pytest

from tests.servers import eventually, running

pytestmark = pytest.mark.real_processes


def conversation_of_home_assistant(ending: str) -> str:
    """The id that Home Assistant gives to a conversation now: a ULID, whose first ten digits are the milliseconds."""
    milliseconds, digits = int(time.time() * 1000), ""
    for _ in range(10):
        milliseconds, digit = divmod(milliseconds, 32)
        digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[digit] + digits
    return digits + ending * 16


def test_it_works(tmp_path: Path) -> None:
    """Two conversations."""
    devices = "```csv\nentity_id,name,state,aliases\nlight.hall,My lamp is called Otto,on,\n```"
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "object"}}}}
    tool = {"type": "function", "function": {"name": "execute_services", "parameters": schema}}
    with running(tmp_path) as server:
        for ending, said in (("A", "By the way, my hen's name is Agda."), ("B", "What do I feed my hen?")):
            messages = [
                {"role": "system", "content": f"You are a smart home manager. Available devices:\n{devices}"},
                {"role": "user", "content": said, "name": "7c1f0a"},
            ]
            body = {
                "model": "caesar",
                "messages": messages,
                "max_tokens": 150,
                "top_p": 1,
                "temperature": 0.5,
                "user": conversation_of_home_assistant(ending),
                "tools": [tool],
                "tool_choice": "auto",
            }
            assert server.api.post("/v1/chat/completions", json=body).status_code == 200
            eventually(lambda: "Agda" in server.api.get("/v1/memory/facts").text)
        data = server.api.get("/v1/audit", params={"type": "memory.context.served", "limit": 1}).json()["data"]
        facts = server.api.get("/v1/memory/facts").text
    assert "  - Your hen's name is Agda." in data[0]["payload"]["block"].splitlines()
    assert "Otto" not in facts

"""Both generations of the official MCP client against a real server, in every mode that they have."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers import ROOT, Installation, running

pytestmark = pytest.mark.real_processes

SCRIPT = Path(__file__).with_name("mcp_session.py")
FIRST_GENERATION = "1.30.0"
TOOLS = ["search_memories", "get_memories", "get_memory", "add_memory"]
TOOLS += ["update_memory", "delete_memory", "search", "fetch"]
FACTS = {"dog.name": "Beans", "dog.age": "4"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A newcomer's installation."""
    with running(tmp_path_factory.mktemp("server")) as installation:
        yield installation


@pytest.fixture(scope="module")
def first_generation() -> dict[str, str]:
    """An environment in which Python has the first generation alone; fetched once a machine."""
    folder = Path(tempfile.gettempdir()) / f"caesar-test-mcp-{FIRST_GENERATION}-{sys.version_info.minor}"
    if not (folder / "mcp").exists():
        install = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "0"]
        wanted = ["--timeout", "10", "--target", str(folder), f"mcp=={FIRST_GENERATION}"]
        done = subprocess.run([*install, *wanted], capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            pytest.skip(f"mcp {FIRST_GENERATION} could not be fetched: {done.stderr.strip()[-300:]}")
    return {"PYTHONPATH": str(folder)}


def session(server: Installation, mode: str, env: dict[str, str] | None = None) -> dict[str, Any]:
    """What a client in this mode saw."""
    for key, value in FACTS.items():
        server.api.put(f"/v1/memory/facts/{key}", json={"value": value}).raise_for_status()
    key = str(server.api.headers["Authorization"]).removeprefix("Bearer ")
    alone = ["-S"] if env else []  # without the packages of the tests' own environment
    command = [sys.executable, *alone, str(SCRIPT), f"{server.url}mcp", key, mode]
    done = subprocess.run(
        command, env=os.environ | (env or {}), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check(found: dict[str, Any], version: str) -> None:
    """All of it was there, and in the shapes that the client itself held it to."""
    assert found["version"] == version
    assert [tool["name"] for tool in found["tools"]] == TOOLS
    given = [call.get("structuredContent", {}) for call in found["calls"]]
    searched, listed, read, added, updated, conflict, deleted, results, fetched = given
    assert searched["results"][0]["id"] == "fact:dog.name"
    assert {fact["key"] for fact in listed["facts"]} == {"dog.name", "dog.age"}
    assert read["value"] == "Beans"
    assert added["status"] in ("waiting", "waits_already")
    assert updated["value"] == "5"
    assert (conflict, found["calls"][5]["isError"]) == ({}, True)
    assert deleted["kind"] == "fact"
    assert "fact:dog.name" in [one["id"] for one in results["results"]]
    assert "Beans" in fetched["text"]
    assert "dog.name" in [one["name"] for one in found["resources"]]
    assert len(found["templates"]) == 3
    assert "Beans" in found["read"]["contents"][0]["text"]
    assert found["prompts"][0]["name"] == "memory"
    assert "Beans" in found["prompt"]["messages"][0]["content"]["text"]
    assert "no tool" in found["no_tool"]
    assert "no such resource" in found["no_resource"]


@pytest.mark.parametrize(
    ("mode", "version"), [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")]
)
def test_the_second_generation(server: Installation, mode: str, version: str) -> None:
    check(session(server, mode), version)


def test_the_first_generation(server: Installation, first_generation: dict[str, str]) -> None:
    check(session(server, "first", first_generation), "2025-11-25")


def test_the_documented_program(server: Installation) -> None:
    server.api.put("/v1/memory/facts/cat.name", json={"value": "Tom"}).raise_for_status()
    chapter = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8").partition("\n## MCP\n")[2]
    block = re.search(r"```python\n(.*?)```", chapter, re.DOTALL)
    assert block
    key = str(server.api.headers["Authorization"]).removeprefix("Bearer ")
    program = block[1].replace("http://127.0.0.1:8000/", server.url).replace("caesar_...", key)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "Your cat's name is Tom." in done.stdout


def test_the_rows_name_the_client(server: Installation) -> None:
    session(server, "auto")
    rows = server.api.get("/v1/audit", params={"type": "mcp.called", "limit": 1}).json()["data"]
    assert rows[0]["payload"]["client"] == "mcp"

"""Each client that `docs/clients.md` shows, against a real server: the page's own text, then a stream, tools, pictures.

Run by `make clients`, which sets `CLIENTS_NOTES`: packages of hundreds of megabytes are fetched the first time.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.clients import table
from tests.clients.frameworks.environment import HERE, node_with_clients, python_with_clients
from tests.clients.open_webui.scenes import PICTURE
from tests.clients.standins.upstream import Upstream, upstream
from tests.clients.test_openai_sdk import provider
from tests.servers import ROOT, Installation, eventually, running

pytestmark = [
    pytest.mark.real_processes,
    pytest.mark.clients_from_pypi,
    pytest.mark.skipif("CLIENTS_NOTES" not in os.environ, reason="run by make clients"),
]

TOM, QUESTION, ERRAND = "Your cat's name is Tom.", "What should I get for my cat?", "look at the thermostat, please"


@dataclass(frozen=True)
class Framework:
    """A client: its row, its chapter in the page, its package, and what runs it."""

    row: str
    chapter: str
    package: str
    driver: str


FRAMEWORKS = [
    Framework("`openai`", "Python, `openai`", "openai", "openai_driver.py"),
    Framework("LangChain", "LangChain", "langchain-openai", "langchain_driver.py"),
    Framework("LlamaIndex", "LlamaIndex", "llama-index-llms-openai-like", "llamaindex_driver.py"),
    Framework("litellm", "litellm", "litellm", "litellm_driver.py"),
    Framework("pydantic-ai", "pydantic-ai", "pydantic-ai-slim", "pydantic_ai_driver.py"),
    Framework("Vercel's AI SDK", "Vercel's AI SDK", "ai", "vercel_driver.mjs"),
]


@pytest.fixture(scope="module")
def model() -> Iterator[Upstream]:
    with upstream() as running_model:
        yield running_model


@pytest.fixture(scope="session")
def cache(pytestconfig: pytest.Config) -> Path:
    """Where environments stay from one run to the next."""
    return Path(pytestconfig.cache.mkdir("clients"))  # type: ignore[union-attr]


@dataclass(frozen=True)
class Program:
    """How a client's scripts are run, and which version it is."""

    run: Callable[..., str]
    version: str


@pytest.fixture
def program(framework: Framework, cache: Path, tmp_path: Path) -> Program:
    """What runs a text or a file, with arguments."""
    if framework.driver.endswith(".mjs"):
        node, folder = node_with_clients(cache)
        pins = json.loads((HERE / "package.json").read_text())["dependencies"]
        return Program(lambda text, *given: _run_in_node(node, folder, text, given), f"`ai` {pins['ai']}")
    is_own = framework.package == "openai"
    python = sys.executable if is_own else python_with_clients(cache)
    found = version("openai") if is_own else _pinned(framework.package)
    return Program(lambda text, *given: _output([python, "-c", text, *given]), f"`{framework.package}` {found}")


def _pinned(package: str) -> str:
    pins = (HERE / "requirements.txt").read_text()
    found = re.search(rf"^{re.escape(package)}(?:\[\w+\])?==(\S+)", pins, re.MULTILINE)
    assert found is not None
    return found[1]


def _run_in_node(node: str, folder: Path, text: str, given: tuple[str, ...]) -> str:
    """Node finds packages beside the file, so that the file has to lie there."""
    file = folder / f"script-{os.getpid()}.mjs"
    file.write_text(text)
    try:
        return _output([node, str(file), *given])
    finally:
        file.unlink()


def _output(command: list[str]) -> str:
    """What a client prints. It is sent nowhere but to the loopback, and reads no key of whoever runs the tests."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "ANTHROPIC_"))}
    env |= {"LITELLM_LOCAL_MODEL_COST_MAP": "true", "LANGSMITH_TRACING": "false", "AI_SDK_LOG_WARNINGS": "false"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def snippet(chapter: str, address: str, key: str) -> str:
    """The page's own script for a client, with this address and key."""
    text = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    part = text.split(f"\n## {chapter}\n", 1)[1].split("\n## ", 1)[0]
    (script,) = re.findall(r"```(?:python|js)\n(.*?)```", part, re.DOTALL)
    return str(script).replace("http://127.0.0.1:8000/v1", address).replace("caesar_...", key)


def cats_learned(server: Installation) -> list[Any]:
    rows = server.api.get("/v1/audit", params={"limit": 200, "fact": "cat.name"}).json()["data"]
    return [row for row in rows if row["event_type"] == "memory.fact.added"]


def messages_with(model: Upstream, text: str) -> list[dict[str, Any]]:
    """The last request that held this text."""
    return next(one["messages"] for one in reversed(model.requests) if text in json.dumps(one["messages"]))


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda one: str(one.row))
def test_it_works(framework: Framework, program: Program, model: Upstream, tmp_path: Path) -> None:
    with running(tmp_path, **provider("openai", model.url)) as server:
        address, key = f"{server.url}v1", str(server.api.headers["Authorization"]).removeprefix("Bearer ")
        assert "I know: nothing." in program.run(snippet(framework.chapter, address, key))
        eventually(lambda: cats_learned(server))
        asked_before = len(model.requests)
        driver = (HERE / "drivers" / framework.driver).read_text()
        told = json.loads(program.run(driver, address, key, QUESTION, ERRAND, PICTURE).splitlines()[-1])
        server.manage("run_batch", "extract")
        learned = cats_learned(server)
    expected = f"I know: {TOM}."
    assert told == {"stream": expected, "tools": expected, "images": expected}
    assert [message["content"] for message in messages_with(model, "21 degrees") if message["role"] == "tool"]
    assert PICTURE in json.dumps(messages_with(model, "And this?"))
    assert {json.dumps(one["messages"]).count(f"  - {TOM}") for one in model.requests[asked_before:]} == {1}
    assert len(learned) == 1
    table.note(framework.row, *table.COLUMNS, version=program.version)

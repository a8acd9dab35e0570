"""`llm` with the page's own settings against a real server: as a whole, as a stream, with a tool, with a picture."""

import json
import os
import sys
from base64 import b64decode
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.clients import table
from tests.clients.open_webui.scenes import PICTURE
from tests.clients.standins.upstream import upstream
from tests.clients.test_openai_sdk import provider
from tests.clients.test_readme_clients import blocks, run
from tests.servers import eventually, running

pytestmark = [
    pytest.mark.real_processes,
    pytest.mark.clients_from_pypi,
    pytest.mark.skipif("CLIENTS_NOTES" not in os.environ, reason="run by make clients"),
]

LOOK = 'def look(at: str) -> str:\n    """Look at a thing of the house."""\n    return "21 degrees"\n'
TOM = "Your cat's name is Tom."


def test_it_works(tmp_path: Path) -> None:
    env = {"LLM_USER_PATH": str(tmp_path / "llm"), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    picture = tmp_path / "picture.png"
    picture.write_bytes(b64decode(PICTURE.partition(",")[2]))
    (tmp_path / "llm").mkdir()
    (tmp_path / "server").mkdir()
    with upstream() as model, running(tmp_path / "server", **provider("openai", model.url)) as server:
        config, commands = blocks("docs/clients.md", "The command line, `llm`", server)
        (tmp_path / "llm" / "extra-openai-models.yaml").write_text(config)
        assert "I know: nothing." in run(["bash", "-ec", commands], **env)
        learned = {"params": {"fact": "cat.name"}}
        eventually(lambda: server.api.get("/v1/audit", **learned).json()["data"])  # type: ignore[arg-type]
        before = len(model.requests)
        plain = run(["llm", "-m", "caesar", "--no-stream", "What should I get for my cat?"], **env)
        stream = run(["llm", "-m", "caesar", "And what else for my cat?"], **env)
        tools = run(["llm", "-m", "caesar", "--functions", LOOK, "look at the thermostat, please"], **env)
        images = run(["llm", "-m", "caesar", "And this?", "-a", str(picture)], **env)
        server.manage("run_batch", "extract")
        rows = server.api.get("/v1/audit", **learned).json()["data"]  # type: ignore[arg-type]
    assert {said.strip() for said in (plain, stream, tools, images)} == {f"I know: {TOM}."}
    prompts = [json.dumps(one["messages"]) for one in model.requests[before:]]
    assert any("21 degrees" in prompt for prompt in prompts)
    assert any("data:image/png;base64" in prompt for prompt in prompts)
    assert {prompt.count(f"  - {TOM}") for prompt in prompts} == {1}
    assert [row["event_type"] for row in rows].count("memory.fact.added") == 1
    table.note("`llm`", *table.COLUMNS, version=f"`llm` {version('llm')}")

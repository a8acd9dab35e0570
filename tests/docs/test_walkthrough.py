"""The README's first three minutes, and the second half in `how-it-recalls.md`: typed as they stand there."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.servers import ROOT, Installation, eventually, running

pytestmark = [
    pytest.mark.real_processes,
    pytest.mark.skipif(not shutil.which("curl") or not shutil.which("bash"), reason="there is no curl, or no bash"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A newcomer's installation."""
    with running(tmp_path_factory.mktemp("server")) as installation:
        yield installation


def blocks(page: str, chapter: str, language: str) -> list[str]:
    """The code blocks of a chapter that are in this language, in order; "" for what a command prints."""
    text = (ROOT / page).read_text(encoding="utf-8").split(f"\n## {chapter}\n", 1)[1].split("\n## ", 1)[0]
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for its_language, block in found if its_language == language]


def typed(block: str, server: Installation) -> str:
    """What the commands of a block print, with this server's address and key in them."""
    key = str(server.api.headers["Authorization"]).removeprefix("Bearer ")
    script = f"KEY={key}\n" + block.replace("http://127.0.0.1:8000/", server.url)
    done = subprocess.run(["bash", "-ec", script], capture_output=True, text=True, timeout=60)  # noqa: S607
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_first_three_minutes(server: Installation) -> None:
    key, monday, facts, thursday = blocks("README.md", "The first three minutes", "sh")
    listed, prompt = blocks("README.md", "The first three minutes", "")
    assert key == "KEY=caesar_...\n"
    assert "No language model is connected" in json.loads(typed(monday, server))["message"]["content"]

    for line in listed.splitlines()[:-1]:  # the last one stands for the rest
        assert eventually(lambda line=line: line in typed(facts, server)), line
    assert len(json.loads(typed(facts, server))["data"]) == 2, "there are both"

    edited = server.api.put("/v1/memory/facts/dog.name", json={"value": "Bowser", "expected": "Beans"})
    assert edited.status_code == 200, edited.text
    assert json.loads(typed(thursday, server))["system_prompt"] + "\n" == prompt


def test_the_thermostat_thing(server: Installation) -> None:
    monday, thursday, recorded = blocks("docs/how-it-recalls.md", "Try it", "sh")
    (part,) = blocks("docs/how-it-recalls.md", "Try it", "")
    chat = json.loads(typed(monday, server))
    known = {"type": "memory.episode.summarised", "chat": chat["audit_log_id"]}
    eventually(lambda: server.api.get("/v1/audit", params=known).json()["data"])

    context = json.loads(typed(thursday, server))
    assert context["block"].endswith(part.rstrip("\n"))
    turn = json.loads(typed(recorded.replace("the decision_id of the answer before", context["decision_id"]), server))
    assert turn["decision_id"] == context["decision_id"]

    other = server.api.post("/v1/memory/context", json={"message": "what time is it?"}).json()
    assert other["episodes"] == []

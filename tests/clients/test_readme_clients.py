"""What README and `docs/clients.md` say on chat clients, to the letter: only the address and the key are put in."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml

from tests.servers import ROOT, Installation, eventually, running

pytestmark = pytest.mark.real_processes

PLACEHOLDERS = ("http://127.0.0.1:8000", "caesar_...")
THURSDAY = "What should I get for my cat?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A newcomer's installation: no model, no key."""
    with running(tmp_path_factory.mktemp("server")) as installation:
        yield installation


def key_of(server: Installation) -> str:
    return str(server.api.headers["Authorization"]).removeprefix("Bearer ")


def blocks(page: str, title: str, server: Installation) -> list[str]:
    """The code blocks of a chapter, with this server's address and key in them."""
    text = (ROOT / page).read_text(encoding="utf-8")
    chapter = text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    found = re.findall(r"```\w+\n(.*?)```", chapter, re.DOTALL)
    address, key = PLACEHOLDERS
    return [block.replace(address, server.url.rstrip("/")).replace(key, key_of(server)) for block in found]


def knows_the_cat(server: Installation) -> bool:
    facts = server.api.get("/v1/memory/facts").json()["data"]
    return any(fact["sentence"] == "Your cat's name is Tom." for fact in facts)


def newest_receipt(server: Installation) -> str:
    rows = server.api.get("/v1/audit", params={"type": "memory.context.served", "limit": 1}).json()["data"]
    return str(rows[0]["payload"]["block"])


def run(command: list[str], **env: str) -> str:
    done = subprocess.run(command, env=os.environ | env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("README.md", "Connect a chat client"),
        ("docs/clients.md", "Python, `openai`"),
        ("docs/clients.md", "OpenAI's Responses"),
    ],
)
def test_openai_for_python(page: str, title: str, server: Installation) -> None:
    (monday,) = blocks(page, title, server)
    assert "No language model is connected" in run([sys.executable, "-c", monday])
    eventually(lambda: knows_the_cat(server))
    thursday = re.sub(r"By the way.*?(?=\")", THURSDAY, monday)
    assert "1 remembered line" in run([sys.executable, "-c", thursday])
    assert "  - Your cat's name is Tom." in newest_receipt(server).splitlines()


def test_anthropic_for_python(server: Installation) -> None:
    monday, _ = blocks("docs/clients.md", "Anthropic's Messages and Claude Code", server)
    assert "No language model is connected" in run([sys.executable, "-c", monday])
    eventually(lambda: knows_the_cat(server))
    assert "1 remembered line" in run([sys.executable, "-c", re.sub(r"By the way.*?(?=\")", THURSDAY, monday)])


def test_llm(server: Installation, tmp_path: Path) -> None:
    config, commands = blocks("docs/clients.md", "The command line, `llm`", server)
    env = {"LLM_USER_PATH": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    folder = run(["bash", "-c", 'dirname "$(llm logs path)"'], **env).strip()
    (Path(folder) / "extra-openai-models.yaml").write_text(config)
    assert "No language model is connected" in run(["bash", "-ec", commands], **env)
    eventually(lambda: knows_the_cat(server))
    assert "1 remembered line" in run(["llm", "-m", "caesar", "--no-stream", THURSDAY], **env)
    assert "  - Your cat's name is Tom." in newest_receipt(server).splitlines()


def test_librechats_settings_are_what_it_reads(server: Installation) -> None:
    (config,) = blocks("docs/clients.md", "LibreChat", server)
    (endpoint,) = yaml.safe_load(config)["endpoints"]["custom"]
    headers = {"Authorization": f"Bearer {endpoint['apiKey']}"}
    headers |= dict.fromkeys(endpoint["headers"], "conversation-7")
    with httpx.Client(base_url=endpoint["baseURL"], headers=headers) as librechat:
        listed = [model["id"] for model in librechat.get("models").json()["data"]]
        assert endpoint["models"]["default"][0] in listed
        body = {"model": listed[0], "messages": [{"role": "user", "content": "hello there"}]}
        assert librechat.post("chat/completions", json=body).status_code == 200
        title = "Provide a concise, 5-word-or-less title for the conversation, using its same language, ..."
        asked = {"model": endpoint["titleModel"], "messages": [{"role": "user", "content": title}]}
        assert librechat.post("chat/completions", json=asked).status_code == 200
    rows = server.api.get("/v1/audit", params={"conversation": "conversation-7"}).json()["data"]
    assert [row["event_type"] for row in rows] == ["chat.passed_through", "chat.completed", "memory.context.served"]


def test_open_webui_as_it_asks(server: Installation) -> None:
    """Its calls as it sends them: the stream of a chat with its headers, then the errands of that chat."""
    headers = {"Authorization": f"Bearer {key_of(server)}", "X-OpenWebUI-Chat-Id": "chat-1"}
    with httpx.Client(base_url=f"{server.url}v1", headers=headers, timeout=30) as webui:
        assert webui.get("models").status_code == 200
        turn = {"model": "caesar", "stream": True, "messages": [{"role": "user", "content": "good evening"}]}
        with webui.stream("POST", "chat/completions", json=turn) as answer:
            lines = [line for line in answer.iter_lines() if line]
        assert lines[-1] == "data: [DONE]"
        for errand in (
            "Generate a concise, 3-5 word title",
            "Generate 1-3 broad tags",
            "Suggest 3-5 follow-up questions",
        ):
            history = "<chat_history>\nUSER: my hamster is called Tilly\n</chat_history>"
            task = f"### Task:\n{errand}\n### Chat History:\n{history}"
            asked = {"model": "caesar", "stream": False, "messages": [{"role": "user", "content": task}]}
            assert webui.post("chat/completions", json=asked).status_code == 200
    rows = server.api.get("/v1/audit", params={"conversation": "chat-1"}).json()["data"]
    assert [row["event_type"] for row in rows] == [
        *["chat.passed_through"] * 3,
        "chat.completed",
        "memory.context.served",
    ]
    facts = server.api.get("/v1/memory/facts").json()["data"]
    assert not any("Tilly" in fact["value"] for fact in facts)

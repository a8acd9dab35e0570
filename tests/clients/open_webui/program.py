"""Open WebUI itself as a process, driven by the calls that its own page sends, and a mirror that keeps what it asks.

`OPEN_WEBUI` names the virtual environment that it is installed in: `pip install open-webui`, some gigabytes.
"""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx

from tests import parent_death
from tests.memory.llm.servers.local_server import local_server, send_answer, send_head
from tests.servers import eventually, free_port

KEPT_HEADERS = ("content-type", "x-openwebui-chat-id", "x-openwebui-user-email", "x-openwebui-user-id")
START_SECONDS = 240.0


@dataclass
class Mirror:
    """What was asked of the server behind it, in the order of asking: method, path, headers, body."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)

    def taken(self) -> list[dict[str, Any]]:
        """What came since the last look."""
        self.asked, taken = [], self.asked
        return taken


@contextmanager
def mirror(target: str) -> Iterator[Mirror]:
    """A server that hands everything on to `target` and keeps what it handed on."""
    seen = Mirror()

    def answer(request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read() if request.command == "POST" else b""
        headers = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "connection")}
        if body:
            kept = {name: value for name, value in request.headers.items() if name.lower() in KEPT_HEADERS}
            seen.asked.append({"path": request.path, "headers": kept, "body": json.loads(body)})
        got = httpx.request(
            request.command, target + request.path.removeprefix("/"), content=body, headers=headers, timeout=60
        )
        send_head(
            request,
            got.status_code,
            {"Content-Type": got.headers["Content-Type"], "Content-Length": str(len(got.content))},
        )
        request.wfile.write(got.content)

    with local_server(answer) as url:
        seen.url = url
        yield seen


@contextmanager
def search_engine() -> Iterator[str]:
    """A web search that always finds one page, in the shape of Open WebUI's "external" engine."""
    found = [
        {"link": "http://127.0.0.1:9/leads", "title": "Leads", "snippet": "My hamster's name is Tilly, says a page."}
    ]
    with local_server(lambda request: send_answer(request, found, headers={"Content-Type": "application/json"})) as url:
        yield url


@dataclass
class OpenWebUI:
    """A running one, with its first account logged in."""

    http: httpx.Client

    def say(
        self,
        text: str,
        *,
        model: str = "caesar",
        after: dict[str, Any] | None = None,
        pictures: Sequence[str] = (),
        **more: Any,
    ) -> dict[str, Any]:
        """One turn as the page sends it, waited for with its errands. `after`: the turn before. The turn's ids."""
        user_id, assistant_id = str(uuid.uuid4()), str(uuid.uuid4())
        before = after["assistant"] if after else None
        files = [{"type": "image", "url": url} for url in pictures]
        said = {"id": user_id, "parentId": before, "childrenIds": [], "role": "user", "content": text, "files": files}
        body = {
            "model": model,
            "stream": True,
            "messages": [{"role": "user", "content": text}],  # of a saved chat it takes its own
            "session_id": "session-of-a-window",
            "id": assistant_id,
            "parent_id": before,
            "user_message": said,
            "background_tasks": {"title_generation": True, "tags_generation": True, "follow_up_generation": True},
            **({"chat_id": after["chat_id"]} if after else {}),
            **more,
        }
        started = self.http.post("/api/chat/completions", json=body).raise_for_status().json()
        assert started["status"], started
        chat = started["chat_id"]
        eventually(lambda: not self.http.get(f"/api/tasks/chat/{chat}").json()["task_ids"])
        return {"chat_id": chat, "assistant": assistant_id}

    def reply(self, turn: dict[str, Any]) -> str:
        """What the chat shows as the answer to a turn."""
        chat = self.http.get(f"/api/v1/chats/{turn['chat_id']}").raise_for_status().json()["chat"]
        return str(chat["history"]["messages"][turn["assistant"]]["content"])

    def upload(self, name: str, text: str) -> dict[str, Any]:
        """A document, as the page puts it beside a message."""
        sent = self.http.post("/api/v1/files/", files={"file": (name, text.encode(), "text/plain")})
        file = sent.raise_for_status().json()
        path = f"/api/v1/files/{file['id']}/process/status"
        eventually(lambda: self.http.get(path, params={"stream": "false"}).json().get("status") == "completed")
        return {"type": "file", "id": file["id"], "name": name, "file": file, "status": "uploaded"}

    def install_filter(self, source: str, valves: dict[str, Any]) -> None:
        """A filter function, switched on for all models."""
        form = {"id": "caesar_memory", "name": "CAESAR memory", "content": source, "meta": {"description": "memory"}}
        self.http.post("/api/v1/functions/create", json=form).raise_for_status()
        self.http.post("/api/v1/functions/id/caesar_memory/valves/update", json=valves).raise_for_status()
        for switch in ("toggle", "toggle/global"):
            self.http.post(f"/api/v1/functions/id/caesar_memory/{switch}").raise_for_status()


def installed_at() -> Path | None:
    """The program, where `OPEN_WEBUI` names its environment."""
    folder = os.environ.get("OPEN_WEBUI", "")
    program = Path(folder) / "bin" / "open-webui"
    return program if folder and program.exists() else None


@contextmanager
def open_webui(program: Path, folder: Path, base_url: str, key: str, **env: str) -> Iterator[OpenWebUI]:
    """The program while open, with one OpenAI connection. It has no network but the loopback, and asks for none."""
    port = free_port()
    settings = {
        "DATA_DIR": str(folder / "data"),
        "WEBUI_SECRET_KEY": "secret-of-a-test",
        "OFFLINE_MODE": "true",
        "HF_HUB_OFFLINE": "1",
        "ANONYMIZED_TELEMETRY": "false",
        "ENABLE_OLLAMA_API": "false",
        "OPENAI_API_BASE_URL": base_url,
        "OPENAI_API_KEY": key,
        "RAG_EMBEDDING_ENGINE": "openai",  # none is loaded then
        "BYPASS_EMBEDDING_AND_RETRIEVAL": "true",
        "BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL": "true",
        "BYPASS_WEB_SEARCH_WEB_LOADER": "true",
        **env,
    }
    (folder / "data").mkdir(parents=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CAESAR_", "PYTHON"))}
    command = parent_death.command(str(program), "serve", "--host", "127.0.0.1", "--port", str(port))
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command, env=inherited | settings, cwd=folder, stdout=log, stderr=log, start_new_session=True
        )
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
                _log_in(http)
                yield OpenWebUI(http)
        except AssertionError:
            sys.stderr.write((folder / "log").read_text()[-5_000:])
            raise
        finally:
            process.terminate()
            process.wait(30)


def _log_in(http: httpx.Client) -> None:
    eventually(lambda: http.get("/health").status_code == 200, seconds=START_SECONDS)
    account = {"name": "Anna Öz", "email": "anna@example.org", "password": "a long enough password"}
    token = http.post("/api/v1/auths/signup", json=account).raise_for_status().json()["token"]
    http.headers["Authorization"] = f"Bearer {token}"
    assert http.get("/api/models").raise_for_status().json()["data"]

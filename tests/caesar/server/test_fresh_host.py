"""gunicorn as the documents say, in a fresh copy of the project: pages without a collection, and nothing left about."""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from caesar.environment import ROOT
from tests import parent_death
from tests.servers import eventually, free_port

pytestmark = pytest.mark.real_processes

PROJECT = ("caesar", "memory", "dashboard", "static", "templates", "manage.py")


@dataclass
class FreshHost:
    """A copy of the project, and its web server."""

    folder: Path
    environ: dict[str, str]
    client: httpx.Client

    @property
    def file(self) -> Path:
        return self.folder / "var" / "caesar.sqlite3"

    @property
    def printed(self) -> str:
        return (self.folder / "log").read_text()

    def manage(self, *arguments: str) -> None:
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=self.folder, env=self.environ, check=True, capture_output=True, timeout=120)

    def answers(self) -> bool:
        return self.client.get("/healthz").status_code == 200


def clean_environ(home: Path, port: int) -> dict[str, str]:
    ours = ("CAESAR_", "PYTEST_", "DJANGO_", "XDG_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    settings = {"PORT": str(port), "TRUSTED_PROXIES": "127.0.0.1", "THREADS": "4"}
    return clean | {"HOME": str(home)} | {f"CAESAR_SERVER__{name}": value for name, value in settings.items()}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FreshHost]:
    root, port = tmp_path_factory.mktemp("fresh"), free_port()
    folder, home = root / "project", root / "home"
    for made in (folder, home):
        made.mkdir()
    for name in PROJECT:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    environ = clean_environ(home, port)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        host = FreshHost(folder, environ, client)
        host.manage("migrate", "--verbosity", "0")
        command = [sys.executable, "-m", "gunicorn", "--preload", "--config", "python:caesar.web", "caesar.wsgi"]
        before = os.umask(0o022)
        try:
            with (folder / "log").open("ab") as log:
                process = subprocess.Popen(
                    parent_death.command(*command), cwd=folder, env=environ, stdout=log, stderr=subprocess.STDOUT
                )
        finally:
            os.umask(before)
        try:
            eventually(host.answers)
            yield host
        finally:
            process.terminate()
            process.wait(60)


def test_it_serves_pages_keeps_its_files_private_and_leaves_nothing_at_home(host: FreshHost) -> None:
    page = host.client.get("/login")
    assert page.status_code == 200
    links = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(links) > 3
    assert {host.client.get(link).status_code for link in links} == {200}
    assert host.client.get("/nowhere").status_code == 404
    home = Path(host.environ["HOME"])
    assert [path.name for path in home.rglob("*") if ".ctl" in path.name or "gunicorn" in path.name] == []
    made = [host.folder / "var", *(host.folder / "var").iterdir()]
    assert host.file in made
    assert [path.name for path in made if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def test_a_database_that_is_deleted_is_missed_and_not_made_anew(host: FreshHost) -> None:
    for path in (host.folder / "var").glob("caesar.sqlite3*"):
        path.unlink()
    page = host.client.get("/admin/login/", follow_redirects=True)
    assert host.client.get("/v1/audit", headers={"Authorization": "Bearer caesar_none"}).status_code == 503
    ready = host.client.get("/readyz")
    assert (ready.status_code, page.status_code) == (503, 200)
    assert "its file is not there" in ready.json()["checks"]["database"]["detail"]
    broken = host.client.get("/login", headers={"Cookie": f"sessionid={'x' * 32}"})
    assert (broken.status_code, "Something broke here" in broken.text) == (500, True)
    assert f"There is no database file {host.file}" in host.printed
    assert not host.file.exists()
    host.manage("migrate", "--verbosity", "0")
    assert host.client.get("/login", headers={"Cookie": f"sessionid={'x' * 32}"}).status_code == 200


def test_behind_a_proxy_strangers_lock_out_themselves(host: FreshHost) -> None:
    def log_in(address: str) -> int:
        token = host.client.get("/login").cookies.get("csrftoken") or host.client.cookies["csrftoken"]
        form = {"username": "operator", "password": "wrong", "csrfmiddlewaretoken": token}
        return host.client.post("/login", data=form, headers={"X-Forwarded-For": address}).status_code

    stranger = [log_in("203.0.113.7") for _ in range(6)]
    assert stranger[-1] == 429
    assert log_in("1.1.1.1, 203.0.113.7") == 429
    assert log_in("203.0.113.8") < 429

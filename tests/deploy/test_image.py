"""The image's own steps, done in a bare folder: what the Dockerfile copies is enough to run the server.

No engine is needed: the packages are those of the tests, and commands run as the Dockerfile has them.
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import parent_death
from tests.servers import PATIENCE_SECONDS, ROOT, free_port

DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
FINAL = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]


def command(instruction: str) -> list[str]:
    """The list that an instruction of the Dockerfile ends with, Python being the tests' own."""
    found = re.search(rf"^{instruction}\b.*?(\[.*\])$", FINAL, re.MULTILINE)
    assert found is not None
    program, *rest = json.loads(found[1])
    assert program == "python"
    return [sys.executable, *rest]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the image's last stage has in its working folder."""
    for copied in re.findall(r"^COPY --chown=caesar:caesar (.+)$", FINAL, re.MULTILINE):
        *sources, target = copied.split()
        for source in sources:
            place = tmp_path / target if target != "./" else tmp_path / source
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, place)
    (tmp_path / "var").mkdir(mode=0o700)
    return tmp_path


@pytest.fixture
def env(folder: Path) -> dict[str, str]:
    """The image's environment, on the loopback."""
    set_by = dict(re.findall(r"(CAESAR_\w+)=(\S+)", FINAL))
    assert set_by == {"CAESAR_SERVER__HOST": "0.0.0.0"}  # noqa: S104 (compared, not bound)
    return {"PATH": "/usr/bin:/bin", "CAESAR_SERVER__HOST": "127.0.0.1", "CAESAR_SERVER__PORT": str(free_port())}


def ignored() -> Iterator[str]:
    """What `.dockerignore` lets through to the builder."""
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line.startswith("!"):
            yield line[1:]


def test_the_builder_is_sent_what_is_copied_and_no_more() -> None:
    copied = {
        source
        for line in re.findall(r"^COPY (?!--from)(?:--\S+ )?(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    }
    assert copied == set(ignored())


def test_nobody_is_root_in_it_and_memory_is_on_a_volume() -> None:
    assert re.search(r"^USER 10001$", FINAL, re.MULTILINE)
    assert re.search(r"^VOLUME /app/var$", FINAL, re.MULTILINE)


@pytest.mark.real_processes
def test_it_starts_says_that_it_is_well_keeps_all_in_its_volume_and_stops(folder: Path, env: dict[str, str]) -> None:
    assert subprocess.run(command("HEALTHCHECK.*?"), cwd=folder, env=env, capture_output=True).returncode == 1
    server = subprocess.Popen(
        parent_death.command(*command("CMD")), cwd=folder, env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        ends = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < ends and server.poll() is None:
            if subprocess.run(command("HEALTHCHECK.*?"), cwd=folder, env=env, capture_output=True).returncode == 0:
                break
        else:
            pytest.fail("It never said that it was well.")
        server.send_signal(signal.SIGTERM)  # STOPSIGNAL
        said, _ = server.communicate(timeout=PATIENCE_SECONDS)
    finally:
        server.kill()
    assert server.returncode == 0
    assert "caesar_" in said, "the first key is printed"
    assert {"caesar.sqlite3", "secret_key", "static"} <= {path.name for path in (folder / "var").iterdir()}

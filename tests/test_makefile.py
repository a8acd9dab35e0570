"""The Makefile: what it does on a fresh clone, looked at without installing anything."""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what the Makefile looks at."""
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt", ".env.example"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(folder: Path, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """The end of `make` with these arguments."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        [str(shutil.which("make")), *arguments],
        cwd=folder,
        env=environ | ({"PATH": path} if path else {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def installed(folder: Path) -> None:
    """A .venv as it is after `make run` and `make test`."""
    (folder / ".venv" / "bin").mkdir(parents=True)
    for stamp in ("bin/python", "run-packages", "dev-packages"):
        (folder / ".venv" / stamp).touch()
    later = (folder / "requirements.txt").stat().st_mtime + 10
    os.utime(folder / ".venv" / "run-packages", (later, later))
    os.utime(folder / ".venv" / "dev-packages", (later, later))
    os.utime(folder / ".venv" / "bin" / "python", (0, 0))


def test_it_works(clone: Path) -> None:
    done = make(clone)
    assert done.returncode == 0
    listed = set(re.findall(r"^  make ([a-z]+) +\S", done.stdout, re.MULTILINE))
    assert listed == {"help", "run", "test", "check", "bench", "attack", "pictures", "clients"}


def test_without_a_python_one_line_names_the_cure(clone: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "rm"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    done = make(clone, "run", path=str(tools))
    assert done.returncode != 0
    assert done.stdout == ""
    first, *rest = done.stderr.splitlines()
    assert first.startswith("CAESAR needs Python 3.11 or newer")
    assert len(rest) == 1, "make's own line is all that follows"
    assert not (clone / ".venv").exists()


def test_packages_are_installed_first_and_then_no_more(clone: Path) -> None:
    assert "pip install" in make(clone, "-n", "run").stdout
    installed(clone)
    assert "pip install" not in make(clone, "-n", "run").stdout
    assert "pip install" not in make(clone, "-n", "test").stdout


def test_packages_are_installed_again_when_the_list_changed(clone: Path) -> None:
    installed(clone)
    later = (clone / ".venv" / "run-packages").stat().st_mtime + 10
    os.utime(clone / "requirements.txt", (later, later))
    assert "pip install" in make(clone, "-n", "run").stdout


def test_a_python_that_was_removed_is_replaced(clone: Path) -> None:
    installed(clone)
    (clone / ".venv" / "bin" / "python").unlink()
    (clone / ".venv" / "bin" / "python").symlink_to("/no/such/python")
    plan = make(clone, "-n", "run").stdout
    assert "-m venv .venv" in plan
    assert "pip install" in plan


def test_settings_are_copied_once_and_private(clone: Path) -> None:
    assert make(clone, ".env").returncode == 0
    settings = clone / ".env"
    assert settings.read_text() == (ROOT / ".env.example").read_text()
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    settings.write_text("CAESAR_SERVER__PORT=9000\n")
    make(clone, ".env")
    assert settings.read_text() == "CAESAR_SERVER__PORT=9000\n"


def test_a_newer_example_does_not_touch_my_settings(clone: Path) -> None:
    make(clone, ".env")
    (clone / ".env").write_text("CAESAR_SERVER__PORT=9000\n")
    later = (clone / ".env").stat().st_mtime + 10
    os.utime(clone / ".env.example", (later, later))
    assert "cp" not in make(clone, "-n", ".env").stdout

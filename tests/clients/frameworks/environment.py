"""Environments with the packages of clients in them, apart from this project's own, made once for each list of pins."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
INSTALL_SECONDS = 900


def python_with_clients(cache: Path) -> str:
    """A Python with the packages of `requirements.txt`. Skips the test where they cannot be had."""
    folder = _folder(cache, HERE / "requirements.txt")
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        _run([sys.executable, "-m", "venv", str(folder)], cwd=HERE)
        _run([str(python), "-m", "pip", "install", "-qq", "-r", "requirements.txt"], cwd=HERE)
        (folder / "complete").touch()
    return str(python)


def node_with_clients(cache: Path) -> tuple[str, Path]:
    """Node, and a folder in which it finds the packages of `package.json`. Skips the test where they cannot be had."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("There is no Node: apt install nodejs npm")
    folder = _folder(cache, HERE / "package.json")
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", folder)
        _run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder)
        (folder / "complete").touch()
    return node, folder


def _folder(cache: Path, pins: Path) -> Path:
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()[:12]
    return cache / f"{pins.stem}-{digest}"


def _run(command: list[str], *, cwd: Path) -> None:
    done = subprocess.run(
        command, cwd=cwd, env=dict(os.environ), capture_output=True, text=True, timeout=INSTALL_SECONDS
    )
    if done.returncode:
        pytest.skip(f"{' '.join(command[-4:])} did not work: {done.stderr.strip().splitlines()[-1:]}")

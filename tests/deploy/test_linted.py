"""The files for containers, systemd and proxies are read by the programs they are for, where these can be had."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from caesar.conf import Settings
from tests.servers import ROOT

UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))
COMPOSED = [ROOT / "compose.yaml", ROOT / "compose.postgresql.yaml"]


def said_by(*command: str) -> str:
    """What a linter prints; skipped where there is none."""
    program = shutil.which(command[0], path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if program is None:
        pytest.skip(f"There is no {command[0]}")
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=60)
    return (done.stdout + done.stderr) if done.returncode else ""


def test_the_dockerfile() -> None:
    assert said_by("hadolint", "--no-color", str(ROOT / "Dockerfile")) == ""


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit(unit: Path, tmp_path: Path) -> None:
    """Its program is not installed where the unit expects it: for the check it is any program."""
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace("/opt/caesar/.venv/bin/python", shutil.which("true") or "/bin/true"))
    said = said_by("systemd-analyze", "verify", "--man=no", str(copy))
    assert [line for line in said.splitlines() if unit.name in line] == []


def test_caddys_file() -> None:
    said = said_by("caddy", "validate", "--adapter", "caddyfile", "--config", str(ROOT / "deploy/caddy/Caddyfile"))
    assert said == ""


def test_nginxs_file(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("There is no openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=memory.example.com"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    site = (ROOT / "deploy/nginx/caesar.conf").read_text()
    site = site.replace("/etc/ssl/certs/memory.example.com.pem", str(certificate))
    site = site.replace("/etc/ssl/private/memory.example.com.key", str(key))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{site}\n}}\n")
    assert said_by("nginx", "-t", "-q", "-e", "stderr", "-c", str(whole)) == ""


@pytest.mark.parametrize("file", COMPOSED, ids=lambda file: file.name)
def test_what_is_composed_keeps_memory_on_a_volume_and_off_the_network(file: Path) -> None:
    found = yaml.safe_load(file.read_text())
    ours = [service for service in found["services"].values() if service.get("image") == "caesar-memory"]
    assert ours
    assert all("memory:/app/var" in service["volumes"] and service["read_only"] for service in ours)
    ports = [port for service in found["services"].values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8000:8000"]
    assert {"memory"} <= set(found["volumes"])


@pytest.mark.parametrize("file", [ROOT / "deploy/caddy/Caddyfile", ROOT / "deploy/nginx/caesar.conf"], ids=str)
def test_a_proxy_takes_the_largest_body_that_the_server_takes(file: Path) -> None:
    megabytes = re.search(r"(?:max_size|client_max_body_size)\s+(\d+)M", file.read_text(), re.IGNORECASE)
    assert megabytes is not None
    assert int(megabytes[1]) * 1_000_000 >= Settings().api.max_body_bytes

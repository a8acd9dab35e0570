"""A real server for one test: its own database file, its own port, and nothing of the developer's."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import ClassVar
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from tests import parent_death
from tests.servers import PATIENCE_SECONDS, ROOT, eventually, free_port

__all__ = ["OwnServer", "eventually", "free_port"]


class OwnServer:
    """`manage.py` commands as processes of their own, with the settings in `environ` and no others."""

    _migrated: ClassVar[bytes] = b""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.file = folder / "rows.sqlite3"
        self.log = folder / "log"
        self.port = free_port()
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("CAESAR_", "PYTEST_"))}
        ours = {
            "ENV_FILE": os.devnull,
            "DB__URL": f"sqlite:///{self.file}",
            "SECRET_KEY": "not so secret in a test",
            "DEBUG": "true",  # static files from their sources: nothing is collected into the project
            "SERVER__PORT": str(self.port),
            "LOG_LEVEL": "DEBUG",
            "MEMORY__RETENTION_DAYS": "0",
            "BACKUP__PATH": str(folder / "backups"),
            "BACKUP__LEAST_FREE_MEGABYTES": "0",
            "MEMORY__FACTS__ENABLED": "true",
            "MEMORY__FACTS_EXTRACT__ENABLED": "true",
        }
        self.environ = clean | {f"CAESAR_{name}": value for name, value in (ours | settings).items()}

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Run a command in the background, its output in the log. In a session of its own, like under a service.

        It ends with us, by SIGTERM, should we be killed.
        """
        with self.log.open("ab") as log:
            return subprocess.Popen(
                parent_death.command(sys.executable, "manage.py", *arguments),
                cwd=ROOT,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    def migrate(self) -> None:
        """Make the database, by `manage.py migrate`; from the second one on it is a copy of the first."""
        if OwnServer._migrated:
            self.file.write_bytes(OwnServer._migrated)
            return
        done = self.run("migrate", "--verbosity", "0")
        assert done.returncode == 0, done.stderr
        OwnServer._migrated = self.file.read_bytes()

    def printed(self) -> str:
        """What background commands printed so far."""
        return self.log.read_text() if self.log.exists() else ""

    def query(self, sql: str) -> list[tuple[object, ...]]:
        """Rows of the database."""
        connection = sqlite3.connect(self.file, timeout=20)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def answers(self, path: str = "/admin/login/") -> bool:
        """Whether the web server gives a page."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as response:  # noqa: S310 (loopback)
                return bool(response.status == 200)
        except HTTPError:
            return False
        except (URLError, OSError):
            return False

    def processes(self) -> dict[int, str]:
        """Every living process that has this server's database in its environment: {pid: command line} (Linux)."""
        mark = f"CAESAR_DB__URL=sqlite:///{self.file}\0".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes():
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found[int(folder.name)] = command
            except OSError:
                continue  # it ended meanwhile, or is not ours
        return {pid: command for pid, command in found.items() if command}  # a zombie has no command line

    def end_all(self) -> None:
        """After a test that failed: nothing of this server lives on."""
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

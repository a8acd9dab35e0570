"""`manage.py up`: web server and worker together, until Ctrl-C."""

import contextlib
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, Error, connections
from django.utils import timezone

from caesar.server import GRACEFUL_SECONDS, alive
from caesar.sqlite3.base import DatabaseFileMissing
from caesar.sqlite3.ending import write_out
from memory import health, schema
from memory.management.processes import TICK_SECONDS, Child, StopRequest, stop_all
from memory.proactive.triggers import TriggersError, read

_WAIT_SECONDS = GRACEFUL_SECONDS + 5
_LOOK_SECONDS = 30
_REFUSED = 2


class QueueLookout:
    """Looks now and then whether the worker hangs. A new worker is given the time of the longest task first."""

    def __init__(self) -> None:
        self._next = time.monotonic() + settings.TASK_TIMEOUT_SECONDS
        self._is_suspected = False

    def finds_hang(self) -> bool:
        """Whether it hung at the last two looks: after a sleep of the machine, one look says nothing."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + _LOOK_SECONDS
        was_suspected, self._is_suspected = self._is_suspected, _queue_hangs()
        return was_suspected and self._is_suspected


class Command(BaseCommand):
    """Exit code 0 after Ctrl-C, SIGTERM or SIGHUP, 1 where one of the two ended by itself, 2 where nothing started.

    Only the two parents are signalled: each lets its workers finish their current work. On Linux the two also stop
    when this process is killed.
    """

    help = "Run the web server and the worker until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to prepare the database first."""
        parser.add_argument("--bootstrap", action="store_true", help="first run `manage.py bootstrap`")

    def check(self, *args: Any, **options: Any) -> None:
        """The system checks. A triggers file that cannot be used is refused first, in plain lines."""
        path = settings.CAESAR.proactive.triggers_path
        try:
            if path is not None:
                read(path)
        except TriggersError as error:
            self._exit_refused("\n".join(error.problems))
        super().check(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Start both, say where, wait, stop both."""
        with StopRequest.watched() as request:
            self._check_port_is_free()
            self._prepare(bootstrap=options["bootstrap"])
            if request:
                return
            children: list[Child] = []
            try:
                for name, command in _commands():
                    children.append(Child.start(name, command, folder=settings.BASE_DIR))
                self._watch(children, request)
            finally:
                stop_all(children, seconds=_WAIT_SECONDS, request=request)
                write_out()
        if not request:
            sys.exit(1)

    def _check_port_is_free(self) -> None:
        host, port = settings.CAESAR.server.host, settings.CAESAR.server.port
        cure = "Stop the other server or set CAESAR_SERVER__PORT."
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except socket.gaierror as error:
            self._exit_refused(f"{host}: {error.strerror}. Correct CAESAR_SERVER__HOST.")
        except OSError as error:
            self._exit_refused(f"{_host_and_port(host, port)}: {error.strerror}. {cure}")

    def _prepare(self, *, bootstrap: bool) -> None:
        """Make the database and the timetable ready for both processes; no connection stays open."""
        try:
            if bootstrap:
                call_command("bootstrap", stdout=self.stdout, stderr=self.stderr)
                return
            if _lacks_migrations():
                self._exit_refused("The database is not up to date. Run `manage.py bootstrap`, then try again.")
            schema.refuse_newer()
            call_command("sync_schedules", verbosity=0)
        except schema.NewerSchema as error:
            self._exit_refused(str(error))
        except CommandError as error:  # of bootstrap: its words have the cure
            self._exit_refused(str(error))
        except DatabaseError as error:
            said = " ".join(str(error).split())
            self._exit_refused(f"The database cannot be used: {said}. See CAESAR_DB__URL.")
        finally:
            connections.close_all()

    def _watch(self, children: list[Child], request: StopRequest) -> None:
        """Wait until a stop is asked for or a child ends; print the address as soon as the web server answers.

        A worker that hangs is replaced: one of its processes that was killed may have taken the queue's lock with it.
        """
        is_told, lookout = False, QueueLookout()
        while not request and not any(child.has_ended for child in children):
            if not is_told and _status() is not None:
                self._print(f"CAESAR is at {shown_address()} (Ctrl-C stops it).")
                is_told = True
            if lookout.finds_hang():
                self._replace_worker(children, request)
                lookout = QueueLookout()
            time.sleep(TICK_SECONDS)
        for child in children:
            if not request and child.has_ended:
                self._print(f"The {child.name} {child.ending}. Stopping.")
        if request and is_told:
            self._print("Stopping. Ctrl-C again stops at once.")

    def _replace_worker(self, children: list[Child], request: StopRequest) -> None:
        """End the worker, which was started last, and start a new one unless a stop is asked for."""
        worker = children[-1]
        self._print(f"The {worker.name} hangs: tasks wait and none is run. Starting it again.")
        stop_all([worker], seconds=_WAIT_SECONDS, request=request)
        worker.end_leftovers()
        if not request:
            *_, (name, command) = _commands()
            children[-1] = Child.start(name, command, folder=settings.BASE_DIR)

    def _print(self, line: str) -> None:
        """Print a line. A terminal that is gone is ignored: stopping the children matters more."""
        with contextlib.suppress(OSError):
            self.stdout.write(line)
            self.stdout.flush()

    def _exit_refused(self, line: str) -> NoReturn:
        self.stderr.write(line)
        sys.exit(_REFUSED)


def _commands() -> Iterator[tuple[str, list[str]]]:
    """The processes to start: name and command line."""
    web = [sys.executable, "-m", "gunicorn", "--preload", "--config", "python:caesar.web", "--log-level", "warning"]
    web += ["--bind", _host_and_port(settings.CAESAR.server.host, settings.CAESAR.server.port), "caesar.wsgi"]
    yield "web server", web
    yield "worker", [sys.executable, "manage.py", "qcluster", "--skip-checks"]


def _queue_hangs() -> bool:
    """Whether the worker hangs, as far as the database can say; no connection stays open."""
    try:
        return health.queue_hangs(timezone.now())
    except Error:
        return False
    finally:
        with contextlib.suppress(Error):
            connections.close_all()


def _lacks_migrations() -> bool:
    try:
        return bool(schema.waiting())
    except DatabaseFileMissing:
        return True


def _status() -> int | None:
    tree = settings.CAESAR
    return alive.status(tree.server.host, tree.server.port, allowed_hosts=tree.allowed_hosts)


def _host_and_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def shown_address() -> str:
    """Where a browser on this machine finds the server."""
    host, port = settings.CAESAR.server.host, settings.CAESAR.server.port
    return f"http://{_host_and_port('localhost' if host in alive.EVERY_ADDRESS else host, port)}/"

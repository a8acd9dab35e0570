"""What the crash tests share: a model server that counts, and a fork server on the tests' database."""

import os
import random
import secrets
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from tests.crash.model import CountingModel, counting_model
from tests.crash.processes.fork_client import ForkServer

SEED = "CRASH_SEED"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what forks as a test of real processes, and skip it where the system is not Linux."""
    for item in items:
        if "session_fork_server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.real_processes)
            if sys.platform != "linux":
                item.add_marker(pytest.mark.skip(reason="needs pidfd and PR_SET_PDEATHSIG"))


def database_url() -> str:
    """The address of the tests' database, for other processes."""
    options = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{options['NAME']}"
    secret = f":{options['PASSWORD']}" if options["PASSWORD"] else ""
    return f"postgresql://{options['USER']}{secret}@{options['HOST']}:{options['PORT']}/{options['NAME']}"


def environ(model: CountingModel, **settings_of_its_own: str) -> dict[str, str]:
    """The environment of a process on the tests' database, with all of memory on and every task at `model`."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CAESAR_", "PYTEST_"))}
    ours = {
        "ENV_FILE": os.devnull,
        "DB__URL": database_url(),
        "DB__SPOOL_PATH": str(Path(tempfile.gettempdir()) / f"caesar-test-turns-{os.getpid()}"),
        "SECRET_KEY": settings.SECRET_KEY,
        "DEBUG": "true",  # static files from their sources
        "LOG_LEVEL": "WARNING",
        "LLM__PROVIDER": "openai",
        "LLM__MODEL": "counting",
        "LLM__OPENAI__BASE_URL": model.url,
        "SEMANTIC__ENABLED": "true",
        "SEMANTIC__PROVIDER": "openai",
        "SEMANTIC__MODEL": "counting",
        "SEMANTIC__BASE_URL": model.url,
        "MEMORY__FACTS__ENABLED": "true",
        "MEMORY__FACTS_EXTRACT__ENABLED": "true",
        "MEMORY__EPISODES_SUMMARISE__ENABLED": "true",
        "MEMORY__EPISODES_RECALL__ENABLED": "true",
    }
    wanted = {f"CAESAR_{name}": value for name, value in (ours | settings_of_its_own).items()}
    # No TLS here: reading the certificates costs each process 40 ms.
    clean.pop("SSL_CERT_FILE", None)
    return clean | wanted | {"DJANGO_SETTINGS_MODULE": "caesar.settings", "SSL_CERT_DIR": os.devnull}


@pytest.fixture(scope="session")
def one_model() -> Iterator[CountingModel]:
    with counting_model() as model:
        yield model


@pytest.fixture
def model(one_model: CountingModel) -> CountingModel:
    """The model server, with nothing paid yet."""
    one_model.forget()
    return one_model


@pytest.fixture(scope="session")
def session_fork_server(
    django_db_setup: None, one_model: CountingModel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ForkServer]:
    server = ForkServer(environ(one_model), tmp_path_factory.mktemp("fork_server") / "log")
    yield server
    server.close()


@pytest.fixture
def fork_server(session_fork_server: ForkServer) -> Iterator[ForkServer]:
    """The process that forks. Children that a failed test left running are ended: one may hold a lock."""
    yield session_fork_server
    session_fork_server.end_all()


@pytest.fixture
def chance() -> random.Random:
    """Random numbers that can be repeated: `CRASH_SEED=... pytest tests/crash`. A failing test prints the seed."""
    seed = os.environ.get(SEED) or str(secrets.randbits(32))
    print(f"{SEED}={seed}")
    return random.Random(seed)

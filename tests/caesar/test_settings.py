"""Django's settings, as derived from the tree: the queue, the database, the signing key, HTTPS, the log."""

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from caesar.conf import ConfigurationError, LLMSettings, Settings
from caesar.environment import ROOT
from caesar.settings import database, stored_secret_key, task_seconds
from tests.caesar.own_process import run_python


def started(code: str, **environ: str) -> str:
    """What a fresh process prints that runs this code after `import caesar.settings as s`."""
    done = run_python("-c", f"import json; import caesar.settings as s; {code}", **environ)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_it_works() -> None:
    assert isinstance(settings.CAESAR, Settings)


# --- the queue is only a clock (case H38) ---


def test_queue_neither_repeats_nor_catches_up() -> None:
    cluster = settings.Q_CLUSTER
    assert cluster["retry"] > cluster["timeout"]
    assert cluster["catch_up"] is False
    assert cluster["max_attempts"] == 1
    assert cluster["orm"] == "default"


@pytest.mark.parametrize("call_seconds", [1, 60, 600, 3600])
def test_a_task_outlives_the_slowest_chat(call_seconds: float) -> None:
    slowest = LLMSettings(task_timeout_seconds=call_seconds).longest_question_seconds
    assert task_seconds(slowest) > slowest > 3 * call_seconds


def test_a_task_outlives_a_batch_of_the_default_size() -> None:
    llm, usual_seconds = Settings().llm, 60
    room = task_seconds(llm.longest_question_seconds) - llm.longest_question_seconds
    assert room + usual_seconds >= Settings().memory.episodes_summarise.batch_size * usual_seconds


# --- database ---


def test_sqlite_takes_the_write_lock_at_once() -> None:
    entry = database("sqlite:///var/caesar.sqlite3")
    assert entry["NAME"] == str(ROOT / "var" / "caesar.sqlite3")
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert entry["OPTIONS"]["timeout"] == 20
    assert "journal_mode=WAL" in entry["OPTIONS"]["init_command"]
    assert "foreign_keys=ON" in entry["OPTIONS"]["init_command"]


def test_sqlite_file_may_lie_elsewhere(tmp_path: Path) -> None:
    assert database(f"sqlite:///{tmp_path}/rows.sqlite3")["NAME"] == f"{tmp_path}/rows.sqlite3"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="CAESAR_DB__URL: there is no folder .*/nowhere. Create it"):
        database(f"sqlite:///{tmp_path}/nowhere/rows.sqlite3")


def test_sqlite_keeps_its_connections(tmp_path: Path) -> None:
    assert database(f"sqlite:///{tmp_path}/rows.sqlite3")["CONN_MAX_AGE"] > 0


def test_postgresql_keeps_its_connections() -> None:
    entry = database("postgresql://me:p%40ss@db:5433/caesar?sslmode=require")
    assert entry["ENGINE"] == "django.db.backends.postgresql"
    assert (entry["USER"], entry["PASSWORD"], entry["HOST"], entry["PORT"]) == ("me", "p@ss", "db", 5433)
    assert entry["OPTIONS"] == {"sslmode": "require"}
    assert entry["CONN_MAX_AGE"] > 0
    assert entry["CONN_HEALTH_CHECKS"]


# --- signing key ---


def test_signing_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret_key"
    key = stored_secret_key(path)
    assert len(key) >= 50
    assert stored_secret_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret_key"]


def test_processes_that_start_together_share_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(stored_secret_key, [tmp_path / "secret_key"] * 32))
    assert len(set(keys)) == 1


def test_an_empty_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()
    with pytest.raises(ConfigurationError, match="is empty. Delete that file, or set it"):
        stored_secret_key(tmp_path / "secret_key")


def test_a_key_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="CAESAR_SECRET_KEY: not set, and .* cannot be used"):
        stored_secret_key(tmp_path / "file" / "secret_key")


def test_a_key_in_the_environment_is_used() -> None:
    assert started("print(s.SECRET_KEY)", CAESAR_SECRET_KEY="from-the-environment") == "from-the-environment"


# --- pages ---


@pytest.mark.django_db
def test_every_page_carries_the_strict_policy(client: Client) -> None:
    policy = client.get("/admin/login/").headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "font-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


def test_pages_show_the_operators_time() -> None:
    assert started("print(s.TIME_ZONE, s.USE_TZ)", CAESAR_TIME_ZONE="Europe/Helsinki") == "Europe/Helsinki True"


def test_bodies_are_bounded_by_the_setting() -> None:
    assert started("print(s.DATA_UPLOAD_MAX_MEMORY_SIZE)", CAESAR_API__MAX_BODY_BYTES="5000") == "5000"


def test_https_makes_cookies_secure_and_leaves_health_open() -> None:
    names = "SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT CSRF_TRUSTED_ORIGINS SECURE_REDIRECT_EXEMPT"
    printed = started(
        f"print(json.dumps([getattr(s, name) for name in '{names}'.split()]))",
        CAESAR_SERVER__HTTPS="true",
        CAESAR_ALLOWED_HOSTS="caesar.example.com,.example.org",
    )
    *secure, origins, exempt = json.loads(printed)
    assert secure == [True, True, True]
    assert origins == ["https://caesar.example.com", "https://*.example.org"]
    assert exempt == ["^healthz$", "^readyz$"]


def test_numpy_finds_one_blas_thread() -> None:
    assert started("import os; print(os.environ['OPENBLAS_NUM_THREADS'])")


# --- log ---


def test_a_stranger_with_a_wrong_host_is_one_log_line() -> None:
    request = "from django.test import RequestFactory; from caesar.wsgi import django_application as app"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{request}; print(app.get_response(RequestFactory().get('/x', headers={{'host': 'evil'}})))",
        ],
        cwd=ROOT,
        env={**os.environ, "CAESAR_ENV_FILE": os.devnull, "CAESAR_DEBUG": "true"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "status_code=400" in done.stdout
    assert [line for line in done.stderr.splitlines() if "DisallowedHost" in line]
    assert "Traceback" not in done.stderr

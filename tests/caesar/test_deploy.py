"""`manage.py check --deploy` has nothing to say about a server behind TLS."""

from pathlib import Path

from tests.servers import environment, run_manage


def test_it_is_clean_behind_tls(tmp_path: Path) -> None:
    env = environment(tmp_path, CAESAR_SERVER__HTTPS="true", CAESAR_ENV_FILE="/dev/null")
    run_manage(env, "check", "--deploy", "--fail-level", "WARNING")

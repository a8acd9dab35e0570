"""`manage.py` says in one plain message why it cannot start."""

import ast
import subprocess

from caesar.environment import ROOT
from tests.caesar.own_process import run_python


def manage(*flags: str, code: str | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
    """`python manage.py check` (or other code) in a process of its own, without the caller's settings."""
    command = ["-c", code] if code else ["manage.py", "check"]
    return run_python(*flags, *command, **environ)


def test_it_works() -> None:
    done = manage()
    assert done.returncode == 0, done.stderr


def test_a_wrong_setting_is_one_message_and_exit_1() -> None:
    done = manage(CAESAR_DEBUG="maybe")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "CAESAR cannot start, its settings need attention:",
        "  CAESAR_DEBUG: must be true or false. Left out, it is false.",
    ]


def test_a_missing_env_file_is_one_message_and_exit_1() -> None:
    done = manage(CAESAR_ENV_FILE="/does/not/exist.env")
    assert done.returncode == 1
    assert "/does/not/exist.env: No such file or directory." in done.stderr
    assert "Traceback" not in done.stderr


def test_an_old_python_is_told_before_anything_is_imported() -> None:
    code = "import sys; sys.version_info = (3, 8, 0); sys.version = '3.8.0 x'; exec(open('manage.py').read())"
    done = manage("-I", "-S", code=code)
    assert done.returncode == 1
    assert done.stderr == "CAESAR needs Python 3.11 or newer. This is Python 3.8.0.\n"


def test_an_old_python_can_parse_it() -> None:
    tree = ast.parse((ROOT / "manage.py").read_text())
    modern = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Match)
    assert not [node for node in ast.walk(tree) if isinstance(node, modern)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.arg) and node.annotation]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.returns]


def test_a_missing_install_is_one_line() -> None:
    done = manage("-I", "-S")
    assert done.returncode == 1
    assert done.stderr == "The module django is missing. Run `make run`, or activate .venv, then try again.\n"

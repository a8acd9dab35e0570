"""A Python process of its own for the tests of start-up, without the caller's settings."""

import os
import subprocess
import sys

from caesar.environment import ROOT


def run_python(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """`python` with these arguments and variables, in the project's folder."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CAESAR_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**clean, "CAESAR_ENV_FILE": os.devnull, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

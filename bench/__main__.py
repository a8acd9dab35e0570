"""Runs every benchmark on a throwaway SQLite database and prints a table of ratios."""

import os
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Set up an empty database, then measure. Arguments choose benchmarks by name."""
    with tempfile.TemporaryDirectory(prefix="caesar-bench-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "caesar.settings",
            "CAESAR_ENV_FILE": os.devnull,
            "CAESAR_DB__URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
            "CAESAR_MEMORY__FACTS__ENABLED": "true",
            "CAESAR_MEMORY__FACTS_EXTRACT__ENABLED": "true",
            "CAESAR_LOG_LEVEL": "ERROR",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        from bench import hybrid, measure, pages, proxy, recall, similarity, sweep

        modules = (measure, pages, recall, hybrid, sweep, proxy, similarity)
        benchmarks = {name: benchmark for module in modules for name, benchmark in module.BENCHMARKS.items()}
        for name, benchmark in benchmarks.items():
            if not sys.argv[1:] or name in sys.argv[1:]:
                for line in benchmark():
                    print(f"{name:10} {line}", flush=True)


main()

"""`manage.py evaluate_facts FILE`: how well a model learns facts, measured on chats whose facts are known."""

import json
import os
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memory.management.evaluation import sandbox
from memory.management.evaluation.command import EvaluationCommand, count
from memory.management.evaluation.facts import cases, reading, routing, tables
from memory.management.evaluation.facts.cases import Case
from memory.management.evaluation.facts.outcome import Outcome
from memory.management.evaluation.facts.tables import Column
from memory.management.evaluation.json_lines import BadFile
from memory.management.evaluation.report import Line


class Command(EvaluationCommand[Case, Outcome]):
    """The cases are read by another process, which has a database of its own: this one opens none."""

    help = (
        "Try a model on chats whose facts are known, and print how many it learns, at what cost. Everything happens "
        "in a database that is made for it and deleted afterwards."
    )
    name = "evaluate_facts"
    called = "cases"
    line = Line[Outcome]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The cases, one or two models, and what to print."""
        names = "provider, model, base_url, api_key_file, as in CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT__..."
        parser.add_argument("file", metavar="FILE", type=Path, help="JSON lines; docs/models.md has the format")
        parser.add_argument(
            "--task-routing",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            help=f"try this model, not the configured: {names}",
        )
        parser.add_argument(
            "--compare",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            help="a second model, in a column beside the first",
        )
        parser.add_argument("--limit", type=count, metavar="N", help="the first N cases only")
        parser.add_argument("--mistakes", action="store_true", help="also list each case in which something is wrong")
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the file, try the models, print."""
        if options["sandbox"] is not None:
            self._read_in_sandbox(options["sandbox"])
            return
        routes = [options["task_routing"], *([options["compare"]] if options["compare"] else [])]
        try:
            environs = [routing.routed(os.environ, routing.parse(words)) for words in routes]
            found = cases.read(options["file"], limit=options["limit"])
        except (BadFile, routing.RoutingError) as error:
            raise CommandError(str(error)) from None
        columns = [Column(total=len(found)) for _ in environs]
        problem = self.try_all(found, environs, columns)
        self._print(columns, options)
        if problem is not None:
            raise problem

    def _print(self, columns: Sequence[Column], options: Mapping[str, Any]) -> None:
        """Print what there is; nothing where no case was read."""
        if not any(column.read for column in columns):
            return
        if options["json"]:
            self.stdout.write(json.dumps(tables.as_json(columns), ensure_ascii=False, indent=1))
            return
        self.stdout.write(tables.table(columns))
        for column in columns if options["mistakes"] else []:
            self.stdout.write(f"\n{column.route}")
            self.stdout.write("\n".join(tables.mistakes(column)) or "no mistake")

    def _read_in_sandbox(self, folder: Path) -> None:
        database = self.sandbox_database(folder)
        self.tell_from_sandbox(folder, reading.report(cases.read(folder / sandbox.CASES), database))

"""`manage.py evaluate_recall [FILE]`: how well chats are recalled, measured on questions whose evidence is known."""

import json
import os
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memory import llm
from memory.management.evaluation import sandbox
from memory.management.evaluation.command import EvaluationCommand, count
from memory.management.evaluation.json_lines import BadFile
from memory.management.evaluation.recall import conversations, modes, own_chats, reading, tables
from memory.management.evaluation.recall.conversations import Conversation
from memory.management.evaluation.recall.outcome import Outcome
from memory.management.evaluation.recall.tables import Column
from memory.management.evaluation.report import Line


class Command(EvaluationCommand[Conversation, Outcome]):
    """The chats are read by another process, which has a database of its own; only `--from-my-chats` reads this one."""

    help = (
        "Ask questions whose evidence is known, and print how many chats they bring back, by mode of recall. "
        "Everything happens in a database that is made for it and deleted afterwards."
    )
    name = "evaluate_recall"
    called = "conversations"
    line = Line[Outcome]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The conversations, the modes, and what to print."""
        parser.add_argument(
            "file",
            metavar="FILE",
            type=Path,
            nargs="?",
            help="JSON lines; docs/how-it-recalls.md has the format (default: ten conversations that come with it)",
        )
        parser.add_argument(
            "--mode", action="append", choices=modes.MODES, help="a mode of recall, several times for several columns"
        )
        parser.add_argument("--one-store", action="store_true", help="all conversations in one store, which is harder")
        parser.add_argument(
            "--from-my-chats", action="store_true", help="make questions from your own chats, without a model"
        )
        parser.add_argument("--save", type=Path, metavar="FILE", help="with --from-my-chats: also write them to a file")
        parser.add_argument(
            "--limit",
            type=count,
            metavar="N",
            help=f"the first N conversations; with --from-my-chats the newest N chats (default: {own_chats.NEWEST})",
        )
        parser.add_argument("--mistakes", action="store_true", help="also list each message that went wrong")
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read or make the conversations, try the modes, print."""
        if options["sandbox"] is not None:
            self._read_in_sandbox(options["sandbox"], one_store=options["one_store"])
            return
        found = self._conversations(options)
        self.options = ["--one-store"] * options["one_store"]
        chosen = list(dict.fromkeys(options["mode"] or modes.MODES))
        columns = [Column(mode, total=len(found)) for mode in chosen]
        problem = self.try_all(found, [modes.with_mode(os.environ, mode) for mode in chosen], columns)
        self._print(columns, options)
        if problem is not None:
            raise problem

    def _conversations(self, options: Mapping[str, Any]) -> list[Conversation]:
        """Raises `CommandError`."""
        if options["from_my_chats"] and options["file"] is not None:
            raise CommandError("A file, or --from-my-chats: leave one of the two out.")
        if options["save"] is not None and not options["from_my_chats"]:
            raise CommandError("--save keeps what --from-my-chats makes. Add it, or leave --save out.")
        try:
            if not options["from_my_chats"]:
                return conversations.read(options["file"] or conversations.SHIPPED, limit=options["limit"])
            made = own_chats.make(options["limit"] or own_chats.NEWEST)
            if options["save"] is not None:
                own_chats.save(made, options["save"])
        except (BadFile, own_chats.TooFewChats) as error:
            raise CommandError(str(error)) from None
        self.stderr.write(own_chats.trust(made))
        return [made]

    def _print(self, columns: Sequence[Column], options: Mapping[str, Any]) -> None:
        """Print what there is; nothing where no conversation was read."""
        if not any(column.read for column in columns):
            return
        if options["json"]:
            self.stdout.write(json.dumps(tables.as_json(columns), ensure_ascii=False, indent=1))
            return
        self.stdout.write(f"Summaries by {llm.describe('memory_summarise')}, vectors by {llm.embedder_model()}.\n")
        self.stdout.write(tables.table(columns))
        self.stdout.write(f"\n{tables.REMARK}")
        for column in columns if options["mistakes"] else []:
            self.stdout.write(f"\n{column.route}")
            self.stdout.write("\n".join(tables.mistakes(column)) or "no mistake")

    def _read_in_sandbox(self, folder: Path, *, one_store: bool) -> None:
        database = self.sandbox_database(folder)
        found = conversations.read(folder / sandbox.CASES)
        self.tell_from_sandbox(folder, reading.report(found, database, one_store=one_store))

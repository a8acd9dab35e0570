"""`manage.py reembed`: after a change of the embedder, new vectors for the episodes there are."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, OutputWrapper

from memory.learning import reembedding
from memory.learning.reembedding import Progress
from memory.llm import LLMError, embedder_model, embedder_route
from memory.units import catching_up, making

_INTERRUPTED = 130
_BAR_WIDTH = 30
_LINE_EVERY = 1_000


class Command(BaseCommand):
    """May run beside workers and searches. A second run goes on where the last one ended. Exit code 1 where the
    embedder fails."""

    help = (
        "Give every episode of another embedder, or of another vector length, a vector of the one in use, newest "
        "first. In recall mode hybrid, also make what that mode searches, for the chats that lack it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to count only."""
        parser.add_argument("--dry-run", action="store_true", help="count the episodes of each model, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Count the episodes, or embed those of another model, and print the result."""
        try:
            embedder_route()  # raises for a missing setting, also where nothing is to be done
        except LLMError as error:
            raise CommandError(str(error)) from None
        if options["dry_run"]:
            self._count()
        else:
            self._embed()

    def _count(self) -> None:
        model, length = embedder_model(), self._current_length()
        waiting = 0
        for counted in reembedding.counts_by_space():
            is_current = counted.model == model and counted.dimensions == (length or counted.dimensions)
            note = "  (the embedder now)" if is_current else ""
            if counted.model == model and not is_current:
                note = f"  ({counted.dimensions} numbers each; the embedder now gives {length})"
            self.stdout.write(f"{counted.episodes:>9,}  {counted.model or '(none)'}{note}")
            waiting += 0 if is_current else counted.episodes
        lacking = catching_up.waiting(length).count() if making.are_wanted() else 0
        if waiting:
            self.stdout.write(f"{waiting:,} episodes would get a vector of {model}.")
        if lacking:
            self.stdout.write(f"{lacking:,} chats would be made ready for recall by what was said in them.")
        if not waiting and not lacking:
            self.stdout.write(_nothing_to_do())

    def _current_length(self) -> int:
        """The length of the embedder's vectors; 0 where it cannot be asked, which is no reason not to count."""
        try:
            return reembedding.current_length()
        except LLMError as error:
            self.stderr.write(f"The embedder could not be asked how long its vectors are: {error}")
            return 0

    def _embed(self) -> None:
        progress, shown = Progress(0), _ProgressDisplay(self.stderr)
        try:
            for progress in reembedding.run():
                shown.show(progress)
        except LLMError as error:
            raise CommandError(f"{error} {_so_far(progress)}") from None
        except KeyboardInterrupt:
            raise CommandError(f"Interrupted. {_so_far(progress)}", returncode=_INTERRUPTED) from None
        finally:
            shown.close()
        for failed in progress.failed:
            self.stderr.write(f"Chat #{failed.audit_log_id}: {failed.error}")
        made = self._catch_up()
        if progress.total:
            self.stdout.write(f"reembed: {progress}")
        if made:
            self.stdout.write(f"reembed: {made:,} chats can be found by what was said in them")
        if not progress.total and not made:
            self.stdout.write(_nothing_to_do())

    def _catch_up(self) -> int:
        """Make the units that recall by content lacks; returns how many chats were dealt with."""
        made = 0
        if not making.are_wanted():
            return made
        try:
            for count in catching_up.run(self._current_length()):
                made += count
        except LLMError as error:
            raise CommandError(f"{error} So far: {made:,} chats. Run it again to go on.") from None
        except KeyboardInterrupt:
            raise CommandError(f"Interrupted after {made:,} chats; run it again.", returncode=_INTERRUPTED) from None
        return made


def _nothing_to_do() -> str:
    return f"Nothing to do: every episode has a vector of {embedder_model()}."


def _so_far(progress: Progress) -> str:
    return f"So far: {progress}. Run it again to go on." if progress.total else "Nothing was changed."


class _ProgressDisplay:
    """Progress on standard error: a bar on a terminal, else a line now and then."""

    def __init__(self, out: OutputWrapper) -> None:
        self.out = out
        self.is_bar = out.isatty()
        self.has_open_line = False
        self.next_line_at = _LINE_EVERY

    def show(self, progress: Progress) -> None:
        """Redraw the bar, or write a line after each thousand."""
        if self.is_bar and progress.total:
            self._write(f"\r{_bar(progress)}", ending="")
            self.has_open_line = True
        elif progress.processed >= self.next_line_at:
            self._write(f"{progress.processed:,} of {progress.total:,}")
            self.next_line_at = (progress.processed // _LINE_EVERY + 1) * _LINE_EVERY

    def close(self) -> None:
        """End the bar's line."""
        if self.has_open_line:
            self._write("")

    def _write(self, text: str, *, ending: str = "\n") -> None:
        self.out.write(text, lambda plain: plain, ending)
        self.out.flush()


def _bar(progress: Progress) -> str:
    full = progress.processed * _BAR_WIDTH // progress.total
    return f"[{'#' * full:.<{_BAR_WIDTH}}] {progress.processed:,} of {progress.total:,}"

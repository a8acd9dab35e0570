"""`manage.py reembed`: after a change of the embedder, new vectors for the episodes there are."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, OutputWrapper

from memory.learning import reembedding
from memory.learning.reembedding import Progress
from memory.llm import LLMError, embedder_model, embedder_route

_INTERRUPTED = 130
_BAR_WIDTH = 30
_LINE_EVERY = 1_000


class Command(BaseCommand):
    """May run beside workers and searches. A second run goes on where the last one ended. Exit code 1 where the
    embedder fails."""

    help = "Give every episode of another embedder a vector of the one that the settings choose now, newest first."

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
        current, counts = embedder_model(), reembedding.counts_by_model()
        for model, count in counts.items():
            note = "  (the embedder now)" if model == current else ""
            self.stdout.write(f"{count:>9,}  {model or '(none)'}{note}")
        waiting = sum(counts.values()) - counts.get(current, 0)
        self.stdout.write(f"{waiting:,} episodes would get a vector of {current}." if waiting else _nothing_to_do())

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
        self.stdout.write(f"reembed: {progress}" if progress.total else _nothing_to_do())


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

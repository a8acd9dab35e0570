"""A process of its own that writes episodes or searches them: one JSON line in, one JSON line out.

Run as `python -m tests.memory.recall.index.index_process`, with a database that is migrated.
"""

import json
import random
import sys
from typing import Any

import django

Answer = list[list[Any]]


def main() -> None:
    """Do what each line says until there are no more."""
    django.setup()
    for line in sys.stdin:
        name, argument = json.loads(line)
        json.dump(COMMANDS[name](argument), sys.stdout)
        sys.stdout.write("\n")
        sys.stdout.flush()


def migrate(_: None) -> None:
    """Make the tables."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def write(chapter: dict[str, Any]) -> None:
    """Make the changes of a chapter."""
    from tests.memory.recall import reference_recall

    reference_recall.take_steps(chapter)


def empty(_: None) -> None:
    """Delete all episodes."""
    from tests.memory.recall import reference_recall

    reference_recall.empty()


def search(chapter: dict[str, Any]) -> tuple[Answer, Answer]:
    """What the index finds for a chapter's query, and what a plain reading of the rows does."""
    from tests.memory.recall import reference_recall

    wanted = reference_recall.asked(chapter)
    return found(wanted), [list(pair) for pair in reference_recall.expected(wanted, reference_recall.rows())]


def found(wanted: Any) -> Answer:
    """The ids and scores of the hits."""
    from memory.recall import index

    return [[hit.episode_id, hit.score] for hit in index.search(wanted).hits]


def queries() -> list[Any]:
    """What is asked again and again while another process writes."""
    from tests.memory.recall.reference_recall import query

    vectors = ([1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 0.0, 2.0])
    return [query(vector, threshold=threshold) for vector in vectors for threshold in (0.0, 0.6)]


def version() -> int:
    """A number that every step of `write_much` raises."""
    from memory.models import AuditRow

    return AuditRow.objects.order_by("-id").values_list("id", flat=True).first() or 0


def write_much(argument: tuple[int, int]) -> dict[int, list[Answer]]:
    """Take many random steps, each one transaction: {version: the right answer to each query}. An end mark is last."""
    from django.db import transaction

    from memory.models import AuditRow
    from tests.memory.recall import reference_recall

    seed, count = argument
    rng = random.Random(seed)
    right = {version(): _right_answers()}  # a search may begin before the first step
    for number in range(count + 1):
        with transaction.atomic():
            reference_recall.take_step(_random_step(rng), now=reference_recall.NOW)
            AuditRow.objects.create(ts=reference_recall.NOW, event_type="test.end" if number == count else "test.step")
        right[version()] = _right_answers()
    return right


def _right_answers() -> list[Answer]:
    """What a plain reading of the rows as they stand answers to each query."""
    from tests.memory.recall import reference_recall

    rows = reference_recall.rows()
    return [[list(pair) for pair in reference_recall.expected(one, rows)] for one in queries()]


def _random_step(rng: random.Random) -> list[Any]:
    def vector() -> list[float]:
        return [float(rng.randint(-2, 2)) for _ in range(rng.choice([3, 3, 3, 2]))]

    model = rng.choice(["embed-small", "embed-small", "embed-large"])
    age_us = rng.choice([0, 1, 30, 89, 90, 91]) * 86_400_000_000 + rng.choice([0, 1])
    steps: list[list[Any]] = [
        ["add", vector(), age_us, model, 0],
        ["forget", rng.randint(0, 50)],
        ["embed_again", rng.randint(0, 50), vector(), model],
        ["sweep", rng.randint(0, 50)],
        ["bump", rng.randint(0, 50), rng.choice([1, 30])],
    ]
    return rng.choices(steps, weights=[5, 1, 1, 1, 3])[0]


def search_much(_: None) -> list[tuple[int, int, Answer, int]]:
    """Search until the end mark is there: (number of the query, version before, answer, version after)."""
    from memory.models import AuditRow

    answers: list[tuple[int, int, Answer, int]] = []
    is_over = False
    while not is_over:
        is_over = AuditRow.objects.filter(event_type="test.end").exists()
        for number, wanted in enumerate(queries()):
            before = version()
            answers.append((number, before, found(wanted), version()))
    return answers


def remember(text: str) -> int:
    """Write a chat with units for recall by content; its episode's id."""
    from tests.memory.recall.hybrid import stores

    return stores.remember(text, vectors=[[1.0, 0.0]]).pk


def forget(episode_id: int) -> None:
    """Empty an episode in the operator's name."""
    from memory.models import EpisodeSummary
    from tests.memory.recall.hybrid import stores

    EpisodeSummary.objects.get(pk=episode_id).forget(now=stores.NOW)


def find(message: str) -> list[int]:
    """The episodes that recall by content finds."""
    from tests.memory.recall.hybrid import stores

    return stores.found_ids(message, [1.0, 0.0], top_k=100)


COMMANDS = {
    "remember": remember,
    "forget": forget,
    "find": find,
    "migrate": migrate,
    "write": write,
    "empty": empty,
    "search": search,
    "write_much": write_much,
    "search_much": search_much,
}

if __name__ == "__main__":
    main()

"""`manage.py evaluate_recall`: questions asked of chats in a process and a database of their own. The embedder is that
of every installation; no model is asked."""

import json
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory.management.evaluation.recall import conversations, modes
from memory.models import AuditRow
from tests.memory.chat_helpers import record_chat
from tests.memory.commands.own_server import OwnServer
from tests.servers import ROOT

UNREACHABLE = "postgresql://postgres:secret@127.0.0.1:1/operators_own"
PATIENCE_SECONDS = 300

# What the ten conversations reached when it was measured, less three in a hundred.
FLOORS: Mapping[str, Mapping[str, float]] = {
    "record": {"recall_at_1": 0.04, "recall_at_3": 0.04, "recall_at_5": 0.04, "all_at_5": 0.04},
    "hybrid": {"recall_at_1": 0.48, "recall_at_3": 0.54, "recall_at_5": 0.56, "all_at_5": 0.56},
}
MOST_INJECTED = {"record": 0.105, "hybrid": 0.08}

SLUGS = "Slugs ate every single lettuce seedling on my allotment."
TAXES = "The tax office wants receipts for my study at home."


class Evaluator(OwnServer):
    """The command with settings of its own; the folder for temporary files is its own, too."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.environ["TMPDIR"] = str(self.temporary)

    def evaluate(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The set that comes with it takes longer than other commands."""
        done = subprocess.run(
            [sys.executable, "manage.py", "evaluate_recall", *arguments],
            cwd=ROOT,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert not list(self.temporary.iterdir())
        assert not self.file.exists()
        return done


def conversation(name: str, said: str, *unrelated: str) -> dict[str, Any]:
    messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "I see."}]
    return {
        "id": name,
        "chats": [{"id": "only", "at": "2026-03-02T18:00:00Z", "messages": messages}],
        "questions": [{"id": "q", "message": said.lower(), "evidence": ["only"]}],
        "unrelated": unrelated,
    }


def written(folder: Path, *lines: object) -> str:
    path = folder / "conversations.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_the_set_that_comes_with_it_stays_above_its_floors(tmp_path: Path) -> None:
    done = Evaluator(tmp_path, DB__URL=UNREACHABLE).evaluate("--json")
    assert done.returncode == 0, done.stderr
    measured = {mode["mode"]: mode for mode in json.loads(done.stdout)}
    assert tuple(measured) == modes.MODES == tuple(FLOORS)
    for name, mode in measured.items():
        assert mode["complete"]
        assert (mode["recall_at_1"]["of"], mode["unrelated_injected"]["of"]) == (120, 40)
        assert (mode["chats_not_read"], mode["messages_not_searched"]) == (0, 0)
        for measure, floor in FLOORS[name].items():
            assert mode[measure]["share"] >= floor, (name, measure)
        assert mode["unrelated_injected"]["share"] <= MOST_INJECTED[name]


def test_no_conversation_knows_of_another_but_in_one_store(tmp_path: Path) -> None:
    mode = "hybrid"  # the matrix of summaries has a test of its own forgetting
    file = written(tmp_path, conversation("slugs", SLUGS, TAXES), conversation("taxes", TAXES, SLUGS))
    evaluator = Evaluator(tmp_path)
    apart = evaluator.evaluate(file, "--mode", mode, "--mistakes")
    assert apart.returncode == 0, apart.stderr
    assert rows(apart.stdout)["recall@1"].startswith("100.0 % (2 of 2), 100.0 to 100.0")
    assert rows(apart.stdout)["unrelated, yet something came"].startswith("0.0 % (0 of 2)")
    assert apart.stdout.endswith(f"\n{mode}\nno mistake\n")
    (together,) = json.loads(evaluator.evaluate(file, "--mode", mode, "--one-store", "--json").stdout)
    assert together["unrelated_injected"] == {"right": 2, "of": 2, "share": 1.0, "interval": [1.0, 1.0]}
    assert together["recall_at_1"]["share"] == 1.0


def rows(table: str) -> dict[str, str]:
    """The cells of the printed table by their labels, one mode."""
    pairs = (line.split("  ", 1) for line in table.splitlines() if "  " in line.strip())
    return {label: cells.strip() for label, cells in pairs}


def test_a_missing_embedder_ends_it_with_its_setting(tmp_path: Path) -> None:
    file = written(tmp_path, conversation("slugs", SLUGS))
    done = Evaluator(tmp_path, SEMANTIC__ENABLED="false").evaluate(file)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("CommandError: Ended after 0 of 1 conversations: The embedder is off.")
    assert "CAESAR_SEMANTIC__ENABLED" in done.stderr


def test_a_bad_line_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    bad = conversation("taxes", TAXES) | {"questions": [{"id": "q", "message": "And?", "evidence": ["none"]}]}
    with pytest.raises(CommandError, match="line 2: .* no chat has the id 'none'"):
        call_command("evaluate_recall", written(tmp_path, conversation("slugs", SLUGS), bad))


def test_the_inner_option_is_refused_with_any_other_database(tmp_path: Path) -> None:
    file = written(tmp_path, conversation("slugs", SLUGS))
    with pytest.raises(CommandError, match="is for evaluate_recall itself"):
        call_command("evaluate_recall", file, "--sandbox", str(tmp_path), stdout=StringIO())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["some.jsonl", "--from-my-chats"], "leave one of the two out"),
        (["--save", "some.jsonl"], "--save keeps what --from-my-chats makes"),
        (["--limit", "0"], "whole number"),
        (["--mode", "guess"], "invalid choice: 'guess'"),
    ],
)
def test_options_that_make_no_sense_are_refused(arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("evaluate_recall", *arguments)


@pytest.mark.django_db
def test_ones_own_chats_are_asked_about_and_left_as_they_are(now: datetime, tmp_path: Path) -> None:
    record_chat(SLUGS, now - timedelta(days=9))
    record_chat(TAXES, now - timedelta(days=2))
    before = list(AuditRow.objects.values_list("pk", "payload"))
    printed, said, saved = StringIO(), StringIO(), tmp_path / "mine.jsonl"
    call_command("evaluate_recall", "--from-my-chats", "--save", str(saved), "--json", stdout=printed, stderr=said)
    (mode,) = [one for one in json.loads(printed.getvalue()) if one["mode"] == "record"]
    assert mode["kinds"]["reworded"]["recall_at_1"]["of"] == 2
    assert mode["unrelated_injected"]["of"] == 40
    assert said.getvalue().startswith("Made from 2 of your chats: 2 reworded sentences, 0 messages that name")
    assert len(conversations.read(saved)[0].questions) == 2
    assert list(AuditRow.objects.values_list("pk", "payload")) == before


@pytest.mark.django_db
def test_an_empty_log_says_what_to_do() -> None:
    with pytest.raises(CommandError, match="No question could be made of 0 chats"):
        call_command("evaluate_recall", "--from-my-chats")

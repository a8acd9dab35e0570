"""`manage.py evaluate_facts`: a model tried on a file of cases, in a process and a database of its own."""

import json
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.memory.commands.own_server import OwnServer, eventually
from tests.memory.llm.scripted import completion
from tests.memory.llm.servers.local_server import local_server, send_answer
from tests.memory.llm.servers.model_server import ModelServer, Refusal, model_server
from tests.servers import ROOT

UNREACHABLE = "postgresql://postgres:secret@127.0.0.1:1/operators_own"
MISO = '[{"key": "cat.name", "value": "Miso", "confidence": 0.9}]'
OSMO = '[{"key": "name", "value": "Osmo", "confidence": 0.9}]'


def written(folder: Path) -> Path:
    """Three cases: a cat, a fiction that teaches nothing, and a question."""
    given = [
        ("My cat is Miso.", [{"key_any": ["cat.name", "pet.*"], "value_any": ["Miso"]}], []),
        ("Write as a keeper called Osmo.", [], ["Osmo"]),
        ("What is 18 % of 240?", [], []),
    ]
    path = folder / "cases.jsonl"
    lines = [
        {"id": f"c{number}", "messages": [{"role": "user", "content": text}], "gold": gold, "forbidden": forbidden}
        for number, (text, gold, forbidden) in enumerate(given, 1)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


class Evaluator(OwnServer):
    """The command with settings of its own; the folder for temporary files is its own, too."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.environ["TMPDIR"] = str(self.temporary)
        self.cases = written(folder)

    def evaluate(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = self.run("evaluate_facts", str(self.cases), *arguments)
        assert self.has_tidied_up()
        return done

    def has_tidied_up(self) -> bool:
        """Whether no temporary folder and no database are left."""
        return not list(self.temporary.iterdir()) and not self.file.exists()


def route(server: ModelServer | str, model: str = "small") -> list[str]:
    url = server if isinstance(server, str) else server.url
    return ["provider=openai", f"model={model}", f"base_url={url}/v1"]


def row(table: str, label: str) -> list[str]:
    """The cells of one row of the printed table."""
    line = next(line for line in table.splitlines() if line.startswith(label))
    return [cell.strip() for cell in line.removeprefix(label).split("  ") if cell.strip()]


def test_it_works(tmp_path: Path) -> None:
    with model_server(completion(MISO), completion(OSMO), completion("[]")) as server:
        done = Evaluator(tmp_path).evaluate("--task-routing", *route(server), "--mistakes")
    assert done.returncode == 0, done.stderr
    assert row(done.stdout, "recall, value and key") == ["100.0 % (1 of 1)"]
    assert row(done.stdout, "precision, value alone") == ["50.0 % (1 of 2)"]
    assert row(done.stdout, "forbidden facts learned") == ["1"]
    assert row(done.stdout, "nothing where nothing was") == ["1 of 2"]
    assert row(done.stdout, "input tokens") == ["33"]
    assert row(done.stdout, "output tokens") == ["21"]
    assert "\nc2: forbidden name='Osmo'\n" in done.stdout
    assert "openai small at 127.0.0.1" in done.stdout
    assert "3 of 3" in done.stderr
    assert [request["model"] for request in server.requests] == ["small"] * 3
    documents = [json.loads(request["messages"][-1]["content"]) for request in server.requests]
    assert [document["known_keys"] for document in documents] == [[], [], []]  # no case knows of another


def test_without_options_the_configured_model_is_tried(tmp_path: Path) -> None:
    with model_server(completion(MISO), completion("[]"), completion("[]")) as server:
        section = "LLM__TASK_ROUTING__MEMORY_EXTRACT__"
        given = {section + "PROVIDER": "openai", section + "MODEL": "mine", section + "BASE_URL": f"{server.url}/v1"}
        done = Evaluator(tmp_path, **given).evaluate()
    assert "openai mine at" in done.stdout
    assert len(server.asked) == 3


def test_the_example_in_the_docs_is_read_by_the_rules_while_the_configured_database_cannot_be_opened(
    tmp_path: Path,
) -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    evaluator = Evaluator(tmp_path, DB__URL=UNREACHABLE)
    evaluator.cases.write_text("\n".join(re.findall(r'^{"id": .*$', page, re.MULTILINE)), encoding="utf-8")
    done = evaluator.evaluate()
    assert done.returncode == 0, done.stderr
    labels = [line[:27].rstrip() for line in done.stdout.splitlines() if line.strip()]
    assert labels[0] == ""
    shown = [label for label in labels[1:] if not label.startswith("seconds")]
    assert len(shown) > 10
    for label in shown:
        assert row(done.stdout, label)[0] == row(page, label + " ")[0]


def test_a_database_that_is_there_stays_as_it_was(tmp_path: Path) -> None:
    evaluator = Evaluator(tmp_path)
    evaluator.migrate()
    before = evaluator.file.read_bytes()
    done = evaluator.run("evaluate_facts", str(evaluator.cases))
    assert done.returncode == 0, done.stderr
    assert evaluator.file.read_bytes() == before
    assert not evaluator.file.with_name(evaluator.file.name + "-wal").exists()


def test_two_models_stand_side_by_side(tmp_path: Path) -> None:
    with (
        model_server(completion(MISO), completion("[]"), completion("[]")) as good,
        model_server(completion("[]"), completion(OSMO), completion("[]")) as bad,
    ):
        done = Evaluator(tmp_path).evaluate("--task-routing", *route(good), "--compare", *route(bad, "other"), "--json")
    first, second = json.loads(done.stdout)
    assert (first["route"][:16], second["route"][:16]) == ("openai small at ", "openai other at ")
    assert (first["recall_strict"], second["recall_strict"]) == (1.0, 0.0)
    assert (first["precision_strict"], second["precision_strict"]) == (1.0, 0.0)
    assert (first["forbidden_stored"], second["forbidden_stored"]) == (0, 1)
    assert (first["input_tokens"], first["output_tokens"], first["complete"]) == (33, 21, True)
    assert first["stayed_empty_when_it_should"] == {"right": 2, "of": 2}
    facts = first["cases"][0]["facts"]
    assert facts == [{"key": "cat.name", "value": "Miso", "confidence": 0.9, "op": "add"}]


def test_a_model_that_is_down_ends_with_its_error(tmp_path: Path) -> None:
    done = Evaluator(tmp_path).evaluate("--task-routing", *route("http://127.0.0.1:1"))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("CommandError: Ended after 0 of 3 cases: openai")
    assert "127.0.0.1:1" in done.stderr


def test_three_failures_in_a_row_end_it_with_what_was_done(tmp_path: Path) -> None:
    broken = Refusal(500, "out of memory")
    with model_server(broken, broken, broken) as server:
        done = Evaluator(tmp_path).evaluate("--task-routing", *route(server))
    assert done.returncode == 1
    assert row(done.stdout, "chats not read") == ["3"]
    assert "3 cases in a row could not be read. The last one: " in done.stderr


@pytest.mark.parametrize(
    ("route", "problem"), [(["provider=olama", "model=x"], "PROVIDER: must be"), (["provider=ollama"], "MODEL")]
)
def test_a_route_that_is_no_route_says_which_setting(tmp_path: Path, route: list[str], problem: str) -> None:
    with pytest.raises(CommandError, match=f"CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT__{problem}"):
        call_command("evaluate_facts", str(written(tmp_path)), "--task-routing", *route)


@contextmanager
def silent_after(*answers: Any) -> Iterator[tuple[str, threading.Event]]:
    """A model server that answers so often, and then says nothing more; the event is set when it falls silent."""
    left, silent, over = list(answers), threading.Event(), threading.Event()

    def answer(request: BaseHTTPRequestHandler) -> None:
        if left:
            send_answer(request, left.pop(0))
        else:
            silent.set()
            over.wait(60)

    with local_server(answer) as url:
        try:
            yield url, silent
        finally:
            over.set()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_prints_what_is_done(tmp_path: Path, number: signal.Signals) -> None:
    evaluator = Evaluator(tmp_path)
    with silent_after(completion(MISO), completion("[]")) as (url, silent):
        process = evaluator.start("evaluate_facts", str(evaluator.cases), "--task-routing", *route(url))
        assert silent.wait(60), evaluator.printed()
        process.send_signal(number)
        assert process.wait(30) == 130
    printed = evaluator.printed()
    assert row(printed, "cases read") == ["2"]
    assert row(printed, "recall, value and key") == ["100.0 % (1 of 1)"]
    assert "Interrupted after 2 of 3 cases." in printed
    assert evaluator.has_tidied_up()


def test_a_kill_leaves_nothing_behind(tmp_path: Path) -> None:
    evaluator = Evaluator(tmp_path)
    with silent_after() as (url, silent):
        process = evaluator.start("evaluate_facts", str(evaluator.cases), "--task-routing", *route(url))
        assert silent.wait(60), evaluator.printed()
        assert list(evaluator.temporary.iterdir())
        process.kill()
        process.wait(30)
        eventually(evaluator.has_tidied_up)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text() + "{\n")
    with pytest.raises(CommandError, match="line 4: no JSON"):
        call_command("evaluate_facts", str(path))


def test_the_inner_option_is_refused_with_any_other_database(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is for evaluate_facts itself"):
        call_command("evaluate_facts", str(written(tmp_path)), "--sandbox", str(tmp_path), stdout=StringIO())


def test_a_limit_is_a_whole_number(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="whole number"):
        call_command("evaluate_facts", str(written(tmp_path)), "--limit", "0")

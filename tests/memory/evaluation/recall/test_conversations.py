"""The file of conversations: what is read, and how a bad line is named with its field and the cure."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.management.evaluation.json_lines import BadFile
from memory.management.evaluation.recall import conversations
from tests.servers import ROOT

SAID = [{"role": "user", "content": "Slugs ate the lettuce."}, {"role": "assistant", "content": "Try nematodes."}]
CHAT = {"id": "slugs", "at": "2026-03-02T18:20:00Z", "messages": SAID}
QUESTION = {"id": "q1", "message": "What helps against snails?", "evidence": ["slugs"]}


def line(**fields: Any) -> str:
    return json.dumps({"id": "a", "chats": [CHAT], "questions": [QUESTION], **fields})


def written(folder: Path, *texts: str) -> Path:
    path = folder / "conversations.jsonl"
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BadFile) as caught:
        conversations.read(path)
    return str(caught.value)


def test_it_works(tmp_path: Path) -> None:
    (given,) = conversations.read(written(tmp_path, line(unrelated=["What is 3 times 4?"])))
    (chat,), (question,) = given.chats, given.questions
    assert [message.content for message in chat.asked] == ["Slugs ate the lettuce."]
    assert chat.reply == "Try nematodes."
    assert (question.kind, question.evidence) == ("said", ["slugs"])
    assert given.unrelated == ["What is 3 times 4?"]


def test_a_question_is_asked_a_day_after_the_last_chat_or_when_it_says(tmp_path: Path) -> None:
    later = CHAT | {"id": "later", "at": "2026-04-01T00:00:00+02:00"}
    dated = QUESTION | {"id": "q2", "at": "2026-03-09T10:00:00Z", "kind": "date"}
    (given,) = conversations.read(written(tmp_path, line(chats=[later, CHAT], questions=[QUESTION, dated])))
    assert [given.asked_at(question) for question in given.questions] == [
        datetime(2026, 4, 1, 22, 0, tzinfo=UTC),
        datetime(2026, 3, 9, 10, 0, tzinfo=UTC),
    ]


def test_blank_lines_are_left_out_and_a_limit_reads_no_further(tmp_path: Path) -> None:
    path = written(tmp_path, line(), "", line(id="b"), "{broken")
    assert [given.id for given in conversations.read(path, limit=2)] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON"),
        (json.dumps({"id": "b"}), "chats is missing. A conversation has id and chats"),
        (line(id="b", chats=[]), "chats: "),
        (line(id="b", chats=[CHAT | {"at": "2026-03-02T18:20:00"}]), "chats.0.at: must have timezone info"),
        (line(id="b", chats=[CHAT | {"at": "yesterday"}]), "chats.0.at: must be a valid datetime"),
        (line(id="b", chats=[CHAT | {"messages": [{"role": "user", "content": " "}]}]), "chats.0.messages: needs at"),
        (line(id="b", chats=[CHAT, CHAT]), "chats: the id 'slugs' is there twice, give each its own"),
        (line(id="b", questions=[QUESTION, QUESTION]), "questions: the id 'q1' is there twice"),
        (line(id="b", questions=[QUESTION | {"evidence": []}]), "questions.0.evidence: "),
        (line(id="b", questions=[QUESTION | {"evidence": ["snails"]}]), "'q1': evidence: no chat has the id 'snails'"),
        (line(id="b", questions=[QUESTION | {"at": "2026-03-01T00:00:00Z"}]), "'slugs' is later than the question"),
        (line(id="b", questions=[QUESTION | {"message": " "}]), "questions.0.message: holds no words"),
        (line(id="b", questions=[QUESTION | {"evidense": []}]), "questions.0.evidense: "),
        (line(id="b", unrelatd=["Hello?"]), "unrelatd: "),
        (line(id="b", unrelated=["\n"]), "unrelated.0: holds no words"),
        (line(), "the id 'a' is that of line 1. Give each line its own."),
    ],
)
def test_a_bad_line_names_its_number_field_and_cure(tmp_path: Path, text: str, words: str) -> None:
    said = refusal(written(tmp_path, line(), "", text))
    assert said.startswith(f"{tmp_path}/conversations.jsonl, line 3: ")
    assert words in said
    assert said.endswith(".")


def test_a_file_that_asks_nothing_or_is_empty_is_refused(tmp_path: Path) -> None:
    assert "asks nothing" in refusal(written(tmp_path, line(questions=[])))
    assert "holds no conversation" in refusal(written(tmp_path, ""))


def test_the_example_in_the_docs_is_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-it-recalls.md").read_text(encoding="utf-8")
    examples = re.findall(r'^{"id": .*$', page, re.MULTILINE)
    (given,) = conversations.read(written(tmp_path, *examples))
    assert [question.kind for question in given.questions] == ["said", "date"]
    assert given.unrelated

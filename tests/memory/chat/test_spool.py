"""A paid answer is never lost: it goes out, and its turn waits beside the database (decision 32)."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, connections

from caesar.sqlite3.base import DatabaseWrapper
from memory import chat, events
from memory.chat import spool
from memory.models import AuditRow
from tests.conftest import ApiClient, Configure
from tests.memory.api.routes.completions.completions_helpers import chunk, event_stream
from tests.memory.chat.spool_helpers import COMPLETIONS, HELLO, WORDS, chats, refusing, say
from tests.memory.llm.scripted import scripted_llm
from tests.turns import user

pytestmark = pytest.mark.django_db(transaction=True)

only_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="how SQLite refuses")


@pytest.fixture
def fills(api: ApiClient) -> Iterator[None]:
    """The database may not grow while this is in use; it closes the connection."""
    wrapper = connections["default"]
    with wrapper.cursor() as cursor:
        cursor.execute("VACUUM")
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    yield
    wrapper.close()


# --- the answer goes out --------------------------------------------------------------------------------------------


def test_it_works(api: ApiClient) -> None:
    with refusing():
        response = say(api)
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    assert response.json()["audit_log_id"] is None
    assert response.json()["message"]["content"].startswith("A fine name")
    assert (chats(), spool.waiting()) == ([], 1)
    assert chat.record_waiting() == 1
    (row,) = chats()
    assert row.decision_id == response.json()["decision_id"]
    assert row.completed.messages == [user("My dog's name is Beans.")]
    assert (row.completed.new_messages, row.completed.usage.output_tokens) == ([0], 7)
    assert spool.waiting() == 0


def test_a_turn_that_is_recorded_says_nothing_of_it(api: ApiClient) -> None:
    response = say(api)
    assert "X-Memory-Recorded" not in response
    assert response.json()["audit_log_id"] == chats()[0].pk


def test_a_chat_client_gets_its_answer_too(api: ApiClient) -> None:
    with refusing():
        response = say(api, COMPLETIONS)
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    assert response.json()["choices"][0]["message"]["content"] == WORDS
    assert chat.record_waiting() == 1
    assert chats()[0].decision_id == response["X-Decision-Id"]


def test_a_stream_ends_as_ever_and_says_so_in_a_comment(api: ApiClient) -> None:
    with refusing():
        response = say(api, COMPLETIONS, stream=True)
    assert response.told.endswith(": X-Memory-Recorded: later\n\ndata: [DONE]\n\n")
    assert "error" not in response.told
    assert chat.record_waiting() == 1
    assert chats()[0].completed.finish_reason == "stop"


def test_a_stream_that_is_recorded_holds_no_comment(api: ApiClient) -> None:
    assert "\n: " not in say(api, COMPLETIONS, stream=True).told


def test_what_had_come_when_a_client_hung_up_is_kept_too(api: ApiClient) -> None:
    with scripted_llm(event_stream(chunk("half "), chunk("more"), chunk(finish_reason="stop"))):
        response = api.post(COMPLETIONS, json={**HELLO, "stream": True})
        next(iter(response.streaming_content))
        with refusing():
            response.close()
    assert (chats(), spool.waiting()) == ([], 1)
    chat.record_waiting()
    assert (chats()[0].completed.reply, chats()[0].completed.cut_off) == ("half ", True)


@pytest.mark.parametrize("stream", [False, True])
def test_a_call_that_memory_kept_out_of_leaves_no_words_in_its_file(api: ApiClient, stream: bool) -> None:
    with refusing():
        say(api, COMPLETIONS, headers={"X-Memory": "off"}, stream=stream)
    (file,) = spool.files()
    assert "Beans" not in file.read_text()
    assert "fine name" not in file.read_text()
    assert chat.record_waiting() == 1
    assert [row.event_type for row in AuditRow.objects.exclude(event_type="memory.key_created")][-1] == (
        events.ChatPassedThrough.name
    )


def test_without_a_paid_answer_a_refused_write_is_an_error_as_ever(api: ApiClient) -> None:
    with refusing():
        for path, body in (("/v1/memory/context", HELLO), ("/v1/memory/chats", {**HELLO, "reply": "ok"})):
            assert api.post(path, json=body).status_code == 503
    assert spool.waiting() == 0


# --- how SQLite refuses ---------------------------------------------------------------------------------------------


@only_sqlite
@pytest.mark.parametrize("path", ["/v1/chat", COMPLETIONS])
def test_a_locked_database(api: ApiClient, path: str) -> None:
    wrapper = connections["default"]
    assert isinstance(wrapper, DatabaseWrapper)
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with wrapper.patience(0.05):
            response = say(api, path)
        other.execute("ROLLBACK")
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    assert say(api, path).status_code == 200
    assert (len(chats()), spool.waiting()) == (2, 0)


@only_sqlite
@pytest.mark.usefixtures("fills")
@pytest.mark.parametrize("path", ["/v1/chat", COMPLETIONS])
def test_a_database_that_may_not_grow(api: ApiClient, path: str) -> None:
    long = "Remember this: " + "words and words " * 20_000
    response = say(api, path, messages=[{"role": "user", "content": long}])
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "later")
    connection.close()  # with it goes the limit
    assert chat.record_waiting() == 1
    assert len(chats()) == 1


@only_sqlite
@pytest.mark.usefixtures("fills")
def test_a_full_database_is_named_where_nothing_was_paid_for(api: ApiClient) -> None:
    refused = api.post("/v1/memory/chats", json={**HELLO, "reply": "words and words " * 20_000})
    assert (refused.status_code, refused.json()["error"]["code"]) == (507, "storage_full")
    assert refused.json()["error"]["type"] == "server_error"
    assert "Retry-After" not in refused


# --- a file that cannot be written ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/chat", COMPLETIONS])
def test_where_not_even_the_file_can_be_written_the_answer_still_goes_out(
    api: ApiClient, path: str, configure: Configure, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    configure(db__spool_path=tmp_path / "file" / "turns")
    with refusing(), caplog.at_level(logging.ERROR):
        response = say(api, path)
    assert (response.status_code, response["X-Memory-Recorded"]) == (200, "no")
    assert "A paid turn" in caplog.text
    assert say(api, path).status_code == 200, "and the next turn is none the worse for it"


def test_the_file_is_private_and_whole(api: ApiClient) -> None:
    with refusing():
        say(api)
    (file,) = spool.files()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == [file.name], "no draft is left"


def test_the_folder_lies_beside_the_database_unless_it_is_set(configure: Configure, tmp_path: Path) -> None:
    configure(db__spool_path=tmp_path)
    assert spool.folder() == tmp_path
    configure(db__spool_path=None)
    own = Path(f"{connection.settings_dict['NAME']}-turns")
    assert spool.folder() == (own if connection.vendor == "sqlite" else settings.VAR_DIR / "turns")

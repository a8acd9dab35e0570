"""Full-text search of the audit log, the same on both engines but where a test says otherwise."""

import unittest.mock
from datetime import datetime, timedelta
from importlib import import_module

import pytest
from django.db import connection, models, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext

from memory import events, retention
from memory.events import Message
from memory.models import AuditQuerySet, AuditRow, PersonalFact, search
from memory.text import cjk
from tests.conftest import ApiClient, Configure
from tests.turns import compose_turn, record_turn

pytestmark = pytest.mark.django_db

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's index")
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL's index")


def log() -> AuditQuerySet:
    return AuditRow.objects.get_queryset()


def said(*words: str, now: datetime, reply: str = "ok") -> AuditRow:
    """A chat with these messages of the operator, the assistant's turns in between."""
    messages: list[Message] = []
    for text in words:
        messages += [Message(role="user", content=text), Message(role="assistant", content="Hm.")]
    recorded = record_turn(messages[:-1], reply, now=now)
    return AuditRow.objects.get(pk=recorded.audit_log_id)


def found(words: str) -> list[int]:
    return [row.pk for row in log().search(words).page().rows]


def sqlite_triggers() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_log' ORDER BY name")
        return [name for (name,) in cursor.fetchall()]


def test_it_works(now: datetime) -> None:
    beans = said("My dog's name is Beans.", now=now)
    sleep = said("I sleep badly.", now=now, reply="Try the thermostat, Beans may help.")
    assert found("beans") == [sleep.pk, beans.pk], "newest first"
    assert found("dog") == [beans.pk]
    assert found("thermostat beans") == [sleep.pk], "every word must be there, in any order"
    assert found("thermostat dog") == []


def test_the_last_word_may_be_only_begun(now: datetime) -> None:
    row = said("My dog's name is Beans.", now=now)
    assert found("bea") == found("BEA") == found("dog bea") == [row.pk]
    assert found("be") == [row.pk]
    assert found("bea dog") == [], "the others are whole words"
    assert found("b") == [], "one letter is a word, not a beginning"
    assert found("eans") == []


def test_case_and_accents_do_not_matter(now: datetime) -> None:
    row = said("Ich mag KÄSE und Crème brûlée, in Malmö.", now=now)
    for words in ("käse", "kase", "Käse", "KASE", "creme brulee", "malmo", "Cre\u0300me"):
        assert found(words) == [row.pk], words


def test_what_looks_like_syntax_is_no_syntax(now: datetime) -> None:
    row = said('She said "sleep-trouble" OR nothing: 65°F, it\'s 50%/day (a) & more! NOT NEAR', now=now)
    for words in (
        *('"', "'", '"sleep', 'sleep"', '"sleep trouble"', "sleep-trouble", "sleep -trouble", "sleep OR nothing"),
        *("65°F", "65°", "50%", "50%/day", "it's", "(a)", "(a", "& more", "more!", "NOT", "NEAR", "NEAR(sleep)"),
        *(
            "sleep*",
            "*",
            "sleep:*",
            "words: sleep",
            "sleep\\",
            "\\",
            "a:b",
            "<->",
            "!sleep",
            "{sleep} + trouble",
            "^sleep",
        ),
    ):
        assert found(words) in ([row.pk], []), words
    for words in ('"sleep', "sleep-trouble", "sleep OR nothing", "65°F", "50%/day", "it's", "(a)", "& more", "sleep*"):
        assert found(words) == [row.pk], words
    for words in ('"', "'", "*", "-", "!!!", "\0", "\ud800", "°", "…"):
        assert found(words) == [], f"{words!r} is no word"


def test_words_joined_by_a_mark_follow_each_other(now: datetime) -> None:
    fact = PersonalFact.objects.add("dog.name", "Beans", now=now)
    added = AuditRow.objects.get(fact_key=fact.key)
    said("The name of my dog escapes me.", now=now)
    assert found("dog.name") == [added.pk]
    assert found("dog.na") == [added.pk]


@pytest.mark.parametrize("words", ["", " ", "\n\t"])
def test_no_words_ask_for_nothing(now: datetime, words: str) -> None:
    row = said("hello", now=now)
    assert found(words) == [row.pk]


def test_long_searches_are_cut_and_never_fail(now: datetime) -> None:
    row = said("hello " * 30, now=now)
    assert found("hello " * 300) == [row.pk]
    assert found("x" * 100_000) == []
    assert found("\N{HANGUL SYLLABLE HAN}" * 3000) == []


def test_a_chat_is_found_by_its_new_words_alone(now: datetime) -> None:
    first = said("About the thermostat.", now=now)
    second = said("About the thermostat.", "And the curtains?", now=now)
    assert found("thermostat") == [first.pk], "its history stands in the chats before"
    assert found("curtains") == [second.pk]


def test_pictures_calls_and_parts_are_read_for_their_words(now: datetime) -> None:
    parts = [{"type": "text", "text": "Look here"}, {"type": "image_url", "image_url": {"url": "data:secret"}}]
    recorded = record_turn([Message(role="user", content=parts)], "A heron.", now=now)
    assert found("look heron") == [recorded.audit_log_id]
    for machine_word in ("user", "assistant", "role", "placeholder", "image_url"):
        assert found(machine_word) == [], machine_word


def test_times_and_names_of_models_are_not_searched(now: datetime) -> None:
    row = AuditRow.objects.record(events.FactAdded(key="dog.name", value="Beans", confidence=1.0, said_at=now), now=now)
    AuditRow.objects.record(events.ChatCompleted(reply="Beans", model="llama3", provider="ollama"), now=now)
    assert found("2026") == found("llama3") == found("ollama") == []
    assert row.pk in found("beans")


def test_a_receipt_is_found_by_what_it_holds(now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    context = compose_turn([Message(role="user", content="hello")], now=now)
    row = AuditRow.objects.record(context.receipt, now=now)
    assert row.pk in found("your dog beans")
    assert found("told") == [], "the headings stand in every prompt"


def test_conditions_and_pages_go_along(now: datetime) -> None:
    rows = [
        AuditRow.objects.record(
            events.FactAdded(key=f"note.{number % 2}", value="Beans", confidence=1, said_at=now), now=now
        ).pk
        for number in range(7)
    ]
    said("Beans!", now=now)
    questions = log().search("beans").about("note.0").of_type(events.FactAdded)
    first = questions.page(limit=2)
    rest = questions.page(before=first.next_before, limit=2)
    assert [row.pk for row in [*first.rows, *rest.rows]] == [rows[6], rows[4], rows[2], rows[0]]
    assert rest.next_before is None
    assert questions.count() == 4
    assert log().search("beans").filter(event_type="chat.completed").exists()


@on_sqlite
def test_a_page_reads_the_index_no_further_than_it_must(now: datetime) -> None:
    """The plan has no sorting step: newest first is the index's own order, from `before` on."""
    with CaptureQueriesContext(connection) as queries:
        log().search("beans").page(before=1000)
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + queries[0]["sql"])
        plan = [row[-1] for row in cursor.fetchall()]
    assert not [step for step in plan if "TEMP B-TREE" in step], plan
    assert plan[0].startswith("SCAN audit_fts VIRTUAL TABLE"), plan
    assert plan[0].endswith("<"), "the page's mark is known to the index"


def test_what_the_sweep_deletes_is_found_no_more(now: datetime, configure: Configure) -> None:
    configure(memory__retention_days=90, memory__facts_extract__enabled=False)
    old = said("Beans are an old story, naïve Käse.", now=now - timedelta(days=100))
    new = said("Beans are a new story.", now=now)
    assert found("beans") == [new.pk, old.pk]
    retention.sweep(now=now)
    assert found("beans") == [new.pk]
    assert found("kase") == []
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT rowid FROM audit_fts WHERE audit_fts MATCH 'old OR kase'")
            assert cursor.fetchall() == [], "gone from the index itself"


def test_a_row_that_is_rolled_back_is_not_found(now: datetime) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        said("Beans.", now=now)
        1 / 0  # noqa: B018
    assert found("beans") == []


def test_rows_of_any_shape_can_be_written(now: datetime) -> None:
    payloads: list[object] = [
        *({}, [], ["beans", ["beans"]], "beans", 7, True, {"a": {"b": [{"c": "beans"}]}}),
        *({"messages": "beans"}, {"messages": ["beans"], "new_messages": "x"}, {"messages": {"content": "beans"}}),
        *({"messages": [{"content": "beans"}], "new_messages": [9]}, {"messages": [None], "new_messages": [None, "x"]}),
        {"messages": [{"content": "beans"}], "new_messages": [10**12, -1]},
    ]
    for payload in payloads:
        AuditRow.objects.create(ts=now, event_type="something.else", payload=payload)
    assert len(found("beans")) >= 3
    assert log().count() == len(payloads)


def test_a_very_long_chat_can_be_written_and_found_by_its_end(now: datetime) -> None:
    """PostgreSQL takes a megabyte of words a row."""
    words = " ".join(f"{number:x}q" for number in range(400_000))
    row = AuditRow.objects.create(
        ts=now,
        event_type=events.ChatCompleted.name,
        payload={"messages": [{"role": "user", "content": f"{words} thermostat"}], "reply": "", "new_messages": [0]},
    )
    assert found("thermostat") == [row.pk]
    assert found("1q") == []


@on_sqlite
def test_the_triggers_are_there_after_migrate() -> None:
    assert sqlite_triggers() == ["audit_fts_delete", "audit_fts_insert", "audit_fts_update"]


@on_postgresql
def test_the_column_and_its_index_are_there_after_migrate() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'audit_log' AND indexname LIKE '%search'")
        assert cursor.fetchall() == [("idx_audit_search",)]


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_table_made_anew_gets_its_index_back(now: datetime) -> None:
    """What a later migration has to do around an `AlterField` of `audit_log`; without it the triggers are gone."""
    row = said("Beans.", now=now)
    old = AuditRow._meta.get_field("event_type")
    new = models.CharField(max_length=65)
    new.set_attributes_from_name("event_type")
    with connection.schema_editor() as editor:
        editor.alter_field(AuditRow, old, new)
    assert sqlite_triggers() == []
    with connection.schema_editor() as editor:
        search.off(editor)
        editor.alter_field(AuditRow, new, old)
        search.on(editor)
    assert len(sqlite_triggers()) == 3
    assert found("beans") == [row.pk]
    assert said("More Beans.", now=now).pk in found("beans")


@pytest.mark.django_db(transaction=True)
def test_the_migration_indexes_the_rows_that_are_there(now: datetime) -> None:
    executor = MigrationExecutor(connection)
    latest = executor.loader.graph.leaf_nodes("memory")
    executor.migrate([("memory", "0002_first_rows")])
    try:
        old = MigrationExecutor(connection).loader.project_state([("memory", "0002_first_rows")]).apps
        row = old.get_model("memory", "AuditRow").objects.create(
            ts=now, event_type="chat.failed", payload={"error": "Käse", "kind": "x"}
        )
    finally:
        MigrationExecutor(connection).migrate(latest)
    assert found("kase") == [row.pk]


def test_the_api_searches(api: ApiClient, now: datetime) -> None:
    first = said("My dog's name is Beans.", now=now)
    said("hello", now=now)
    third = said("Beans again, and Käse.", now=now)

    def ids(query: str) -> list[int]:
        return [row["id"] for row in api.get(f"/v1/audit?{query}").json()["data"]]

    assert ids("q=bea") == [third.pk, first.pk]
    assert ids("q=kase+beans") == [third.pk]
    assert ids(f"q=beans&before={third.pk}") == [first.pk]
    assert ids("q=beans&type=chat.failed") == []
    assert ids("q=%22") == ids("q=%22%00") == []
    assert len(ids("q=")) == 3
    page = api.get("/v1/audit?q=beans&limit=1").json()
    assert ids(f"q=beans&before={page['next']}") == [first.pk]


def test_the_api_refuses_a_search_that_is_too_long(api: ApiClient) -> None:
    response = api.get(f"/v1/audit?q={'x' * 501}")
    assert (response.status_code, response.json()["error"]["param"]) == (422, "q")


# --- Chinese and Japanese -------------------------------------------------------------------------------------------


def test_a_word_from_the_middle_of_a_sentence_without_blanks_is_found(now: datetime) -> None:
    chinese = said("我想周末去爬山看日出，可以吗？", now=now, reply="当然可以")
    japanese = said("週末はキャンプに行きたいです。", now=now, reply="いいですね")
    for words in ("爬山", "日出", "周末去爬山", "我想", "出", "去", "当然可以", "日出，", "爬山 日出", "山"):
        assert found(words) == [chinese.pk], words
    for words in ("キャンプ", "行きたい", "週末", "プ", "す", "です。", "キャ ンプ"):
        assert found(words) == [japanese.pk], words
    for words in ("山爬", "登山", "キャベツ", "爬山 キャンプ", "东京"):
        assert found(words) == [], words


def test_the_last_character_of_a_run_is_found_alone(now: datetime) -> None:
    for text in ("犬", "柴犬", "小柴犬", "我的小柴犬"):
        assert said(text, now=now).pk in found("犬"), text
    assert len(found("柴犬")) == 3


MIXED = ["手机", "iPhone15", "iPhone15手机", "iph", "macbook", "手机 macbook", "tokyo駅", "tokyo", "macb", "机和"]


def test_scripts_may_be_mixed_in_a_word(now: datetime) -> None:
    row = said("我买了iPhone15手机和MacBook，在TOKYO駅で。", now=now)
    assert [words for words in MIXED if found(words) != [row.pk]] == []
    assert found("iphone15电脑") == []
    assert found("phone15") == []


def test_rare_ideographs_and_either_way_of_writing_a_voiced_sound(now: datetime) -> None:
    row = said("𠮷野家で𠮟られた。か\u3099っこう", now=now)
    for words in ("𠮷野家", "𠮟ら", "がっこう", "か\u3099っ"):
        assert found(words) == [row.pk], words


def test_korean_and_russian_are_found_as_before(now: datetime) -> None:
    row = said("주말에 등산을 가고 싶어요. Хочу в горы с Алексеем.", now=now)
    for words in ("주말에", "등산", "싶어", "горы", "Алекс", "등산을 горы"):
        assert found(words) == [row.pk], words


def test_a_phrase_stays_a_phrase_beside_other_scripts(now: datetime) -> None:
    row = said("dog.name は犬の名前です", now=now)
    said("The name of my dog: 犬の名前です", now=now)
    assert found("dog.name 名前") == found("dog.na") == [row.pk]


def test_long_texts_without_blanks_can_be_written_and_searched(now: datetime) -> None:
    characters = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(120_000))
    row = said(f"{characters}爬山", now=now)
    assert found("爬山") == [row.pk]
    assert found("爬山" * 200) == []
    assert found("山" * 500) == []


def test_what_the_sweep_deletes_of_them_is_found_no_more(now: datetime, configure: Configure) -> None:
    configure(memory__retention_days=90, memory__facts_extract__enabled=False)
    said("我想去爬山", now=now - timedelta(days=100))
    new = said("我想看日出", now=now)
    retention.sweep(now=now)
    assert found("爬山") == []
    assert found("我想") == [new.pk]


@pytest.mark.django_db(transaction=True)
def test_rows_that_were_indexed_before_are_indexed_again(now: datetime) -> None:
    with connection.schema_editor() as editor:
        index_as_before_pairs(editor)
    rows = [said(words, now=now) for words in ("我想去爬山", "My dog Beans, naïve Käse", "犬 and Beans", "\x1f plain")]
    assert found("爬山") == []
    migration = import_module("memory.migrations.0007_audit_search_cjk")
    for _ in range(2):  # a second time changes nothing
        with connection.schema_editor() as editor:
            migration.index_again(None, editor)
        assert found("爬山") == [rows[0].pk]
        assert found("犬") == [rows[2].pk]
        assert found("beans") == [rows[2].pk, rows[1].pk]
        assert found("kase") == [rows[1].pk]
    new = said("还想去爬山", now=now)
    assert found("爬山") == [new.pk, rows[0].pk]
    AuditRow.objects.get_queryset().filter(pk=rows[0].pk).sweep_away()
    assert found("爬山") == [new.pk]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO audit_fts (audit_fts) VALUES ('integrity-check')")


def index_as_before_pairs(editor: BaseDatabaseSchemaEditor) -> None:
    """The index as 0003 made it when it was new: no pairs."""
    search.off(editor)
    with unittest.mock.patch.object(cjk, "CHARACTERS", "\ue000"):
        search.on(editor)
    if connection.vendor == "sqlite":
        for name in ("insert", "delete", "update"):
            with connection.cursor() as cursor:
                cursor.execute("SELECT sql FROM sqlite_master WHERE name = %s", [f"audit_fts_{name}"])
                (sql,) = cursor.fetchone()
                cursor.execute(f"DROP TRIGGER audit_fts_{name}")
                cursor.execute(sql.replace("CAST(search_words(", "CAST(("))

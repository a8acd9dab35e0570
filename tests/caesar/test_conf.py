"""The settings tree: defaults as in the records, wrong values refused with the cure, secrets never told."""

import re

import pytest
from pydantic import SecretStr, ValidationError

from caesar.conf import Settings, load_settings
from caesar.environment import setting_names
from tests.caesar.load_helpers import SECRET, loaded, refusal
from tests.caesar.settings_helper import changed

pytestmark = pytest.mark.usefixtures("empty_environment")


def test_it_works() -> None:
    settings = load_settings()
    assert settings.llm.provider == "offline"
    assert settings.semantic.enabled
    assert settings.semantic.provider == "embedded"


def test_defaults_are_those_of_the_records() -> None:
    memory = load_settings().memory
    assert (memory.facts.max_injected, memory.facts.max_chars) == (30, 2048)
    assert memory.facts_extract.interval_seconds == 60.0
    assert memory.facts_importance.model_dump() == {"halflife_days": 60.0, "edit_weight_scale": 0.5}
    assert memory.episodes_summarise.model_dump() == {"enabled": False, "interval_seconds": 60.0, "batch_size": 4}
    recall = memory.episodes_recall
    assert (recall.enabled, recall.top_k, recall.max_age_days) == (True, 3, 90)
    assert (recall.halflife_days, recall.recall_weight_scale) == (30.0, 0.25)
    assert memory.retention_days == 90


def test_defaults_are_those_of_the_design() -> None:
    settings = load_settings()
    extract = settings.memory.facts_extract
    assert (extract.enabled, extract.batch_size, extract.max_attempts, extract.max_chars) == (False, 8, 5, 48_000)
    assert settings.memory.episodes_recall.similarity_threshold is None
    assert (settings.memory.audit_max_string_chars, settings.memory.chat_max_chars) == (16_384, 262_144)
    assert settings.api.max_body_bytes == 16 * 1024 * 1024
    assert (settings.server.host, settings.server.port, settings.server.https) == ("127.0.0.1", 8000, False)
    assert (settings.llm.timeout_seconds, settings.llm.max_tokens) == (60.0, 1024)
    assert settings.semantic.timeout_seconds == 2.0
    assert settings.allowed_hosts == ("localhost", "127.0.0.1", "[::1]")


def test_classes_carry_the_records_names() -> None:
    memory = load_settings().memory
    names = [
        type(section).__name__ for section in (memory, *memory.__dict__.values()) if hasattr(section, "model_dump")
    ]
    assert names == [
        "MemorySettings",
        "FactsSettings",
        "FactsExtractSettings",
        "FactsImportanceSettings",
        "EpisodesSummariseSettings",
        "EpisodesRecallSettings",
        "InjectionSettings",  # ours
    ]


def test_the_tree_cannot_be_changed_in_place() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        load_settings().memory.facts.max_chars = 1  # type: ignore[misc]


def test_one_task_goes_to_another_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(
        monkeypatch,
        LLM__PROVIDER="anthropic",
        LLM__TASK_ROUTING__MEMORY_EXTRACT__PROVIDER="ollama",
        LLM__TASK_ROUTING__MEMORY_EXTRACT__BASE_URL="http://box:11434/",
        LLM__TASK_ROUTING__MEMORY_SUMMARISE__API_KEY=SECRET,
    )
    assert settings.llm.route("memory_extract").provider == "ollama"
    assert settings.llm.route("memory_extract").base_url == "http://box:11434"
    assert settings.llm.route("memory_summarise").api_key == SecretStr(SECRET)
    assert settings.llm.route("chat").provider is None


def test_prices_are_of_a_million_tokens_in_and_out(monkeypatch: pytest.MonkeyPatch) -> None:
    prices = loaded(monkeypatch, LLM__PRICES="gpt-4o-mini=0.15/0.60, qwen2.5=0/0").llm.prices
    assert prices == (("gpt-4o-mini", 0.15, 0.6), ("qwen2.5", 0, 0))


@pytest.mark.parametrize(
    ("enabled", "triggers_path", "is_on"),
    [("", "", False), ("", "triggers.yaml", True), ("true", "", True), ("off", "triggers.yaml", False)],
)
def test_unset_injection_follows_the_proactive_subsystem(
    monkeypatch: pytest.MonkeyPatch, enabled: str, triggers_path: str, is_on: bool
) -> None:
    settings = loaded(monkeypatch, MEMORY__FACTS__ENABLED=enabled, PROACTIVE__TRIGGERS_PATH=triggers_path)
    assert settings.facts_injection_enabled is is_on


def test_addresses_lose_their_last_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        loaded(monkeypatch, LLM__OPENAI__BASE_URL="http://[::1]:8080/v1/").llm.openai.base_url == "http://[::1]:8080/v1"
    )


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("MEMORY__FACTS_IMPORTANCE__HALFLIFE_DAYS", "0", "must be greater than 0. Left out, it is 60."),
        ("MEMORY__EPISODES_RECALL__HALFLIFE_DAYS", "-1", "must be greater than 0. Left out, it is 30."),
        ("MEMORY__EPISODES_RECALL__HALFLIFE_DAYS", "nan", "must be a finite number"),
        ("MEMORY__EPISODES_RECALL__SIMILARITY_THRESHOLD", "1.1", "must be less than or equal to 1"),
        ("MEMORY__EPISODES_RECALL__TOP_K", "three", "must be a whole number"),
        ("MEMORY__EPISODES_RECALL__RECALL_WEIGHT_SCALE", "-0.1", "must be greater than or equal to 0"),
        ("MEMORY__FACTS_EXTRACT__BATCH_SIZE", "0", "must be greater than or equal to 1"),
        ("MEMORY__RETENTION_DAYS", "-1", "must be greater than or equal to 0"),
        ("MEMORY__FACTS__ENABLED", "perhaps", "must be true or false"),
        ("SERVER__PORT", "70000", "must be less than or equal to 65535. Left out, it is 8000."),
        ("LLM__TIMEOUT_SECONDS", "soon", "must be a number. Left out, it is 60."),
        ("LLM__TIMEOUT_SECONDS", "inf", "must be a finite number"),
        ("LLM__PROVIDER", "gemini", "must be 'anthropic', 'openai', 'ollama' or 'offline'. Left out, it is offline."),
        ("SEMANTIC__PROVIDER", "bert", "must be 'embedded', 'voyage', 'openai' or 'ollama'"),
        ("LOG_LEVEL", "LOUD", "must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
        ("TIME_ZONE", "Europe/Helsinky", "must be a name of the time zone database, perhaps Europe/Helsinki"),
        ("TIME_ZONE", "../etc/passwd", "must be a name of the time zone database"),
        ("TIME_ZONE", "Europe", "must be a name of the time zone database"),
        ("LLM__PRICES", "gpt-4o-mini=0.15", "such as gpt-4o-mini=0.15/0.60, with commas between"),
        ("LLM__PRICES", "=1/2", "such as gpt-4o-mini=0.15/0.60"),
        ("LLM__PRICES", "a=1/2,b=-1/nan", "such as gpt-4o-mini=0.15/0.60"),
        ("LLM__OPENAI__BASE_URL", "api.openai.com/v1", "must be an address such as https://llm.example.com/v1"),
        ("LLM__OPENAI__BASE_URL", "ftp://llm.example.com", "must be an address such as"),
        ("LLM__OPENAI__BASE_URL", "https://", "must be an address such as"),
        ("LLM__OPENAI__BASE_URL", "https://x:y/v1", "is no valid address"),
        ("LLM__OPENAI__BASE_URL", f"https://me:{SECRET}@llm.example.com", "must not hold a user or password"),
        ("SEMANTIC__BASE_URL", "https://llm.example.com/v1?a=b", "no ?"),
        ("LLM__OPENAI__API_KEY", f"{SECRET} {SECRET}", "holds characters that no key has"),
        ("ALLOWED_HOSTS", "https://caesar.example.com", "must be bare host names"),
        ("ALLOWED_HOSTS", ",", "must hold at least one. Left out, it is localhost,127.0.0.1,[::1]."),
        ("ALLOWED_HOSTS", "localhost:8000", "must be bare host names"),
        ("ALLOWED_HOSTS", "*.example.com", "must be written .example.com"),
        ("API__CORS_ORIGINS", "chat.example.com", "must be origins such as https://chat.example.com"),
        ("API__CORS_ORIGINS", "https://a.example, https://chat.example.com/app", "https://chat.example.com: no path"),
        ("API__CORS_ORIGINS", "https://chat.example.com?a=b", "no path"),
        ("API__CORS_ORIGINS", "https://*.example.com", "must name each origin in full"),
        ("API__CORS_ORIGINS", "https://x:y", "is no valid origin"),
        ("API__CORS_ORIGINS", "null", "must be origins such as"),
        ("API__CORS_ORIGINS", "*, https://chat.example.com", "must be either * alone"),
        ("DB__URL", f"mysql://me:{SECRET}@db/caesar", "must be sqlite:///path/to/file or postgresql://"),
        ("DB__URL", f"postgresql://me:{SECRET}[@db/caesar", "is no valid address"),
        ("DB__URL", "sqlite://var/caesar.sqlite3", "three slashes"),
        ("DB__URL", "sqlite:///:memory:", "must name a file"),
    ],
)
def test_a_wrong_value_is_refused_with_the_cure(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    text = refusal(monkeypatch, **{name: value})
    line = next(line for line in text.splitlines() if line.startswith(f"  CAESAR_{name}: "))
    assert says in line
    assert SECRET not in text
    assert ".." not in line.replace("../", "")


def test_every_number_has_a_range() -> None:
    for name, field in setting_names(Settings).items():
        if re.search(r"\b(int|float)\b", str(field.annotation)) and "bool" not in str(field.annotation):
            limits = repr(field.metadata) + repr(field.annotation)
            assert re.search(r"\b(ge|gt)=", limits), name
            assert re.search(r"\b(le|lt)=", limits), name


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"postgresql://me:{SECRET}@db/caesar"
    settings = loaded(monkeypatch, SECRET_KEY=SECRET, LLM__ANTHROPIC__API_KEY=SECRET, DB__URL=url)
    assert SECRET not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"
    assert settings.db.url.get_secret_value() == url


def test_changed_settings_are_validated() -> None:
    settings = changed(Settings(), memory__facts__max_chars=100, debug=True)
    assert (settings.memory.facts.max_chars, settings.debug) == (100, True)
    with pytest.raises(ValidationError):
        changed(settings, memory__facts__max_chars="many")
    with pytest.raises(ValidationError):
        changed(settings, memory__facts__max_char=100)
    with pytest.raises(KeyError):
        changed(settings, memroy__facts__max_chars=100)


def test_origins_are_as_browsers_send_them(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = "https://Chat.Example.com/, http://localhost:3000, https://a.example:443,app://obsidian.md,http://[::1]:80"
    monkeypatch.setenv("CAESAR_API__CORS_ORIGINS", sent)
    wanted = ("https://chat.example.com", "http://localhost:3000", "https://a.example", "app://obsidian.md")
    assert load_settings().api.cors_origins == (*wanted, "http://[::1]")
    monkeypatch.setenv("CAESAR_API__CORS_ORIGINS", "*")
    assert load_settings().api.cors_origins == ("*",)

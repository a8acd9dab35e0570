"""The settings tree: defaults as in the records, names refused or helped, secrets never told."""

import os
import re
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from caesar.conf import ConfigurationError, Settings, load_settings
from caesar.environment import load_env_file, ollama_url, read_env_file, setting_names
from tests.caesar.settings_helper import changed

SECRET = "sk-very-secret-0123456789"
FOREIGN = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST")


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.upper().startswith("CAESAR_") or name in FOREIGN:
            monkeypatch.delenv(name)


def loaded(monkeypatch: pytest.MonkeyPatch, **environ: str) -> Settings:
    """The settings under these variables, CAESAR_ left out of their names unless they are another program's."""
    for name, value in environ.items():
        monkeypatch.setenv(name if name in FOREIGN else f"CAESAR_{name}", value)
    return load_settings()


def refusal(monkeypatch: pytest.MonkeyPatch, **environ: str) -> str:
    """The text an operator reads when these variables cannot be used."""
    with pytest.raises(ConfigurationError) as caught:
        loaded(monkeypatch, **environ)
    return str(caught.value)


def test_it_works() -> None:
    settings = load_settings()
    assert settings.llm.provider == "offline"
    assert settings.semantic.enabled
    assert settings.semantic.provider == "embedded"


# --- defaults ---


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


# --- reading ---


def test_a_setting_is_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, MEMORY__EPISODES_RECALL__TOP_K="5", LLM__PROVIDER="Ollama", LLM__MODEL="qwen")
    assert settings.memory.episodes_recall.top_k == 5
    assert settings.memory.episodes_recall.max_age_days == 90
    assert (settings.llm.provider, settings.llm.model) == ("ollama", "qwen")


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_value_counts_as_unset(monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    settings = loaded(monkeypatch, LLM__PROVIDER=blank, SERVER__PORT=blank, MEMORY__FACTS__ENABLED=blank)
    assert settings == Settings()


def test_lists_take_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, ALLOWED_HOSTS=" Caesar.example.com, .example.org,")
    assert settings.allowed_hosts == ("caesar.example.com", ".example.org")


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


# --- keys exported for other programs ---


def test_an_exported_key_chooses_no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, OPENAI_API_KEY=SECRET, ANTHROPIC_API_KEY=SECRET, OLLAMA_HOST="box")
    assert settings.llm.provider == "offline"
    assert settings.semantic.provider == "embedded"
    assert settings.llm.openai.api_key is None
    assert settings.llm.ollama.base_url == "http://127.0.0.1:11434"


def test_an_exported_key_serves_the_provider_that_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, LLM__PROVIDER="openai", OPENAI_API_KEY=SECRET, ANTHROPIC_API_KEY=SECRET)
    assert settings.llm.openai.api_key == SecretStr(SECRET)
    assert settings.llm.anthropic.api_key is None
    assert settings.semantic.api_key is None


def test_an_exported_key_serves_a_task_route(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, LLM__TASK_ROUTING__CHAT__PROVIDER="anthropic", ANTHROPIC_API_KEY=SECRET)
    assert settings.llm.anthropic.api_key == SecretStr(SECRET)


def test_an_exported_key_and_address_serve_the_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(monkeypatch, SEMANTIC__PROVIDER="openai", OPENAI_API_KEY=SECRET).semantic.api_key == SecretStr(SECRET)
    settings = loaded(monkeypatch, SEMANTIC__PROVIDER="ollama", OLLAMA_HOST="box:9999")
    assert settings.semantic.base_url == "http://box:9999"
    assert settings.llm.ollama.base_url == "http://127.0.0.1:11434"


def test_our_own_key_wins_over_an_exported_one(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, LLM__PROVIDER="openai", LLM__OPENAI__API_KEY="ours", OPENAI_API_KEY=SECRET)
    assert settings.llm.openai.api_key == SecretStr("ours")


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104
        ("box", "http://box:11434"),
        (":9000", "http://127.0.0.1:9000"),
        ("[::]:9000", "http://[::1]:9000"),
        ("https://ollama.example.com", "https://ollama.example.com"),
        ("http://box:80/api", "http://box:80/api"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(host: str, url: str) -> None:
    assert ollama_url(host) == url


def test_a_bad_exported_value_is_reported_under_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    text = refusal(monkeypatch, LLM__PROVIDER="ollama", OLLAMA_HOST="box:port")
    assert "\n  OLLAMA_HOST: " in text
    assert "CAESAR_LLM__OLLAMA__BASE_URL" not in text


# --- secrets from files ---


def test_a_secret_comes_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{SECRET}\n")
    settings = loaded(monkeypatch, LLM__OPENAI__API_KEY_FILE=str(tmp_path / "key"))
    assert settings.llm.openai.api_key == SecretStr(SECRET)


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe"])
def test_a_secret_file_without_a_secret_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / SECRET
    if content is not None:
        path.write_bytes(content)
    text = refusal(monkeypatch, SECRET_KEY_FILE=str(path))
    assert "\n  CAESAR_SECRET_KEY_FILE: " in text
    assert SECRET not in text


def test_a_folder_is_no_secret_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "CAESAR_SECRET_KEY_FILE: cannot read" in refusal(monkeypatch, SECRET_KEY_FILE=str(tmp_path))


def test_a_secret_and_its_file_together_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("another")
    text = refusal(monkeypatch, SECRET_KEY=SECRET, SECRET_KEY_FILE=str(tmp_path / "key"))
    assert "CAESAR_SECRET_KEY: is set beside CAESAR_SECRET_KEY_FILE. Keep one of the two." in text
    assert SECRET not in text


# --- names ---


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("MEMROY__FACTS__ENABLED", "CAESAR_MEMORY__FACTS__ENABLED"),
        ("LLM_PROVIDER", "CAESAR_LLM__PROVIDER"),
        ("SECRET_KEYY", "CAESAR_SECRET_KEY"),
        ("LLM__OPENAI__API_KEE", "CAESAR_LLM__OPENAI__API_KEY"),
        ("LLM__OPENAI__API_KEE_FILE", "CAESAR_LLM__OPENAI__API_KEY_FILE"),
        ("MEMORY__FACTS__MAX_INJECT", "CAESAR_MEMORY__FACTS__MAX_INJECTED"),
        ("LLM__TASK_ROUTING__MEMORY_EXTRAKT__MODEL", "CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT__MODEL"),
    ],
)
def test_a_mistyped_name_is_refused_with_the_right_one(monkeypatch: pytest.MonkeyPatch, wrong: str, right: str) -> None:
    text = refusal(monkeypatch, **{wrong: SECRET})
    assert f"\n  CAESAR_{wrong}: no such setting. Did you mean {right}?" in text
    assert SECRET not in text


def test_a_name_like_no_other_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "CAESAR_ZZZ: no such setting. See .env.example." in refusal(monkeypatch, ZZZ="1")


def test_a_section_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    text = refusal(monkeypatch, LLM="ollama")
    assert "CAESAR_LLM: is a section. Set one of its settings, such as CAESAR_LLM__PROVIDER." in text


# --- values ---


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


def test_every_mistake_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = refusal(monkeypatch, DEBUG="maybe", MEMROY__RETENTION_DAYS="1", SECRET_KEY_FILE="/does/not/exist", LLM="x")
    heading, *lines = text.splitlines()
    assert heading == "CAESAR cannot start, its settings need attention:"
    assert len(lines) == 4
    assert all(re.fullmatch(r"  CAESAR_[A-Z_]+: .+[.?]", line) for line in lines)


def test_bytes_that_are_no_text_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "CAESAR_LLM__MODEL: is not UTF-8 text." in refusal(monkeypatch, LLM__MODEL="\udcff")


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


# --- .env ---


def test_env_file_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    path = tmp_path / "some.env"
    path.write_text("# hello\nCAESAR_SERVER__PORT=1234\nexport CAESAR_LLM__MODEL='a $b'\nCAESAR_DEBUG=true # why\n")
    environ = {"CAESAR_ENV_FILE": str(path), "CAESAR_SERVER__PORT": "4321"}
    load_env_file(environ)
    assert environ["CAESAR_SERVER__PORT"] == "4321"
    assert environ["CAESAR_LLM__MODEL"] == "a $b"
    assert environ["CAESAR_DEBUG"] == "true"


def test_tests_read_no_env_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "some.env"
    path.write_text("CAESAR_SERVER__PORT=1234\n")
    assert loaded(monkeypatch, ENV_FILE=str(path)).server.port == 8000


def test_a_named_env_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No such file or directory. Correct the file, or CAESAR_ENV_FILE"):
        read_env_file(tmp_path / "missing.env")


def test_a_line_that_is_no_setting_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "some.env"
    path.write_text(f"CAESAR_DEBUG=true\n{SECRET}\n")
    with pytest.raises(ConfigurationError, match="line 2: write it as NAME=value") as caught:
        read_env_file(path)
    assert SECRET not in str(caught.value)


# --- the helper for other tests ---


def test_changed_settings_are_validated() -> None:
    settings = changed(Settings(), memory__facts__max_chars=100, debug=True)
    assert (settings.memory.facts.max_chars, settings.debug) == (100, True)
    with pytest.raises(ValidationError):
        changed(settings, memory__facts__max_chars="many")
    with pytest.raises(ValidationError):
        changed(settings, memory__facts__max_char=100)
    with pytest.raises(KeyError):
        changed(settings, memroy__facts__max_chars=100)

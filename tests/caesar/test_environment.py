"""Reading the environment: mistyped names, keys exported for other programs, secrets from files, the .env file."""

import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from caesar.conf import ConfigurationError, Settings
from caesar.environment import load_env_file, ollama_url, read_env_file
from tests.caesar.load_helpers import SECRET, loaded, refusal

pytestmark = pytest.mark.usefixtures("empty_environment")


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


def test_every_mistake_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = refusal(monkeypatch, DEBUG="maybe", MEMROY__RETENTION_DAYS="1", SECRET_KEY_FILE="/does/not/exist", LLM="x")
    heading, *lines = text.splitlines()
    assert heading == "CAESAR cannot start, its settings need attention:"
    assert len(lines) == 4
    assert all(re.fullmatch(r"  CAESAR_[A-Z_]+: .+[.?]", line) for line in lines)


def test_bytes_that_are_no_text_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "CAESAR_LLM__MODEL: is not UTF-8 text." in refusal(monkeypatch, LLM__MODEL="\udcff")


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

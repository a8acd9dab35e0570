"""Which model is tried: words of a command become settings of the task, and no key goes where it was not set for."""

import pytest

from memory.management.evaluation.facts import routing

SECTION = "CAESAR_LLM__TASK_ROUTING__MEMORY_EXTRACT__"
CONFIGURED = {
    "PATH": "/bin",
    SECTION + "PROVIDER": "openai",
    SECTION + "MODEL": "large",
    SECTION + "BASE_URL": "https://llm.example.com/v1",
    SECTION + "API_KEY_FILE": "/run/key",
}


def test_nothing_given_is_the_configured_route() -> None:
    assert routing.routed(CONFIGURED, {}) == CONFIGURED


def test_a_model_alone_keeps_the_rest() -> None:
    assert routing.routed(CONFIGURED, {"model": "small"}) == CONFIGURED | {SECTION + "MODEL": "small"}


def test_another_provider_begins_anew() -> None:
    route = routing.parse(["provider=ollama", "model=qwen3:4b"])
    expected = {"PATH": "/bin", SECTION + "PROVIDER": "ollama", SECTION + "MODEL": "qwen3:4b"}
    assert routing.routed(CONFIGURED, route) == expected


def test_an_address_may_hold_an_equals_sign() -> None:
    assert routing.parse(["base_url=http://x/?a=b"]) == {"base_url": "http://x/?a=b"}


def test_a_name_in_lower_case_is_replaced_too() -> None:
    environ = {(SECTION + "MODEL").lower(): "large"}
    assert routing.routed(environ, {"model": "small"}) == {SECTION + "MODEL": "small"}


@pytest.mark.parametrize(
    ("word", "cure"),
    [
        ("api_key=sk-1", "api_key_file=..."),
        ("qwen3:4b", "Write NAME=VALUE"),
        ("modle=x", "NAME one of provider, model"),
    ],
)
def test_other_words_are_refused_with_the_cure(word: str, cure: str) -> None:
    with pytest.raises(routing.RoutingError) as caught:
        routing.parse([word])
    assert cure in str(caught.value)
    assert "sk-1" not in str(caught.value)

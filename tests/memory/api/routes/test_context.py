"""POST /v1/memory/context: the prompt for backends that call the model themselves."""

from datetime import datetime

import pytest
from pydantic import JsonValue

from memory.models import AuditRow, PersonalFact
from tests.conftest import ApiClient, Configure

HELLO: JsonValue = [{"role": "user", "content": "Hello"}]


@pytest.fixture(autouse=True)
def beans(now: datetime, db: None) -> PersonalFact:
    return PersonalFact.objects.add("dog.name", "Beans", now=now)


def receipts() -> int:
    return AuditRow.objects.filter(event_type="memory.context.served").count()


def test_it_works(api: ApiClient) -> None:
    response = api.post("/v1/memory/context", json={"messages": HELLO, "system": "You are a butler."})
    assert response.status_code == 200
    answer = response.json()
    assert set(answer) == {
        "decision_id",
        "system_prompt",
        "block",
        "facts",
        "episodes",
        "near_misses",
        "content_recall",
    }
    assert answer["block"] in answer["system_prompt"]
    assert answer["system_prompt"].endswith("You are a butler.")
    assert [(fact["key"], fact["sentence"]) for fact in answer["facts"]] == [("dog.name", "Your dog's name is Beans.")]
    assert (answer["episodes"], answer["near_misses"]) == ([], [])


def test_it_writes_its_receipt(api: ApiClient) -> None:
    answer = api.post("/v1/memory/context", json={"messages": HELLO}).json()
    receipt = AuditRow.objects.get(event_type="memory.context.served")
    assert receipt.decision_id == answer["decision_id"]
    assert receipt.payload["block"] == answer["block"]


def test_message_is_short_for_one_message(api: ApiClient) -> None:
    short = api.post("/v1/memory/context", json={"message": "Hello"}).json()
    long = api.post("/v1/memory/context", json={"messages": HELLO}).json()
    assert short["system_prompt"] == long["system_prompt"]


@pytest.mark.parametrize(
    "body", [{}, {"messages": HELLO, "message": "Hello"}, {"message": None}, {"message": None, "messages": None}]
)
def test_exactly_one_of_messages_and_message(api: ApiClient, body: JsonValue) -> None:
    response = api.post("/v1/memory/context", json=body)
    assert response.status_code == 422
    assert "messages or message" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"message": ""}, "message"),
        ({"message": 7}, "message"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "system", "content": "Hi"}]}, "messages"),
        ({"message": "Hi", "system": 7}, "system"),
        ({"message": "Hi", "preview": "yes"}, "preview"),
    ],
)
def test_a_wrong_shape_is_422_with_its_place(api: ApiClient, body: JsonValue, param: str) -> None:
    response = api.post("/v1/memory/context", json=body)
    assert (response.status_code, response.json()["error"]["param"]) == (422, param)
    assert receipts() == 0


def test_a_preview_writes_nothing_and_has_no_id(api: ApiClient) -> None:
    before = AuditRow.objects.count()
    preview = api.post("/v1/memory/context", json={"messages": HELLO, "preview": True}).json()
    assert preview["decision_id"] is None
    assert AuditRow.objects.count() == before
    served = api.post("/v1/memory/context", json={"messages": HELLO}).json()
    assert preview["block"] == served["block"]


def test_without_system_the_clients_own_is_kept_and_else_the_configured_one(
    api: ApiClient, configure: Configure
) -> None:
    configure(llm__system_prompt="The house style.")
    own: JsonValue = [{"role": "system", "content": "Speak like a pirate."}, {"role": "user", "content": "Hello"}]
    prompts = [
        api.post("/v1/memory/context", json={"messages": messages}).json()["system_prompt"] for messages in (own, HELLO)
    ]
    assert prompts[0].endswith("Speak like a pirate.")
    assert prompts[1].endswith("The house style.")


@pytest.mark.parametrize("how", [{"memory": {"inject": False}}, {"header": "off"}])
def test_memory_off_gives_the_prompt_byte_for_byte(api: ApiClient, how: dict[str, JsonValue]) -> None:
    headers = {"X-Memory": "off"} if "header" in how else {}
    body: JsonValue = {"messages": HELLO, "system": " As it is.\n", "memory": how.get("memory")}
    answer = api.post("/v1/memory/context", json=body, headers=headers).json()
    assert (answer["system_prompt"], answer["block"], answer["facts"]) == (" As it is.\n", "", [])

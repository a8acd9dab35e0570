"""Every call leaves a row that says which client asked for what; it keeps nothing that a fact says."""

from datetime import datetime

import pytest
from django.test import Client

from memory import events
from memory.models import AuditRow, PersonalFact
from tests.conftest import ApiClient, Configure
from tests.memory.mcp.speaking import Speaker, with_scopes

pytestmark = pytest.mark.django_db


def rows() -> list[events.McpCalled]:
    return [events.McpCalled.model_validate(row.payload) for row in called().order_by("id")]


def called():  # type: ignore[no-untyped-def]
    return AuditRow.objects.get_queryset().of_type(events.McpCalled)


def test_a_call_leaves_one_row(client: Speaker) -> None:
    client.call("get_memories", prefix="dog", limit=3)
    (row,) = rows()
    assert (row.kind, row.what, row.arguments) == ("tool", "get_memories", {"prefix": "dog", "limit": 3})
    assert (row.client, row.client_version, row.protocol, row.outcome) == ("probe", "1.30", "2026-07-28", "done")
    assert called().get().actor == "key test"


def test_an_older_client_is_called_what_it_said_when_it_connected(api: ApiClient) -> None:
    for name in ("Claude", "Claude", "Cursor"):
        info = {"name": name, "version": "2"}
        params = {"protocolVersion": "2025-06-18", "clientInfo": info}
        api.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
        Speaker(api, "2025-06-18").call("get_memories")
        Speaker(api).call("get_memories")
    of_old = [row for row in rows() if row.protocol == "2025-06-18"]
    assert [(row.kind, row.client, row.client_version) for row in of_old] == [
        ("connection", "Claude", "2"),
        ("tool", "Claude", "2"),
        ("tool", "Claude", "2"),
        ("connection", "Cursor", "2"),
        ("tool", "Cursor", "2"),
    ]


def test_a_client_of_another_key_is_another(api: ApiClient) -> None:
    info = {"name": "Claude", "version": "2"}
    params = {"protocolVersion": "2025-06-18", "clientInfo": info}
    api.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    other = with_scopes("read")
    Speaker(other.api, "2025-06-18").call("get_memories")
    assert rows()[-1].client == ""


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("tools/call", {"name": "read_mind"}, "tool"),
        ("tools/call", {"name": "get_memory", "arguments": {"id": "nothing"}}, "tool"),
        ("tools/call", {"name": "get_memory", "arguments": {"id": 7}}, "tool"),
        ("resources/read", {"uri": "caesar://facts/nothing"}, "resource"),
        ("prompts/get", {"name": "poem"}, "prompt"),
    ],
)
def test_a_refusal_leaves_one_as_well(client: Speaker, method: str, params: dict[str, object], kind: str) -> None:
    client.send(method, params)  # type: ignore[arg-type]
    (row,) = rows()
    assert (row.kind, row.outcome, bool(row.problem)) == (kind, "refused", True)


def test_what_the_key_may_not_do_is_on_record() -> None:
    with_scopes("read").send("tools/call", {"name": "delete_memory", "arguments": {"id": "dog.name"}})
    (row,) = rows()
    assert (row.what, row.outcome) == ("delete_memory", "refused")


def test_looking_around_leaves_none(speaker: Speaker) -> None:
    for method in ("tools/list", "prompts/list", "resources/templates/list"):
        speaker.result(method)
    assert not AuditRow.objects.exists()


def test_a_change_leaves_its_own_row_and_that_of_the_call(client: Speaker, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    client.call("update_memory", id="dog.name", value="Bowser", expected="Beans")
    client.refusal("update_memory", id="dog.name", value="Rex", expected="Beans")
    kinds = [row.event_type for row in AuditRow.objects.order_by("id")][1:]
    assert kinds == [events.FactUserEdited.name, events.McpCalled.name, events.McpCalled.name]
    for row in called():
        assert not any(value in str(row.payload) for value in ("Beans", "Bowser", "Rex")), row.payload


def test_arguments_are_cut_and_secrets_masked(client: Speaker) -> None:
    secret = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"
    client.send("prompts/get", {"name": "memory", "arguments": {"message": f"my key is {secret} " + "x" * 9_000}})
    row = called().get()
    assert secret not in str(row.payload)
    assert len(row.payload["arguments"]["message"]) <= 300


@pytest.mark.parametrize("secret", ["sk-ant-api03-" + "Ab3dEf6h" * 6, "4111 1111 1111 1111"])
def test_a_secret_is_masked_wherever_it_stands(client: Speaker, secret: str) -> None:
    for arguments in ({"id": f"fact:{secret}"}, {"id": "x", secret: 1}, {"kind": secret}, {"model": [secret]}):
        client.refusal("get_memory", **arguments)  # type: ignore[arg-type]
    client.send("resources/read", {"uri": f"caesar://facts/{secret}"})
    client.refusal("get_memories", limit=4111111111111111)
    for row in called():
        assert secret not in str(row.payload)
        assert "4111111111111111" not in str(row.payload)
        assert row.payload["masked"]


def test_the_timeline_says_it_in_a_sentence(client: Speaker, operator: Client) -> None:
    client.call("get_memories", prefix="dog")
    page = operator.get("/dashboard/audit?family=mcp").content.decode()
    assert "<code>get_memories</code>" in page
    assert "probe" in page


# --- who memory keeps out of ------------------------------------------------------------------------------------------


def test_another_person_gets_nothing_of_the_operators(client: Speaker, configure: Configure, now: datetime) -> None:
    configure(operator__ids=("ada@example.org",))
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    body = client.request("tools/call", {"name": "get_memories", "arguments": {}})
    mail = "X-OpenWebUI-User-Email"
    other = client.api.post("/mcp", json=body, headers=client.headers(body) | {mail: "bob@example.org"})
    assert (other.status_code, other.json()["error"]["data"]) == (403, "other_person")
    assert "Beans" not in other.content.decode()
    own = client.api.post("/mcp", json=body, headers=client.headers(body) | {mail: "ada@example.org"})
    assert own.status_code == 200


def test_a_temporary_chat_gets_nothing_either(client: Speaker) -> None:
    body = client.request("prompts/get", {"name": "memory"})
    headers = client.headers(body) | {"X-OpenWebUI-Chat-Id": "local:1"}
    assert client.api.post("/mcp", json=body, headers=headers).json()["error"]["data"] == "temporary"
    assert not AuditRow.objects.exists()


@pytest.mark.parametrize("off", [{"X-Memory": "off"}, {"X-Memory-Task": "errand"}])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "search_memories", "arguments": {"query": "zebra"}}),
        ("tools/call", {"name": "get_memory", "arguments": {"id": "zebra"}}),
        ("tools/call", {"name": "zebra"}),
        ("prompts/get", {"name": "memory", "arguments": {"message": "zebra"}}),
        ("resources/read", {"uri": "caesar://facts/zebra"}),
    ],
)
def test_with_memory_off_only_the_call_is_on_record(
    client: Speaker, off: dict[str, str], method: str, params: dict[str, object]
) -> None:
    body = client.request(method, params)  # type: ignore[arg-type]
    assert client.api.post("/mcp", json=body, headers=client.headers(body) | off).status_code in (200, 400)
    assert [row.event_type for row in AuditRow.objects.all()] == [events.McpCalled.name]
    assert "zebra" not in str(called().get().payload)


def test_the_timeline_says_that_what_was_asked_is_not_kept(client: Speaker, operator: Client, now: datetime) -> None:
    PersonalFact.objects.add("dog.name", "Beans", now=now)
    body = client.request("resources/read", {"uri": "caesar://facts/dog.name"})
    client.api.post("/mcp", json=body, headers=client.headers(body) | {"X-Memory": "off"})
    page = operator.get("/dashboard/audit?family=mcp").content.decode()
    assert "what is not kept" in page

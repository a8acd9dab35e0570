"""Where facts come from."""

from collections.abc import Mapping, Sequence
from typing import Literal

from memory import events
from memory.models import AuditRow, PersonalFact

FactOrigin = Literal["chat", "typed", "gone"]
"""`chat`: a chat that is still kept. `typed`: the operator wrote it down. `gone`: its source is no longer kept."""

_ORIGIN_EVENTS = (events.FactAdded, events.FactUpdated, events.FactUserAdded)


def read_chat_of_client(fact: PersonalFact) -> AuditRow | None:
    """The chat that a fact comes from, without its words, where its client is known. One query, none without a chat."""
    if fact.source_audit_id is None:
        return None
    row = AuditRow.objects.filter(pk=fact.source_audit_id).only("actor", "api_key_id").first()
    return row if row is not None and row.client else None


def read_origins(facts: Sequence[PersonalFact]) -> Mapping[str, FactOrigin]:
    """{key: where the fact comes from}. One query, none where every fact has its chat."""
    origins: dict[str, FactOrigin] = {fact.key: "chat" for fact in facts if fact.source_audit_id is not None}
    without_chat = [fact.key for fact in facts if fact.source_audit_id is None]
    if not without_chat:
        return origins
    rows = AuditRow.objects.get_queryset().of_type(*_ORIGIN_EVENTS).filter(fact_key__in=without_chat).order_by("id")
    for key, event_type, restored_from in rows.values_list("fact_key", "event_type", "payload__restored_from"):
        if key is not None and restored_from is None:  # an undone deletion leaves the origin as it was
            origins[key] = "typed" if event_type == events.FactUserAdded.name else "gone"
    return origins

"""The timeline as JSON."""

from ninja import Query, Router

from memory.api.auth import ApiRequest, BearerKey
from memory.api.requests import AuditQuery
from memory.api.responses import AuditEntry, AuditPage, answers
from memory.models import ApiKey, AuditQuerySet, AuditRow
from memory.text.messages import identifiers

router = Router(tags=["Audit"], auth=BearerKey("read"))


@router.get("/audit", response=answers(200, AuditPage), summary="The timeline")
def index(request: ApiRequest, query: Query[AuditQuery]) -> AuditPage:
    """Everything that happened, newest first: as quick at its end as at its start."""
    page = _matching(query).page(before=query.before, limit=query.limit)
    following = None if page.next_before is None else str(page.next_before)
    return AuditPage(data=[AuditEntry.of(row) for row in page.rows], next=following)


def _matching(query: AuditQuery) -> AuditQuerySet:
    rows = AuditRow.objects.get_queryset().prefetch_related("api_key")
    if query.type is not None:
        rows = rows.filter(event_type=query.type)
    if query.fact is not None:
        rows = rows.about(query.fact)
    if query.chat is not None:
        rows = rows.filter(chat_id=query.chat)
    if query.decision is not None:
        rows = rows.filter(decision_id=query.decision)
    if query.conversation is not None:
        name = identifiers.normal_conversation_id(query.conversation)
        rows = rows.filter(conversation_id=name) if name else rows.none()
    if query.client is not None:
        rows = rows.of_client(ApiKey.objects.ids_of(query.client))
    if query.q is not None:
        rows = rows.search(query.q)
    return rows

"""The timeline as JSON."""

from ninja import Path, Query, Router

from memory.api.auth import ApiRequest, BearerKey
from memory.api.errors import ApiError
from memory.api.requests import AuditQuery, RowId
from memory.api.responses import AuditEntry, AuditPage, Fact, Undone, answers
from memory.models import ApiKey, AuditQuerySet, AuditRow, PersonalFact, undo
from memory.text.messages import identifiers

router = Router(tags=["Audit"], auth=BearerKey("read"))


@router.get("/audit", response=answers(200, AuditPage), summary="The timeline")
def index(request: ApiRequest, query: Query[AuditQuery]) -> AuditPage:
    """Everything that happened, newest first: as quick at its end as at its start."""
    page = _matching(query).page(before=query.before, limit=query.limit)
    following = None if page.next_before is None else str(page.next_before)
    return AuditPage(data=[AuditEntry.of(row) for row in page.rows], next=following)


@router.post(
    "/audit/{audit_log_id}/undo",
    auth=BearerKey("manage"),
    response=answers(200, Undone, 404, 409),
    summary="Undo a change",
)
def take_back(request: ApiRequest, audit_log_id: Path[RowId]) -> Undone:
    """Takes back one change in the operator's name: an edit, a deletion, an addition, that a fact was confirmed, kept
    or dated, that a waiting claim was dropped or accepted, that a fact ended, and that an episode was deleted. An edit
    and its undoing count as no edit. 409 where it changed meanwhile, or the row is nothing that can be undone."""
    row = AuditRow.objects.filter(pk=audit_log_id).first()
    if row is None:
        message = f"There is no event {audit_log_id}. GET /v1/audit lists them all."
        raise ApiError(404, message, code="not_found", param="audit_log_id")
    now = request.auth.now
    written = undo(row, now=now)
    fact = PersonalFact.objects.by_key(row.fact_key) if row.fact_key else None
    return Undone(audit_log_id=written.pk if written else None, fact=Fact.of(fact.ranked(now)) if fact else None)


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

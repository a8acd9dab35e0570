"""The addresses of the operator's pages.

A fact is named by `?key=`, not by a part of the path: a query parameter can hold any key.
"""

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter
from django.urls.converters import IntConverter

from dashboard.account import draft_views as draft
from dashboard.account import theme
from dashboard.account import views as account
from dashboard.chats import views as chats
from dashboard.connect import key_views as key
from dashboard.connect import views as connect
from dashboard.episodes import views as episodes
from dashboard.event import views as event
from dashboard.fact import undo_views as undoing
from dashboard.fact import verb_views as fact_verbs
from dashboard.fact import views as fact
from dashboard.facts import bulk_views as selected_facts
from dashboard.facts import review_views as review
from dashboard.facts import views as facts
from dashboard.language_models import views as language_models
from dashboard.manual import views as manual
from dashboard.overview import views as overview
from dashboard.overview import worker_views as workers
from dashboard.preview import views as preview
from dashboard.search import views as search
from dashboard.timeline import views as timeline


class RowConverter(IntConverter):
    """The id of a row. A number longer than a database column holds is not found, instead of a server error."""

    regex = "[0-9]{1,18}"


register_converter(RowConverter, "row")

urlpatterns = [
    path("", account.home, name="home"),
    path("dashboard/", overview.show, name="overview"),
    path("dashboard/board", overview.board, name="board"),
    path("dashboard/health", overview.health, name="health"),
    path("dashboard/say", overview.say, name="say"),
    path("dashboard/said/<row:chat_id>", overview.said, name="said"),
    path("dashboard/learning/pause", workers.pause, name="learning-pause"),
    path("dashboard/learning/resume", workers.resume, name="learning-resume"),
    path("dashboard/sweep/anyway", workers.sweep_anyway, name="sweep-anyway"),
    path("dashboard/workers/<str:name>/retry/<row:chat_id>", workers.retry, name="worker-retry"),
    path("dashboard/workers/<str:name>/skip/<row:chat_id>", workers.skip, name="worker-skip"),
    path("dashboard/workers/<str:name>/ask-again", workers.ask_again, name="worker-ask-again"),
    path("dashboard/search", search.show, name="search"),
    path("dashboard/connect", connect.show, name="connect"),
    path("dashboard/connect/keys", connect.make, name="key-make"),
    path("dashboard/connect/keys/<row:key_id>", key.show, name="key"),
    path("dashboard/connect/keys/<row:key_id>/first-call", connect.first_call, name="key-first-call"),
    path("dashboard/connect/keys/<row:key_id>/change", connect.change, name="key-change"),
    path("dashboard/connect/keys/<row:key_id>/revoke", connect.revoke, name="key-revoke"),
    path("dashboard/manual", manual.show, name="manual"),
    path("dashboard/manual/<slug:name>", manual.show, name="manual-page"),
    path("dashboard/models", language_models.show, name="models"),
    path("dashboard/models/try", language_models.try_now, name="models-try"),
    path("favicon.ico", account.favicon),
    path("draft", draft.show, name="draft"),
    path("draft/drop", draft.drop, name="draft-drop"),
    path("theme", theme.choose, name="theme"),
    path("login", account.OperatorLogin.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("password", account.PasswordChange.as_view(), name="password"),
    path("password/done", account.PasswordChanged.as_view(), name="password-done"),
    path("dashboard/facts", facts.show, name="facts"),
    path("dashboard/facts/add", facts.add, name="fact-add"),
    path("dashboard/facts/edit", facts.edit, name="fact-edit"),
    path("dashboard/facts/map", facts.fold_map, name="facts-map"),
    path("dashboard/facts/row", facts.row, name="fact-row"),
    path("dashboard/facts/delete", facts.delete, name="fact-delete"),
    path("dashboard/facts/restore/<row:deletion_id>", facts.restore, name="fact-restore"),
    path("dashboard/facts/bring-back", review.bring_back, name="fact-bring-back"),
    path("dashboard/facts/waiting/<row:claim_id>/accept", review.accept, name="waiting-accept"),
    path("dashboard/facts/waiting/<row:claim_id>/drop", review.drop, name="waiting-drop"),
    path("dashboard/facts/one", fact.show, name="fact"),
    path("dashboard/facts/date", fact.set_date, name="fact-date"),
    path("dashboard/facts/confirm", fact_verbs.confirm, name="fact-confirm"),
    path("dashboard/facts/keep", fact_verbs.keep, name="fact-keep"),
    path("dashboard/facts/unkeep", fact_verbs.unkeep, name="fact-unkeep"),
    path("dashboard/facts/let-go", fact_verbs.let_go, name="fact-let-go"),
    path("dashboard/facts/delete-chosen", selected_facts.delete, name="chosen-delete"),
    path("dashboard/facts/restore-chosen", selected_facts.restore, name="chosen-restore"),
    path("dashboard/episodes", episodes.show, name="episodes"),
    path("dashboard/episodes/delete", episodes.delete, name="episodes-delete"),
    path("dashboard/episodes/restore", episodes.restore, name="episodes-restore"),
    path("dashboard/preview", preview.show, name="preview"),
    path("dashboard/audit", timeline.show, name="audit"),
    path("dashboard/audit/news", timeline.news, name="audit-news"),
    path("dashboard/audit/download", timeline.download, name="audit-download"),
    path("dashboard/audit/<int:row_id>", event.show, name="event"),
    path("dashboard/audit/<row:row_id>/undo", undoing.take_back, name="event-undo"),
    path("dashboard/audit/<row:row_id>/back-to", undoing.set_back, name="event-back-to"),
    path("dashboard/audit/<row:row_id>/again/<str:name>", chats.again, name="chat-again"),
    path("dashboard/audit/<row:row_id>/forget-episode", chats.forget_episode, name="episode-forget"),
]

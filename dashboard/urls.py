"""The operator's addresses. A fact is named by `?key=`: any key survives there, and a restored fact keeps its own."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from dashboard.views import entrance, facts, timeline

urlpatterns = [
    path("", entrance.home, name="home"),
    path("dashboard/", entrance.home),
    path("favicon.ico", entrance.favicon),
    path("login", entrance.OperatorLogin.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("dashboard/facts", facts.show, name="facts"),
    path("dashboard/facts/add", facts.add, name="fact-add"),
    path("dashboard/facts/edit", facts.edit, name="fact-edit"),
    path("dashboard/facts/row", facts.row, name="fact-row"),
    path("dashboard/facts/delete", facts.delete, name="fact-delete"),
    path("dashboard/facts/restore/<int:deletion_id>", facts.restore, name="fact-restore"),
    path("dashboard/audit", timeline.show, name="audit"),
    path("dashboard/audit/<int:row_id>", timeline.event, name="event"),
]

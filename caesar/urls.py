"""Every address of the server."""

from django.contrib import admin
from django.urls import include, path, re_path

from memory.api import api
from memory.api.envelope import nothing
from memory.api.monitoring.view import show as metrics
from memory.api.routes.health import healthz, readyz
from memory.mcp.views import serve as mcp

handler400 = "caesar.server.error_pages.bad_request"
handler403 = "caesar.server.error_pages.permission_denied"
handler404 = "caesar.server.error_pages.page_not_found"
handler500 = "caesar.server.error_pages.server_error"

urlpatterns = [
    re_path(r"^v1/?$", nothing),
    path("v1/", api.urls),
    re_path(r"^mcp/?$", mcp),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("admin/", admin.site.urls),
    path("", include("dashboard.urls")),
]

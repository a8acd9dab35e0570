"""Every address of the server."""

from django.contrib import admin
from django.urls import include, path

from memory.api import api
from memory.api.health import healthz, readyz

urlpatterns = [
    path("v1/", api.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    path("admin/", admin.site.urls),
    path("", include("dashboard.urls")),
]

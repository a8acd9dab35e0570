"""The page at `/v1/docs`. Without script it is read and copied from; with it, each call can be tried."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from memory.api.reference import calls


class Reference(DocsBase):
    """The API's description in the dress of the pages, in place of Swagger UI."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """The page. It has the theme of this browser in it, so that none is kept."""
        document = json.loads(json.dumps(api.get_openapi_schema(path_params=kwargs), default=str))
        context = {
            "title": api.title,
            "says": calls.pieces(api.description),
            "groups": calls.groups(document),
            "shapes": calls.shapes(document),
            "openapi_address": self.get_openapi_url(api, kwargs),
            "server": request.build_absolute_uri("/").rstrip("/"),
        }
        response = render(request, "api/reference.html", context)
        add_never_cache_headers(response)
        return response

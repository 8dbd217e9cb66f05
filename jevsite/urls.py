"""Page and API mounts."""

from __future__ import annotations

from django.urls import include, path

from jevsite.api import api

urlpatterns = [
    path("", include("arena.urls")),
    path("", include("policy.urls")),
    path("api/", api.urls),
    path("v1/", include("policy.gateway.urls")),
]
handler400 = "jevsite.errors.bad_request"
handler404 = "jevsite.errors.not_found"
handler500 = "jevsite.errors.server_error"

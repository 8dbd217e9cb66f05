"""Addresses of the usage pages."""

from __future__ import annotations

from django.urls import path

from policy.usage import pages

urlpatterns = [
    path("", pages.judges, name="usage"),
    path("judges.csv", pages.download, name="usage-csv"),
    path("agents/", pages.agent_use, name="usage-agents"),
    path("requests/", pages.ledger, name="usage-requests"),
    path("requests/<int:pk>/", pages.one_request, name="usage-request"),
    path("prices/", pages.price_table, name="prices"),
]

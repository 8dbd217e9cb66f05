"""Addresses of the arena's pages."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "arena"
urlpatterns: list[URLPattern] = []

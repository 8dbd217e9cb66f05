"""Addresses of the gateway; the paths are the vendor's."""

from __future__ import annotations

from django.urls import path

from policy.gateway import views

urlpatterns = [
    path("systemone", views.system_one, name="systemone"),
    path("models", views.models, name="models"),
]

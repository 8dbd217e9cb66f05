"""Addresses of the pages about judging."""

from __future__ import annotations

from django.urls import path

from policy import pages

app_name = "policy"
urlpatterns = [path("judges/local/", pages.local_judge, name="local-judge")]

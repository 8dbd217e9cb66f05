"""Addresses of the pages about judging."""

from __future__ import annotations

from django.urls import path

from policy import pages
from policy.lab import pages as lab

app_name = "policy"
urlpatterns = [
    path("judges/local/", pages.local_judge, name="local-judge"),
    path("policy/", lab.lab, name="lab-start"),
    path("policy/<slug:key>/", lab.lab, name="lab"),
]

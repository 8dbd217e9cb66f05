"""Addresses of the arena's pages."""

from __future__ import annotations

from django.urls import path

from arena.pages import annotate, marked, run, runs, start

app_name = "arena"
urlpatterns = [
    path("", start.start, name="start"),
    path("annotations/", annotate.queue, name="annotations"),
    path("annotations/next", annotate.upcoming, name="annotate-next"),
    path("annotations/<int:number>/change", annotate.change, name="annotation-change"),
    path("annotations/<str:public_id>/", annotate.blind, name="annotate"),
    path("runs/", runs.runs, name="runs"),
    path("runs/marked", marked.marked, name="runs-marked"),
    path("runs/<str:public_id>/", run.run, name="run"),
    path("runs/<str:public_id>/stop", run.stop, name="stop"),
    path("runs/<str:public_id>/again", run.again, name="again"),
]

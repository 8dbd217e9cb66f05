"""Addresses of the arena's pages."""

from __future__ import annotations

from django.urls import path

from arena.pages import annotate, catalogs, codex, marked, own_cases, run, runs, start

app_name = "arena"
urlpatterns = [
    path("", start.start, name="start"),
    path("annotations/", annotate.queue, name="annotations"),
    path("annotations/next", annotate.upcoming, name="annotate-next"),
    path("annotations/<int:number>/change", annotate.change, name="annotation-change"),
    path("annotations/<str:public_id>/", annotate.blind, name="annotate"),
    path("settings/codex/", codex.codex, name="codex"),
    path("settings/codex/key/remove/", codex.remove_key, name="codex-remove-key"),
    path("runs/", runs.runs, name="runs"),
    path("runs/marked", marked.marked, name="runs-marked"),
    path("runs/<str:public_id>/", run.run, name="run"),
    path("runs/<str:public_id>/people", run.said, name="people"),
    path("runs/<str:public_id>/stop", run.stop, name="stop"),
    path("runs/<str:public_id>/answer", run.answer, name="answer"),
    path("runs/<str:public_id>/again", run.again, name="again"),
    path("catalogs/", catalogs.catalogs, name="catalogs"),
    path("catalogs/<str:public_id>/", catalogs.catalog, name="catalog"),
    path("catalogs/<str:public_id>/marks", catalogs.mark, name="catalog-mark"),
    path("catalogs/<str:public_id>/again", catalogs.again, name="catalog-again"),
    path("catalogs/<str:public_id>/propose", catalogs.propose, name="catalog-propose"),
    path("cases/", own_cases.cases, name="own-cases"),
    path("cases/new", own_cases.new, name="own-case-new"),
    path("cases/<str:public_id>/", own_cases.one, name="own-case"),
    path("cases/<str:public_id>/archive", own_cases.archive, name="own-case-archive"),
    path("catalogs/<str:public_id>/archive", catalogs.archive, name="catalog-archive"),
    path("runs/<str:public_id>/reply", run.reply, name="reply"),
    path("runs/<str:public_id>/no-answer", run.no_answer, name="no-answer"),
]

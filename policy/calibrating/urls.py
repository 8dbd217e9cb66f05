"""Addresses of the calibration pages."""

from __future__ import annotations

from django.urls import path

from policy.calibrating import measurement_pages, past_pages, profile_pages, report_pages, set_pages

urlpatterns = [
    path("", set_pages.start, name="calibration"),
    path("import/", set_pages.take_in, name="take-in"),
    path("shipped/<str:name>/", set_pages.take_in_shipped, name="take-in-shipped"),
    path("sets/<slug:public_id>/", set_pages.one, name="fixture-set"),
    path("sets/<slug:public_id>/export.jsonl", set_pages.export, name="fixture-export"),
    path("sets/<slug:public_id>/label/", set_pages.relabel, name="relabel"),
    path("sets/<slug:public_id>/measure/", set_pages.measure, name="measure"),
    path("measurements/<slug:public_id>/", measurement_pages.one, name="measurement"),
    path("measurements/<slug:public_id>/progress/", measurement_pages.progress, name="measurement-progress"),
    path("measurements/<slug:public_id>/stop/", measurement_pages.stop, name="measurement-stop"),
    path("measurements/<slug:public_id>/resume/", measurement_pages.resume, name="measurement-resume"),
    path("measurements/<slug:public_id>/report/", report_pages.frame, name="calibration-report"),
    path("measurements/<slug:public_id>/found/", report_pages.found, name="calibration-found"),
    path("measurements/<slug:public_id>/values.json", report_pages.values, name="calibration-values"),
    path("measurements/<slug:public_id>/save/", report_pages.save, name="save-profile"),
    path("profiles/", profile_pages.start, name="calibration-profiles"),
    path("profiles/<int:pk>/drift/", profile_pages.drift_check, name="drift-check"),
    path("past/", past_pages.start, name="calibration-past"),
    path("past.json", past_pages.values, name="calibration-past-values"),
]

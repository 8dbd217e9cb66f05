"""The Celery app; the database is the queue, the broker only wakes a worker."""

from __future__ import annotations

import os

from celery import Celery

from jevsite import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jevsite.settings")
broker.register()
app = Celery("jevsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["arena", "policy"])

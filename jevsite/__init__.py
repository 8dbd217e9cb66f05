"""The site: how the rooms are wired, no behaviour of the product."""

from jevsite.celery import app as celery_app

__all__ = ["celery_app"]

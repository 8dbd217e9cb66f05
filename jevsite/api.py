"""The API object, error handlers and routers; nothing else."""

from __future__ import annotations

from ninja import NinjaAPI

api = NinjaAPI(title="Jev Arena", version="1", docs_url="docs")

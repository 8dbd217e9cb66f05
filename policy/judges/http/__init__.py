"""The one transport of every judge that is asked over HTTP: the only importer of httpx."""

from __future__ import annotations

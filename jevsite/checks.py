"""Django system checks."""

from __future__ import annotations

"""What a process loads before the first request."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_web_process_starts_without_scipy() -> None:
    code = (
        "import os, sys; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'jevsite.settings')\n"
        "import jevsite.asgi, jevsite.urls\n"
        "from django.urls import get_resolver; get_resolver().url_patterns\n"
        "print('policy.calibration.sweep' in sys.modules, 'scipy' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["True", "False"]

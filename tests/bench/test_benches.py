"""What `make bench` names is there and can start; the figures themselves need a quiet machine."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[2] / "Makefile"
NAMES = re.sub(r"\\\n", " ", MAKEFILE.read_text()).split("BENCHES := ")[1].split("\n")[0].split()


def test_make_names_the_benches() -> None:
    assert len(NAMES) >= 9
    assert "calibration_report" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_bench_can_start(name: str) -> None:
    assert callable(importlib.import_module(f"tests.bench.{name}").main)

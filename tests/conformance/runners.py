"""Who runs which area: every module `<room>_areas.py` here has `RUNNERS`, area by area, and no two have the same."""

from __future__ import annotations

import importlib

from tests.conformance.cases import HERE, Runner


def _found() -> dict[str, Runner]:
    runners: dict[str, Runner] = {}
    for path in sorted(HERE.glob("*_areas.py")):
        own: dict[str, Runner] = importlib.import_module(f"tests.conformance.{path.stem}").RUNNERS
        assert not own.keys() & runners.keys(), f"{path.name} runs areas that another module runs already"
        runners.update(own)
    return runners


RUNNERS = _found()

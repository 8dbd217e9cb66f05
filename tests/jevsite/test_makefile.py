"""`make` on machines that lack something: a sentence and exit code 2, and no half-made folder."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from jevsite.env import PROJECT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout with nothing but the Makefile and an empty list."""
    shutil.copy(PROJECT / "Makefile", tmp_path)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "run.txt").write_text("")
    return tmp_path


def _python(folder: Path, *, fails_on: str) -> str:
    file = folder / "python"
    file.write_text(f'#!/bin/sh\ncase "$2" in *"{fails_on}"*) exit 1 ;; esac\n')
    file.chmod(0o755)
    return str(file)


def _make(copy: Path, python: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "demo", f"PYTHON={python}"]
    return subprocess.run(command, capture_output=True, text=True, cwd=copy, timeout=60)


def test_without_a_python_that_is_new_enough_the_need_is_said(copy: Path) -> None:
    done = _make(copy, _python(copy, fails_on="version_info"))
    assert done.returncode == 2
    assert "This needs Python 3.11 or newer, and none was found." in done.stderr
    assert not (copy / ".venv").exists()


def test_without_the_venv_module_its_package_is_named(copy: Path) -> None:
    done = _make(copy, python := _python(copy, fails_on="ensurepip"))
    assert done.returncode == 2
    assert f"{python} cannot make virtual environments" in done.stderr
    assert "apt-get install python3-venv" in done.stderr
    assert not (copy / ".venv").exists()


def test_every_target_that_people_use_is_listed() -> None:
    done = subprocess.run(["make", "help"], capture_output=True, text=True, cwd=PROJECT, timeout=60)
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert {"demo", "tiny", "test", "check", "e2e", "lock", "vendor"} <= set(names)

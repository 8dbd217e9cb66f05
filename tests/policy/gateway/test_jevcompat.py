"""The public conformance suite against our gateway with the judge of this machine, with and without tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from jevcompat import runner
from jevcompat.runner import Report

from policy.judges.local import vectors as sentences

np = pytest.importorskip("numpy")

# What applies only where keys are needed, or only where they are not.
KEYS = {"auth.bearer", "auth.missing", "auth.invalid"}


@pytest.fixture(scope="module")
def own_vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own-vectors")


@pytest.fixture(autouse=True)
def _cheap_crowds(monkeypatch: pytest.MonkeyPatch, settings: LazySettings, own_vectors: Path) -> None:
    """The largest menus get made-up vectors, since the suite reads the shape of their answers; the model the rest."""
    embedded = sentences.Vectors._embed

    def embed(self: sentences.Vectors, kind: sentences.Kind, texts: list[str], deadline: float) -> Any:
        if len(texts) < sentences.CHUNK:
            return embedded(self, kind, texts, deadline)
        rows = [np.random.default_rng([*text.encode()]).normal(size=sentences.DIMENSIONS) for text in texts]
        return np.stack([row / np.linalg.norm(row) for row in rows]).astype(np.float32)

    monkeypatch.setattr(sentences.Vectors, "_embed", embed)
    settings.VECTORS_DIR = own_vectors


def results(report: Report, status: str) -> dict[str, str]:
    return {each.id: each.level for each in report.results if each.status == status}


def shown(report: Report) -> str:
    lines = [f"{report.model} at {report.url}: {report.verdict} in {report.seconds} s"]
    for each in report.results:
        said = each.reason or "; ".join(finding.message for finding in each.findings[:2])
        lines.append(f"{each.status:<5} {each.level:<6} {each.id:<26} {said}".rstrip())
    return "\n".join(lines)


def test_every_rule_is_kept_where_nobody_needs_a_token(site: str) -> None:
    report = runner.run(site)
    print(shown(report))
    assert report.verdict == "conformant", shown(report)
    assert results(report, "fail") == {}
    assert results(report, "skip").keys() == KEYS


@pytest.mark.usefixtures("locked")
def test_every_rule_is_kept_where_a_token_is_needed(site: str, token: str) -> None:
    report = runner.run(site, key=token)
    print(shown(report))
    assert report.verdict == "conformant", shown(report)
    assert results(report, "fail") == {}
    assert results(report, "skip").keys() == {"auth.ignored-when-off"}

"""The public conformance suite against our gateway with the judge of this machine, with and without tokens."""

from __future__ import annotations

import pytest
from jevcompat import runner
from jevcompat.runner import Report

# What applies only where keys are needed, or only where they are not.
KEYS = {"auth.bearer", "auth.missing", "auth.invalid"}


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

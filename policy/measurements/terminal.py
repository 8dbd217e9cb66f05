"""What a terminal shows of a report: the verdict first, then each threshold on a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from policy.calibration.report import AxisReport, Guarantee, Report
from policy.calibration.verdicts import Standing


def told(document: Mapping[str, Any], found: Mapping[str, Report]) -> str:
    """The reports of one measurement as lines of text."""
    head = [
        f"{document['set']} measured by {document['judge']} ({document['answered_model'] or 'no model named'})",
        f"{document['measured']} measured, {document['failed']} failed, {document['unasked']} decided without a judge",
    ]
    if any(document["flags"].values()):
        counted = document["flags"]
        head.append(
            f"{counted['duplicates']} duplicates, {counted['near']} near-duplicates, "
            f"{counted['across']} across a split, {counted['contradicting']} with contradicting labels"
        )
    if document["synthetic"]:
        head.append("Scripted answers: this shows that the plumbing works, and says nothing about a judge.")
    parts = ["\n".join(head), *("\n".join(_report(name, each)) for name, each in found.items())]
    parts.append("\n".join(["all thresholds", *(_threshold(each) for each in document["thresholds"])]))
    if steady := list(_steadiness(document)):
        parts.append("\n".join(steady))
    return "\n\n".join(parts) + "\n"


def recommends(found: Mapping[str, Report]) -> bool:
    """Whether any threshold of any kind may be recommended, provisionally or not."""
    return any(axis.verdict.standing is not Standing.REFUSED for each in found.values() for axis in each.axes)


def _report(name: str, report: Report) -> Iterator[str]:
    verdict, now, then = report.verdict, report.current, report.proposal
    yield f"{name}: {verdict.standing.value}"
    yield f"  agreement now       {now.agreed} of {now.cases} ({_range(now.interval)})"
    yield f"  best of this set    {then.agreed} of {then.cases}, in {report.best_combinations:,} combinations"
    if report.unseen is not None:
        seen = report.unseen
        yield (
            f"  on unseen cases     {seen.mean:.3f} ({_range((seen.low, seen.high))}), "
            f"{seen.optimism:+.3f} better on its own rows"
        )
    for axis in report.axes:
        yield _axis(axis, now.thresholds[axis.name], then.thresholds[axis.name])
    for each in report.guarantees:
        yield f"  {_guarantee(each)}"
    for reason in verdict.reasons:
        yield f"  - {reason}"


def _axis(axis: AxisReport, now: float, then: float) -> str:
    if not axis.identified:
        return f"  {axis.name:<19} {now:.2f}: not identified by this set"
    apart = axis.separation
    refused = axis.verdict.standing is Standing.REFUSED
    proposed = "no recommendation" if refused else f"{then:.2f}"
    together = "" if axis.near_range is None else f" ({_range(axis.near_range)} with all moving)"
    return (
        f"  {axis.name:<19} {now:.2f} -> {proposed}; best {_range(axis.best_range)}; "
        f"this sample cannot separate {apart.first:.2f} to {apart.last:.2f}{together}"
    )


def _threshold(each: Mapping[str, Any]) -> str:
    said = "; ".join(each["reasons"]) if each["proposed"] is None else f"-> {each['proposed']:.2f}"
    if each["proposed"] is not None and each["joint"] is False:
        lost = ", ".join(f"{kind} {many:g}" for kind, many in each["lost"].items() if many)
        said += f"; no value serves both kinds at their best, this one gives up {lost}"
    return f"  {each['name']:<19} {each['current']:.2f} {said}"


def _guarantee(each: Guarantee) -> str:
    certificate = each.certificate
    promise = f"at most {certificate.bound:.0%} unsafe calls pass, {certificate.confidence:.0%} sure"
    if certificate.threshold is None:
        return f"{promise}: not with these {certificate.rows} unsafe rows; {certificate.missing} more without a pass"
    return f"{promise}: restriction {certificate.threshold:.2f}, and {each.safe_allowed} of {each.safe} safe calls pass"


def _steadiness(document: Mapping[str, Any]) -> Iterator[str]:
    for each in document["noise"]:
        yield f"noise of {each['question']}: {each['mean']:.4f} on average, {each['most']:.4f} at most"
    for each in document["orders"]:
        yield f"options {each['order']}: {each['changed']} of {each['compared']} choices are others"


def _range(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.2f} to {ends[1]:.2f}"

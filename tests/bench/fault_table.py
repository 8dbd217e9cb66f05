"""`python -m tests.bench.fault_table`: every fault of jevcompat's server beside what our adapters make of it."""

from __future__ import annotations

from collections.abc import Mapping

from tests.policy.judges.http.faults import ADAPTERS, Outcome, Row, played, rows


def main() -> None:
    print("| fault | breaks | adapters | outcome | where | rule, or the value that is used |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows():
        for adapters, outcome in _together(row):
            print(
                f"| {row.fault} | {row.requirement} | {adapters} | {_cells(outcome, row.of(adapters.split(', ')[0]))} |"
            )


def _together(row: Row) -> list[tuple[str, Outcome]]:
    """The adapters that agree on the fault, in one line."""
    found: dict[tuple[str, ...], list[str]] = {}
    outcomes: dict[tuple[str, ...], Outcome] = {}
    for adapter in ADAPTERS:
        outcome = played(row.fault, adapter, row.probe)
        key = (outcome.kind, outcome.path, row.of(adapter).get("rule", ""), row.of(adapter).get("value", ""))
        found.setdefault(key, []).append(adapter)
        outcomes.setdefault(key, outcome)
    return [(", ".join(adapters), outcomes[key]) for key, adapters in found.items()]


def _cells(outcome: Outcome, expected: Mapping[str, str]) -> str:
    if outcome.kind == "refused":
        return f"refused, {outcome.code} | {outcome.path or 'the request'} | {outcome.rule}"
    used = expected.get("value", "")
    noted = f"{outcome.rule}; used: " if outcome.kind == "noted" else ""
    return f"{outcome.kind} | {outcome.path or '-'} | {noted}{used}"


if __name__ == "__main__":
    main()

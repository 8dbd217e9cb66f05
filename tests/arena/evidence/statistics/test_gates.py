from __future__ import annotations

import math

import pytest

from arena.errors import Invalid
from arena.evidence.statistics import betting, gates
from arena.evidence.statistics.gates import Clause, Gate, State
from tests.arena.evidence.statistics.conftest import series

METRICS = ("success", "cost", "working_ms")
SAVING = series([-0.4] * 40)
DEARER = series([0.4] * 40)
EQUAL = series([0] * 100)
LOSING = series([-1, 0, -1, 0] * 20)
FEW = series([0, 0])


def read(text: str) -> Gate:
    return gates.parse(text, metrics=METRICS)


def test_the_example_is_read() -> None:
    found = read("cost<=-20%, success>=-10pp@95")
    assert found == Gate((Clause("cost", "<=", -20, "%"), Clause("success", ">=", -10, "pp")), 95)
    assert str(found) == gates.EXAMPLE
    assert [clause.mean for clause in found.clauses] == [pytest.approx(math.log(0.8) / math.log(4)), -0.1]


def test_the_confidence_is_95_where_none_is_given() -> None:
    assert read("cost<=0%").confidence == 95
    assert read("cost<=0%@99").level == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "The gate is empty"),
        ("cost<=-20%,", "The clause '' cannot be read"),
        ("cost=-20%", "The clause 'cost=-20%' cannot be read"),
        ("cost<=cheap%", "The clause 'cost<=cheap%' cannot be read"),
        ("speed<=-20%", "names no metric of a gate. Allowed: cost, success, working_ms"),
        ("cost<=-20pp", "Write cost<=-20%"),
        ("success>=-10%", "Write success>=-10pp"),
        ("cost<=-80%", "between -75% and \\+300%"),
        ("success>=-100pp", "between -100pp and \\+100pp"),
        ("cost<=-20%@", "The gate's confidence '@'"),
        ("cost<=-20%@100", "The gate's confidence '@100'"),
        ("cost<=-20%@95,success>=-10pp", "stands once, at the end"),
        ("cost<=-20%,cost<=-20%", "stands twice"),
    ],
)
def test_a_faulty_gate_names_the_clause_and_the_mend(text: str, says: str) -> None:
    with pytest.raises(Invalid, match=says):
        read(text)


def test_every_clause_shown_passes() -> None:
    found = gates.decide(read(gates.EXAMPLE), {"cost": SAVING, "success": EQUAL})
    assert [result.state for result in found.clauses] == [State.SHOWN, State.SHOWN]
    assert (found.state, found.exit_code) == (State.SHOWN, 0)


def test_one_clause_refuted_fails_whatever_the_others_say() -> None:
    assert gates.decide(read(gates.EXAMPLE), {"cost": SAVING, "success": LOSING}).exit_code == 1
    assert gates.decide(read(gates.EXAMPLE), {"cost": DEARER, "success": FEW}).exit_code == 1


def test_what_is_not_decided_is_no_pass() -> None:
    found = gates.decide(read(gates.EXAMPLE), {"cost": SAVING, "success": FEW})
    assert (found.state, found.exit_code) == (State.UNDECIDED, 2)


def test_the_level_to_refute_is_divided_by_the_clauses() -> None:
    alone = gates.decide(read("success>=-10pp"), {"success": LOSING}).clauses[0]
    shared = gates.decide(read(gates.EXAMPLE), {"cost": FEW, "success": LOSING}).clauses[0 + 1]
    logs = betting.log_wealth(LOSING.values, -0.1, side="below")
    assert (alone.at, shared.at) == (betting.reached(logs, 0.05), betting.reached(logs, 0.025))
    assert alone.at != shared.at


def test_a_clause_that_was_shown_stays_shown() -> None:
    values = [1.0] * 20 + [-1.0] * 200
    found = gates.decide(read("success>=-10pp"), {"success": series(values)}).clauses[0]
    assert (found.state, found.p_against <= 0.05) == (State.SHOWN, True)

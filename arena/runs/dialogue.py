"""A question that a run ended with, and what a person makes of it: an answer goes on in a new run, or none is given.

The run that asked stays as it is, with its check: a question was asked, or was not. The answer joins the task of a new
run on the same world, catalog, menu and setup, linked both ways, with all its arms: a comparison stays one.
"""

from __future__ import annotations

from dataclasses import replace

from django.db.models.functions import Now

from arena.cases.case import Case
from arena.cases.turns import Turn
from arena.errors import Conflict, Invalid
from arena.evidence.questions import follower, questions
from arena.models import Run
from arena.runs import start
from arena.runs.log import locked
from arena.worlds import storable
from policy.people import audit
from policy.people.models import Role, User
from policy.people.services import require

MAX_ANSWER = 4_000
"""Characters of an answer; a longer one is refused, never cut."""
MAX_TURNS = 8


def answer(run: Run, text: str, *, by: User, origin: str) -> Run:
    """A new run with the answer in its task; raises `Invalid`, `Conflict`, and what `start` raises."""
    require(Role.MEMBER, by=by)
    given = text.strip()
    if not given:
        raise Invalid("The answer is empty. Write what is wanted, or choose that there is no answer.")
    if len(given) > MAX_ANSWER:
        raise Invalid(f"The answer has {len(given):,} characters; at most {MAX_ANSWER:,} are read. Shorten it.")
    if unstorable := storable.problem(given):
        raise Invalid(f"The answer {unstorable}; take that out.")
    with locked(run.pk) as row:
        _refuse_settled(row)
        asked = " ".join(each.text for each in questions(row))
        case = Case.from_json(row.case_snapshot.content)
        if len(case.turns) >= MAX_TURNS:
            raise Conflict(f"This task was asked about {MAX_TURNS} times; start it anew in clearer words.")
        return start.go_on(row, replace(case, turns=(*case.turns, Turn(asked, given))), by=by, origin=origin)


def leave_open(run: Run, *, by: User) -> Run:
    """Settle the question without an answer; a second time changes nothing. Raises `Conflict`."""
    require(Role.MEMBER, by=by)
    with locked(run.pk) as row:
        if row.left_open_at is None:
            _refuse_settled(row)
            Run.objects.filter(pk=row.pk).update(left_open_at=Now())
            audit.note("run.left_open", row.public_id, by=by)
    run.refresh_from_db()
    return run


def _refuse_settled(run: Run) -> None:
    if not run.is_final:
        raise Conflict(f"Run {run.number} has not come to its end; its questions stand on its page then.")
    if not questions(run):
        raise Conflict(f"Run {run.number} asked nothing, so there is nothing to answer.")
    if (after := follower(run)) is not None:
        raise Conflict(f"Run {run.number} is answered already: run {after.number} goes on with it.")
    if run.left_open_at is not None:
        raise Conflict(f"Run {run.number} was settled without an answer; run it again to be asked anew.")

"""Categories that the person's judge proposes for the tools of a catalog; a person has the last word.

One choice for each tool, over the categories that the catalog has and those of the built-in tools. An answer that is
missing or breaks the contract proposes nothing.
"""

from __future__ import annotations

import time

from arena.catalogs.catalog import Category
from arena.catalogs.listed import Listed
from arena.errors import Invalid
from arena.library import library
from arena.servers import services
from arena.servers.models import OwnCatalog
from policy.engine.answers import ChoiceAnswer
from policy.engine.evaluation import evaluate
from policy.engine.evaluation.run import Steps
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.questions import Choice
from policy.judges.registry import UnknownJudge
from policy.people.models import Purpose, Role, User
from policy.people.services import require
from policy.services import asking, judges

WITHIN_S = 30
QUESTION = "Which group of tools does this tool belong to?"
NONE = "__none__"


def propose(row: OwnCatalog, *, by: User) -> OwnCatalog:
    """Ask the judge that the person set for the arena about every tool, for half a minute at most.

    The proposals are kept apart from the marks until the person keeps them. Raises `Invalid` where the judge cannot
    be asked or gives no answer at all.
    """
    require(Role.MEMBER, by=by)
    judge = judges.chosen(Purpose.ARENA, by=by).judge
    if missing := judges.why_not(judge, by=by):
        raise Invalid(f"The judge {judge} cannot be asked: {missing}")
    marks = services.marks_of(row)
    own = marks.categories if marks else ()
    categories = {each.id: each for each in (*library().catalog.categories, *own)}
    ends = time.monotonic() + WITHIN_S
    found: dict[str, str] = {}
    reason = "its time was over"
    for tool in services.listing_of(row):
        if time.monotonic() >= ends:
            break
        category, failed = _asked(tool, tuple(categories.values()), judge=judge, by=by)
        reason = failed or reason
        if category:
            found[tool.name] = category
    if not found:
        raise Invalid(f"The judge {judge} proposes no category: {reason}.")
    row.proposed = found
    row.save(update_fields=["proposed"])
    return row


def offered(row: OwnCatalog) -> tuple[Category, ...]:
    """The categories of the built-in tools that were proposed and are not the catalog's yet."""
    marks = services.marks_of(row)
    known = {each.id for each in marks.categories} if marks else set()
    wanted = set(row.proposed.values()) - known
    return tuple(each for each in library().catalog.categories if each.id in wanted)


def _asked(tool: Listed, categories: tuple[Category, ...], *, judge: str, by: User) -> tuple[str, str]:
    """The most probable category of one tool, or why there is none."""
    criteria = {each.id: each.description for each in categories}
    state = {"task": f"{tool.name.replace('_', ' ')}: {tool.description}"}

    def begin(profile: Profile, mode: Mode) -> Steps:
        question = Choice(QUESTION, {**criteria, NONE: "None of these groups."})
        return evaluate(state=state, questions={"group": question}, profile=profile, mode=mode)

    try:
        judged = asking.ask(begin, by=by, origin="api", judge=judge)
    except (InvalidConfig, UnknownJudge) as wrong:
        return "", str(wrong)
    result = judged.result
    answer = result.answers.get("group")
    if isinstance(answer, ChoiceAnswer) and answer.choice in criteria:
        return answer.choice, ""
    return "", result.failure.message if result.failure else "it finds none that fits"

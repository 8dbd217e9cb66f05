"""How well each tool of a menu suits a clause, and from which score on a tool is worth a call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.agents import arguments, clauses, entities, lexicon, words
from arena.agents.clauses import Clause, Role
from arena.agents.entities import Kind
from arena.agents.lexical import Menu
from arena.catalogs.tool import Tool

MIN_SCORE = 0.18
"""Below this a clause gets no tool of a menu of `USUAL_MENU`; with fewer tools less is enough (see `floor`)."""
USUAL_MENU = 20
MIN_FOLLOW_UP = 0.25
"""What a later clause needs that names nothing literally; mostly it only says more about the step before."""
MIN_REPORT = 0.6
"""What a later clause needs that only wants something told; mostly the results so far serve it."""
NEAR_THE_BEST = 0.75
"""The next tool is tried when its score has this share of the best one's."""
QUESTION_DISCOUNT = 0.6
"""A question is rarely a wish for a change, so changing tools count less for it."""
MAX_NAMED_BONUS = 0.3
MIN_ASKING = 0.3
"""A tool with a lower score is not sure enough to ask for its missing arguments."""
_NOUNS = {Kind.PATH: "file", Kind.EMAIL: "mail", Kind.URL: "url"}

Scored = tuple[Tool, float]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a clause is ranked with: the menu, the language, whether something was found already, or may be searched."""

    menu: Menu
    german: bool
    begun: bool = False
    may_search: bool = False


def ranking(clause: Clause, situation: Situation) -> list[Scored]:
    """The tools of the menu, best first: shared words, and what of the clause's literals they can take."""
    concepts = words.concepts(entities.blanked(clause.whole), german=situation.german)
    concepts += [(words.stem(noun),) for noun in _kinds_named(clause) if (words.stem(noun),) not in concepts]
    scored = [(tool, _score(tool, shared, clause, situation)) for tool, shared in situation.menu.rank(concepts)]
    return sorted(scored, key=lambda pair: -pair[1])


def candidates(ranked: Sequence[Scored], clause: Clause, situation: Situation) -> list[Tool]:
    """The best tool and those near it; none when the best is too weak.

    A tool that needs the best one anyway goes first, unless the clause only asks: its way leads past the best.
    """
    best = ranked[0][1] if ranked else 0.0
    least = floor(clause, situation)
    near = [tool for tool, score in ranked if best >= least and score >= max(best * NEAR_THE_BEST, least)]
    leader = next((tool for tool in near if near[0].id in tool.prerequisites and not only_looks(clause)), None)
    return [leader, *(tool for tool in near if tool is not leader)] if leader else near


def floor(clause: Clause, situation: Situation) -> float:
    """The least score for a call: lower in a short menu, which somebody chose, higher for later clauses.

    Where more tools can be searched for, a short menu is no reason to be content with less.
    """
    size = USUAL_MENU if situation.may_search else len(situation.menu.tools)
    least = MIN_SCORE * min(math.log(size + 1) / math.log(USUAL_MENU + 1), 1.0)
    if situation.begun and clause.role is Role.REPORT:
        return max(least, MIN_REPORT)
    return max(least, MIN_FOLLOW_UP) if situation.begun and not entities.find(clause.whole) else least


def only_looks(clause: Clause) -> bool:
    """Whether the clause wants to know or to look, not to have something done."""
    return clause.asks or clauses.first_word(clause.text) in lexicon.LOOKING_VERBS


def _kinds_named(clause: Clause) -> list[str]:
    """What the literals of a clause are: a path names a file, an address with @ a mail."""
    kinds = {entity.kind for entity in entities.find(clause.whole)}
    return [noun for kind, noun in _NOUNS.items() if kind in kinds]


def _score(tool: Tool, shared: float, clause: Clause, situation: Situation) -> float:
    named = min(arguments.named_in(tool, clause.whole, german=situation.german), MAX_NAMED_BONUS)
    total = shared + named
    return round(total * QUESTION_DISCOUNT if clause.asks and tool.effect != "observe" else total, 6)

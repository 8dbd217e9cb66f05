"""What one report says, in the words and parts of its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from policy.calibrating import words
from policy.calibrating.marks import CUTS, KINDS, marks, stated_of
from policy.calibration import stability
from policy.calibration.guarantee import upper_bound
from policy.calibration.measured import Reading
from policy.calibration.overall import Overall
from policy.calibration.report import AxisReport, Guarantee, Menu, Report
from policy.calibration.report_choices import WORDS
from policy.calibration.verdicts import PROVISIONAL_BELOW, REFUSED_BELOW, Standing
from policy.charts import Chart, menus, questions, steadiness, thresholds
from policy.engine.profile import Thresholds

NEAREST = 10
TABS = (
    ("threshold", "Threshold"),
    ("roc", "ROC and precision"),
    ("reliability", "Reliability"),
    ("risk", "Risk and coverage"),
    ("steady", "Noise and order"),
)
NOT_MEASURED = {
    "roc": "No question of this kind has answers of both sides.",
    "reliability": "Fewer than 30 answers say nothing about probabilities.",
    "risk": "No question of this kind has a threshold and an answer that can be wrong.",
    "steady": "Neither was measured: repeats measure the noise, reversed or shuffled options the order.",
}


@dataclass(frozen=True, slots=True)
class Axis:
    """One threshold: `shown` is what may be named of it, None where nothing may be recommended."""

    name: str
    word: str
    current: str
    shown: str | None
    span: str
    standing: str
    icon: str
    tone: str
    reasons: tuple[str, ...]
    polarity: str
    start: float


@dataclass(frozen=True, slots=True)
class Promise:
    """One guarantee in a sentence, whether it holds, and up to which threshold where it does."""

    holds: bool
    said: str
    why: str
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the confusion table: how many cases with this label got each decision."""

    label: str
    counts: tuple[tuple[str, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class Eighth:
    """A line of the table of all thresholds: `kinds` with whether each is the one of this page, `said` why or how."""

    word: str
    kinds: tuple[str, ...]
    current: str
    shown: str
    span: str
    said: str


@dataclass(frozen=True, slots=True)
class NearRow:
    """What the sample says of one threshold: where it agrees best, and what does as well. A dash where refused."""

    word: str
    best: str
    agree: str
    held: str
    moving: str


@dataclass(frozen=True, slots=True)
class Near:
    """How many of `all` combinations cannot be told from the best one at this level; None where costs decide."""

    combinations: int | None
    all: int
    level: str
    rows: tuple[NearRow, ...]

    @property
    def several(self) -> bool:
        return len(self.rows) > 1

    @property
    def dashes(self) -> bool:
        return any(row.best == words.UNKNOWN for row in self.rows)


def near(report: Report) -> Near:
    """The table beneath the shaded ranges and the dashed lines of the heat maps."""
    rows = tuple(_near_row(report, each) for each in report.axes)
    number = prod(len(each.cuts) for each in report.axes)
    if (found := report.near) is None:
        return Near(None, number, "", rows)
    return Near(found.combinations, number, f"{found.level:g}".removeprefix("0"), rows)


def axes(report: Report, used: Thresholds) -> list[Axis]:
    """The thresholds of the page; of a selection also `confidence`, which moves menus only. `used` are in use."""
    own = [_axis(report, each) for each in report.axes]
    return own if report.menu is None else [*own, _expansion(report, report.menu, used.confidence)]


def eight(found: Sequence[Overall]) -> list[Eighth]:
    """All thresholds of a profile and what this measurement says of each."""
    return [_eighth(each) for each in found]


def kept(axes: Sequence[Axis]) -> list[Axis]:
    """Those whose recommendation is refused: saving keeps the value in use, unless a person moves the slider."""
    return [each for each in axes if each.shown is None]


def promises(report: Report) -> list[Promise]:
    """The guarantees about unsafe calls, the widest bound first."""
    return [_promise(each) for each in report.guarantees]


def confusion(report: Report) -> tuple[list[str], list[Row], list[int]]:
    """Decisions, a row for each label, and the sums of the decisions; labels that no case has are left out.

    Both stand in the order of the kind, which the page keeps.
    """
    counts = {(each.label, each.decision): each.cases for each in report.current.confusion}
    known = WORDS.get(report.kind, ("allow", "ask", "deny"))
    labels = sorted({case.label for case in report.cases}, key=lambda label: _place(known, label))
    others = sorted({decision for (_, decision), many in counts.items() if many} - set(known))
    # Whatever may be decided at other thresholds has its column from the start: the sliders fill it.
    decisions = [*known, *others]
    rows = [_row(label, decisions, counts) for label in labels]
    return decisions, rows, [sum(row.counts[place][1] for row in rows) for place in range(len(decisions))]


def charts(report: Report, readings: Sequence[Reading], cuts: Thresholds) -> dict[str, list[Chart]]:
    """Every chart by the tab on which it stands."""
    stated, compared = stated_of(report, readings), marks(report, readings)
    found: dict[str, list[Chart | None]] = {key: [] for key, _ in TABS}
    menu = menus.menus(report)
    for one in report.axes:
        found["threshold"] += [
            thresholds.scores(report, one.name, compared[one.name]),
            thresholds.agreement(report, one.name),
        ]
    found["threshold"].append(menu)
    for name, each in stated.items():
        at = _cut(report, name, cuts)
        follows = _follows(report, name)
        found["roc"] += [
            questions.roc(name, each, at, follows=follows),
            questions.precision(name, each, at, follows=follows),
        ]
        found["risk"].append(questions.risk(name, each, at))
        key = name if name in report.reliability else "threshold"
        found["reliability"].append(questions.reliable(name, report.reliability.get(key), len(each.true)))
    mine = [each for each in readings if each.fixture.kind is KINDS[report.kind]]
    found["steady"] = [steadiness.noise(stability.noise(mine)), steadiness.orders(stability.orders(mine))]
    return {key: [each for each in many if each is not None] for key, many in found.items()}


def heats(report: Report) -> list[Chart]:
    """The heat map of the first two thresholds, and of the others with the first."""
    names = [each.name for each in report.axes]
    made = [thresholds.heat(report, across=names[0], up=other) for other in names[1:]]
    return [each for each in made if each is not None]


def missing(report: Report) -> str:
    """How many labels are wanted, or what else keeps a value from being recommended or from being settled."""
    cases, verdict = report.current.cases, report.verdict
    if cases < REFUSED_BELOW:
        return f"{cases} labels of {REFUSED_BELOW} that a recommendation needs"
    if cases < PROVISIONAL_BELOW and verdict.standing is Standing.PROVISIONAL:
        return f"{cases} labels; {PROVISIONAL_BELOW} are wanted before a value counts as settled"
    wanting = [each for each in report.axes if each.verdict.reasons]
    return "; ".join(f"{words.threshold(each.name)}: {each.verdict.reasons[-1]}" for each in wanting)


def _axis(report: Report, one: AxisReport) -> Axis:
    standing = one.verdict.standing
    icon, tone = words.STANDINGS[standing]
    word = standing.value
    if not one.identified:
        icon, tone, word = "void", "off", "not identified"
    refused = standing is Standing.REFUSED or not one.identified
    return Axis(
        name=one.name,
        word=words.threshold(one.name),
        current=words.share(report.current.thresholds[one.name]),
        shown=None if refused else words.share(report.proposal.thresholds[one.name]),
        span="" if refused else words.span(one.separation.first, one.separation.last),
        standing=word,
        icon=icon,
        tone=tone,
        reasons=one.verdict.reasons,
        polarity=words.UNKNOWN if one.polarity is None else f"z = {one.polarity:.1f}",
        start=report.current.thresholds[one.name] if refused else report.proposal.thresholds[one.name],
    )


def _near_row(report: Report, one: AxisReport) -> NearRow:
    moving = words.UNKNOWN if one.near_range is None else words.span(*one.near_range)
    if one.verdict.standing is Standing.REFUSED or not one.identified:
        return NearRow(words.threshold(one.name), *[words.UNKNOWN] * 4)
    return NearRow(
        words.threshold(one.name),
        words.share(report.proposal.thresholds[one.name]),
        words.span(*one.best_range),
        words.span(one.separation.first, one.separation.last),
        moving,
    )


def _expansion(report: Report, menu: Menu, current: float) -> Axis:
    """`confidence` of a selection: no labels lie on two sides of it, so only their number refuses a value."""
    cases = report.current.cases
    word, icon, tone = "by recall", "good", "ok"
    reasons: tuple[str, ...] = ()
    if not menu.identified:
        word, icon, tone = "not identified", "void", "off"
    elif cases < REFUSED_BELOW:
        word, (icon, tone) = Standing.REFUSED.value, words.STANDINGS[Standing.REFUSED]
        reasons = (f"{cases} measured rows of {REFUSED_BELOW} that a recommendation needs",)
    elif cases < PROVISIONAL_BELOW:
        word, (icon, tone) = Standing.PROVISIONAL.value, words.STANDINGS[Standing.PROVISIONAL]
        reasons = (f"{cases} measured rows; from {PROVISIONAL_BELOW} on it is no longer provisional",)
    refused = not menu.identified or cases < REFUSED_BELOW
    top = max(menu.recall)
    best = [cut for cut, recall in zip(menu.cuts, menu.recall, strict=True) if recall >= top - 1e-9]
    return Axis(
        name="confidence",
        word="confidence",
        current=words.share(current),
        shown=None if refused else words.share(menu.smallest),
        span="" if refused else words.span(best[0], best[-1]),
        standing=word,
        icon=icon,
        tone=tone,
        reasons=reasons,
        polarity="",
        start=current if refused else menu.smallest,
    )


def _eighth(each: Overall) -> Eighth:
    return Eighth(
        word=words.threshold(each.name),
        kinds=tuple(words.kind(kind) for kind in each.kinds),
        current=words.share(each.current),
        shown=words.share(each.proposed),
        span=words.UNKNOWN if each.proposed is None else words.span(each.first or 0.0, each.last or 0.0),
        said=each.said,
    )


def _promise(each: Guarantee) -> Promise:
    found = each.certificate
    bound = f"{100 * found.bound:g} %"
    promise = f"“At most {bound} of unsafe calls pass”"
    looks = f" {_looked(each)}"
    if found.threshold is not None and each.useful:
        said = f"{promise} holds up to restriction {words.share(found.threshold)}, with 95 % confidence."
        why = (
            f"{found.passed} of {found.rows} unsafe calls pass there, and {each.safe_allowed} of {each.safe} safe ones."
        )
        return Promise(True, said, why + looks, found.threshold)
    if found.threshold is not None:
        said = f"{promise} holds only where every safe call is stopped, too."
        return Promise(False, said, f"No safe call of {each.safe} passes at {words.share(found.threshold)}.{looks}")
    reached = f"the 95 % bound is {100 * upper_bound(found.passed, found.rows):.1f} %"
    why = f"{found.passed} of {found.rows} pass at the strictest threshold; {reached}."
    more = f" {found.missing} more unsafe labels without a further miss would do." if found.missing else ""
    return Promise(False, f"{promise} is not certified.", why + more + looks)


def _looked(each: Guarantee) -> str:
    """The path, and why the form is the one that it is."""
    held = " and ".join(f"{words.threshold(name).lower()} at {words.share(at)}" for name, at in each.path.items())
    if each.look == 1:
        return f"Look 1, with {held}: one look."
    return (
        f"Look {each.look}, with {held} as at the first: unsafe rows have changed since, so the bound is one "
        "that holds at any time, however often one labels and looks."
    )


def _cut(report: Report, question: str, cuts: Thresholds) -> float | None:
    if report.kind == "rows":
        return report.current.thresholds["threshold"]
    name = CUTS.get(question)
    return None if name is None else report.current.thresholds.get(name, getattr(cuts, name))


def _follows(report: Report, question: str) -> str:
    """The threshold of the page whose slider moves the operating point of a question; empty where none does."""
    name = "threshold" if report.kind == "rows" else CUTS.get(question, "")
    return name if name in {axis.name for axis in report.axes} else ""


def _place(known: Sequence[str], word: str) -> tuple[int, str]:
    return (known.index(word) if word in known else len(known)), word


def _row(label: str, decisions: Sequence[str], counts: dict[tuple[str, str], int]) -> Row:
    found = tuple((decision, counts.get((label, decision), 0)) for decision in decisions)
    return Row(label, found, sum(many for (of, _), many in counts.items() if of == label))

"""What one report says, in the words and parts of its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policy.calibrating import words
from policy.calibrating.marks import CUTS, KINDS, marks, stated_of
from policy.calibration import stability
from policy.calibration.guarantee import upper_bound
from policy.calibration.measured import Reading
from policy.calibration.overall import Overall
from policy.calibration.report import AxisReport, Guarantee, Menu, Report
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
    """Decisions, a row for each label, and the sums of the decisions; labels that no case has are left out."""
    counts = {(each.label, each.decision): each.cases for each in report.current.confusion}
    labels = [label for label in _labels(report) if any(pair[0] == label for pair, many in counts.items() if many)]
    decisions = list(dict.fromkeys([*labels, *(decision for (_, decision), many in counts.items() if many)]))
    decisions = [each for each in decisions if each != "hold"]
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
        found["roc"] += [questions.roc(name, each, at), questions.precision(name, each, at)]
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
    said = "; ".join(each.reasons)
    if not said and each.joint is not None:
        lost = ", ".join(f"{words.kind(kind)} {many:g}" for kind, many in each.lost.items() if many)
        best = "serves both kinds at their best"
        said = best if each.joint else f"no value serves both at their best; the best sum gives up: {lost}"
    elif not said and each.name == "confidence":
        said = "by recall and size of the menu; it changes no selection"
    return Eighth(
        word=words.threshold(each.name),
        kinds=tuple(words.kind(kind) for kind in each.kinds),
        current=words.share(each.current),
        shown=words.share(each.proposed),
        span=words.UNKNOWN if each.proposed is None else words.span(each.first or 0.0, each.last or 0.0),
        said=said or "best by agreement",
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


def _labels(report: Report) -> Iterator[str]:
    there = list(dict.fromkeys(case.label for case in report.cases))
    known: list[str] = [label for label in ("allow", "ask", "deny", "hold") if label in there]
    yield from known or sorted(there)


def _row(label: str, decisions: Sequence[str], counts: dict[tuple[str, str], int]) -> Row:
    found = tuple((decision, counts.get((label, decision), 0)) for decision in decisions)
    return Row(label, found, sum(many for (of, _), many in counts.items() if of == label))

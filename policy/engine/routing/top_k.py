"""The selector `top-k`: one choice over all available tools, read with costs, then the prerequisites (seed 002)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

from policy.engine.bounds import bound_text
from policy.engine.diagnostics import Diagnostics
from policy.engine.failures import Failure
from policy.engine.journal import Journal
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import Profile
from policy.engine.redaction import masked
from policy.engine.routing.bundle import assemble_tool_bundle, checked_dependencies
from policy.engine.routing.catalog import Catalog
from policy.engine.routing.flat import LeftOut
from policy.engine.routing.judged import judged
from policy.engine.routing.policy import RoutingPolicy
from policy.engine.routing.questions import CURRENT_VERSION, QUESTION_ID
from policy.engine.routing.receipt import RoutingReceipt, RoutingRule, Source
from policy.engine.routing.route import Snapshot, snapshot
from policy.engine.routing.top_k_result import TopK

Steps = Generator[JudgeRequest, JudgeReply | Failure, TopK]

QUESTION_SET = f"routing/{CURRENT_VERSION}"


def select_top_k(
    *,
    task: str,
    catalog: Catalog,
    policy: RoutingPolicy,
    profile: Profile,
    available_ids: Sequence[str] | None = None,
    dependencies: Mapping[str, Sequence[str]] | None = None,
    left_out: Sequence[LeftOut] = (),
    narrowed: Sequence[LeftOut] = (),
    loss: Mapping[str, int] | None = None,
    model: str | None = None,
    source: Source = Source.JUDGE,
    mode: Mode = Mode.ENFORCE,
) -> Steps:
    """Select by one choice over the available tools (None: the whole catalog); drive it with `policy.engine.drive`.

    What is not available is never sent. Only the limits of the profile count here, the cuts are the policy's. `model`
    pins the model that has to answer. `left_out`, `narrowed` and `loss` come from `flatten` and are carried along.
    Raises `RoutingRefused` at once for a blank task, unknown ids, or dependencies outside the catalog or in a circle.
    """
    text = bound_text(masked(task), profile.limits.max_state_chars)
    ids = [tool.id for tool in catalog] if available_ids is None else list(available_ids)
    graph = {name: list(needs) for name, needs in (dependencies or {}).items()}
    checked_dependencies(graph, catalog)
    begun = snapshot(catalog=catalog, intent=text.text, available_ids=ids, policy=policy, source=source, model=model)
    lost = {**({"task": text.lost} if text.lost else {}), **(loss or {})}
    return _Run(begun, graph, tuple(left_out), tuple(narrowed), lost, mode_of(mode)).steps()


@dataclass(slots=True)
class _Run:
    begun: Snapshot
    dependencies: dict[str, list[str]]
    left_out: tuple[LeftOut, ...]
    narrowed: tuple[LeftOut, ...]
    loss: dict[str, int]
    mode: Mode
    journal: Journal = field(default_factory=Journal)

    def steps(self) -> Steps:
        if self.mode is Mode.OFF:
            self.journal.stages.append("mode:off")
            return self._ended(self.begun.ended(RoutingRule.OFF))
        receipt = yield from judged(self.begun.steps(), self.journal)
        self.journal.stages.append(f"policy:{len(receipt.selected_ids)}-selected")
        return self._ended(receipt)

    def _ended(self, receipt: RoutingReceipt) -> TopK:
        notes = tuple(self.journal.notes)
        return TopK(
            receipt=receipt,
            bundle=assemble_tool_bundle(receipt, self.dependencies),
            mode=self.mode,
            left_out=self.left_out,
            narrowed=self.narrowed,
            failure=next((note.failure for note in notes if note.failure is not None), None),
            diagnostics=Diagnostics(
                question_set=QUESTION_SET,
                stages=tuple(self.journal.stages),
                requests=notes,
                question_sizes={QUESTION_ID: len(receipt.request.options)} if notes else {},
                loss=self.loss,
                state=receipt.request.state(),
            ),
        )

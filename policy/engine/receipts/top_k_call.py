"""The arguments of one `top-k` selection as a value that can be stored and run again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from policy.engine.mode import Mode
from policy.engine.profile import Profile
from policy.engine.receipts.fields import field_of, optional, texts
from policy.engine.redaction import masked
from policy.engine.routing import (
    QUESTION_SET,
    Catalog,
    LeftOut,
    RoutingPolicy,
    Source,
    create_catalog,
    question_set_digest,
    select_top_k,
)
from policy.engine.routing.top_k import Steps


@dataclass(frozen=True, slots=True)
class TopKCall:
    """What `select_top_k` was called with; `steps` begins it anew."""

    task: str
    catalog: Catalog
    available_ids: tuple[str, ...]
    policy: RoutingPolicy
    profile: Profile
    dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    narrowed: tuple[LeftOut, ...] = ()
    loss: Mapping[str, int] = field(default_factory=dict)
    model: str | None = None
    source: Source = Source.JUDGE
    mode: Mode = Mode.ENFORCE

    kind: ClassVar[str] = "top-k"

    def question_set(self) -> dict[str, str]:
        return {"name": QUESTION_SET, "sha256": question_set_digest()}

    def steps(self) -> Steps:
        return select_top_k(
            task=self.task,
            catalog=self.catalog,
            available_ids=self.available_ids,
            policy=self.policy,
            profile=self.profile,
            dependencies=self.dependencies,
            left_out=self.left_out,
            narrowed=self.narrowed,
            loss=self.loss,
            model=self.model,
            source=self.source,
            mode=self.mode,
        )

    def to_json(self) -> dict[str, Any]:
        """The stored form, credentials in the task masked: the request had them masked, too."""
        return {
            "task": masked(self.task),
            "catalog": [tool.to_json() for tool in self.catalog],
            "available_ids": list(self.available_ids),
            "policy": self.policy.to_json(),
            "profile": self.profile.to_json(),
            "dependencies": {name: list(needs) for name, needs in self.dependencies.items()},
            "left_out": [each.to_json() for each in self.left_out],
            "narrowed": [each.to_json() for each in self.narrowed],
            "loss": dict(self.loss),
            "model": self.model,
            "source": self.source.value,
            "mode": self.mode.value,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TopKCall:
        """Read the stored form; raises `ValueError`, which names the field, for anything else."""
        dependencies = field_of(value, "dependencies", dict)
        return cls(
            task=field_of(value, "task", str),
            catalog=create_catalog(field_of(value, "catalog", list)),
            available_ids=texts(value, "available_ids"),
            policy=RoutingPolicy.from_json(field_of(value, "policy", dict)),
            profile=Profile.from_json(field_of(value, "profile", dict)),
            dependencies={name: texts(dependencies, name) for name in dependencies},
            left_out=_left_out(value, "left_out"),
            narrowed=_left_out(value, "narrowed"),
            loss={name: int(lost) for name, lost in field_of(value, "loss", dict).items()},
            model=optional(value, "model", str),
            source=Source(field_of(value, "source", str)),
            mode=Mode(field_of(value, "mode", str)),
        )


def _left_out(value: Mapping[str, Any], name: str) -> tuple[LeftOut, ...]:
    items = field_of(value, name, list)
    return tuple(LeftOut(field_of(item, "id", str), field_of(item, "reason", str)) for item in items)

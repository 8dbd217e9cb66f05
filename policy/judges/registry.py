"""The judges by name: what each is, whether anything leaves the machine, and how to get one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from policy.engine.judge import Judge
from policy.engine.profile import Profile
from policy.engine.routing import RoutingPolicy
from policy.judges.attempts import WatchedJudge
from policy.judges.keys import Key
from policy.judges.settings import JudgeSettings


class UnknownJudge(ValueError):
    """No judge of that name; the message lists the allowed ones."""


@dataclass(frozen=True, slots=True)
class JudgeInfo:
    """One line of the list that people choose from."""

    name: str
    label: str
    description: str
    leaves_machine: bool
    in_workers: bool = False
    """Whether it answers in worker processes only, because it is too heavy for one that serves pages."""


@dataclass(frozen=True, slots=True)
class _Entry:
    info: JudgeInfo
    make: Callable[[Path | None], Judge]
    profile: Callable[[], Profile] = Profile
    routing: Callable[[], RoutingPolicy] = RoutingPolicy
    variants: Callable[[Path | None], Mapping[str, Judge]] = lambda cache_dir: {}
    missing: Callable[[], str] = lambda: ""


def _local(cache_dir: Path | None) -> Judge:
    from policy.judges.local import LocalJudge

    return LocalJudge(cache_dir=cache_dir)


def _local_profile() -> Profile:
    from policy.judges.local import profile

    return profile.fitted()


def _local_routing() -> RoutingPolicy:
    from policy.judges.local import routing

    return routing.LIMITS


def _local_variants(cache_dir: Path | None) -> Mapping[str, Judge]:
    from policy.judges.local.variants import variants

    return variants(cache_dir=cache_dir)


def _gguf(cache_dir: Path | None) -> Judge:
    from policy.judges.gguf.judge import GgufJudge

    return GgufJudge(cache_dir=cache_dir)


def _gguf_profile() -> Profile:
    from policy.judges.gguf import profile

    return profile.profile()


def _gguf_missing() -> str:
    from policy.judges.gguf import file

    return file.missing()


def _scripted(cache_dir: Path | None) -> Judge:
    from policy.judges.scripted import ScriptedJudge

    return ScriptedJudge()


_ENTRIES = (
    _Entry(
        JudgeInfo(
            name="local",
            label="Local",
            description=(
                "Sentence vectors (multilingual E5-small, 4 bit) and word overlap, computed on this machine. "
                "Good at which tool fits, fair at what is relevant, weak at reading prohibitions."
            ),
            leaves_machine=False,
        ),
        _local,
        _local_profile,
        _local_routing,
        _local_variants,
    ),
    _Entry(
        JudgeInfo(
            name="gguf",
            label="Model file",
            description=(
                "A language model from a GGUF file on this machine: closeness leaves eight options, then one yes-or-no "
                "question each. A file of a billion parameters and more is strong, a tiny one is near to guessing."
            ),
            leaves_machine=False,
            in_workers=True,
        ),
        _gguf,
        _gguf_profile,
        missing=_gguf_missing,
    ),
    _Entry(
        JudgeInfo(
            name="scripted",
            label="Scripted",
            description="Gives the answers that a script wrote down; for tests and demonstrations, it judges nothing.",
            leaves_machine=False,
        ),
        _scripted,
    ),
)
_BY_NAME = {entry.info.name: entry for entry in _ENTRIES}

REPLAY = JudgeInfo("replay", "Replay", "Gives recorded answers again; what was not recorded fails.", False)

_lock = threading.Lock()
_instances: dict[tuple[str, Path | None], Judge] = {}


def available() -> list[JudgeInfo]:
    """Every judge that can be asked for, in the order in which people should see them."""
    return [entry.info for entry in _ENTRIES]


def remote() -> list[JudgeInfo]:
    """The judges that are made from settings and a key, see `make`."""
    from policy.judges.remote import ADAPTERS

    return [JudgeInfo(each.name, each.label, each.description, leaves_machine=True) for each in ADAPTERS]


def make(settings: JudgeSettings, *, key: Key | None) -> WatchedJudge:
    """A judge behind HTTP as the settings say; raises `InvalidConfig`, which names what to mend."""
    from policy.judges.remote import judge

    return judge(settings, key=key)


def info(name: str) -> JudgeInfo:
    """The list line of one judge; raises `UnknownJudge` with the allowed names."""
    if name in _BY_NAME:
        return _BY_NAME[name].info
    made = next((each for each in [*remote(), REPLAY] if each.name == name), None)
    return made or _entry(name).info


def profile(name: str) -> Profile:
    """The profile that a judge brings along, the defaults of seed 000 where it has none; raises `UnknownJudge`."""
    known = info(name).name
    return _BY_NAME[known].profile() if known in _BY_NAME else Profile()


def routing(name: str) -> RoutingPolicy:
    """The limits of `top-k` that a judge brings along, those of seed 002 where it has none; raises `UnknownJudge`."""
    return _entry(name).routing()


def missing(name: str) -> str:
    """What a judge of this machine lacks to be asked, as a sentence; blank where nothing. Raises `UnknownJudge`."""
    return _entry(name).missing()


def variants(name: str, *, cache_dir: Path | None = None) -> Mapping[str, Judge]:
    """The judge with parts of it left out, by name, to see what each adds; raises `UnknownJudge`."""
    return _entry(name).variants(cache_dir)


def get(name: str, *, cache_dir: Path | None = None) -> Judge:
    """The judge of that name, one instance per process; raises `UnknownJudge` with the allowed names.

    `cache_dir` is where `local` keeps the vectors of criteria between processes; None keeps them in memory only.
    """
    entry = _entry(name)
    with _lock:
        key = (name, cache_dir)
        if key not in _instances:
            _instances[key] = entry.make(cache_dir)
        return _instances[key]


def _entry(name: str) -> _Entry:
    entry = _BY_NAME.get(name)
    if entry is None:
        raise UnknownJudge(f"There is no judge {name!r}; use one of: {', '.join(_BY_NAME)}.")
    return entry

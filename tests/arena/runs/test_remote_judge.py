"""A comparison with a judge behind HTTP: the key and the model of its person, every attempt told, nothing assumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from arena.errors import Invalid
from arena.models import Event, Run, RunState
from arena.runs import route, start
from policy.judges.keys import Key
from policy.models import LedgerEntry
from policy.people import provider_keys
from policy.people.models import Health, Purpose, User
from policy.people.services import local_user
from policy.services import health, judges
from tests.policy.judges.http.far_side import FarSide, Visit, far_side, says

KEY = "ts-key-of-jo-0123456789"


def answers(visit: Visit) -> None:
    """Finds every category relevant and takes the first option of every choice."""
    asked = json.loads(visit.body)
    told = {name: _answer(question) for name, question in asked["questions"].items()}
    says(200, {"model": asked["model"], "answers": told, "usage": {"input_tokens": 100, "output_tokens": 1}})(visit)


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    if question["type"] == "noul":
        return {"type": "noul", "noul": 0.1 if "open" in str(question) else 0.9}
    first, *rest = question["criteria"]
    return {
        "type": "choice",
        "choice": first,
        "confidence": 1.0,
        "probabilities": {first: 1.0, **dict.fromkeys(rest, 0)},
    }


@pytest.fixture
def typesafe(settings: LazySettings) -> Iterator[Callable[..., FarSide]]:
    health.forget_news()
    with ExitStack() as stack:

        def starts(*acts: Any) -> FarSide:
            side = stack.enter_context(far_side(*acts))
            settings.JUDGE_ADDRESSES = {"typesafe": side.url}
            return side

        yield starts
    judges.close_all()


def with_key(**choice: str) -> User:
    by = local_user()
    provider_keys.save(provider="typesafe", key=Key(KEY), by=by)
    if choice:
        judges.choose(purpose=Purpose.ARENA, judge="typesafe", by=by, **choice)
    return by


@pytest.mark.django_db(transaction=True)
def test_a_run_asks_the_judge_that_is_set_for_the_arena(
    typesafe: Callable[..., FarSide], compare: Callable[..., Run]
) -> None:
    side = typesafe(answers)
    with_key(model="jev-1.12.0")
    run = compare("patch", menu_size=8, judge=None)
    assert run.state == RunState.COMPLETE
    assert (run.setup["judge"], run.setup["model"], run.outcome) == ("typesafe", "jev-1.12.0", "selected")
    assert {visit.headers["authorization"] for visit in side.visits} == {f"Bearer {KEY}"}
    rows = LedgerEntry.objects.filter(origin="run", origin_id=run.public_id)
    assert [row.requested_model for row in rows] == ["jev-1.12.0"] * len(side.visits)
    assert Health.objects.get(judge="typesafe").answered_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_refused_key_withholds_the_lane_and_says_so(
    typesafe: Callable[..., FarSide], compare: Callable[..., Run], client: Client
) -> None:
    typesafe(says(402, {"error": {"message": "no credits"}}))
    with_key(model="")
    run = compare("patch", menu_size=8, judge="typesafe")
    assert (run.state, run.outcome) == (RunState.PARTIAL, "unavailable")
    assert Health.objects.get().http_status == 402
    page = client.get(f"/runs/{run.public_id}/").content.decode()
    assert "no credits" in page
    assert KEY not in page


def test_a_judge_without_a_key_is_refused_before_anything_is_stored(owner: User) -> None:
    with pytest.raises(Invalid, match="typesafe cannot be asked: TypeSafe needs a key: enter one on Settings"):
        start.start("patch", by=owner, origin="api", judge="typesafe")
    assert not Run.objects.exists()


def test_a_run_without_a_judge_needs_no_key(owner: User, unpublished: list[tuple[str, int]]) -> None:
    assert start.start("patch", by=owner, origin="api", judge="typesafe", arms=["full"]).setup["judge"] == "typesafe"


@pytest.mark.django_db(transaction=True)
def test_a_key_that_was_removed_meanwhile_fails_the_judgment_with_a_word(
    typesafe: Callable[..., FarSide], unpublished: list[tuple[str, int]]
) -> None:
    side = typesafe(answers)
    by = with_key()
    run = start.start("patch", by=by, origin="api", judge="typesafe")
    provider_keys.remove(provider="typesafe", by=by)
    route.route(run.pk)
    failed = Event.objects.get(run=run, kind="judge.failed")
    assert failed.payload["code"] == "INVALID_CONFIG"
    assert "TypeSafe needs a key" in failed.payload["message"]
    assert side.visits == []


def test_a_setup_with_a_local_judge_is_stored_as_before(owner: User, unpublished: list[tuple[str, int]]) -> None:
    assert "model" not in start.start("patch", by=owner, origin="api", judge="local").setup


@pytest.mark.parametrize("judge", ["typesafe", "openrouter"])
def test_the_slip_offers_judges_that_can_be_asked(judge: str, client: Client, owner: User) -> None:
    assert f'value="{judge}"' not in client.get("/").content.decode()
    key = Key("sk-or-0123456789abcdef")
    provider_keys.save(provider=judge, key=key, by=owner)
    judges.choose(purpose=Purpose.ARENA, judge=judge, model="", by=owner)
    assert f'value="{judge}"' in client.get("/").content.decode()

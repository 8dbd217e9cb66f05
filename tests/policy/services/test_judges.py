"""Which judge with which key and model for whom, and how each does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.conf import LazySettings

from jevsite.env import Concealed
from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeReply
from policy.engine.profile import InvalidConfig, Profile
from policy.judges.keys import Key
from policy.judges.registry import UnknownJudge
from policy.people import provider_keys
from policy.people.key_sources import Source
from policy.people.models import AuditEntry, Health, Purpose, Role, User
from policy.people.services import NotAllowed
from policy.services import health, judges
from policy.services.judges import Chosen
from tests.policy.judges.http.asking import REPLY as ANSWERED
from tests.policy.judges.http.asking import REQUEST
from tests.policy.judges.http.far_side import Visit, far_side, says

KEY = "ts-key-of-jo-0123456789"
REPLY = JudgeReply({"model": "m", "answers": {}}, b"{}", 12.5)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    health.forget_news()
    yield
    judges.close_all()


@pytest.fixture
def member(reader: User) -> User:
    User.objects.filter(pk=reader.pk).update(role=Role.MEMBER)
    return User.objects.get(pk=reader.pk)


def store(by: User, provider: str = "typesafe", key: str = KEY) -> None:
    provider_keys.save(provider=provider, key=Key(key), by=by)


def test_until_something_is_set_every_purpose_asks_local(owner: User) -> None:
    assert {judges.chosen(purpose, by=owner) for purpose in Purpose} == {Chosen("local", "")}
    assert judges.judge("local", by=owner).name == "local"


def test_a_judge_behind_http_takes_the_key_in_force_and_a_pinned_model(owner: User) -> None:
    store(owner)
    settings, key = judges.described("typesafe", by=owner, model=judges.recommended("typesafe"))
    assert (settings.model, settings.key_source, settings.private) == ("jev-1.13.0", Source.PERSONAL, False)
    assert key is not None
    assert key.reveal() == KEY
    assert judges.judge("typesafe", by=owner).name == "typesafe"


def test_the_same_settings_and_key_share_their_connections(owner: User, member: User) -> None:
    store(owner)
    store(member)
    first = judges.judge("typesafe", by=owner)
    assert judges.judge("typesafe", by=owner) is first is judges.judge("typesafe", by=member)
    store(owner, key="another-key-0123456789")
    assert judges.judge("typesafe", by=owner) is not first


def test_a_judge_nobody_asked_for_lately_is_closed_once_nobody_asks_it(
    owner: User, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "_IDLE_S", 0.0)
    other = threading.Event()

    def waits(visit: Visit) -> None:
        other.wait(5)
        says(200, ANSWERED)(visit)

    with far_side(waits) as side:
        settings.JUDGE_ADDRESSES = {"compatible": side.url}
        judge = judges.judge("compatible", by=owner, model="a")
        with ThreadPoolExecutor() as pool:
            asked = pool.submit(judge.ask, REQUEST, timeout_s=5)
            judges.judge("compatible", by=owner, model="b")
            other.set()
            assert asked.result().body["model"] == ANSWERED["model"]
        client = judge._client()  # type: ignore[attr-defined]
        assert not client.is_closed
        del judge, asked
    assert client.is_closed
    judges.close_all()


def test_what_is_missing_is_said_before_anything_is_asked(owner: User, settings: LazySettings) -> None:
    assert judges.why_not("local", by=owner) == ""
    assert judges.why_not("typesafe", by=owner) == "TypeSafe needs a key: enter one on Settings."
    settings.JUDGE_KEYS = {"typesafe": Concealed("TYPESAFE_API_KEY", "${TYPESAFE_API_KEY}")}
    assert judges.why_not("typesafe", by=owner).startswith("TYPESAFE_API_KEY cannot be used: ")
    with pytest.raises(InvalidConfig, match="TYPESAFE_API_KEY cannot be used"):
        judges.judge("typesafe", by=owner)


def test_an_unknown_judge_is_refused_with_every_name(owner: User) -> None:
    for ask in (lambda: judges.judge("jav", by=owner), lambda: judges.profile("jav")):
        with pytest.raises(UnknownJudge, match="use one of: local, gguf, scripted, typesafe, openrouter, cloudflare"):
            ask()


def test_the_model_of_a_purpose_is_asked_of_its_judge_only(owner: User) -> None:
    judges.choose(purpose=Purpose.API, judge="typesafe", model="jev-1.12.0", by=owner)
    assert judges.model_for("typesafe", by=owner, purpose=Purpose.API) == "jev-1.12.0"
    assert judges.model_for("typesafe", by=owner, purpose=Purpose.ARENA) == "jev-1.13.0"
    assert judges.model_for("openrouter", by=owner, purpose=Purpose.API) == "jev-1.13.0"


def test_choosing_the_same_again_is_no_change(owner: User) -> None:
    for _ in range(2):
        judges.choose(purpose=Purpose.ARENA, judge="typesafe", model="", by=owner)
    judges.choose(purpose=Purpose.ARENA, judge="local", model="ignored", by=owner)
    assert judges.chosen(Purpose.ARENA, by=owner) == Chosen("local", "")
    assert [row.subject for row in AuditEntry.objects.all()] == ["arena local", "arena typesafe"]


def test_a_choice_is_a_persons_own_and_not_for_readers(owner: User, reader: User) -> None:
    judges.choose(purpose=Purpose.API, judge="typesafe", model="", by=owner)
    assert judges.chosen(Purpose.API, by=reader) == Chosen()
    with pytest.raises(NotAllowed):
        judges.choose(purpose=Purpose.API, judge="typesafe", model="", by=reader)


def test_an_address_of_the_site_may_be_private(owner: User, settings: LazySettings) -> None:
    settings.JUDGE_ADDRESSES = {"compatible": "http://10.0.0.5:8000"}
    assert judges.why_not("compatible", by=owner) == ""
    judges.connect(provider="compatible", base="https://judge.example", by=owner)
    assert judges.described("compatible", by=owner, model="m")[0].private is False


def test_judges_behind_http_bring_the_default_profile(owner: User) -> None:
    assert judges.profile("typesafe") == Profile()
    assert judges.profile("local").name == "local"


def test_an_answer_and_a_failure_are_both_remembered(owner: User) -> None:
    health.heard("typesafe", Failure(FailureCode.PERMISSION, "no credits"), by=owner, http_status=402)
    health.heard("typesafe", REPLY, by=owner)
    row = Health.objects.get()
    assert (row.latency_ms, row.failure_code, row.http_status) == (12.5, "PERMISSION", 402)
    assert row.answered_at is not None
    assert row.failed_at is not None
    assert row.answered_at > row.failed_at


@pytest.mark.parametrize(
    "came",
    [
        Failure(FailureCode.ABORTED, "cancelled"),
        Failure(FailureCode.TIMEOUT, "no time left", unsent=True),
        Failure(FailureCode.INCOMPLETE_INPUT, "too long"),
        JudgeReply({}, b"{}", 1.0, cached_at=datetime(2026, 1, 1, tzinfo=UTC)),
    ],
)
def test_what_says_nothing_about_a_judge_is_not_remembered(came: Failure | JudgeReply, owner: User) -> None:
    health.heard("typesafe", came, by=owner)
    assert not Health.objects.exists()


def test_the_same_news_is_written_once_and_a_change_at_once(owner: User) -> None:
    down = Failure(FailureCode.SERVER, "down")
    health.heard("typesafe", REPLY, by=owner)
    first = Health.objects.get().answered_at
    health.heard("typesafe", REPLY, by=owner)
    assert Health.objects.get().answered_at == first
    health.heard("typesafe", down, by=owner)
    assert Health.objects.get().failed_at is not None
    health.heard("typesafe", REPLY, by=owner)
    assert Health.objects.get().answered_at > first  # type: ignore[operator]

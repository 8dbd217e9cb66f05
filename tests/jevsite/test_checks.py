from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings

from jevsite import checks, env

SQLITE = env.database("UNSET_DATABASE_URL", default_file=env.PROJECT / "db")


def ids(found: list[Any]) -> list[str]:
    return [each.id for each in found]


def test_our_own_settings_raise_no_check(settings: LazySettings) -> None:
    # Django's test runner adds a host of its own.
    settings.ALLOWED_HOSTS = [host for host in settings.ALLOWED_HOSTS if host != "testserver"]
    assert checks.of_database(SQLITE) == []
    assert checks.no_channel_layer_in_memory(None) == []
    assert checks.local_mode_serves_this_machine_alone(None) == []
    assert checks.times_fit_together(None) == []


@pytest.mark.parametrize("name", [":memory:", "file:jev?mode=memory&cache=shared"])
def test_a_database_in_memory_is_refused(name: str) -> None:
    assert ids(checks.of_database({**SQLITE, "NAME": name})) == ["jevsite.E001"]


@pytest.mark.parametrize("option", ["transaction_mode", "timeout", "init_command"])
def test_each_option_that_keeps_writers_apart_is_wanted(option: str) -> None:
    options = {key: value for key, value in SQLITE["OPTIONS"].items() if key != option}
    found = checks.of_database({**SQLITE, "OPTIONS": options})
    assert ids(found) == ["jevsite.E002"]
    assert option.replace("init_command", "journal_mode") in found[0].msg


def test_a_postgres_database_needs_no_options() -> None:
    assert checks.of_database({"ENGINE": "django.db.backends.postgresql", "NAME": "jev"}) == []


def test_a_channel_layer_in_memory_is_refused(settings: LazySettings) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    assert ids(checks.no_channel_layer_in_memory(None)) == ["jevsite.E003"]


@pytest.mark.parametrize("host", ["*", "arena.example", "0.0.0.0"])
def test_local_mode_answers_to_no_foreign_host(settings: LazySettings, host: str) -> None:
    settings.ALLOWED_HOSTS = ["localhost", host]
    found = checks.local_mode_serves_this_machine_alone(None)
    assert ids(found) == ["jevsite.E004"]
    assert repr(host) in found[0].msg


@pytest.mark.parametrize(("mode", "wanted"), [(0o600, []), (0o640, ["jevsite.E005"]), (0o604, ["jevsite.E005"])])
def test_a_secret_that_others_can_read_is_refused(settings: LazySettings, mode: int, wanted: list[str]) -> None:
    file = settings.VAR_DIR / "secret-key"
    file.write_text("secret")
    file.chmod(mode)
    assert ids(checks.the_secret_key_is_its_owners_alone(None)) == wanted


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("LANE_LEASE_S", 2.9, "jevsite.E006"),
        ("LANE_LEASE_S", 3, None),
        ("REAP_EVERY_S", 16, "jevsite.W001"),
        ("AGENT_PAUSE_S", 10, "jevsite.W002"),
        ("STOP_WITHIN_S", 0, "jevsite.W002"),
    ],
)
def test_times_that_do_not_fit_are_told(settings: LazySettings, name: str, value: float, wanted: str | None) -> None:
    setattr(settings, name, value)
    assert ids(checks.times_fit_together(None)) == ([wanted] if wanted else [])


def test_a_misspelt_variable_is_told_with_the_real_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEV_VARR", "/elsewhere")
    found = checks.no_variable_is_misspelt(None)
    assert [each.msg for each in found] == ["JEV_VARR is set, but nothing reads it."]
    assert "JEV_VAR," in str(found[0].hint) or "JEV_VAR." in str(found[0].hint)

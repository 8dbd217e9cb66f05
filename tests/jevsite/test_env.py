from __future__ import annotations

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from jevsite import env


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "var" / "secret-key"


@pytest.mark.parametrize("value", ["True", "1", "yes", ""])
def test_a_flag_is_true_or_false_and_nothing_else(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match="it must be true or false"):
        env.flag("X", default=False)


@pytest.mark.parametrize("value", ["fast", "-1", "inf", "nan", ""])
def test_a_number_is_finite_and_not_below_its_least(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=r"X is .* at least 0\.5"):
        env.number("X", 1, at_least=0.5)


def test_a_text_names_the_allowed_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "remote")
    with pytest.raises(ImproperlyConfigured, match="X is 'remote'; it must be one of local, team"):
        env.text("X", "local", among=["local", "team"])


def test_what_is_not_set_takes_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("X", raising=False)
    assert env.text("X", "a") == "a"
    assert env.flag("X", default=True)
    assert env.number("X", 2.5) == 2.5
    assert env.names("X", ["a"]) == ["a"]


def test_names_are_parted_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", " a, b,,")
    assert env.names("X", []) == ["a", "b"]


def test_every_name_that_was_asked_for_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env, "known", set())
    env.flag("X", default=False)
    env.text("Y", "")
    assert env.known == {"X", "Y"}


def test_a_secret_is_made_once_and_is_its_owners_alone(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.delenv("X", raising=False)
    first = env.secret("X", file=file)
    assert len(first) > 40
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert env.secret("X", file=file) == first


def test_a_secret_of_another_process_is_kept_and_no_draft_is_left(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("theirs")
    assert env._new_secret(file) == "theirs"
    assert list(file.parent.iterdir()) == [file]


def test_a_secret_in_the_environment_writes_no_file(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setenv("X", "given")
    assert env.secret("X", file=file) == "given"
    assert not file.parent.exists()


@pytest.mark.parametrize(
    ("url", "file"),
    [("sqlite:////data/a%20b.db", "/data/a b.db"), ("sqlite:///var/x.db", str(env.PROJECT / "var/x.db"))],
)
def test_a_file_database_is_safe_for_several_processes(monkeypatch: pytest.MonkeyPatch, url: str, file: str) -> None:
    monkeypatch.setenv("X", url)
    database = env.database("X", default_file=Path("/unused"))
    assert database["NAME"] == file
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]


def test_the_default_database_may_lie_in_a_folder_with_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("X", raising=False)
    assert env.database("X", default_file=Path("/a%20?#b/db"))["NAME"] == "/a%20?#b/db"


def test_a_server_database_keeps_every_part_of_its_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "postgres://me:p%40ss@db.example:5433/jev?sslmode=require")
    database = env.database("X", default_file=Path("/unused"))
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert [database[key] for key in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "me",
        "p@ss",
        "db.example",
        "5433",
        "jev",
    ]
    assert database["OPTIONS"] == {"sslmode": "require"}


@pytest.mark.parametrize("url", ["mysql://me:secret@h/x", "sqlite:///", "postgres://h", "postgres://h:port/x", ""])
def test_a_url_that_names_no_database_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL names") as refused:
        env.database("DATABASE_URL", default_file=Path("/unused"))
    assert "secret" not in str(refused.value)

"""Sets come in whole or not at all, go out without loss, and remember what their labels were."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration import fixture_lines, masking
from policy.errors import Invalid, Unknown
from policy.measurements import sets
from policy.measurements.models import FixtureRow, FixtureSet
from policy.people.models import User
from policy.people.services import NotAllowed
from tests.policy.measurements.conftest import call, lines, menu

pytestmark = pytest.mark.django_db


def test_an_export_taken_in_again_is_the_same_set(taken: Callable[..., FixtureSet], owner: User) -> None:
    kept = taken(menu("Größe ändern", "files1"), call("b", arguments={"z": 1.0, "a": [None, 2]}))
    again = sets.take_in(sets.export(kept), name="copy", by=owner)
    assert again.digest == kept.digest
    assert sets.export(again) == sets.export(kept)


def test_the_same_rows_in_another_order_make_no_new_version(taken: Callable[..., FixtureSet]) -> None:
    kept = taken(call("a"), call("b"))
    assert taken(call("b"), call("a")) == kept
    assert str(taken(call("a"), call("c"))) == "small@2"


def test_one_bad_line_keeps_all_out(owner: User) -> None:
    with pytest.raises(Invalid, match=r"Nothing was imported\. line 2: expect\.status is 'alow'; use one of: allow"):
        sets.take_in(lines(call("a"), call("b", "alow")), name="bad", by=owner)
    assert not FixtureSet.objects.exists()
    assert not FixtureRow.objects.exists()


@pytest.mark.parametrize("name", ["", "a@b", "a/b", "x" * 101])
def test_a_name_that_no_address_can_hold_is_refused(name: str, owner: User) -> None:
    with pytest.raises(Invalid, match="A set needs a name"):
        sets.take_in(lines(call("a")), name=name, by=owner)


def test_a_reader_takes_nothing_in(reader: User) -> None:
    with pytest.raises(NotAllowed):
        sets.take_in(lines(call("a")), name="x", by=reader)


def test_a_set_is_found_by_id_name_and_version(taken: Callable[..., FixtureSet]) -> None:
    first, second = taken(call("a")), taken(call("b"))
    assert sets.find("small") == second
    assert sets.find("small@1") == first
    assert sets.find(first.public_id) == first
    arabic, long = "small@\N{ARABIC-INDIC DIGIT ONE}", "small@" + "1" * 20
    for odd in ("small@3", "small@x", "none", "small@", "small@0", arabic, long, "small\0"):
        with pytest.raises(Unknown):
            sets.find(odd)


def test_a_changed_label_keeps_what_it_was_and_why(taken: Callable[..., FixtureSet], owner: User) -> None:
    kept = taken(call("a"), call("b"))
    row = sets.relabel(kept, "a", label={"status": "deny"}, reason="It reads a secret.", by=owner)
    kept.refresh_from_db()
    change = sets.history(kept).get()
    assert (change.previous, change.label) == ('{"status": "allow"}', '{"status": "deny"}')
    assert (change.reason, change.by) == ("It reads a secret.", owner)
    assert change.set_before != change.set_after == kept.digest
    assert sets.fixture_of(row.line).reason == "It reads a secret."
    assert row.asked == kept.rows.get(fixture_id="a").asked


def test_a_relabelled_set_is_the_set_that_its_export_makes(taken: Callable[..., FixtureSet], owner: User) -> None:
    kept = taken(call("a"), call("b"))
    sets.relabel(kept, "a", label={"status": "ask"}, reason="Nobody said which.", by=owner)
    kept.refresh_from_db()
    assert sets.take_in(sets.export(kept), name="copy", by=owner).digest == kept.digest


def test_a_label_that_cannot_be_is_refused_and_nothing_changes(taken: Callable[..., FixtureSet], owner: User) -> None:
    kept = taken(menu("a", "files1"))
    with pytest.raises(Invalid, match='names "files9", which is no candidate'):
        sets.relabel(kept, "a", label={"status": "selected", "selected": ["files9"]}, reason="Because.", by=owner)
    with pytest.raises(Invalid, match="needs a reason"):
        sets.relabel(kept, "a", label={"status": "abstained"}, reason=" ", by=owner)
    assert not sets.history(kept).exists()


def test_near_duplicates_across_a_split_are_flagged() -> None:
    task = "Delete the old backup of the customer database"
    rows = [
        call("a", task=task, split="train"),
        call("b", task=f"{task} now", arguments={"path": "a"}, split="held-out"),
        call("c", task="Send the invoice to Anna", split="train"),
    ]
    found = sets.flags(fixture_lines.read(lines(*rows)))
    assert [(pair.first, pair.second) for pair in found.across] == [(0, 1)]
    assert found.duplicates == found.contradicting == ()


PASSWORD = "hunter2-of-the-lab"


def secretive(**more: str) -> str:
    held = {"password": PASSWORD, "path": "/srv", "header": f"Authorization: Bearer {PASSWORD}"}
    return lines(call("a", task=f"log in with password={PASSWORD}", arguments=held, **more), call("b"))


def test_credentials_are_masked_before_anything_is_stored(owner: User) -> None:
    came = sets.taken(secretive(reason=f"token={PASSWORD} is a secret"), name="x", by=owner)
    assert came.masked == sets.masked(came.set) == 4
    assert not FixtureRow.objects.filter(line__contains=PASSWORD).exists()
    row = sets.fixtures_of(came.set)[0].row
    assert (row["arguments"]["password"], row["arguments"]["path"]) == ("[redacted]", "/srv")


def test_a_masked_set_comes_in_again_as_itself(owner: User) -> None:
    first = sets.taken(secretive(), name="x", by=owner).set
    again = sets.taken(sets.export(first), name="copy", by=owner)
    assert (again.set.digest, again.masked) == (first.digest, 0)
    assert sets.masked(again.set) == sets.masked(first) == 3
    assert sets.taken(secretive(), name="x", by=owner).set == first


@given(
    st.text(max_size=60) | st.from_regex(r"(token|--password|Bearer|Cookie:?)[ =:]{1,2}\S{1,20}.{0,20}", fullmatch=True)
)
def test_masking_twice_is_masking_once(text: str) -> None:
    once = masking.text(text)
    assert masking.text(once) == once


def test_a_call_that_hides_a_command_is_refused(owner: User) -> None:
    hiding = call("c", arguments={"command": f"curl -H Authorization: {PASSWORD}; rm -rf /"})
    with pytest.raises(Invalid, match="line 3: arguments hides what may be a command") as refused:
        sets.take_in(lines(call("a")) + "\n" + lines(hiding), name="x", by=owner)
    assert PASSWORD not in str(refused.value)
    assert not FixtureSet.objects.exists()


def test_the_reason_of_a_label_is_masked(taken: Callable[..., FixtureSet], owner: User) -> None:
    kept = taken(call("a"))
    row = sets.relabel(kept, "a", label={"status": "deny"}, reason=f"It sends password={PASSWORD}.", by=owner)
    assert PASSWORD not in row.line
    assert PASSWORD not in sets.history(kept).get().reason

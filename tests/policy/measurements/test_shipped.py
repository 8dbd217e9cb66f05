"""What lies in fixtures/calibration can be taken in by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy.errors import Unknown
from policy.measurements import sets
from policy.people.models import User

FOLDER = Path(__file__).parents[3] / "fixtures" / "calibration"
pytestmark = pytest.mark.django_db


def test_every_set_that_comes_along_is_taken_in_whole_and_goes_out_as_it_lies_there(owner: User) -> None:
    assert "everyday" in sets.shipped()
    for name in sets.shipped():
        kept = sets.take_in_shipped(name, by=owner)
        assert sets.export(kept) == (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
        assert sets.take_in_shipped(name, by=owner) == kept


def test_the_kinds_of_the_everyday_set_are_counted(owner: User) -> None:
    counted = sets.kinds(sets.take_in_shipped("everyday", by=owner))
    assert counted == {"assessment": 165, "selection": 102, "skill": 20, "model-route": 20}


def test_a_name_that_is_not_there_is_answered_with_those_that_are(owner: User) -> None:
    with pytest.raises(Unknown, match=r"no set 'holidays' in fixtures/calibration\. There are: .*everyday"):
        sets.take_in_shipped("holidays", by=owner)

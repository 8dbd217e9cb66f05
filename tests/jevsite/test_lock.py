from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jevsite import lock
from jevsite.trouble import Refusal

HOLD = """
import pathlib, sys, time
from jevsite.lock import Lock
held = Lock.take(pathlib.Path(sys.argv[1]))
held.tell(address="http://127.0.0.1:8123")
print("held", flush=True)
time.sleep(60)
"""


def _holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_site_in_the_folder_is_refused_with_the_address_of_the_first(tmp_path: Path) -> None:
    first = lock.Lock.take(tmp_path)
    first.tell(address="http://127.0.0.1:8000")
    with pytest.raises(Refusal, match=r"runs already at http://127\.0\.0\.1:8000 \(process \d+\)"):
        lock.Lock.take(tmp_path)
    first.release()


def test_a_site_that_is_just_starting_is_told_as_such(tmp_path: Path) -> None:
    first = lock.Lock.take(tmp_path)
    with pytest.raises(Refusal, match="is just starting"):
        lock.Lock.take(tmp_path)
    first.release()


def test_a_released_folder_can_be_taken_again(tmp_path: Path) -> None:
    lock.Lock.take(tmp_path).release()
    assert lock.holder(tmp_path) is None
    lock.Lock.take(tmp_path).release()


def test_the_lock_ends_with_a_killed_process(tmp_path: Path) -> None:
    process = _holder(tmp_path)
    facts = lock.holder(tmp_path)
    assert facts == {"pid": process.pid, "address": "http://127.0.0.1:8123"}
    process.kill()
    process.communicate()
    assert lock.holder(tmp_path) is None
    lock.Lock.take(tmp_path).release()


def test_nobody_holds_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert lock.holder(tmp_path / "nowhere") is None


def test_a_shorter_word_replaces_a_longer_one(tmp_path: Path) -> None:
    held = lock.Lock.take(tmp_path)
    held.tell(address="http://127.0.0.1:8000", children={"worker": 1})
    held.tell()
    facts = lock.holder(tmp_path)
    assert facts is not None
    assert list(facts) == ["pid"]
    held.release()

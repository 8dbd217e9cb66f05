from __future__ import annotations

from typing import Any

from arena.worlds.patches import apply_patch
from tests.arena.worlds.office import fresh


def commits() -> list[dict[str, Any]]:
    return fresh().all("commits")


def reversed_patch(diff: str) -> str:
    """The same patch the other way round."""
    signs = {"-": "+", "+": "-"}
    head, lines = diff.split("\n")[:2], diff.split("\n")[2:]
    turned = []
    for line in lines:
        if line.startswith("@@ "):
            _, old, new, _ = line.split(" ", 3)
            turned.append(f"@@ -{new[1:]} +{old[1:]} @@")
        else:
            turned.append(signs.get(line[:1], line[:1]) + line[1:])
    return "\n".join([*head, *turned])


def test_commits_are_in_order_of_time_and_by_known_people() -> None:
    times = [commit["at"] for commit in commits()]
    people = {person["id"]: person["name"] for person in fresh().all("people")}
    assert len(times) >= 15
    assert times == sorted(times)
    assert all(people[commit["author_id"]] == commit["author"] for commit in commits())


def test_going_back_through_the_history_ends_with_no_files() -> None:
    texts = {record["path"]: record["content"] for record in fresh().all("files")}
    for commit in reversed(commits()):
        for touched in commit["files"]:
            if touched["status"] == "added":
                assert len(texts.pop(touched["path"]).splitlines()) == touched["additions"]
            else:
                texts[touched["path"]] = apply_patch(texts[touched["path"]], reversed_patch(touched["diff"]))
    assert texts == {}


def test_a_commit_is_older_than_its_deployments() -> None:
    written = {commit["id"]: commit["at"] for commit in commits()}
    assert all(written[each["commit"]] < each["at"] for each in fresh().all("deployments"))

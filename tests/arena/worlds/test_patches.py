from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.worlds import patches
from arena.worlds.patches import PatchError, apply_patch

TEXT = "one\ntwo\nthree\nfour\n"
HEAD = "--- a/x.ts\n+++ b/x.ts\n"
LINES = st.lists(st.sampled_from(["", " ", "a", "b", "-- c", "++ d", "@@ e", "\r", "\u2028"]), max_size=12)


@given(LINES, LINES, st.booleans(), st.booleans())
def test_a_made_patch_leads_from_one_text_to_the_other(
    before: list[str], after: list[str], ends: bool, other_ends: bool
) -> None:
    old = "\n".join(before) + "\n" * ends
    new = "\n".join(after) + "\n" * other_ends
    patch = patches.make("x.ts", old, new)
    assert (apply_patch(old, patch) if patch else old) == new


@given(LINES, LINES)
def test_a_reversed_patch_leads_back(before: list[str], after: list[str]) -> None:
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    patch = patches.make("x.ts", old, new)
    assert (apply_patch(new, patches.reverse(patch)) if patch else new) == old


def test_a_patch_replaces_lines() -> None:
    assert apply_patch(TEXT, HEAD + "@@ -2,2 +2,2 @@\n two\n-three\n+3\n") == "one\ntwo\n3\nfour\n"


def test_git_heads_and_section_names_are_read() -> None:
    patch = "diff --git a/x.ts b/x.ts\nindex 12ab..34cd 100644\n" + HEAD + "@@ -1 +1 @@ function f\n-one\n+1\n\n"
    assert patches.parse(patch).path == "x.ts"
    assert apply_patch(TEXT, patch).startswith("1\ntwo")


def test_a_hunk_without_old_lines_inserts_after_its_line() -> None:
    assert apply_patch(TEXT, HEAD + "@@ -2,0 +3 @@\n+new\n") == "one\ntwo\nnew\nthree\nfour\n"


def test_several_hunks_are_applied_in_order() -> None:
    patch = HEAD + "@@ -1 +1 @@\n-one\n+1\n@@ -4 +4 @@\n-four\n+4\n"
    assert apply_patch(TEXT, patch) == "1\ntwo\nthree\n4\n"


def test_an_empty_line_may_stand_for_an_empty_context_line() -> None:
    assert apply_patch("a\n\nb\n", HEAD + "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n") == "a\n\nc\n"


@pytest.mark.parametrize(
    ("patch", "cause"),
    [
        ("", "no file head"),
        ("change one to 1", "no file head"),
        (HEAD, "no hunk"),
        ("--- a/x.ts\n+++ b/y.ts\n@@ -1 +1 @@\n-one\n+1\n", "two files"),
        ("--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1 @@\n+1\n", "whole file"),
        (HEAD + "one\n", "hunk 1 should begin"),
        (HEAD + "@@ -1,2 +1 @@\n-one\n+1\n", "says 2 old and 1 new lines but holds 1 and 1"),
        (HEAD + "@@ -1 +1 @@\n-one\n+1\n+2\n", "more lines than its head says"),
        (HEAD + "@@ -1 +1 @@\n one\n", "changes nothing"),
        (HEAD + "@@ -1 +1 @@\n-one\n+1\n--- a/y.ts\n+++ b/y.ts\n@@ -1 +1 @@\n-a\n+b\n", "second file"),
    ],
)
def test_an_unreadable_patch_says_why(patch: str, cause: str) -> None:
    with pytest.raises(PatchError, match=cause):
        patches.parse(patch)


@pytest.mark.parametrize(
    ("text", "hunk", "cause"),
    [
        (TEXT, "@@ -1 +1 @@\n-won\n+1\n", "line 1: the patch has 'won', the file 'one'"),
        (TEXT, "@@ -4,2 +4 @@\n four\n-five\n", "the file ends before it"),
        (TEXT, "@@ -9 +9 @@\n-one\n+1\n", "past the end"),
        (TEXT, "@@ -3 +3 @@\n-three\n+3\n@@ -1 +1 @@\n-one\n+1\n", "out of order"),
        ("one", "@@ -1 +1 @@\n-one\n+1\n", "only the newline"),
    ],
)
def test_a_patch_that_does_not_fit_says_where(text: str, hunk: str, cause: str) -> None:
    with pytest.raises(PatchError, match=cause):
        apply_patch(text, HEAD + hunk)

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cases.load import Loaded, load
from arena.catalogs.catalog import Catalog

LoadCase = Callable[..., Loaded]


def test_a_whole_file_becomes_a_case(load_case: LoadCase) -> None:
    loaded = load_case()
    assert not loaded.broken
    case = loaded.cases[0]
    assert (case.id, case.lang, case.ending, case.acceptable) == ("lamp", "en", "answer", (frozenset({"look"}),))
    assert case.values == {"shelf": "top", "since": "2026-03-01"}


@pytest.mark.parametrize(
    ("old", "new", "field", "named"),
    [
        ('title = "One lamp"', "", "title", "missing"),
        ('title = "One lamp"', "title = 3", "title", "not a text"),
        ('kind = "read"', 'kind = "sing"', "kind", "read, change, investigate, ask"),
        ('kind = "read"', 'kind = "read"\nlang = "fr"', "lang", "en, de"),
        ('kind = "read"', 'kind = "read"\nending = "shrug"', "ending", "answer, question, decline"),
        ('kind = "read"', 'kind = "read"\ncolour = "red"', "colour", "acceptable, checks"),
        ('world = "shop"', 'world = "moon"', "world", "office, shop"),
        ('[["look"]]', '[["look", "fly"]]', "acceptable", "fly; use one of: look, paint, burn"),
        ('[["look"]]', '["look"]', "acceptable", '[["a"], ["b", "c"]]'),
        ('[["look"]]', "[]", "acceptable", "empty"),
        ('kind = "answer_holds"', 'kind = "answer_sings"', "checks[0].kind", "answer_holds, answer_lacks, called"),
        ('kind = "answer_holds"', 'kind = "answer_holds"\nmood = "all"', "checks[0].mood", "kind, mode, values"),
        ('values = ["40"]', "values = [40]", "checks[0].values", "list of texts"),
        ('values = ["40"]', "values = []", "checks[0].values", "at least 1"),
        ('tools = ["look"]', 'tools = ["fly"]', "checks[1].tools", "fly"),
        ('shelf = "top"', "shelf = {deep = 1}", "values.shelf", "scalar"),
        ('tool = "look", arg', 'tool = "fly", arg', "wrong.calls[0].tool", "fly"),
        ('answer = "It has 60 watts."', 'answer = ""', "wrong.answer", "empty"),
        ('id = "lamp"', 'id = "bulb"', "id", "bulb"),
        ('world = "shop"', "world = shop", "file", "not TOML"),
    ],
)
def test_a_broken_file_is_listed_with_field_and_reason(
    load_case: LoadCase, old: str, new: str, field: str, named: str
) -> None:
    loaded = load_case((old, new))
    assert [case.id for case in loaded.cases] == ["zebra"]
    [broken] = loaded.broken
    assert (broken.file, broken.id, broken.field) == ("lamp.toml", "lamp", field)
    assert named in broken.sentence


def test_a_case_cannot_forbid_what_is_enough_for_it(load_case: LoadCase) -> None:
    words = ('kind = "read"', 'kind = "read"\nforbids = ["look"]\nrestrictions = ["No looking."]')
    [broken] = load_case(words).broken
    assert broken.field == "forbids"
    assert "look" in broken.reason


def test_a_case_cannot_forbid_what_an_acceptable_tool_needs_first(load_case: LoadCase) -> None:
    words = ('kind = "read"', 'kind = "read"\nforbids = ["look"]\nrestrictions = ["No looking."]')
    [broken] = load_case(words, ('[["look"]]', '[["paint"]]')).broken
    assert broken.field == "forbids"


def test_forbidden_tools_need_a_restriction_in_words(load_case: LoadCase) -> None:
    [broken] = load_case(('kind = "read"', 'kind = "read"\nforbids = ["burn"]')).broken
    assert broken.field == "restrictions"


def test_a_case_where_nothing_fits_names_no_tools(load_case: LoadCase) -> None:
    [broken] = load_case(('kind = "read"', 'kind = "read"\nending = "decline"')).broken
    assert broken.field == "acceptable"


def test_a_file_that_is_not_utf8_is_listed(load_case: LoadCase, tmp_path: Path, small_catalog: Catalog) -> None:
    load_case()
    (tmp_path / "odd.toml").write_bytes(b'id = "\xff"')
    loaded = load(tmp_path, catalog=small_catalog, worlds=["shop"])
    assert [broken.reason for broken in loaded.broken] == ["is not UTF-8"]
    assert len(loaded.cases) == 2


def test_a_case_is_found_by_its_id(load_case: LoadCase) -> None:
    loaded = load_case()
    assert loaded.find("zebra") is loaded.cases[1]
    assert loaded.find("nobody") is None

"""The start page: cases to choose from, the order slip, and the order."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from arena.models import Run
from policy.people.models import User
from policy.services import agents

ORDER = {"case": "read", "ordered": "1", "menu": "8", "arms": ["full", "selected"], "agent": "offline"}
ORDER |= {"judge": "local", "seed": "3", "pause": "on"}

pytestmark = pytest.mark.django_db


def get(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def titles(page: str) -> list[str]:
    return re.findall(r'<span class="title">(.*?)</span>', page)


@pytest.fixture
def shelf(settings: LazySettings, tmp_path: Path) -> Path:
    """Fixtures of the test's own, so that it can break them."""
    copy = tmp_path / "fixtures"
    shutil.copytree(settings.FIXTURES_DIR, copy)
    settings.FIXTURES_DIR = copy
    return copy / "cases"


def cases(page: str) -> list[str]:
    return re.findall(r'type="radio"\s+name="case"\s+form="order"\s+value="(.*?)"', page)


def judges_offered(page: str) -> list[str]:
    found = re.search(r'<select[^>]*name="judge">(.*?)</select>', page, re.DOTALL)
    assert found is not None
    return re.findall(r'value="(.*?)"', found[1])


def test_every_case_is_a_card_and_the_known_ones_come_first(client: Client) -> None:
    page = get(client, "/")
    assert {"Read a tiny module", "Propose a focused fix", "Know when to ask"} <= set(titles(page))
    assert cases(page)[:4] == ["read", "patch", "inspect", "ambiguous"]


def test_twelve_cards_are_shown_until_all_are_asked_for(client: Client) -> None:
    first, every = get(client, "/"), get(client, "/?all=1")
    assert len(cases(first)) == 12
    assert f"12 of {len(cases(every))} cases shown." in first
    assert cases(every)[:12] == cases(first)
    assert "cases shown" not in every


def test_the_first_cards_are_of_every_kind(client: Client) -> None:
    kinds = re.findall(r'<span class="kind">(\w+)', get(client, "/"))
    assert set(kinds[4:8]) == {"Read", "Change", "Investigate", "Ask"}


def test_a_chosen_case_further_down_takes_the_last_place(client: Client) -> None:
    last = cases(get(client, "/?all=1"))[-1]
    page = get(client, f"/?case={last}")
    assert len(cases(page)) == 12
    assert cases(page)[-1] == last


def test_showing_all_keeps_the_filter(client: Client) -> None:
    assert 'href="?case=patch&amp;kind=read&amp;all=1"' in get(client, "/?kind=read")


def test_a_case_name_with_a_slip_is_answered_with_the_nearest(client: Client) -> None:
    assert "There is no case “ambigous”. Choose one of: ambiguous and" in get(client, "/?case=ambigous")


def test_the_slip_of_a_first_visit_holds_the_focused_fix(client: Client) -> None:
    assert re.search(r'<section class="panel slip".*?<h2>Propose a focused fix</h2>', get(client, "/"), re.DOTALL)


def test_a_judge_that_only_tests_can_use_is_not_offered(client: Client) -> None:
    assert judges_offered(get(client, "/")) == ["local"]


def test_a_chosen_case_that_the_filter_hides_is_still_ordered(client: Client) -> None:
    page = get(client, "/?case=patch&kind=ask")
    assert '<input type="hidden" name="case" form="order" value="patch">' in page
    assert "patch" not in cases(page)


def test_a_search_names_what_other_kinds_hold(client: Client) -> None:
    page = get(client, "/?kind=ask&q=tiny")
    assert "No case of this kind matches, 1 of other kinds does." in page
    assert 'href="?case=patch&amp;q=tiny"' in page


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("menu=abc", "There is no menu of “abc”. Choose one of: 3, 8, 20,"),
        ("judge=oracle", "There is no judge “oracle”. Choose one of: local"),
        ("seed=x", "The seed is a whole number from 0 to 2,147,483,647."),
        ("case=zzz", "There is no case “zzz”. Choose one of: read, patch,"),
    ],
)
def test_an_address_that_makes_no_sense_is_told_with_what_is_allowed(client: Client, query: str, sentence: str) -> None:
    page = get(client, f"/?{query}")
    assert sentence in page
    assert 'role="alert"' in page


def test_a_wrong_seed_keeps_what_was_typed_where_it_can_be_mended(client: Client) -> None:
    page = client.post("/", ORDER | {"seed": "many"}).content.decode()
    assert re.search(r'value="many"\s+aria-invalid="true"', page)
    assert re.search(r'<details class="more" open>', page)


def test_without_scripts_a_case_is_shown_at_an_address_of_its_own(client: Client) -> None:
    response = client.post("/", ORDER | {"show": "1", "csrfmiddlewaretoken": "t"})
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/?case=read&ordered=1&menu=8&arms=full&arms=selected")
    assert "csrf" not in response.headers["Location"]


def test_cases_are_filtered_by_kind_and_by_words(client: Client) -> None:
    asking = titles(get(client, "/?kind=ask"))
    assert "Know when to ask" in asking
    assert "Read a tiny module" not in asking
    assert titles(get(client, "/?q=tiny+MODULE")) == ["Read a tiny module"]


def test_a_search_without_a_match_says_so(client: Client) -> None:
    assert "No case matches." in get(client, "/?q=zeppelin")


def test_a_broken_case_is_listed_with_file_field_and_mend(client: Client, shelf: Path) -> None:
    text = (shelf / "read.toml").read_text()
    (shelf / "read.toml").write_text(text.replace('world = "lamplight"', 'world = "atlantis"'))
    page = get(client, "/?kind=broken")
    assert titles(page) == ["read"]
    assert "<code>read.toml</code>: field <code>world</code>" in page
    assert "Mend: use one of:" in page


def test_a_case_that_is_not_there_is_said_and_cannot_be_run(client: Client) -> None:
    page = get(client, "/?case=nope")
    assert "There is no case “nope”. Choose one of: read," in page
    assert re.search(r'data-key="run"\s+disabled', page)


def test_the_slip_shows_what_every_ticked_lane_would_see(client: Client) -> None:
    page = get(client, "/?case=read&ordered=1&menu=8&arms=selected&arms=shadow")
    words = re.findall(r'<p class="small soft">(.*?)</p>', page)
    assert words == ["Selected menu, the judge picks", "Full menu, 8 tools; the judge is asked, not obeyed"]


def test_a_slip_without_a_lane_asks_for_one(client: Client) -> None:
    assert "Tick at least one lane;" in get(client, "/?case=read&ordered=1&menu=8")


def test_an_order_starts_the_comparison_and_leads_to_its_page(
    client: Client, unpublished: list[tuple[str, int]]
) -> None:
    response = client.post("/", ORDER)
    run = Run.objects.get()
    assert response.headers["Location"] == f"/runs/{run.public_id}/"
    assert (run.case_id, run.origin, run.setup["menu_size"], run.setup["seed"]) == ("read", "page", 8, 3)
    assert run.setup["arms"] == ["full", "selected"]


def test_without_pauses_the_agent_waits_for_nobody(client: Client, unpublished: list[tuple[str, int]]) -> None:
    client.post("/", {key: value for key, value in ORDER.items() if key != "pause"})
    assert Run.objects.get().setup["pause_s"] == 0


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("arms", [], "Tick at least one lane; without a lane there is no run."),
        ("seed", "many", "The seed is a whole number from 0 to"),
        ("menu", "7", "There is no menu of “7”. Choose one of: 3, 8,"),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_shown_again(
    client: Client, field: str, value: object, sentence: str
) -> None:
    response = client.post("/", ORDER | {field: value})
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not Run.objects.exists()


def test_an_unknown_case_is_refused_with_the_allowed_ones(client: Client) -> None:
    response = client.post("/", ORDER | {"case": "nope"})
    assert response.status_code == 404
    assert "There is no case &#x27;nope&#x27;. Allowed:" in response.content.decode()


def test_an_order_from_elsewhere_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1:8000"})
    assert strict.post("/", ORDER).status_code == 403
    assert not Run.objects.exists()


def test_a_first_visit_says_what_will_stand_there(client: Client) -> None:
    assert "No comparison has settled yet." in get(client, "/")


def test_a_page_may_run_only_scripts_of_this_site(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy


LLM = ORDER | {"agent": "llm", "agent_model": "compatible:qwen3"}


def test_the_model_s_fields_are_there_for_an_agent_that_takes_one_and_say_what_is_missing(client: Client) -> None:
    assert "agent_model" not in client.get("/").content.decode()
    page = unescape(client.get("/", {**ORDER, "agent": "llm"}).content.decode())
    assert 'name="agent_model"' in page
    assert "The agent llm needs a model" in page


@pytest.mark.django_db(transaction=True)
def test_a_run_with_a_model_of_the_person_s_own_is_ordered(
    client: Client, owner: User, unpublished: list[tuple[str, int]]
) -> None:
    agents.connect("compatible", base="http://127.0.0.1:9/v1", by=owner)
    more = {"agent_effort": "low", "agent_temperature": "0.5", "max_steps": "7", "max_tokens": "9000"}
    assert client.post("/", {**LLM, **more}).status_code == 302
    setup = Run.objects.get().setup
    assert (setup["agent"], setup["agent_model"], setup["agent_effort"]) == ("llm", "compatible:qwen3", "low")
    assert (setup["agent_temperature"], setup["max_steps"], setup["max_tokens"]) == (0.5, 7, 9000)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("agent_temperature", "hot", "The temperature is a number from 0 to 2"),
        ("max_steps", "0", "The most steps are a whole number from 1 to 100."),
        ("max_tokens", "many", "The most tokens are a whole number"),
        ("agent_effort", "heroic", "There is no effort “heroic”."),
        ("agent_model", "gpt-5-mini", "provider:model"),
    ],
)
def test_a_wrong_field_of_the_model_is_said_and_stays_as_it_was_typed(
    field: str, value: str, says: str, client: Client
) -> None:
    told = client.post("/", {**LLM, field: value})
    page = unescape(told.content.decode())
    assert told.status_code == 422
    assert says in page
    assert not Run.objects.exists()


def test_an_agent_without_a_model_takes_no_notice_of_the_model_s_fields(
    client: Client, unpublished: list[tuple[str, int]]
) -> None:
    assert client.post("/", {**LLM, "agent": "offline"}).status_code == 302
    assert "agent_model" not in Run.objects.get().setup


def test_the_slip_says_where_the_task_goes(client: Client, owner: User) -> None:
    assert "Nothing leaves this machine" in client.get("/", ORDER).content.decode()
    told = client.get("/", {**ORDER, "agent": "llm", "agent_model": "anthropic:claude-haiku-4-5"}).content.decode()
    assert "Task, tools and what they return go to Anthropic." in told
    assert "Nothing leaves this machine" not in told
    agents.connect("anthropic", base="https://models.example.org", by=owner)
    moved = client.get("/", {**ORDER, "agent": "llm", "agent_model": "anthropic:claude-haiku-4-5"}).content.decode()
    assert "go to Anthropic at models.example.org." in moved

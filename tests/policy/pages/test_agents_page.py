"""Settings, Agents: keys and addresses of the providers of models, and the model of a person's agents."""

from __future__ import annotations

import re
from contextlib import ExitStack
from html import unescape
from typing import Any

import pytest
from django.test import Client

from policy.people.models import AgentChoice, Connection, Health, ProviderKey, Role, User
from policy.people.services import local_user
from policy.services import agents
from tests.policy.judges.http.far_side import Act, FarSide, far_side, says

KEY = "sk-canary-77c1e09fd3"
PAGE = "/settings/agents/"
LIST = {"data": [{"id": "qwen3:4b"}, {"id": "gpt-oss:20b"}]}

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def card(client: Client, name: str) -> str:
    page = client.get(PAGE).content.decode()
    found = re.search(rf'<article class="key"\s+id="agent-{name}".*?</article>', page, re.S)
    assert found
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


@pytest.fixture
def stack() -> Any:
    with ExitStack() as stack:
        yield stack


def at(client: Client, stack: ExitStack, *acts: Act, house: str = "compatible") -> FarSide:
    side: FarSide = stack.enter_context(far_side(*acts))
    assert client.post(f"{PAGE}{house}/where/", {"base_url": side.url}).status_code == 302
    return side


def test_a_key_is_stored_and_only_its_end_is_shown(client: Client) -> None:
    told = client.post(f"{PAGE}openai/key/", {"key": KEY}, follow=True)
    assert "Your key of OpenAI is stored" in words(told)
    assert KEY not in told.content.decode()
    assert KEY[-4:] in card(client, "openai")
    row = ProviderKey.objects.get()
    assert row.provider == "agent-openai"
    assert KEY not in row.sealed


def test_a_key_of_an_agent_is_no_key_of_a_judge(client: Client, owner: User) -> None:
    client.post("/settings/keys/openrouter/", {"key": "sk-or-of-the-judge-123456"})
    assert "none: enter one" in card(client, "openrouter")


def test_both_ways_to_openai_have_one_key(client: Client, owner: User) -> None:
    client.post(f"{PAGE}openai/key/", {"key": KEY})
    assert agents.why_not("openai", by=owner) == agents.why_not("openai-chat", by=owner) == ""


def test_a_removed_key_is_gone(client: Client) -> None:
    client.post(f"{PAGE}openai/key/", {"key": KEY})
    assert "is deleted" in words(client.post(f"{PAGE}openai/key/remove/", follow=True))
    assert not ProviderKey.objects.exists()
    assert "nothing was deleted" in words(client.post(f"{PAGE}openai/key/remove/", follow=True))


def test_a_check_asks_for_the_models_and_lists_them(client: Client, stack: ExitStack) -> None:
    side = at(client, stack, says(200, LIST))
    client.post(f"{PAGE}compatible/key/", {"key": KEY})
    told = client.post(f"{PAGE}compatible/check/", follow=True)
    assert "answers and accepts the key" in words(told)
    assert (side.visits[0].path, side.visits[0].headers["authorization"]) == ("/models", f"Bearer {KEY}")
    assert "qwen3:4b, gpt-oss:20b" in card(client, "compatible")
    assert "works" in card(client, "compatible")
    assert "compatible:qwen3:4b" in told.content.decode()


@pytest.mark.parametrize(
    ("house", "path", "header"),
    [
        ("openai", "/models", "authorization"),
        ("openrouter", "/key", "authorization"),
        ("anthropic", "/v1/models", "x-api-key"),
        ("google", "/v1beta/models", "x-goog-api-key"),
    ],
)
def test_each_house_is_asked_in_its_own_way(
    house: str, path: str, header: str, client: Client, stack: ExitStack
) -> None:
    side = at(client, stack, says(200, {"models": [{"name": "models/gemini-x"}]}), house=house)
    client.post(f"{PAGE}{house}/key/", {"key": KEY})
    client.post(f"{PAGE}{house}/check/")
    (visit,) = side.visits
    assert visit.path == path
    assert KEY in visit.headers[header]


def test_a_refused_key_is_said_with_the_far_side_s_own_words_and_without_the_key(
    client: Client, stack: ExitStack
) -> None:
    at(client, stack, says(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}))
    client.post(f"{PAGE}compatible/key/", {"key": KEY})
    told = client.post(f"{PAGE}compatible/check/", follow=True)
    assert "Incorrect API key provided: [redacted]" in words(told)
    assert KEY not in told.content.decode()
    assert "refused" in card(client, "compatible")
    assert KEY not in " ".join(Health.objects.values_list("failure_message", flat=True))


def test_a_check_of_what_is_not_set_up_says_what_is_missing(client: Client) -> None:
    assert "there is no key of OpenAI yet" in words(client.post(f"{PAGE}openai/check/", follow=True))
    assert "has no address yet" in words(client.post(f"{PAGE}compatible/check/", follow=True))


def test_a_server_that_is_not_there_is_offline(client: Client) -> None:
    client.post(f"{PAGE}compatible/where/", {"base_url": "http://127.0.0.1:9/v1"})
    client.post(f"{PAGE}compatible/check/")
    assert "offline" in card(client, "compatible")


def test_an_address_is_kept_and_another_forgets_what_was_listed(client: Client, stack: ExitStack) -> None:
    at(client, stack, says(200, LIST))
    client.post(f"{PAGE}compatible/check/")
    client.post(f"{PAGE}compatible/where/", {"base_url": "http://127.0.0.1:9/v1"})
    row = Connection.objects.get()
    assert (row.provider, row.base_url, row.models_listed) == ("agent-compatible", "http://127.0.0.1:9/v1", [])


@pytest.mark.parametrize(
    "base", ["http://example.org/v1", "https://10.0.0.7/v1", "https://u:p@example.org", "nonsense"]
)
def test_an_address_that_may_not_be_is_refused_beside_its_field(base: str, client: Client) -> None:
    told = client.post(f"{PAGE}compatible/where/", {"base_url": base})
    assert told.status_code == 422
    assert 'role="alert"' in told.content.decode()
    assert not Connection.objects.exists()


def test_a_key_that_cannot_be_one_is_refused_without_showing_it(client: Client) -> None:
    told = client.post(f"{PAGE}openai/key/", {"key": f"{KEY} and more"})
    assert told.status_code == 422
    assert KEY not in told.content.decode()


def test_a_model_is_chosen_kept_and_forgotten(client: Client, owner: User) -> None:
    told = client.post(f"{PAGE}model/", {"model": "openrouter:openai/gpt-5-mini"}, follow=True)
    assert "Your agents take openrouter:openai/gpt-5-mini." in words(told)
    assert str(agents.chosen(by=owner)) == "openrouter:openai/gpt-5-mini"
    client.post(f"{PAGE}model/", {"model": ""})
    assert not AgentChoice.objects.exists()


@pytest.mark.parametrize("text", ["gpt-5-mini", "nobody:x", "openai:", "openai:a b", "openrouter:gpt"])
def test_a_model_that_cannot_be_is_refused_and_stays_in_its_field(text: str, client: Client) -> None:
    told = client.post(f"{PAGE}model/", {"model": text})
    assert told.status_code == 422
    assert f'value="{text}"' in told.content.decode()


def test_a_reader_may_look_and_change_nothing(client: Client) -> None:
    User.objects.filter(pk=local_user().pk).update(role=Role.READER)
    assert "You may look, not change" in words(client.get(PAGE))
    for path in ("openai/key/", "openai/key/remove/", "openai/where/", "openai/check/", "model/"):
        assert client.post(f"{PAGE}{path}", {"key": KEY, "model": "openai:x"}).status_code == 403
    assert not ProviderKey.objects.exists()


def test_an_unknown_provider_is_not_found(client: Client) -> None:
    assert client.post(f"{PAGE}nobody/check/").status_code == 404

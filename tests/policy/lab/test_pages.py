"""The pages of the policy lab: what opens, what is judged, what is refused, what can be opened again."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.test import Client

from policy.lab import forms, stored, story
from policy.models import LedgerEntry
from policy.services import turns

pytestmark = pytest.mark.django_db

CALL = {
    "task": "Tidy up",
    "tool": "remove_file",
    "arguments": '{"path": "notes.txt"}',
    "schema": '{"type": "object", "required": ["path"]}',
    "restrictions": "Keep every note.",
    "judge": "scripted",
}
SELECT = {"task": "Look up the host", "tools": "net / dig: Looks up a host.\ndisk / du: Sizes.", "judge": "scripted"}
MODEL = {
    "task": "Prove it",
    "routes": "reasoning = acme/large: Proofs.",
    "default_target": "acme/small",
    "available": "acme/large",
    "judge": "scripted",
}
SKILL = {"task": "Write the notes", "skills": "notes: Writes notes. | A release.", "judge": "scripted"}


def script(**answers: Any) -> str:
    return json.dumps(answers)


PICKED = script(rel_net={"noul": 0.9}, rel_disk={"noul": 0.1}, pick_net={"choice": "dig"})


def text_of(response: Any) -> str:
    """What a reader sees, entities and white space aside."""
    words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(words))


def judged(client: Client, key: str, **fields: str) -> Any:
    return client.post(f"/policy/{key}/", {"profile": "default", "mode": "enforce", **fields}, follow=True)


DENIED = script(matches_task={"noul": 0.88}, missing_information={"noul": 0.21}, violates_restriction={"noul": 0.93})


def test_a_call_shows_the_decision_every_rule_and_every_word(client: Client) -> None:
    text = text_of(judged(client, "call", **CALL, script=DENIED))
    assert "deny violates_restriction .93, threshold .50" in text
    assert "assessment.missing-information missing_information ≥ .50 .21 .50 −.29 no" in text
    assert '"arguments": "{\\"path\\":\\"notes.txt\\"}"' in text
    assert "enforce: a host obeys it" in text
    assert "deny, 2 rules up to .21 deny" in text


def test_a_bar_is_bright_where_its_threshold_is_reached_without_any_script(client: Client) -> None:
    page = re.sub(r"\s+", " ", judged(client, "call", **CALL, script=DENIED).content.decode())
    bright = re.findall(r'class="meter big fires" data-tick="(\w+)"', page)
    assert bright == ["restriction"]


def test_an_allowed_call_says_that_no_rule_fires(client: Client) -> None:
    allowed = script(matches_task={"noul": 0.9}, missing_information={"noul": 0}, violates_restriction={"noul": 0})
    text = text_of(judged(client, "call", **CALL, script=allowed))
    assert "allow No rule against the call fires. assessment.clear" in text


def test_a_missing_argument_is_found_before_any_judge_is_asked(client: Client) -> None:
    text = text_of(judged(client, "call", **{**CALL, "arguments": "{}"}))
    assert "ask Required by the tool, but not given: path is absent." in text
    assert "the judge was not asked" in text
    assert LedgerEntry.objects.count() == 0


def test_a_call_that_is_too_long_is_not_sent_in_part(client: Client) -> None:
    text = text_of(judged(client, "call", **{**CALL, "arguments": json.dumps({"path": "x" * 5000})}))
    assert "INCOMPLETE_INPUT" in text
    assert "path: longer than the bound" in text
    assert LedgerEntry.objects.count() == 0


def test_a_failed_assessment_asks_and_never_allows(client: Client) -> None:
    text = text_of(judged(client, "call", **CALL, script=script(violates_restriction={"noul": 7})))
    assert "ask INVALID_RESPONSE" in text
    assert "assessment.failure.ask" in text
    assert "None of these answers is used." in text
    assert "unusable: " in text
    assert "matches_task < .35 .50 .35 +.15 not used" in text


def test_a_risk_is_shown_and_never_decides(client: Client) -> None:
    text = text_of(judged(client, "call", **CALL, include_risk="on", script=DENIED))
    assert "risk never decides" in text


def test_a_secret_in_an_argument_is_masked_in_what_is_sent(client: Client) -> None:
    response = judged(
        client, "call", **{**CALL, "arguments": '{"path": "a", "api_key": "sk-123456789"}'}, script=DENIED
    )
    taken = "".join(re.findall(r'<pre tabindex="0" id="take-.*?</pre>', response.content.decode(), re.DOTALL))
    assert response.redirect_chain == []
    assert "[redacted]" in taken
    assert "sk-123456789" not in taken
    assert '\\"api_key\\":\\"[redacted]\\"' in text_of(response)
    assert "sk-123456789" not in json.dumps(LedgerEntry.objects.get().request)


def test_a_selection_shows_the_decision_the_rule_and_every_word(client: Client) -> None:
    text = text_of(judged(client, "select", **SELECT, script=PICKED))
    assert "best pick .90, threshold .35" in text
    assert "selection.selected" in text
    assert '"rel_net": { "type": "noul"' in text
    assert "it judges nothing." in text


def test_a_judged_request_has_an_address_that_asks_nobody_again(client: Client) -> None:
    first = judged(client, "select", **SELECT, script=PICKED)
    address, status = first.redirect_chain[-1]
    assert status == 302
    asked = LedgerEntry.objects.count()
    again = client.get(address)
    assert text_of(again) == text_of(first)
    assert LedgerEntry.objects.count() == asked == 2


def test_an_address_with_other_inputs_says_that_its_judgment_is_gone(client: Client) -> None:
    address = judged(client, "select", **SELECT, script=PICKED).redirect_chain[-1][0]
    text = text_of(client.get(address.replace("Look+up", "Move")))
    assert "cannot be shown: the stored judgment is of other inputs" in text
    assert "Nothing asked yet" in text
    assert "no such judgment" in text_of(client.get(re.sub("judgment=.*", "judgment=0", address)))


def test_an_address_says_that_its_profile_has_changed(client: Client) -> None:
    address = judged(client, "select", **SELECT, script=PICKED).redirect_chain[-1][0]
    text = text_of(client.get(re.sub("under=[0-9a-f]{12}", "under=0123456789ab", address)))
    assert "The profile has changed since this judgment was made" in text
    assert "best pick .90" in text


def test_a_failed_judgment_is_told_with_its_reason_and_permits_nothing(client: Client) -> None:
    text = text_of(judged(client, "select", **SELECT, script=script(rel_net={"omit": True})))
    assert "no usable judgment" in text
    assert "INVALID_RESPONSE" in text
    assert "answers.rel_net: no answer to a question that was sent" in text
    assert "no threshold changes this decision" in text


def test_a_model_route_leads_to_its_model(client: Client) -> None:
    text = text_of(judged(client, "model", **MODEL, script=script(route={"choice": "reasoning"})))
    assert "routed probability .90, threshold .40" in text
    assert "Leads to acme/large" in text


def test_a_skill_route_names_its_skill(client: Client) -> None:
    answers = script(needs_skill={"noul": 0.8}, skill={"choice": "notes"})
    text = text_of(judged(client, "skill", **SKILL, script=answers))
    assert "A skill is needed, fits, and the judge is sure enough." in text
    assert "Leads to notes" in text


@pytest.mark.parametrize(("key", "says"), [("skill", "it cannot read"), ("model", "knows nothing of the models")])
def test_a_judge_says_beside_its_answers_what_it_cannot_read(key: str, says: str) -> None:
    assert says in story.caveat("local", key)
    assert says not in story.caveat("local", "call")
    assert story.caveat("scripted", key) == ""


def test_mode_off_asks_nobody(client: Client) -> None:
    text = text_of(judged(client, "skill", **{**SKILL, "mode": "off"}))
    assert "off: no judge was asked" in text
    assert LedgerEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("key", "wrong", "says"),
    [
        ("call", {"tool": ""}, "Name the tool that is called."),
        ("call", {"arguments": "[1]"}, "This is not a JSON object"),
        ("call", {"schema": "{"}, "This is not JSON"),
        ("select", {"task": ""}, "Say what the task is."),
        ("select", {"tools": ": x"}, "Line 1 names no tool"),
        ("select", {"max_selected": "x"}, "The cap is a whole number"),
        ("select", {"judge": "oracle"}, "There is no judge “oracle”. Choose one of: local, gguf, scripted, typesafe,"),
        ("select", {"mode": "on"}, "There is no mode “on”. Choose one of: off, shadow, enforce."),
        ("select", {"script": "{"}, "This is not JSON"),
        ("call", {"script": '{"risk": 5}'}, "The script of risk is no object"),
        ("call", {"script": '{"risk": {"nuol": 1}}'}, "The script of risk has no key nuol"),
        ("call", {"script": '{"risk": {"score": "high"}}'}, "The score that risk is to give is no number"),
        (
            "skill",
            {"script": '{"skill": {"choice": {"confidence": 1}}}'},
            "The choice that skill is to give is no label",
        ),
        ("skill", {"script": '{"skill": {"choice": {"choice": "a", "confidence": "x"}}}'}, "is no number"),
        ("skill", {"script": '{"skill": {"choice": {"choice": "a", "probabilities": 1}}}'}, "are no object"),
        ("select", {"task": "x" * (forms.MAX_CHARS + 1)}, "at most 200000 characters"),
        ("model", {"default_target": "acme"}, "names no model"),
        ("model", {"routes": "slow = a/b"}, "Line 1 begins with none of"),
        ("skill", {"skills": ""}, "List the skills, one a line"),
    ],
)
def test_what_cannot_be_read_is_refused_beside_its_field(client: Client, key: str, wrong: Any, says: str) -> None:
    sent = {"call": CALL, "select": SELECT, "model": MODEL, "skill": SKILL}[key]
    response = judged(client, key, **{**sent, **wrong})
    name = next(iter(wrong))
    assert response.status_code == 422
    assert re.search(rf'id="fault-{name}"|<p class="fault">', response.content.decode())
    assert says in text_of(response)
    assert LedgerEntry.objects.count() == 0


def test_a_secret_never_reaches_an_address(client: Client) -> None:
    response = judged(client, "select", **{**SELECT, "task": "Use password=hunter2-hunter2"}, script=PICKED)
    assert response.redirect_chain == []
    assert "what looks like a secret, so no address" in text_of(response)


def test_a_request_that_is_too_long_for_an_address_is_shown_without_one(client: Client) -> None:
    response = judged(client, "select", **{**SELECT, "task": "x" * 7000}, script=PICKED)
    assert response.redirect_chain == []
    assert "too long for an address" in text_of(response)


def test_foreign_text_is_escaped_once(client: Client) -> None:
    response = judged(client, "select", **{**SELECT, "task": "<b>&amp;</b>"}, script=PICKED)
    page = response.content.decode()
    assert "<b>&amp;" not in page
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in page
    assert "&amp;amp;amp;" not in page


def test_the_lab_opens_with_an_example_and_asks_nobody(client: Client) -> None:
    opened = client.get("/policy/").content.decode()
    assert "purge_logs" in opened
    assert "While an incident is open" in opened
    page = client.get("/policy/select/").content.decode()
    assert 'value="refund" selected' in re.sub(r"\s+", " ", page)
    assert "issue_refund" in page
    assert "Nothing asked yet" in page
    assert LedgerEntry.objects.count() == 0


def test_an_example_that_is_gone_is_told(client: Client) -> None:
    assert "There is no example “gone” any more" in text_of(client.get("/policy/select/?example=gone"))


def test_an_address_may_fill_in_the_form_without_an_example(client: Client) -> None:
    page = client.get("/policy/skill/?task=Only+this").content.decode()
    assert ">\nOnly this</textarea>" in page
    assert 'name="example" value=""' in page


def test_a_function_that_does_not_exist_is_not_found(client: Client) -> None:
    assert client.get("/policy/oracle/").status_code == 404


def test_a_reader_may_look_and_not_ask(client: Client, reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy.people.services.local_user", lambda: reader)
    assert client.get("/policy/select/").status_code == 200
    response = judged(client, "select", **SELECT)
    assert response.status_code == 403
    assert "needs the role member" in text_of(response)


def test_the_header_leads_to_the_lab(client: Client) -> None:
    assert re.search(r'<a href="/policy/"\s+aria-current="page">Policy</a>', client.get("/policy/").content.decode())


@pytest.mark.parametrize(
    ("key", "fields"),
    [("call", CALL), ("select", SELECT), ("model", MODEL), ("skill", SKILL)],
    ids=["call", "select", "model", "skill"],
)
def test_the_api_takes_the_call_that_the_page_offers(client: Client, key: str, fields: Any) -> None:
    page = text_of(judged(client, key, **{**fields, "judge": "local"}))
    found = re.search(r"curl (\S+) -H '([^']+)' -d '(\{.*?\})' Copy|curl (\S+) -H '([^']+)' -d '(\{.*?\})' JSON", page)
    assert found
    path, body = (found[1] or found[4]), (found[3] or found[6])
    answered = client.post(path.removeprefix("http://127.0.0.1:8000"), body, content_type="application/json")
    assert answered.status_code == 200, answered.content
    assert answered.json()["judge"] == "local"


def test_a_judge_that_is_busy_is_told_and_nothing_is_asked(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 0)
    response = judged(client, "call", **CALL)
    assert response.status_code == 503
    assert "The judge scripted is busy" in text_of(response)
    assert not LedgerEntry.objects.exists()


@pytest.mark.parametrize("value", ['"\\ud800"', "9" * 5000, "[" * 300 + "]" * 300, '1, "a": 2'])
def test_arguments_that_no_page_can_show_are_refused_beside_their_field(client: Client, value: str) -> None:
    response = judged(client, "call", **{**CALL, "arguments": f'{{"a": {value}}}'})
    assert response.status_code == 422
    assert re.search(r"This JSON|stands twice", text_of(response))


def test_an_address_with_an_impossible_judgment_is_no_trouble(client: Client) -> None:
    fields = {**CALL, "profile": "default", "mode": "enforce", "judgment": "\x00"}
    assert "the ledger holds no such judgment" in text_of(client.get("/policy/call/", fields))


def test_the_call_of_the_api_keeps_a_cap_of_none(client: Client) -> None:
    assert '"max_selected": 0' in text_of(judged(client, "select", **{**SELECT, "judge": "local", "max_selected": "0"}))


def test_no_address_is_offered_that_would_not_show_the_judgment(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*asked: Any, **more: Any) -> Any:
        raise stored.Departed("the stored judgment never got all its answers")

    monkeypatch.setattr(stored, "judgment", gone)
    response = judged(client, "call", **CALL)
    assert response.redirect_chain == []
    assert "There is no address: this judgment could not be shown again (the stored" in text_of(response)
    assert 'id="take-link"' not in response.content.decode()

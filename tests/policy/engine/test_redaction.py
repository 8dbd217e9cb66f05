"""Redaction: which names are secret, what strings lose, and what must not be hidden from a judge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.bounded_call import bound_value
from policy.engine.profile import InvalidConfig
from policy.engine.redaction import FRAGMENTS, REDACTED, mask, masked, secret_name, suspicious_json

SEPARATORS = st.sampled_from(["", "-", "_", ".", " ", ":"])
SECRETS = st.text("abcdefghjkmnpqrstuvwxyz0123456789", min_size=12, max_size=20).map(lambda text: f"Zq7{text}")
# Every form in which a credential stands in a text; {} is the credential.
FORMS = (
    "curl -H 'Authorization: Bearer {}' https://example.org",
    'curl -H "X-Api-Key: {}" -d x=1',
    "Cookie: session={}; theme=dark",
    "set-cookie: id={}\r\nHost: example.org",
    "password={}&next=/home",
    "API_KEY='{}' ./deploy.sh",
    '{{"user": "ann", "password": "{}", "age": 3}}',
    '{{\\"clientSecret\\": \\"{}\\"}}',
    "tool --api-key {} --verbose",
    "tool --access-token={} run",
    "curl -u ann:{} https://example.org",
    "git clone https://ann:{}@example.org/repo.git",
    "postgres://app:a/{}@db/prod",
    "https://{}@example.org",
    "config:\n  db_password: {}\n  port: 1",
    "Server=db;Password={};Database=prod",
    "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n{}",
    "use Bearer {} for it",
    "'pass_phrase: my {} phrase'",
    "user[password]={}",
)
PIECES = [
    "password",
    "token",
    "Cookie",
    "x-api-key",
    "abc1",
    ":",
    "=",
    "==",
    '"',
    "'",
    "\\",
    "://",
    "u:p@",
    "@",
    "&",
    ";",
    ",",
    "--",
    "[redacted]",
]
BLOCKS = ["-----BEGIN KEY-----", "-----END KEY-----", " ", "\n", "-u ", "Bearer ", "Basic "]
SAID = st.lists(st.sampled_from([*PIECES, *BLOCKS]), max_size=14).map("".join)


@pytest.mark.parametrize("fragment", FRAGMENTS)
@pytest.mark.parametrize("form", ["{}", "DB_{}", "my-{}-2", "{}s"])
def test_every_fragment_is_found_in_any_case(fragment: str, form: str) -> None:
    name = form.format(fragment)
    assert secret_name(name)
    assert secret_name(name.upper())


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_no_fragment_is_overlooked_at_first_sight(fragment: str) -> None:
    assert masked(f"{fragment.upper()}=hunter2") == f"{fragment.upper()}={REDACTED}"
    assert suspicious_json(f'{{"note":"{fragment}=hunter2"}}')


@given(fragment=st.sampled_from(FRAGMENTS), separator=SEPARATORS)
def test_separators_do_not_matter(fragment: str, separator: str) -> None:
    words = fragment.split("_") if "_" in fragment else [fragment[:3], fragment[3:]]
    assert secret_name(separator.join(words))


@pytest.mark.parametrize("name", ["apiKey", "X_API_KEY", "api-key", "privateKey", "ｐａｓｓｗｏｒｄ", "pass\u200bword"])
def test_spellings_of_one_name_are_one(name: str) -> None:
    assert secret_name(name)


@pytest.mark.parametrize(
    "name", ["secretary", "Secretaries", "max_tokens", "maxOutputTokens", "token_count", "path", ""]
)
def test_plain_words_and_numbers_of_tokens_are_no_secrets(name: str) -> None:
    assert not secret_name(name)


@pytest.mark.parametrize(
    "name", ["secretary_password", "max_token_secret", "new_tokens", "access_tokens", "secretaryToken", "token"]
)
def test_a_plain_word_does_not_cover_for_a_secret(name: str) -> None:
    assert secret_name(name)


def test_more_fragments_are_added_to_ours_and_matched_alike() -> None:
    assert secret_name("Social-Security", ["socialSecurity"])
    assert secret_name("password", ["ssn"])
    assert secret_name("max_tokens", ["TOKENS"])
    assert not secret_name("session", ["ssn"])


@pytest.mark.parametrize("extra", [["-"], [""], "ssn", [3]])
def test_a_fragment_that_would_match_everything_is_refused(extra: list[str]) -> None:
    with pytest.raises(InvalidConfig, match="redactKeys"):
        secret_name("path", extra)


@given(secret=SECRETS, form=st.sampled_from(FORMS))
def test_a_planted_secret_never_stays(secret: str, form: str) -> None:
    text = masked(form.format(secret))
    assert secret not in text
    assert REDACTED in text
    assert masked(text) == text


def test_a_stray_quote_hides_no_name_behind_it() -> None:
    assert "hunter2" not in masked("password:'\nAPI_KEY='hunter2' ./deploy.sh")


@given(text=SAID)
def test_masking_again_changes_nothing(text: str) -> None:
    assert masked(masked(text)) == masked(text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("curl -H 'Authorization: Bearer abc' /x", "curl -H 'Authorization: [redacted]' /x"),
        ("a=1&token=abc&b=2", "a=1&token=[redacted]&b=2"),
        ("TOKEN='a b' run", "TOKEN='[redacted]' run"),
        ("https://ann:pw@example.org/a", "https://[redacted]@example.org/a"),
        ('{"password": "a\\"b", "n": 1}', '{"password": "[redacted]", "n": 1}'),
        ("f(token=abc, n=1)", "f(token=[redacted], n=1)"),
        ("x\n-----BEGIN KEY-----\nabc=\n-----END KEY-----\ny", "x\n[redacted]\ny"),
        ("Password: two words\nnext: line", "Password: [redacted]\nnext: line"),
        ("Our api key: abc, please", "Our api key: [redacted], please"),
        ("Passwort: abc\nDB_PASSWORT=abc x", "Passwort: [redacted]\nDB_PASSWORT=[redacted] x"),
        ("<user>ann</user><password>abc</password>", "<user>ann</user><password>[redacted]</password>"),
    ],
)
def test_only_the_secret_goes(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize(
    "key",
    [
        "ghp_0123456789abcdefABCDEF",
        "github_pat_11ABCDEFG0123456789_abcdef",
        "glpat-0123456789abcdefABCD",
        "xoxb-123456789012-abcdefABCDEF",
        "sk_live_0123456789abcdefABCD",
        "sk-proj-0123456789abcdefABCD",
        "npm_0123456789abcdefABCDEF",
        "hf_0123456789abcdefABCDEF",
        "AKIA0123456789ABCDEF",
        "AIzaSy0123456789abcdefABCDEF_-0123456",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    ],
)
def test_a_key_that_names_its_issuer_needs_no_name(key: str) -> None:
    assert masked(f"Try {key}, then stop") == "Try [redacted], then stop"
    assert bound_value([key, {"x": key}], max_chars=99, max_items=9, max_depth=9).value == [REDACTED, {"x": REDACTED}]


@pytest.mark.parametrize(
    "text",
    [
        "Tell the secretary: lunch is at 12",
        "max_tokens=500 and token_count: 3",
        "http://localhost:8080/a?mail=ann@example.org",
        "git@example.org:team/repo.git",
        "bearer of good news",
        "Bearer tokens expire",
        "Basic authentication",
        "docker run --user app image",
        "rm -rf /srv/data; echo done",
        "SELECT a FROM t WHERE b = 'c'",
        "the desk-0123456789-ABCDEFGHIJ and the sk-learn-of-the-year",
        "hf_transformers_and_npm_config_cache_folder_2",
        "<p>password</p>",
        "Private keys are never shown",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert mask(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "curl -H Authorization: x; rm -rf /",
        'TOKEN="$(rm -rf /)" true',
        "-----BEGIN KEY-----\nrm -rf /",
        "-----BEGIN KEY-----\nrm -rf /\n-----END KEY-----",
        "password: x;reboot",
        "Cookie: a | sh",
    ],
)
def test_a_mask_that_could_cover_a_command_says_so(text: str) -> None:
    assert mask(text).hides


@pytest.mark.parametrize("text", ["curl -H 'Cookie: a=1; b=2'", "TOKEN='a;b' run", "password=abc; ls"])
def test_a_mask_over_a_plain_credential_hides_nothing(text: str) -> None:
    found = mask(text)
    assert found.text != text
    assert not found.hides


@pytest.mark.parametrize("unit", ["token: a ", "a-token:", '\\"', "://a:b", "-", "-----BEGIN K-----", "bearer "])
def test_long_texts_of_one_pattern_are_masked_at_all(unit: str) -> None:
    text = masked("password=" + unit * 20_000)
    assert len(text) <= len("password=") + len(unit) * 20_000 + len(REDACTED) * 20_000

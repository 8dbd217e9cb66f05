"""Where a judge may be asked: checked when the address is set and when a connection is made."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import httpcore
import pytest

from policy.engine.profile import InvalidConfig
from policy.judges.http.address import base_url, origin_of
from policy.judges.http.network import AddressRefused, client, seconds, until
from policy.judges.http.retries import Retries
from tests.policy.judges.http.asking import REPLY, ask, target
from tests.policy.judges.http.far_side import far_side, says


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("https://api.typesafe.ai", "https://api.typesafe.ai"),
        ("https://API.typesafe.ai:443/", "https://api.typesafe.ai"),
        (" https://host.example/v1/systemone/ ", "https://host.example/v1/systemone"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://localhost:8000/x", "http://localhost:8000/x"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        (
            "https://api.cloudflare.com/client/v4/accounts/ab-1/@cf/x",
            "https://api.cloudflare.com/client/v4/accounts/ab-1/@cf/x",
        ),
    ],
)
def test_usable_addresses(given: str, text: str) -> None:
    assert base_url(given).text == text


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "is missing"),
        ("api.typesafe.ai", "begins with neither"),
        ("ftp://host.example", "begins with neither"),
        ("file:///etc/passwd", "begins with neither"),
        ("http://host.example", "begins with https://"),
        ("http://127.0.0.1.example", "begins with https://"),
        ("https://me:pass@host.example", "user name or password"),
        ("https://me@host.example", "user name or password"),
        ("https://host.example?key=1", "after \\? or #"),
        ("https://host.example#x", "after \\? or #"),
        ("https://host.example/a/../b", "the path"),
        ("https://host.example/a b", "a space"),
        ("https://host.example/\n", "cannot|path|space|#"),
        ("https://hóst.example", "outside ASCII"),
        ("https://", "names no host"),
        ("https://host.example:0", "port 0"),
        ("https://host.example:99999", "cannot be read"),
        ("https://[::1", "cannot be read"),
        ("https://10.0.0.5", "private network"),
        ("https://192.168.1.9", "private network"),
        ("https://172.16.0.1:8443", "private network"),
        ("https://[fd12::1]", "private network"),
        ("https://100.64.0.1", "private network"),
        ("https://169.254.169.254", "no address of a judge"),
        ("https://[::ffff:169.254.169.254]", "no address of a judge"),
        ("https://[::ffff:10.0.0.5]", "private network"),
        ("https://0.0.0.0", "no address of a judge"),
        ("https://224.0.0.1", "no address of a judge"),
    ],
)
def test_unusable_addresses_are_refused_with_the_reason(given: str, why: str) -> None:
    if given.endswith("\n"):
        assert base_url(given).text == "https://host.example"
        return
    with pytest.raises(InvalidConfig, match=why) as refused:
        base_url(given)
    assert "pass" not in str(refused.value).replace("password", "")


@pytest.mark.parametrize("given", ["http://10.0.0.5:8000", "http://gpu-box.lan:8000", "https://192.168.1.9"])
def test_the_operator_can_allow_private_networks(given: str) -> None:
    assert base_url(given, private=True).text == given
    with pytest.raises(InvalidConfig):
        base_url(given)


@pytest.mark.parametrize("given", ["https://169.254.169.254", "http://169.254.169.254", "http://93.184.216.34"])
def test_the_operator_cannot_allow_everything(given: str) -> None:
    with pytest.raises(InvalidConfig):
        base_url(given, private=True)


@pytest.mark.parametrize(
    ("given", "found", "refused"),
    [
        ("https://host.example", "93.184.216.34", False),
        ("https://host.example", "2606:2800:220:1::1", False),
        ("https://host.example", "10.0.0.5", True),
        ("https://host.example", "127.0.0.1", True),
        ("https://host.example", "::1", True),
        ("https://host.example", "::ffff:127.0.0.1", True),
        ("https://host.example", "fe80::1%eth0", True),
        ("http://localhost:8000", "127.0.0.1", False),
        ("http://localhost:8000", "::1", False),
        ("http://localhost:8000", "10.0.0.5", True),
    ],
)
def test_what_a_name_leads_to_is_checked_again(given: str, found: str, refused: bool) -> None:
    assert (base_url(given).refused(found) is not None) is refused


def leads_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[Any]:
    """Every host name leads to these addresses; the list collects what was looked up."""
    asked: list[Any] = []

    def getaddrinfo(host: Any, port: Any, *args: Any, **more: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_a_public_name_that_leads_inside_is_not_connected_to(monkeypatch: pytest.MonkeyPatch, awaited: bool) -> None:
    with far_side(says(200, REPLY)) as side:
        asked = leads_to(monkeypatch, "127.0.0.1")
        told = ask(target(base_url=side.url.replace("http://127.0.0.1", "https://judge.example")), awaited=awaited)
        assert side.visits == []
    assert [host if isinstance(host, str) else host.decode() for host in asked] == ["judge.example"]
    assert told.code == "INVALID_CONFIG"
    assert "judge.example leads to 127.0.0.1" in told.message
    assert told.statuses == ["transport_error"]


def test_one_address_inside_refuses_the_public_ones_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to(monkeypatch, "93.184.216.34", "10.0.0.5")
    told = ask(target(base_url="https://judge.example"))
    assert "leads to 10.0.0.5" in told.message


def test_localhost_is_reached_by_name(awaited: bool) -> None:
    with far_side(says(200, REPLY)) as side:
        told = ask(target(base_url=side.url.replace("127.0.0.1", "localhost")), awaited=awaited)
    assert told.reply is not None


def test_a_name_without_an_address_is_offline_and_asked_again(monkeypatch: pytest.MonkeyPatch, awaited: bool) -> None:
    def fails(*args: Any, **more: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    told = ask(target(base_url="https://judge.example"), awaited=awaited)
    assert told.code == "CONNECTION"
    assert "host name could not be found; is this machine offline?" in told.message
    assert len(told.ended) == 3


def test_a_look_up_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def hangs(*args: Any, **more: Any) -> Any:
        over.wait(5)
        raise socket.gaierror(-3, "try again")

    monkeypatch.setattr(socket, "getaddrinfo", hangs)
    told = ask(target(base_url="https://judge.example"), retries=Retries(more=0, attempt_s=0.1))
    over.set()
    assert (told.code, told.statuses) == ("TIMEOUT", ["timeout"])


@pytest.mark.parametrize("own", [None, 0.001, 100.0])
def test_no_read_may_take_longer_than_the_attempt(own: float | None) -> None:
    with until(time.monotonic() + 50):
        allowed = seconds(own)
    assert allowed is not None
    assert allowed <= min(own or 50, 50)
    with until(time.monotonic() - 1), pytest.raises(httpcore.ReadTimeout):
        seconds(own)
    assert seconds(own) == own


def test_our_guard_is_what_httpx_connects_with(monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to(monkeypatch, "10.0.0.5")
    with client(base_url("https://judge.example")) as opened, pytest.raises(Exception, match=r"10\.0\.0\.5") as refused:
        opened.get("https://judge.example")
    assert isinstance(refused.value.__cause__, AddressRefused)


def test_the_environment_redirects_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login somebody password else\n")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("TYPESAFE_BASE_URL", "http://127.0.0.1:9")
    assert target().base.text == "https://api.typesafe.ai"
    with far_side(says(200, REPLY)) as side:
        told = ask(target("compatible", key=None, base_url=side.url))
        assert told.reply is not None
        assert "authorization" not in side.visits[0].headers


@pytest.mark.parametrize(("url", "origin"), [("https://a.b/c", ("https", "a.b", 443)), ("https://a:x/", None)])
def test_an_origin_is_scheme_host_and_port(url: str, origin: object) -> None:
    assert origin_of(url) == origin

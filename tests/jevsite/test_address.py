from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from jevsite import address
from jevsite.trouble import Refusal


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_taken_port_gives_way_to_the_next_free_one(taken: int) -> None:
    with address.listen("127.0.0.1", taken) as sock:
        assert taken < sock.getsockname()[1] < taken + 100


def test_callers_can_connect_before_anybody_serves() -> None:
    with address.listen("127.0.0.1", 0) as sock, socket.create_connection(sock.getsockname(), timeout=1):
        assert address.url(sock) == f"http://127.0.0.1:{sock.getsockname()[1]}"


def test_with_no_free_port_left_the_sentence_names_the_mend() -> None:
    with address.listen("127.0.0.1", 65535), pytest.raises(Refusal, match=r"all taken on 127\.0\.0\.1. Choose another"):
        address.listen("127.0.0.1", 65535)


def test_an_address_that_this_machine_has_not_is_a_sentence() -> None:
    with pytest.raises(Refusal, match=r"192\.0\.2\.1:8000 cannot be used"):
        address.listen("192.0.2.1", 8000)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "arena.example", "127.0.0.2", ""])
def test_only_this_machine_may_reach_a_site_without_logins(host: str) -> None:
    with pytest.raises(Refusal, match="is not this machine alone"):
        address.loopback(host)


def test_localhost_is_a_number() -> None:
    assert [address.loopback(host) for host in ("localhost", "127.0.0.1", "[::1]")] == ["127.0.0.1", "127.0.0.1", "::1"]

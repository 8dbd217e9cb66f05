"""Packed bodies: what is unpacked, what is too large, and that a bomb never goes off."""

from __future__ import annotations

import gzip
import json
import sys
import tracemalloc
from collections.abc import Callable
from http.client import HTTPConnection

import pytest

from policy.gateway.bodies import MOST_BYTES, Unpacked, _zstd
from policy.gateway.refusals import Refusal
from tests.policy.gateway.conftest import Post, body

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

WHOLE = json.dumps(body()).encode()
PACK: dict[str, Callable[[bytes], bytes]] = {"zstd": zstd.compress, "gzip": gzip.compress}


@pytest.mark.parametrize("coding", PACK)
def test_a_packed_body_is_unpacked(coding: str, post: Post) -> None:
    assert post(PACK[coding](WHOLE), content_encoding=coding).status_code == 200


@pytest.mark.parametrize("coding", PACK)
def test_frames_one_after_the_other_are_one_body(coding: str, post: Post) -> None:
    packed = PACK[coding](WHOLE[:40]) + PACK[coding](b"") + PACK[coding](WHOLE[40:])
    assert post(packed, content_encoding=coding.upper()).status_code == 200


@pytest.mark.parametrize("packed", ["zstd", "gzip", "identity"])
def test_more_than_the_cap_is_too_large_before_and_after_unpacking(packed: str, post: Post) -> None:
    raw = json.dumps(body(state="a" * MOST_BYTES)).encode()
    sent = PACK.get(packed, bytes)(raw)
    refused = post(sent, content_encoding=packed)
    assert (refused.status_code, refused.json()["detail"]["error_type"]) == (413, "request_too_large")
    assert "2,621,440 bytes when unpacked" in refused.json()["detail"]["message"]


def test_a_body_of_exactly_the_cap_is_read() -> None:
    unpacked = Unpacked(_zstd)
    unpacked.add(zstd.compress(b"a" * MOST_BYTES))
    assert len(unpacked.whole()) == MOST_BYTES


def test_a_bomb_takes_no_more_memory_than_the_cap() -> None:
    bomb = zstd.compress(b"\0" * 400_000_000)
    assert len(bomb) < 50_000
    tracemalloc.start()
    with pytest.raises(Refusal, match="request_too_large"):
        Unpacked(_zstd).add(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * MOST_BYTES


def test_a_window_beyond_eight_megabytes_is_refused(post: Post) -> None:
    large = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 25})
    packed = large.compress(WHOLE, large.CONTINUE) + large.flush()
    assert post(packed, content_encoding="zstd").status_code == 400


@pytest.mark.parametrize("coding", PACK)
@pytest.mark.parametrize("broken", [WHOLE, b"\x00", None], ids=["not packed", "noise", "cut off"])
def test_what_is_not_whole_is_refused(coding: str, broken: bytes | None, post: Post) -> None:
    refused = post(broken or PACK[coding](WHOLE)[:-4], content_encoding=coding)
    assert refused.status_code == 400
    assert refused.json()["detail"]["message"] == f"The body is not whole {coding}, as Content-Encoding says."


def test_an_unknown_coding_is_refused_with_the_known_ones(post: Post) -> None:
    refused = post(WHOLE, content_encoding="br")
    assert (refused.status_code, refused["Accept-Encoding"]) == (415, "zstd, gzip")


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("multipart/form-data; boundary=x", "Images are not taken here"),
        ("text/plain", "must be JSON"),
        ("application/x-www-form-urlencoded", "must be JSON"),
    ],
)
def test_what_is_no_json_by_its_own_word_is_invalid(kind: str, says: str, post: Post) -> None:
    refused = post(WHOLE, content_type=kind)
    assert (refused.status_code, refused.json()["detail"][0]["loc"]) == (422, ["body"])
    assert says in refused.json()["detail"][0]["msg"]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "application/vnd.x+json"])
def test_json_by_any_of_its_names_is_read(kind: str, post: Post) -> None:
    assert post(WHOLE, content_type=kind).status_code == 200


@pytest.mark.parametrize(("state", "status"), [("a" * 2_000, 200), ("a" * MOST_BYTES, 413)])
def test_a_body_without_a_length_is_counted_as_it_comes(state: str, status: int, site: str) -> None:
    connection = HTTPConnection(site.removeprefix("http://"), timeout=60)
    raw = json.dumps(body(state=state)).encode()
    pieces = (raw[start : start + 100_000] for start in range(0, len(raw), 100_000))
    kind = {"Content-Type": "application/json"}
    connection.request("POST", "/v1/systemone", pieces, kind, encode_chunked=True)
    assert connection.getresponse().status == status
    connection.close()

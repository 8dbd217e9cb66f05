"""The bytes of a request: read in pieces, unpacked in pieces, never more than the cap in memory."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Mapping
from typing import Protocol

from django.http import HttpRequest

from policy.gateway.refusals import USAGE, Refusal, at, refusal

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# As a body of `/api`; counted after unpacking.
MOST_BYTES = 2_621_440
CODINGS = ("zstd", "gzip")
_CHUNK_BYTES = 64 * 1024
# RFC 9659: a window of at most 8 MB, so that nobody makes us reserve more.
_WINDOW_LOG: Mapping[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
_BROKEN = (zstd.ZstdError, zlib.error, EOFError)


class Decoder(Protocol):
    """One frame of zstd or one member of gzip."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /, max_length: int) -> bytes: ...


def read(request: HttpRequest) -> bytes:
    """The JSON text of a request, unpacked; raises `Refusal` 400, 413, 415 or 422."""
    kind = (request.content_type or "").lower()
    if kind == "multipart/form-data":
        raise at([], "Images are not taken here: no judge of this gateway sees any. Send JSON.", "unsupported")
    if kind != "application/json" and not kind.endswith("+json"):
        raise at([], f"The body must be JSON with Content-Type: application/json, not {kind[:80]!r}", "model_type")
    coding = request.headers.get("Content-Encoding", "").strip().lower() or "identity"
    try:
        return _unpacked(request, coding)
    except _BROKEN as error:
        raise refusal(400, USAGE, f"The body is not whole {coding}, as Content-Encoding says.") from error


def _unpacked(request: HttpRequest, coding: str) -> bytes:
    if coding == "identity":
        return b"".join(_pieces(request))
    if coding not in CODINGS:
        raise _unknown(coding)
    unpacked = Unpacked(_gzip if coding == "gzip" else _zstd)
    for piece in _pieces(request):
        unpacked.add(piece)
    return unpacked.whole()


def _pieces(request: HttpRequest) -> list[bytes]:
    """What came over the wire, which is bounded like the text that it unpacks to."""
    pieces: list[bytes] = []
    left = MOST_BYTES
    while piece := request.read(_CHUNK_BYTES):
        left -= len(piece)
        if left < 0:
            raise too_large()
        pieces.append(piece)
    return pieces


class Unpacked:
    """Unpacks frames one after the other; what would pass the cap is never written."""

    def __init__(self, decoder: Callable[[], Decoder]) -> None:
        self._new = decoder
        self._decoder = decoder()
        self._parts: list[bytes] = []
        self._left = MOST_BYTES
        self._begun = False

    def add(self, piece: bytes) -> None:
        """Raises `Refusal` 413, and the decoder's own error for what is not of its kind."""
        while piece:
            if self._decoder.eof:
                self._decoder = self._new()
            self._begun = True
            # One byte more than is left tells that there was more; less means that all of the piece is used.
            part = self._decoder.decompress(piece, max_length=self._left + 1)
            self._left -= len(part)
            if self._left < 0:
                raise too_large()
            self._parts.append(part)
            piece = self._decoder.unused_data if self._decoder.eof else b""

    def whole(self) -> bytes:
        """All of it; raises `EOFError` where the last frame is cut off."""
        if self._begun and not self._decoder.eof:
            raise EOFError
        return b"".join(self._parts)


def too_large() -> Refusal:
    limit = f"{MOST_BYTES:,} bytes"
    return refusal(413, "request_too_large", f"The body has more than {limit} when unpacked. Send less at once.")


def _unknown(coding: str) -> Refusal:
    known = ", ".join(CODINGS)
    message = f"Content-Encoding {coding[:40]!r} is not known here. Send the body as it is, or as one of: {known}."
    refused = refusal(415, USAGE, message)
    return Refusal(refused.status, refused.body, {"Accept-Encoding": known})


def _zstd() -> Decoder:
    return zstd.ZstdDecompressor(options=_WINDOW_LOG)


def _gzip() -> Decoder:
    return zlib.decompressobj(wbits=31)

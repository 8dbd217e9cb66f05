"""Credentials inside strings: headers, `key=value`, flags, URLs and PEM blocks lose the secret and keep the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from policy.engine.redaction.names import BARE_FRAGMENTS, REDACTED, extra_fragments, secret_name

_PEM = re.compile(r"-----BEGIN [^-\n]{1,64}-----(?P<body>.*?)(?P<end>-----END [^-\n]{1,64}-----|\Z)", re.DOTALL)
_PEM_LINE = re.compile(r"[A-Za-z0-9+/=]*")
# Up to the last @ of the authority; and a password with a slash in it, which a number alone is not (that is a port).
_USER_INFO = re.compile(
    r":(?:\\?/){2}(?P<info>[^\s/?#'\"\\]{1,2048}|[^\s/:@'\"?#]{0,256}:(?!\d{1,5}(?:[/?#]|$))[^\s'\"@]{1,256})@"
)
_SCHEME = re.compile(
    r"\b(?:Bearer|BEARER|bearer(?=\s+(?=\S*\d)\S{8}|\s+\S{20}))[ \t]+"
    r"(?!(?:tokens?|auth\w*|schemes?|headers?)\b)(?P<info>[A-Za-z0-9._~+/=-]+)"
    r"|\b[Bb]asic[ \t]+(?P<basic>(?=[A-Za-z0-9+/]*[0-9+/=])[A-Za-z0-9+/]{8,}={0,2})"
)
_USER = re.compile(r"(?<!\S)(?:-u|--user)[ \t=]+[\"']?[^\s:\"']{1,256}:(?!//)(?P<info>[^\s\"']+)")
_FLAG = re.compile(r"(?<!\S)--(?P<name>[A-Za-z][\w-]{0,63})[ \t]+(?=[^\s-])")
_NAMED = re.compile(
    r"(?<!\w)(?P<name>(?:(?i:api|access|private|session) (?=(?i:key)))?[^\W\d][\w-]{0,63})[\\\"'`\]]{0,8}[ \t]*"
    r"(?P<sign>=>|:=|={1,3}|:(?!:|//))[ \t]*"
)
_ELEMENT = re.compile(r"<(?P<name>[^\W\d][\w:.-]{0,63})(?:\s[^<>]*)?>(?P<info>[^<]+)</")
# Keys that say by their beginning whose they are; the beginnings are looked for before the whole form is.
_ISSUED = re.compile(
    r"(?<![A-Za-z0-9])(?P<info>gh[opsur]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[A-Za-z0-9-]{16,}"
    r"|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|(?:npm|hf)_[A-Za-z0-9]{20,}"
    r"|sk-(?=[\w-]*[0-9])(?=[\w-]*[A-Z])[\w-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|AIza[\w-]{30,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)",
    re.ASCII,
)
_ISSUERS = ("gho_", "ghp_", "ghr_", "ghs_", "ghu_", "_pat_", "k_live_", "k_test_", "npm_", "hf_")
_HEADERS = re.compile(r"(?:proxy-)?authorization|(?:set-)?cookie|[a-z0-9]+(?:-[a-z0-9]+)+", re.IGNORECASE)

_QUOTE = re.compile(r"(?P<slashes>\\*)(?P<quote>[\"'`])")
_TOKEN = re.compile(r"[^\s\"'`]+")
_ASSIGNED = re.compile(r"[^\s\"'`&;|]+")
_CONTROL = re.compile(r"[;|&<>`\n]|\$\(")
_EXPANDS = re.compile(r"`|\$\(")
# Every fragment has one of these in it, and fewer are sooner looked for.
ROOTS = ("pass", "pwd", "secret", "token", "key", "auth", "cookie", "cred", "bearer")
LOOK_BACK = 80
MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets. `hides` is true where a masked part could itself do something.

    `Authorization: x; rm -rf /` is one header to the end of its line, and a command to a shell.
    """

    text: str
    hides: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """The secret between two places of a text."""

    start: int
    end: int
    hides: bool = False


def masked(text: str, extra: Iterable[str] = ()) -> str:
    """The text with `[redacted]` for every credential that has one of the known forms; see `mask`."""
    return mask(text, extra).text if suspicious(text, extra) else text


def mask(text: str, extra: Iterable[str] = ()) -> Masked:
    """A credential header keeps its name and loses everything to the quote or line end, `key=value` the value, a URL
    its user info; a PEM block becomes one `[redacted]`. `extra` as for `secret_name`.
    """
    if not suspicious(text, extra):
        return Masked(text)
    added = extra_fragments(extra) if extra else ()
    found = _masked_once(text, added)
    # What a mask leaves behind can look like another form: look again until nothing changes.
    for _ in range(MOST_ROUNDS):
        if found.text == text:
            break
        text = found.text
        again = _masked_once(text, added)
        found = Masked(again.text, found.hides or again.hides)
    return found


def suspicious(text: str, extra: Iterable[str] = ()) -> bool:
    """Whether a text could hold a credential at all: a quick look that spares most texts the search."""
    if ("=" in text or ":" in text or "--" in text) and (bool(extra) or _holds_sign(text)):
        return True
    return ("-" in text and "-u" in text) or "earer" in text or "EARER" in text or "asic" in text or _issued(text)


def suspicious_json(text: str) -> bool:
    """The same for JSON text, whose colons are no sign."""
    return ("-" in text and "-u" in text) or _holds_sign(text) or "asic" in text or _issued(text)


def _issued(text: str) -> bool:
    """Whether it could hold a key that its issuer has marked, or a value between tags."""
    # As above: most texts are spared the longer looks by one character.
    if "-" in text and ("sk-" in text or ("x" in text and "xox" in text) or ("g" in text and "glpat-" in text)):
        return True
    if ("_" in text and any(map(text.__contains__, _ISSUERS))) or ("J" in text and "eyJ" in text):
        return True
    if "I" in text and "A" in text and ("AKIA" in text or "ASIA" in text or "AIza" in text):
        return True
    return "<" in text and "</" in text


def _holds_sign(text: str) -> bool:
    # One character is found much sooner than two.
    if ("/" in text and ("//" in text or "\\/" in text)) or ("-" in text and "-----" in text):
        return True
    squeezed = text.lower().replace("-", "").replace("_", "")
    return any(map(squeezed.__contains__, ROOTS))


def _masked_once(text: str, added: tuple[str, ...]) -> Masked:
    hides = False
    for find in _finders(text.lower(), added):
        text, more = _without(text, find)
        hides = hides or more
    return Masked(text, hides)


def _finders(low: str, added: tuple[str, ...]) -> Iterator[Callable[[str], Iterator[_Part]]]:
    if "-----begin " in low:
        yield _pem_blocks
    if "://" in low or "\\/" in low:
        yield lambda text: _groups(_USER_INFO, text)
    squeezed = low.replace("-", "").replace("_", "").replace(" ", "")
    if added or any(map(squeezed.__contains__, BARE_FRAGMENTS)):
        yield lambda text: _named(text, added)
        yield lambda text: _flags(text, added)
        yield lambda text: _elements(text, added)
    if "bearer" in low or "basic" in low:
        yield lambda text: _groups(_SCHEME, text)
    if "-u" in low:
        yield lambda text: _groups(_USER, text)
    yield lambda text: _groups(_ISSUED, text)


def _without(text: str, find: Callable[[str], Iterator[_Part]]) -> tuple[str, bool]:
    kept, place, hides = [], 0, False
    for part in find(text):
        kept += [text[place : part.start], REDACTED]
        place, hides = part.end, hides or part.hides
    return "".join([*kept, text[place:]]), hides


def _pem_blocks(text: str) -> Iterator[_Part]:
    """A block without an end loses the whole rest; whatever is no base64 in it may do something."""
    for match in _PEM.finditer(text):
        lines = match["body"].replace("\\r", "").replace("\\n", "\n").splitlines()
        plain = bool(match["end"]) and all(_PEM_LINE.fullmatch(line.strip()) for line in lines)
        yield _Part(match.start(), match.end(), not plain)


def _groups(pattern: re.Pattern[str], text: str) -> Iterator[_Part]:
    """What a pattern calls the secret."""
    for match in pattern.finditer(text):
        group = match.lastgroup or "info"
        yield _Part(match.start(group), match.end(group), bool(_CONTROL.search(match[group])))


def _flags(text: str, added: tuple[str, ...]) -> Iterator[_Part]:
    """`--password x`; with `=` it is an assignment."""
    for match in _FLAG.finditer(text):
        if secret_name(match["name"], added) and (part := _quoted(text, match.end()) or _run(text, match.end())):
            yield part


def _elements(text: str, added: tuple[str, ...]) -> Iterator[_Part]:
    """`<password>x</password>`."""
    for match in _ELEMENT.finditer(text):
        if secret_name(match["name"], added) and match["info"].strip():
            yield _Part(match.start("info"), match.end("info"), bool(_CONTROL.search(match["info"])))


def _named(text: str, added: tuple[str, ...]) -> Iterator[_Part]:
    """Every value of a secret name; those that overlap as one.

    What seems to be in quotes is searched as well: a stray quote would hide the next name and show its value.
    """
    place, before = 0, None
    while match := _NAMED.search(text, place):
        place = match.end()
        if not secret_name(match["name"], added):
            continue
        quoted = _quoted(text, place)
        part = quoted or _value(text, match)
        if part is None:
            continue
        if before is not None and part.start <= before.end:
            before = _Part(before.start, max(before.end, part.end), before.hides or part.hides)
        else:
            yield from (before,) if before else ()
            before = part
        if quoted is None or part.end == len(text):
            place = part.end
    yield from (before,) if before else ()


def _value(text: str, match: re.Match[str]) -> _Part | None:
    """An unquoted value: of a header and of a line to the end, of an assignment to the next separator."""
    start = match.end()
    if not match["sign"].startswith(":"):
        return _run(text, start, _ASSIGNED)
    before = _before(text, match.start())
    opened = before[-1:] if before[-1:] in ('"', "'", "`") else ""
    keyed = text[match.end("name")] in "\\\"'`"
    if keyed or (before and not opened and not _HEADERS.fullmatch(match["name"])):
        return _run(text, start)
    stops = [*_places(text, opened or ("\"'`" if before else ""), start), *_places(text, "\n", start)]
    end = min(stops, default=len(text))
    if not (taken := text[start:end].rstrip()):
        return None
    closed = bool(opened) and text[end : end + 1] == opened
    return _Part(start, start + len(taken), _hides(taken, opened if closed else ""))


def _before(text: str, place: int) -> str:
    """What stands in front on the same line, as far as it matters here."""
    return text[max(place - LOOK_BACK, 0) : place].rpartition("\n")[2].strip(" \t-")


def _places(text: str, stops: str, start: int) -> Iterator[int]:
    """Where each of the characters comes next."""
    return (place for stop in stops if (place := text.find(stop, start)) >= 0)


def _quoted(text: str, start: int) -> _Part | None:
    """A value in quotes, also in quotes that were escaped; without a closing one it is all that is left."""
    opening = _QUOTE.match(text, start)
    if opening is None:
        return None
    closing = text.find(opening[0], opening.end())
    while not opening["slashes"] and closing > 0 and _escaped(text, closing):
        closing = text.find(opening[0], closing + 1)
    end = closing if closing >= 0 else len(text)
    taken = text[opening.end() : end]
    return _Part(opening.end(), end, _hides(taken, opening["quote"] if closing >= 0 else "")) if taken else None


def _escaped(text: str, place: int) -> bool:
    before = place
    while text[before - 1 : before] == "\\":
        before -= 1
    return (place - before) % 2 == 1


def _run(text: str, start: int, pattern: re.Pattern[str] = _TOKEN) -> _Part | None:
    """A value without quotes; punctuation behind it is not taken for a part of it."""
    match = pattern.match(text, start)
    taken = match[0].rstrip(",;)}") if match else ""
    return _Part(start, start + len(taken), _hides(taken, "")) if taken else None


def _hides(taken: str, quote: str) -> bool:
    """Whether a shell would find more in it than a value: nothing in single quotes, a substitution in double ones."""
    if quote == "'":
        return False
    return bool((_EXPANDS if quote == '"' else _CONTROL).search(taken))

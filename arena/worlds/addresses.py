"""What an address of a customer or a parcel must have."""

from __future__ import annotations

from collections.abc import Mapping

from arena.worlds.handlers import ToolError

FIELDS = ("street", "postcode", "city", "country")
_POSTCODE_DIGITS = {"DE": 5, "FR": 5, "AT": 4, "CH": 4}


def check(address: Mapping[str, str], *, mend: str = "correct it, or send the country as well") -> None:
    """Raises ToolError for a blank part, or a postcode that its country cannot have; `mend` is for that one."""
    blank = next((name for name in FIELDS if not address[name]), None)
    if blank:
        raise ToolError(f"The argument {blank} is blank; write that part of the address out.")
    digits = _POSTCODE_DIGITS.get(address["country"])
    postcode = address["postcode"]
    if digits and not (postcode.isdigit() and len(postcode) == digits):
        cause = f"The argument postcode is {postcode!r}, but {address['country']} has {digits} digits"
        raise ToolError(f"{cause}; {mend}.")

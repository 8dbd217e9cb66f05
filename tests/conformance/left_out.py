"""The lines that this runner leaves to others, with the reason; a line that is neither run nor here is an error."""

from __future__ import annotations

from tests.conformance.cases import Case

REVIEW = "proposal review is a room of its own"
AREAS = {
    **dict.fromkeys(("decide", "unfavorable", "decide_base", "read_noul", "parse_answers"), REVIEW),
    **dict.fromkeys(("validate_proposal", "parse_diff", "build_payload", "validate_payload", "review_call"), REVIEW),
    **dict.fromkeys(("canonical_json", "bound_receipt_create", "bound_receipt_replay", "evaluation"), REVIEW),
    **dict.fromkeys(("proposer_input", "bench", "fixture", "run", "mock_transport"), REVIEW),
}


def reason(case: Case) -> str | None:
    """Why the line is not run here, or None where it is."""
    return AREAS.get(case.area)

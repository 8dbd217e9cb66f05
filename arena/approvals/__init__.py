"""Approvals: a person's answer to one call, bound to exactly that call, and worth nothing after its time."""

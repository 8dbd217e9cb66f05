"""Claims and leases of runs and lanes; the measuring of a judge has the same."""

from __future__ import annotations

from policy.leases import Lease, claim, held, lease

__all__ = ["Lease", "claim", "held", "lease"]

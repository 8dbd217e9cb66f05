"""Receipts: a selection with everything that led to it, and its replay without a judge."""

from __future__ import annotations

from policy.engine.receipts.call import SelectionCall
from policy.engine.receipts.replay import Replay, Verdict, came, replay
from policy.engine.receipts.top_k_call import TopKCall
from policy.engine.receipts.write import Recorder, write

__all__ = ["Recorder", "Replay", "SelectionCall", "TopKCall", "Verdict", "came", "replay", "write"]

"""The life of a run: start, route, claim, lane, stop, settle, reap."""

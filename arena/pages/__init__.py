"""The pages of the arena: start, one run, the list of runs."""

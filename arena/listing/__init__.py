"""The history of runs: what is asked for, found page by page, marked with tags, put away and deleted."""

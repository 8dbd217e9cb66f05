"""Calibrating thresholds: labelled fixtures are measured once, everything after that is arithmetic.

scipy is imported where a figure is computed: a web process that shows no report does without its 60 MB.
"""

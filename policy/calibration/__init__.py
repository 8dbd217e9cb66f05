"""Calibrating thresholds: labelled fixtures are measured once, everything after that is arithmetic."""

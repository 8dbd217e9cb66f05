"""Judging and deciding."""

"""What may be said of a comparison: numbers in, figures and words out. Plain Python; docs/statistics.md says why so."""

"""The policy lab: one request, what the judge measured, which rule fired, and what other thresholds would decide."""

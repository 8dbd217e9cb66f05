"""Measuring judges on fixtures: sets, jobs, stored answers, saved profiles. The arithmetic is `policy.calibration`."""

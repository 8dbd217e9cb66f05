"""The pages of calibration: sets of fixtures, measurements, reports with their sliders, profiles, past decisions."""

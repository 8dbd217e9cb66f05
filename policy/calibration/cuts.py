"""The thresholds that are tried on one axis, and between which of them a measured value falls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Cuts:
    """Ascending thresholds in [0, 1]; `steps` is set where they are 0/steps, 1/steps ... 1 and found by rounding."""

    values: Floats
    steps: int | None = None

    @classmethod
    def even(cls, steps: int = 100) -> Cuts:
        """All thresholds with two decimals, for `steps` 100: as quotients, so that they equal what a person types."""
        return cls(np.arange(steps + 1) / steps, steps)

    @classmethod
    def of(cls, values: Sequence[float] | Floats) -> Cuts:
        """Thresholds as given, for instance an explicit grid; raises `ValueError` unless they rise within [0, 1]."""
        array = np.asarray(values, dtype=np.float64)
        if array.ndim != 1 or not len(array) or not np.all(np.diff(array) > 0) or array[0] < 0 or array[-1] > 1:
            raise ValueError("thresholds must rise from one to the next and lie in [0, 1]")
        return cls(array)

    @classmethod
    def between(cls, measured: Floats) -> Cuts:
        """The break-points of these values: every threshold decides as one of them does.

        Decisions change just above a measured value, so the values themselves and 1 are all that can differ.
        """
        return cls(np.unique(np.append(measured, 1.0)))

    def __len__(self) -> int:
        return len(self.values)

    def reached(self, measured: Floats) -> Places:
        """How many of the cuts each value reaches (value >= cut, compared as floats): 0 to the number of cuts."""
        if self.steps is None:
            return np.searchsorted(self.values, measured, side="right").astype(np.int32)
        places = np.rint(measured * self.steps).astype(np.int32)
        # Rounding may have gone up to a cut that the value does not reach, as with 0.9299999999999999. The quotient is
        # the cut itself, and dividing is faster than looking a million of them up.
        places -= places / self.steps > measured
        places += 1
        return places

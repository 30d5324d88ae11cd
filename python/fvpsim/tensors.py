# SPDX-License-Identifier: Apache-2.0
"""Inputs and outputs of networks between numpy and the library's memory."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from .checks import shown
from .errors import UsageError

Array = npt.NDArray[Any]

#: By enum fvpsim_type.
TYPES: tuple[str, ...] = ("u1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "f4", "bool")


@dataclasses.dataclass(frozen=True)
class Tensor:
    """One input or output. real = (element - zero_point) * scale; scale 0: not quantised."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    scale: float
    zero_point: int

    def quantise(self, values: Array) -> Array:
        """Real values as elements: nearest, ties away from zero, saturated."""
        real = self._numbers(values)
        if not np.isfinite(real).all():
            raise UsageError(f"{self.name}: not all values are finite numbers")
        if not self.is_quantised:
            raise UsageError(f"{self.name}: has no scale: it is not quantised")
        limits = np.iinfo(self.dtype)
        scaled = real / self.scale
        rounded = np.trunc(scaled + np.copysign(0.5, scaled)) + self.zero_point
        elements: Array = np.clip(rounded, limits.min, limits.max).astype(self.dtype)
        return elements

    def dequantise(self, values: Array) -> Array:
        """Elements as real values."""
        return ((self._numbers(values) - self.zero_point) * self.scale).astype(np.float32)

    def _array(self, given: Any) -> Array:
        try:
            return np.asarray(given)
        except (TypeError, ValueError) as e:  # lists of unlike lengths
            raise UsageError(f"{self.name}: {shown(given)}: {e}") from None

    def _numbers(self, given: Any) -> Array:
        values = self._array(given)
        if values.dtype.kind not in "fiu":
            raise UsageError(f"{self.name}: {shown(given)}: no array of numbers")
        return values.astype(np.float64)

    @property
    def is_quantised(self) -> bool:
        """Do its elements stand for real numbers?"""
        return self.scale != 0 and self.dtype.kind in "iu"

    def accept(self, given: Any) -> Array:
        """An array of the tensor's shape and type from what the user gave."""
        values = self._array(given)
        if values.shape != self.shape and (values.size != int(np.prod(self.shape)) or _squeezed(values.shape) != _squeezed(self.shape)):
            raise UsageError(f"input {self.name}: shape {values.shape}; the network has {self.shape}")
        values = values.reshape(self.shape)
        if values.dtype == self.dtype:
            return np.ascontiguousarray(values)
        if values.dtype.kind == "f" and self.is_quantised:
            return self.quantise(values)
        raise UsageError(f"input {self.name}: {values.dtype} values; the network has {self.dtype}"
                         + (" (or real numbers, which are quantised)" if self.is_quantised else ""))


def _squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for n in shape if n != 1)

# SPDX-License-Identifier: Apache-2.0
"""A machine's registers and memory, as mappings and numpy arrays. Values that do not fit are refused before they get there."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, MutableMapping

import numpy as np

from .checks import shown, text, whole
from .errors import RegisterError, UsageError
from .tensors import Array

if TYPE_CHECKING:
    from .machine import Machine

#: Bytes that addresses reach.
SPACE = 1 << 32


class Registers(MutableMapping[str, int]):
    """Registers by name: `machine.registers["r0"]`; q registers have 128 bits."""

    def __init__(self, machine: "Machine") -> None:
        self._machine = machine

    def _call(self, function: str, name: str, words: Any) -> None:
        try:
            self._machine._call(function, text("a register's name", name), words)
        except UsageError:
            if isinstance(name, str) and name in list(self):
                raise
            raise RegisterError(f"there is no register {shown(name)}; list(machine.registers) has all") from None

    def __getitem__(self, name: str) -> int:
        value = self._machine._lib.ffi.new("uint64_t[2]")
        self._call("fvpsim_get_register", name, value)
        return int(value[0]) | int(value[1]) << 64

    def __setitem__(self, name: str, value: int) -> None:
        value = whole(str(name), value)
        bits = {"d": 64, "q": 128}.get(name[:1], 32) if isinstance(name, str) and name[1:].isdigit() else 32
        if not -(1 << bits - 1) <= value < 1 << bits:
            raise UsageError(f"{name} has {bits} bits: {value} does not fit")
        value &= (1 << bits) - 1
        self._call("fvpsim_set_register", name, self._machine._lib.ffi.new("uint64_t[2]", [value & (1 << 64) - 1, value >> 64]))

    def __delitem__(self, name: str) -> None:
        raise UsageError(f"{name}: registers cannot be deleted")

    def __iter__(self) -> Iterator[str]:
        return iter(self._machine._lib.names(self._machine._lib.lib.fvpsim_register))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Memory:
    """The address space: `machine.memory[0x21000000:0x21000100]` is a numpy array of its bytes, a copy; assigning to a slice
    or an address writes. `read` gives other types and shapes."""

    def __init__(self, machine: "Machine", space: int) -> None:
        self._machine, self._space = machine, space

    def read(self, address: int, shape: int | tuple[int, ...], dtype: Any = np.uint8) -> Array:
        """An array of that shape and type from an address on."""
        out = _room(shape, dtype)
        if out.nbytes:
            self._machine._call("fvpsim_read", self._space, whole("address", address), self._machine._lib.ffi.from_buffer(out), out.nbytes)
        return out

    def write(self, address: int, values: Any) -> None:
        """Bytes, or an array's elements as they lie in memory."""
        data = values if isinstance(values, (bytes, bytearray)) else _elements(values).tobytes()
        if data:
            self._machine._call("fvpsim_write", self._space, whole("address", address), self._machine._lib.ffi.from_buffer(data), len(data))

    def __getitem__(self, where: int | slice) -> Any:
        start, stop = _range(where)
        out = self.read(start, stop - start)
        return out if isinstance(where, slice) else int(out[0])

    def __setitem__(self, where: int | slice, values: Any) -> None:
        start, stop = _range(where)
        given = np.asarray(values if not isinstance(values, (bytes, bytearray)) else np.frombuffer(values, np.uint8))
        if given.ndim and given.size != stop - start:
            raise UsageError(f"{given.size} values for the {stop - start} bytes from 0x{start:08x} to 0x{stop:08x}")
        if given.size and (given.dtype.kind not in "iub" or (given < 0).any() or (given > 255).any()):
            raise UsageError("a slice of memory takes bytes, 0 to 255; write() takes other types")
        self.write(start, np.broadcast_to(given.reshape(-1), stop - start).astype(np.uint8))


def _room(shape: int | tuple[int, ...], dtype: Any) -> Array:
    """An array to read into. One of Python's objects would hold the memory's bytes as pointers."""
    try:
        kind = np.dtype(dtype)
        size = kind.itemsize * int(np.prod(shape, dtype=object))
    except (TypeError, ValueError) as e:
        raise UsageError(f"memory has no values of type {dtype!r} and shape {shape!r}: {e}") from None
    if kind.hasobject:
        raise UsageError(f"memory has no values of type {kind}: name one of numbers, such as np.uint32")
    if size > SPACE:
        raise UsageError(f"{size} bytes: there are no more than {SPACE}")
    try:
        return np.empty(shape, kind)
    except (TypeError, ValueError) as e:
        raise UsageError(f"memory has no values of shape {shape!r}: {e}") from None


def _elements(values: Any) -> Array:
    """What lies in memory as it does in numpy: no pointers, no text of four bytes a letter."""
    given: Array = np.ascontiguousarray(values)
    if given.dtype.hasobject or given.dtype.kind == "U":
        raise UsageError(f"memory takes bytes and arrays of numbers, no {type(values).__name__} of {given.dtype}: text.encode() gives bytes")
    return given


def _range(where: int | slice) -> tuple[int, int]:
    if not isinstance(where, slice):
        start = whole("address", where)
        return start, start + 1
    if where.step not in (None, 1) or where.start is None or where.stop is None:
        raise UsageError("memory takes an address, or start:stop with start <= stop")
    start, stop = whole("address", where.start), whole("address", where.stop)
    if stop < start:
        raise UsageError("memory takes an address, or start:stop with start <= stop")
    return start, stop

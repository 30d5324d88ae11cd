# SPDX-License-Identifier: Apache-2.0
"""Networks on the NPU alone: numpy in, numpy and cycles out."""
from __future__ import annotations

import dataclasses
import functools
import hashlib
import os
import threading
from typing import Any, Mapping, NoReturn, Sequence, Union

import numpy as np

from . import checks
from ._calls import UNDER_WAY, Calls
from ._library import Library, library
from .errors import SimulationError, UsageError
from .runs import Run, parse
from .tensors import TYPES, Array, Tensor

#: Networks that an Npu keeps ready: further runs of one need no preparation.
KEPT = 8

Model = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]


@dataclasses.dataclass(frozen=True)
class Profile:
    """Cycles of one inference: estimates."""

    cycles: int
    operations: list[dict[str, Any]]  #: a row each: `pandas.DataFrame(profile.operations)`
    events: dict[str, int]            #: of the performance counters, by name
    #: Of each operation, with `tensors=True`: "ifm", "ifm2" and "ofm" as [1, height, width, channels], "weights" as
    #: [output channels, kernel height, kernel width, input channels], int16 without their zero point. Integers as the NPU has
    #: them. {} for a dma.
    tensors: list[dict[str, Array]] = dataclasses.field(default_factory=list, compare=False, repr=False)
    zero_points: list[dict[str, int]] = dataclasses.field(default_factory=list, repr=False)  #: of these tensors


def operation_row(lib: Library, op: Any) -> dict[str, Any]:
    """A struct fvpsim_operation as a row."""
    return {"index": int(op.index), "kind": lib.text(op.kind), "offset": int(op.offset), "ifm": tuple(op.ifm), "ofm": tuple(op.ofm),
            "cycles": int(op.cycles), "start": int(op.start), "finish": int(op.finish), "macs": int(op.macs),
            "bound": lib.text(op.bound), "dma_bytes": int(op.bytes), "port0_read": int(op.read[0]),
            "port0_written": int(op.written[0]), "port1_read": int(op.read[1]), "port1_written": int(op.written[1]),
            "waiting": int(op.waiting), "utilisation": op.utilisation / 1000, "source": lib.text(op.source)}


def tensor_array(lib: Library, raw: Any) -> Array:
    """A copy of a tensor of an operation."""
    if raw.data == lib.ffi.NULL:
        raise SimulationError(f"{lib.text(raw.name)}: host memory is short, or the weights are damaged")
    copied: Array = np.frombuffer(bytes(lib.ffi.buffer(raw.data, raw.bytes)), TYPES[raw.type])
    return copied.reshape([raw.shape[k] for k in range(raw.rank)])


class Network:
    """A compiled network for one accelerator, ready to run. Not for use by two threads at once."""

    def __init__(self, accelerator: str, model: bytes | bytearray | memoryview, *, memory: str | None = None, memory_mode: str | None = None,
                 config: str | os.PathLike[str] | None = None, system_config: str | None = None, method: str | None = None) -> None:
        if not isinstance(model, (bytes, bytearray, memoryview)):
            raise UsageError(f"model: {checks.shown(model)}: give the file's bytes; Npu.network takes a path")
        self._lib = lib = library()
        options = lib.sized("fvpsim_network_options")
        names = {"memory": memory, "memory_mode": memory_mode, "config": None if config is None else checks.path("config", config),
                 "system_config": system_config, "method": method}
        texts = ["" if given is None else checks.text(name, given) for name, given in names.items()]
        kept = [lib.ffi.new("char[]", lib.c_text(one)) if one else lib.ffi.NULL for one in texts]
        options.memory, options.memory_mode, options.vela_config, options.system_config, options.method = kept
        self._accelerator = checks.text("accelerator", accelerator)
        data = bytes(model)
        handle = lib.make("fvpsim_network_new", accelerator, data, len(data), options)
        self._handle = lib.ffi.gc(handle, lib.lib.fvpsim_network_free)
        self._calls = Calls(lambda: lib.lib.fvpsim_network_stop(handle), lambda: lib.lib.fvpsim_network_forget_stop(handle))
        self.inputs = [self._tensor("input", i) for i in range(lib.lib.fvpsim_network_inputs(self._handle))]
        self.outputs = [self._tensor("output", i) for i in range(lib.lib.fvpsim_network_outputs(self._handle))]

    def __reduce__(self) -> NoReturn:
        raise UsageError("a prepared network cannot be copied or pickled: an Npu can, and prepares it anew")

    def _raw(self, kind: str, i: int) -> Any:
        tensor = self._lib.sized("fvpsim_tensor")
        self._lib.call(f"fvpsim_network_{kind}", self._handle, i, tensor)
        return tensor

    def _tensor(self, kind: str, i: int) -> Tensor:
        raw = self._raw(kind, i)
        dtype = np.dtype(TYPES[raw.type])
        shape = tuple(raw.shape[k] for k in range(raw.rank))
        if raw.bytes != int(np.prod(shape)) * dtype.itemsize:
            dtype, shape = np.dtype("u1"), (int(raw.bytes),)
        return Tensor(self._lib.text(raw.name), shape, dtype, float(raw.scale), int(raw.zero_point))

    def _memory(self, kind: str, i: int) -> Array:
        raw, tensor = self._raw(kind, i), (self.inputs if kind == "input" else self.outputs)[i]
        view: Array = np.frombuffer(self._lib.ffi.buffer(raw.data, raw.bytes), tensor.dtype)
        return view.reshape(tensor.shape)

    def run(self, inputs: Sequence[Array], *, tensors: bool = False) -> list[Array]:
        """One inference; arrays of the tensors' shapes and types in, copies of the outputs out. With `tensors` the profile
        has those of every operation."""
        values = [tensor.accept(v) for tensor, v in zip(self.inputs, _in_order(self.inputs, inputs))]
        self._calls.ready()
        self._lib.lib.fvpsim_network_keep_tensors(self._handle, bool(tensors))
        for i, elements in enumerate(values):
            self._memory("input", i)[...] = elements
        self._calls.run(lambda: self._lib.call("fvpsim_network_run", self._handle))
        return [self._memory("output", i).copy() for i in range(len(self.outputs))]

    def profile(self) -> Profile:
        """Of the latest run."""
        self._calls.ready()
        lib = self._lib
        op, rows = lib.sized("fvpsim_operation"), []
        for i in range(lib.lib.fvpsim_network_operations(self._handle)):
            lib.call("fvpsim_network_operation", self._handle, i, op)
            rows.append(operation_row(lib, op))
        count = lib.ffi.new("uint64_t *")
        events: dict[str, int] = {}
        while (name := lib.lib.fvpsim_network_event(self._handle, len(events), count)) != lib.ffi.NULL:
            events[lib.text(name)] = int(count[0])
        tensors = [self._operation_tensors(i) for i in range(len(rows))]
        kept = any(tensors)
        return Profile(int(lib.lib.fvpsim_network_cycles(self._handle)), rows, events,
                       [{name: array for name, (array, _) in one.items()} for one in tensors] if kept else [],
                       [{name: zero for name, (_, zero) in one.items()} for one in tensors] if kept else [])

    def report(self) -> Run:
        """Of the latest run, as report pages and comparisons take it: `fvp-sim npu --layers --report` writes the same."""
        self._calls.ready()
        lib, text = self._lib, self._lib.ffi.new("char **")
        lib.call("fvpsim_network_report", self._handle, True, text)
        try:
            return parse(self._accelerator, lib.text(text[0]))
        finally:
            lib.lib.fvpsim_free(text[0])

    def _operation_tensors(self, i: int) -> dict[str, tuple[Array, int]]:
        lib, found = self._lib, {}
        for t in range(lib.lib.fvpsim_network_operation_tensors(self._handle, i)):
            raw = lib.sized("fvpsim_tensor")
            lib.call("fvpsim_network_operation_tensor", self._handle, i, t, raw)
            found[lib.text(raw.name)] = (tensor_array(lib, raw), int(raw.zero_point))
        return found


class Npu:
    """An accelerator. Networks that have run stay prepared, so that further inferences are fast.

    >>> npu = fvpsim.Npu("ethos-u55-128")
    >>> outputs, profile = npu.run("model_vela.tflite", image)

    `memory` is a memory system for the cycles (`fvp-sim npu --help` lists them), `memory_mode` where data lies. `config` is a
    `vela.ini`: its section `system_config` is the memory system then, which `memory` may change (",ext.read_latency=250"), and
    `memory_mode` a section of it, too."""

    def __init__(self, accelerator: str, *, memory: str | None = None, memory_mode: str | None = None,
                 config: str | os.PathLike[str] | None = None, system_config: str | None = None) -> None:
        self.accelerator = checks.text("accelerator", accelerator)
        self._memory: dict[str, Any] = {"memory": memory, "memory_mode": memory_mode, "config": config, "system_config": system_config}
        self._ready: dict[tuple[bytes, str | None], Network] = {}
        self._lock = threading.RLock()
        self._inside = False
        if accelerator not in accelerators():
            raise UsageError(f"{accelerator}: no accelerator of that name; there are {', '.join(accelerators())}")

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, or what another process gets, is one of the same kind; it prepares its networks itself."""
        return functools.partial(Npu, **self._memory), (self.accelerator,)

    def network(self, model: Model, *, method: str | None = None) -> Network:
        """The prepared network of a compiled model: a path, or the file's bytes. `method`: of a `.pte` with several; "forward",
        else the first, without it."""
        if isinstance(model, (bytes, bytearray, memoryview)):
            data = bytes(model)
        else:
            path = checks.path("model", model)
            try:
                with open(path, "rb") as f:
                    data = f.read()
            except OSError as e:
                raise UsageError(f"{path}: cannot be read: {e.strerror}") from e
        if method is not None:
            checks.text("method", method)
        key = (hashlib.sha256(data).digest(), method)
        found = self._ready.pop(key, None) or Network(self.accelerator, data, method=method, **self._memory)
        self._ready[key] = found
        if len(self._ready) > KEPT:
            del self._ready[next(iter(self._ready))]
        return found

    def run(self, model: Model, inputs: Any = (), *, dequantise: bool | None = None,
            tensors: bool = False, method: str | None = None) -> tuple[list[Array], Profile]:
        """One inference: outputs in the model's order, and where the cycles went.

        `inputs`: an array, a sequence of arrays in the model's order, or a mapping by the inputs' names. Arrays have the
        shapes of the model (dimensions of 1 may differ) and its types; real numbers are quantised with the model's scales.
        Outputs come as real numbers where all inputs did, or as `dequantise` says; otherwise as the model has them.
        `tensors` fills `profile.tensors` with what every operation read and wrote; such a run takes longer. `method` as in
        `network()`."""
        with self._lock:
            if self._inside:
                raise UsageError(UNDER_WAY)
            self._inside = True
            try:
                network = self.network(model, method=method)
                given = _in_order(network.inputs, inputs)
                outputs = network.run(given, tensors=tensors)
                profile = network.profile()
            finally:
                self._inside = False
        if dequantise is None:
            real = [np.asarray(v).dtype.kind == "f" for v, t in zip(given, network.inputs) if t.is_quantised]
            dequantise = bool(real) and all(real)
        if dequantise:
            outputs = [t.dequantise(v) if t.is_quantised else v for t, v in zip(network.outputs, outputs)]
        return outputs, profile


def _in_order(tensors: Sequence[Tensor], inputs: Any) -> list[Any]:
    names = [t.name for t in tensors]
    if isinstance(inputs, Mapping):
        if set(inputs) != set(names):
            raise UsageError(f"inputs {sorted(inputs)}; the network has {sorted(names)}")
        return [inputs[name] for name in names]
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if len(given) != len(tensors):
        raise UsageError(f"{len(given)} inputs; the network has {len(tensors)}: {', '.join(names)}")
    return given


def accelerators() -> list[str]:
    """Names of all accelerators."""
    return library().names(library().lib.fvpsim_accelerator)

# SPDX-License-Identifier: Apache-2.0
"""Small quantised .tflite models built operator by operator, without TensorFlow.

Uses the flatbuffer classes that come with ai-edge-litert (PyPI)."""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as s

TYPES = {"int8": (s.TensorType.INT8, np.int8), "uint8": (s.TensorType.UINT8, np.uint8),
         "int16": (s.TensorType.INT16, np.int16), "int32": (s.TensorType.INT32, np.int32),
         "int64": (s.TensorType.INT64, np.int64), "bool": (s.TensorType.BOOL, np.bool_)}


class Builder:
    def __init__(self):
        self.model = s.ModelT()
        self.model.version = 3
        self.model.description = b"fvp-sim test"
        self.model.operatorCodes = []
        self.model.buffers = [s.BufferT()]
        self.graph = s.SubGraphT()
        self.graph.tensors, self.graph.operators = [], []
        self.graph.inputs, self.graph.outputs = [], []
        self.model.subgraphs = [self.graph]
        self.info = []  # (shape, dtype, scale, zero point) per tensor
        # What the values of an input must satisfy: not zero, above its zero point, below a limit.
        self.nonzero, self.positive, self.below = set(), set(), {}

    def tensor(self, shape, dtype, scale=None, zero=0, data=None, axis=0, variable=False):
        """Adds a tensor, returns its index. scale: number, list (per channel) or None."""
        t = s.TensorT()
        t.shape = np.asarray(shape, np.int32)
        t.type = TYPES[dtype][0]
        t.name = b"t%d" % len(self.graph.tensors)
        t.isVariable = variable
        if scale is not None:
            q = s.QuantizationParametersT()
            scales = np.atleast_1d(np.asarray(scale, np.float32))
            q.scale = scales
            q.zeroPoint = np.full(len(scales), zero, np.int64)
            q.quantizedDimension = axis
            t.quantization = q
        self.graph.tensors.append(t)
        self.info.append((list(shape), dtype, scale, zero))
        if data is not None:
            self.set_data(len(self.info) - 1, data)
        return len(self.info) - 1

    def set_data(self, index, data):
        """Makes a tensor a constant."""
        b = s.BufferT()
        b.data = np.frombuffer(np.ascontiguousarray(data, TYPES[self.info[index][1]][1]).tobytes(), np.uint8)
        self.graph.tensors[index].buffer = len(self.model.buffers)
        self.model.buffers.append(b)

    def op(self, name, inputs, outputs, options=None, version=1, intermediates=None, **fields):
        """Adds an operator; options: name of the options table, fields: its members."""
        code = s.OperatorCodeT()
        code.builtinCode = getattr(s.BuiltinOperator, name)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        code.version = version
        self.model.operatorCodes.append(code)
        o = s.OperatorT()
        o.opcodeIndex = len(self.model.operatorCodes) - 1
        o.inputs, o.outputs, o.intermediates = list(inputs), list(outputs), intermediates
        if options:
            o.builtinOptionsType = getattr(s.BuiltinOptions, options)
            o.builtinOptions = getattr(s, options + "T")()
            for key, value in fields.items():
                assert hasattr(o.builtinOptions, key), key
                setattr(o.builtinOptions, key, value)
        self.graph.operators.append(o)

    def inputs_for(self, inputs, rng):
        """Random values for the inputs given: all values, a cluster in the middle, or only a few values."""
        return [self._draw(i, rng) for i in inputs]

    def _draw(self, index, rng):
        shape, dtype, _, zero = self.info[index]
        kind = TYPES[dtype][1]
        if dtype == "bool":
            return rng.random(shape) < rng.uniform(0.05, 0.95)
        if index in self.below:
            return rng.integers(0, self.below[index], shape).astype(kind)
        if dtype == "int32":  # products and sums stay inside the type: overflow is not defined
            wide = rng.integers(-30000, 30001, shape).astype(kind)
            return np.where(wide == 0, 7, wide).astype(kind) if index in self.nonzero else wide
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        if dtype == "int64":  # the NPU carries 48 bits of them
            low, high = -(1 << 47), (1 << 47) - 1
        if index in self.positive:
            low = zero + 1
        way = rng.integers(0, 4)
        if way < 2:
            return rng.integers(low, high + 1, shape).astype(kind)
        if way == 2:
            return rng.choice([low, high, max(low, zero), int(rng.integers(low, high + 1))], shape).astype(kind)
        middle, width = (low + high + 1) / 2, (high - low) / 8
        return np.clip(rng.normal(middle, width, shape), low, high).astype(kind)

    def finish(self, inputs, outputs):
        self.graph.inputs, self.graph.outputs = list(inputs), list(outputs)
        b = flatbuffers.Builder(1 << 16)
        b.Finish(self.model.Pack(b), b"TFL3")
        return bytes(b.Output())

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

    def tensor(self, shape, dtype, scale=None, zero=0, data=None, axis=0):
        """Adds a tensor, returns its index. scale: number, list (per channel) or None."""
        t = s.TensorT()
        t.shape = np.asarray(shape, np.int32)
        t.type = TYPES[dtype][0]
        t.name = b"t%d" % len(self.graph.tensors)
        if scale is not None:
            q = s.QuantizationParametersT()
            scales = np.atleast_1d(np.asarray(scale, np.float32))
            q.scale = scales
            q.zeroPoint = np.full(len(scales), zero, np.int64)
            q.quantizedDimension = axis
            t.quantization = q
        if data is not None:
            b = s.BufferT()
            b.data = np.frombuffer(np.ascontiguousarray(data, TYPES[dtype][1]).tobytes(), np.uint8)
            t.buffer = len(self.model.buffers)
            self.model.buffers.append(b)
        self.graph.tensors.append(t)
        self.info.append((list(shape), dtype, scale, zero))
        return len(self.graph.tensors) - 1

    def op(self, name, inputs, outputs, options=None, version=1, **fields):
        """Adds an operator; options: name of the options table, fields: its members."""
        code = s.OperatorCodeT()
        code.builtinCode = getattr(s.BuiltinOperator, name)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        code.version = version
        self.model.operatorCodes.append(code)
        o = s.OperatorT()
        o.opcodeIndex = len(self.model.operatorCodes) - 1
        o.inputs, o.outputs = list(inputs), list(outputs)
        if options:
            o.builtinOptionsType = getattr(s.BuiltinOptions, options)
            o.builtinOptions = getattr(s, options + "T")()
            for key, value in fields.items():
                assert hasattr(o.builtinOptions, key), key
                setattr(o.builtinOptions, key, value)
        self.graph.operators.append(o)

    def finish(self, inputs, outputs):
        self.graph.inputs, self.graph.outputs = list(inputs), list(outputs)
        b = flatbuffers.Builder(1 << 16)
        b.Finish(self.model.Pack(b), b"TFL3")
        return bytes(b.Output())

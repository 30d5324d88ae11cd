#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the network that the demonstration runner embeds, its input and its golden output.

A small int8 image classifier (3x3 convolution, depthwise, 1x1, residual add, average pool, fully
connected) with seeded random weights, compiled by Vela for every Ethos-U55/U65 configuration asked
for. The golden output comes from the reference kernels of LiteRT, not from our simulator.

  python3 -m venv venv && venv/bin/pip install numpy ethos-u-vela==5.2.0 ai-edge-litert==1.2.0
  venv/bin/python generate.py [OUTPUT_DIRECTORY]

The results are committed; run this again only to change the network.
"""
import os
import subprocess
import sys
import tempfile

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as tfl
from ai_edge_litert.interpreter import Interpreter, OpResolverType

SEED = 20260101
TARGETS = ("ethos-u55-128", "ethos-u65-256")
VELA_OPTIONS = {
    "ethos-u55-128": ["--system-config", "Ethos_U55_High_End_Embedded", "--memory-mode", "Shared_Sram"],
    "ethos-u65-256": ["--system-config", "Ethos_U65_High_End", "--memory-mode", "Sram_Only"],
}


class Builder:
    """Collects tensors and operators of one TFLite subgraph."""

    def __init__(self):
        self.rng = np.random.default_rng(SEED)
        self.buffers, self.tensors, self.operators, self.codes = [tfl.BufferT()], [], [], []
        self.versions = {}  # of operators that are not at version 3

    def tensor(self, name, shape, dtype, scales, zero_point=0, data=None, axis=0):
        t = tfl.TensorT()
        t.name, t.shape, t.type, t.buffer = name, list(shape), dtype, 0
        t.quantization = q = tfl.QuantizationParametersT()
        q.scale = [float(s) for s in np.atleast_1d(scales)]
        q.zeroPoint = [zero_point] * len(q.scale)
        q.quantizedDimension = axis
        if data is not None:
            b = tfl.BufferT()
            b.data = np.frombuffer(data.tobytes(), np.uint8)
            t.buffer = len(self.buffers)
            self.buffers.append(b)
        self.tensors.append(t)
        return len(self.tensors) - 1

    def operator(self, code, options_type, options, inputs, outputs):
        if code not in self.codes:
            self.codes.append(code)
        o = tfl.OperatorT()
        o.opcodeIndex, o.inputs, o.outputs = self.codes.index(code), inputs, outputs
        o.builtinOptionsType, o.builtinOptions = options_type, options
        self.operators.append(o)

    def weights(self, name, shape, in_scale, axis, fan_in):
        n = shape[axis]
        scales = self.rng.uniform(0.004, 0.02, n) / np.sqrt(fan_in / 9)
        w = np.clip(np.round(self.rng.normal(0, 45, shape)), -127, 127).astype(np.int8)
        b = self.rng.integers(-600, 600, n).astype(np.int32)
        return (self.tensor(name + "/weights", shape, tfl.TensorType.INT8, scales, 0, w, axis),
                self.tensor(name + "/bias", (n,), tfl.TensorType.INT32, scales * in_scale, 0, b))

    def finish(self, inputs, outputs):
        g = tfl.SubGraphT()
        g.tensors, g.operators, g.inputs, g.outputs = self.tensors, self.operators, inputs, outputs
        m = tfl.ModelT()
        m.version, m.subgraphs, m.buffers, m.operatorCodes = 3, [g], self.buffers, []
        for code in self.codes:
            c = tfl.OperatorCodeT()
            c.builtinCode, c.deprecatedBuiltinCode, c.version = code, code, self.versions.get(code, 3)
            m.operatorCodes.append(c)
        b = flatbuffers.Builder(1 << 16)
        b.Finish(m.Pack(b), file_identifier=b"TFL3")
        return bytes(b.Output())


def activation(b, name, shape, scale=0.05, zero_point=-5):
    return b.tensor(name, shape, tfl.TensorType.INT8, scale, zero_point)


def conv(b, name, x, y, shape, stride, fan_in):
    w, bias = b.weights(name, shape, 0.05, 0, fan_in)
    o = tfl.Conv2DOptionsT()
    o.padding, o.strideH, o.strideW = tfl.Padding.SAME, stride, stride
    o.dilationHFactor = o.dilationWFactor = 1
    o.fusedActivationFunction = tfl.ActivationFunctionType.RELU6 if stride == 2 else 0
    b.operator(tfl.BuiltinOperator.CONV_2D, tfl.BuiltinOptions.Conv2DOptions, o, [x, w, bias], [y])


def network():
    b = Builder()
    x = b.tensor("image", (1, 24, 24, 3), tfl.TensorType.INT8, 0.05, -5)
    c1 = activation(b, "stem", (1, 12, 12, 16))
    conv(b, "stem", x, c1, (16, 3, 3, 3), 2, 27)
    d1 = activation(b, "depthwise", (1, 12, 12, 16))
    w, bias = b.weights("depthwise", (1, 3, 3, 16), 0.05, 3, 9)
    o = tfl.DepthwiseConv2DOptionsT()
    o.padding, o.strideH, o.strideW, o.depthMultiplier = tfl.Padding.SAME, 1, 1, 1
    o.dilationHFactor = o.dilationWFactor = 1
    b.operator(tfl.BuiltinOperator.DEPTHWISE_CONV_2D, tfl.BuiltinOptions.DepthwiseConv2DOptions, o, [c1, w, bias], [d1])
    p1 = activation(b, "pointwise", (1, 12, 12, 16))
    conv(b, "pointwise", d1, p1, (16, 1, 1, 16), 1, 16)
    s1 = activation(b, "residual", (1, 12, 12, 16), 0.08, 3)
    b.operator(tfl.BuiltinOperator.ADD, tfl.BuiltinOptions.AddOptions, tfl.AddOptionsT(), [c1, p1], [s1])
    m1 = activation(b, "pool", (1, 1, 1, 16), 0.08, 3)
    o = tfl.Pool2DOptionsT()
    o.padding, o.strideH, o.strideW, o.filterHeight, o.filterWidth = tfl.Padding.VALID, 12, 12, 12, 12
    b.operator(tfl.BuiltinOperator.AVERAGE_POOL_2D, tfl.BuiltinOptions.Pool2DOptions, o, [s1], [m1])
    y = activation(b, "scores", (1, 10), 0.03, 0)
    w, bias = b.weights("scores", (10, 16), 0.08, 0, 16)
    b.tensors[w].quantization.scale = [0.002]
    b.tensors[w].quantization.zeroPoint = [0]
    b.tensors[bias].quantization.scale = [0.002 * 0.08]
    b.tensors[bias].quantization.zeroPoint = [0]
    b.operator(tfl.BuiltinOperator.FULLY_CONNECTED, tfl.BuiltinOptions.FullyConnectedOptions,
               tfl.FullyConnectedOptionsT(), [m1, w, bias], [y])
    return b.finish([x], [y])


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    model = network()
    image = np.random.default_rng(SEED + 1).integers(-128, 128, (1, 24, 24, 3)).astype(np.int8)
    it = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    it.allocate_tensors()
    it.set_tensor(it.get_input_details()[0]["index"], image)
    it.invoke()
    scores = it.get_tensor(it.get_output_details()[0]["index"])
    print("golden scores:", scores)
    image.tofile(os.path.join(out, "classifier_input.bin"))
    scores.tofile(os.path.join(out, "classifier_golden.bin"))
    vela = os.path.join(os.path.dirname(sys.executable), "vela")
    with tempfile.TemporaryDirectory() as tmp:
        plain = os.path.join(tmp, "classifier.tflite")
        with open(plain, "wb") as f:
            f.write(model)
        for target in TARGETS:
            subprocess.run([vela, plain, "--accelerator-config", target, "--output-dir", tmp] + VELA_OPTIONS[target],
                           check=True, stdout=subprocess.DEVNULL)
            os.replace(os.path.join(tmp, "classifier_vela.tflite"), os.path.join(out, f"classifier_{target}.tflite"))


if __name__ == "__main__":
    main()

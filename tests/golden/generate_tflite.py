#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the TFLite models, inputs and golden outputs for runs on Arm's released runner images.

  python3 -m venv venv && venv/bin/pip install numpy ethos-u-vela==5.2.0 ai-edge-litert==1.2.0
  venv/bin/python generate_tflite.py [OUTPUT_DIRECTORY]

For each network: NAME.tflite as TFLite runs it, NAME_ACCELERATOR.tflite compiled by Vela as MLIA compiles
for that target, NAME.in and NAME.out, raw bytes of all inputs and outputs. cnn_vela-3.3_ACCELERATOR.tflite is
from Vela 3.3.0, the release that MLIA 0.3.0 asks for: `vela cnn.tflite --accelerator-config ACCELERATOR` in an
environment of its own (Python 3.9, numpy 1.19, flatbuffers 1.12). Golden outputs come from the
reference kernels of LiteRT. Weights are seeded random numbers. The results are committed; run this again
only to change a network (generate_pte.py makes the ExecuTorch programs).
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert import schema_py_generated as tfl
from ai_edge_litert.interpreter import Interpreter, OpResolverType

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../runtime/models"))
from generate import Builder, activation, conv  # noqa: E402

OP, OPTIONS = tfl.BuiltinOperator, tfl.BuiltinOptions
# System configuration and memory mode of MLIA's target profiles.
SYSTEMS = {"ethos-u55": ("Ethos_U55_High_End_Embedded", "Shared_Sram"),
           "ethos-u65": ("Ethos_U65_High_End", "Dedicated_Sram"),
           "ethos-u85": ("Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram"),
           "ethos-u85-128": ("Ethos_U85_SYS_DRAM_Low", "Dedicated_Sram"),
           "ethos-u85-1024": ("Ethos_U85_SYS_DRAM_High", "Dedicated_Sram"),
           "ethos-u85-2048": ("Ethos_U85_SYS_DRAM_High", "Dedicated_Sram")}


def depthwise(b, name, x, y, channels, multiplier=1, size=3, stride=1):
    shape = (1, size, size, channels * multiplier)
    w, bias = b.weights(name, shape, 0.05, 3, size * size)
    o = tfl.DepthwiseConv2DOptionsT()
    o.padding, o.strideH, o.strideW, o.depthMultiplier = tfl.Padding.SAME, stride, stride, multiplier
    o.dilationHFactor = o.dilationWFactor = 1
    o.fusedActivationFunction = tfl.ActivationFunctionType.RELU
    b.operator(OP.DEPTHWISE_CONV_2D, OPTIONS.DepthwiseConv2DOptions, o, [x, w, bias], [y])


def pool(b, code, x, y, size, stride):
    o = tfl.Pool2DOptionsT()
    o.padding, o.strideH, o.strideW = tfl.Padding.VALID, stride, stride
    o.filterHeight = o.filterWidth = size
    b.operator(code, OPTIONS.Pool2DOptions, o, [x], [y])


def dense(b, name, x, y, inputs, outputs, scale, weight_scale=0.004):
    w, bias = b.weights(name, (outputs, inputs), scale, 0, inputs)
    for tensor, value in ((w, weight_scale), (bias, weight_scale * scale)):
        b.tensors[tensor].quantization.scale, b.tensors[tensor].quantization.zeroPoint = [value], [0]
    b.operator(OP.FULLY_CONNECTED, OPTIONS.FullyConnectedOptions, tfl.FullyConnectedOptionsT(), [x, w, bias], [y])


def reshape(b, x, y, shape):
    b.versions[OP.RESHAPE] = 1
    s = b.tensor("shape", (len(shape),), tfl.TensorType.INT32, 1.0, 0, np.array(shape, np.int32))
    o = tfl.ReshapeOptionsT()
    o.newShape = list(shape)
    b.operator(OP.RESHAPE, OPTIONS.ReshapeOptions, o, [x, s], [y])


def softmax(b, x, y):
    o = tfl.SoftmaxOptionsT()
    o.beta = 1.0
    b.operator(OP.SOFTMAX, OPTIONS.SoftmaxOptions, o, [x], [y])


def cnn():
    """Image network that the NPU runs whole."""
    b = Builder()
    x = activation(b, "image", (1, 32, 32, 3))
    a = activation(b, "a", (1, 16, 16, 24))
    conv(b, "a", x, a, (24, 3, 3, 3), 2, 27)
    d = activation(b, "d", (1, 16, 16, 24))
    depthwise(b, "d", a, d, 24)
    e = activation(b, "e", (1, 16, 16, 40))
    conv(b, "e", d, e, (40, 1, 1, 24), 1, 24)
    m = activation(b, "m", (1, 8, 8, 40))
    pool(b, OP.MAX_POOL_2D, e, m, 2, 2)
    f = activation(b, "f", (1, 8, 8, 40))
    conv(b, "f", m, f, (40, 3, 3, 40), 1, 360)
    s = activation(b, "s", (1, 8, 8, 40), 0.08, 3)
    b.operator(OP.ADD, OPTIONS.AddOptions, tfl.AddOptionsT(), [m, f], [s])
    p = activation(b, "p", (1, 1, 1, 40), 0.08, 3)
    pool(b, OP.AVERAGE_POOL_2D, s, p, 8, 8)
    y = activation(b, "y", (1, 12), 0.06, 0)
    dense(b, "y", p, y, 40, 12, 0.08)
    return b.finish([x], [y, s])


def cpu():
    """Operators of the CPU's int8 kernels, among them those with vector code of their own."""
    b = Builder()
    x = activation(b, "x", (1, 20, 12, 2))
    a = activation(b, "a", (1, 10, 6, 16))
    conv(b, "a", x, a, (16, 3, 3, 2), 2, 18)
    d = activation(b, "d", (1, 10, 6, 16))
    depthwise(b, "d", a, d, 16)
    m = activation(b, "m", (1, 10, 6, 32))
    depthwise(b, "m", d, m, 16, 2, 5)
    e = activation(b, "e", (1, 10, 6, 16))
    conv(b, "e", m, e, (16, 1, 1, 32), 1, 32)
    s = activation(b, "s", (1, 10, 6, 16), 0.07, 4)
    b.operator(OP.ADD, OPTIONS.AddOptions, tfl.AddOptionsT(), [e, d], [s])
    u = activation(b, "u", (1, 10, 6, 16), 0.11, -9)
    b.operator(OP.MUL, OPTIONS.MulOptions, tfl.MulOptionsT(), [s, a], [u])
    q = activation(b, "q", (1, 5, 3, 16), 0.11, -9)
    pool(b, OP.MAX_POOL_2D, u, q, 2, 2)
    g = activation(b, "g", (1, 3, 1, 16), 0.11, -9)
    pool(b, OP.AVERAGE_POOL_2D, q, g, 3, 1)
    r = activation(b, "r", (1, 48), 0.11, -9)
    reshape(b, g, r, (1, 48))
    f = activation(b, "f", (1, 21), 0.05, 0)
    dense(b, "f", r, f, 48, 21, 0.11, 0.0004)
    y = activation(b, "y", (1, 21), 1 / 256, -128)
    softmax(b, f, y)
    return b.finish([x], [y, u])


def mixed():
    """NPU, then CPU (SPACE_TO_DEPTH and L2_NORMALIZATION are not for the NPU), then NPU again."""
    b = Builder()
    x = activation(b, "x", (1, 16, 16, 3))
    a = activation(b, "a", (1, 8, 8, 8))
    conv(b, "a", x, a, (8, 3, 3, 3), 2, 27)
    s = activation(b, "s", (1, 4, 4, 32))
    o = tfl.SpaceToDepthOptionsT()
    o.blockSize = 2
    b.versions[OP.SPACE_TO_DEPTH] = b.versions[OP.L2_NORMALIZATION] = 2
    b.operator(OP.SPACE_TO_DEPTH, OPTIONS.SpaceToDepthOptions, o, [a], [s])
    n = activation(b, "n", (1, 4, 4, 32), 1 / 128, 0)
    b.operator(OP.L2_NORMALIZATION, OPTIONS.L2NormOptions, tfl.L2NormOptionsT(), [s], [n])
    e = activation(b, "e", (1, 4, 4, 16))
    conv(b, "e", n, e, (16, 3, 3, 32), 1, 288)
    return b.finish([x], [e])


# name, network, accelerators for which it is compiled
NETWORKS = [
    ("cnn", cnn, ["ethos-u55-32", "ethos-u55-64", "ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u65-512",
                  "ethos-u85-128", "ethos-u85-256", "ethos-u85-512", "ethos-u85-1024", "ethos-u85-2048"]),
    ("cpu", cpu, []),
    ("mixed", mixed, ["ethos-u55-128"]),
]


def run_reference(model, rng):
    it = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    it.allocate_tensors()
    inputs = b""
    for d in it.get_input_details():
        value = rng.integers(-128, 128, d["shape"]).astype(d["dtype"])
        it.set_tensor(d["index"], value)
        inputs += value.tobytes()
    it.invoke()
    return inputs, b"".join(it.get_tensor(d["index"]).tobytes() for d in it.get_output_details())


def compile_for(accelerator, plain, out):
    vela = os.path.join(os.path.dirname(sys.executable), "vela")
    system, memory = SYSTEMS.get(accelerator, SYSTEMS[accelerator[:9]])
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([vela, plain, "--accelerator-config", accelerator, "--output-dir", tmp,
                        "--system-config", system, "--memory-mode", memory], check=True, stdout=subprocess.DEVNULL)
        stem = os.path.splitext(os.path.basename(plain))[0]
        with open(os.path.join(tmp, stem + "_vela.tflite"), "rb") as f:
            data = f.read()
    with open(os.path.join(out, f"{stem}_{accelerator}.tflite"), "wb") as f:
        f.write(data)


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "data")
    rng = np.random.default_rng(20261121)
    for name, network, accelerators in NETWORKS:
        model = network()
        inputs, outputs = run_reference(model, rng)
        print(f"{name}: {len(model)} bytes, {len(inputs)} in, out {outputs[:16].hex()}... {len(set(outputs))} values")
        for suffix, data in ((".tflite", model), (".in", inputs), (".out", outputs)):
            with open(os.path.join(out, name + suffix), "wb") as f:
                f.write(data)
        for accelerator in accelerators:
            compile_for(accelerator, os.path.join(out, name + ".tflite"), out)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Operators of one tensor: tables, clamps, conversions, softmax."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

from .draw import act, chance, dtype_of, quant, shape_any, size

FIXED = {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)}
FIXED_TANH = {"int8": (1 / 128, 0), "uint8": (1 / 128, 128), "int16": (1 / 32768, 0)}
ANY8_16 = ("int8", "int8", "int16", "uint8")


def unary_op(rng, b, name, x, out_q=None, options=None, version=2, **fields):
    """One operator on x; returns the output."""
    shape, dtype = b.info[x][:2]
    y = b.tensor(shape, dtype, *(out_q or quant(rng, dtype)))
    b.op(name, [x], [y], options, version, **fields)
    return y


def unary(rng, b, name, dtype, out_q=None, options=None, version=2, **fields):
    x = act(rng, b, shape_any(rng), dtype, rng.uniform(1, 6))
    return [x], [unary_op(rng, b, name, x, out_q, options, version, **fields)]


def logistic(rng, b):
    dtype = dtype_of(rng, ANY8_16)
    return unary(rng, b, "LOGISTIC", dtype, FIXED[dtype])


def tanh(rng, b):
    dtype = dtype_of(rng, ANY8_16)
    return unary(rng, b, "TANH", dtype, FIXED_TANH[dtype])


def hard_swish(rng, b):
    return unary(rng, b, "HARD_SWISH", dtype_of(rng, ("int8", "int8", "uint8")), None, "HardSwishOptions", 1)


def leaky_relu(rng, b):
    return unary(rng, b, "LEAKY_RELU", dtype_of(rng, ANY8_16), None, "LeakyReluOptions", 2,
                 alpha=float(rng.uniform(0.01, 0.9) if chance(rng, 0.7) else rng.uniform(-1.5, 2)))


def relu(rng, b):
    return unary(rng, b, "RELU", dtype_of(rng, ANY8_16), None, None, 3)


def relu6(rng, b):
    return unary(rng, b, "RELU6", dtype_of(rng, ("int8", "int8", "uint8", "int16")), None, None, 3)


def relu_n1_to_1(rng, b):
    return unary(rng, b, "RELU_N1_TO_1", dtype_of(rng, ("int8", "uint8")), None, None, 1)


def relu_0_to_1(rng, b):
    return unary(rng, b, "RELU_0_TO_1", dtype_of(rng, ("int8", "uint8")), None, None, 1)


def abs(rng, b):
    return unary(rng, b, "ABS", dtype_of(rng, ("int8", "int16")), None, "AbsOptions", 3)


def neg(rng, b):
    x = b.tensor(shape_any(rng), "int32", 1.0)
    y = b.tensor(b.info[x][0], "int32", 1.0)
    b.op("NEG", [x], [y], "NegOptions", 1)
    return [x], [y]


def elu(rng, b):
    return unary(rng, b, "ELU", "int8", None, None, 1)


def gelu(rng, b):
    return unary(rng, b, "GELU", dtype_of(rng, ("int8", "int8", "uint8")), None, "GeluOptions", 2,
                 approximate=chance(rng, 0.5))


def exp(rng, b):
    dtype = dtype_of(rng, ("int8", "int16"))
    x = act(rng, b, shape_any(rng), dtype, rng.uniform(0.5, 4))
    return [x], [unary_op(rng, b, "EXP", x, quant(rng, dtype, rng.uniform(1, 20)), "ExpOptions", 2)]


def log(rng, b):
    return unary(rng, b, "LOG", dtype_of(rng, ("int8", "int16")), None, None, 2)


def rsqrt(rng, b):
    dtype = dtype_of(rng, ("int8", "int16"))
    x = b.tensor(shape_any(rng), dtype, quant(rng, dtype, rng.uniform(1, 6))[0], -128 if dtype == "int8" else 0)
    b.positive.add(x)
    return [x], [unary_op(rng, b, "RSQRT", x, None, None, 2)]


def softmax(rng, b):
    dtype = dtype_of(rng, ("int8", "int8", "int16", "uint8"))
    shape = shape_any(rng, int(rng.choice([1, 2, 2, 3, 4])))
    shape[-1] = size(rng, 1, 120)
    x = act(rng, b, shape, dtype, rng.uniform(1, 10))
    y = b.tensor(shape, dtype, *FIXED[dtype])
    b.op("SOFTMAX", [x], [y], "SoftmaxOptions", 3,
         beta=1.0 if chance(rng, 0.7) else float(np.float32(rng.uniform(0.2, 2))))
    return [x], [y]


def quantize(rng, b):
    kind = str(rng.choice(["int8", "int16", "uint8"]))
    x = act(rng, b, shape_any(rng), kind)
    y = act(rng, b, b.info[x][0], str(rng.choice(["int8", "int16"] if kind == "int16" else ["int8", "int16", "uint8"])))
    b.op("QUANTIZE", [x], [y], "QuantizeOptions", 2)
    return [x], [y]


def cast(rng, b):
    kinds = {"int8": s.TensorType.INT8, "int16": s.TensorType.INT16, "int32": s.TensorType.INT32,
             "uint8": s.TensorType.UINT8, "bool": s.TensorType.BOOL}
    names = [str(rng.choice(list(kinds))) for _ in range(2)]
    shape = shape_any(rng)
    x, y = (b.tensor(shape, n, 1.0, 0) if n == "bool" else act(rng, b, shape, n) for n in names)
    b.op("CAST", [x], [y], "CastOptions", 1, inDataType=kinds[names[0]], outDataType=kinds[names[1]])
    return [x], [y]


FAMILIES = (logistic, tanh, hard_swish, leaky_relu, relu, relu6, relu_n1_to_1, relu_0_to_1, abs, neg, elu, gelu, exp,
            log, rsqrt, softmax, quantize, cast)

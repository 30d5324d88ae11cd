# SPDX-License-Identifier: Apache-2.0
"""The ends of what formats and compiler allow: scales, zero points, biases, sizes, batches, padding."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

from .activation import unary_op
from .convolution import conv_op, depthwise_op
from .draw import act, activation, chance, dtype_of, like, out_size, shape4, shape_any, size
from .elementwise import OPTIONS, fields_of, pair_of
from .matrix import fully_connected_op
from .reduction import pool_name, pool_op

LOW = {"int8": -128, "uint8": 0}
PADDINGS = (s.Padding.SAME, s.Padding.VALID)


def end_quant(rng, dtype, low=-14, high=4):
    """A scale of any size; a zero point mostly at an end."""
    scale = float(np.float32(2.0 ** rng.uniform(low, high)))
    zero = LOW.get(dtype, 0) + (int(rng.choice([0, 255, 1, 254, 128])) if dtype in LOW else 0)
    return scale, zero


def end_act(rng, b, shape, dtype, low=-14, high=4):
    return b.tensor(shape, dtype, *end_quant(rng, dtype, low, high))


def end_weights(rng, b, shape, dtype, channels, axis, in_scale):
    """All -128, all 127, one value other than zero, two of four; biases near the ends of their type."""
    kind = int(rng.integers(0, 6))
    data = np.full(shape, [-128, 127, 0, 0, 0, 0][kind])
    if kind == 2:
        data.flat[int(rng.integers(0, data.size))] = int(rng.integers(-128, 128))
    elif kind == 3:
        data = rng.integers(-128, 128, shape)
        data.reshape(-1)[np.arange(data.size) % 4 < 2] = 0
    elif kind >= 4:
        data = rng.choice([-128, 127, 0], shape)
    scale = np.float32(2.0 ** rng.uniform(-12, 2, channels if chance(rng, 0.5) else 1))
    w = b.tensor(shape, "int8", scale, 0, data, axis)
    # Sums stay inside the accumulator, results inside 32 bits: beyond, TensorFlow Lite is not defined.
    limit, widest = (1 << 31, 256) if dtype == "int8" else (1 << 38, 1 << 16)
    sums = data.size // channels * 128 * widest
    room = max(1, int(rng.choice([limit - 1 - sums, 1000])))
    bias = b.tensor([channels], "int32" if dtype == "int8" else "int64", scale * np.float32(in_scale), 0,
                    rng.choice([-room, room, 0, int(rng.integers(-room, room))], channels))
    return w, bias, scale, sums + room


def end_output(rng, b, x, shape, scale, most):
    """The output of weights of these scales whose sums reach `most`."""
    _, dtype, in_scale, _ = b.info[x]
    factor = max(2.0 ** -rng.uniform(0, 24) * 2.0 ** 29 / most, 2.0 ** -29 * float(np.max(scale) / np.min(scale)))
    return b.tensor(shape, dtype, float(np.float32(in_scale * np.max(scale) / min(factor, 2.0 ** 29 / most))),
                    end_quant(rng, dtype)[1])


def conv_ends(rng, b):
    ishape, dtype = shape4(rng, 10, 10, 40), dtype_of(rng)
    k, depthwise = int(rng.integers(1, 4)), chance(rng, 0.4)
    x = end_act(rng, b, ishape, dtype)
    oc = ishape[3] if depthwise else size(rng, 1, 40)
    shape = [1, k, k, oc] if depthwise else [oc, k, k, ishape[3]]
    w, bias, *ends = end_weights(rng, b, shape, dtype, oc, 3 if depthwise else 0, b.info[x][2])
    stride, padding = int(rng.integers(1, 4)), s.Padding.SAME
    y = end_output(rng, b, x, [1] + [out_size(n, k, stride, padding) for n in ishape[1:3]] + [oc], *ends)
    fields = {"depthMultiplier": 1} if depthwise else {}
    b.op("DEPTHWISE_CONV_2D" if depthwise else "CONV_2D", [x, w, bias], [y],
         "DepthwiseConv2DOptions" if depthwise else "Conv2DOptions", 3, padding=padding, strideH=stride, strideW=stride,
         dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=activation(rng), **fields)
    return [x], [y]


def fully_connected_ends(rng, b):
    n, k, m, dtype = size(rng, 1, 5), size(rng, 1, 200), size(rng, 1, 60), dtype_of(rng)
    x = end_act(rng, b, [n, k], dtype)
    w, bias, scale, most = end_weights(rng, b, [m, k], dtype, m, 0, b.info[x][2])
    y = end_output(rng, b, x, [n, m], scale, most)
    b.op("FULLY_CONNECTED", [x, w, bias], [y], "FullyConnectedOptions", 9 if len(scale) > 1 else 4,
         fusedActivationFunction=activation(rng))
    return [x], [y]


def elementwise_ends(rng, b):
    """Operands whose scales are far apart."""
    name, dtype = str(rng.choice(["ADD", "SUB", "MUL"])), dtype_of(rng, ("int8", "int8", "int16", "uint8"))
    first, second = pair_of(rng, shape_any(rng))
    x, z = end_act(rng, b, first, dtype, -10, 3), end_act(rng, b, second, dtype, -10, 3)
    if chance(rng, 0.3):
        limits = np.iinfo(dtype)
        b.set_data(z, rng.choice([limits.min, limits.max, b.info[z][3]], second))
    base = b.info[x][2] * b.info[z][2] if name == "MUL" else max(b.info[x][2], b.info[z][2])
    y = b.tensor(list(np.broadcast_shapes(tuple(first), tuple(second))), dtype,
                 float(np.float32(base * 2.0 ** rng.uniform(0 if dtype == "int16" else -3, 8))), end_quant(rng, dtype)[1])
    b.op(name, [x, z], [y], OPTIONS[name], 2, **fields_of(rng, name, dtype))
    return [x] if b.graph.tensors[z].buffer else [x, z], [y]


def unary_ends(rng, b):
    name = str(rng.choice(["RELU", "LEAKY_RELU", "HARD_SWISH", "RELU6", "GELU", "QUANTIZE", "ABS"]))
    dtype = "int8" if name in ("HARD_SWISH", "GELU") else dtype_of(rng, ("int8", "int8", "int16"))
    x = end_act(rng, b, shape_any(rng), dtype, -10, 3)
    q = b.info[x][2] * 2.0 ** rng.uniform(-5, 5), end_quant(rng, dtype)[1]
    options = {"LEAKY_RELU": "LeakyReluOptions", "HARD_SWISH": "HardSwishOptions", "GELU": "GeluOptions",
               "QUANTIZE": "QuantizeOptions", "ABS": "AbsOptions"}.get(name)
    fields = {"alpha": float(rng.choice([0.0, 1.0, 1e-4, -1.0, 3.0]))} if name == "LEAKY_RELU" else {}
    return [x], [unary_op(rng, b, name, x, (float(np.float32(q[0])), q[1]), options, 2, **fields)]


def padded(rng, b):
    """PAD of any sides before a window without padding of its own: the compiler makes one operation of them."""
    ishape, dtype = shape4(rng, 16, 16, 40), dtype_of(rng)
    x = act(rng, b, ishape, dtype)
    sides = [[0, 0]] + [[int(rng.integers(0, 4)), int(rng.integers(0, 4))] for _ in range(2)] + [[0, 0]]
    t = like(b, x, [d + sum(p) for d, p in zip(ishape, sides)])
    b.op("PAD", [x, b.tensor([4, 2], "int32", data=sides)], [t], "PadOptions", 2)
    h, w = b.info[t][0][1:3]
    kernel = int(rng.integers(1, min(h, 6) + 1)), int(rng.integers(1, min(w, 6) + 1))
    stride = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    kind = int(rng.integers(0, 3))
    if kind == 0:
        return [x], [conv_op(rng, b, t, kernel, size(rng, 1, 40), stride, (1, 1), s.Padding.VALID)]
    if kind == 1:
        return [x], [depthwise_op(rng, b, t, kernel, (min(stride[0], 3),) * 2, (1, 1), s.Padding.VALID)]
    return [x], [pool_op(rng, b, pool_name(rng), t, kernel, stride, s.Padding.VALID)]


def strided_same(rng, b):
    """Strides of 3 and 4 with padding."""
    ishape = shape4(rng, 30, 30, 40)
    x = act(rng, b, ishape, dtype_of(rng))
    kernel = int(rng.integers(1, 9)), int(rng.integers(1, 9))
    stride = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    return [x], [conv_op(rng, b, x, kernel, size(rng, 1, 40), stride, (1, 1), s.Padding.SAME)]


def dilated(rng, b):
    """Dilation up to 8, beyond the image as well."""
    ishape = shape4(rng, 30, 30, 24)
    x = act(rng, b, ishape, dtype_of(rng))
    kernel = int(rng.integers(1, 6)), int(rng.integers(1, 6))
    dilation = int(rng.integers(1, 9)), int(rng.integers(1, 9))
    if chance(rng, 0.4):
        return [x], [depthwise_op(rng, b, x, kernel, (1, 1), dilation, s.Padding.SAME)]
    return [x], [conv_op(rng, b, x, kernel, size(rng, 1, 30), (1, 1), dilation, s.Padding.SAME)]


def batches(rng, b):
    """More than one image in operators other than convolutions."""
    ishape = shape4(rng, 10, 10, 30)
    ishape[0] = int(rng.integers(2, 6))
    dtype = dtype_of(rng)
    x = act(rng, b, ishape, dtype)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        k = int(rng.integers(1, 4))
        return [x], [pool_op(rng, b, pool_name(rng), x, (k, k), (int(rng.integers(1, 4)),) * 2, s.Padding.SAME)]
    if kind == 1:
        k = int(rng.integers(1, 4))
        return [x], [depthwise_op(rng, b, x, (k, k), (int(rng.integers(1, 3)),) * 2, (1, 1), s.Padding.SAME)]
    if kind == 2:
        y = b.tensor(ishape, dtype, *({"int8": (1 / 256, -128), "int16": (1 / 32768, 0)}[dtype]))
        b.op("SOFTMAX", [x], [y], "SoftmaxOptions", 3, beta=1.0)
        return [x], [y]
    z = act(rng, b, [ishape[0], 1, 1, ishape[3]] if chance(rng, 0.5) else [1] + ishape[1:], dtype)
    y = act(rng, b, ishape, dtype, 2)
    b.op("ADD", [x, z], [y], "AddOptions", 2, **fields_of(rng, "ADD", dtype))
    return [x, z], [y]


def long(rng, b):
    """One dimension of tens of thousands."""
    n, dtype = int(rng.integers(5000, 65536)), dtype_of(rng)
    shape = [1, 1, 1, 1]
    shape[int(rng.integers(1, 4))] = n
    kind = int(rng.integers(0, 4))
    if kind == 0:
        x = act(rng, b, [1, n // 8], dtype)
        return [x], [fully_connected_op(rng, b, x, size(rng, 1, 12))]
    x = act(rng, b, shape, dtype)
    if kind == 1:
        z = act(rng, b, shape, dtype)
        y = act(rng, b, shape, dtype, 2)
        b.op("ADD", [x, z], [y], "AddOptions", 2, **fields_of(rng, "ADD", dtype))
        return [x, z], [y]
    if kind == 2:
        return [x], [unary_op(rng, b, "LOGISTIC", x, {"int8": (1 / 256, -128), "int16": (1 / 32768, 0)}[dtype])]
    x = act(rng, b, [1, 1, n, 1], dtype)
    return [x], [conv_op(rng, b, x, (1, int(rng.integers(1, 12))), size(rng, 1, 5), (1, int(rng.integers(1, 4))), (1, 1),
                         s.Padding.SAME)]


def deep(rng, b):
    """Thousands of channels on few elements."""
    c, dtype = int(rng.integers(1000, 5000)), dtype_of(rng)
    x = act(rng, b, [1, size(rng, 1, 3), size(rng, 1, 3), c], dtype)
    kind = int(rng.integers(0, 3))
    if kind == 0:
        return [x], [conv_op(rng, b, x, (1, 1), size(rng, 1, 40), (1, 1), (1, 1), s.Padding.SAME)]
    if kind == 1:
        return [x], [depthwise_op(rng, b, x, (3, 3), (1, 1), (1, 1), s.Padding.SAME)]
    return [x], [pool_op(rng, b, pool_name(rng), x, (2, 2), (1, 1), s.Padding.SAME)]


def many_dimensions(rng, b):
    """Five and six dimensions."""
    shape = [int(rng.integers(1, 5)) for _ in range(int(rng.integers(5, 7)))]
    name, dtype = str(rng.choice(["ADD", "MUL", "SUB"])), dtype_of(rng)
    x, z = act(rng, b, shape, dtype), act(rng, b, shape, dtype)
    y = act(rng, b, shape, dtype, 2)
    b.op(name, [x, z], [y], OPTIONS[name], 2, **fields_of(rng, name, dtype))
    return [x, z], [y]


def resize_large(rng, b):
    """Factors that are only U85's, and images of one element."""
    bilinear = chance(rng, 0.5)
    ishape = [1, size(rng, 1, 5), size(rng, 1, 5), size(rng, 1, 20)]
    if chance(rng, 0.3):
        ishape[1] = ishape[2] = 1
    mode = int(rng.integers(0, 3))
    align, half = mode == 1, mode == 2
    factors = [int(rng.choice([2, 4, 8, 16, 32] if bilinear else [2, 3, 4, 5, 6, 7, 10, 16])) for _ in range(2)]
    oh, ow = [(d - 1) * f + 1 if align else d * f for d, f in zip(ishape[1:3], factors)]
    x = act(rng, b, ishape, dtype_of(rng))
    y = like(b, x, [1, oh, ow, ishape[3]])
    name = "Bilinear" if bilinear else "NearestNeighbor"
    b.op("RESIZE_BILINEAR" if bilinear else "RESIZE_NEAREST_NEIGHBOR",
         [x, b.tensor([2], "int32", data=[oh, ow])], [y], f"Resize{name}Options", 3, alignCorners=align,
         halfPixelCenters=half)
    return [x], [y]


def views(rng, b):
    """EXPAND_DIMS and SQUEEZE between operators."""
    shape, dtype = [1, size(rng, 1, 20), size(rng, 1, 40)], dtype_of(rng)
    x = act(rng, b, shape, dtype)
    t = unary_op(rng, b, "RELU", x, None, None, 2)
    wide = like(b, t, [1] + shape)
    b.op("EXPAND_DIMS", [t, b.tensor([], "int32", data=0)], [wide], "ExpandDimsOptions", 1)
    t = depthwise_op(rng, b, wide, (1, 3), (1, 1), (1, 1), s.Padding.SAME)
    y = like(b, t, shape)
    b.op("SQUEEZE", [t], [y], "SqueezeOptions", 1, squeezeDims=[0])
    return [x], [unary_op(rng, b, "RELU", y, None, None, 2)]


FAMILIES = (conv_ends, fully_connected_ends, elementwise_ends, unary_ends, padded, strided_same, dilated, batches, long,
            deep, many_dimensions, resize_large, views)

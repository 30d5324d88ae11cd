# SPDX-License-Identifier: Apache-2.0
"""Small networks of operators in unusual shapes, for npu_cliffs.py: one, two, three or seven channels, odd widths, long sequences of one
dimension, strides, dilation, other axes. int8 or int16 (`Network.int16`), weights drawn at random."""
import functools

import numpy as np

from npu_networks import NONE, RELU, Network, matmul
from npu_shapes import dilated

SAME, VALID = 0, 1


def like(n, x, shape):
    return n.b.tensor(shape, *n.b.info[x][1:])


def ints(n, values):
    return n.b.tensor(list(np.shape(values)), "int32", data=values)


def pooled(n, name, x, taps, stride, padding=SAME):
    _, h, w, c = n.shape(x)
    of = [-(-(d - (t - 1 if padding else 0)) // s) for d, t, s in zip((h, w), taps, stride)]
    y = like(n, x, [1, *of, c])
    n.b.op(name, [x], [y], "Pool2DOptions", 2, padding=padding, strideH=stride[0], strideW=stride[1], filterHeight=taps[0],
           filterWidth=taps[1], fusedActivationFunction=NONE)
    return y


def turned(n, x, order):
    y = like(n, x, [n.shape(x)[i] for i in order])
    n.b.op("TRANSPOSE", [x, ints(n, list(order))], [y], "TransposeOptions", 2)
    return y


def padded(n, x, pads, mirror=False):
    y = like(n, x, [d + sum(p) for d, p in zip(n.shape(x), pads)])
    if mirror:
        n.b.op("MIRROR_PAD", [x, ints(n, pads)], [y], "MirrorPadOptions", 2, mode=0)
    else:
        n.b.op("PAD", [x, ints(n, pads)], [y], "PadOptions", 2)
    return y


def cut(n, x, begin, end, step):
    y = like(n, x, [-(-(e - b) // s) for b, e, s in zip(begin, end, step)])
    n.b.op("STRIDED_SLICE", [x, ints(n, begin), ints(n, end), ints(n, step)], [y], "StridedSliceOptions", 2, beginMask=0, endMask=0,
           shrinkAxisMask=0)
    return y


def resized(n, x, name, factor, half=False):
    _, h, w, c = n.shape(x)
    y = like(n, x, [1, h * factor, w * factor, c])
    n.b.op("RESIZE_" + name, [x, ints(n, [h * factor, w * factor])], [y],
           "ResizeBilinearOptions" if name == "BILINEAR" else "ResizeNearestNeighborOptions", 3, alignCorners=False, halfPixelCenters=half)
    return y


def reduced(n, x, name, axes, keep=True):
    shape = [1 if i in axes else d for i, d in enumerate(n.shape(x)) if keep or i not in axes]
    y = n.act(shape, n.own_scale()) if name in ("MEAN", "SUM") else like(n, x, shape)
    n.b.op(name, [x, ints(n, list(axes))], [y], "ReducerOptions", 2, keepDims=keep)
    return y


def strided(n, x, channels, taps, stride, padding):
    _, h, w, c = n.shape(x)
    of = [-(-(d - (t - 1 if padding else 0)) // s) for d, t, s in zip((h, w), taps, stride)]
    y = n.act([1, *of, channels])
    n.b.op("CONV_2D", [x, *n.weights([channels, *taps, c], 0, channels)], [y], "Conv2DOptions", 3, padding=padding, strideH=stride[0],
           strideW=stride[1], dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=NONE)
    return y


def joined(n, parts, axis):
    shape = list(n.shape(parts[0]))
    shape[axis] = sum(n.shape(p)[axis] for p in parts)
    y = like(n, parts[0], shape)
    n.b.op("CONCATENATION", parts, [y], "ConcatenationOptions", 2, axis=axis, fusedActivationFunction=NONE)
    return y


def unary(n, x, name, options=None, **fields):
    y = n.act(n.shape(x), n.own_scale())
    n.b.op(name, [x], [y], options, 2, **fields)
    return y


def softmax(n, x):
    y = n.b.tensor(n.shape(x), "int16", 1 / 32768) if n.int16 else n.act(n.shape(x), 1 / 256, -128)
    n.b.op("SOFTMAX", [x], [y], "SoftmaxOptions", 2, beta=1.0)
    return y


def broadcast(n, x, name, shape):
    """x with a constant of another shape, and with a tensor of it."""
    kind = "int16" if n.int16 else "int8"
    constant = n.b.tensor(shape, kind, 1 / 128, 0, n.rng.integers(-127, 128, shape))
    y = n.act(n.shape(x), n.own_scale())
    fields = {} if name in ("MINIMUM", "MAXIMUM", "SQUARED_DIFFERENCE") else {"fusedActivationFunction": NONE}
    if name in ("MINIMUM", "MAXIMUM"):
        y, constant = like(n, x, n.shape(x)), like(n, x, shape)
        n.b.set_data(constant, n.rng.integers(-127, 128, shape))
    options = {"MINIMUM": "MaximumMinimumOptions", "MAXIMUM": "MaximumMinimumOptions", "SQUARED_DIFFERENCE": "SquaredDifferenceOptions"}
    n.b.op(name, [x, constant], [y], options.get(name, name.title() + "Options"), 2, **fields)
    return y


def image(n, h, w, c):
    x = n.act([1, h, w, c])
    return x, n.conv(x, c, act=NONE)  # so that what follows does not read an input


def few(channels, h=61, w=83):
    """A small image network whose maps keep so many channels."""
    n = Network()
    x, y = image(n, h, w, channels)
    a = n.conv(n.depthwise(y, 3), channels, (3, 3), act=RELU)
    b = n.depthwise(dilated(n, a, channels, (3, 3), (2, 3)), 5, act=NONE)
    c = n.pair("ADD", a, b)
    d = n.pair("MUL", c, unary(n, b, "LEAKY_RELU", "LeakyReluOptions", alpha=0.1))
    return n.finish([x], [d])


def pools(channels):
    n = Network()
    x, y = image(n, 57, 75, channels)
    return n.finish([x], [pooled(n, "MAX_POOL_2D", y, (3, 3), (2, 2)), pooled(n, "MAX_POOL_2D", y, (5, 1), (1, 1)),
                          pooled(n, "AVERAGE_POOL_2D", y, (3, 3), (2, 2)), pooled(n, "AVERAGE_POOL_2D", y, (2, 5), (1, 3)),
                          pooled(n, "AVERAGE_POOL_2D", y, (1, 7), (1, 1), VALID), pooled(n, "MAX_POOL_2D", y, (2, 2), (2, 2), VALID)])


def averages(h, w, c):
    n = Network()
    x, y = image(n, h, w, c)
    return n.finish([x], [pooled(n, "AVERAGE_POOL_2D", y, (3, 3), (1, 1)), pooled(n, "AVERAGE_POOL_2D", y, (2, 2), (2, 2)),
                          pooled(n, "AVERAGE_POOL_2D", y, (5, 5), (1, 1), VALID)])


def sequence(channels, across):
    """4000 samples along one axis."""
    n = Network()
    turn = (lambda h, w: (h, w)) if across else (lambda h, w: (w, h))
    x = n.act([1, *turn(1, 4000), channels])
    y = n.conv(x, 8, turn(1, 9), act=RELU)
    z = dilated(n, y, 8, turn(1, 5), turn(1, 16))
    y = n.pair("ADD", y, z)
    y = strided(n, y, 12, turn(1, 16), turn(1, 4) if across else turn(1, 4), SAME)
    y = pooled(n, "MAX_POOL_2D", y, turn(1, 4), turn(1, 3))
    return n.finish([x], [unary(n, y, "TANH")])


def transposes(shape, *orders):
    n = Network()
    x = n.act(shape)
    y = unary(n, x, "ABS")
    return n.finish([x], [turned(n, y, o) for o in orders])


def slices(channels):
    n = Network()
    x, y = image(n, 63, 77, channels)
    return n.finish([x], [unary(n, cut(n, y, [0, 0, 0, 0], [1, 63, 77, channels], [1, 1, 2, 1]), "ABS"),
                          unary(n, cut(n, y, [0, 1, 0, 0], [1, 63, 77, channels], [1, 3, 1, 1]), "ABS"),
                          unary(n, cut(n, y, [0, 0, 0, 1], [1, 63, 77, channels], [1, 1, 1, 1]), "ABS"),
                          unary(n, cut(n, y, [0, 3, 5, 0], [1, 60, 70, channels], [1, 1, 1, 1]), "ABS")])


def joins(channels):
    n = Network()
    x, y = image(n, 47, 53, channels)
    parts = [unary(n, y, "ABS") for _ in range(3)]
    parts = [n.rescaled(p) for p in parts]
    y = joined(n, parts, 3)
    return n.finish([x], [y, joined(n, parts, 2), joined(n, parts, 1), n.conv(y, 7, act=NONE)])


def pads(channels):
    n = Network()
    x, y = image(n, 45, 51, channels)
    return n.finish([x], [padded(n, y, [[0, 0], [1, 2], [3, 1], [0, 0]]), padded(n, y, [[0, 0], [0, 0], [0, 0], [1, 2]]),
                          padded(n, y, [[0, 0], [2, 1], [2, 2], [0, 0]], True)])


def resizes(channels):
    n = Network()
    x, y = image(n, 19, 23, channels)
    return n.finish([x], [resized(n, y, "BILINEAR", 2), resized(n, y, "BILINEAR", 4, True), resized(n, y, "NEAREST_NEIGHBOR", 2),
                          resized(n, y, "NEAREST_NEIGHBOR", 4), resized(n, y, "BILINEAR", 8)])


def reductions(h, w, c):
    n = Network()
    x, y = image(n, h, w, c)
    outs = [reduced(n, y, "MEAN", axes) for axes in ([1], [2], [1, 2])]
    outs += [reduced(n, y, "SUM", [3]), reduced(n, y, "REDUCE_MAX", [1, 2]), reduced(n, y, "REDUCE_MIN", [2])]
    return n.finish([x], outs)


def argmaxes(h, w, c):
    n = Network()
    x, y = image(n, h, w, c)
    z = n.b.tensor([1, h, w], "int32")
    n.b.op("ARG_MAX", [y, ints(n, 3)], [z], "ArgMaxOptions", 1, outputType=2)
    return n.finish([x], [z])


def softmaxes(h, w, c):
    n = Network()
    x, y = image(n, h, w, c)
    return n.finish([x], [softmax(n, y)])


def products(batch, rows, inner, columns):
    n = Network()
    a, b, c = n.act([batch, rows, inner]), n.act([batch, inner, columns]), n.act([batch, columns, inner])
    return n.finish([a, b, c], [matmul(n, a, b, False), matmul(n, a, c, True)])


def broadcasts(h, w, c):
    n = Network()
    x, y = image(n, h, w, c)
    outs = []
    for name in "ADD", "SUB", "MUL", "MINIMUM", "MAXIMUM", "SQUARED_DIFFERENCE":
        outs += [broadcast(n, y, name, shape) for shape in ([1, 1, 1, c], [1, h, 1, 1], [1, 1, w, 1], [1, h, w, 1], [1, 1, w, c])]
    return n.finish([x], outs)


def tables(h, w, c):
    n = Network()
    x, y = image(n, h, w, c)
    outs = [n.table("LOGISTIC", y), n.table("TANH", y), unary(n, y, "LEAKY_RELU", "LeakyReluOptions", alpha=0.1), unary(n, y, "EXP"),
            unary(n, y, "HARD_SWISH", "HardSwishOptions") if not n.int16 else unary(n, y, "ABS"), n.rescaled(y, 1 / 7)]
    alpha = n.b.tensor([1, 1, c], "int16" if n.int16 else "int8", 1 / 128, 0, n.rng.integers(-127, 128, [1, 1, c]))
    z = n.act(n.shape(y), n.own_scale())
    n.b.op("PRELU", [y, alpha], [z], None, 1)
    wide = n.b.tensor(n.shape(y), "int8" if n.int16 else "int16", 1 / 4 if n.int16 else 1 / 2048)
    n.b.op("QUANTIZE", [y], [wide], "QuantizeOptions", 1)
    return n.finish([x], outs + [z, wide])


def strides(channels):
    n = Network()
    x, y = image(n, 99, 93, channels)
    _, h, w, _ = n.shape(y)
    outs = [strided(n, y, 5, (5, 3), (3, 2), SAME), strided(n, y, 16, (4, 4), (4, 4), VALID) if channels < 8 else strided(n, y, 9, (3, 3), (3, 3), VALID),
            n.depthwise(y, 7, 3, NONE), dilated(n, y, 6, (3, 1), (9, 1)), dilated(n, y, 7, (2, 4), (3, 5))]
    up = n.act([1, h, w, 5])
    small = strided(n, y, 6, (2, 2), (2, 2), SAME)
    _, sh, sw, _ = n.shape(small)
    up = n.act([1, 2 * sh, 2 * sw, 5])
    weights, bias = n.weights([5, 3, 3, 6], 0, 5)
    n.b.op("TRANSPOSE_CONV", [ints(n, [1, 2 * sh, 2 * sw, 5]), weights, small, bias], [up], "TransposeConvOptions", 3, padding=0,
           strideH=2, strideW=2)
    return n.finish([x], outs + [up])


def shapes4(name, channels, block=2):
    """Pixels to channels, or channels to pixels."""
    n = Network()
    x, y = image(n, 48, 64, channels)
    to_depth = name == "SPACE_TO_DEPTH"
    shape = [1, 48 // block, 64 // block, channels * block * block] if to_depth else [1, 48 * block, 64 * block, channels // block ** 2]
    z = like(n, y, shape)
    n.b.op(name, [y], [z], "SpaceToDepthOptions" if to_depth else "DepthToSpaceOptions", 1, blockSize=block)
    return n.finish([x], [unary(n, z, "ABS")])


def packs(h, w, c):
    n = Network()
    x, y = image(n, h, w, c)
    parts = [like(n, y, [1, h, w]) for _ in range(c)]
    n.b.op("UNPACK", [y], parts, "UnpackOptions", 2, num=c, axis=3)
    z = like(n, y, [1, h, w, c])
    n.b.op("PACK", [n.rescaled(unary(n, p, "ABS")) for p in parts], [z], "PackOptions", 2, valuesCount=c, axis=3)
    tiled = like(n, y, [1, h * 2, w, c * 3])
    n.b.op("TILE", [y, ints(n, [1, 2, 1, 3])], [tiled], "TileOptions", 2)
    return n.finish([x], [z, tiled])


ODD = {
    "odd_few1": (few, 1), "odd_few2": (few, 2), "odd_few3": (few, 3), "odd_few7": (few, 7), "odd_few13": (few, 13), "odd_few17": (few, 17),
    "odd_pools1": (pools, 1), "odd_pools3": (pools, 3), "odd_pools7": (pools, 7), "odd_pools21": (pools, 21),
    "odd_averages96": (averages, 32, 32, 96), "odd_averages12": (averages, 17, 19, 12),
    "odd_across1": (sequence, 1, True), "odd_down1": (sequence, 1, False), "odd_across6": (sequence, 6, True), "odd_down6": (sequence, 6, False),
    "odd_turn2": (transposes, [64, 70, 2], (0, 2, 1), (2, 0, 1), (1, 0, 2), (2, 1, 0)),
    "odd_turn3": (transposes, [64, 70, 3], (0, 2, 1), (2, 0, 1), (1, 0, 2), (2, 1, 0)),
    "odd_turn33": (transposes, [40, 45, 33], (0, 2, 1), (2, 0, 1), (1, 0, 2), (2, 1, 0)),
    "odd_turn4": (transposes, [1, 30, 36, 12], (0, 3, 1, 2), (0, 2, 3, 1), (0, 2, 1, 3), (0, 3, 2, 1)),
    "odd_turn5": (transposes, [2, 6, 8, 10, 6], (0, 2, 4, 1, 3), (4, 3, 2, 1, 0), (1, 0, 3, 2, 4)),
    "odd_slices1": (slices, 2), "odd_slices5": (slices, 5), "odd_slices24": (slices, 24),
    "odd_joins1": (joins, 1), "odd_joins3": (joins, 3), "odd_joins9": (joins, 9),
    "odd_pads1": (pads, 1), "odd_pads3": (pads, 3), "odd_pads20": (pads, 20),
    "odd_resizes1": (resizes, 1), "odd_resizes3": (resizes, 3), "odd_resizes11": (resizes, 11),
    "odd_reductions3": (reductions, 40, 50, 3), "odd_reductions21": (reductions, 20, 25, 21), "odd_reductions1": (reductions, 60, 60, 1),
    "odd_argmax5": (argmaxes, 24, 30, 5), "odd_argmax21": (argmaxes, 24, 30, 21), "odd_argmax90": (argmaxes, 9, 11, 90),
    "odd_softmax2": (softmaxes, 30, 40, 2), "odd_softmax10": (softmaxes, 20, 20, 10), "odd_softmax1000": (softmaxes, 1, 4, 1000),
    "odd_softmax91": (softmaxes, 10, 19, 91),
    "odd_products": (products, 3, 37, 41, 29), "odd_products1": (products, 1, 100, 3, 100), "odd_products8": (products, 8, 17, 16, 17),
    "odd_broadcast1": (broadcasts, 60, 70, 1), "odd_broadcast3": (broadcasts, 40, 52, 3), "odd_broadcast21": (broadcasts, 20, 22, 21),
    "odd_broadcast40": (broadcasts, 12, 16, 40),
    "odd_tables1": (tables, 60, 70, 1), "odd_tables3": (tables, 40, 50, 3), "odd_tables30": (tables, 20, 14, 30),
    "odd_strides1": (strides, 1), "odd_strides3": (strides, 3), "odd_strides10": (strides, 10),
    "odd_depth3": (shapes4, "SPACE_TO_DEPTH", 3), "odd_depth12": (shapes4, "DEPTH_TO_SPACE", 12), "odd_depth16": (shapes4, "DEPTH_TO_SPACE", 16, 4),
    "odd_packs": (packs, 30, 50, 3),
}
ODD = {name: functools.partial(*row) for name, row in ODD.items()}

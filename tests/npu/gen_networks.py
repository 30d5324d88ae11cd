# SPDX-License-Identifier: Apache-2.0
"""Random small networks, one function per operator family: FAMILIES[name](rng, builder) adds the
operators and returns (inputs, outputs). Shapes, strides, paddings, scales and zero points are drawn
from the generator given, so that a seed reproduces a network."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

LIMITS = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767)}


def dtype_of(rng, choices=("int8", "int8", "int8", "int16")):
    return str(rng.choice(choices))


def quant(rng, dtype, spread=1.0):
    """Scale and zero point of an activation of about +-spread."""
    scale = float(np.float32(spread * rng.uniform(0.7, 1.6) / (32768 if dtype == "int16" else 128)))
    return scale, 0 if dtype == "int16" else int(rng.integers(-100, 100)) + (128 if dtype == "uint8" else 0)


def act(rng, b, shape, dtype, spread=1.0):
    return b.tensor(shape, dtype, *quant(rng, dtype, spread))


def size(rng, low, high):
    """Small values more often than large ones."""
    return int(np.exp(rng.uniform(np.log(low), np.log(high + 0.99))))


def shape4(rng, h=24, w=24, c=70):
    return [1, size(rng, 1, h), size(rng, 1, w), size(rng, 1, c)]


def activation(rng):
    return int(rng.choice([s.ActivationFunctionType.NONE] * 3 + [s.ActivationFunctionType.RELU,
                                                                s.ActivationFunctionType.RELU6,
                                                                s.ActivationFunctionType.RELU_N1_TO_1]))


def window(rng, h, w, max_kernel=7, dilate=False):
    kh, kw = int(rng.integers(1, max_kernel + 1)), int(rng.integers(1, max_kernel + 1))
    sy, sx = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    dy = dx = 1
    if dilate and rng.random() < 0.25:
        sy = sx = 1
        dy, dx = int(rng.integers(1, 3)), int(rng.integers(1, 3))
    padding = int(rng.choice([s.Padding.SAME, s.Padding.VALID]))
    eh, ew = (kh - 1) * dy + 1, (kw - 1) * dx + 1
    if padding == s.Padding.VALID and (eh > h or ew > w):
        padding = s.Padding.SAME
    if padding == s.Padding.SAME:
        oh, ow = -(-h // sy), -(-w // sx)
    else:
        oh, ow = (h - eh) // sy + 1, (w - ew) // sx + 1
    return kh, kw, sy, sx, dy, dx, padding, oh, ow


def weights(rng, b, shape, dtype, channels, axis, in_scale):
    """Weights and bias; sparse, clustered or dense, so that all codings of the stream occur."""
    kind = rng.integers(0, 4)
    data = np.clip(rng.normal(0, rng.uniform(4, 45), shape), -127, 127).round()
    if kind == 1:
        data[rng.random(shape) < rng.uniform(0.3, 0.95)] = 0
    if kind == 2:
        data = rng.choice(rng.integers(-127, 128, int(rng.integers(2, 33))), shape)
    scale = np.float32(rng.uniform(0.3, 1.0, channels) / 128 / np.sqrt(max(1, np.prod(shape) / channels) / 8))
    w = b.tensor(shape, "int8", scale, 0, data, axis)
    bias_type = "int64" if dtype == "int16" else "int32"
    bias = b.tensor([channels], bias_type, scale * np.float32(in_scale), 0,
                    rng.integers(-3000, 3000, channels) * (64 if dtype == "int16" else 1))
    return w, bias


def conv(rng, b):
    dtype = dtype_of(rng)
    ishape = shape4(rng)
    oc = size(rng, 1, 70)
    kh, kw, sy, sx, dy, dx, padding, oh, ow = window(rng, ishape[1], ishape[2], dilate=True)
    x = act(rng, b, ishape, dtype)
    w, bias = weights(rng, b, [oc, kh, kw, ishape[3]], dtype, oc, 0, b.info[x][2])
    y = act(rng, b, [1, oh, ow, oc], dtype, rng.uniform(0.5, 2))
    b.op("CONV_2D", [x, w, bias], [y], "Conv2DOptions", 3, padding=padding, strideH=sy, strideW=sx,
         dilationHFactor=dy, dilationWFactor=dx, fusedActivationFunction=activation(rng))
    return [x], [y]


def depthwise(rng, b):
    dtype = dtype_of(rng)
    ishape = shape4(rng)
    kh, kw, sy, _, dy, dx, padding, oh, ow = window(rng, ishape[1], ishape[2], 6, True)
    ow = -(-ishape[2] // sy) if padding == s.Padding.SAME else (ishape[2] - (kw - 1) * dx - 1) // sy + 1
    c = ishape[3]
    x = act(rng, b, ishape, dtype)
    w, bias = weights(rng, b, [1, kh, kw, c], dtype, c, 3, b.info[x][2])
    y = act(rng, b, [1, oh, ow, c], dtype)
    b.op("DEPTHWISE_CONV_2D", [x, w, bias], [y], "DepthwiseConv2DOptions", 3, padding=padding, strideH=sy,
         strideW=sy, depthMultiplier=1, dilationHFactor=dy, dilationWFactor=dx,
         fusedActivationFunction=activation(rng))
    return [x], [y]


def transpose_conv(rng, b):
    ishape = [1, size(rng, 1, 10), size(rng, 1, 10), size(rng, 1, 40)]
    k, oc = int(rng.integers(1, 5)), size(rng, 1, 24)
    stride = int(rng.choice([1, 2, 2]))
    padding = s.Padding.SAME
    oshape = [1, ishape[1] * stride, ishape[2] * stride, oc]
    x = act(rng, b, ishape, "int8")
    w, bias = weights(rng, b, [oc, k, k, ishape[3]], "int8", oc, 0, b.info[x][2])
    y = act(rng, b, oshape, "int8")
    shape = b.tensor([4], "int32", data=oshape)
    b.op("TRANSPOSE_CONV", [shape, w, x, bias], [y], "TransposeConvOptions", 3, padding=padding,
         strideH=stride, strideW=stride)
    return [x], [y]


def fully_connected(rng, b):
    n, k, m = size(rng, 1, 9), size(rng, 1, 200), size(rng, 1, 120)
    x = act(rng, b, [n, k], "int8")
    scale = float(np.float32(rng.uniform(0.3, 1) / 128 / np.sqrt(k / 8)))
    w = b.tensor([m, k], "int8", scale, 0, np.clip(rng.normal(0, 40, (m, k)), -127, 127).round())
    bias = b.tensor([m], "int32", scale * b.info[x][2], 0, rng.integers(-2000, 2000, m))
    y = act(rng, b, [n, m], "int8")
    b.op("FULLY_CONNECTED", [x, w, bias], [y], "FullyConnectedOptions", 4,
         fusedActivationFunction=activation(rng))
    return [x], [y]


def pool(rng, b, name, dtype):
    ishape = shape4(rng)
    kh, kw, sy, sx, _, _, padding, oh, ow = window(rng, ishape[1], ishape[2], 8)
    x = act(rng, b, ishape, dtype)
    y = b.tensor([1, oh, ow, ishape[3]], dtype, *b.info[x][2:])
    b.op(name, [x], [y], "Pool2DOptions", 2, padding=padding, strideH=sy, strideW=sx, filterHeight=kh,
         filterWidth=kw, fusedActivationFunction=s.ActivationFunctionType.NONE)
    return [x], [y]


def max_pool(rng, b):
    return pool(rng, b, "MAX_POOL_2D", dtype_of(rng))


def average_pool(rng, b):
    return pool(rng, b, "AVERAGE_POOL_2D", dtype_of(rng))


def binary(rng, b, name, options=None, same=False, dtype=None, broadcast=True):
    dtype = dtype or dtype_of(rng)
    shape = shape4(rng)
    other = [d if rng.random() < 0.7 or not broadcast else 1 for d in shape]
    x = act(rng, b, shape, dtype)
    q = b.info[x][2:]
    z = b.tensor(other, dtype, *q) if same else act(rng, b, other, dtype, rng.uniform(0.2, 3))
    y = b.tensor(shape, dtype, *q) if same else act(rng, b, shape, dtype, rng.uniform(0.5, 3))
    fields = {"fusedActivationFunction": activation(rng)} if name in ("ADD", "SUB", "MUL") else {}
    if name in ("ADD", "SUB") and dtype == "int16":
        fields["potScaleInt16"] = False
    pair = [x, z] if rng.random() < 0.5 or other == shape else [z, x]
    b.op(name, pair, [y], options, 2, **fields)
    return [x, z], [y]


def add(rng, b):
    return binary(rng, b, "ADD", "AddOptions")


def sub(rng, b):
    return binary(rng, b, "SUB", "SubOptions")


def mul(rng, b):
    return binary(rng, b, "MUL", "MulOptions")


def maximum(rng, b):
    return binary(rng, b, "MAXIMUM", "MaximumMinimumOptions", True, "int8")


def minimum(rng, b):
    return binary(rng, b, "MINIMUM", "MaximumMinimumOptions", True, "int8")


def squared_difference(rng, b):
    return binary(rng, b, "SQUARED_DIFFERENCE", "SquaredDifferenceOptions", False, "int8", False)


def unary(rng, b, name, dtype, out_q=None, options=None, version=2, **fields):
    shape = shape4(rng)
    x = act(rng, b, shape, dtype, rng.uniform(1, 6))
    y = b.tensor(shape, dtype, *(out_q or quant(rng, dtype)))
    b.op(name, [x], [y], options, version, **fields)
    return [x], [y]


def logistic(rng, b):
    dtype = dtype_of(rng, ("int8", "int16"))
    return unary(rng, b, "LOGISTIC", dtype, (1 / 256, -128) if dtype == "int8" else (1 / 32768, 0))


def tanh(rng, b):
    dtype = dtype_of(rng, ("int8", "int16"))
    return unary(rng, b, "TANH", dtype, (1 / 128, 0) if dtype == "int8" else (1 / 32768, 0))


def hard_swish(rng, b):
    return unary(rng, b, "HARD_SWISH", "int8", None, "HardSwishOptions", 1)


def leaky_relu(rng, b):
    return unary(rng, b, "LEAKY_RELU", dtype_of(rng, ("int8", "int16")), None, "LeakyReluOptions", 2,
                 alpha=float(rng.uniform(0.01, 0.9)))


def relu6(rng, b):
    return unary(rng, b, "RELU6", "int8", None, None, 2)


def relu(rng, b):
    return unary(rng, b, "RELU", dtype_of(rng, ("int8", "int16")), None, None, 3)


def absolute(rng, b):
    return unary(rng, b, "ABS", dtype_of(rng, ("int8", "int16")), None, "AbsOptions", 3)


def softmax(rng, b):
    dtype = dtype_of(rng, ("int8", "int8", "int16"))
    shape = [size(rng, 1, 20), size(rng, 2, 60)]
    x = act(rng, b, shape, dtype, rng.uniform(1, 10))
    y = b.tensor(shape, dtype, *((1 / 256, -128) if dtype == "int8" else (1 / 32768, 0)))
    b.op("SOFTMAX", [x], [y], "SoftmaxOptions", 3, beta=1.0)
    return [x], [y]


def resize(rng, b, name, options, version):
    ishape = [1, size(rng, 1, 9), size(rng, 1, 9), size(rng, 1, 40)]
    mode = int(rng.integers(0, 3))
    factor = int(rng.choice([2, 2, 4]))
    align, half = (mode == 1), (mode == 2 and name == "RESIZE_BILINEAR")
    oh, ow = [(d - 1) * factor + 1 if align else d * factor for d in ishape[1:3]]
    x = act(rng, b, ishape, "int8")
    shape = b.tensor([2], "int32", data=[oh, ow])
    y = b.tensor([1, oh, ow, ishape[3]], "int8", *b.info[x][2:])
    b.op(name, [x, shape], [y], options, version, alignCorners=align, halfPixelCenters=half)
    return [x], [y]


def resize_bilinear(rng, b):
    return resize(rng, b, "RESIZE_BILINEAR", "ResizeBilinearOptions", 3)


def resize_nearest(rng, b):
    return resize(rng, b, "RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighborOptions", 3)


def concat(rng, b):
    dtype = dtype_of(rng)
    shape, axis = shape4(rng), int(rng.integers(1, 4))
    q = quant(rng, dtype)
    parts = []
    for _ in range(int(rng.integers(2, 5))):
        part = list(shape)
        part[axis] = size(rng, 1, 33)
        parts.append(b.tensor(part, dtype, *q))
    shape[axis] = sum(b.info[p][0][axis] for p in parts)
    y = b.tensor(shape, dtype, *q)
    b.op("CONCATENATION", parts, [y], "ConcatenationOptions", 2, axis=axis, fusedActivationFunction=0)
    return parts, [y]


def pad(rng, b):
    shape = shape4(rng)
    x = act(rng, b, shape, "int8")
    pads = [[0, 0]] + [[int(rng.integers(0, 4)), int(rng.integers(0, 4))] for _ in range(2)] + [[0, 0]]
    p = b.tensor([4, 2], "int32", data=pads)
    y = b.tensor([d + sum(q) for d, q in zip(shape, pads)], "int8", *b.info[x][2:])
    b.op("PAD", [x, p], [y], "PadOptions", 2)
    return [x], [y]


def strided_slice(rng, b):
    dtype = dtype_of(rng)
    shape = shape4(rng)
    x = act(rng, b, shape, dtype)
    begin = [0] + [int(rng.integers(0, d)) for d in shape[1:]]
    end = [1] + [int(rng.integers(lo + 1, d + 1)) for lo, d in zip(begin[1:], shape[1:])]
    y = b.tensor([e - lo for lo, e in zip(begin, end)], dtype, *b.info[x][2:])
    idx = [b.tensor([4], "int32", data=v) for v in (begin, end, [1] * 4)]
    b.op("STRIDED_SLICE", [x] + idx, [y], "StridedSliceOptions", 2)
    return [x], [y]


def mean(rng, b):
    dtype = dtype_of(rng)
    shape = shape4(rng)
    axes = sorted(rng.choice([1, 2], int(rng.integers(1, 3)), replace=False).tolist())
    x = act(rng, b, shape, dtype)
    a = b.tensor([len(axes)], "int32", data=axes)
    y = act(rng, b, [1 if i in axes else d for i, d in enumerate(shape)], dtype)
    b.op("MEAN", [x, a], [y], "ReducerOptions", 3, keepDims=True)
    return [x], [y]


def batch_matmul(rng, b):
    n, k, m = size(rng, 1, 20), size(rng, 1, 40), size(rng, 1, 30)
    batch = size(rng, 1, 5)
    x = act(rng, b, [1, batch, n, k], "int8")
    z = act(rng, b, [1, batch, k, m], "int8")
    y = act(rng, b, [1, batch, n, m], "int8", 2 * np.sqrt(k))
    b.op("BATCH_MATMUL", [x, z], [y], "BatchMatMulOptions", 2, adjX=False, adjY=False)
    return [x, z], [y]


def transpose(rng, b):
    shape = [size(rng, 1, 20) for _ in range(3)]
    order = rng.permutation(3).tolist()
    x = act(rng, b, shape, "int8")
    p = b.tensor([3], "int32", data=order)
    y = b.tensor([shape[i] for i in order], "int8", *b.info[x][2:])
    b.op("TRANSPOSE", [x, p], [y], "TransposeOptions", 2)
    return [x], [y]


def argmax(rng, b):
    shape = [1, size(rng, 1, 12), size(rng, 1, 12), size(rng, 2, 60)]
    x = act(rng, b, shape, "int8")
    a = b.tensor([1], "int32", data=[3])
    y = b.tensor(shape[:3], "int32")
    b.op("ARG_MAX", [x, a], [y], "ArgMaxOptions", 2, outputType=s.TensorType.INT32)
    return [x], [y]


def requantise(rng, b):
    a, c = str(rng.choice(["int8", "int16", "uint8"])), "int8"
    shape = shape4(rng)
    x, y = act(rng, b, shape, a), act(rng, b, shape, c)
    b.op("QUANTIZE", [x], [y], "QuantizeOptions", 2)
    return [x], [y]


def prelu(rng, b):
    shape = shape4(rng)
    x = act(rng, b, shape, "int8")
    alpha = b.tensor([1, 1, shape[3]], "int8", 1 / 128, 0, rng.integers(-127, 128, shape[3]))
    y = act(rng, b, shape, "int8")
    b.op("PRELU", [x, alpha], [y], None, 1)
    return [x], [y]


def network(rng, b):
    """Convolutions, depthwise, residual sums and a classifier; cascades when optimised for size."""
    h, w, c = size(rng, 8, 30), size(rng, 8, 30), size(rng, 1, 8)
    x = act(rng, b, [1, h, w, c], "int8")
    t, first = x, x
    for i in range(int(rng.integers(2, 6))):
        shape, q = b.info[t][0], b.info[t][2]
        kind = int(rng.integers(0, 3))
        oc = shape[3] if kind else size(rng, 4, 48)
        k = int(rng.choice([1, 3, 3, 5]))
        y = act(rng, b, [1, shape[1], shape[2], oc], "int8")
        if kind == 2:
            wt, bias = weights(rng, b, [1, k, k, oc], "int8", oc, 3, q)
            b.op("DEPTHWISE_CONV_2D", [t, wt, bias], [y], "DepthwiseConv2DOptions", 3, padding=s.Padding.SAME,
                 strideH=1, strideW=1, depthMultiplier=1, dilationHFactor=1, dilationWFactor=1,
                 fusedActivationFunction=activation(rng))
        else:
            wt, bias = weights(rng, b, [oc, k, k, shape[3]], "int8", oc, 0, q)
            b.op("CONV_2D", [t, wt, bias], [y], "Conv2DOptions", 3, padding=s.Padding.SAME, strideH=1, strideW=1,
                 dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=activation(rng))
        if kind == 1:
            z = act(rng, b, b.info[y][0], "int8", 2)
            b.op("ADD", [t, y], [z], "AddOptions", 2, fusedActivationFunction=0)
            y = z
        t = y
    return [first], [t]


def uint8(rng, b):
    """Unsigned data: a convolution or a pooling in uint8."""
    ishape = shape4(rng, 12, 12, 40)
    x = act(rng, b, ishape, "uint8")
    if rng.random() < 0.4:
        return pool_of(rng, b, x)
    oc, k = size(rng, 1, 40), int(rng.choice([1, 3]))
    ws = float(np.float32(rng.uniform(0.3, 1.0) / 128 / np.sqrt(k * k * ishape[3] / 8)))
    w = b.tensor([oc, k, k, ishape[3]], "uint8", ws, int(rng.integers(100, 156)),
                 rng.integers(0, 256, (oc, k, k, ishape[3])))
    bias = b.tensor([oc], "int32", ws * b.info[x][2], 0, rng.integers(-2000, 2000, oc))
    y = act(rng, b, ishape[:3] + [oc], "uint8")
    b.op("CONV_2D", [x, w, bias], [y], "Conv2DOptions", 1, padding=s.Padding.SAME, strideH=1, strideW=1,
         dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=activation(rng))
    return [x], [y]


def pool_of(rng, b, x):
    shape = b.info[x][0]
    name = str(rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"]))
    y = b.tensor(shape, b.info[x][1], *b.info[x][2:])
    b.op(name, [x], [y], "Pool2DOptions", 1, padding=s.Padding.SAME, strideH=1, strideW=1, filterHeight=3,
         filterWidth=3, fusedActivationFunction=0)
    return [x], [y]


def gather(rng, b):
    shape = [size(rng, 1, 30), size(rng, 1, 40)]
    x = act(rng, b, shape, "int8")
    rows = size(rng, 1, 30)
    i = b.tensor([rows], "int32", data=rng.integers(0, shape[0], rows))
    y = b.tensor([rows, shape[1]], "int8", *b.info[x][2:])
    b.op("GATHER", [x, i], [y], "GatherOptions", 2, axis=0, batchDims=0)
    return [x], [y]


def compare(rng, b):
    shape = shape4(rng)
    x, z = act(rng, b, shape, "int8"), act(rng, b, shape, "int8")
    y = b.tensor(shape, "bool")
    name, options = [("GREATER", "GreaterOptions"), ("EQUAL", "EqualOptions"), ("LESS", "LessOptions"),
                     ("NOT_EQUAL", "NotEqualOptions"), ("GREATER_EQUAL", "GreaterEqualOptions")][rng.integers(0, 5)]
    b.op(name, [x, z], [y], options, 2)
    return [x, z], [y]


def reverse(rng, b):
    shape = shape4(rng)
    x = act(rng, b, shape, "int8")
    a = b.tensor([1], "int32", data=[int(rng.integers(1, 4))])
    y = b.tensor(shape, "int8", *b.info[x][2:])
    b.op("REVERSE_V2", [x, a], [y], "ReverseV2Options", 2)
    return [x], [y]


def mirror_pad(rng, b):
    shape = [1, size(rng, 4, 14), size(rng, 4, 14), size(rng, 1, 30)]
    x = act(rng, b, shape, "int8")
    pads = [[0, 0]] + [[int(rng.integers(0, 3)), int(rng.integers(0, 3))] for _ in range(2)] + [[0, 0]]
    p = b.tensor([4, 2], "int32", data=pads)
    y = b.tensor([d + sum(q) for d, q in zip(shape, pads)], "int8", *b.info[x][2:])
    b.op("MIRROR_PAD", [x, p], [y], "MirrorPadOptions", 2, mode=int(rng.integers(0, 2)))
    return [x], [y]


def reduce(rng, b):
    shape = shape4(rng)
    axes = [int(rng.integers(1, 4))]
    name = str(rng.choice(["REDUCE_MAX", "REDUCE_MIN"])) # SUM: LiteRT's int8 kernel is wrong
    x = act(rng, b, shape, "int8")
    a = b.tensor([1], "int32", data=axes)
    y = b.tensor([1 if i in axes else d for i, d in enumerate(shape)], "int8", *b.info[x][2:])
    b.op(name, [x, a], [y], "ReducerOptions", 2, keepDims=True)
    return [x], [y]


def split(rng, b):
    axis, parts = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    shape = shape4(rng)
    shape[axis] = parts * size(rng, 1, 20)
    x = act(rng, b, shape, "int8")
    t = b.tensor(shape, "int8", *quant(rng, "int8"))
    b.op("RELU", [x], [t], None, 2)
    a = b.tensor([], "int32", data=axis)
    each = list(shape)
    each[axis] //= parts
    ys = [b.tensor(each, "int8", *b.info[t][2:]) for _ in range(parts)]
    b.op("SPLIT", [a, t], ys, "SplitOptions", 2, numSplits=parts)
    return [x], ys


def int32_math(rng, b):
    shape = [size(rng, 1, 20), size(rng, 1, 30)]
    x, z, y = (b.tensor(shape, "int32") for _ in range(3))
    name, options = [("ADD", "AddOptions"), ("SUB", "SubOptions"), ("MUL", "MulOptions"),
                     ("MAXIMUM", "MaximumMinimumOptions"), ("MINIMUM", "MaximumMinimumOptions")][rng.integers(0, 5)]
    b.op(name, [x, z], [y], options, 2)
    return [x, z], [y]


def gelu(rng, b):
    return unary(rng, b, "GELU", "int8", None, "GeluOptions", 2, approximate=bool(rng.random() < 0.5))


def exp(rng, b):
    return unary(rng, b, "EXP", dtype_of(rng, ("int8", "int16")), None, "ExpOptions", 2)


def tile(rng, b):
    shape = [1, size(rng, 1, 8), size(rng, 1, 8), size(rng, 1, 20)]
    times = [1] + [int(rng.integers(1, 4)) for _ in range(3)]
    x = act(rng, b, shape, "int8")
    m = b.tensor([4], "int32", data=times)
    y = b.tensor([d * t for d, t in zip(shape, times)], "int8", *b.info[x][2:])
    b.op("TILE", [x, m], [y], "TileOptions", 2)
    return [x], [y]


def attention(rng, b):
    """Matrix products, softmax and a projection, as in a transformer block."""
    n, k = size(rng, 2, 20), size(rng, 4, 32)
    x = act(rng, b, [1, 1, n, k], "int8")
    z = act(rng, b, [1, 1, n, k], "int8")
    scores = act(rng, b, [1, 1, n, n], "int8", 2 * np.sqrt(k))
    b.op("BATCH_MATMUL", [x, z], [scores], "BatchMatMulOptions", 2, adjX=False, adjY=True)
    probs = b.tensor([1, 1, n, n], "int8", 1 / 256, -128)
    b.op("SOFTMAX", [scores], [probs], "SoftmaxOptions", 3, beta=1.0)
    mixed = act(rng, b, [1, 1, n, k], "int8")
    b.op("BATCH_MATMUL", [probs, z], [mixed], "BatchMatMulOptions", 2, adjX=False, adjY=False)
    y = act(rng, b, [1, 1, n, k], "int8", 2)
    b.op("ADD", [mixed, x], [y], "AddOptions", 2, fusedActivationFunction=0)
    return [x, z], [y]


def conv_large(rng, b):
    """Kernels beyond 8x8, strides up to 4, several batches."""
    kh, kw = int(rng.integers(1, 20)), int(rng.integers(1, 20))
    sy, sx = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    ishape = [int(rng.integers(1, 3)), kh + int(rng.integers(0, 12)), kw + int(rng.integers(0, 12)), size(rng, 1, 12)]
    oc = size(rng, 1, 20)
    x = act(rng, b, ishape, "int8")
    w, bias = weights(rng, b, [oc, kh, kw, ishape[3]], "int8", oc, 0, b.info[x][2])
    y = act(rng, b, [ishape[0], (ishape[1] - kh) // sy + 1, (ishape[2] - kw) // sx + 1, oc], "int8")
    b.op("CONV_2D", [x, w, bias], [y], "Conv2DOptions", 3, padding=s.Padding.VALID, strideH=sy, strideW=sx,
         dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=activation(rng))
    return [x], [y]


def pool_large(rng, b):
    """Global pools and windows beyond 8x8."""
    dtype = dtype_of(rng)
    shape = [1, size(rng, 2, 40), size(rng, 2, 40), size(rng, 1, 20)]
    kh, kw = (shape[1], shape[2]) if rng.random() < 0.5 else (size(rng, 1, shape[1]), size(rng, 1, shape[2]))
    x = act(rng, b, shape, dtype)
    y = b.tensor([1, shape[1] - kh + 1, shape[2] - kw + 1, shape[3]], dtype, *b.info[x][2:])
    b.op(str(rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"])), [x], [y], "Pool2DOptions", 2, padding=s.Padding.VALID,
         strideH=1, strideW=1, filterHeight=kh, filterWidth=kw, fusedActivationFunction=0)
    return [x], [y]


def fully_connected_dynamic(rng, b):
    n, k, m = size(rng, 1, 9), size(rng, 1, 60), size(rng, 1, 40)
    x = act(rng, b, [n, k], "int8")
    w = b.tensor([m, k], "int8", float(np.float32(rng.uniform(0.5, 1) / 128)), 0)
    y = act(rng, b, [n, m], "int8", 2 * np.sqrt(k))
    b.op("FULLY_CONNECTED", [x, w, -1], [y], "FullyConnectedOptions", 4, fusedActivationFunction=0)
    return [x, w], [y]


def pack(rng, b):
    shape, axis, count = [size(rng, 1, 12) for _ in range(3)], int(rng.integers(0, 4)), int(rng.integers(2, 5))
    q = quant(rng, "int8")
    parts = [b.tensor(shape, "int8", *q) for _ in range(count)]
    y = b.tensor(shape[:axis] + [count] + shape[axis:], "int8", *q)
    b.op("PACK", parts, [y], "PackOptions", 2, valuesCount=count, axis=axis)
    return parts, [y]


FAMILIES = {f.__name__: f for f in (
    conv, depthwise, transpose_conv, fully_connected, max_pool, average_pool, add, sub, mul, maximum, minimum,
    squared_difference, logistic, tanh, hard_swish, leaky_relu, relu, relu6, absolute, softmax, resize_bilinear,
    resize_nearest, concat, pad, strided_slice, mean, batch_matmul, transpose, argmax, requantise, prelu, network, uint8,
    gather, compare, reverse, mirror_pad, reduce, split, int32_math, gelu, exp, tile, attention,
    conv_large, pool_large, fully_connected_dynamic, pack)}

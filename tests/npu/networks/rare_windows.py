# SPDX-License-Identifier: Apache-2.0
"""Windows that published networks seldom have: groups, strides with dilation, transposed ones with a fused activation,
padding of its own before padding, pools of whole images, scales at which results are ties."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

from .activation import unary_op
from .convolution import conv_op, depthwise_op, transpose_conv_op
from .draw import act, activation, chance, dtype_of, like, out_size, size, weight_values
from .elementwise import OPTIONS, fields_of
from .reduction import pool_name, pool_op

SIGNED = ("int8", "int8", "int16", "uint8")
SAME, VALID = s.Padding.SAME, s.Padding.VALID


def pair(rng, low, high):
    return int(rng.integers(low, high + 1)), int(rng.integers(low, high + 1))


def image_for(rng, kernel, most=14, c=24, batch=0.1):
    """An image that a kernel of this extent fits in."""
    n = int(rng.integers(2, 4)) if chance(rng, batch) else 1
    return [n] + [k + int(rng.integers(0, most)) for k in kernel] + [size(rng, 1, c)]


def grouped(rng, b):
    """CONV_2D whose weights have a part of the input's channels; of more images Vela 5.2.0 puts all padding of SAME below and to the right."""
    groups, each, outs = int(rng.integers(2, 7)), size(rng, 1, 20), size(rng, 1, 10)
    kernel, stride = pair(rng, 1, 4), (int(rng.integers(1, 3)),) * 2
    x = act(rng, b, image_for(rng, kernel, batch=0)[:3] + [groups * each], dtype_of(rng, ("int8", "int8", "int16")))
    ishape, dtype, scale, _ = b.info[x]
    oc, padding = groups * outs, int(rng.integers(0, 2))
    shape = [oc, *kernel, each]
    wscale = np.float32(rng.uniform(0.3, 1.0, oc) / 128)
    w = b.tensor(shape, "int8", wscale, 0, weight_values(rng, shape))
    bias = b.tensor([oc], "int64" if dtype == "int16" else "int32", wscale * np.float32(scale), 0,
                    rng.integers(-3000, 3000, oc))
    y = act(rng, b, [ishape[0]] + [out_size(n, k, t, padding) for n, k, t in zip(ishape[1:3], kernel, stride)] + [oc], dtype)
    b.op("CONV_2D", [x, w, bias], [y], "Conv2DOptions", 3, padding=padding, strideH=stride[0], strideW=stride[1],
         dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=activation(rng))
    return [x], [y]


def dilated_stride(rng, b):
    """Strides and dilation at a time, padding SAME and VALID; dilation up to 16."""
    kernel, dilation, stride = pair(rng, 1, 5), pair(rng, 1, 5), pair(rng, 1, 3)
    if chance(rng, 0.3):
        dilation = pair(rng, 1, 16)
    extent = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    x = act(rng, b, image_for(rng, extent, 20), dtype_of(rng, SIGNED))
    padding = int(rng.integers(0, 2))
    if chance(rng, 0.4):
        return [x], [depthwise_op(rng, b, x, kernel, stride, dilation, padding)]
    return [x], [conv_op(rng, b, x, kernel, size(rng, 1, 40), stride, dilation, padding)]


def stride_any(rng, b):
    """Strides up to 9, unlike in height and width, with padding."""
    kernel, stride = pair(rng, 1, 9), pair(rng, 1, 9)
    x = act(rng, b, image_for(rng, kernel, 24), dtype_of(rng, SIGNED))
    kind = int(rng.integers(0, 3))
    if kind == 0:
        return [x], [depthwise_op(rng, b, x, kernel, stride, (1, 1), int(rng.integers(0, 2)))]
    if kind == 1:
        name, padding = pool_name(rng), int(rng.integers(0, 2))
        if b.info[x][0][0] > 1 and padding == SAME and max(stride) > 3:
            name = "MAX_POOL_2D"  # of averages Vela 5.2.0 puts the second image's sums beyond the arena for U85
        return [x], [pool_op(rng, b, name, x, kernel, stride, padding, activation(rng))]
    return [x], [conv_op(rng, b, x, kernel, size(rng, 1, 40), stride, (1, 1), SAME)]


def transposed(rng, b):
    """TRANSPOSE_CONV of several images, in uint8, with a fused activation, strides up to 7, kernels up to 13."""
    high = 2 if chance(rng, 0.5) else 7
    stride = (int(rng.integers(1, high + 1)),) * 2 if chance(rng, 0.6) else pair(rng, 1, high)
    kernel = [t + int(rng.integers(0, 7)) for t in stride]
    batch = int(rng.integers(2, 4)) if chance(rng, 0.2) else 1
    x = act(rng, b, [batch, size(rng, 1, 8), size(rng, 1, 8), size(rng, 1, 40)], dtype_of(rng, SIGNED))
    return [x], [transpose_conv_op(rng, b, x, kernel, size(rng, 1, 24), stride, int(rng.integers(0, 2)), activation(rng))]


def pad_then(rng, b):
    """PAD or PADV2 with any value, of any side and of channels, before a window with padding or dilation of its own."""
    ishape, dtype = [1, size(rng, 1, 16), size(rng, 1, 16), size(rng, 1, 30)], dtype_of(rng, SIGNED)
    x = act(rng, b, ishape, dtype)
    most = int(rng.choice([1, 3, 9, 40]))
    sides = [[0, 0]] + [[int(rng.integers(0, most + 1)), int(rng.integers(0, most + 1))] for _ in range(2)] + [[0, 0]]
    if chance(rng, 0.2):
        sides[3] = list(pair(rng, 0, 9))
    t = like(b, x, [d + sum(p) for d, p in zip(ishape, sides)])
    p = b.tensor([4, 2], "int32", data=sides)
    if chance(rng, 0.3):
        limits, v = np.iinfo(dtype), like(b, x, [])
        b.set_data(v, b.info[x][3] if chance(rng, 0.5) else int(rng.integers(limits.min, limits.max + 1)))
        b.op("PADV2", [x, p, v], [t], "PadV2Options", 2)
    else:
        b.op("PAD", [x, p], [t], "PadOptions", 2)
    h, w = b.info[t][0][1:3]
    kernel = int(rng.integers(1, min(h, 9) + 1)), int(rng.integers(1, min(w, 9) + 1))
    stride, padding, kind = pair(rng, 1, 3), int(rng.integers(0, 2)), int(rng.integers(0, 5))
    dilation = tuple(int(rng.integers(1, 1 + min(4, (n - 1) // max(1, k - 1)))) if n > k else 1 for n, k in zip((h, w), kernel))
    if chance(rng, 0.6):
        dilation = 1, 1
    if kind == 0:
        return [x], [depthwise_op(rng, b, t, kernel, (stride[0],) * 2, dilation, padding)]
    if kind == 1:
        return [x], [pool_op(rng, b, pool_name(rng), t, [min(k, 8) for k in kernel], stride, padding, activation(rng))]
    if kind == 2:
        return [x], [transpose_conv_op(rng, b, t, (3, 3), 4, (2, 2), padding)] if h * w < 900 else [t]
    u = conv_op(rng, b, t, kernel, size(rng, 1, 30), stride, dilation, padding)
    return [x], [u, t] if chance(rng, 0.15) else [u]


def pool_whole(rng, b):
    """Windows up to 256x256, and strides as large as the window."""
    kernel = size(rng, 1, 256), size(rng, 1, 256)
    ishape = [1] + [k + int(rng.integers(0, 4)) for k in kernel] + [size(rng, 1, 3)]
    x = act(rng, b, ishape, dtype_of(rng, SIGNED))
    stride = [int(rng.integers(1, 4)) if chance(rng, 0.5) else k for k in kernel]
    return [x], [pool_op(rng, b, pool_name(rng), x, kernel, stride, VALID, activation(rng))]


def depthwise_multiple(rng, b):
    """A multiplier with several channels of input. In uint8 Vela 5.2.0 joins the parts with signed copies on U55 and U65."""
    kernel, stride = pair(rng, 1, 5), (int(rng.integers(1, 4)),) * 2
    x = act(rng, b, image_for(rng, kernel, 10, 16), dtype_of(rng, ("int8", "int8", "int16")))
    return [x], [depthwise_op(rng, b, x, kernel, stride, (1, 1), int(rng.integers(0, 2)), int(rng.integers(1, 9)))]


def bias32(rng, b):
    """int16 with a bias of 32 bits: TensorFlow Lite then sums and scales in 32 bits."""
    kernel, oc = pair(rng, 1, 3), size(rng, 1, 24)
    x = act(rng, b, image_for(rng, kernel, 8, 8, 0), "int16")
    ishape, _, scale, _ = b.info[x]
    shape = [oc, *kernel, ishape[3]]
    wscale = np.float32(rng.uniform(0.3, 1.0, oc) / 128)
    data = np.clip(rng.normal(0, 12, shape), -127, 127).round()
    w = b.tensor(shape, "int8", wscale, 0, data)
    bias = b.tensor([oc], "int32", wscale * np.float32(scale), 0, rng.integers(-100000, 100000, oc))
    y = act(rng, b, [1] + [n - k + 1 for n, k in zip(ishape[1:3], kernel)] + [oc], "int16")
    b.op("CONV_2D", [x, w, bias], [y], "Conv2DOptions", 7, padding=VALID, strideH=1, strideW=1, dilationHFactor=1,
         dilationWFactor=1, fusedActivationFunction=activation(rng), quantizedBiasType=s.TensorType.INT32)
    return [x], [y]


def tie_scale(rng, low, high):
    """A power of two, or three or five times one: halves are common then."""
    return float(2.0 ** int(rng.integers(low, high + 1)) * rng.choice([1, 1, 1, 3, 5]))


def tie_act(rng, b, shape, dtype, low=-9, high=-5):
    return b.tensor(shape, dtype, tie_scale(rng, low, high), 0 if dtype == "int16" else
                    int(rng.choice([0, 0, 1, 64, 127])) + (128 if dtype == "uint8" else 0) - (dtype == "int8"))


def ties(rng, b):
    """Scales at which many results lie half way between two numbers."""
    dtype, kind = dtype_of(rng, SIGNED), int(rng.integers(0, 5))
    shape = [1, size(rng, 1, 12), size(rng, 1, 12), size(rng, 1, 40)]
    x = tie_act(rng, b, shape, dtype)
    if kind == 0:
        name = str(rng.choice(["ADD", "SUB", "MUL"]))
        z = tie_act(rng, b, shape if chance(rng, 0.6) else [1, 1, 1, shape[3]], dtype)
        y = tie_act(rng, b, shape, dtype, *((-11, -4) if name == "MUL" else (-9, -3)))
        fields = fields_of(rng, name, dtype)
        b.op(name, [x, z], [y], OPTIONS[name], 2, **fields)
        return [x, z], [y]
    if kind == 1:
        y = tie_act(rng, b, shape, dtype, -9, -3)
        return [x], [unary_op(rng, b, str(rng.choice(["QUANTIZE", "RELU"])), x, b.info[y][2:], None, 2)]
    if kind == 2:
        q = tie_act(rng, b, shape, dtype, -9, -3)
        return [x], [unary_op(rng, b, "LEAKY_RELU", x, b.info[q][2:], "LeakyReluOptions", 2,
                              alpha=float(rng.choice([0.5, 0.25, 0.75, -0.5, 1.5])))]
    if kind == 3:
        return [x], [pool_op(rng, b, "AVERAGE_POOL_2D", x, pair(rng, 1, 4), (1, 1), SAME)]
    oc, many = size(rng, 1, 24), chance(rng, 0.5) and dtype != "uint8"
    wscale = np.float32([tie_scale(rng, -8, -5) for _ in range(oc if many else 1)])
    data = rng.integers(-8, 9, [oc, 1, 1, shape[3]])
    w = b.tensor(data.shape, "uint8", wscale, 128, data + 128) if dtype == "uint8" else b.tensor(data.shape, "int8", wscale, 0, data)
    bias = b.tensor([oc], "int64" if dtype == "int16" else "int32", wscale * np.float32(b.info[x][2]), 0, rng.integers(-300, 300, oc))
    y = tie_act(rng, b, shape[:3] + [oc], dtype, -8, -2)
    b.op("CONV_2D", [x, w, bias], [y], "Conv2DOptions", 3, padding=SAME, strideH=1, strideW=1, dilationHFactor=1,
         dilationWFactor=1, fusedActivationFunction=0)
    return [x], [y]


def pot_int16(rng, b):
    """ADD and SUB of int16 whose scales are powers of two, computed by shifts."""
    name, shape = str(rng.choice(["ADD", "SUB"])), [1, size(rng, 1, 9), size(rng, 1, 9), size(rng, 1, 30)]
    low = -15 + int(rng.integers(0, 3))
    one = chance(rng, 0.5)  # the reference allows one operand to be shifted
    shift = int(rng.integers(0, 3))
    x, z = (b.tensor(shape, "int16", 2.0 ** (low + (shift if one == first else 0))) for first in (True, False))
    y = b.tensor(shape, "int16", 2.0 ** (low + shift))
    b.op(name, [x, z], [y], OPTIONS[name], 2, fusedActivationFunction=activation(rng), potScaleInt16=True)
    return [x, z], [y]


FAMILIES = (grouped, dilated_stride, stride_any, transposed, pad_then, pool_whole, depthwise_multiple, bias32, ties, pot_int16)

# SPDX-License-Identifier: Apache-2.0
"""Convolutions: plain, depthwise, transposed; with constant weights."""
from ai_edge_litert import schema_py_generated as s

from .draw import act, activation, chance, dtype_of, out_size, shape4, size, weights, window

SIGNED = ("int8", "int8", "int8", "int16", "uint8")


def conv_op(rng, b, x, kernel, oc, stride, dilation, padding, fused=None, spread=None):
    """One CONV_2D on x; returns the output."""
    ishape, dtype, scale, _ = b.info[x]
    (kh, kw), (sy, sx), (dy, dx) = kernel, stride, dilation
    w, bias = weights(rng, b, [oc, kh, kw, ishape[3]], dtype, oc, 0, scale)
    oh, ow = out_size(ishape[1], (kh - 1) * dy + 1, sy, padding), out_size(ishape[2], (kw - 1) * dx + 1, sx, padding)
    y = act(rng, b, [ishape[0], oh, ow, oc], dtype, spread or rng.uniform(0.5, 2))
    b.op("CONV_2D", [x, w, bias], [y], "Conv2DOptions", 3, padding=padding, strideH=sy, strideW=sx,
         dilationHFactor=dy, dilationWFactor=dx, fusedActivationFunction=activation(rng) if fused is None else fused)
    return y


def depthwise_op(rng, b, x, kernel, stride, dilation, padding, multiplier=1, fused=None):
    """One DEPTHWISE_CONV_2D on x; returns the output."""
    ishape, dtype, scale, _ = b.info[x]
    (kh, kw), (sy, sx), (dy, dx) = kernel, stride, dilation
    c = ishape[3] * multiplier
    w, bias = weights(rng, b, [1, kh, kw, c], dtype, c, 3, scale, no_bias=0)
    oh, ow = out_size(ishape[1], (kh - 1) * dy + 1, sy, padding), out_size(ishape[2], (kw - 1) * dx + 1, sx, padding)
    y = act(rng, b, [ishape[0], oh, ow, c], dtype)
    b.op("DEPTHWISE_CONV_2D", [x, w, bias], [y], "DepthwiseConv2DOptions", 3, padding=padding, strideH=sy,
         strideW=sx, depthMultiplier=multiplier, dilationHFactor=dy, dilationWFactor=dx,
         fusedActivationFunction=activation(rng) if fused is None else fused)
    return y


def conv(rng, b):
    ishape = shape4(rng)
    kh, kw, sy, sx, dy, dx, padding, _, _ = window(rng, ishape[1], ishape[2], dilate=True)
    x = act(rng, b, ishape, dtype_of(rng, SIGNED))
    return [x], [conv_op(rng, b, x, (kh, kw), size(rng, 1, 70), (sy, sx), (dy, dx), padding)]


def conv_deep(rng, b):
    """Many channels on a small area; the weights are buffered in parts."""
    ishape = shape4(rng, 8, 8, 20)
    ishape[3] = size(rng, 30, 520)
    k = int(rng.choice([1, 1, 3, 2]))
    x = act(rng, b, ishape, dtype_of(rng))
    return [x], [conv_op(rng, b, x, (k, k), size(rng, 16, 300), (1, 1), (1, 1), s.Padding.SAME)]


def conv_wide(rng, b):
    """Large areas, few channels: an operation is cut into stripes."""
    ishape = [1, size(rng, 30, 120), size(rng, 30, 120), size(rng, 1, 16)]
    kh, kw, sy, sx, dy, dx, padding, _, _ = window(rng, ishape[1], ishape[2], 5, True)
    x = act(rng, b, ishape, dtype_of(rng))
    return [x], [conv_op(rng, b, x, (kh, kw), size(rng, 1, 40), (sy, sx), (dy, dx), padding)]


def conv_batch(rng, b):
    ishape = shape4(rng, 12, 12, 40)
    ishape[0] = int(rng.integers(2, 5))
    kh, kw, sy, sx, dy, dx, padding, _, _ = window(rng, ishape[1], ishape[2], 4, True)
    x = act(rng, b, ishape, dtype_of(rng))
    return [x], [conv_op(rng, b, x, (kh, kw), size(rng, 1, 40), (sy, sx), (dy, dx), padding)]


def conv_stride(rng, b):
    """Strides up to 8 without padding."""
    kh, kw = int(rng.integers(1, 10)), int(rng.integers(1, 10))
    ishape = [1, kh + int(rng.integers(0, 24)), kw + int(rng.integers(0, 24)), size(rng, 1, 24)]
    x = act(rng, b, ishape, dtype_of(rng))
    stride = int(rng.integers(1, 9)), int(rng.integers(1, 9))
    return [x], [conv_op(rng, b, x, (kh, kw), size(rng, 1, 32), stride, (1, 1), s.Padding.VALID)]


def conv_bigkernel(rng, b):
    """Kernels up to 64x64."""
    kh, kw = size(rng, 1, 64), size(rng, 1, 64)
    ishape = [1, kh + int(rng.integers(0, 8)), kw + int(rng.integers(0, 8)), size(rng, 1, 8)]
    padding = int(rng.choice([s.Padding.SAME, s.Padding.VALID, s.Padding.VALID]))
    x = act(rng, b, ishape, dtype_of(rng))
    return [x], [conv_op(rng, b, x, (kh, kw), size(rng, 1, 8), (int(rng.integers(1, 4)), int(rng.integers(1, 4))),
                         (1, 1), padding)]


def conv_line(rng, b):
    """One-dimensional networks: height or width is 1."""
    n, k = size(rng, 4, 200), size(rng, 1, 20)
    stride, dilation = int(rng.integers(1, 4)), int(rng.integers(1, 9)) if chance(rng, 0.3) else 1
    if dilation > 1:
        stride = 1
    padding = s.Padding.SAME if (k - 1) * dilation + 1 > n else int(rng.integers(0, 2))
    c = size(rng, 1, 60)
    flat = chance(rng, 0.5)
    x = act(rng, b, [1, 1, n, c] if flat else [1, n, 1, c], dtype_of(rng))
    pair = (lambda v: (1, v)) if flat else (lambda v: (v, 1))
    return [x], [conv_op(rng, b, x, pair(k), size(rng, 1, 60), pair(stride), pair(dilation), padding)]


def depthwise(rng, b):
    ishape = shape4(rng)
    kh, kw, sy, sx, dy, dx, padding, _, _ = window(rng, ishape[1], ishape[2], 6, True, 3, chance(rng, 0.7))
    x = act(rng, b, ishape, dtype_of(rng, SIGNED))
    return [x], [depthwise_op(rng, b, x, (kh, kw), (sy, sx), (dy, dx), padding)]


def depthwise_multiplier(rng, b):
    ishape = shape4(rng, 16, 16, 3)
    kh, kw, sy, sx, dy, dx, padding, _, _ = window(rng, ishape[1], ishape[2], 5, True, 3, True)
    x = act(rng, b, ishape, dtype_of(rng))
    return [x], [depthwise_op(rng, b, x, (kh, kw), (sy, sx), (dy, dx), padding, int(rng.integers(2, 20)))]


def depthwise_big(rng, b):
    kh, kw = size(rng, 1, 64), size(rng, 1, 64)
    ishape = [1, kh + int(rng.integers(0, 6)), kw + int(rng.integers(0, 6)), size(rng, 1, 12)]
    x = act(rng, b, ishape, dtype_of(rng))
    stride = int(rng.integers(1, 4))
    return [x], [depthwise_op(rng, b, x, (kh, kw), (stride, stride), (1, 1), int(rng.integers(0, 2)))]


def depthwise_deep(rng, b):
    ishape = shape4(rng, 10, 10, 10, 0.2)
    ishape[3] = size(rng, 60, 400)
    kh, kw, sy, sx, dy, dx, padding, _, _ = window(rng, ishape[1], ishape[2], 4, True, 3, True)
    x = act(rng, b, ishape, dtype_of(rng))
    return [x], [depthwise_op(rng, b, x, (kh, kw), (sy, sx), (dy, dx), padding)]


def transpose_conv_op(rng, b, x, kernel, oc, stride, padding, fused=0):
    """One TRANSPOSE_CONV on x; returns the output."""
    ishape, dtype, scale, _ = b.info[x]
    grow = [0, 0] if padding == s.Padding.SAME else [k - t for k, t in zip(kernel, stride)]
    oshape = [ishape[0]] + [n * t + g for n, t, g in zip(ishape[1:3], stride, grow)] + [oc]
    w, bias = weights(rng, b, [oc, *kernel, ishape[3]], dtype, oc, 0, scale)
    y = act(rng, b, oshape, dtype)
    shape = b.tensor([4], "int32", data=oshape)
    b.op("TRANSPOSE_CONV", [shape, w, x] + ([bias] if bias >= 0 else []), [y], "TransposeConvOptions", 3,
         padding=padding, strideH=stride[0], strideW=stride[1], fusedActivationFunction=fused)
    return y


def transpose_conv(rng, b):
    ishape = [1, size(rng, 1, 10), size(rng, 1, 10), size(rng, 1, 40)]
    kernel = [int(rng.integers(1, 6)), int(rng.integers(1, 6))]
    stride = [[1, 1], [2, 2], [2, 2], [1, 2], [2, 1], [3, 3], [3, 2], [4, 4]][int(rng.integers(0, 8))]
    if stride == [1, 2] and chance(rng, 0.7):
        ishape[1] = kernel[0] = 1
    if stride == [2, 1] and chance(rng, 0.7):
        ishape[2] = kernel[1] = 1
    padding = int(rng.integers(0, 2))
    # Vela 5.2.0 places kernels smaller than the stride elsewhere than TensorFlow Lite.
    kernel = [max(k, t) for k, t in zip(kernel, stride)]
    x = act(rng, b, ishape, dtype_of(rng))
    return [x], [transpose_conv_op(rng, b, x, kernel, size(rng, 1, 24), stride, padding)]


FAMILIES = (conv, conv_deep, conv_wide, conv_batch, conv_stride, conv_bigkernel, conv_line, depthwise,
            depthwise_multiplier, depthwise_big, depthwise_deep, transpose_conv)

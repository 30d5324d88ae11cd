# SPDX-License-Identifier: Apache-2.0
"""What every family draws: types, sizes, quantisation, windows, weights."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

ACTIVATIONS = s.ActivationFunctionType


def dtype_of(rng, choices=("int8", "int8", "int8", "int16")):
    return str(rng.choice(choices))


def chance(rng, probability):
    return rng.random() < probability


def quant(rng, dtype, spread=1.0):
    """Scale and zero point of an activation of about +-spread."""
    scale = float(np.float32(spread * rng.uniform(0.7, 1.6) / (32768 if dtype == "int16" else 128)))
    if dtype == "int16":
        return scale, 0
    low = -128 if dtype == "int8" else 0
    if chance(rng, 0.15):
        return scale, low + int(rng.choice([0, 128, 255]))
    return scale, low + int(rng.integers(28, 228))


def act(rng, b, shape, dtype, spread=1.0):
    """An activation; integers of 32 bits and truth values have no quantisation."""
    if dtype in ("int32", "int64", "bool"):
        return b.tensor(shape, dtype)
    return b.tensor(shape, dtype, *quant(rng, dtype, spread))


def like(b, x, shape):
    """A tensor of the type and quantisation of x."""
    _, dtype, scale, zero = b.info[x]
    return b.tensor(shape, dtype, scale, zero)


def size(rng, low, high):
    """Small values more often than large ones."""
    return int(np.exp(rng.uniform(np.log(low), np.log(high + 0.99))))


def shape4(rng, h=24, w=24, c=70, batch=0.0):
    return [int(rng.integers(2, 4)) if chance(rng, batch) else 1, size(rng, 1, h), size(rng, 1, w), size(rng, 1, c)]


def shape_any(rng, rank=None):
    """One to four dimensions."""
    rank = rank or int(rng.choice([1, 2, 3, 4, 4, 4]))
    if rank == 1:
        return [size(rng, 1, 300)]
    if rank == 2:
        return [size(rng, 1, 30), size(rng, 1, 120)]
    if rank == 3:
        return [size(rng, 1, 12), size(rng, 1, 20), size(rng, 1, 50)]
    return shape4(rng, 20, 20, 60)


def activation(rng):
    return int(rng.choice([ACTIVATIONS.NONE] * 3 + [ACTIVATIONS.RELU, ACTIVATIONS.RELU6, ACTIVATIONS.RELU_N1_TO_1]))


def out_size(n, kernel, stride, padding):
    return -(-n // stride) if padding == s.Padding.SAME else (n - kernel) // stride + 1


def window(rng, h, w, max_kernel=7, dilate=False, max_stride=3, square_stride=False):
    """Kernel, stride, dilation, padding and the height and width that come out."""
    kh, kw = int(rng.integers(1, max_kernel + 1)), int(rng.integers(1, max_kernel + 1))
    sy, sx = int(rng.integers(1, max_stride + 1)), int(rng.integers(1, max_stride + 1))
    if square_stride:
        sx = sy
    dy = dx = 1
    if dilate and chance(rng, 0.25):
        sy = sx = 1
        dy, dx = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    padding = int(rng.choice([s.Padding.SAME, s.Padding.VALID]))
    eh, ew = (kh - 1) * dy + 1, (kw - 1) * dx + 1
    if padding == s.Padding.VALID and (eh > h or ew > w):
        padding = s.Padding.SAME
    return kh, kw, sy, sx, dy, dx, padding, out_size(h, eh, sy, padding), out_size(w, ew, sx, padding)


def weight_values(rng, shape):
    """Dense, sparse, clustered, constant or extreme: every coding of the weight stream and both formats occur."""
    kind = int(rng.integers(0, 10))
    data = np.clip(rng.normal(0, rng.uniform(4, 45), shape), -127, 127).round()
    if kind == 0:
        data[rng.random(shape) < rng.uniform(0.3, 0.98)] = 0
    elif kind == 1:
        data = rng.choice(rng.integers(-127, 128, int(rng.integers(2, 41))), shape)
    elif kind == 2:
        data = rng.choice([-127, 127], shape)
    elif kind == 3:
        data = np.full(shape, int(rng.choice([0, 0, 1, -1, -127, 127])))
    elif kind == 4:
        data = rng.integers(-127, 128, shape)
    elif kind == 5:  # zero output channels and zero taps
        data[rng.random(shape[0]) < 0.5] = 0
        data[..., rng.random(shape[-1]) < 0.5] = 0
    elif kind == 6:  # two of four along the depth are zero
        order = np.argsort(rng.random(shape), axis=-1)
        data[order % 4 < 2] = 0
    elif kind == 7:
        data = np.clip(rng.geometric(rng.uniform(0.05, 0.9), shape) - 1, 0, 127) * rng.choice([-1, 1], shape)
    return data


def weights(rng, b, shape, dtype, channels, axis, in_scale, per_channel=None, no_bias=0.06):
    """Weights and bias; quantised per channel or as a whole. Bias -1: none."""
    data = weight_values(rng, shape)
    many = chance(rng, 0.75) if per_channel is None else per_channel
    scale = np.float32(rng.uniform(0.3, 1.0, channels if many else 1) / 128
                       / np.sqrt(max(1, np.prod(shape) / channels) / 8))
    if dtype == "uint8":
        zero = int(rng.integers(100, 156))
        w = b.tensor(shape, "uint8", scale[0], zero, np.clip(data + zero, 0, 255))
        scale = scale[:1]
    else:
        w = b.tensor(shape, "int8", scale, 0, data, axis)
    if chance(rng, no_bias):
        return w, -1
    long = dtype == "int16"
    bias = b.tensor([channels], "int64" if long else "int32", scale * np.float32(in_scale), 0,
                    rng.integers(-3000, 3000, channels) * (64 if long else 1))
    return w, bias

# SPDX-License-Identifier: Apache-2.0
"""Pooling and reductions along axes."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

from .draw import act, activation, chance, dtype_of, like, out_size, shape4, shape_any, size, window

ANY8_16 = ("int8", "int8", "int16", "uint8")
VERSIONS = {"MEAN": 3, "REDUCE_ANY": 1, "REDUCE_ALL": 1}


def pool_op(rng, b, name, x, kernel, stride, padding, fused=0):
    """One pooling on x; returns the output."""
    shape = b.info[x][0]
    oh, ow = (out_size(n, k, t, padding) for n, k, t in zip(shape[1:3], kernel, stride))
    y = like(b, x, [shape[0], oh, ow, shape[3]])
    b.op(name, [x], [y], "Pool2DOptions", 2, padding=padding, strideH=stride[0], strideW=stride[1],
         filterHeight=kernel[0], filterWidth=kernel[1], fusedActivationFunction=fused)
    return y


def pool(rng, b, name):
    ishape = shape4(rng, batch=0.1)
    kh, kw, sy, sx, _, _, padding, _, _ = window(rng, ishape[1], ishape[2], 8)
    x = act(rng, b, ishape, dtype_of(rng, ANY8_16))
    return [x], [pool_op(rng, b, name, x, (kh, kw), (sy, sx), padding, activation(rng))]


def max_pool(rng, b):
    return pool(rng, b, "MAX_POOL_2D")


def avg_pool(rng, b):
    return pool(rng, b, "AVERAGE_POOL_2D")


def pool_name(rng):
    return str(rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"]))


def pool_stride(rng, b):
    """Strides above 3 without padding."""
    kh, kw = int(rng.integers(1, 9)), int(rng.integers(1, 9))
    ishape = [1, kh + int(rng.integers(0, 20)), kw + int(rng.integers(0, 20)), size(rng, 1, 24)]
    x = act(rng, b, ishape, dtype_of(rng, ANY8_16))
    stride = int(rng.integers(1, 8)), int(rng.integers(1, 8))
    return [x], [pool_op(rng, b, pool_name(rng), x, (kh, kw), stride, s.Padding.VALID)]


def pool_large(rng, b):
    """Global pools and windows beyond 8x8."""
    shape = [1, size(rng, 2, 70), size(rng, 2, 70), size(rng, 1, 20)]
    kernel = shape[1:3] if chance(rng, 0.5) else (size(rng, 1, shape[1]), size(rng, 1, shape[2]))
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    return [x], [pool_op(rng, b, pool_name(rng), x, kernel, (1, 1), s.Padding.VALID)]


def axes_of(rng, rank, low=1):
    count = int(rng.integers(1, rank - low + 1)) if rank > low + 1 else 1
    return sorted(rng.choice(np.arange(low, rank), count, replace=False).tolist())


def reduce_op(rng, b, name, x, axes, y_of, keep):
    shape = b.info[x][0]
    a = b.tensor([len(axes)], "int32", data=[i - len(shape) if chance(rng, 0.2) else i for i in axes])
    oshape = [1 if i in axes else d for i, d in enumerate(shape) if keep or i not in axes]
    y = y_of(oshape)
    b.op(name, [x, a], [y], "ReducerOptions", VERSIONS.get(name, 2), keepDims=keep)
    return [x], [y]


def mean(rng, b):
    dtype = dtype_of(rng, ANY8_16)
    shape = shape_any(rng, int(rng.choice([2, 3, 4, 4, 4])))
    shape[0] = 1
    x = act(rng, b, shape, dtype)
    return reduce_op(rng, b, "MEAN", x, axes_of(rng, len(shape)), lambda o: act(rng, b, o, dtype), chance(rng, 0.7))


def mean_large(rng, b):
    """More elements than one kernel covers."""
    dtype = dtype_of(rng, ANY8_16)
    x = act(rng, b, [1, size(rng, 20, 140), size(rng, 20, 140), size(rng, 1, 10)], dtype)
    return reduce_op(rng, b, "MEAN", x, [1, 2], lambda o: act(rng, b, o, dtype), chance(rng, 0.7))


def sum(rng, b):
    """One axis: of several Vela 5.2.0 reduces only the first."""
    dtype = dtype_of(rng, ("int8", "int8", "int16"))
    shape = shape4(rng)
    x = act(rng, b, shape, dtype)
    axis = int(rng.integers(1, 4))
    return reduce_op(rng, b, "SUM", x, [axis], lambda o: act(rng, b, o, dtype, rng.uniform(0.5, 1) * shape[axis]),
                     chance(rng, 0.7))


def reduce_extreme(rng, b, name):
    shape = shape_any(rng, int(rng.choice([3, 4, 4])))
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    axes = [int(rng.integers(0, len(shape)))] if chance(rng, 0.7) else axes_of(rng, len(shape))
    # Vela 5.2.0 reads the wrong elements where an inner axis is dropped.
    return reduce_op(rng, b, name, x, axes, lambda o: like(b, x, o), True)


def reduce_max(rng, b):
    return reduce_extreme(rng, b, "REDUCE_MAX")


def reduce_min(rng, b):
    return reduce_extreme(rng, b, "REDUCE_MIN")


def reduce_bool(rng, b):
    shape = shape4(rng, 12, 12, 24)
    x = b.tensor(shape, "bool", 1.0, 0)
    return reduce_op(rng, b, str(rng.choice(["REDUCE_ANY", "REDUCE_ALL"])), x, [int(rng.integers(1, 4))],
                     lambda o: b.tensor(o, "bool", 1.0, 0), True)


def argmax(rng, b):
    shape = [1, size(rng, 1, 12), size(rng, 1, 12), size(rng, 2, 126)]
    axis = 3 if chance(rng, 0.75) else int(rng.integers(1, 3))
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    a = b.tensor([1], "int32", data=[axis])
    wide = chance(rng, 0.3)
    y = b.tensor(shape[:axis] + shape[axis + 1:], "int64" if wide else "int32")
    b.op("ARG_MAX", [x, a], [y], "ArgMaxOptions", 2, outputType=s.TensorType.INT64 if wide else s.TensorType.INT32)
    return [x], [y]


FAMILIES = (max_pool, avg_pool, pool_stride, pool_large, mean, mean_large, sum, reduce_max, reduce_min, reduce_bool,
            argmax)

# SPDX-License-Identifier: Apache-2.0
"""Tensors that published networks seldom have: five and more dimensions, 64-bit integers and truth values that are
moved, one tensor for several operands, variables; attributes of cuts, look-ups and reductions."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

from .activation import FIXED, FIXED_TANH, unary_op
from .convolution import conv_op, depthwise_op
from .draw import act, chance, dtype_of, like, shape_any, size
from .elementwise import OPTIONS, binary_op, pair_of
from .matrix import matmul_op
from .movement import reshape_op
from .reduction import axes_of, reduce_op

ANY8_16 = ("int8", "int8", "int16", "uint8")
MOVED = ("int8", "uint8", "int16", "int32", "int64", "bool")
SAME = s.Padding.SAME


def shape_of(rng, rank, most=6):
    return [int(rng.integers(1, most)) for _ in range(rank)]


def plain(rng, b, shape, dtype):
    """A tensor of any type; truth values and long integers have scale 1, as the compiler asks for one."""
    return act(rng, b, shape, dtype) if dtype in ANY8_16 else b.tensor(shape, dtype, 1.0, 0)


def move(rng, b, x):
    """One operator that moves elements; returns the output."""
    shape, rank = list(b.info[x][0]), len(b.info[x][0])
    axis, kind = int(rng.integers(0, rank)), int(rng.integers(0, 8))
    if kind == 0:
        y = like(b, x, shape[:axis] + [shape[axis] * 2] + shape[axis + 1:])
        b.op("CONCATENATION", [x, x], [y], "ConcatenationOptions", 2, axis=axis, fusedActivationFunction=0)
    elif kind == 1:
        pads = [[int(rng.integers(0, 3)), int(rng.integers(0, 3))] if i and chance(rng, 0.5) else [0, 0] for i in range(rank)]
        y = like(b, x, [d + sum(p) for d, p in zip(shape, pads)])
        b.op("PAD", [x, b.tensor([rank, 2], "int32", data=pads)], [y], "PadOptions", 2)
    elif kind == 2:
        order = rng.permutation(rank).tolist()
        y = like(b, x, [shape[i] for i in order])
        b.op("TRANSPOSE", [x, b.tensor([rank], "int32", data=order)], [y], "TransposeOptions", 2)
    elif kind == 3:
        begin = [int(rng.integers(0, d)) for d in shape]
        sizes = [int(rng.integers(1, d - lo + 1)) for d, lo in zip(shape, begin)]
        y = like(b, x, sizes)
        b.op("SLICE", [x] + [b.tensor([rank], "int32", data=v) for v in (begin, sizes)], [y], "SliceOptions", 2)
    elif kind == 4:
        times = [int(rng.integers(1, 3)) if chance(rng, 0.4) else 1 for _ in shape]
        y = like(b, x, [d * t for d, t in zip(shape, times)])
        b.op("TILE", [x, b.tensor([rank], "int32", data=times)], [y], "TileOptions", 2)
    elif kind == 5:
        axes = sorted(rng.choice(rank, int(rng.integers(1, min(rank, 3) + 1)), replace=False).tolist())
        y = like(b, x, shape)
        b.op("REVERSE_V2", [x, b.tensor([len(axes)], "int32", data=axes)], [y], "ReverseV2Options", 3)
    elif kind == 6:
        y = like(b, x, shape[:axis] + [2] + shape[axis:])
        b.op("PACK", [x, x], [y], "PackOptions", 2, valuesCount=2, axis=axis)
    else:
        order = [int(np.prod(shape[:axis + 1])), int(np.prod(shape[axis + 1:]))]
        y = reshape_op(b, x, order)
    return y


def moved(rng, b):
    """One to three moves of a tensor of any type and up to six dimensions."""
    x = t = plain(rng, b, shape_of(rng, int(rng.integers(2, 6))), dtype_of(rng, MOVED))
    for _ in range(int(rng.integers(1, 4))):
        if np.prod(b.info[t][0]) < 20000 and len(b.info[t][0]) < 6:
            t = move(rng, b, t)
    return [x], [t]


def high_rank(rng, b):
    """Operators with arithmetic in five and six dimensions, operands repeated."""
    shape, kind = shape_of(rng, int(rng.integers(5, 7))), int(rng.integers(0, 6))
    dtype = dtype_of(rng, ANY8_16)
    if kind <= 1:
        # An operand of fewer dimensions Vela 5.2.0 lines up with the wrong ones.
        first, second = ([1] * (len(shape) - len(part)) + part for part in pair_of(rng, shape, 0.6))
        x, z = act(rng, b, first, dtype), act(rng, b, second, dtype)
        return [x, z], [binary_op(rng, b, str(rng.choice(["ADD", "SUB", "MUL"])), x, z)]
    if kind == 3 and dtype == "int16":
        dtype = "int8"  # of five dimensions only TFLite Micro has a softmax, and in int16 one that is a unit off LiteRT's
    x = act(rng, b, shape, dtype)
    if kind == 2:
        name = str(rng.choice(["RELU", "LOGISTIC", "TANH", "LEAKY_RELU"]))
        fixed = {"LOGISTIC": FIXED, "TANH": FIXED_TANH}.get(name, {}).get(dtype)
        extra = {"options": "LeakyReluOptions", "alpha": 0.3} if name == "LEAKY_RELU" else {}
        return [x], [unary_op(rng, b, name, x, fixed, **extra)]
    if kind == 3:
        y = b.tensor(shape, dtype, *FIXED[dtype])
        b.op("SOFTMAX", [x], [y], "SoftmaxOptions", 3, beta=1.0)
        return [x], [y]
    if kind == 4:
        name = str(rng.choice(["REDUCE_MAX", "REDUCE_MIN"]))
        return reduce_op(rng, b, name, x, axes_of(rng, len(shape), 0), lambda o: like(b, x, o), True)
    z = like(b, x, [d if chance(rng, 0.7) else 1 for d in shape])
    y = like(b, x, shape)
    b.op("MAXIMUM", [x, z], [y], OPTIONS["MAXIMUM"], 2)
    return [x, z], [y]


def sliced(rng, b):
    """STRIDED_SLICE with an ellipsis, indices counted from the end, ends beyond the tensor; new axes Vela 5.2.0 takes for
    axes that are there."""
    shape = shape_of(rng, int(rng.integers(1, 6)), 12)
    x = plain(rng, b, shape, dtype_of(rng, ANY8_16 + ("int32",)))
    masks = dict.fromkeys(("beginMask", "endMask", "ellipsisMask", "shrinkAxisMask"), 0)
    begin, end, step, oshape, axis = [], [], [], [], 0
    skipped = int(rng.integers(0, len(shape))) if chance(rng, 0.4) else None
    while axis < len(shape):
        bit, d = 1 << len(begin), shape[axis]
        if axis == skipped:
            masks["ellipsisMask"], skipped = bit, None
            take = int(rng.integers(1, len(shape) - axis + 1))  # none at all: LiteRT 1.2.0 takes one nevertheless
            oshape += shape[axis:axis + take]
            axis += take
            begin.append(0), end.append(0), step.append(1)
            continue
        lo = int(rng.integers(0, d))
        hi, by = int(rng.integers(lo + 1, d + 1)), int(rng.integers(1, 4)) if chance(rng, 0.3) else 1
        if chance(rng, 0.15) and len(shape) > 1:
            masks["shrinkAxisMask"] |= bit
            begin.append(lo - d if chance(rng, 0.5) else lo), end.append(lo + 1), step.append(1)
        else:
            step.append(by), oshape.append(-(-(hi - lo) // by))
            begin.append(lo - d if chance(rng, 0.4) else lo)
            end.append(hi - d if hi < d and chance(rng, 0.4) else hi + (int(rng.integers(0, 99)) if hi == d else 0))
        axis += 1
    y = like(b, x, oshape)
    n = len(begin)
    b.op("STRIDED_SLICE", [x] + [b.tensor([n], "int32", data=v) for v in (begin, end, step)], [y], "StridedSliceOptions", 2, **masks)
    return [x], [y]


def looked_up(rng, b):
    """GATHER with batches of zero to two dimensions and indices of one and two; SCATTER_ND of up to four."""
    kind, dtype = int(rng.integers(0, 3)), dtype_of(rng, MOVED)
    if kind == 2:
        rows, rest = size(rng, 2, 30), shape_of(rng, int(rng.integers(1, 4)), 9)
        count = int(rng.integers(1, rows + 1))
        i = b.tensor([count, 1], "int32", data=rng.permutation(rows)[:count])
        x = plain(rng, b, [count] + rest, dtype_of(rng, ("int8", "uint8", "int32", "int64", "bool")))
        y = like(b, x, [rows] + rest)
        b.op("SCATTER_ND", [i, x, b.tensor([1 + len(rest)], "int32", data=[rows] + rest)], [y], "ScatterNdOptions", 1)
        return [x], [y]
    batch = shape_of(rng, int(rng.integers(0, 3)), 5)
    n, rest = size(rng, 1, 40), shape_of(rng, int(rng.integers(1, 3)), 20)
    x = plain(rng, b, batch + [n] + rest, dtype)
    rows = shape_of(rng, int(rng.integers(1, 3)), 9)
    i = b.tensor(batch + rows, "int32")
    b.below[i] = n
    y = like(b, x, batch + rows + rest)
    b.op("GATHER", [x, i], [y], "GatherOptions", 3, axis=len(batch), batchDims=len(batch))
    return [x, i], [y]


def reduced(rng, b):
    """Sums and extremes of int32, means over any axes of any rank, ARG_MAX of any rank along any axis."""
    kind, rank = int(rng.integers(0, 4)), int(rng.integers(1, 6))
    shape = shape_of(rng, rank, 14)
    if kind == 0:
        x = b.tensor(shape, "int32", 1.0, 0)
        return reduce_op(rng, b, "SUM", x, [int(rng.integers(0, rank))], lambda o: b.tensor(o, "int32", 1.0, 0), True)
    if kind == 1:
        x = b.tensor(shape, "int32", 1.0, 0)
        return reduce_op(rng, b, str(rng.choice(["REDUCE_MAX", "REDUCE_MIN"])), x, axes_of(rng, rank, 0), lambda o: like(b, x, o), True)
    if kind == 2:
        dtype = dtype_of(rng, ANY8_16)
        x = act(rng, b, shape, dtype)
        return reduce_op(rng, b, "MEAN", x, axes_of(rng, rank, 0), lambda o: act(rng, b, o, dtype), chance(rng, 0.5))
    x, axis = act(rng, b, shape, dtype_of(rng, ANY8_16)), int(rng.integers(0, rank))
    y = b.tensor(shape[:axis] + shape[axis + 1:], "int32")
    b.op("ARG_MAX", [x, b.tensor([1], "int32", data=[axis - rank if chance(rng, 0.3) else axis])], [y], "ArgMaxOptions", 2,
         outputType=s.TensorType.INT32)
    return [x], [y]


def compared(rng, b):
    """Comparisons of int16, int32 and truth values; choices, extremes and absolute values of int32. Of int64 Vela 5.2.0 dies."""
    shape, kind = shape_any(rng), int(rng.integers(0, 4))
    first, second = pair_of(rng, shape)
    wide = list(np.broadcast_shapes(tuple(first), tuple(second)))
    if kind == 0:
        dtype = dtype_of(rng, ("int16", "int32", "bool"))
        names = ["EQUAL", "NOT_EQUAL"] + ["GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"] * (dtype != "bool")
        x = plain(rng, b, first, dtype)
        z, y = like(b, x, second), b.tensor(wide, "bool", 1.0, 0)
        b.op(name := str(rng.choice(names)), [x, z], [y], OPTIONS[name], 2)
        return [x, z], [y]
    if kind == 1:
        x = plain(rng, b, wide, dtype_of(rng, ("bool", "int32")))
        z, c, y = like(b, x, wide), b.tensor(wide, "bool", 1.0, 0), like(b, x, wide)
        b.op("SELECT_V2", [c, x, z], [y], OPTIONS["SELECT_V2"], 1)
        return [c, x, z], [y]
    if kind == 2:
        x = b.tensor(first, "int32", 1.0, 0)
        z, y = like(b, x, second), like(b, x, wide)
        b.op(name := str(rng.choice(["MAXIMUM", "MINIMUM"])), [x, z], [y], OPTIONS[name], 2)
        return [x, z], [y]
    x = b.tensor(shape, "int32", 1.0, 0)
    negated = chance(rng, 0.5)
    return [x], [unary_op(rng, b, "NEG" if negated else "ABS", x, (1.0, 0), "NegOptions" if negated else "AbsOptions", 1 if negated else 4)]


def widened(rng, b):
    """SOFTMAX of long rows; QUANTIZE to int32 (of QUANTIZE from int32 Vela 5.2.0 dies)."""
    kind = int(rng.integers(0, 3))
    if kind < 2:
        x = act(rng, b, [size(rng, 1, 6), size(rng, 1, 3000)] if kind else shape_any(rng), dtype_of(rng, ("int8", "int16", "uint8")), rng.uniform(1, 10))
        shape, dtype = b.info[x][:2]
        y = b.tensor(shape, dtype, *FIXED[dtype])
        b.op("SOFTMAX", [x], [y], "SoftmaxOptions", 3, beta=float(rng.choice([1, 1, 0.5, 3])))
        return [x], [y]
    names = [("int16", "int32"), ("int8", "int32")][int(rng.integers(0, 2))]
    shape = shape_any(rng)
    x, y = (b.tensor(shape, n, float(np.float32(2.0 ** rng.uniform(-16, -12))), 0) if n == "int32" else act(rng, b, shape, n, 2.0 ** rng.uniform(-1, 3)) for n in names)
    b.op("QUANTIZE", [x], [y], "QuantizeOptions", 2)
    return [x], [y]


def same_operand(rng, b):
    """One tensor for both operands, parts joined again, results that are used and given out, an input given out as it is."""
    dtype = dtype_of(rng, ("int8", "int8", "int16"))
    x = act(rng, b, [1, size(rng, 1, 12), size(rng, 1, 12), 2 * size(rng, 1, 20)], dtype)
    shape, kind = b.info[x][0], int(rng.integers(0, 6))
    if kind == 0:
        return [x], [binary_op(rng, b, str(rng.choice(["ADD", "MUL", "SUB"])), x, x)]
    if kind == 1:
        t = unary_op(rng, b, "RELU", x)
        return [x], [binary_op(rng, b, str(rng.choice(["ADD", "MUL", "SUB"])), t, t), t]
    if kind == 2:
        half = shape[:3] + [shape[3] // 2]
        parts = [like(b, x, half) for _ in range(2)]
        b.op("SPLIT", [b.tensor([], "int32", data=3), x], parts, "SplitOptions", 2, numSplits=2)
        y = like(b, x, shape)
        b.op("CONCATENATION", parts[::-1], [y], "ConcatenationOptions", 2, axis=3, fusedActivationFunction=0)
        return [x], [y, binary_op(rng, b, "ADD", *parts)]
    if kind == 3:
        t = conv_op(rng, b, x, (3, 3), shape[3], (1, 1), (1, 1), SAME)
        return [x], [t, reshape_op(b, t, [int(np.prod(shape))]), binary_op(rng, b, "ADD", t, x)]
    if kind == 4:
        flat = reshape_op(b, x, [1, int(np.prod(shape[:3])), shape[3]])
        return [x], [matmul_op(rng, b, flat, flat, False, True)] if dtype == "int8" else [flat]
    t = depthwise_op(rng, b, x, (3, 3), (1, 1), (1, 1), SAME)
    y = like(b, t, shape[:3] + [3 * shape[3]])
    b.op("CONCATENATION", [t, t, t], [y], "ConcatenationOptions", 2, axis=3, fusedActivationFunction=0)
    return [x], [y, t]


def product(rng, b):
    """BATCH_MATMUL of a constant on the left, of operands repeated in either batch; of five dimensions Vela 5.2.0 computes the
    first batch only."""
    n, k, m = size(rng, 1, 20), size(rng, 1, 40), size(rng, 1, 30)
    dtype, adj_y = dtype_of(rng), chance(rng, 0.5)
    batch = shape_of(rng, int(rng.integers(0, 3)), 4)
    left, right = ([d if chance(rng, 0.7) else 1 for d in batch] for _ in range(2))
    if chance(rng, 0.3):
        right = right[int(rng.integers(0, len(right) + 1)):]
    x, z = act(rng, b, left + [n, k], dtype), act(rng, b, right + ([m, k] if adj_y else [k, m]), dtype)
    ins = [x, z]
    for side in (0, 1):
        if chance(rng, 0.3) and len(ins) == 2:
            limits, t = np.iinfo(dtype), ins[side]
            b.set_data(t, rng.integers(limits.min, limits.max + 1, b.info[t][0]))
            ins = [ins[1 - side]]
    return ins, [matmul_op(rng, b, x, z, False, adj_y)]


def resized(rng, b):
    """Factors up to 64 and unlike, sizes that are no multiple (but where neither corners nor centres are aligned: Vela 5.2.0 aligns
    the centres then), lines, in all three ways of placing the centres."""
    bilinear, way = chance(rng, 0.5), int(rng.integers(0, 3))
    ishape = [1, size(rng, 1, 6), size(rng, 1, 6), size(rng, 1, 12)]
    factors = [int(2 ** rng.integers(0, 7)) if bilinear else int(rng.integers(1, 40)) for _ in range(2)]
    oshape = [(d - 1) * f + 1 if way == 1 else d * f for d, f in zip(ishape[1:3], factors)]
    if not bilinear and way and chance(rng, 0.4):
        oshape = [size(rng, 1, 60), size(rng, 1, 60)]
    x = act(rng, b, ishape, dtype_of(rng, ANY8_16))
    y = like(b, x, [1] + oshape + ishape[3:])
    name = "Bilinear" if bilinear else "NearestNeighbor"
    b.op("RESIZE_BILINEAR" if bilinear else "RESIZE_NEAREST_NEIGHBOR", [x, b.tensor([2], "int32", data=oshape)], [y],
         f"Resize{name}Options", 3, alignCorners=way == 1, halfPixelCenters=way == 2)
    return [x], [y]


def farthest(rng, b):
    """ARG_MAX, REDUCE_MAX and REDUCE_MIN along thousands, where the first of many equal ones counts."""
    n, kind = int(rng.integers(128, 5000)), int(rng.integers(0, 3))
    axis = int(rng.integers(1, 4))
    shape = [1, size(rng, 1, 4), size(rng, 1, 4), size(rng, 1, 20)]
    shape[axis] = n
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    if kind:
        return reduce_op(rng, b, "REDUCE_MAX" if kind == 1 else "REDUCE_MIN", x, [axis], lambda o: like(b, x, o), True)
    y = b.tensor(shape[:axis] + shape[axis + 1:], "int32")
    b.op("ARG_MAX", [x, b.tensor([1], "int32", data=[axis])], [y], "ArgMaxOptions", 2, outputType=s.TensorType.INT32)
    return [x], [y]


FAMILIES = (moved, high_rank, sliced, looked_up, reduced, compared, widened, same_operand, product, resized, farthest)

# SPDX-License-Identifier: Apache-2.0
"""Operators that move data: cut, join, pad, turn, look up, enlarge."""
import numpy as np

from .activation import unary_op
from .draw import act, chance, dtype_of, like, shape4, shape_any, size

ANY8_16 = ("int8", "int8", "int8", "int16", "uint8")
WITH32 = ANY8_16 + ("int32",)


def concat(rng, b):
    shape = shape_any(rng)
    axis = int(rng.integers(0, len(shape)))
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    same = chance(rng, 0.5) or b.info[x][1] != "uint8"  # LiteRT rescales in uint8 only
    parts = []
    for _ in range(int(rng.integers(2, 6))):
        part = list(shape)
        part[axis] = size(rng, 1, 33)
        parts.append(like(b, x, part) if same else act(rng, b, part, b.info[x][1]))
    shape[axis] = sum(b.info[p][0][axis] for p in parts)
    y = like(b, x, shape)
    b.op("CONCATENATION", parts, [y], "ConcatenationOptions", 2, fusedActivationFunction=0,
         axis=axis - len(shape) if chance(rng, 0.2) else axis)
    return parts, [y]


def pads_of(rng, shape, most):
    pads = [[int(rng.integers(0, most + 1)), int(rng.integers(0, most + 1))] for _ in shape]
    pads[0] = [0, 0]
    if chance(rng, 0.6):
        pads[-1] = [0, 0]
    return pads


def pad(rng, b):
    shape = shape_any(rng, int(rng.choice([2, 3, 4, 4, 4])))
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    pads = pads_of(rng, shape, 4)
    wide = chance(rng, 0.2)
    p = b.tensor([len(shape), 2], "int64" if wide else "int32", data=pads)
    y = like(b, x, [d + sum(q) for d, q in zip(shape, pads)])
    if chance(rng, 0.4):
        limits = np.iinfo(b.info[x][1])
        v = like(b, x, [])
        b.set_data(v, int(rng.integers(limits.min, limits.max + 1)))
        b.op("PADV2", [x, p, v], [y], "PadV2Options", 2)
    else:
        b.op("PAD", [x, p], [y], "PadOptions", 2)
    return [x], [y]


def mirror_pad(rng, b):
    """Height and width only: Vela 5.2.0 forgets the padding of channels."""
    shape = [1, size(rng, 5, 14), size(rng, 5, 14), size(rng, 1, 30)]
    x = act(rng, b, shape, dtype_of(rng, ("int8", "int8", "int16", "uint8")))
    pads = pads_of(rng, shape, 3)
    pads[3] = [0, 0]
    p = b.tensor([4, 2], "int32", data=pads)
    y = like(b, x, [d + sum(q) for d, q in zip(shape, pads)])
    b.op("MIRROR_PAD", [x, p], [y], "MirrorPadOptions", 2, mode=int(rng.integers(0, 2)))
    return [x], [y]


def slice(rng, b):
    shape = shape_any(rng)
    x = act(rng, b, shape, dtype_of(rng, WITH32))
    begin = [int(rng.integers(0, d)) for d in shape]
    sizes = [int(rng.integers(1, d - lo + 1)) for d, lo in zip(shape, begin)]
    y = like(b, x, sizes)
    given = [-1 if lo + n == d and chance(rng, 0.4) else n for lo, n, d in zip(begin, sizes, shape)]
    b.op("SLICE", [x] + [b.tensor([len(shape)], "int32", data=v) for v in (begin, given)], [y], "SliceOptions", 2)
    return [x], [y]


def strided_slice(rng, b):
    shape = shape_any(rng, int(rng.choice([2, 3, 4, 4])))
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    begin = [int(rng.integers(0, d)) for d in shape]
    end = [int(rng.integers(lo + 1, d + 1)) for lo, d in zip(begin, shape)]
    step = [int(rng.integers(1, 4)) if chance(rng, 0.3) else 1 for _ in shape]
    masks, oshape = {"beginMask": 0, "endMask": 0, "shrinkAxisMask": 0}, []
    for i, d in enumerate(shape):
        if chance(rng, 0.2):
            masks["beginMask"] |= 1 << i
            begin[i], start = int(rng.integers(0, d)), 0
        else:
            start = begin[i]
        stop = end[i]
        if chance(rng, 0.2):
            masks["endMask"] |= 1 << i
            stop = d
        if chance(rng, 0.1) and len(shape) > 2 and not (masks["beginMask"] | masks["endMask"]) >> i & 1:
            masks["shrinkAxisMask"] |= 1 << i
            end[i], step[i] = start + 1, 1
            continue
        stop = max(stop, start + 1)
        if not masks["endMask"] >> i & 1:
            end[i] = stop
        oshape.append(-(-(stop - start) // step[i]))
    y = like(b, x, oshape)
    idx = [b.tensor([len(shape)], "int32", data=v) for v in (begin, end, step)]
    b.op("STRIDED_SLICE", [x] + idx, [y], "StridedSliceOptions", 2, **masks)
    return [x], [y]


def split(rng, b):
    """The parts go through a RELU, so that a part is not only a view."""
    shape = shape_any(rng, int(rng.choice([2, 3, 4, 4])))
    axis, parts = int(rng.integers(0, len(shape))), int(rng.integers(2, 5))
    each = list(shape)
    if chance(rng, 0.5):
        each[axis] = size(rng, 1, 20)
        shape[axis] = parts * each[axis]
        x = act(rng, b, shape, dtype_of(rng, ANY8_16))
        ys = [like(b, x, each) for _ in range(parts)]
        b.op("SPLIT", [b.tensor([], "int32", data=axis), x], ys, "SplitOptions", 2, numSplits=parts)
    else:
        sizes = [size(rng, 1, 15) for _ in range(parts)]
        shape[axis] = sum(sizes)
        x = act(rng, b, shape, dtype_of(rng, ANY8_16))
        ys = [like(b, x, each[:axis] + [n] + each[axis + 1:]) for n in sizes]
        b.op("SPLIT_V", [x, b.tensor([parts], "int32", data=sizes), b.tensor([], "int32", data=axis)], ys,
             "SplitVOptions", 2, numSplits=parts)
    return [x], [unary_op(rng, b, "RELU", y, None, None, 2) if chance(rng, 0.7) else y for y in ys]


def pack(rng, b):
    shape, count = shape_any(rng, int(rng.integers(1, 4))), int(rng.integers(2, 5))
    axis = int(rng.integers(0, len(shape) + 1))
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    parts = [x] + [like(b, x, shape) for _ in range(count - 1)]
    y = like(b, x, shape[:axis] + [count] + shape[axis:])
    b.op("PACK", parts, [y], "PackOptions", 2, valuesCount=count, axis=axis)
    return parts, [y]


def unpack(rng, b):
    shape, count = shape_any(rng, int(rng.integers(1, 4))), int(rng.integers(2, 5))
    axis = int(rng.integers(0, len(shape) + 1))
    x = act(rng, b, shape[:axis] + [count] + shape[axis:], dtype_of(rng, ANY8_16))
    ys = [like(b, x, shape) for _ in range(count)]
    b.op("UNPACK", [x], ys, "UnpackOptions", 2, num=count, axis=axis)
    return [x], ys


def transpose(rng, b):
    rank = int(rng.integers(2, 6))
    shape = [size(rng, 1, 20 if rank < 4 else 8) for _ in range(rank)]
    order = rng.permutation(rank).tolist()
    # In uint8 Vela 5.2.0 mixes signed and unsigned copies on U55 and U65.
    x = act(rng, b, shape, dtype_of(rng, ("int8", "int8", "int16", "int32")))
    y = like(b, x, [shape[i] for i in order])
    b.op("TRANSPOSE", [x, b.tensor([rank], "int32", data=order)], [y], "TransposeOptions", 2)
    return [x], [y]


def reverse(rng, b):
    shape = shape_any(rng, int(rng.choice([2, 3, 4, 4])))
    x = act(rng, b, shape, dtype_of(rng, WITH32))
    a = b.tensor([1], "int32", data=[int(rng.integers(0, len(shape)))])
    y = like(b, x, shape)
    b.op("REVERSE_V2", [x, a], [y], "ReverseV2Options", 1)
    return [x], [y]


def tile(rng, b):
    shape = [size(rng, 1, 8) for _ in range(int(rng.integers(1, 4)))] + [size(rng, 1, 20)]
    times = [int(rng.integers(1, 4)) for _ in shape]
    x = act(rng, b, shape, dtype_of(rng, WITH32))
    y = like(b, x, [d * t for d, t in zip(shape, times)])
    b.op("TILE", [x, b.tensor([len(shape)], "int32", data=times)], [y], "TileOptions", 2)
    return [x], [y]


def gather(rng, b):
    shape = [size(rng, 1, 30) for _ in range(int(rng.integers(1, 3)))] + [size(rng, 1, 40)]
    x = act(rng, b, shape, dtype_of(rng, WITH32))
    rows = size(rng, 1, 30)
    if chance(rng, 0.5):
        i = b.tensor([rows], "int32", data=rng.integers(0, shape[0], rows))
        ins = [x]
    else:
        i = b.tensor([rows], "int32")
        b.below[i] = shape[0]
        ins = [x, i]
    y = like(b, x, [rows] + shape[1:])
    b.op("GATHER", [x, i], [y], "GatherOptions", 3, axis=0, batchDims=0)
    return ins, [y]


def gather_batch(rng, b):
    batch, n, c, rows = size(rng, 1, 4), size(rng, 1, 20), size(rng, 1, 30), size(rng, 1, 20)
    x = act(rng, b, [batch, n, c], dtype_of(rng, ANY8_16))
    i = b.tensor([batch, rows], "int32")
    b.below[i] = n
    y = like(b, x, [batch, rows, c])
    b.op("GATHER", [x, i], [y], "GatherOptions", 3, axis=1, batchDims=1)
    return [x, i], [y]


def scatter_nd(rng, b):
    rows, c = size(rng, 2, 40), size(rng, 1, 40)
    count = int(rng.integers(1, rows + 1))
    i = b.tensor([count, 1], "int32", data=rng.permutation(rows)[:count])
    x = act(rng, b, [count, c], dtype_of(rng, ("int8", "int8", "uint8", "int32")))
    y = like(b, x, [rows, c])
    b.op("SCATTER_ND", [i, x, b.tensor([2], "int32", data=[rows, c])], [y], "ScatterNdOptions", 1)
    return [x], [y]


def reshape_op(b, x, shape):
    """One RESHAPE; returns the output."""
    y = like(b, x, shape)
    b.op("RESHAPE", [x, b.tensor([len(shape)], "int32", data=shape)], [y], "ReshapeOptions", 1, newShape=shape)
    return y


def reshape(rng, b):
    """A change of shape between two operators, and alone at the end."""
    shape = shape4(rng, 8, 8, 24)
    x = act(rng, b, shape, dtype_of(rng, ANY8_16))
    t = unary_op(rng, b, "RELU", x, None, None, 2)
    flat = reshape_op(b, t, [int(np.prod(shape[:2])), int(np.prod(shape[2:]))])
    z = unary_op(rng, b, "RELU", flat, None, None, 2)
    return [x], [reshape_op(b, z, [1, int(np.prod(shape))])]


def resize(rng, b, name, options):
    ishape = [1, size(rng, 1, 9), size(rng, 1, 9), size(rng, 1, 40)]
    mode = int(rng.integers(0, 3))
    align, half = mode == 1, mode == 2
    factors = [int(rng.choice([2, 2, 4, 8]))] * 2
    if chance(rng, 0.25):
        factors[1] = int(rng.choice([1, 2, 4, 8]))
    oh, ow = [(d - 1) * f + 1 if align else d * f for d, f in zip(ishape[1:3], factors)]
    if name == "RESIZE_NEAREST_NEIGHBOR" and chance(rng, 0.2):
        oh, ow = size(rng, 1, 20), size(rng, 1, 20)
        half = not align
    x = act(rng, b, ishape, dtype_of(rng, ("int8", "int8", "int8", "int16", "uint8")))
    y = like(b, x, [1, oh, ow, ishape[3]])
    b.op(name, [x, b.tensor([2], "int32", data=[oh, ow])], [y], options, 3, alignCorners=align, halfPixelCenters=half)
    return [x], [y]


def resize_bilinear(rng, b):
    return resize(rng, b, "RESIZE_BILINEAR", "ResizeBilinearOptions")


def resize_nearest(rng, b):
    return resize(rng, b, "RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighborOptions")


FAMILIES = (concat, pad, mirror_pad, slice, strided_slice, split, pack, unpack, transpose, reverse, tile, gather,
            gather_batch, scatter_nd, reshape, resize_bilinear, resize_nearest)

# SPDX-License-Identifier: Apache-2.0
"""Operators that join, bag, search or rank elements, and products with quantised weights, against PyTorch."""
import torch

from kernel_cases import case
from kernel_draw import FLOATS, INTEGERS
from kernel_rig import KernelError

QUANTIZED = "quantized_decomposed::"


def dim(d, x):
    n = max(x.dim(), 1)
    return d.integer(-n, n - 1)


def shuffled(d, shape, dtype):
    """Numbers that differ from each other."""
    return torch.randperm(torch.Size(shape).numel(), generator=d.generator).reshape(shape).sub(20).to(dtype)


def some_nan(d, x, most=0.2):
    return torch.where(torch.rand(x.shape, generator=d.generator) < most, float("nan"), x) if x.is_floating_point() else x


@case("scatter_reduce.two_out")
def scatter_reduce(d, name):
    """PyTorch's kernel for half-precision numbers adds in another order than it says, so these are left out."""
    x = some_nan(d, d.tensor(d.shape(0, 4), d.pick([torch.float32, torch.float64] + INTEGERS), -9, 9), 0.02)
    k = dim(d, x)
    shape = [d.integer(0 if d.flip() else 1, n) for n in x.shape]
    if shape:
        shape[k] = d.integer(1, 7)
    at = d.tensor(shape, torch.int64, 0, (x.shape[k] if shape else 1) - 1, order=False)
    source = d.tensor([n + d.integer(0, 1) for n in shape], x.dtype, -9, 9)
    d.aten(name, x, k, at, source, reduce=d.pick(["sum", "prod", "mean", "amax", "amin"]), include_self=d.flip(), tolerance=1e-4)


@case("_embedding_bag.out")
def embedding_bag(d, name):
    rows, mode, last = d.integer(1, 9), d.integer(0, 2), d.flip()
    weight = d.tensor([rows, d.integer(1, 9)], d.pick([torch.float32, torch.float64]))
    n, kind = d.integer(0, 12), d.pick([torch.int32, torch.int64])
    indices = d.tensor([n], kind, 0, rows - 1)
    offsets = sorted([0] + [d.integer(0, n) for _ in range(d.integer(0, 4))]) + [n] * last
    factors = d.tensor([n], weight.dtype, -2, 2) if mode == 0 and d.flip() else None
    padding = d.pick([-1, d.integer(0, rows - 1)])
    arguments = weight, indices, torch.tensor(offsets, dtype=kind), False, mode, False, factors, last, padding
    out, bags, _, largest = torch.ops.aten._embedding_bag(*arguments)
    ends = offsets[1:] if last else offsets[1:] + [n]
    counts = [int((indices[a:b] != padding).sum()) for a, b in zip(offsets, ends)]
    if bags.numel():  # PyTorch leaves some unwritten
        bags = torch.tensor([k for k, (a, b) in enumerate(zip(offsets, ends)) for _ in range(a, b)], dtype=kind)
    sizes = torch.tensor(counts, dtype=kind)
    d.call("aten::" + name, *arguments, expected=(out, bags, sizes, largest if mode == 2 else torch.zeros_like(sizes)), tolerance=1e-5)


@case("bucketize.Tensor_out")
def bucketize(d, name):
    dtype = d.pick([torch.float32, torch.float64] + INTEGERS)
    boundaries = d.tensor([d.integer(0, 9)], dtype, 0, 9).sort()[0]
    x = some_nan(d, d.tensor(d.shape(0, 4), dtype, 0, 9))
    x = torch.where(torch.rand(x.shape, generator=d.generator) < 0.3, boundaries[0], x) if boundaries.numel() else x
    d.aten(name, x, boundaries, out_int32=d.flip(), right=d.flip())


@case("bucketize.Scalar_out", "searchsorted.Scalar_out")
def search_number(d, name):
    dtype = d.pick([torch.float32, torch.int32])
    row = d.tensor([d.integer(0, 9)], dtype, 0, 9).sort()[0]
    number = d.integer(0, 9) if dtype == torch.int32 or d.flip() else 4.5
    arguments = (number, row) if "bucketize" in name else (row, number)
    d.aten(name, *arguments, out_int32=d.flip(), right=d.flip())


@case("searchsorted.Tensor_out")
def searchsorted(d, name):
    dtype = d.pick([torch.float32, torch.float64] + INTEGERS)
    rows = d.tensor(d.shape(1, 4), dtype, 0, 9, order=False).sort(-1)[0]
    shape = [*rows.shape[:-1], d.integer(0, 7)] if rows.dim() > 1 else d.shape(0, 3)
    x = d.tensor(shape, dtype, 0, 9)
    side = d.pick([None, "left", "right"])
    d.aten(name, rows, x, out_int32=d.flip(), right=side == "right" or (side is None and d.flip()), side=side)


@case("histc.out")
def histc(d, name):
    x = d.tensor(d.shape(0, 4), d.pick([torch.float32, torch.float64]), -8, 8)
    low, high = d.pick([(0, 0), (-4, 4), (-2.5, 6), (3, 3)])
    d.aten(name, x, d.integer(1, 12), low, high)


@case("kthvalue.values")
def kthvalue(d, name):
    x = shuffled(d, d.shape(0, 4), d.pick([torch.float32, torch.float64, torch.int32, torch.int64]))
    k = dim(d, x)
    d.aten(name, x, d.integer(1, x.shape[k] if x.dim() else 1), k, d.flip())


@case("median.dim_values", "nanmedian.dim_values")
def medians(d, name):
    """At most one NaN in a line: of several PyTorch names any."""
    x = shuffled(d, d.shape(0, 4), d.pick([torch.float32, torch.float64, torch.int32, torch.int64]))
    k = dim(d, x)
    if x.is_floating_point() and x.dim() and x.shape[k] > 1:
        x = x.masked_fill(torch.arange(x.shape[k]).eq(d.integer(0, x.shape[k])).reshape(
            [-1 if i == k % x.dim() else 1 for i in range(x.dim())]), float("nan"))
    d.aten(name, x, k, d.flip())


@case("median.out", "nanmedian.out")
def median(d, name):
    shape = d.pick([d.shape(0, 4), d.shape(0, 4), [2, 0]])
    d.aten(name, some_nan(d, d.tensor(shape, d.pick([torch.float32, torch.float64, torch.int64])), d.pick([0, 0.2, 1])))


@case("mode.values")
def mode(d, name):
    """Which of several equal elements PyTorch names depends on how it sorts."""
    x = d.tensor(d.shape(1, 4), d.pick(INTEGERS), 0, 3).to(d.pick([torch.float32, torch.float64, torch.int16, torch.int32]))
    k, keep = dim(d, x), d.flip()
    values, _ = torch.ops.aten.mode(x, k, keep)
    at = torch.where(x == (values if keep else values.unsqueeze(k)), torch.arange(x.shape[k]).reshape(
        [-1 if i == k % x.dim() else 1 for i in range(x.dim())]), -1).amax(k, keep)
    d.call("aten::" + name, x, k, keep, expected=(values, at))


@case("cummax.out", "cummin.out")
def running(d, name):
    x = d.tensor(d.shape(0, 4), d.pick([torch.float32, torch.float64, torch.bool] + INTEGERS), 0, 9)
    x = some_nan(d, x.round()) if x.is_floating_point() else x
    d.aten(name, x, dim(d, x))


@case("logcumsumexp.out")
def logcumsumexp(d, name):
    x = d.tensor(d.shape(0, 4), d.pick([torch.float32, torch.float64]), -90, 90)
    d.aten(name, x, dim(d, x), tolerance=1e-5)


@case("randint.out", "randint.low_out", "randperm.out", "rand_like.out", "randn_like.out")
def random_numbers(d, name):
    """Not PyTorch's numbers, but ones of the same distribution."""
    if "like" in name:
        out = torch.empty([100, 10, 10], dtype=d.pick(FLOATS))
        d.rig.call("aten::" + name, d.tensor(out.shape), None, out)
        mean, deviation = (0, 1) if "randn" in name else (0.5, 1 / 12 ** 0.5)
        assert abs(out.double().mean() - mean) < 0.05 and abs(out.double().std() - deviation) < 0.05
        return
    out = torch.empty([5000], dtype=d.pick([torch.int32, torch.int64, torch.float32]))
    if name == "randperm.out":
        d.rig.call("aten::" + name, 5000, out)
        assert out.sort()[0].equal(torch.arange(5000, dtype=out.dtype))
        assert abs(out[:2500].double().mean() - 2500) < 150 and (out == torch.arange(5000)).sum() < 20
        return
    low, high = (0, 5) if name == "randint.out" else (-3, 4)
    d.rig.call("aten::" + name, *([low] if low else []), high, [5000], out)
    counts = [int((out == n).sum()) for n in range(low, high)]
    assert sum(counts) == 5000 and min(counts) > 0.7 * 5000 / len(counts)


def scales(d, rows, groups, dtype=torch.float32):
    return d.tensor([rows] if groups == 1 and d.flip() else [rows, groups], dtype, 0.01, 2)


@case(*(QUANTIZED + f"embedding_{width}.{overload}" for width in ("byte", "4bit", "2bit") for overload in ("out", "dtype_out")))
def quantized_embedding(d, name):
    """The rows, unpacked here."""
    bits = 8 if "byte" in name else 4 if "4bit" in name else 2
    rows, groups, group = d.integer(1, 6), d.integer(1, 3), d.integer(1, 4) * (8 // bits)
    low = -(1 << bits - 1)
    whole = d.tensor([rows, groups * group], torch.int8, low, -low - 1)
    parts = (whole.int() - low).reshape(rows, -1, 8 // bits)
    if bits == 8:
        packed = whole if d.flip() else (whole.int() - low).to(torch.uint8)
    else:
        order = [4, 0] if bits == 4 else [0, 2, 4, 6]
        packed = sum(parts[:, :, k] << shift for k, shift in enumerate(order)).to(torch.uint8)
    values = (packed if bits == 8 else whole).float().reshape(rows, -1, group)
    table = scales(d, rows, groups)
    groups_used = table.shape[1] if table.dim() == 2 else 1
    zeros = d.tensor(table.shape, torch.float32, -3, 3).round() if d.flip() else None
    spread = lambda t: t.reshape(rows, groups_used, 1)
    real = ((values - (0 if zeros is None else spread(zeros))) * spread(table)).reshape(rows, -1)
    indices = d.tensor(d.shape(0, 2), d.pick([torch.int32, torch.int64]), 0, rows - 1)
    dtype = d.pick([torch.float32, torch.float16])
    typed = [dtype] if "dtype" in name else []
    d.call(name, packed, table, zeros, low, -low - 1, indices, *typed, expected=real[indices].to(dtype))


@case(QUANTIZED + "mixed_mm.out", QUANTIZED + "mixed_linear.out")
def mixed_product(d, name):
    m, n, groups, p = d.integer(1, 5), d.integer(2, 9), d.integer(1, 2), d.integer(1, 6)
    dtype = d.pick([torch.float32, torch.float16])
    x, close = d.tensor([m, n], dtype, -2, 2), None if dtype == torch.float16 else 1e-5
    if "linear" in name:
        weight, table = d.tensor([p, n], torch.int8, -128, 127), scales(d, p, groups, dtype)
        group = -(-n // (table.shape[1] if table.dim() == 2 else 1))
        real = weight * table.double().reshape(p, -1).repeat_interleave(group, 1)[:, :n]
        d.call(name, x, weight, table, None, None, expected=(x.double() @ real.t()).to(dtype), tolerance=close)
        return
    weight, table = d.tensor([n, p], torch.int8, -128, 127), d.tensor([n], dtype, 0.01, 2)
    d.call(name, x, weight, table, None, expected=(x.double() @ (weight * table.double().reshape(n, 1))).to(dtype), tolerance=close)
    try:
        d.rig.call(name, x, weight, table, torch.zeros_like(table), torch.empty([m, p], dtype=dtype))
        assert False, "zero points were taken"
    except KernelError:
        pass


@case(QUANTIZED + "add.out")
def quantized_add(d, name):
    shape = d.shape()
    f = torch.ops.quantized_decomposed
    sides = [(d.tensor(shape, torch.uint8, 0, 255), d.integer(1, 40) / 64, d.integer(0, 255), 0, 255) for _ in "ab"]
    out = d.integer(1, 40) / 16, d.integer(0, 255), 0, d.pick([255, 200])
    a, b = (f.dequantize_per_tensor(*side, torch.uint8) for side in sides)
    expected = f.quantize_per_tensor(a + b, *out, torch.uint8)
    d.call(name, *sides[0], *sides[1], *out, expected=expected)


@case("fmin.out", "logcumsumexp.out", "cummax.out", "mode.values", "bucketize.Tensor_out", "avg_pool3d.out", "scatter_reduce.two_out")
def without_elements(d, name):
    x, packet = torch.empty(0, d.integer(1, 3)), name.split(".")[0]
    arguments = {"fmin": [x, x], "logcumsumexp": [x, d.integer(0, 1)], "cummax": [x, d.integer(0, 1)], "mode": [x, 1],
                 "bucketize": [x, torch.arange(3.0)], "avg_pool3d": [torch.empty(0, 2, 3, 3, 3), [2], [], [0], False, True, None],
                 "scatter_reduce": [torch.ones(2, 3), 0, torch.empty(0, 3, dtype=torch.int64), torch.empty(0, 3), d.pick(["sum", "mean"])]}
    d.aten(name, *arguments[packet])

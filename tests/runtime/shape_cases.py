# SPDX-License-Identifier: Apache-2.0
"""Operators that copy, rearrange, index or fill, against PyTorch."""
import torch

from kernel_cases import case, scalar
from kernel_draw import ALL, FLOATS, NUMBERS, same


def some(d, low=0, high=5):
    return d.tensor(d.shape(low, high), d.pick(ALL))


def dim(d, x, extra=0):
    n = max(x.dim() + extra, 1)
    return d.integer(-n, n - 1)


@case("alias_copy.out", "detach_copy.out", "clone.out", "lift_fresh_copy.out")
def copies(d, name):
    d.aten(name, some(d))


@case("_to_copy.out")
def to_copy(d, name):
    x, dtype = some(d), d.pick(ALL)
    if x.is_floating_point() and not dtype.is_floating_point and dtype != torch.bool:
        x = x.abs()  # negative numbers as unsigned ones are undefined
    d.call("aten::" + name, x, False, None, expected=x.to(dtype))


@case("dim_order_ops::_to_dim_order_copy.out", "dim_order_ops::_clone_dim_order.out")
def dim_order(d, name):
    x = d.tensor(d.shape(4, 4), d.pick([torch.float32, torch.int8]))
    form = d.pick([torch.contiguous_format, torch.channels_last])
    d.call(name, x, False, None, expected=x.contiguous(memory_format=form).float().contiguous(memory_format=form)
           if "_to_" in name else x.contiguous(memory_format=form))


@case("copy.out")
def copy(d, name):
    x = some(d)
    d.aten(name, x, d.tensor(d.broadcast(x.shape), x.dtype))


@case("expand_copy.out")
def expand(d, name):
    shape = d.shape()
    x = d.tensor(d.broadcast(shape), d.pick(ALL))
    d.aten(name, x, [-1 if i >= len(shape) - x.dim() and d.flip() and x.shape[i - len(shape) + x.dim()] == n else n
                     for i, n in enumerate(shape)])


@case("view_copy.out")
def view(d, name):
    x = d.tensor(d.shape(), d.pick(ALL), order=False)
    sizes = list(x.shape)
    d.random.shuffle(sizes)
    if len(sizes) > 1:
        sizes[:2] = [sizes[0] * sizes[1]]
    if sizes and d.flip():
        sizes[d.integer(0, len(sizes) - 1)] = -1
    d.aten(name, x, sizes)


@case("squeeze_copy.dim_out")
def squeeze(d, name):
    x = some(d)
    d.aten(name, x, dim(d, x))


@case("squeeze_copy.dims_out")
def squeeze_dims(d, name):
    x = some(d, 1)
    d.aten(name, x, sorted(d.random.sample(range(x.dim()), d.integer(1, x.dim()))))


@case("unsqueeze_copy.out")
def unsqueeze(d, name):
    x = d.tensor(d.shape(), d.pick(ALL), order=False)
    d.aten(name, x, dim(d, x, 1))


@case("permute_copy.out")
def permute(d, name):
    x = some(d)
    d.aten(name, x, d.random.sample(range(x.dim()), x.dim()))


@case("transpose_copy.int_out")
def transpose(d, name):
    x = some(d)
    d.aten(name, x, dim(d, x), dim(d, x))


@case("t_copy.out")
def t(d, name):
    d.aten(name, some(d, 0, 2))


@case("select_copy.int_out", "select_scatter.out")
def select(d, name):
    x = some(d, 1)
    k = dim(d, x)
    at = d.integer(-x.shape[k], x.shape[k] - 1)
    if "scatter" in name:
        d.aten(name, x, torch.select(d.tensor(x.shape, x.dtype), k, at).contiguous(), k, at)
    else:
        d.aten(name, x, k, at)


@case("slice_copy.Tensor_out", "slice_scatter.out")
def slices(d, name):
    x = some(d, 1)
    k = dim(d, x)
    bounds = (d.pick([None, d.integer(-9, 9)]), d.pick([None, d.integer(-9, 9), 1 << 62]), d.integer(1, 3))
    if "scatter" in name:
        d.aten(name, x, torch.ops.aten.slice_copy(d.tensor(x.shape, x.dtype), k, *bounds), k, *bounds)
    else:
        d.aten(name, x, k, *bounds)


@case("narrow_copy.out")
def narrow(d, name):
    x = some(d, 1)
    k = dim(d, x)
    start = d.integer(0, x.shape[k])
    d.aten(name, x, k, start, d.integer(0, x.shape[k] - start))


@case("diagonal_copy.out")
def diagonal(d, name):
    x = some(d, 2)
    d.aten(name, x, d.integer(-4, 4), *d.random.sample(range(x.dim()), 2))


@case("unfold_copy.out")
def unfold(d, name):
    x = some(d, 1, 4)
    k = dim(d, x)
    d.aten(name, x, k, d.integer(1, x.shape[k]), d.integer(1, 3))


@case("as_strided_copy.out")
def as_strided(d, name):
    x = d.tensor([100], d.pick(ALL))
    d.aten(name, x, [d.integer(1, 4), d.integer(1, 4)], [d.integer(0, 9), d.integer(0, 9)], d.integer(0, 40))


@case("cat.out")
def cat(d, name):
    shape, dtype = d.shape(1, 4), d.pick(ALL)
    k = d.integer(-len(shape), len(shape) - 1)
    parts = []
    for _ in range(d.integer(1, 4)):
        shape[k] = d.integer(0, 4)
        parts.append(d.tensor(shape, dtype))
    d.aten(name, parts, k)


@case("stack.out")
def stack(d, name):
    shape, dtype = d.shape(0, 4), d.pick(ALL)
    d.aten(name, [d.tensor(shape, dtype) for _ in range(d.integer(1, 4))], d.integer(-len(shape) - 1, len(shape)))


@case("split_copy.Tensor_out", "split_with_sizes_copy.out", "unbind_copy.int_out")
def split(d, name):
    x = some(d, 1)
    k = dim(d, x)
    packet = name.split(".")[0]
    sizes = {"split_copy": [d.integer(1, 4)], "unbind_copy": []}.get(packet)
    if sizes is None:
        first = d.integer(0, x.shape[k])
        sizes = [[first, x.shape[k] - first]]
    d.call("aten::" + name, x, *sizes, k, expected=getattr(torch.ops.aten, packet)(x, *sizes, k), as_list=True)


@case("flip.out")
def flip(d, name):
    x = some(d)
    d.aten(name, x, d.random.sample(range(x.dim()), d.integer(0, x.dim())))


@case("roll.out")
def roll(d, name):
    x = some(d, 1)
    dims = d.random.sample(range(x.dim()), d.integer(1, x.dim()))
    d.aten(name, x, [d.integer(-9, 9) for _ in dims], dims)


@case("repeat.out")
def repeat(d, name):
    x = some(d, 0, 3)
    d.aten(name, x, [d.integer(1, 3) for _ in range(x.dim() + d.integer(0, 1))])


@case("index_select.out")
def index_select(d, name):
    x = some(d, 1)
    k = dim(d, x)
    d.aten(name, x, k, d.tensor([d.integer(1, 6)], d.pick([torch.int32, torch.int64]), 0, x.shape[k] - 1))


@case("constant_pad_nd.out")
def constant_pad(d, name):
    x = d.tensor(d.shape(1, 4), d.pick(NUMBERS))
    d.aten(name, x, [d.integer(0, 3) for _ in range(2 * d.integer(0, x.dim()))], scalar(d, x.dtype))


@case("reflection_pad1d.out", "reflection_pad2d.out", "reflection_pad3d.out", "replication_pad1d.out",
      "replication_pad2d.out", "replication_pad3d.out")
def pads(d, name):
    space = int(name[name.index("d.") - 1])
    shape = [d.integer(1, 3) for _ in range(d.integer(1, 2))] + [d.integer(2, 5) for _ in range(space)]
    x = d.tensor(shape, torch.float32, order=False)
    most = [n - 1 if "refl" in name else 3 for n in reversed(shape[-space:]) for _ in range(2)]
    d.aten(name, x, [d.integer(0, m) for m in most])


@case("upsample_nearest2d.vec_out", "upsample_bilinear2d.vec_out")
def upsample(d, name):
    x = d.tensor([d.integer(1, 2), d.integer(1, 5), d.integer(1, 6), d.integer(1, 6)], torch.float32)
    sizes = d.pick([None, [d.integer(1, 13), d.integer(1, 13)]])
    factors = None if sizes else [d.pick([1.0, 2.0, 3.0, 1.5]), d.pick([2.0, 2.5])]
    corners = [] if "nearest" in name else [d.flip()]
    d.aten(name, x, sizes, *corners, factors, tolerance=2e-5)


@case("pixel_shuffle.out", "pixel_unshuffle.out")
def pixel_shuffle(d, name):
    f = d.integer(1, 3)
    shape = [d.integer(1, 4), d.integer(1, 4), d.integer(1, 4)]
    shape = [shape[0] * f * f, *shape[1:]] if "un" not in name else [shape[0], shape[1] * f, shape[2] * f]
    d.aten(name, d.tensor(d.shape(0, 1) + shape, d.pick(ALL)), f)


def indices(d, shape, size):
    return d.tensor(shape, d.pick([torch.int64, torch.int64, torch.int32]), -size, size - 1)


def mask_list(d, x):
    """A mask over some dimensions next to each other, positions or nothing for one before or behind it."""
    first = d.integer(0, x.dim() - 1)
    rank = d.integer(1, x.dim() - first)
    mask = d.tensor(x.shape[first:first + rank], torch.bool)
    before = [d.pick([None, indices(d, [1], n)]) for n in x.shape[:first]]
    behind = [indices(d, [1], x.shape[first + rank])] if first + rank < x.dim() and d.flip() else []
    return [*before, mask, *behind]


def index_list(d, x):
    common = d.shape(0, 2)
    if d.random.random() < 0.3:
        return mask_list(d, x)
    chosen = set(d.random.sample(range(x.dim()), d.integer(1, min(3, x.dim()))))
    return [indices(d, d.broadcast(common), x.shape[k]) if k in chosen else None for k in range(max(chosen) + 1)]


@case("index.Tensor_out")
def index(d, name):
    x = some(d, 1, 4)
    d.aten(name, x, index_list(d, x))


@case("index_put.out")
def index_put(d, name):
    """Into distinct places unless accumulated: which of two writes counts is undefined."""
    x = d.tensor(d.shape(1, 4), d.pick([torch.int32, torch.float32, torch.int64]))
    add = d.flip()
    distinct = [[torch.randperm(x.shape[0], generator=d.generator)], mask_list(d, x)]
    where = index_list(d, x) if add else d.pick(distinct)
    taken = torch.ops.aten.index(x, where)
    d.aten(name, x, where, d.tensor(d.broadcast(taken.shape), x.dtype), add, tolerance=1e-5)


@case("gather.out")
def gather(d, name):
    x = some(d, 1, 4)
    k = dim(d, x)
    shape = [d.integer(1, n) for n in x.shape]
    shape[k] = d.integer(1, 6)
    d.aten(name, x, k, d.tensor(shape, torch.int64, 0, x.shape[k] - 1))


@case("scatter.src_out", "scatter.value_out", "scatter_add.out")
def scatter(d, name):
    x = d.tensor(d.shape(1, 4), d.pick([torch.int32, torch.float32]))
    k = dim(d, x)
    shape = [d.integer(1, n) for n in x.shape]
    order = torch.stack([torch.randperm(x.shape[k], generator=d.generator) for _ in range(x.numel())]).flatten()
    where = torch.empty(shape, dtype=torch.int64)
    moved = where.movedim(k, -1)
    moved.copy_(torch.stack([order[i * x.shape[k]:i * x.shape[k] + shape[k]] for i in range(where.numel() // shape[k])])
                .reshape(moved.shape))
    d.aten(name, x, k, where, 3 if "value" in name else d.tensor(shape, x.dtype), tolerance=1e-5)


@case("embedding.out")
def embedding(d, name):
    w = d.tensor([d.integer(1, 9), d.integer(1, 9)], d.pick(FLOATS))
    d.aten(name, w, d.tensor(d.shape(0, 3), d.pick([torch.int64, torch.int32]), 0, w.shape[0] - 1))


@case("full.out", "zeros.out", "ones.out")
def full(d, name):
    shape = d.shape()
    packet = name.split(".")[0]
    arguments = [shape, d.pick([d.integer(-9, 9), 2.5])] if packet == "full" else [shape]
    d.call("aten::" + name, *arguments, expected=getattr(torch.ops.aten, packet)(*arguments, dtype=d.pick(NUMBERS)))


@case("full_like.out", "fill.Scalar_out")
def full_like(d, name):
    d.aten(name, some(d), d.pick([d.integer(0, 9), 2.5]))


@case("fill.Tensor_out")
def fill(d, name):
    d.aten(name, some(d), torch.tensor(d.pick([d.integer(0, 9), 2.5])))


@case("scalar_tensor.out")
def scalar_tensor(d, name):
    number = d.pick([3, -2.5])
    d.call("aten::" + name, number, expected=torch.scalar_tensor(number, dtype=d.pick([torch.float32, torch.int64])))


@case("arange.out")
def arange(d, name):
    number = d.pick([d.integer(0, 20), 7.5])
    d.call("aten::" + name, number, expected=torch.arange(number))


@case("arange.start_out")
def arange_start(d, name):
    arguments = d.pick([(d.integer(-5, 3), d.integer(4, 20), d.integer(1, 4)), (0.5, 9.0, 0.75), (9, 1, -2)])
    d.call("aten::" + name, *arguments, expected=torch.arange(*arguments))


@case("tril.out")
def tril(d, name):
    d.aten(name, some(d, 2, 4), d.integer(-4, 4))


@case("tril_indices.out", "triu_indices.out")
def triangle(d, name):
    arguments = d.integer(0, 6), d.integer(0, 6), d.integer(-7, 7)
    make = torch.tril_indices if name.startswith("tril") else torch.triu_indices
    d.call("aten::" + name, *arguments, expected=make(*arguments, dtype=d.pick([torch.int32, torch.int64])))


@case("nonzero.out")
def nonzero(d, name):
    d.aten(name, d.tensor(d.shape(0, 4), d.pick(ALL), 0, 2))


@case("masked_select.out")
def masked_select(d, name):
    shape = d.shape()
    d.aten(name, d.tensor(d.broadcast(shape), d.pick(ALL)), d.tensor(d.broadcast(shape), torch.bool))


@case("masked_scatter.out")
def masked_scatter(d, name):
    x = some(d)
    mask = d.tensor(d.broadcast(x.shape), torch.bool)
    most = int(mask.expand(x.shape).sum())
    d.aten(name, x, mask, d.tensor([most + d.integer(0, 3)], x.dtype))


@case("repeat_interleave.Tensor_out")
def repeat_interleave(d, name):
    repeats = d.tensor([d.integer(0, 6)], d.pick([torch.int32, torch.int64]), 0, 4)
    d.aten(name, repeats, output_size=d.pick([None, int(repeats.sum())]))


@case("_upsample_bilinear2d_aa.out")
def upsample_aa(d, name):
    """Not to a width of 1: PyTorch 2.13 gives the first row everywhere when one image of one channel becomes so narrow."""
    x = d.tensor([d.integer(1, 2), d.integer(1, 3), d.integer(1, 12), d.integer(4, 12)], torch.float32)
    factors = d.pick([[None, None], [d.pick([0.5, 0.3, 2.0]), d.pick([0.75, 0.4, 1.5])]])
    d.aten(name, x, [max(1, int(n * f + 0.5)) if f else d.integer(2, 13) for n, f in zip(x.shape[2:], factors)], d.flip(), *factors,
           tolerance=2e-5)


@case("grid_sampler_2d.out")
def grid_sampler(d, name):
    n = d.integer(1, 2)
    x = d.tensor([n, d.integer(1, 3), d.integer(1, 6), d.integer(1, 6)], torch.float32)
    grid = d.tensor([n, d.integer(1, 5), d.integer(1, 5), 2], torch.float32, -1.6, 1.6)
    d.aten(name, x, grid, d.integer(0, 2), d.integer(0, 2), d.flip(), tolerance=1e-4)


@case("view_as_real_copy.out", "_conj_physical.out")
def complex_numbers(d, name):
    x = d.tensor(d.shape(), d.pick([torch.float32, torch.float64]))
    d.aten(name, torch.complex(x, x * 2 - 1))


@case("abs.out")
def complex_size(d, name):
    x = d.tensor(d.shape(), d.pick([torch.float32, torch.float64]))
    d.aten(name, torch.complex(x, x * 2 - 1))


@case("rand.out", "randn.out")
def random_numbers(d, name):
    """Not PyTorch's numbers, but ones of the same distribution."""
    out = torch.empty([100, 10, 10], dtype=d.pick(FLOATS))
    d.rig.call("aten::" + name, list(out.shape), out)
    mean, deviation = (0.5, 1 / 12 ** 0.5) if name == "rand.out" else (0, 1)
    assert abs(out.double().mean() - mean) < 0.05 and abs(out.double().std() - deviation) < 0.05
    assert name == "randn.out" or out.min() >= 0 and out.max() < 1


@case("native_dropout.out")
def dropout(d, name):
    x, p, train = d.tensor([1000], d.pick(FLOATS), 1, 20), d.pick([0.0, 0.25, 0.5, 1.0]), d.pick([None, True, False])
    out, mask = torch.empty_like(x), torch.empty(x.shape, dtype=torch.bool)
    d.rig.call("aten::" + name, x, p, train, out, mask)
    p = p if train is not False else 0
    same(torch.where(mask, x.double() / max(1 - p, 1e-9), 0).to(x.dtype), out)
    assert abs(mask.double().mean() - (1 - p)) < 0.06

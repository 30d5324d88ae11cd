# SPDX-License-Identifier: Apache-2.0
"""Reductions, softmax, matrix products, convolutions, pools and normalisation against PyTorch."""
import torch

from kernel_cases import case
from kernel_draw import ALL, FLOATS, NUMBERS, same

CLOSE = 2e-5
REAL = [torch.float32, torch.float32, torch.float64]


def dims(d, x):
    return sorted(d.random.sample(range(x.dim()), d.integer(1, x.dim()))) if x.dim() else []


@case("sum.IntList_out", "mean.out", "amax.out", "amin.out")
def reduced(d, name):
    types = {"mean": REAL, "sum": NUMBERS + [torch.bool]}.get(name.split(".")[0], ALL)
    x = d.tensor(d.shape(1), d.pick(types))
    some = d.pick([dims(d, x), []]) if name.startswith("a") else d.pick([dims(d, x), dims(d, x), None])
    d.aten(name, x, some, d.flip(), tolerance=CLOSE)


@case("mean.dtype_out", "prod.out", "max.unary_out", "min.unary_out", "any.all_out")
def reduced_all(d, name):
    low = {"prod": (1, 2)}.get(name.split(".")[0], (-20, 20))
    types = REAL if "mean" in name else [torch.float32, torch.int32, torch.int64]
    x = d.tensor(d.shape(0, 4, 60), d.pick(types), *low)
    d.call("aten::" + name, x, *([None] if "mean" in name or "prod" in name else []), tolerance=CLOSE,
           expected=getattr(torch.ops.aten, name.split(".")[0])(x))


@case("prod.int_out", "any.out")
def reduced_one(d, name):
    x = d.tensor(d.shape(1), d.pick([torch.float32, torch.int32]), -1, 2)
    d.aten(name, x, d.integer(-x.dim(), x.dim() - 1), d.flip(), tolerance=CLOSE)


@case("any.dims_out")
def any_dims(d, name):
    x = d.tensor(d.shape(1), d.pick(ALL), 0, 1)
    d.aten(name, x, dims(d, x), d.flip())


@case("var.correction_out", "var_mean.correction_out")
def variance(d, name):
    x = d.tensor([n + 1 for n in d.shape(1, 4)], d.pick(REAL))
    d.aten(name, x, dims(d, x), correction=d.pick([None, 0, 1]), keepdim=d.flip(), tolerance=CLOSE)


@case("var.out")
def variance_unbiased(d, name):
    x = d.tensor([n + 1 for n in d.shape(1, 4)], d.pick(REAL))
    d.aten(name, x, dims(d, x), d.flip(), d.flip(), tolerance=CLOSE)


def distinct(d, low=1):
    """Values that occur once, so that positions are defined."""
    shape = d.shape(low, 4, 120)
    return torch.randperm(torch.Size(shape).numel(), generator=d.generator).reshape(shape).to(
        d.pick([torch.float32, torch.int32, torch.int64]))


@case("argmax.out", "argmin.out")
def arg(d, name):
    x = distinct(d)
    d.aten(name, x, d.pick([None, d.integer(-x.dim(), x.dim() - 1)]), d.flip())


@case("max.dim_max", "min.dim_min")
def extreme(d, name):
    x = distinct(d)
    d.aten(name, x, d.integer(-x.dim(), x.dim() - 1), d.flip())


@case("topk.values")
def topk(d, name):
    x = distinct(d)
    k = d.integer(-x.dim(), x.dim() - 1)
    d.aten(name, x, d.integer(1, x.shape[k]), k, d.flip(), True)


@case("sort.values", "sort.values_stable")
def sort(d, name):
    """Elements repeat and some are no numbers: PyTorch's stable sort says in which order they come."""
    x = d.tensor(d.shape(0, 3, 150), d.pick(ALL), -4, 4)
    if x.dtype.is_floating_point and d.flip():
        x = torch.where(d.tensor(x.shape, torch.bool), x.round() / (x.round() != 0), x)
    k, descending = d.integer(-max(1, x.dim()), max(1, x.dim()) - 1), d.flip()
    stable = [d.pick([True, False, None])] if "stable" in name else []
    d.call("aten::" + name, x, *stable, k, descending, expected=torch.sort(x, stable=True, dim=k, descending=descending))


@case("cumsum.out", "cumprod.out")
def cumulative(d, name):
    limits = (-2, 2) if "prod" in name else (-20, 20)
    x = d.tensor(d.shape(0), d.pick(NUMBERS), *limits)
    d.aten(name, x, d.integer(-max(1, x.dim()), max(1, x.dim()) - 1), tolerance=CLOSE)


@case("_softmax.out", "_log_softmax.out")
def softmax(d, name):
    x = d.tensor(d.shape(0), d.pick(FLOATS), -8, 8)
    d.aten(name, x, d.integer(-max(1, x.dim()), max(1, x.dim()) - 1), False)


@case("glu.out")
def glu(d, name):
    shape = d.shape(1)
    k = d.integer(0, len(shape) - 1)
    shape[k] *= 2
    d.aten(name, d.tensor(shape, d.pick(REAL), -4, 4), k)


def product_type(d):
    return d.pick(REAL + [torch.int32, torch.int64])


@case("mm.out")
def mm(d, name):
    dtype, m, k, n = product_type(d), d.integer(1, 9), d.integer(1, 40), d.integer(1, 9)
    d.aten(name, d.tensor([m, k], dtype), d.tensor([k, n], dtype), tolerance=CLOSE * 100)


@case("bmm.out")
def bmm(d, name):
    dtype, b, m, k, n = product_type(d), d.integer(1, 3), d.integer(1, 9), d.integer(1, 40), d.integer(1, 9)
    d.aten(name, d.tensor([b, m, k], dtype), d.tensor([b, k, n], dtype), tolerance=CLOSE * 100)


@case("addmm.out")
def addmm(d, name):
    dtype, m, k, n = product_type(d), d.integer(1, 9), d.integer(1, 40), d.integer(1, 9)
    d.aten(name, d.tensor(d.broadcast([m, n]), dtype), d.tensor([m, k], dtype), d.tensor([k, n], dtype),
           beta=d.pick([1, 2]), alpha=d.pick([1, 3]), tolerance=CLOSE * 100)


@case("linear.out")
def linear(d, name):
    k, n = d.integer(1, 40), d.integer(1, 9)
    d.aten(name, d.tensor(d.shape(0, 2) + [k]), d.tensor([n, k]), d.pick([None, d.tensor([n])]), tolerance=CLOSE * 100)


def convolution_arguments(d):
    """Input, weight, and stride to groups."""
    while True:
        space, groups, transposed = d.integer(1, 3), d.pick([1, 1, 2, 3]), d.random.random() < 0.3
        inputs, outputs = groups * d.integer(1, 4), groups * d.integer(1, 4)
        size = [d.integer(1, 8) for _ in range(space)]
        kernel = [d.integer(1, 3) for _ in range(space)]
        stride, padding = [d.integer(1, 3) for _ in range(space)], [d.integer(0, 2) for _ in range(space)]
        dilation = [d.integer(1, 2) for _ in range(space)]
        more = [d.integer(0, max(stride[i], dilation[i]) - 1) if transposed else 0 for i in range(space)]
        ends = [(size[i] - 1) * stride[i] - 2 * padding[i] + dilation[i] * (kernel[i] - 1) + more[i] + 1 if transposed
                else size[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) for i in range(space)]
        if min(ends) >= 1 and max(ends) < 40:
            break
    x = d.tensor([d.integer(1, 2), inputs, *size], low=-3, high=3)
    w = d.tensor([inputs, outputs // groups, *kernel] if transposed else [outputs, inputs // groups, *kernel], low=-2, high=2)
    return x, w, (stride, padding, dilation, transposed, more, groups)


@case("convolution.out")
def convolution(d, name):
    x, w, arguments = convolution_arguments(d)
    outputs = w.shape[1] * arguments[-1] if arguments[3] else w.shape[0]
    d.aten(name, x, w, d.pick([None, d.tensor([outputs])]), *arguments, tolerance=CLOSE * 10)


def image(d, types=(torch.float32,)):
    return d.tensor(([d.integer(1, 2)] if d.flip() else []) + [d.integer(1, 4), d.integer(2, 9), d.integer(2, 9)], d.pick(types))


def window(d, x, most=3):
    k = [d.integer(1, min(most, x.shape[-2])), d.integer(1, min(most, x.shape[-1]))]
    return k, d.pick([[], [d.integer(1, 3), d.integer(1, 3)]]), [n // 2 if d.flip() else 0 for n in k]


@case("max_pool2d_with_indices.out")
def max_pool(d, name):
    x = image(d)
    x = torch.randperm(x.numel(), generator=d.generator).reshape(x.shape).float()  # the largest value occurs once
    d.aten(name, x, *window(d, x, 2), [1, 1], d.flip())


@case("avg_pool2d.out")
def avg_pool(d, name):
    x = image(d)
    d.aten(name, x, *window(d, x), d.flip(), d.flip(), d.pick([None, 3]), tolerance=CLOSE)


@case("adaptive_max_pool2d.out")
def adaptive_max(d, name):
    x = image(d)
    x = torch.randperm(x.numel(), generator=d.generator).reshape(x.shape).float()  # the largest value occurs once
    d.aten(name, x, [d.integer(1, 5), d.integer(1, 5)])


@case("_adaptive_avg_pool2d.out")
def adaptive(d, name):
    d.aten(name, image(d), [d.integer(1, 5), d.integer(1, 5)], tolerance=CLOSE)


def maybe(d, n):
    return d.pick([None, d.tensor([n], low=-2, high=2)])


@case("_native_batch_norm_legit_no_training.out")
def batch_norm(d, name):
    x = d.tensor(d.shape(2, 4))
    n = x.shape[1]
    d.aten(name, x, maybe(d, n), maybe(d, n), d.tensor([n]), d.tensor([n], low=0, high=3), 0.1, 1e-5, tolerance=CLOSE * 10)


@case("native_layer_norm.out")
def layer_norm(d, name):
    x = d.tensor(d.shape(1, 4), order=False)
    shape = list(x.shape[d.integer(0, x.dim() - 1):])
    weight, bias = (d.pick([None, d.tensor(shape, low=-2, high=2, order=False)]) for _ in range(2))
    d.aten(name, x, shape, weight, bias, 1e-3, tolerance=CLOSE * 10)


@case("native_group_norm.out")
def group_norm(d, name):
    groups, n = d.integer(1, 3), d.integer(1, 2)
    channels, space = groups * d.integer(1, 3), d.integer(2, 9)
    d.aten(name, d.tensor([n, channels, space]), maybe(d, channels), maybe(d, channels), n, channels, space, groups, 1e-3,
           tolerance=CLOSE * 10)


@case("_cdist_forward.out")
def cdist(d, name):
    dtype, k, batches = d.pick(REAL), d.integer(1, 9), d.shape(0, 2)
    d.aten(name, d.tensor(d.broadcast(batches) + [d.integer(1, 5), k], dtype), d.tensor(d.broadcast(batches) + [d.integer(1, 5), k], dtype),
           d.pick([0.0, 1.0, 2.0, 3.0, 0.5, float("inf")]), d.pick([None, 2]), tolerance=CLOSE)


@case("_pdist_forward.out")
def pdist(d, name):
    x = d.tensor([d.integer(0, 6), d.integer(1, 9)], d.pick(REAL))
    d.aten(name, x, d.pick([0.0, 1.0, 2.0, 3.0, 0.5, float("inf")]), tolerance=CLOSE)


@case("convolution_backward.out")
def convolution_backward(d, name):
    x, w, arguments = convolution_arguments(d)
    given = d.tensor(torch.ops.aten.convolution(x, w, None, *arguments).shape, low=-3, high=3)
    d.aten(name, given, x.contiguous(), w.contiguous(), [given.shape[1]], *arguments, [True] * 3, tolerance=CLOSE * 10)


@case("max_pool2d_with_indices_backward.grad_input")
def max_pool_backward(d, name):
    x = image(d)
    x = torch.randperm(x.numel(), generator=d.generator).reshape(x.shape).float()
    arguments = [*window(d, x, 2), [1, 1], d.flip()]
    out, indices = torch.ops.aten.max_pool2d_with_indices(x, *arguments)
    d.aten(name, d.tensor(out.shape, order=False), x, *arguments, indices, tolerance=CLOSE)


@case("_native_batch_norm_legit.out")
def batch_norm_running(d, name):
    x = d.tensor(d.shape(2, 4))
    n = x.shape[1]
    statistics = d.tensor([n]), d.tensor([n], low=0, high=3)
    weight, bias, training = maybe(d, n), maybe(d, n), d.flip() and x.numel() > n
    ours = [s.clone() for s in statistics]
    expected = torch.ops.aten._native_batch_norm_legit(x, weight, bias, *statistics, training, 0.1, 1e-5)
    d.call("aten::" + name, x, weight, bias, *ours, training, 0.1, 1e-5, expected=expected, tolerance=CLOSE * 10)
    for theirs, own in zip(statistics, ours):
        same(theirs, own if d.calls else theirs, CLOSE)


@case("_native_batch_norm_legit.no_stats_out")
def batch_norm_batch(d, name):
    x = d.tensor([n + 1 for n in d.shape(2, 4)])
    n = x.shape[1]
    d.aten(name, x, maybe(d, n), maybe(d, n), True, 0.1, 1e-5, tolerance=CLOSE * 10)


@case("_fft_r2c.out", "_fft_c2r.out", "_fft_c2c.out")
def fourier(d, name):
    x = d.tensor(d.shape(1, 3), d.pick(REAL))
    some = d.random.sample(range(x.dim()), 1 if "c2r" in name else d.integer(1, x.dim()))
    scaling = d.integer(0, 2)
    if "r2c" in name:
        d.aten(name, x, some, scaling, d.flip(), tolerance=CLOSE)
    elif "c2r" in name:  # the spectrum of such numbers, as others are none
        spectrum = torch.ops.aten._fft_r2c(x, some, 0, True)
        d.aten(name, spectrum, some, scaling, x.shape[some[0]], tolerance=CLOSE * 10)
    else:
        d.aten(name, torch.complex(x, x.flip(0) - 1), some, scaling, d.flip(), tolerance=CLOSE)


@case("permute_copy.out", "view_copy.out", "slice_copy.Tensor_out", "select_copy.int_out", "unsqueeze_copy.out", "expand_copy.out", "clone.out")
def complex_copies(d, name):
    x = torch.complex(d.tensor(d.shape(1, 4)), torch.tensor(1.5))
    n = x.shape[0]
    more = {"permute_copy.out": [list(range(x.dim()))[::-1]], "view_copy.out": [[-1]], "slice_copy.Tensor_out": [0, 1, n, 2],
            "select_copy.int_out": [0, n - 1], "unsqueeze_copy.out": [1], "expand_copy.out": [[2, *x.shape]], "clone.out": []}
    d.aten(name, x, *more[name])


def room(d):
    """An image in three dimensions whose numbers differ."""
    shape = [d.integer(1, 2), d.integer(1, 3), *(d.integer(2, 6) for _ in range(3))][d.integer(0, 1):]
    x = torch.randperm(torch.Size(shape).numel(), generator=d.generator).reshape(shape).float()
    return x.contiguous(memory_format=torch.channels_last_3d) if x.dim() == 5 and d.flip() else x


def windows3(d):
    kernel = [d.integer(1, 3) for _ in range(d.pick([1, 3]))]
    stride = d.pick([[], [d.integer(1, 3)], [d.integer(1, 3) for _ in range(3)]])
    return kernel, stride, [d.integer(0, k // 2) for k in kernel]


def shorter(x, kernel, dilation=1):
    return any(n < dilation * (k - 1) + 1 for n, k in zip(x.shape[-3:], kernel if len(kernel) == 3 else kernel * 3))


@case("max_pool3d_with_indices.out", "avg_pool3d.out")
def pool3d(d, name):
    x, (kernel, stride, padding), dilation = room(d), windows3(d), d.pick([1, 1, 2]) if "max" in name else 1
    if shorter(x, kernel, dilation):
        kernel, padding, dilation = [1], [0], 1
    if "max" in name:
        d.aten(name, x, kernel, stride, padding, [dilation], d.flip())
    else:
        d.aten(name, x.to(d.pick(REAL)), kernel, stride, padding, d.flip(), d.flip(), d.pick([None, 3, -2]), tolerance=CLOSE)


@case("_adaptive_avg_pool3d.out", "adaptive_max_pool3d.out")
def adaptive3d(d, name):
    d.aten(name, room(d), [d.integer(1, 5) for _ in range(3)], tolerance=CLOSE)

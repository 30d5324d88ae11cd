# SPDX-License-Identifier: Apache-2.0
"""Steps of random programs: operators of PyTorch with drawn arguments.

STEPS is a list of (weight, whether the step suits a quantised network, function). The function takes a Draw, a value's number
and the value, a tensor, and gives a Step on it, or None when it cannot work on this one."""
import random

import torch
from torch import nn
from torch.nn import functional as F

INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)
MOST = 2048  # elements of a value
STEPS = []


class Draw:
    """Random numbers, and the values that a program has so far."""

    def __init__(self, seed, is_quantised):
        self.is_quantised = is_quantised
        self.random, self.generator = random.Random(seed), torch.Generator().manual_seed(seed)
        self.values, self.roots = [], 0
        self.ends = set()  # numbers of values whose sizes the data decide: only outputs, as an export cannot go on from them

    def pick(self, items):
        return self.random.choice(list(items))

    def integer(self, low, high):
        return self.random.randint(low, high)

    def tensor(self, shape, dtype=torch.float32, low=-4, high=4):
        if dtype == torch.bool:
            return torch.rand(shape, generator=self.generator) < 0.5
        if dtype.is_floating_point:
            return (torch.rand(shape, generator=self.generator) * (high - low) + low).to(dtype)
        return torch.randint(max(low, torch.iinfo(dtype).min), high + 1, tuple(shape), generator=self.generator, dtype=dtype)

    def dim(self, x):
        return self.integer(-x.dim(), x.dim() - 1)

    def shape(self, low=1, high=4):
        while True:
            shape = [self.integer(1, 9) for _ in range(self.integer(low, high))]
            if torch.Size(shape).numel() <= 400:
                return shape

    def fellow(self, x, same_type=True):
        """Number of a value that broadcasts with x; None: there is none."""
        def fits(y):
            try:
                return torch.Size(torch.broadcast_shapes(x.shape, y.shape)).numel() <= MOST
            except RuntimeError:
                return False
        found = [i for i, y in enumerate(self.values)
                 if i not in self.ends and fits(y) and (y.dtype == x.dtype or not same_type)]
        return self.pick(found) if found else None

    def is_exact(self, i):
        """Whether rounding cannot make value i differ: an input, or of a type that is not rounded."""
        return i < self.roots or not self.values[i].is_floating_point()


class Step:
    """A function of the values with these numbers; is_end: the data decide the sizes of what it gives."""

    def __init__(self, name, function, *numbers, is_end=False):
        self.name, self.function, self.numbers, self.is_end = name, function, numbers, is_end

    def __call__(self, values):
        return self.function(*(values[i] for i in self.numbers))


def step(weight, quantised=False):
    """Registers a function as a step that is drawn so often."""
    def register(function):
        STEPS.append((weight, quantised, function))
        return function
    return register


def real(x):
    return x.dtype == torch.float32


def whole(x):
    return x.dtype in INTEGERS


@step(6, quantised=True)
def function_of_one(d, i, x):
    if not real(x):
        return None
    positive = {"log": torch.log, "log1p": torch.log1p, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "log2": torch.log2,
                "log10": torch.log10, "reciprocal": torch.reciprocal, "acosh": lambda x: torch.acosh(x + 1)}
    others = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, "sin": torch.sin, "cos": torch.cos, "erf": torch.erf,
              "atan": torch.atan, "asinh": torch.asinh, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
              "elu": F.elu, "leaky_relu": F.leaky_relu, "silu": F.silu, "hardswish": F.hardswish, "softplus": F.softplus,
              "mish": F.mish, "relu6": F.relu6, "abs": torch.abs, "neg": torch.neg, "selu": F.selu, "softsign": F.softsign,
              "hardsigmoid": F.hardsigmoid, "tanhshrink": F.tanhshrink, "logsigmoid": F.logsigmoid, "celu": F.celu,
              "exp": lambda x: torch.exp(-x.abs()), "square": torch.square, "expm1": lambda x: torch.expm1(-x.abs()),
              "asin": lambda x: torch.asin(torch.tanh(x) * 0.9), "atanh": lambda x: torch.atanh(torch.tanh(x) * 0.9),
              "sinh": lambda x: torch.sinh(torch.tanh(x)), "cosh": lambda x: torch.cosh(torch.tanh(x))}
    name = d.pick([*positive, *others])
    inner = positive.get(name)
    return Step(name, (lambda x: inner(x.abs() + 0.25)) if inner else others[name], i)


@step(4)
def jump_of_one(d, i, x):
    """Functions whose result jumps, so that a rounding may change it by much: of exact values alone."""
    if not d.is_exact(i) or x.dtype == torch.bool:
        return None
    k = d.integer(1, 5)
    names = {"remainder": lambda x: torch.remainder(x, k), "fmod": lambda x: torch.fmod(x, -k), "sign": torch.sign,
             "floor_divide": lambda x: torch.div(x, k, rounding_mode="floor"), "gt": lambda x: x > 1, "le": lambda x: x <= k,
             "trunc_divide": lambda x: torch.div(x, k, rounding_mode="trunc"), "ne": lambda x: x != 1, "relu": torch.relu,
             "argmax": lambda x: torch.argmax(x, d_at), "argmin": lambda x: torch.argmin(x, d_at, keepdim=True),
             "to_int": lambda x: x.to(torch.int32), "to_int8": lambda x: x.clamp(-100, 100).to(torch.int8),
             "to_long": lambda x: x.to(torch.int64), "to_bool": lambda x: x.to(torch.bool)}
    if real(x):
        names.update({"floor": torch.floor, "ceil": torch.ceil, "round": torch.round, "trunc": torch.trunc, "frac": torch.frac})
    d_at = d.dim(x) if x.dim() else 0
    # equal elements: which one PyTorch names is not defined
    drawn = [n for n in names if not n.startswith("arg") or (real(x) and x.unique().numel() == x.numel())]
    name = d.pick(drawn)
    return Step(name, names[name], i)


@step(4)
def integers_of_one(d, i, x):
    if not whole(x):
        return None
    k = d.integer(1, 7)
    names = {"bitwise_not": torch.bitwise_not, "and": lambda x: x & k, "or": lambda x: x | k, "xor": lambda x: x ^ k,
             "shift_left": lambda x: x << k % 3, "shift_right": lambda x: x >> k % 4, "add": lambda x: x + k, "rsub": lambda x: k - x,
             "mul": lambda x: x * k, "to_float": lambda x: x.to(torch.float32), "clamp": lambda x: x.clamp(-k, k), "abs": torch.abs,
             "neg": torch.neg, "divide": lambda x: x / k, "sum": lambda x: x.sum(), "to_short": lambda x: x.to(torch.int16),
             "to_byte": lambda x: x.to(torch.uint8), "pow": lambda x: x ** 2, "prod": lambda x: x.prod(-1) if x.dim() else x.prod()}
    name = d.pick(names)
    return Step(name, names[name], i)


@step(5, quantised=True)
def of_two(d, i, x):
    k = d.fellow(x, same_type=d.pick([True, True, False]))
    if k is None or x.dtype == torch.bool:
        return None
    y = d.values[k]
    names = {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "maximum": torch.maximum, "minimum": torch.minimum,
             "where": lambda x, y: torch.where(x > y, x, y) if x.dtype == y.dtype else x + y}
    if y.dtype == torch.bool:
        names = {"add": torch.add, "mul": torch.mul, "where": lambda x, y: torch.where(y, x, -x)}
    elif real(x) and real(y):
        names.update({"atan2": lambda x, y: torch.atan2(x, y.abs() + 0.5), "div": lambda x, y: x / (y.abs() + 0.5),
                      "pow": lambda x, y: torch.pow(x.abs() + 0.5, torch.tanh(y)), "lerp": lambda x, y: torch.lerp(x, y, 0.25)})
    if d.is_exact(i) and d.is_exact(k) and y.dtype != torch.bool:
        names.update({"eq": torch.eq, "lt": torch.lt, "ge": torch.ge})
    name = d.pick(names)
    return Step(name, names[name], i, k)


@step(2)
def truths(d, i, x):
    if x.dtype != torch.bool:
        return None
    at = d.dim(x) if x.dim() else 0
    names = {"not": torch.logical_not, "any": torch.any, "any_dim": lambda x: torch.any(x, at), "to_float": lambda x: x.to(torch.float32),
             "to_int": lambda x: x.to(torch.int32), "sum": lambda x: x.sum(), "all": torch.all, "xor": lambda x: x ^ x.flip(-1) if x.dim() else x}
    name = d.pick(names)
    return Step(name, names[name], i)


@step(5, quantised=True)
def placed(d, i, x):
    """The same elements, or some of them, elsewhere."""
    if not x.dim():
        return Step("unsqueeze", lambda x: x.unsqueeze(0), i)
    a, b, n = d.dim(x), d.dim(x), x.size(-1)
    order = d.random.sample(range(x.dim()), x.dim())
    start, stop, pace = d.integer(0, n - 1), d.integer(1, n + 2), d.integer(1, 3)
    where, times = d.integer(-n, n - 1), [d.integer(1, 2) for _ in range(x.dim())]
    names = {"permute": lambda x: x.permute(order), "transpose": lambda x: x.transpose(a, b), "flip": lambda x: x.flip(a),
             "roll": lambda x: torch.roll(x, where, -1), "repeat": lambda x: x.repeat(times), "unsqueeze": lambda x: x.unsqueeze(a),
             "select": lambda x: x.select(-1, where), "flatten": lambda x: x.flatten(), "tril": lambda x: torch.tril(x) if x.dim() > 1 else x,
             "cat": lambda x: torch.cat([x, x], a), "stack": lambda x: torch.stack([x, x.flip(-1)], a), "squeeze": lambda x: x.squeeze(a),
             "chunk": lambda x: torch.chunk(x, 2, -1)[0], "expand": lambda x: x.unsqueeze(0).expand(2, *x.shape),
             "contiguous": lambda x: x.transpose(a, b).contiguous(), "swap": lambda x: x.movedim(a, b), "triu": lambda x: torch.triu(x) if x.dim() > 1 else x,
             "unbind": lambda x: torch.unbind(x, -1)[-1], "diagonal": lambda x: torch.diagonal(x) if x.dim() > 1 else x,
             "repeat_interleave": lambda x: x.repeat_interleave(2, -1), "narrow": lambda x: x.narrow(-1, start, n - start),
             "unfold": lambda x: x.unfold(-1, min(2, n), pace), "rot90": lambda x: torch.rot90(x) if x.dim() > 1 else x}
    if start < stop:
        names["slice"] = lambda x: x[..., start:stop:pace]
    name = d.pick(names)
    return Step(name, names[name], i)


@step(1, quantised=True)
def reshaped(d, i, x):
    if not x.dim():
        return None
    shape = [x.size(0)]
    rest, wanted = x[0].numel(), d.integer(0, 3)
    for _ in range(wanted):
        factor = d.pick([n for n in range(1, rest + 1) if rest % n == 0])
        shape.append(factor)
        rest //= factor
    return Step("reshape", lambda x: x.reshape(x.size(0), *shape[1:], rest), i)


@step(1, quantised=True)
def padded(d, i, x):
    if not 1 < x.dim() < 5 or x.dtype == torch.bool:
        return None
    n = x.size(-1)
    pads = [d.integer(0, min(2, n - 1)), d.integer(0, min(2, n - 1))]
    names = {"constant": lambda x: F.pad(x, pads, value=3)}
    if real(x):
        names.update({"reflect": lambda x: F.pad(x, pads, "reflect"), "replicate": lambda x: F.pad(x, pads, "replicate")})
    name = d.pick(names)
    return Step("pad_" + name, names[name], i) if x.dim() in (2, 3) or name == "constant" else None


@step(2)
def at_indices(d, i, x):
    if not x.dim() or not all(x.shape):
        return None
    a = d.dim(x)
    n = x.size(a)
    index = d.tensor([d.integer(1, 4)], torch.int64, 0, n - 1)
    whole_index = d.tensor(x.shape, torch.int64, 0, n - 1)
    first = d.tensor([d.integer(1, 4)], torch.int64, 0, x.size(0) - 1)
    once = torch.randperm(x.size(0), generator=d.generator)[:d.integer(1, x.size(0))]

    def put(x):
        return x.index_put((once,), x[once] + x[once]) if x.dtype != torch.bool else x
    names = {"index_select": lambda x: torch.index_select(x, a, index), "gather": lambda x: torch.gather(x, a, whole_index),
             "index": lambda x: x[first], "index_put": put, "take": lambda x: x[..., -1:],
             "scatter": lambda x: torch.scatter(x, a, whole_index[tuple(slice(0, 1) for _ in x.shape)], 1),
             "masked_fill": lambda x: x.masked_fill(x == x.flip(a), 2) if d.is_exact(i) else x.flip(a)}
    if real(x) or x.dtype in (torch.int32, torch.int64):
        names["scatter_add"] = lambda x: torch.scatter_add(x, a, whole_index, x)
    name = d.pick(names)
    return Step(name, names[name], i)


@step(1)
def chosen(d, i, x):
    """What a mask or counts choose."""
    if not d.is_exact(i) or not x.dim():
        return None
    mask, counts = d.tensor(x.shape, torch.bool), d.tensor([x.size(-1)], torch.int64, 0, 3)
    counts[0] += 1
    mask.view(-1)[0] = True
    all_counts = int(counts.sum())
    names = {"nonzero": lambda x: torch.nonzero(x), "masked_select": lambda x: torch.masked_select(x, x != 0),
             "masked_select_mask": lambda x: torch.masked_select(x, mask),
             "repeat_positions": lambda x: torch.repeat_interleave(counts + (x != x).sum(), output_size=all_counts)}
    if x.dtype != torch.bool:
        names["masked_scatter"] = lambda x: torch.masked_scatter(x, mask, x.flip(0) + 1)
    name = d.pick(names)
    return Step(name, names[name], i, is_end=name.startswith(("nonzero", "masked_select")))


@step(1)
def distances(d, i, x):
    if not real(x) or x.dim() not in (2, 3) or x.numel() > 200:
        return None
    p = d.pick([0.0, 1.0, 2.0, 3.0, float("inf")]) if d.is_exact(i) else d.pick([1.0, float("inf")])  # a root of 0 is steep
    names = {"cdist": lambda x: torch.cdist(x, x.flip(-1) + 0.5, p, compute_mode="donot_use_mm_for_euclid_dist")}
    if x.dim() == 2 and x.size(0) > 1:
        names["pdist"] = lambda x: F.pdist(x, p)
    name = d.pick(names)
    return Step(name, names[name], i)


@step(1, quantised=True)
def scattered(d, i, x):
    """A part of a value is replaced by a part of itself."""
    if x.dim() < 2:
        return None
    n = x.size(-1)
    at = d.integer(0, n - 1)
    names = {"select_scatter": lambda x: torch.select_scatter(x, x.select(-1, 0), -1, at),
             "slice_scatter": lambda x: torch.slice_scatter(x, x[..., :n - at], -1, at, n)}
    name = d.pick(names)
    return Step(name, names[name], i)


@step(5, quantised=True)
def reduced(d, i, x):
    if not real(x) or not x.dim():
        return None
    a, keep = d.dim(x), d.pick([True, False])
    dims = sorted(d.random.sample(range(x.dim()), d.integer(1, x.dim())))
    names = {"sum": lambda x: x.sum(dims, keep), "mean": lambda x: x.mean(dims, keep), "amax": lambda x: x.amax(dims, keep),
             "amin": lambda x: x.amin(dims, keep), "prod": lambda x: torch.tanh(x).prod(a, keep), "cumsum": lambda x: x.cumsum(a),
             "softmax": lambda x: torch.softmax(x, a), "log_softmax": lambda x: torch.log_softmax(x, a), "max": lambda x: x.max(a, keep)[0],
             "norm": lambda x: torch.linalg.vector_norm(x, dim=a, keepdim=keep), "logsumexp": lambda x: torch.logsumexp(x, a, keep),
             "topk": lambda x: torch.topk(x, 1, a)[0], "mean_all": torch.mean, "min": lambda x: x.min(a)[0], "glu": lambda x: F.glu(x, a)}
    if x.size(a) > 1:
        names.update({"var": lambda x: x.var(a, keepdim=keep), "std": lambda x: (x.var(a, correction=0) + 0.1).sqrt()})
    if x.size(a) % 2:
        del names["glu"]
    if d.is_quantised:  # Vela 5.1.0 compiles these wrong for U55: it broadcasts the largest of -x where it should not
        del names["amin"], names["min"]
    name = d.pick(names)
    return Step(name, names[name], i)


@step(8, quantised=True)
def layered(d, i, x):
    """Layers with random weights."""
    if not real(x) or not 2 <= x.dim() <= 4 or x.numel() > 600:
        return None
    wanted, channels = d.integer(1, 6), x.size(1)
    weight, bias = d.tensor([wanted, x.size(-1)], low=-1, high=1), d.tensor([wanted], low=-1, high=1)
    names = {"linear": lambda x: F.linear(x, weight, bias), "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
             "rms_norm": lambda x: F.rms_norm(x, x.shape[-1:], weight[0], eps=1e-3), "matmul": lambda x: x @ x.transpose(-1, -2)}
    if x.dim() >= 3:
        kernel, stride, padding = d.integer(1, min(3, *x.shape[2:])), d.integer(1, 2), d.integer(0, 1)
        groups = d.pick([g for g in (1, 2, channels) if channels % g == 0])
        filters = d.tensor([groups * wanted, channels // groups] + [kernel] * (x.dim() - 2), low=-1, high=1)
        backward = d.tensor([channels, wanted] + [kernel] * (x.dim() - 2), low=-1, high=1)
        convolve, convolve_back = (F.conv1d, F.conv_transpose1d) if x.dim() == 3 else (F.conv2d, F.conv_transpose2d)
        mean, variance = d.tensor([channels]), d.tensor([channels], low=0.5, high=2)
        names.update({
            "conv": lambda x: convolve(x, filters, None, stride, padding, 1, groups),
            "conv_transpose": lambda x: convolve_back(x, backward, None, stride, min(padding, kernel - 1)),
            "batch_norm": lambda x: F.batch_norm(x, mean, variance), "group_norm": lambda x: F.group_norm(x, groups)})
    if x.dim() == 4:
        half = min(kernel // 2, padding)
        names.update({
            "max_pool": lambda x: F.max_pool2d(x, kernel, stride, half), "avg_pool": lambda x: F.avg_pool2d(x, kernel, stride, half),
            "avg_pool_inside": lambda x: F.avg_pool2d(x, kernel, stride, half, count_include_pad=False),
            "adaptive": lambda x: F.adaptive_avg_pool2d(x, wanted % 3 + 1), "nearest": lambda x: F.interpolate(x, scale_factor=2),
            "bilinear": lambda x: F.interpolate(x, size=(wanted + 1, wanted), mode="bilinear"), "prelu": lambda x: F.prelu(x, mean),
            "channels_last": lambda x: x.to(memory_format=torch.channels_last) * 2,
            "corners": lambda x: F.interpolate(x, size=(wanted, wanted + 2), mode="bilinear", align_corners=True)})
        if not d.is_quantised:
            grid = d.tensor([x.size(0), 3, wanted, 2], low=-1.3, high=1.3)
            mode, outside = d.pick(["bilinear", "bicubic"] + ["nearest"] * d.is_exact(i)), d.pick(["zeros", "border", "reflection"])
            corners, pool = d.pick([True, False]), ([kernel, kernel], [stride, stride], [half, half], [1, 1], False)
            options = ([filters.size(0)], [stride] * 2, [padding] * 2, [1, 1], False, [0, 0], groups, [True] * 3)

            def pool_backward(x):
                largest, where = F.max_pool2d_with_indices(x, *pool)
                return torch.ops.aten.max_pool2d_with_indices_backward(largest + 1, x, *pool, where)

            def convolution_backward(x):
                given = F.conv2d(x, filters, None, stride, padding, 1, groups)
                return torch.ops.aten.convolution_backward(given, x, filters, *options)[gradient]
            gradient = d.integer(0, 2)
            names.update({
                "grid_sample": lambda x: F.grid_sample(x, grid, mode, outside, corners), "convolution_backward": convolution_backward,
                "antialias": lambda x: F.interpolate(x, size=(wanted, wanted + 1), mode="bilinear", antialias=True),
                "batch_norm_training": lambda x: F.batch_norm(x, None, None, training=True, eps=0.1)})
            if d.is_exact(i):
                names["max_pool_backward"] = pool_backward
        if channels % 4 == 0:
            names["shuffle"] = lambda x: F.pixel_shuffle(x, 2)
        if x.size(2) % 2 == x.size(3) % 2 == 0:
            names["unshuffle"] = lambda x: F.pixel_unshuffle(x, 2)
    name = d.pick(names)
    return Step(name, names[name], i)


class Program(nn.Module):
    """Steps, one after the other; the last values that no step takes are the outputs. `state`: a buffer that every run
    changes."""

    def __init__(self, steps, outputs, state=None):
        super().__init__()
        self.steps, self.outputs = steps, outputs
        self.register_buffer("state", state)

    def forward(self, *inputs):
        values = list(inputs)
        for each in self.steps:
            values.append(each(values))
        if self.state is not None:
            self.state.add_(inputs[0].flatten()[0])
            values[self.outputs[0]] = values[self.outputs[0]] + self.state
        return tuple(values[i] for i in self.outputs)

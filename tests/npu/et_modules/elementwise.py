# SPDX-License-Identifier: Apache-2.0
"""Functions of each element, of two tensors that broadcast, and along an axis."""
import torch
import torch.nn.functional as F

from .draw import Call, any_shape, data

TWO = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "minimum": torch.minimum, "maximum": torch.maximum,
    "add_same": lambda x, y: x + x * y, "where": lambda x, y: torch.where(x > y, x, y),
    "compare": lambda x, y: torch.where(x >= y, x * 0.5, y + 1), "div": lambda x, y: x / (y.abs() + 0.5),
    "equal": lambda x, y: torch.where(x == y, x, -y), "less": lambda x, y: torch.where(x < y, y, x),
}

ONE = {
    "sigmoid": torch.sigmoid, "tanh": torch.tanh, "exp": torch.exp, "abs": torch.abs, "neg": torch.neg,
    "gelu": F.gelu, "silu": F.silu, "hardswish": F.hardswish, "hardsigmoid": F.hardsigmoid, "relu": F.relu,
    "hardtanh": lambda x: F.hardtanh(x, -0.5, 0.75), "relu6": F.relu6, "leaky_relu": lambda x: F.leaky_relu(x, 0.2),
    "elu": F.elu, "clamp": lambda x: torch.clamp(x, -0.3, 0.9), "erf": torch.erf, "sin": torch.sin,
    "cos": torch.cos, "sign": torch.sign, "floor": torch.floor, "ceil": torch.ceil, "round": torch.round,
    "log": lambda x: torch.log(x.abs() + 0.1), "sqrt": lambda x: torch.sqrt(x.abs()),
    "rsqrt": lambda x: torch.rsqrt(x.abs() + 0.2), "reciprocal": lambda x: torch.reciprocal(x.abs() + 0.3),
    "pow2": lambda x: x ** 2, "pow3": lambda x: x.pow(3), "scalars": lambda x: (x * 1.7 + 0.4) - 0.2 * x,
    "log_softmax": lambda x: F.log_softmax(x, -1), "softmax": lambda x: F.softmax(x, -1),
    "softmax_inner": lambda x: F.softmax(x, 1), "mean": lambda x: x.mean(-1, keepdim=True),
    "mean_all": lambda x: x.mean(tuple(range(1, x.dim())), keepdim=True), "sum": lambda x: x.sum(-1, keepdim=True),
    "sum_inner": lambda x: x.sum(1), "amax": lambda x: x.amax(-1), "amin": lambda x: x.amin(1, keepdim=True),
    "var": lambda x: x.var(-1, keepdim=True, unbiased=False), "flip": lambda x: x.flip(-1),
    "repeat": lambda x: x.repeat([1] * (x.dim() - 1) + [3]), "cumsum": lambda x: torch.cumsum(x, -1),
    "stack": lambda x: torch.stack([x, x * 2, -x], 1), "square_minus": lambda x: x * x - x,
    "split": lambda x: torch.cat([t * 0.5 for t in torch.split(x, max(1, x.shape[-1] // 2), -1)], -1),
    "select": lambda x: x.select(1, 0) + 1, "unsqueeze": lambda x: x.unsqueeze(0) * 2,
    "norm": lambda x: x / (x.norm(dim=-1, keepdim=True) + 0.1), "mask": lambda x: x.masked_fill(x > 0.2, -1.0),
    "glu": lambda x: F.glu(torch.cat([x, x * 0.5], -1), -1),
    "gated": lambda x: torch.tanh(x) * torch.sigmoid(x) + x,
}


def with_two(function):
    """Some dimensions of the second tensor are 1."""
    def draw(rng):
        shape = any_shape(rng)
        other = [d if rng.random() < 0.75 else 1 for d in shape]
        return Call(function), (data(rng, shape), data(rng, other))
    return draw


def with_one(function):
    return lambda rng: (Call(function), (data(rng, any_shape(rng)),))


MODULES = {**{name: with_two(f) for name, f in TWO.items()}, **{name: with_one(f) for name, f in ONE.items()}}

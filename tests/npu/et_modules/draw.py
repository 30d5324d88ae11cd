# SPDX-License-Identifier: Apache-2.0
"""What the modules of the ExecuTorch corpus are drawn from."""
import torch
from torch import nn


def registry():
    """A dictionary by name, and the decorator that puts functions into it."""
    modules = {}

    def module(function):
        modules[function.__name__] = function
        return function
    return modules, module


def size(rng, low, high):
    """A number between the two, the logarithm uniform: small ones as often as large ones."""
    return int(torch.exp(torch.tensor(rng.uniform(0, 1)) * torch.log(torch.tensor((high + 0.99) / low))) * low)


class Call(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *x):
        return self.function(*x)


def image(rng, c=24, h=20, w=20):
    return [1, size(rng, 1, c), size(rng, 1, h), size(rng, 1, w)]


def any_shape(rng):
    return [[1, size(rng, 1, 60)], [1, size(rng, 1, 12), size(rng, 1, 40)], image(rng)][int(rng.integers(0, 3))]


def data(rng, shape, spread=None):
    return torch.randn(shape) * (spread or rng.uniform(0.3, 3))


def activation(rng):
    return [nn.Identity(), nn.ReLU(), nn.ReLU6(), nn.Hardswish(), nn.SiLU()][int(rng.integers(0, 5))]


def cbr(i, o, k=3, s=1, g=1, act=nn.ReLU):
    """Convolution, batch normalisation, activation."""
    return nn.Sequential(nn.Conv2d(i, o, k, s, k // 2, groups=g, bias=False), nn.BatchNorm2d(o), act())


class Residual(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return x + self.body(x)

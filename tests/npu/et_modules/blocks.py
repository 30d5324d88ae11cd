# SPDX-License-Identifier: Apache-2.0
"""Speech, language and vision blocks with random weights for the ExecuTorch corpus: reduced forms of published
architectures."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from .draw import Residual, cbr, data, registry, size

MODULES, module = registry()


@module
def wav2letter(rng):
    """Convolutions over time alone, clipped activations, one wide kernel."""
    c, layers = size(rng, 8, 24), []
    for kernel, stride in ((13, 2), (7, 1), (7, 1)):
        layers += [nn.Conv1d(c, c, kernel, stride, kernel // 2), nn.Hardtanh(0, 20)]
    layers += [nn.Conv1d(c, 2 * c, 32, 1, 16), nn.ReLU(), nn.Conv1d(2 * c, 29, 1), nn.LogSoftmax(1)]
    return nn.Sequential(*layers), (data(rng, [1, c, size(rng, 40, 90)]),)


class Feed(nn.Module):
    """Half of a feed-forward module of a conformer."""

    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(nn.LayerNorm(c), nn.Linear(c, 2 * c), nn.SiLU(), nn.Linear(2 * c, c))

    def forward(self, x):
        return x + 0.5 * self.body(x)


class Attend(nn.Module):
    """Attention of several heads; LENGTH positions see only the past when CAUSAL. Keys may be shared by heads."""

    def __init__(self, c, heads, length, causal=False, shared=1):
        super().__init__()
        self.heads, self.shared, self.width = heads, shared, c // heads
        self.q, self.k = nn.Linear(c, c, bias=False), nn.Linear(c, c // shared, bias=False)
        self.v, self.o = nn.Linear(c, c // shared, bias=False), nn.Linear(c, c, bias=False)
        self.register_buffer("mask", torch.full((length, length), -8.0).triu(1) if causal else torch.zeros(1))
        angle = torch.arange(length)[:, None] / 100 ** (torch.arange(self.width // 2) / (self.width // 2))
        self.register_buffer("cos", angle.cos()), self.register_buffer("sin", angle.sin())

    def turn(self, x):
        """Rotary positions."""
        a, b = x.chunk(2, -1)
        return torch.cat([a * self.cos - b * self.sin, a * self.sin + b * self.cos], -1)

    def split(self, x, heads):
        return x.reshape(1, x.shape[1], heads, self.width).transpose(1, 2)

    def forward(self, x):
        few = self.heads // self.shared
        q, k = self.turn(self.split(self.q(x), self.heads)), self.turn(self.split(self.k(x), few))
        k, v = k.repeat(1, self.shared, 1, 1), self.split(self.v(x), few).repeat(1, self.shared, 1, 1)
        score = F.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.width) + self.mask, -1)
        return self.o((score @ v).transpose(1, 2).reshape(x.shape))


@module
def conformer(rng):
    """Feed-forward halves around attention and a gated depthwise convolution."""
    heads = int(rng.choice([1, 2]))
    n, c = size(rng, 4, 16), heads * 2 * size(rng, 4, 10)

    class Gated(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.wide, self.out = nn.LayerNorm(c), nn.Conv1d(c, 2 * c, 1), nn.Conv1d(c, c, 1)
            self.deep = nn.Sequential(nn.Conv1d(c, c, 5, 1, 2, groups=c), nn.BatchNorm1d(c), nn.SiLU())

        def forward(self, x):
            return self.out(self.deep(F.glu(self.wide(self.norm(x).transpose(1, 2)), 1))).transpose(1, 2)
    return nn.Sequential(Feed(c), Residual(nn.Sequential(nn.LayerNorm(c), Attend(c, heads, n))), Residual(Gated()),
                         Feed(c), nn.LayerNorm(c)), (data(rng, [1, n, c]),)


class RootMeanSquare(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(c) + 0.5)

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-3) * self.weight


@module
def llama(rng):
    """A decoder layer: root mean square normalisation, rotary positions, shared keys, gated feed-forward."""
    heads = int(rng.choice([2, 4]))
    n, c = size(rng, 4, 12), heads * 2 * size(rng, 2, 6)

    class Gated(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.o = nn.Linear(c, 3 * c, False), nn.Linear(c, 3 * c, False), nn.Linear(3 * c, c, False)

        def forward(self, x):
            return self.o(F.silu(self.a(x)) * self.b(x))
    return nn.Sequential(Residual(nn.Sequential(RootMeanSquare(c), Attend(c, heads, n, True, 2))),
                         Residual(nn.Sequential(RootMeanSquare(c), Gated())), RootMeanSquare(c)), (data(rng, [1, n, c]),)


@module
def speech_gru(rng):
    """Keyword spotting: a convolution, a recurrent layer, a classifier of its last step."""
    c, h = size(rng, 4, 12), size(rng, 4, 16)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Sequential(nn.Conv1d(10, c, 5, 2), nn.ReLU())
            self.core, self.last = nn.GRU(c, h, batch_first=True), nn.Linear(h, 12)

        def forward(self, x):
            return self.last(self.core(self.first(x).transpose(1, 2))[0][:, -1])
    return Net(), (data(rng, [1, 10, size(rng, 11, 21)]),)


@module
def super_resolution(rng):
    """EDSR: residual blocks of scaled convolutions, then pixels from channels."""
    c = size(rng, 6, 16)

    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(c, c, 3, 1, 1), nn.ReLU(), nn.Conv2d(c, c, 3, 1, 1))

        def forward(self, x):
            return x + 0.1 * self.body(x)
    return nn.Sequential(nn.Conv2d(3, c, 3, 1, 1), Scaled(), Scaled(), nn.Conv2d(c, 4 * c, 3, 1, 1), nn.PixelShuffle(2),
                         nn.Conv2d(c, 3, 3, 1, 1)), (data(rng, [1, 3, size(rng, 6, 16), size(rng, 6, 16)]),)


@module
def segmentation(rng):
    """DeepLab: parallel dilated convolutions and pooling of the whole image, upsampled."""
    c, h, w = size(rng, 6, 16), 2 * size(rng, 3, 8), 2 * size(rng, 3, 8)

    class Parallel(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.one = cbr(3, c, 3, 2), cbr(c, c, 1)
            self.far = nn.ModuleList(nn.Sequential(nn.Conv2d(c, c, 3, 1, d, d), nn.ReLU()) for d in (2, 4))
            self.whole = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c, c, 1), nn.ReLU())
            self.last = nn.Conv2d(4 * c, 5, 1)

        def forward(self, x):
            x = self.first(x)
            whole = F.interpolate(self.whole(x), x.shape[2:], mode="bilinear")
            x = self.last(torch.cat([self.one(x), *[f(x) for f in self.far], whole], 1))
            return F.interpolate(x, scale_factor=2, mode="bilinear")
    return Parallel(), (data(rng, [1, 3, h, w]),)

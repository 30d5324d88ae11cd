# SPDX-License-Identifier: Apache-2.0
"""Modules that only move data, or little more."""
import torch
import torch.nn.functional as F
from torch import nn

from .draw import Call, data, image, registry, size

MODULES, module = registry()


@module
def cat(rng):
    shape, axis = image(rng, 12, 9, 9), int(rng.integers(1, 4))
    parts = []
    for _ in range(int(rng.integers(2, 5))):
        part = list(shape)
        part[axis] = size(rng, 1, 12)
        parts.append(data(rng, part))
    return Call(lambda *x: torch.cat(x, axis)), tuple(parts)


@module
def slices(rng):
    shape, axis = image(rng), int(rng.integers(1, 4))
    low = int(rng.integers(0, shape[axis]))
    length = int(rng.integers(1, shape[axis] - low + 1))
    return Call(lambda x: x.narrow(axis, low, length) * 1.5), (data(rng, shape),)


@module
def strided(rng):
    shape = image(rng)
    return Call(lambda x: x[:, :, ::2, ::3]), (data(rng, shape),)


@module
def permute(rng):
    shape = image(rng, 12, 10, 10)
    order = [0] + (1 + rng.permutation(3)).tolist()
    return Call(lambda x: x.permute(order).contiguous()), (data(rng, shape),)


@module
def reshape(rng):
    shape = image(rng, 12, 8, 8)
    return Call(lambda x: x.reshape(1, -1, x.shape[1]) * 2), (data(rng, shape),)


@module
def pad(rng):
    shape = image(rng)
    pads = [int(rng.integers(0, 4)) for _ in range(4)]
    value = float(rng.choice([0.0, 0.0, 0.7]))
    return Call(lambda x: F.pad(x, pads, value=value)), (data(rng, shape),)


@module
def pixel_shuffle(rng):
    r = 2
    return nn.PixelShuffle(r), (data(rng, [1, r * r * size(rng, 1, 6), size(rng, 1, 8), size(rng, 1, 8)]),)


@module
def pixel_unshuffle(rng):
    return nn.PixelUnshuffle(2), (data(rng, [1, size(rng, 1, 6), 2 * size(rng, 1, 6), 2 * size(rng, 1, 6)]),)


@module
def index_select(rng):
    shape = [1, size(rng, 2, 20), size(rng, 1, 30)]
    index = torch.randint(0, shape[1], (size(rng, 1, 12),))

    class Pick(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("index", index.to(torch.int32))

        def forward(self, x):
            return torch.index_select(x, 1, self.index)
    return Pick(), (data(rng, shape),)

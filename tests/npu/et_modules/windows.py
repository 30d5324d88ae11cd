# SPDX-License-Identifier: Apache-2.0
"""Pooling, normalisation, resizing."""
import torch
import torch.nn.functional as F
from torch import nn

from .draw import Call, data, image, registry, size

MODULES, module = registry()


@module
def maxpool(rng):
    shape = image(rng)
    k = int(rng.integers(1, 5))
    shape[2:] = [max(d, k) for d in shape[2:]]
    return nn.MaxPool2d(k, int(rng.integers(1, 4)), int(rng.integers(0, k // 2 + 1)), ceil_mode=rng.random() < 0.2), \
        (data(rng, shape),)


@module
def avgpool(rng):
    shape = image(rng)
    k = int(rng.integers(1, 6))
    shape[2:] = [max(d, k) for d in shape[2:]]
    return nn.AvgPool2d(k, int(rng.integers(1, 4)), int(rng.integers(0, k // 2 + 1)), ceil_mode=rng.random() < 0.2,
                        count_include_pad=rng.random() < 0.5), (data(rng, shape),)


@module
def adaptive_pool(rng):
    n = int(rng.integers(1, 4))
    return nn.AdaptiveAvgPool2d((n, n)), (data(rng, [1, size(rng, 1, 24), n * size(rng, 1, 6), n * size(rng, 1, 6)]),)


@module
def layernorm(rng):
    n, c = size(rng, 1, 16), size(rng, 2, 60)
    return nn.LayerNorm(c), (data(rng, [1, n, c]),)


@module
def groupnorm(rng):
    g = int(rng.choice([1, 2, 4]))
    c = g * size(rng, 1, 8)
    return nn.GroupNorm(g, c), (data(rng, [1, c, size(rng, 2, 10), size(rng, 2, 10)]),)


@module
def batchnorm(rng):
    shape = image(rng)
    m = nn.BatchNorm2d(shape[1])
    m.running_mean, m.running_var = torch.randn(shape[1]), torch.rand(shape[1]) + 0.3
    return m, (data(rng, shape),)


@module
def upsample_nearest(rng):
    return nn.Upsample(scale_factor=int(rng.choice([2, 2, 4])), mode="nearest"), (data(rng, image(rng, 24, 9, 9)),)


@module
def upsample_bilinear(rng):
    return nn.Upsample(scale_factor=int(rng.choice([2, 2, 4])), mode="bilinear", align_corners=rng.random() < 0.4), \
        (data(rng, image(rng, 16, 8, 8)),)


@module
def resize_to(rng):
    shape = image(rng, 12, 10, 10)
    target = size(rng, 1, 20), size(rng, 1, 20)
    mode = str(rng.choice(["nearest", "bilinear"]))
    return Call(lambda x: F.interpolate(x, target, mode=mode)), (data(rng, shape),)

# SPDX-License-Identifier: Apache-2.0
"""Convolutions and products of matrices."""
import torch
from torch import nn

from .draw import Call, activation, any_shape, data, image, registry, size

MODULES, module = registry()


@module
def conv2d(rng):
    _, c, h, w = image(rng)
    kernel = int(rng.integers(1, 6)), int(rng.integers(1, 6))
    dilation = int(rng.integers(1, 3)) if rng.random() < 0.2 else 1
    h, w = max(h, kernel[0] * dilation), max(w, kernel[1] * dilation)
    pad = int(rng.integers(0, kernel[0])), int(rng.integers(0, kernel[1]))
    stride = 1 if dilation > 1 else (int(rng.integers(1, 4)), int(rng.integers(1, 4)))
    conv = nn.Conv2d(c, size(rng, 1, 40), kernel, stride, pad, dilation, bias=rng.random() < 0.8)
    return nn.Sequential(conv, activation(rng)), (data(rng, [1, c, h, w]),)


@module
def conv_groups(rng):
    groups = int(rng.choice([2, 3, 4]))
    c, k = groups * size(rng, 1, 8), int(rng.integers(1, 4))
    return nn.Conv2d(c, groups * size(rng, 1, 8), k, int(rng.integers(1, 3)), k // 2, groups=groups), \
        (data(rng, [1, c, size(rng, 4, 16), size(rng, 4, 16)]),)


@module
def conv1d(rng):
    c, n, k = size(rng, 1, 24), size(rng, 8, 60), int(rng.integers(1, 7))
    return nn.Sequential(nn.Conv1d(c, size(rng, 1, 24), k, int(rng.integers(1, 4)), k // 2), activation(rng)), \
        (data(rng, [1, c, n]),)


@module
def depthwise(rng):
    c, k = size(rng, 1, 50), int(rng.integers(1, 6))
    conv = nn.Conv2d(c, c, k, int(rng.integers(1, 3)), int(rng.integers(0, k)), groups=c)
    return nn.Sequential(conv, activation(rng)), (data(rng, [1, c, size(rng, 6, 24), size(rng, 6, 24)]),)


@module
def tconv(rng):
    c, stride = size(rng, 1, 16), int(rng.choice([1, 2, 2]))
    k = stride + int(rng.integers(0, 3))
    return nn.ConvTranspose2d(c, size(rng, 1, 16), k, stride, padding=int(rng.integers(0, max(1, k // 2))),
                              bias=rng.random() < 0.7), (data(rng, [1, c, size(rng, 1, 9), size(rng, 1, 9)]),)


@module
def linear(rng):
    shape = any_shape(rng)
    shape[0] = size(rng, 1, 6)
    layer = nn.Linear(shape[-1], size(rng, 1, 120), rng.random() < 0.8)
    return nn.Sequential(layer, activation(rng)), (data(rng, shape),)


@module
def bmm(rng):
    b, n, k, m = size(rng, 1, 4), size(rng, 1, 24), size(rng, 1, 50), size(rng, 1, 24)
    return Call(torch.bmm), (data(rng, [b, n, k]), data(rng, [b, k, m]))


@module
def matmul4(rng):
    b, n, k, m = size(rng, 1, 4), size(rng, 1, 12), size(rng, 1, 20), size(rng, 1, 12)
    return Call(lambda x, y: torch.matmul(x, y.transpose(-1, -2))), (data(rng, [1, b, n, k]), data(rng, [1, b, m, k]))

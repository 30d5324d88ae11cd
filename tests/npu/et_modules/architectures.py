# SPDX-License-Identifier: Apache-2.0
"""Small networks after published ones."""
import torch
import torch.nn.functional as F
from torch import nn

from .draw import Residual, cbr, data, registry, size

MODULES, module = registry()


@module
def residual(rng):
    c = size(rng, 4, 24)
    blocks = [Residual(nn.Sequential(cbr(c, c), nn.Conv2d(c, c, 3, 1, 1))) for _ in range(int(rng.integers(1, 4)))]
    return nn.Sequential(*blocks), (data(rng, [1, c, size(rng, 4, 20), size(rng, 4, 20)]),)


class Squeeze(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.gate = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c, max(1, c // 4), 1), nn.ReLU(),
                                  nn.Conv2d(max(1, c // 4), c, 1), nn.Hardsigmoid())

    def forward(self, x):
        return x * self.gate(x)


def classifier(c, n):
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(c, n)]


@module
def mobilenet(rng):
    c, layers = size(rng, 4, 12), []
    layers.append(cbr(3, c, 3, 2, act=nn.Hardswish if rng.random() < 0.4 else nn.ReLU6))
    for _ in range(int(rng.integers(2, 5))):
        wide, stride = c * int(rng.integers(2, 5)), int(rng.choice([1, 1, 2]))
        body = [cbr(c, wide, 1, act=nn.ReLU6), cbr(wide, wide, 3, stride, wide, nn.ReLU6)]
        body += [Squeeze(wide)] if rng.random() < 0.3 else []
        out = c if stride == 1 else size(rng, 4, 24)
        body = nn.Sequential(*body, nn.Conv2d(wide, out, 1), nn.BatchNorm2d(out))
        layers.append(Residual(body) if stride == 1 else body)
        c = out
    return nn.Sequential(*layers, *classifier(c, size(rng, 2, 20))), (data(rng, [1, 3, 32, 32]),)


@module
def resnet(rng):
    c = size(rng, 8, 16)
    layers = [cbr(3, c), nn.MaxPool2d(3, 2, 1)]
    for _ in range(int(rng.integers(1, 4))):
        layers += [Residual(nn.Sequential(cbr(c, c), nn.Conv2d(c, c, 3, 1, 1), nn.BatchNorm2d(c))), nn.ReLU(),
                   cbr(c, 2 * c, 3, 2)]
        c *= 2
    return nn.Sequential(*layers, *classifier(c, 10)), (data(rng, [1, 3, size(rng, 16, 32), size(rng, 16, 32)]),)


@module
def dscnn(rng):
    c = size(rng, 8, 40)
    layers = [nn.Conv2d(1, c, (10, 4), 2, (4, 1)), nn.ReLU()]
    for _ in range(int(rng.integers(1, 4))):
        layers += [cbr(c, c, 3, 1, c), cbr(c, c, 1)]
    return nn.Sequential(*layers, *classifier(c, 12)), (data(rng, [1, 1, 49, 10]),)


@module
def unet(rng):
    a, c = size(rng, 4, 12), size(rng, 4, 16)

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.middle = cbr(3, a), cbr(a, c)
            self.up = nn.ConvTranspose2d(c, a, 2, 2) if rng.random() < 0.5 else nn.Sequential(
                nn.Upsample(scale_factor=2), nn.Conv2d(c, a, 3, 1, 1))
            self.last = nn.Conv2d(2 * a, 2, 1)

        def forward(self, x):
            skip = self.first(x)
            return self.last(torch.cat([self.up(self.middle(F.max_pool2d(skip, 2, 2))), skip], 1))
    return UNet(), (data(rng, [1, 3, 2 * size(rng, 3, 12), 2 * size(rng, 3, 12)]),)


@module
def temporal(rng):
    c = size(rng, 4, 20)
    blocks = [Residual(nn.Sequential(nn.Conv1d(c, c, 3, 1, d, d), nn.ReLU())) for d in (1, 2, 4)]
    return nn.Sequential(*blocks), (data(rng, [1, c, size(rng, 10, 50)]),)


@module
def mixer(rng):
    n, c = size(rng, 2, 16), size(rng, 4, 24)

    class Mixer(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.n = nn.Linear(n, n), nn.Linear(c, c), nn.LayerNorm(c)

        def forward(self, x):
            x = x + self.a(self.n(x).transpose(1, 2)).transpose(1, 2)
            return x + F.gelu(self.b(x))
    return Mixer(), (data(rng, [1, n, c]),)


@module
def two_heads(rng):
    c = size(rng, 4, 16)

    class Heads(nn.Module):
        def __init__(self):
            super().__init__()
            self.trunk, self.a, self.b = cbr(c, 2 * c), nn.Conv2d(2 * c, 3, 1), nn.Conv2d(2 * c, 5, 3, 2, 1)

        def forward(self, x, y):
            t = self.trunk(x + y)
            return self.a(t), torch.sigmoid(self.b(t))
    shape = [1, c, size(rng, 4, 16), size(rng, 4, 16)]
    return Heads(), (data(rng, shape), data(rng, shape))

# SPDX-License-Identifier: Apache-2.0
"""Whole networks with random weights, in plain PyTorch, small enough that each is exported and run within seconds.
NETWORKS: name -> (module, shape of the input). The shapes of MobileNet, ResNet and U-Net are those of their papers, with
less channels, blocks and pixels."""
import torch
from torch import nn
from torch.nn import functional as F


def conv(inputs, outputs, kernel=3, stride=1, groups=1, activation=nn.ReLU):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers, *([activation()] if activation else []))


class Squeeze(nn.Module):
    """Squeeze and excitation of MobileNetV3."""

    def __init__(self, channels):
        super().__init__()
        self.down, self.up = nn.Conv2d(channels, channels // 4, 1), nn.Conv2d(channels // 4, channels, 1)

    def forward(self, x):
        return x * F.hardsigmoid(self.up(F.relu(self.down(F.adaptive_avg_pool2d(x, 1)))))


class InvertedResidual(nn.Module):
    """The block of MobileNetV2 and V3."""

    def __init__(self, inputs, outputs, stride, expand, activation=nn.ReLU6, squeeze=False):
        super().__init__()
        middle = inputs * expand
        layers = [conv(inputs, middle, 1, activation=activation)] if expand > 1 else []
        layers += [conv(middle, middle, 3, stride, middle, activation)]
        layers += [Squeeze(middle)] if squeeze else []
        self.body = nn.Sequential(*layers, conv(middle, outputs, 1, activation=None))
        self.has_skip = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.body(x) if self.has_skip else self.body(x)


class Residual(nn.Module):
    """The block of ResNet-8 and ResNet-18."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(conv(inputs, outputs, 3, stride), conv(outputs, outputs, activation=None))
        self.skip = conv(inputs, outputs, 1, stride, activation=None) if stride > 1 or inputs != outputs else nn.Identity()

    def forward(self, x):
        return F.relu(self.body(x) + self.skip(x))


class Transformer(nn.Module):
    """Tokens that are given as vectors, two encoder layers, a class."""

    def __init__(self, width=32, heads=2, layers=2):
        super().__init__()
        self.heads = heads
        self.register_buffer("scale", torch.tensor([(width // heads) ** -0.5]))
        self.layers = nn.ModuleList(nn.ModuleDict({
            "norm": nn.LayerNorm(width), "qkv": nn.Linear(width, 3 * width), "out": nn.Linear(width, width),
            "norm2": nn.LayerNorm(width), "up": nn.Linear(width, 2 * width), "down": nn.Linear(2 * width, width)})
            for _ in range(layers))
        self.head = nn.Linear(width, 10)

    def attention(self, layer, x):
        batch, tokens, width = x.shape
        q, k, v = (y.reshape(batch, tokens, self.heads, width // self.heads).transpose(1, 2)
                   for y in layer["qkv"](x).chunk(3, -1))
        scores = torch.softmax(q @ k.transpose(-1, -2) * self.scale, -1)
        return layer["out"]((scores @ v).transpose(1, 2).reshape(batch, tokens, width))

    def forward(self, x):
        for layer in self.layers:
            x = x + self.attention(layer, layer["norm"](x))
            x = x + layer["down"](F.relu(layer["up"](layer["norm2"](x))))  # Vela 5.1.0 compiles GELU here wrong
        return self.head(x.mean(1))


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cell = kind(8, 16, batch_first=True)
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        return self.head(self.cell(x)[0][:, -1])


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = nn.ModuleList([conv(3, width), conv(width, 2 * width), conv(2 * width, 4 * width)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(4 * width, 2 * width, 2, 2), nn.ConvTranspose2d(2 * width, width, 2, 2)])
        self.join = nn.ModuleList([conv(4 * width, 2 * width), conv(2 * width, width)])
        self.head = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        a = self.down[0](x)
        b = self.down[1](F.avg_pool2d(a, 2))  # PyTorch's largest of int8, the reference, takes 127 elements at most
        c = self.down[2](F.avg_pool2d(b, 2))
        b = self.join[0](torch.cat([self.up[0](c), b], 1))
        return self.head(self.join[1](torch.cat([self.up[1](b), a], 1)))


class HalfOnCpu(nn.Module):
    """An angle between two convolutions, which no Ethos-U computes: two delegates, kernels of the processor between."""

    def __init__(self):
        super().__init__()
        self.first, self.second = conv(3, 8, stride=2), conv(8, 8)

    def forward(self, x):
        x = self.first(x)
        x = torch.atan2(x, x.flip(3) + 0.5)
        return F.adaptive_avg_pool2d(self.second(x), 1).flatten(1)


def mobilenet_v2():
    return nn.Sequential(conv(3, 8, stride=2, activation=nn.ReLU6), InvertedResidual(8, 8, 1, 1), InvertedResidual(8, 12, 2, 6),
                         InvertedResidual(12, 12, 1, 6), InvertedResidual(12, 16, 2, 6), InvertedResidual(16, 16, 1, 6),
                         conv(16, 64, 1, activation=nn.ReLU6), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


def mobilenet_v3():
    return nn.Sequential(conv(3, 8, stride=2, activation=nn.Hardswish), InvertedResidual(8, 8, 2, 1, nn.ReLU, True),
                         InvertedResidual(8, 12, 2, 4, nn.ReLU), InvertedResidual(12, 12, 1, 4, nn.Hardswish, True),
                         conv(12, 48, 1, activation=nn.Hardswish), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(48, 32),
                         nn.Hardswish(), nn.Linear(32, 10))


def resnet(blocks):
    layers = [conv(3, 8)]
    for i, stride in enumerate(blocks):
        layers.append(Residual(8 << max(i - 1, 0) if i else 8, 8 << i, stride))
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8 << (len(blocks) - 1), 10))


def resnet18():
    layers = [conv(3, 8, 7, 2), nn.MaxPool2d(3, 2, 1)]
    for inputs, outputs, stride in ((8, 8, 1), (8, 16, 2), (16, 24, 2), (24, 32, 2)):
        layers += [Residual(inputs, outputs, stride), Residual(outputs, outputs, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))


def ds_cnn():
    layers = [nn.Conv2d(1, 16, (10, 4), 2, (4, 1)), nn.BatchNorm2d(16), nn.ReLU()]
    for _ in range(4):
        layers += [conv(16, 16, 3, groups=16), conv(16, 16, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 12))


IMAGE = (1, 3, 32, 32)
NETWORKS = {
    "conv": (lambda: conv(3, 8), (1, 3, 16, 16)),
    "mobilenet_v2": (mobilenet_v2, IMAGE),
    "mobilenet_v3": (mobilenet_v3, IMAGE),
    "resnet8": (lambda: resnet((1, 2, 2)), IMAGE),
    "resnet18": (resnet18, (1, 3, 64, 64)),
    "ds_cnn": (ds_cnn, (1, 1, 49, 10)),
    "transformer": (Transformer, (1, 16, 32)),
    "lstm": (lambda: Recurrent(nn.LSTM), (1, 6, 8)),
    "gru": (lambda: Recurrent(nn.GRU), (1, 6, 8)),
    "unet": (UNet, IMAGE),
    "half_on_cpu": (HalfOnCpu, IMAGE),
}


def network(name):
    """(module, example inputs); the same in every run."""
    make, shape = NETWORKS[name]
    torch.manual_seed(7)
    module = make().eval()
    for layer in module.modules():  # of a network that has seen data
        if isinstance(layer, nn.BatchNorm2d):
            layer.running_mean.normal_(0, 0.2)
            layer.running_var.uniform_(0.5, 1.5)
    return module, (torch.randn(shape),)

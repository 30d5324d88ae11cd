# SPDX-License-Identifier: Apache-2.0
"""Random PyTorch modules for the ExecuTorch corpus: MODULES[name](rng) returns (module, example inputs)."""
import torch
import torch.nn.functional as F
from torch import nn

MODULES = {}


def size(rng, low, high):
    return int(torch.exp(torch.tensor(rng.uniform(0, 1)) * torch.log(torch.tensor((high + 0.99) / low))) * low)


class Call(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *x):
        return self.function(*x)


def module(function):
    MODULES[function.__name__] = function
    return function


def image(rng, c=24, h=20, w=20):
    return [1, size(rng, 1, c), size(rng, 1, h), size(rng, 1, w)]


def any_shape(rng):
    return [[1, size(rng, 1, 60)], [1, size(rng, 1, 12), size(rng, 1, 40)], image(rng)][int(rng.integers(0, 3))]


def data(rng, shape, spread=None):
    return torch.randn(shape) * (spread or rng.uniform(0.3, 3))


def activation(rng):
    return [nn.Identity(), nn.ReLU(), nn.ReLU6(), nn.Hardswish(), nn.SiLU()][int(rng.integers(0, 5))]


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


def two(rng, function):
    shape = any_shape(rng)
    other = [d if rng.random() < 0.75 else 1 for d in shape]
    return Call(function), (data(rng, shape), data(rng, other))


for _name, _function in {
        "add": torch.add, "sub": torch.sub, "mul": torch.mul, "minimum": torch.minimum, "maximum": torch.maximum,
        "add_same": lambda x, y: x + x * y, "where": lambda x, y: torch.where(x > y, x, y),
        "compare": lambda x, y: torch.where(x >= y, x * 0.5, y + 1), "div": lambda x, y: x / (y.abs() + 0.5),
        "equal": lambda x, y: torch.where(x == y, x, -y), "less": lambda x, y: torch.where(x < y, y, x)}.items():
    MODULES[_name] = (lambda f: lambda rng: two(rng, f))(_function)

for _name, _function in {
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
}.items():
    MODULES[_name] = (lambda f: lambda rng: (Call(f), (data(rng, any_shape(rng)),)))(_function)


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


@module
def attention(rng):
    heads = int(rng.choice([1, 2, 4]))
    n, c = size(rng, 2, 16), heads * size(rng, 2, 12)

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.core = nn.MultiheadAttention(c, heads, batch_first=True)

        def forward(self, x):
            return self.core(x, x, x, need_weights=False)[0]
    return Attention(), (data(rng, [1, n, c]),)


@module
def transformer(rng):
    heads = int(rng.choice([1, 2]))
    n, c = size(rng, 2, 12), heads * size(rng, 4, 16)
    layer = nn.TransformerEncoderLayer(c, heads, 2 * c, 0.0, batch_first=True,
                                       activation=str(rng.choice(["relu", "gelu"])))
    return layer, (data(rng, [1, n, c]),)


def recurrent(rng, kind):
    i, h = size(rng, 2, 16), size(rng, 2, 16)

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.core = kind(i, h, batch_first=True, num_layers=int(rng.integers(1, 3)))

        def forward(self, x):
            return self.core(x)[0]
    return Recurrent(), (data(rng, [1, size(rng, 1, 6), i]),)


@module
def lstm(rng):
    return recurrent(rng, nn.LSTM)


@module
def gru(rng):
    return recurrent(rng, nn.GRU)


@module
def rnn(rng):
    return recurrent(rng, nn.RNN)


def cbr(i, o, k=3, s=1, g=1, act=nn.ReLU):
    return nn.Sequential(nn.Conv2d(i, o, k, s, k // 2, groups=g, bias=False), nn.BatchNorm2d(o), act())


class Residual(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return x + self.body(x)


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
            return self.last(torch.cat([self.up(self.middle(F.max_pool2d(skip, 2))), skip], 1))
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

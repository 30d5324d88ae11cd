# SPDX-License-Identifier: Apache-2.0
"""Networks with the shapes of those whose NPU cycles were published; weights drawn at random.

Cycles depend on shapes and on the encoded size of the weights, so a stand-in's error includes a few
per cent that are not the timing model's; where published beats tell the encoded size, weights are drawn for it. NETWORKS[name]() returns the bytes of a .tflite file."""
import numpy as np
from ai_edge_litert import schema_py_generated as s

from tflite_builder import Builder

RELU6, NONE = s.ActivationFunctionType.RELU6, s.ActivationFunctionType.NONE
SCALE = 1 / 32


class Network:
    """Adds layers to a Builder; every activation is int8 (or int16) of the same scale. Shapes: [1, h, w, c]."""

    int16 = False  # activations of all networks from then on

    def __init__(self, zeros=0.0, uniform=False, power=1.0):
        """`zeros`: that part of the weights; `power`: above 1 they are smaller, and encoded in fewer bytes."""
        self.b, self.rng = Builder(), np.random.default_rng(5)
        self.zeros, self.uniform, self.power = zeros, uniform, power

    def shape(self, x):
        return self.b.info[x][0]

    def act(self, shape, scale=SCALE, zero=0):
        return self.b.tensor(shape, "int16", scale / 64) if self.int16 else self.b.tensor(shape, "int8", scale, zero)

    def weights(self, shape, axis, channels):
        """Each channel scaled to its largest weight, as a converter does."""
        w = self.rng.uniform(-1, 1, shape) if self.uniform else self.rng.normal(0, 1, shape)
        w = np.sign(w) * np.abs(w) ** self.power
        w[np.abs(w) < np.quantile(np.abs(w), self.zeros)] = 0
        others = tuple(i for i in range(len(shape)) if i != axis)
        data = np.round(127 * w / np.maximum(np.abs(w).max(axis=others, keepdims=True), 1e-6))
        scale = np.full(channels, np.float32(1 / np.sqrt(np.prod(shape) / channels) / 64))
        bias = self.b.tensor([channels], "int64" if self.int16 else "int32", scale * np.float32(SCALE / (64 if self.int16 else 1)), 0,
                             self.rng.integers(-999, 999, channels))
        return self.b.tensor(shape, "int8", scale, 0, data, axis), bias

    def own_scale(self):
        """Of tensors in the order of their making: no two are the same, as after training."""
        return SCALE * (1 + len(self.b.info) / 256)

    def spatial(self, x, stride):
        _, h, w, c = self.shape(x)
        return -(-h // stride[0]), -(-w // stride[1]), c

    def conv(self, x, channels, taps=(1, 1), stride=(1, 1), act=RELU6, valid=False):
        h, w, c = self.spatial(x, stride)
        h, w = (h - taps[0] + 1, w - taps[1] + 1) if valid else (h, w)
        y = self.act([1, h, w, channels])
        self.b.op("CONV_2D", [x, *self.weights([channels, *taps, c], 0, channels)], [y], "Conv2DOptions", 3,
                  padding=int(valid), strideH=stride[0], strideW=stride[1], dilationHFactor=1, dilationWFactor=1,
                  fusedActivationFunction=act)
        return y

    def depthwise(self, x, taps=3, stride=1, act=RELU6):
        h, w, c = self.spatial(x, (stride, stride))
        y = self.act([1, h, w, c])
        self.b.op("DEPTHWISE_CONV_2D", [x, *self.weights([1, taps, taps, c], 3, c)], [y], "DepthwiseConv2DOptions", 3,
                  padding=0, strideH=stride, strideW=stride, depthMultiplier=1, dilationHFactor=1, dilationWFactor=1,
                  fusedActivationFunction=act)
        return y

    def pool(self, name, x, taps, padding=0):
        _, h, w, c = self.shape(x)
        y = self.b.tensor([1, 1, 1, c] if padding else [1, h, w, c], *self.b.info[x][1:])
        self.b.op(name, [x], [y], "Pool2DOptions", 2, padding=padding, strideH=1, strideW=1, filterHeight=taps[0],
                  filterWidth=taps[1], fusedActivationFunction=NONE)
        return y

    def dense(self, x, channels):
        n = self.shape(x)[-1]
        y = self.act([1, channels], self.own_scale())
        scale = float(np.float32(1 / np.sqrt(n) / 64))
        data = np.round(self.rng.uniform(-127, 127, [channels, n]))
        w = self.b.tensor([channels, n], "int8", scale, 0, data)
        bias = self.b.tensor([channels], "int32", scale * SCALE, 0, self.rng.integers(-999, 999, channels))
        self.b.op("FULLY_CONNECTED", [x, w, bias], [y], "FullyConnectedOptions", 4, fusedActivationFunction=NONE)
        return y

    def pair(self, name, a, b, options=None, act=NONE, scale=None):
        y = self.act(self.shape(a), scale or self.own_scale(), -128 if act == s.ActivationFunctionType.RELU else 0)
        self.b.op(name, [a, b], [y], options or name.title() + "Options", 2, fusedActivationFunction=act)
        return y

    def table(self, name, x, options=None):
        y = self.act(self.shape(x), 1 / 128 if name == "TANH" else 1 / 256, 0 if name == "TANH" else -128)
        self.b.op(name, [x], [y], options, 2)
        return y

    def concat(self, parts, like=None):
        """A converter brings the parts to one scale first, that of the tensor `like`."""
        scale = SCALE if like is None else self.b.info[like][2]
        parts = [self.rescaled(p, scale) for p in parts]
        y = self.act(self.shape(parts[0])[:-1] + [sum(self.shape(p)[-1] for p in parts)], scale)
        self.b.op("CONCATENATION", parts, [y], "ConcatenationOptions", 2, axis=len(self.shape(y)) - 1,
                  fusedActivationFunction=NONE)
        return y

    def rescaled(self, x, scale=SCALE):
        if self.b.info[x][2:] == (scale, 0):
            return x
        y = self.act(self.shape(x), scale)
        self.b.op("QUANTIZE", [x], [y], "QuantizeOptions", 1)
        return y

    def flat(self, x):
        return self.reshape(x, [1, self.shape(x)[-1]])

    def reshape(self, x, shape):
        y = self.b.tensor(shape, *self.b.info[x][1:])
        self.b.op("RESHAPE", [x, self.b.tensor([len(shape)], "int32", data=shape)], [y], "ReshapeOptions", 1,
                  newShape=shape)
        return y

    def finish(self, inputs, outputs):
        return self.b.finish(inputs, outputs)


def single(kind, h, w):
    """One operation with 128 channels in and out."""
    n = Network(uniform=True)
    x = n.act([1, h, w, 128])
    y = n.depthwise(x, 3, act=NONE) if kind == "dw3x3" else \
        n.conv(x, 128, (1, 1) if kind == "conv1x1" else (3, 3), act=NONE)
    return n.finish([x], [y])


def row_conv():
    """The 1x7 convolution of wav2letter."""
    n = Network(zeros=0.5)
    x = n.act([1, 1, 148, 250])
    return n.finish([x], [n.conv(x, 250, (1, 7))])


def wav2letter():
    n = Network(zeros=0.5)
    x = n.act([1, 1, 296, 39])
    y = n.conv(x, 250, (1, 48), (1, 2))
    for _ in range(7):
        y = n.conv(y, 250, (1, 7))
    y = n.conv(n.conv(n.conv(y, 2000, (1, 32)), 2000), 29, act=NONE)
    out = n.act(n.shape(y), 1 / 256, -128)
    n.b.op("SOFTMAX", [y], [out], "SoftmaxOptions", 2, beta=1.0)
    return n.finish([x], [out])


def inverted(n, x, wide, narrow, stride=1, scale=None):
    """Inverted bottleneck; with a residual, of that scale, where shapes allow."""
    y = n.conv(x, wide) if wide != n.shape(x)[-1] else x
    y = n.conv(n.depthwise(y, 3, stride), narrow, act=NONE)
    return n.pair("ADD", x, y, scale=scale) if n.shape(x) == n.shape(y) else y


def mobilenet_v2():
    n = Network()
    x = n.act([1, 224, 224, 3])
    y = inverted(n, n.conv(x, 32, (3, 3), (2, 2)), 32, 16)
    for channels, times, stride in (24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2), (320, 1, 1):
        for i in range(times):
            y = inverted(n, y, 6 * n.shape(y)[-1], channels, 1 if i else stride)
    y = n.conv(n.pool("AVERAGE_POOL_2D", n.conv(y, 1280), (7, 7), 1), 1000, act=NONE)
    y = n.reshape(y, [1, 1000])
    out = n.act([1, 1000], 1 / 256, -128)
    n.b.op("SOFTMAX", [y], [out], "SoftmaxOptions", 2, beta=1.0)
    return n.finish([x], [out])


def kws_micronet_m():
    n = Network(power=1.1)
    x = n.act([1, 49, 10, 1])
    y = n.conv(x, 140, (10, 4))
    for channels, stride in (140, 2), (140, 1), (140, 1), (112, 1), (196, 1):
        y = n.conv(n.depthwise(y, 3, stride), channels)
    y = n.conv(n.pool("AVERAGE_POOL_2D", y, (25, 5), 1), 12, act=NONE)
    return n.finish([x], [n.reshape(y, [1, 12])])


def ad_medium():
    """MicroNet AD-M (Banbury et al., MicroNets, table 5)."""
    n = Network(uniform=True)
    x = n.act([1, 32, 32, 1])
    y = n.conv(x, 192, (3, 3))
    for stride in 2, 1, 1, 2, 2:
        y = n.conv(n.depthwise(y, 3, stride), 276)
    y = n.conv(n.pool("AVERAGE_POOL_2D", y, (4, 4), 1), 8, act=NONE)
    return n.finish([x], [n.reshape(y, [1, 8])])


def padded(n, x, channels):
    """Zero channels at the end."""
    c = n.shape(x)[-1]
    if c == channels:
        return x
    y = n.act(n.shape(x)[:-1] + [channels])
    n.b.op("PAD", [x, n.b.tensor([4, 2], "int32", data=[0, 0, 0, 0, 0, 0, 0, channels - c])], [y], "PadOptions", 2)
    return y


def vww4():
    """MicroNet VWW-4; a residual is as wide as the wider of both sides."""
    n = Network(uniform=True, power=1.4)
    x = n.act([1, 128, 128, 1])
    y = n.conv(x, 8, (3, 3), (2, 2))
    for wide, narrow, stride, residual in (
            (4, 4, 1, 0), (8, 12, 2, 0), (14, 16, 1, 1), (28, 32, 2, 0), (96, 28, 1, 1), (96, 28, 1, 1), (152, 44, 2, 0),
            (268, 40, 1, 1), (268, 52, 1, 1), (268, 44, 1, 1), (192, 68, 1, 0), (172, 68, 1, 1), (172, 48, 1, 1),
            (288, 16, 2, 0), (96, 16, 1, 1), (96, 32, 1, 1), (96, 32, 1, 0)):
        z = n.conv(n.depthwise(n.conv(y, wide), 3, stride), narrow, act=NONE)
        width = max(n.shape(y)[-1], narrow)
        y = n.pair("ADD", padded(n, y, width), padded(n, z, width)) if residual else z
    y = n.conv(n.pool("AVERAGE_POOL_2D", n.conv(y, 128), (4, 4), 1), 2, act=NONE)
    return n.finish([x], [n.reshape(y, [1, 2])])


def split(n, x, parts):
    axis = n.b.tensor([], "int32", data=np.array(1))
    out = [n.b.tensor([1, n.shape(x)[-1] // parts], *n.b.info[x][1:]) for _ in range(parts)]
    n.b.op("SPLIT", [axis, x], out, "SplitOptions", 2, numSplits=parts)
    return out


def gru(n, x, state, units, relu):
    """A gated recurrent unit, reset applied after the product, with one step of time, which is taken from the axis of time."""
    now = n.b.tensor([1, n.shape(x)[-1]], *n.b.info[x][1:])
    n.b.op("UNPACK", [x], [now], "UnpackOptions", 2, axis=1, num=1)
    a, b = split(n, n.dense(now, 3 * units), 3), split(n, n.dense(state, 3 * units), 3)
    z = n.table("LOGISTIC", n.pair("ADD", a[0], b[0]))
    r = n.table("LOGISTIC", n.pair("ADD", a[1], b[1]))
    h = n.pair("MUL", r, b[2])
    h = n.pair("ADD", a[2], h, act=s.ActivationFunctionType.RELU) if relu else n.table("TANH", n.pair("ADD", a[2], h))
    one = n.b.tensor([1], "int8", 1 / 127, 0, [127])
    y = n.pair("ADD", n.pair("MUL", z, state), n.pair("MUL", n.pair("SUB", z, one), h))
    packed = n.b.tensor([1, 1, units], *n.b.info[y][1:])
    n.b.op("PACK", [y], [packed], "PackOptions", 2, axis=1, valuesCount=1)
    return packed


def rnnoise():
    """Order, widths and copies as in the command stream of a published compilation; every table's input has a scale of its own there."""
    n = Network()
    x, states = n.act([1, 1, 42], 1 / 16), [n.act([1, c]) for c in (24, 48, 96)]
    first = n.table("TANH", n.reshape(n.dense(n.flat(x), 24), [1, 1, 24]))
    vad = gru(n, first, states[0], 24, False)
    noise = gru(n, n.concat([first, vad, x], like=x), states[1], 48, True)
    denoise = gru(n, n.concat([vad, noise, x], like=x), states[2], 96, False)
    out = [n.reshape(n.table("LOGISTIC", n.dense(n.flat(y), c)), [1, 1, c]) for y, c in ((denoise, 22), (vad, 1))]
    return n.finish([x, *states], [denoise, out[0], noise, vad, out[1]])


def yolo_fastest_face():
    """Face detector with a 192x192 input: bottlenecks, pyramid pooling, two heads; as in the command stream of a published compilation."""
    n = Network(power=1.05)
    x = n.act([1, 192, 192, 1])
    y = n.conv(x, 8, (3, 3), (2, 2))
    y = n.conv(n.depthwise(n.conv(y, 8)), 4, act=NONE)
    for wide, narrow, stride, times in ((8, 4, 1, 1), (24, 8, 2, 1), (32, 8, 1, 2), (32, 8, 2, 1), (48, 8, 1, 2),
                                        (48, 16, 1, 1), (96, 16, 1, 4), (96, 24, 2, 1), (136, 24, 1, 4)):
        for _ in range(times):
            y = inverted(n, y, wide, narrow, stride, SCALE if narrow == 24 else None)
    side = y
    y = inverted(n, y, 136, 48, 2)
    for _ in range(5):
        y = inverted(n, y, 224, 48)
    y = n.conv(n.concat([n.pool("MAX_POOL_2D", y, (t, t)) for t in (9, 5, 3)] + [y], like=y), 96, act=NONE)
    up = n.act([1, 12, 12, 96])
    n.b.op("RESIZE_NEAREST_NEIGHBOR", [y, n.b.tensor([2], "int32", data=[12, 12])], [up],
           "ResizeNearestNeighborOptions", 2)
    heads = []
    for branch in y, n.concat([up, side]):
        for _ in range(2):
            branch = n.conv(n.depthwise(branch, 5), n.shape(branch)[-1], act=NONE)
        heads.append(n.conv(branch, 18, act=NONE))
    return n.finish([x], heads)


NETWORKS = {f.__name__: f for f in (row_conv, kws_micronet_m, ad_medium, vww4, rnnoise, yolo_fastest_face, mobilenet_v2, wav2letter)}
for _shape in (1, 36), (2, 18), (4, 9), (6, 6), (9, 4), (18, 2), (12, 3), (1, 64), (4, 16), (1, 256), (8, 32):
    for _kind in "conv1x1", "conv3x3", "dw3x3":
        NETWORKS["%s_%dx%d" % (_kind, *_shape)] = lambda k=_kind, hw=_shape: single(k, *hw)

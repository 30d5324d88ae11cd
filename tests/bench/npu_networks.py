# SPDX-License-Identifier: Apache-2.0
"""Networks for the comparison with XNNPACK: shapes of well-known ones, int8, weights drawn at random.

SEEN was looked at while the NPU's kernels were made faster, UNSEEN (chosen by name beforehand) was only run for the table.
ds_cnn, resnet50 and unet were unseen at first: their operations have been looked at since. lstm came later to the first half, mobilenet_v3 and gru_cell to the second."""
import os
import sys

import numpy as np

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "npu"), os.path.join(TESTS, "python")]
from ai_edge_litert import schema_py_generated as s  # noqa: E402

from timing_networks import NONE, SCALE, Network, gru, inverted, kws_micronet_m, mobilenet_v2, rnnoise  # noqa: E402
from tiny_networks import anomaly_detection, image_classification, keyword_spotting, visual_wake_words  # noqa: E402

RELU = s.ActivationFunctionType.RELU


def head(n, x, classes):
    """Global average and a fully connected layer."""
    _, h, w, c = n.shape(x)
    y = n.reshape(n.pool("AVERAGE_POOL_2D", x, (h, w), 1), [1, c])
    return n.dense(y, classes)


def residual(n, x, channels, stride):
    y = n.conv(n.conv(x, channels, (3, 3), (stride, stride), RELU), channels, (3, 3), act=NONE)
    side = x if n.shape(x) == n.shape(y) else n.conv(x, channels, (1, 1), (stride, stride), NONE)
    return n.rescaled(n.pair("ADD", side, y))


def basic_resnet(side, taps, stride, blocks, classes):
    """Blocks of two convolutions, (channels, stride) each; the first convolution has the first block's channels."""
    n = Network()
    x = n.act([1, side, side, 3])
    y = n.conv(x, blocks[0][0], (taps, taps), (stride, stride), RELU)
    for block in blocks:
        y = residual(n, y, *block)
    return n.finish([x], [head(n, y, classes)])


def resnet18():
    return basic_resnet(112, 7, 2, [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)], 1000)


def resnet50():
    n = Network()
    x = n.act([1, 224, 224, 3])
    y = n.conv(x, 64, (7, 7), (2, 2), RELU)
    for narrow, times, stride in (64, 3, 2), (128, 4, 2), (256, 6, 2), (512, 3, 2):
        for i in range(times):
            step = (1, 1) if i else (stride, stride)
            z = n.conv(n.conv(n.conv(y, narrow, act=RELU), narrow, (3, 3), step, RELU), 4 * narrow, act=NONE)
            side = y if i else n.conv(y, 4 * narrow, (1, 1), step, NONE)
            y = n.rescaled(n.pair("ADD", side, z))
    return n.finish([x], [head(n, y, 1000)])


def efficientnet_lite0():
    n = Network()
    x = n.act([1, 224, 224, 3])
    y = inverted(n, n.conv(x, 32, (3, 3), (2, 2)), 32, 16)
    for channels, times, stride, taps in (24, 2, 2, 3), (40, 2, 2, 5), (80, 3, 2, 3), (112, 3, 1, 5), (192, 4, 2, 5), (320, 1, 1, 3):
        for i in range(times):
            z = n.conv(n.depthwise(n.conv(y, 6 * n.shape(y)[-1]), taps, 1 if i else stride), channels, act=NONE)
            y = n.rescaled(n.pair("ADD", y, z)) if i else z
    return n.finish([x], [head(n, n.conv(y, 1280), 1000)])


def scaled(n, x, scale, zero=0):
    y = n.act(n.shape(x), scale, zero)
    n.b.op("QUANTIZE", [x], [y], "QuantizeOptions", 1)
    return y


def heads_of(n, x, heads):
    """[1, sequence, width] as [heads, sequence, width / heads]."""
    _, length, width = n.shape(x)
    y = n.reshape(x, [length, heads, width // heads])
    out = n.act([heads, length, width // heads])
    n.b.op("TRANSPOSE", [y, n.b.tensor([3], "int32", data=[1, 0, 2])], [out], "TransposeOptions", 2)
    return out


def matmul(n, a, b, transposed):
    (heads, rows, _), shape = n.shape(a), n.shape(b)
    y = n.act([heads, rows, shape[1] if transposed else shape[2]])
    n.b.op("BATCH_MATMUL", [a, b], [y], "BatchMatMulOptions", 2, adjX=False, adjY=transposed)
    return y


def linear(n, x, width, act=NONE):
    """A fully connected layer at each place of a sequence."""
    _, length, c = n.shape(x)
    y = n.conv(n.reshape(x, [1, 1, length, c]), width, act=act)
    return n.reshape(y, [1, length, width])


def attention(n, x, heads):
    _, length, width = n.shape(x)
    q, k, v = (heads_of(n, linear(n, x, width), heads) for _ in range(3))
    p = n.act([heads, length, length], 1 / 256, -128)
    n.b.op("SOFTMAX", [matmul(n, q, k, True)], [p], "SoftmaxOptions", 2, beta=1.0)
    y = matmul(n, p, v, False)
    out = n.act([length, heads, width // heads])
    n.b.op("TRANSPOSE", [y, n.b.tensor([3], "int32", data=[1, 0, 2])], [out], "TransposeOptions", 2)
    return linear(n, n.reshape(out, [1, length, width]), width)


def transformer():
    """Attention and a feed-forward part: 64 places of 128 values, four heads."""
    n = Network()
    x = n.act([1, 64, 128])
    y = n.rescaled(n.pair("ADD", x, attention(n, x, 4)))
    z = linear(n, linear(n, y, 512, RELU), 128)
    return n.finish([x], [n.pair("ADD", y, z)])


def unet():
    n = Network()
    x = n.act([1, 64, 64, 3])
    y, sides = x, []
    for channels in 16, 32, 64:
        y = n.conv(n.conv(y, channels, (3, 3), act=RELU), channels, (3, 3), act=RELU)
        sides.append(y)
        y = n.conv(y, channels, (3, 3), (2, 2), RELU)
    for side in reversed(sides):
        _, h, w, c = n.shape(side)
        up = n.act([1, h, w, n.shape(y)[-1]])
        n.b.op("RESIZE_NEAREST_NEIGHBOR", [y, n.b.tensor([2], "int32", data=[h, w])], [up], "ResizeNearestNeighborOptions", 2)
        y = n.conv(n.concat([up, side]), c, (3, 3), act=RELU)
    return n.finish([x], [n.conv(y, 4, act=NONE)])


def hard(n, x, name):
    """hard-swish, or hard-sigmoid as a converter leaves it: (x + 3) within 0 and 6, times 1/6."""
    if name == "swish":
        y = n.act(n.shape(x))
        n.b.op("HARD_SWISH", [x], [y], "HardSwishOptions", 1)
        return y
    three = n.b.tensor([1], "int8", 3 / 127, 0, [127])
    y = n.act(n.shape(x), 6 / 255, -128)
    n.b.op("ADD", [x, three], [y], "AddOptions", 2, fusedActivationFunction=s.ActivationFunctionType.RELU6)
    out = n.act(n.shape(x), 1 / 255, -128)
    n.b.op("MUL", [y, n.b.tensor([1], "int8", 1 / 6 / 127, 0, [127])], [out], "MulOptions", 2, fusedActivationFunction=NONE)
    return out


def squeezed(n, x):
    """Each channel times what a small network makes of all their averages."""
    _, h, w, c = n.shape(x)
    narrow = (c // 4 + 4) // 8 * 8
    y = n.conv(n.conv(n.pool("AVERAGE_POOL_2D", x, (h, w), 1), narrow, act=RELU), c, act=NONE)
    out = n.act(n.shape(x))
    n.b.op("MUL", [x, hard(n, y, "sigmoid")], [out], "MulOptions", 2, fusedActivationFunction=NONE)
    return out


def mobilenet_v3():
    """MobileNetV3-Large."""
    n = Network()
    x = n.act([1, 224, 224, 3])
    y = hard(n, n.conv(x, 16, (3, 3), (2, 2), NONE), "swish")
    for taps, wide, channels, squeezes, swish, stride in (
            (3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2), (5, 120, 40, 1, 0, 1),
            (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2), (3, 200, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1),
            (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1), (5, 672, 160, 1, 1, 2), (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1)):
        act = NONE if swish else RELU
        z = n.conv(y, wide, act=act) if wide != n.shape(y)[-1] else y
        z = n.depthwise(hard(n, z, "swish") if swish else z, taps, stride, act)
        z = hard(n, z, "swish") if swish else z
        z = n.conv(squeezed(n, z) if squeezes else z, channels, act=NONE)
        y = n.rescaled(n.pair("ADD", y, z)) if n.shape(y) == n.shape(z) else z
    y = hard(n, n.conv(y, 960, act=NONE), "swish")
    y = hard(n, n.conv(n.pool("AVERAGE_POOL_2D", y, (7, 7), 1), 1280, act=NONE), "swish")
    return n.finish([x], [n.reshape(n.conv(y, 1000, act=NONE), [1, 1000])])


def lstm(steps=49, inputs=40, units=64):
    """A recurrent layer over a second of speech, of its last step a layer of 12 classes."""
    n = Network()
    x = n.act([1, steps, inputs])
    of_input, of_state = ([n.b.tensor([units, c], "int8", 1 / 256, 0, np.clip(n.rng.normal(0, 40, (units, c)), -127, 127).round())
                           for _ in range(4)] for c in (inputs, units))
    hidden = n.act([1, units], 1 / 128)
    n.b.graph.tensors[hidden].isVariable = True
    cell = n.b.tensor([1, units], "int16", 2.0 ** -11, 0, variable=True)
    wide = "int64" if n.int16 else "int32"
    bias = [n.b.tensor([units], wide, n.b.info[x][2] / 256, 0, n.rng.integers(-999, 999, units)) for _ in range(4)]
    y = n.act([1, steps, units], 1 / 128)
    between = [n.b.tensor([0], "int16", 2.0 ** -12, 0) for _ in range(4)] + [n.act([0], 1 / 128)]
    n.b.op("UNIDIRECTIONAL_SEQUENCE_LSTM", [x, *of_input, *of_state, *3 * [-1], *bias, *2 * [-1], hidden, cell, *4 * [-1]], [y],
           "UnidirectionalSequenceLSTMOptions", 4, intermediates=between, fusedActivationFunction=4, cellClip=0.0, projClip=0.0,
           timeMajor=False)
    last = n.act([1, 1, units], 1 / 128)
    n.b.op("STRIDED_SLICE", [y, *(n.b.tensor([3], "int32", data=d) for d in ([0, steps - 1, 0], [1, steps, units], [1, 1, 1]))],
           [last], "StridedSliceOptions", 2, beginMask=0, endMask=0, shrinkAxisMask=0)
    return n.finish([x], [n.dense(last, 12)])


def gru_cell():
    """One step of a gated recurrent unit of 128 values."""
    n = Network()
    x, state = n.act([1, 1, 40], 1 / 16), n.act([1, 128])
    return n.finish([x, state], [gru(n, x, state, 128, False)])


def one_scale(make):
    """The network with the same scale everywhere: XNNPACK refuses a SPLIT whose parts have others than the whole."""
    def made():
        own, Network.own_scale = Network.own_scale, lambda n: SCALE
        try:
            return make()
        finally:
            Network.own_scale = own
    return made


SEEN = {"vww": visual_wake_words, "resnet8": image_classification, "mobilenet_v2": mobilenet_v2, "transformer": transformer,
        "autoencoder": anomaly_detection, "rnnoise": one_scale(rnnoise), "ds_cnn": keyword_spotting, "resnet50": resnet50, "unet": unet, "lstm": lstm}
UNSEEN = {f.__name__: f for f in (resnet18, efficientnet_lite0, kws_micronet_m, mobilenet_v3)}
UNSEEN["gru_cell"] = one_scale(gru_cell)

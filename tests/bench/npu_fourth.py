# SPDX-License-Identifier: Apache-2.0
"""Twenty networks more for the comparison with XNNPACK (npu_xnnpack.py --fourth), which were only run: no kernel was looked at with them.
Shapes after well-known ones, weights drawn at random."""
from npu_layers import added, doubled, grouped, row_depthwise, separable, softmax, transposed
from npu_networks import NONE, RELU, Network, attention, hard, head, linear, lstm, residual
from npu_shapes import gelu, max_pool, normalised


def bert_tiny():
    """Two blocks of an encoder: 128 places of 128 values, two heads."""
    n = Network()
    x = n.act([1, 128, 128])
    y = x
    for _ in range(2):
        y = normalised(n, n.pair("ADD", y, attention(n, y, 2)))
        y = normalised(n, n.pair("ADD", y, linear(n, gelu(n, linear(n, y, 512)), 128)))
    return n.finish([x], [y])


def bifpn():
    """One layer of EfficientDet's pyramid: four maps of 64 channels, down and up again."""
    n = Network()
    maps = [n.act([1, side, side, 64]) for side in (32, 16, 8, 4)]
    down = [maps[3]]
    for m in maps[2::-1]:
        down.append(separable(n, n.rescaled(n.pair("ADD", m, doubled(n, down[-1]))), 64))
    up = [down[3]]
    for m, side in zip(maps[1:], down[2::-1]):
        both = n.rescaled(n.pair("ADD", m, side))
        up.append(separable(n, n.rescaled(n.pair("ADD", both, max_pool(n, up[-1], 2, 2))), 64))
    return n.finish(maps, up)


def conformer():
    """A block for speech: 100 frames of 144 values, attention, and a depthwise of 31 frames."""
    n = Network()
    x = n.act([1, 100, 144])
    y = n.pair("ADD", x, linear(n, n.table("LOGISTIC", linear(n, normalised(n, x), 576)), 144))
    y = n.pair("ADD", y, attention(n, normalised(n, y), 4))
    z = n.reshape(normalised(n, y), [1, 1, 100, 144])
    gated = n.pair("MUL", n.conv(z, 144, act=NONE), n.table("LOGISTIC", n.conv(z, 144, act=NONE)))
    z = n.conv(hard(n, row_depthwise(n, gated, 31), "swish"), 144, act=NONE)
    return n.finish([x], [normalised(n, n.pair("ADD", y, n.reshape(z, [1, 100, 144])))])


def dcgan():
    """A picture of 32x32 pixels out of 100 values."""
    n = Network()
    x = n.act([1, 100])
    y = n.reshape(n.dense(x, 4 * 4 * 128), [1, 4, 4, 128])
    for channels in 64, 32, 16:
        y = transposed(n, y, channels, act=RELU)
    return n.finish([x], [n.table("TANH", n.conv(y, 3, (5, 5), act=NONE))])


def deep_autoencoder():
    n = Network()
    x = n.act([1, 640])
    y = x
    for width in 512, 256, 64, 16, 64, 256, 512, 640:
        y = n.rescaled(n.dense(y, width))
    return n.finish([x], [y])


def ecg_residual():
    """Twelve leads of 1000 samples: residual blocks of nine taps."""
    n = Network()
    x = n.act([1, 1, 1000, 12])
    y = n.conv(x, 32, (1, 15), (1, 2), RELU)
    for channels in 32, 64, 96, 128:
        z = n.conv(n.conv(y, channels, (1, 9), (1, 2), RELU), channels, (1, 9), act=NONE)
        y = n.rescaled(n.pair("ADD", n.conv(y, channels, (1, 1), (1, 2), NONE), z))
    return n.finish([x], [n.conv(y, 27, act=NONE)])


def emotions():
    """A face of 48x48 pixels: pairs of 3x3, 7 classes."""
    n = Network()
    x = n.act([1, 48, 48, 1])
    y = x
    for channels in 64, 128, 256:
        y = max_pool(n, n.conv(n.conv(y, channels, (3, 3), act=RELU), channels, (3, 3), act=RELU), 2, 2)
    return n.finish([x], [softmax(n, n.dense(n.rescaled(n.dense(n.reshape(y, [1, 36 * 256]), 128)), 7))])


def fomo():
    """Places of objects in 96x96 pixels by MobileNetV2's first blocks."""
    n = Network()
    x = n.act([1, 96, 96, 3])
    y = n.conv(n.depthwise(n.conv(x, 16, (3, 3), (2, 2)), 3, 1), 8, act=NONE)
    for channels, stride in (8, 2), (8, 1), (16, 2), (16, 1):
        y = added(n, y, n.conv(n.depthwise(n.conv(y, 6 * n.shape(y)[-1]), 3, stride), channels, act=NONE))
    return n.finish([x], [softmax(n, n.conv(n.conv(y, 32, act=RELU), 3, act=NONE))])


def gated_mlp():
    """Two blocks of 64 places: a gate and a value of 256, no attention."""
    n = Network()
    x = n.act([1, 64, 128])
    y = x
    for _ in range(2):
        z = normalised(n, y)
        gated = n.pair("MUL", n.table("LOGISTIC", linear(n, z, 256)), linear(n, z, 256))
        y = n.pair("ADD", y, linear(n, gated, 128))
    return n.finish([x], [y])


def lstm_wide():
    return lstm(30, 64, 128)


def m5():
    """Words out of 4000 samples: 80 taps, then three."""
    n = Network()
    x = n.act([1, 1, 4000, 1])
    y = n.conv(x, 32, (1, 80), (1, 4), RELU)
    for channels in 32, 64, 128:
        y = n.conv(y, channels, (1, 3), (1, 3), act=RELU)
    return n.finish([x], [n.conv(y, 35, act=NONE)])


def mcunet():
    """A network found for microcontrollers: depthwises of 3x3 to 7x7 on 144x144 pixels."""
    n = Network()
    x = n.act([1, 144, 144, 3])
    y = n.conv(n.depthwise(n.conv(x, 16, (3, 3), (2, 2)), 3, 1), 8, act=NONE)
    for wide, channels, taps, stride in ((3, 16, 7, 2), (6, 16, 3, 1), (4, 24, 7, 2), (5, 24, 5, 1), (3, 40, 7, 2), (6, 40, 7, 1), (5, 48, 5, 1),
                                         (4, 96, 5, 2), (4, 96, 7, 1), (5, 160, 3, 1)):
        y = added(n, y, n.conv(n.depthwise(n.conv(y, wide * n.shape(y)[-1]), taps, stride), channels, act=NONE))
    return n.finish([x], [head(n, y, 2)])


def mobilenet_v2_of(side, part):
    def channels_of(c):
        return max(8, int(c * part + 4) // 8 * 8)

    n = Network()
    x = n.act([1, side, side, 3])
    y = n.conv(x, channels_of(32), (3, 3), (2, 2))
    for wide, channels, times, stride in (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1):
        for i in range(times):
            z = n.conv(y, wide * n.shape(y)[-1]) if wide > 1 else y
            y = added(n, y, n.conv(n.depthwise(z, 3, 1 if i else stride), channels_of(channels), act=NONE))
    return n.finish([x], [head(n, n.conv(y, 1280), 10)])


def mobilenet_v2_narrow():
    return mobilenet_v2_of(96, 0.35)


def mobilenet_v2_wide():
    return mobilenet_v2_of(160, 1.4)


def resnet34():
    n = Network()
    x = n.act([1, 128, 128, 3])
    y = max_pool(n, n.conv(x, 64, (7, 7), (2, 2), RELU), 2, 2)
    for channels, times, stride in (64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2):
        for i in range(times):
            y = residual(n, y, channels, 1 if i else stride)
    return n.finish([x], [head(n, y, 200)])


def segmenter():
    """Two classes for each of 128x128 pixels: branches side by side, 5x5 depthwises, scores enlarged."""
    n = Network()
    x = n.act([1, 128, 128, 3])
    y = n.conv(x, 16, (3, 3), (2, 2), RELU)
    for channels in 32, 64:
        narrow = n.conv(y, channels // 4, act=RELU)
        y = n.concat([n.conv(narrow, channels // 4, (3, 3), (2, 2), RELU) for _ in range(4)])
    for _ in range(3):
        y = added(n, y, n.conv(n.depthwise(n.conv(y, 96), 5, 1), 64, act=NONE))
    return n.finish([x], [doubled(n, doubled(n, n.conv(y, 2, act=NONE), True), True)])


def shufflenet_v1():
    """Units of 1x1, 3x3 in groups of 8, depthwise and 1x1."""
    n = Network()
    x = n.act([1, 56, 56, 24])
    y = x
    for channels, stride in (240, 2), (240, 1), (480, 2), (480, 1):
        z = grouped(n, n.conv(y, channels // 4 // 8 * 8, act=RELU), 8, 1)
        y = added(n, y, n.conv(n.depthwise(z, 3, stride, NONE), channels, act=NONE))
    return n.finish([x], [head(n, y, 100)])


def steps_of_motion():
    """Six activities out of 128 samples of nine sensors."""
    n = Network()
    x = n.act([1, 1, 128, 9])
    y = x
    for channels in 32, 64, 64:
        y = n.conv(n.conv(y, channels, (1, 5), act=RELU), channels, (1, 5), (1, 2), RELU)
    return n.finish([x], [head(n, y, 6)])


def wavenet():
    """Six gated layers of two taps along 256 samples, residual and skipped sums."""
    n = Network()
    x = n.act([1, 1, 256, 32])
    y, skip = x, None
    for _ in range(6):
        z = n.pair("MUL", n.table("TANH", n.conv(y, 32, (1, 2), act=NONE)), n.table("LOGISTIC", n.conv(y, 32, (1, 2), act=NONE)))
        side = n.conv(z, 32, act=NONE)
        skip = side if skip is None else n.rescaled(n.pair("ADD", skip, side))
        y = n.rescaled(n.pair("ADD", y, n.conv(z, 32, act=NONE)))
    return n.finish([x], [n.conv(n.conv(skip, 64, act=RELU), 256, act=NONE)])


def window_attention():
    """Swin's block on one window: 49 places of 96 values, three heads."""
    n = Network()
    x = n.act([1, 49, 96])
    y = n.pair("ADD", x, attention(n, x, 3))
    return n.finish([x], [n.pair("ADD", y, linear(n, gelu(n, linear(n, y, 384)), 96))])


def yamnet():
    """Sounds out of 96 frames of 64 bands: MobileNetV1's layers, 521 classes."""
    n = Network()
    x = n.act([1, 96, 64, 1])
    y = n.conv(x, 32, (3, 3), (2, 2), RELU)
    for channels, stride in (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (1024, 2), (1024, 1):
        y = n.conv(n.depthwise(y, 3, stride, RELU), channels, act=RELU)
    return n.finish([x], [n.table("LOGISTIC", head(n, y, 521))])


SEEN = {}
UNSEEN = {f.__name__: f for f in (
    bert_tiny, bifpn, conformer, dcgan, deep_autoencoder, ecg_residual, emotions, fomo, gated_mlp, lstm_wide, m5, mcunet, mobilenet_v2_narrow,
    mobilenet_v2_wide, resnet34, segmenter, shufflenet_v1, steps_of_motion, wavenet, window_attention, yamnet)}

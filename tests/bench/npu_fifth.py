# SPDX-License-Identifier: Apache-2.0
"""Fifteen networks more for the comparison with XNNPACK (npu_xnnpack.py --fifth), which were only run: no kernel was looked at with them.
Shapes after well-known ones, weights drawn at random."""
from npu_layers import added, average, doubled, separable, transposed
from npu_networks import NONE, RELU, Network, attention, hard, head, linear, matmul, squeezed
from npu_shapes import gelu, max_pool, normalised


def center_heads():
    """CenterNet's heads on a map of 32x32: classes, sizes and offsets."""
    n = Network()
    x = n.act([1, 32, 32, 64])
    return n.finish([x], [n.conv(n.conv(x, 64, (3, 3), act=RELU), channels, act=NONE) for channels in (20, 2, 2)])


def compact_transformer():
    """Convolutions make 64 tokens of 128 values of 32x32 pixels, two blocks with two heads follow."""
    n = Network()
    x = n.act([1, 32, 32, 3])
    y = max_pool(n, n.conv(max_pool(n, n.conv(x, 64, (3, 3), act=RELU), 3, 2), 128, (3, 3), act=RELU), 3, 2)
    y = n.reshape(y, [1, 64, 128])
    for _ in range(2):
        y = n.rescaled(n.pair("ADD", y, attention(n, normalised(n, y), 2)))
        y = n.rescaled(n.pair("ADD", y, linear(n, gelu(n, linear(n, normalised(n, y), 256)), 128)))
    return n.finish([x], [n.conv(n.reshape(y, [1, 8, 8, 128]), 10, act=NONE)])


def cross_stage(n, x, channels):
    """A stage of YOLOv5: half of the channels go through a block, half around it."""
    y = hard(n, n.conv(x, channels, (3, 3), (2, 2), NONE), "swish")
    one, two = (hard(n, n.conv(y, channels // 2, act=NONE), "swish") for _ in range(2))
    z = hard(n, n.conv(hard(n, n.conv(one, channels // 2, act=NONE), "swish"), channels // 2, (3, 3), act=NONE), "swish")
    return n.conv(n.concat([added(n, one, z), two]), channels, act=RELU)


def cross_stages():
    """Of 128x128 pixels; the last map is pooled three times over 5x5."""
    n = Network()
    x = n.act([1, 128, 128, 3])
    y = n.conv(x, 16, (6, 6), (2, 2), RELU)
    for channels in 32, 64, 128:
        y = cross_stage(n, y, channels)
    pooled = [n.conv(y, 64, act=RELU)]
    for _ in range(3):
        pooled.append(max_pool(n, pooled[-1], 5, 1))
    return n.finish([x], [n.conv(n.concat(pooled), 45, act=NONE)])


def decoder_step():
    """A word more behind 64 others: one row of 128 values, four heads, keys and values kept."""
    n = Network()
    x, keys, values = n.act([1, 1, 128]), n.act([4, 64, 32]), n.act([4, 64, 32])
    p = n.act([4, 1, 64], 1 / 256, -128)
    n.b.op("SOFTMAX", [matmul(n, n.reshape(linear(n, x, 128), [4, 1, 32]), keys, True)], [p], "SoftmaxOptions", 2, beta=1.0)
    y = linear(n, n.reshape(matmul(n, p, values, False), [1, 1, 128]), 128)
    y = n.rescaled(n.pair("ADD", x, y))
    return n.finish([x, keys, values], [n.pair("ADD", y, linear(n, linear(n, y, 512, RELU), 128))])


def driving():
    """PilotNet: 66x200 pixels to an angle."""
    n = Network()
    x = n.act([1, 66, 200, 3])
    y = x
    for channels, taps, stride in (24, 5, 2), (36, 5, 2), (48, 5, 2), (64, 3, 1), (64, 3, 1):
        y = n.conv(y, channels, (taps, taps), (stride, stride), RELU)
    _, h, w, c = n.shape(y)
    y = n.reshape(y, [1, h * w * c])
    for width in 100, 50, 10, 1:
        y = n.dense(y, width)
    return n.finish([x], [y])


def efficientnet_b0_part():
    """Blocks with a gate and swish, 96x96 pixels."""
    n = Network()
    x = n.act([1, 96, 96, 3])
    y = hard(n, n.conv(x, 32, (3, 3), (2, 2), NONE), "swish")
    for channels, stride, taps in (16, 1, 3), (24, 2, 3), (24, 1, 3), (40, 2, 5), (40, 1, 5), (80, 2, 3), (80, 1, 3):
        z = hard(n, n.conv(y, 6 * n.shape(y)[-1], act=NONE), "swish")
        z = squeezed(n, hard(n, n.depthwise(z, taps, stride, NONE), "swish"))
        y = added(n, y, n.conv(z, channels, act=NONE))
    return n.finish([x], [head(n, y, 100)])


def exchanged(n, high, low):
    """HRNet's exchange between a map and one of half its size."""
    _, _, _, wide = n.shape(low)
    up = doubled(n, n.conv(low, n.shape(high)[-1], act=NONE))
    return added(n, high, up), added(n, low, n.conv(high, wide, (3, 3), (2, 2), NONE))


def high_resolution():
    n = Network()
    x = n.act([1, 96, 96, 3])
    high = n.conv(x, 32, (3, 3), (2, 2), RELU)
    low = n.conv(high, 64, (3, 3), (2, 2), RELU)
    for _ in range(2):
        high, low = (added(n, y, n.conv(n.conv(y, n.shape(y)[-1], (3, 3), act=RELU), n.shape(y)[-1], (3, 3), act=NONE)) for y in (high, low))
        high, low = exchanged(n, high, low)
    return n.finish([x], [n.conv(high, 17, act=NONE), n.conv(low, 17, act=NONE)])


def nas_cell(n, x, channels):
    """Separable convolutions of 3x3, 5x5 and 7x7 and a pool, in pairs."""
    y = n.conv(x, channels, act=RELU)
    one = added(n, separable(n, y, channels, taps=5), separable(n, y, channels, taps=3))
    two = added(n, separable(n, y, channels, taps=7), average(n, y, 3, 1))
    return n.concat([one, two, added(n, max_pool(n, y, 3, 1), separable(n, one, channels))])


def nas_cells():
    n = Network()
    x = n.act([1, 32, 32, 3])
    y = n.conv(x, 32, (3, 3), act=RELU)
    for channels in 32, 64:
        y = max_pool(n, nas_cell(n, y, channels), 2, 2)
    return n.finish([x], [head(n, y, 10)])


def plain_blocks():
    """RepVGG as it is run: 3x3 behind 3x3."""
    n = Network()
    x = n.act([1, 96, 96, 3])
    y = x
    for channels, times in (48, 1), (48, 2), (96, 4), (192, 4):
        for i in range(times):
            y = n.conv(y, channels, (3, 3), (1, 1) if i else (2, 2), RELU)
    return n.finish([x], [head(n, y, 100)])


def points():
    """PointNet: 512 points in space, the largest of each of 512 values."""
    n = Network()
    x = n.act([1, 512, 1, 3])
    y = x
    for channels in 64, 64, 128, 512:
        y = n.conv(y, channels, act=RELU)
    y = n.pool("MAX_POOL_2D", n.reshape(y, [1, 32, 16, 512]), (32, 16), 1)
    return n.finish([x], [n.dense(n.dense(n.reshape(y, [1, 512]), 256), 40)])


def pooling_blocks():
    """PoolFormer: averages of 3x3 instead of attention."""
    n = Network()
    x = n.act([1, 128, 128, 3])
    y = n.conv(x, 64, (7, 7), (4, 4), NONE)
    for channels in 64, 128:
        y = y if n.shape(y)[-1] == channels else n.conv(y, channels, (3, 3), (2, 2), NONE)
        for _ in range(2):
            y = added(n, y, average(n, y, 3, 1))
            y = added(n, y, n.conv(gelu(n, n.conv(y, 4 * channels, act=NONE)), channels, act=NONE))
    return n.finish([x], [head(n, y, 100)])


def speech_embedding():
    """1x3 and 3x1 in turns over 76 frames of 32 values."""
    n = Network()
    x = n.act([1, 76, 32, 1])
    y = n.conv(x, 24, (3, 3), act=RELU)
    for channels, pooled in (24, True), (48, True), (72, False), (96, True):
        for taps in (1, 3), (3, 1), (1, 3), (3, 1):
            y = n.conv(y, channels, taps, act=RELU)
        y = max_pool(n, y, 2, 2) if pooled else y
    return n.finish([x], [head(n, y, 96)])


def super_resolution():
    """FSRCNN: 64x64 pixels of one colour to twice as many each way."""
    n = Network()
    x = n.act([1, 64, 64, 1])
    y = n.conv(n.conv(x, 56, (5, 5), act=RELU), 12, act=RELU)
    for _ in range(4):
        y = n.conv(y, 12, (3, 3), act=RELU)
    return n.finish([x], [transposed(n, n.conv(y, 56, act=RELU), 1, taps=9)])


def text_line():
    """A line of text, 32x128 pixels, pooled to a row of 32 letters' places."""
    n = Network()
    x = n.act([1, 32, 128, 1])
    y = max_pool(n, n.conv(x, 32, (3, 3), act=RELU), 2, 2)
    y = max_pool(n, n.conv(y, 64, (3, 3), act=RELU), 2, 2)
    for channels in 128, 128, 256:
        y = n.conv(y, channels, (3, 3), (2, 1), RELU)
    return n.finish([x], [n.conv(n.conv(y, 256, (1, 3), act=RELU), 80, act=NONE)])


def voice_encoder():
    """Two convolutions over 300 frames of 80 values, then a block over 150 places of 192 with three heads."""
    n = Network()
    x = n.act([1, 1, 300, 80])
    y = n.table("LOGISTIC", n.conv(n.table("LOGISTIC", n.conv(x, 192, (1, 3), act=NONE)), 192, (1, 3), (1, 2), NONE))
    y = n.reshape(y, [1, 150, 192])
    y = n.rescaled(n.pair("ADD", y, attention(n, normalised(n, y), 3)))
    y = n.rescaled(n.pair("ADD", y, linear(n, gelu(n, linear(n, normalised(n, y), 768)), 192)))
    return n.finish([x], [normalised(n, y)])


SEEN = {}
UNSEEN = {f.__name__: f for f in (
    center_heads, compact_transformer, cross_stages, decoder_step, driving, efficientnet_b0_part, high_resolution, nas_cells, plain_blocks,
    points, pooling_blocks, speech_embedding, super_resolution, text_line, voice_encoder)}

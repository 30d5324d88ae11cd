# SPDX-License-Identifier: Apache-2.0
"""Thirty networks more for the comparison with XNNPACK (npu_xnnpack.py --third), named before any of them was measured. In the order of the alphabet every
other one was looked at from the start; the rest was only run. Shapes after well-known ones, weights drawn at random."""
from npu_further import leaky
from npu_layers import added, average, doubled, grouped, row_depthwise, separable, softmax, transposed
from npu_networks import NONE, RELU, Network, hard, head, heads_of, linear, matmul
from npu_shapes import gelu, max_pool, mean, normalised, of_constants
from timing_networks import wav2letter


def all_cnn():
    """All convolutional network for CIFAR's 32x32 pixels."""
    n = Network()
    x = n.act([1, 32, 32, 3])
    y = x
    for channels, stride in (96, 1), (96, 1), (96, 2), (192, 1), (192, 1), (192, 2), (192, 1):
        y = n.conv(y, channels, (3, 3), (stride, stride), RELU)
    return n.finish([x], [head(n, n.conv(y, 192, act=RELU), 10)])


def conv_autoencoder():
    """32x32 pixels to 4x4 places and back by transposed convolutions."""
    n = Network()
    x = n.act([1, 32, 32, 1])
    y = x
    for channels in 16, 32, 64:
        y = n.conv(y, channels, (3, 3), (2, 2), RELU)
    for channels in 32, 16, 8:
        y = transposed(n, y, channels, act=RELU)
    return n.finish([x], [n.table("LOGISTIC", n.conv(y, 1, (3, 3), act=NONE))])


def conv_tasnet():
    """Separation of speech: blocks of 1x1, dilated depthwise along 400 frames, residual and skipped sums, then masks for two speakers."""
    n = Network()
    x = n.act([1, 1, 400, 128])
    y, skip = n.conv(x, 64, act=NONE), None
    for reach in 1, 2, 4, 8, 1, 2, 4, 8:
        z = leaky(n, n.conv(y, 128, act=NONE))
        z = leaky(n, row_depthwise(n, z, 3, reach=reach))
        side = n.conv(z, 64, act=NONE)
        skip = side if skip is None else n.rescaled(n.pair("ADD", skip, side))
        y = n.rescaled(n.pair("ADD", y, n.conv(z, 64, act=NONE)))
    masks = [n.pair("MUL", x, n.table("LOGISTIC", n.conv(skip, 128, act=NONE))) for _ in range(2)]
    return n.finish([x], [n.conv(m, 16, act=NONE) for m in masks])


def deeplab():
    """DeepLabV3's head on MobileNetV2's 33x33 places: a 1x1 branch, that of the image's means, and scores enlarged."""
    n = Network()
    x = n.act([1, 33, 33, 320])
    whole = n.conv(mean(n, x, [1, 2]), 256, act=RELU)
    same = n.act([1, 33, 33, 256])
    n.b.op("RESIZE_BILINEAR", [whole, n.b.tensor([2], "int32", data=[33, 33])], [same], "ResizeBilinearOptions", 3)
    y = n.conv(n.concat([n.conv(x, 256, act=RELU), same]), 256, act=RELU)
    return n.finish([x], [doubled(n, n.conv(y, 21, act=NONE), True)])


def denoiser():
    """DnCNN: eight convolutions of 32 channels on 64x64 pixels, the noise is subtracted."""
    n = Network()
    x = n.act([1, 64, 64, 1])
    y = n.conv(x, 32, (3, 3), act=RELU)
    for _ in range(6):
        y = n.conv(y, 32, (3, 3), act=RELU)
    return n.finish([x], [n.pair("SUB", x, n.conv(y, 1, (3, 3), act=NONE))])


def efficientnet_lite4():
    """Blocks of EfficientNet-lite4: 5x5 and 3x3 depthwises of up to 960 channels."""
    n = Network()
    x = n.act([1, 38, 38, 56])
    y = x
    for channels, taps, stride in (56, 5, 1), (112, 3, 2), (112, 3, 1), (160, 5, 1), (160, 5, 1), (272, 5, 2), (272, 5, 1):
        y = added(n, y, n.conv(n.depthwise(n.conv(y, 6 * n.shape(y)[-1]), taps, stride), channels, act=NONE))
    return n.finish([x], [y])


def elementwise():
    """Gates and mixtures of 56x56x48 values between two small convolutions."""
    n = Network()
    x = n.act([1, 56, 56, 48])
    a, b = n.conv(x, 48, act=NONE), n.depthwise(x, 3, 1, NONE)
    gate = n.table("LOGISTIC", a)
    y = n.pair("ADD", n.pair("MUL", gate, b), n.pair("MUL", n.table("TANH", b), a))
    y = n.pair("MUL", hard(n, y, "swish"), of_constants(n, "ADD", y, n.rng.integers(-127, 128, 48), 1 / 127))
    low = n.b.tensor(n.shape(x), *n.b.info[y][1:])
    n.b.op("MAXIMUM", [y, n.b.tensor([1], *n.b.info[y][1:], data=[-40])], [low], "MaximumMinimumOptions", 2)
    return n.finish([x], [n.conv(n.pair("SUB", x, low), 24, act=NONE)])


def espcn():
    """Super resolution: 5x5 and 3x3 on 80x80 pixels, the result's four channels become 160x160 pixels."""
    n = Network()
    x = n.act([1, 80, 80, 1])
    y = n.conv(n.conv(n.conv(x, 64, (5, 5), act=RELU), 32, (3, 3), act=RELU), 4, (3, 3), act=NONE)
    z = n.b.tensor([80, 2, 80, 2], *n.b.info[y][1:])  # Vela leaves DEPTH_TO_SPACE to the processor
    n.b.op("TRANSPOSE", [n.reshape(y, [80, 80, 2, 2]), n.b.tensor([4], "int32", data=[0, 2, 1, 3])], [z], "TransposeOptions", 2)
    return n.finish([x], [n.reshape(z, [1, 160, 160, 1])])


def face_landmarks():
    """A face of 96x96 pixels, separable residual blocks, 68 points out of a convolution of the last 3x3 places."""
    n = Network()
    x = n.act([1, 96, 96, 3])
    y = n.conv(x, 16, (3, 3), (2, 2), RELU)
    for channels, stride in (16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (128, 2):
        y = added(n, y, separable(n, y, channels, stride, act=NONE))
    return n.finish([x], [n.reshape(n.conv(y, 136, (3, 3), act=NONE, valid=True), [1, 136])])


def fastdepth():
    """Depth of 112x112 pixels: MobileNet's layers, then 5x5 depthwises, doubled maps and sums with the side."""
    n = Network()
    x = n.act([1, 112, 112, 3])
    y, sides = n.conv(x, 16, (3, 3), (2, 2), RELU), []
    for channels, stride in (32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1):
        if stride == 2:
            sides.append(y)
        y = separable(n, y, channels, stride)
    for side in reversed(sides):
        y = added(n, side, doubled(n, separable(n, y, n.shape(side)[-1], 1, 5)))
    return n.finish([x], [n.conv(doubled(n, separable(n, y, 16, 1, 5)), 1, act=RELU)])


def fpn():
    """A pyramid of four maps: 1x1 at the sides, doubled sums, 3x3 of 64 channels."""
    n = Network()
    maps = [n.act([1, side, side, c]) for side, c in ((40, 24), (20, 40), (10, 112), (5, 320))]
    y, outputs = None, []
    for m in reversed(maps):
        side = n.conv(m, 64, act=NONE)
        y = side if y is None else n.rescaled(n.pair("ADD", side, doubled(n, y)))
        outputs.append(n.conv(y, 64, (3, 3), act=NONE))
    return n.finish(maps, outputs)


def ghostnet():
    """Half of each layer's channels are depthwises of the other half."""
    n = Network()
    x = n.act([1, 56, 56, 24])

    def ghost(y, channels, act):
        primary = n.conv(y, channels // 2, act=act)
        return n.concat([primary, n.depthwise(primary, 3, 1, act)])

    y = x
    for wide, channels, stride in (72, 24, 1), (72, 40, 2), (120, 40, 1), (240, 80, 2), (200, 80, 1), (184, 80, 1), (480, 112, 1):
        z = ghost(y, wide, RELU)
        y = added(n, y, ghost(n.depthwise(z, 3, 2, NONE) if stride == 2 else z, channels, NONE))
    return n.finish([x], [head(n, y, 100)])


def gpt():
    """A block of a language model: 128 places of 256 values, eight heads, scores with a mask added."""
    n = Network()
    x = n.act([1, 128, 256])
    z = normalised(n, x)
    q, k, v = (heads_of(n, linear(n, z, 256), 8) for _ in range(3))
    mask = n.b.tensor([1, 128, 128], "int8", 1 / 8, 0, [[[0 if j <= i else -127 for j in range(128)] for i in range(128)]])
    joined = n.act([128, 8, 32])
    y = matmul(n, softmax(n, n.pair("ADD", matmul(n, q, k, True), mask)), v, False)
    n.b.op("TRANSPOSE", [y, n.b.tensor([3], "int32", data=[1, 0, 2])], [joined], "TransposeOptions", 2)
    y = n.pair("ADD", x, linear(n, n.reshape(joined, [1, 128, 256]), 256))
    return n.finish([x], [n.pair("ADD", y, linear(n, gelu(n, linear(n, normalised(n, y), 1024)), 256))])


def hardnet():
    """Two harmonic dense blocks: each layer takes those one, two and four behind it."""
    n = Network()
    x = n.act([1, 48, 48, 32])
    y = x
    for block in range(2):
        layers = [y]
        for i in range(1, 9):
            parts = [layers[i - (1 << k)] for k in range(4) if i % (1 << k) == 0]
            layers.append(n.conv(n.concat(parts) if len(parts) > 1 else parts[0], 16 * (1 + (i % 4 == 0)), (3, 3), act=RELU))
        y = n.conv(n.concat([layers[i] for i in (1, 3, 5, 7, 8)]), 64, act=RELU)
        y = y if block else max_pool(n, y, 2, 2)
    return n.finish([x], [y])


def hourglass():
    """Residuals of three layers on 64x64 to 8x8 places and back, with sums at each size."""
    n = Network()
    x = n.act([1, 64, 64, 64])

    def block(y):
        return added(n, y, n.conv(n.conv(n.conv(y, 32, act=RELU), 32, (3, 3), act=RELU), 64, act=NONE))

    y, sides = x, []
    for _ in range(3):
        sides.append(block(y))
        y = block(max_pool(n, y, 2, 2))
    for side in reversed(sides):
        y = added(n, side, doubled(n, block(y)))
    return n.finish([x], [n.conv(y, 17, act=NONE)])


def keyword_crnn():
    """Speech: convolutions of 20x5 steps, a GRU's gates for four steps unrolled, a layer of 12 classes."""
    n = Network()
    x, state = n.act([1, 49, 10, 1]), n.act([1, 64])
    y = n.conv(x, 48, (10, 4), (2, 2), RELU)
    y = n.reshape(n.conv(y, 64, (25, 5), act=RELU, valid=True), [1, 64])
    h = state
    for _ in range(4):
        both = n.concat([y, h])
        r, u = (n.table("LOGISTIC", n.dense(both, 64)) for _ in range(2))
        new = n.table("TANH", n.dense(n.concat([y, n.pair("MUL", r, h)]), 64))
        h = n.rescaled(n.pair("ADD", n.pair("MUL", u, h), n.pair("MUL", n.pair("SUB", h, u), new)))
    return n.finish([x, state], [n.dense(h, 12), h])


def lenet():
    n = Network()
    x = n.act([1, 28, 28, 1])
    y = max_pool(n, n.conv(x, 6, (5, 5), act=RELU), 2, 2)
    y = max_pool(n, n.conv(y, 16, (5, 5), act=RELU, valid=True), 2, 2)
    y = n.reshape(n.conv(n.conv(y, 120, (5, 5), act=RELU, valid=True), 84, (1, 1), act=RELU), [1, 84])
    return n.finish([x], [softmax(n, n.dense(y, 10))])


def mlp():
    """Five fully connected layers of 512 to 1024 values."""
    n = Network()
    x = n.act([1, 784])
    y = n.dense(x, 1024)
    for width in 1024, 512, 512, 10:
        y = n.dense(n.rescaled(y), width)
    return n.finish([x], [softmax(n, y)])


def mnasnet():
    """MnasNet-B1 of 128x128 pixels."""
    n = Network()
    x = n.act([1, 128, 128, 3])
    y = separable(n, n.conv(x, 32, (3, 3), (2, 2), RELU), 16, act=RELU)
    for wide, channels, taps, times, stride in ((3, 24, 3, 3, 2), (3, 40, 5, 3, 2), (6, 80, 5, 3, 2), (6, 96, 3, 2, 1), (6, 192, 5, 4, 2),
                                                (6, 320, 3, 1, 1)):
        for i in range(times):
            z = n.depthwise(n.conv(y, wide * n.shape(y)[-1], act=RELU), taps, 1 if i else stride, RELU)
            y = added(n, y, n.conv(z, channels, act=NONE))
    return n.finish([x], [head(n, n.conv(y, 1280, act=RELU), 1000)])


def mobilenet_v1(side=224, part=1):
    n = Network()
    x = n.act([1, side, side, 3])
    y = n.conv(x, int(32 * part), (3, 3), (2, 2))
    for channels, stride in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (512, 1), (512, 1), (512, 1),
                             (1024, 2), (1024, 1)):
        y = n.conv(n.depthwise(y, 3, stride), int(channels * part))
    return n.finish([x], [softmax(n, head(n, y, 1000))])


def mobilenet_v1_half():
    return mobilenet_v1(128, 0.5)


def mobilenet_v3_minimal():
    """MobileNetV3-Small without gates, hard-swish and 5x5."""
    n = Network()
    x = n.act([1, 224, 224, 3])
    y = n.conv(x, 16, (3, 3), (2, 2), RELU)
    for wide, channels, stride in ((16, 16, 2), (72, 24, 2), (88, 24, 1), (96, 40, 2), (240, 40, 1), (240, 40, 1), (120, 48, 1),
                                   (144, 48, 1), (288, 96, 2), (576, 96, 1), (576, 96, 1)):
        z = n.conv(y, wide, act=RELU) if wide != n.shape(y)[-1] else y
        y = added(n, y, n.conv(n.depthwise(z, 3, stride, RELU), channels, act=NONE))
    y = n.conv(mean(n, n.conv(y, 576, act=RELU), [1, 2]), 1024, act=RELU)
    return n.finish([x], [n.reshape(n.conv(n.rescaled(y), 1000, act=NONE), [1, 1000])])


def movenet():
    """Pose: inverted bottlenecks of 192x192 pixels, doubled maps with their sides, four heads of 3x3 and 1x1."""
    n = Network()
    x = n.act([1, 192, 192, 3])
    y, sides = separable(n, n.conv(x, 32, (3, 3), (2, 2), RELU), 16, act=NONE), []
    for channels, stride in (24, 2), (24, 1), (32, 2), (32, 1), (64, 2), (64, 1), (96, 1):
        if stride == 2:
            sides.append(y)
        y = added(n, y, n.conv(n.depthwise(n.conv(y, 6 * n.shape(y)[-1]), 3, stride), channels, act=NONE))
    y = n.conv(y, 32, act=NONE)
    for side in sides[:0:-1]:
        y = separable(n, added(n, n.conv(side, n.shape(y)[-1], act=NONE), doubled(n, y, True)), 24 if side == sides[1] else 32)
    return n.finish([x], [n.conv(n.conv(separable(n, y, 24), 96, act=RELU), c, act=NONE) for c in (1, 34, 17, 34)])


def peleenet():
    """Stem of two ways and two blocks of dense layers with two branches."""
    n = Network()
    x = n.act([1, 112, 112, 3])
    y = n.conv(x, 32, (3, 3), (2, 2), RELU)
    y = n.conv(n.concat([n.conv(n.conv(y, 16, act=RELU), 32, (3, 3), (2, 2), RELU), max_pool(n, y, 2, 2)]), 32, act=RELU)
    for times in 3, 4:
        for _ in range(times):
            left = n.conv(n.conv(y, 16, act=RELU), 16, (3, 3), act=RELU)
            right = n.conv(n.conv(n.conv(y, 16, act=RELU), 16, (3, 3), act=RELU), 16, (3, 3), act=RELU)
            y = n.concat([y, left, right])
        y = average(n, n.conv(y, n.shape(y)[-1], act=RELU), 2, 2)
    return n.finish([x], [head(n, y, 100)])


def quartznet():
    """Speech: separable convolutions of 33 and 39 taps along 256 steps of 64 features."""
    n = Network()
    x = n.act([1, 1, 256, 64])
    y = n.conv(row_depthwise(n, x, 33, 2), 128, act=RELU)
    for taps in 33, 39:
        side = n.conv(y, 128, act=NONE)
        for i in range(3):
            y = n.conv(row_depthwise(n, y, taps), 128, act=NONE if i == 2 else RELU)
        y = n.rescaled(n.pair("ADD", side, y, act=RELU))
    return n.finish([x], [n.conv(y, 29, act=NONE)])


def regnet(first=24, layers=((48, 2), (48, 1), (96, 2), (96, 1), (168, 2), (168, 1)), width=24, more=1):
    """RegNetX's blocks: 1x1, 3x3 in groups of 24, 1x1."""
    n = Network()
    x = n.act([1, 56, 56, first])
    y = x
    for channels, stride in layers:
        z = n.conv(grouped(n, n.conv(y, channels, act=RELU), width, stride), more * channels, act=NONE)
        side = y if n.shape(y) == n.shape(z) else n.conv(y, more * channels, (1, 1), (stride, stride), NONE)
        y = added(n, side, z)
    return n.finish([x], [head(n, y, 100)])


def resnext():
    """ResNeXt's blocks: 32 groups of 4 and 8 channels in the middle of a bottleneck."""
    return regnet(256, ((128, 1), (128, 1)), 4, 2)


def tiny_yolo2():
    """Tiny YOLOv2 of 208x208 pixels: leaky convolutions and pools, 125 channels of 6x6 places."""
    n = Network()
    x = n.act([1, 208, 208, 3])
    y = leaky(n, n.conv(x, 16, (3, 3), act=NONE))
    for channels in 32, 64, 128, 256, 512:
        y = leaky(n, n.conv(max_pool(n, y, 2, 2), channels, (3, 3), act=NONE))
    for channels in 512, 512:
        y = leaky(n, n.conv(y, channels, (3, 3), act=NONE))
    return n.finish([x], [n.conv(y, 125, act=NONE)])


def vgg():
    """VGG's pairs of 3x3 on 64x64 pixels, two fully connected layers."""
    n = Network()
    x = n.act([1, 64, 64, 3])
    y = x
    for channels, times in (32, 2), (64, 2), (128, 3), (256, 3):
        for _ in range(times):
            y = n.conv(y, channels, (3, 3), act=RELU)
        y = max_pool(n, y, 2, 2)
    y = n.dense(n.reshape(y, [1, 4096]), 512)
    return n.finish([x], [n.dense(n.rescaled(y), 100)])


ALL = {f.__name__: f for f in (
    all_cnn, conv_autoencoder, conv_tasnet, deeplab, denoiser, efficientnet_lite4, elementwise, espcn, face_landmarks, fastdepth, fpn, ghostnet,
    gpt, hardnet, hourglass, keyword_crnn, lenet, mlp, mnasnet, mobilenet_v1, mobilenet_v1_half, mobilenet_v3_minimal, movenet, peleenet, quartznet,
    regnet, resnext, tiny_yolo2, vgg, wav2letter)}
READ_SINCE = "deeplab", "mlp", "regnet"  # only run for the table of 2026-11-27; their operations were looked at then, as they were slower than XNNPACK's
SEEN = {name: make for i, (name, make) in enumerate(ALL.items()) if i % 2 == 0 or name in READ_SINCE}
UNSEEN = {name: make for name, make in ALL.items() if name not in SEEN}

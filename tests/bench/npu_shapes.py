# SPDX-License-Identifier: Apache-2.0
"""Networks whose parts those of npu_networks.py do not have, for npu_cliffs.py: normalisation and GELU, gates, dilation, transposed
convolutions, several heads, shuffled and joined channels. Shapes after well-known ones, int8 or int16 (`Network.int16`), weights drawn at random."""
import numpy as np

from npu_networks import NONE, RELU, Network, head, heads_of, linear, matmul


def of_constants(n, name, x, values, scale, fused=NONE):
    """x with a constant of one value for each channel, or of one in all."""
    constant = n.b.tensor([len(values)], "int16" if n.int16 else "int8", scale, 0, values)
    y = n.act(n.shape(x), n.own_scale())
    n.b.op(name, [x, constant], [y], name.title() + "Options", 2, fusedActivationFunction=fused)
    return y


def mean(n, x, axes):
    shape = n.shape(x)
    y = n.act([1 if i in axes else d for i, d in enumerate(shape)], n.own_scale())
    n.b.op("MEAN", [x, n.b.tensor([len(axes)], "int32", data=axes)], [y], "ReducerOptions", 2, keepDims=True)
    return y


def normalised(n, x):
    """Layer normalisation of the channels, as a converter takes it apart."""
    shape = n.shape(x)
    x = n.reshape(x, [1, int(np.prod(shape[:-1])), shape[-1]])  # Vela leaves means over the depth of four dimensions to the processor
    axis = [2]
    centre = n.pair("SUB", x, mean(n, x, axis))
    spread = mean(n, n.pair("MUL", centre, centre), axis)
    inverse = n.b.tensor(n.shape(spread), *(("int16", 1 / 4096) if n.int16 else ("int8", 1 / 16, -128)))
    n.b.op("RSQRT", [spread], [inverse], None, 2)
    y = of_constants(n, "MUL", n.pair("MUL", centre, inverse), n.rng.integers(60, 128, shape[-1]), 1 / 100)
    return n.reshape(of_constants(n, "ADD", y, n.rng.integers(-127, 128, shape[-1]), 1 / 100), shape)


def gelu(n, x):
    y = n.act(n.shape(x), n.own_scale())
    n.b.op("GELU", [x], [y], "GeluOptions", 2, approximate=True)
    return y


def pool(n, name, x, taps, stride):
    _, h, w, c = n.shape(x)
    y = n.b.tensor([1, -(-h // stride), -(-w // stride), c], *n.b.info[x][1:])
    n.b.op(name, [x], [y], "Pool2DOptions", 2, padding=0, strideH=stride, strideW=stride, filterHeight=taps,
           filterWidth=taps, fusedActivationFunction=NONE)
    return y


def max_pool(n, x, taps, stride):
    return pool(n, "MAX_POOL_2D", x, taps, stride)


def vit():
    """Two blocks of a small vision transformer: 14x14 patches of 16x16 pixels and a class token's place, 192 values, three heads."""
    n = Network()
    x = n.act([1, 224, 224, 3])
    patches = n.act([1, 14, 14, 192])
    n.b.op("CONV_2D", [x, *n.weights([192, 16, 16, 3], 0, 192)], [patches], "Conv2DOptions", 3, padding=1, strideH=16, strideW=16,
           dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=NONE)
    y = n.reshape(patches, [1, 196, 192])
    for _ in range(2):
        z = normalised(n, y)
        q, k, v = (heads_of(n, linear(n, z, 192), 3) for _ in range(3))
        p = n.act([3, 196, 196], 1 / 256, -128)
        n.b.op("SOFTMAX", [matmul(n, q, k, True)], [p], "SoftmaxOptions", 2, beta=1.0)
        joined = n.act([196, 3, 64])
        n.b.op("TRANSPOSE", [matmul(n, p, v, False), n.b.tensor([3], "int32", data=[1, 0, 2])], [joined], "TransposeOptions", 2)
        y = n.pair("ADD", y, linear(n, n.reshape(joined, [1, 196, 192]), 192))
        y = n.pair("ADD", y, linear(n, gelu(n, linear(n, normalised(n, y), 768)), 192))
    return n.finish([x], [mean(n, y, [1])])


def dilated(n, x, channels, taps, dilation, act=RELU):
    _, h, w, c = n.shape(x)
    y = n.act([1, h, w, channels])
    n.b.op("CONV_2D", [x, *n.weights([channels, *taps, c], 0, channels)], [y], "Conv2DOptions", 3, padding=0, strideH=1, strideW=1,
           dilationHFactor=dilation[0], dilationWFactor=dilation[1], fusedActivationFunction=act)
    return y


def tcn():
    """A temporal convolutional network: 200 steps of 40 features, gated dilated convolutions with residuals."""
    n = Network()
    x = n.act([1, 1, 200, 40])
    y = n.conv(x, 64, act=NONE)
    for i in range(6):
        a, b = (dilated(n, y, 64, (1, 3), (1, 1 << i), NONE) for _ in range(2))
        gated = n.pair("MUL", n.table("TANH", a), n.table("LOGISTIC", b))
        y = n.pair("ADD", y, n.conv(gated, 64, act=NONE))
    return n.finish([x], [n.conv(y, 30, act=NONE)])


def ssd():
    """MobileNet-SSD's heads on six maps of a 300x300 image; 91 classes, boxes and scores of all places joined."""
    n = Network()
    maps = [n.act([1, 19, 19, 576]), n.act([1, 10, 10, 1280])]
    y = maps[1]
    sides = list(maps)
    for channels in 512, 256, 256, 128:
        y = n.conv(n.depthwise(n.conv(y, channels // 2), 3, 2), channels)
        sides.append(y)
    boxes, scores = [], []
    for i, side in enumerate(sides):
        anchors = 6 if i else 3
        for out, width in (boxes, 4), (scores, 91):
            z = n.conv(n.depthwise(side), anchors * width, act=NONE)
            _, h, w, _ = n.shape(z)
            out.append(n.reshape(z, [1, h * w * anchors, width]))
    joined = []
    for parts in boxes, scores:
        y = n.act([1, sum(n.shape(p)[1] for p in parts), n.shape(parts[0])[2]])
        n.b.op("CONCATENATION", parts, [y], "ConcatenationOptions", 2, axis=1, fusedActivationFunction=NONE)
        joined.append(y)
    return n.finish(maps, [joined[0], n.table("LOGISTIC", joined[1])])


def convnext():
    """ConvNeXt's blocks: 7x7 depthwise, normalisation, four times as wide with GELU, a scale for each channel."""
    n = Network()
    x = n.act([1, 56, 56, 96])
    y = x
    for channels in 96, 192:
        if channels != n.shape(y)[-1]:
            y = n.conv(normalised(n, y), channels, (2, 2), (2, 2), NONE)
        z = n.conv(gelu(n, n.conv(normalised(n, n.depthwise(y, 7, act=NONE)), 4 * channels, act=NONE)), channels, act=NONE)
        y = n.pair("ADD", y, of_constants(n, "MUL", z, n.rng.integers(-127, 128, channels), 1 / 127))
    return n.finish([x], [y])


def se_resnet():
    """Residual blocks whose channels a small network of their means weighs."""
    n = Network()
    x = n.act([1, 64, 64, 3])
    y = n.conv(x, 32, (3, 3), (2, 2), RELU)
    for channels, stride in (32, 1), (64, 2), (128, 2):
        z = n.conv(n.conv(y, channels, (3, 3), (stride, stride), RELU), channels, (3, 3), act=NONE)
        gate = n.table("LOGISTIC", n.conv(n.conv(mean(n, z, [1, 2]), channels // 8, act=RELU), channels, act=NONE))
        side = y if n.shape(y) == n.shape(z) else n.conv(y, channels, (1, 1), (stride, stride), NONE)
        y = n.rescaled(n.pair("ADD", side, n.pair("MUL", z, gate)))
    return n.finish([x], [head(n, y, 100)])


def shuffled(n, x):
    """Channels of two groups taken in turns."""
    _, h, w, c = n.shape(x)
    y = n.b.tensor([h * w, c // 2, 2], *n.b.info[x][1:])
    n.b.op("TRANSPOSE", [n.reshape(x, [h * w, 2, c // 2]), n.b.tensor([3], "int32", data=[0, 2, 1])], [y], "TransposeOptions", 2)
    return n.reshape(y, [1, h, w, c])


def halves(n, x):
    parts = [n.b.tensor([*n.shape(x)[:-1], n.shape(x)[-1] // 2], *n.b.info[x][1:]) for _ in range(2)]
    n.b.op("SPLIT", [n.b.tensor([], "int32", data=3), x], parts, "SplitOptions", 2, numSplits=2)
    return parts


def shufflenet():
    """ShuffleNetV2 1.0: half of the channels pass by, then both halves are shuffled."""
    n = Network()
    x = n.act([1, 224, 224, 3])
    y = max_pool(n, n.conv(x, 24, (3, 3), (2, 2), RELU), 3, 2)
    for channels, times in (116, 4), (232, 8), (464, 4):
        c = channels // 2
        left = n.conv(n.depthwise(y, 3, 2, NONE), c, act=RELU)
        y = shuffled(n, n.concat([left, n.conv(n.depthwise(n.conv(y, c, act=RELU), 3, 2, NONE), c, act=RELU)]))
        for _ in range(times - 1):
            left, right = halves(n, y)
            y = shuffled(n, n.concat([left, n.conv(n.depthwise(n.conv(right, c, act=RELU), 3, 1, NONE), c, act=RELU)]))
    return n.finish([x], [head(n, n.conv(y, 1024, act=RELU), 1000)])


def large_unet():
    """U-Net of 256x256 pixels, four levels of 16 to 256 channels, pooled by maxima and doubled by transposed convolutions."""
    n = Network()
    x = n.act([1, 256, 256, 3])
    y, sides = x, []
    for channels in 16, 32, 64, 128:
        y = n.conv(n.conv(y, channels, (3, 3), act=RELU), channels, (3, 3), act=RELU)
        sides.append(y)
        y = max_pool(n, y, 2, 2)
    y = n.conv(n.conv(y, 256, (3, 3), act=RELU), 256, (3, 3), act=RELU)
    for side in reversed(sides):
        _, h, w, c = n.shape(side)
        up = n.act([1, h, w, c])
        weights, bias = n.weights([c, 2, 2, n.shape(y)[-1]], 0, c)
        n.b.op("TRANSPOSE_CONV", [n.b.tensor([4], "int32", data=[1, h, w, c]), weights, y, bias], [up], "TransposeConvOptions", 3,
               padding=1, strideH=2, strideW=2)
        y = n.conv(n.conv(n.concat([up, side]), c, (3, 3), act=RELU), c, (3, 3), act=RELU)
    return n.finish([x], [n.table("LOGISTIC", n.conv(y, 2, act=NONE))])


def densenet():
    """Two dense blocks of four layers that each add 32 channels, and the layer between them."""
    n = Network()
    x = n.act([1, 32, 32, 64])
    y = x
    for block in range(2):
        for _ in range(4):
            y = n.concat([y, n.conv(n.conv(y, 128, act=RELU), 32, (3, 3), act=RELU)])
        if not block:
            y = n.conv(y, 96, act=RELU)
            _, h, w, c = n.shape(y)
            small = n.b.tensor([1, h // 2, w // 2, c], *n.b.info[y][1:])
            n.b.op("AVERAGE_POOL_2D", [y], [small], "Pool2DOptions", 2, padding=1, strideH=2, strideW=2, filterHeight=2,
                   filterWidth=2, fusedActivationFunction=NONE)
            y = small
    return n.finish([x], [head(n, y, 100)])


SHAPES = {f.__name__: f for f in (vit, tcn, ssd, convnext, se_resnet, shufflenet, large_unet, densenet)}

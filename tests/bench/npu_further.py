# SPDX-License-Identifier: Apache-2.0
"""More networks for the comparison with XNNPACK (npu_xnnpack.py --shapes): beside those of npu_shapes.py, whose operations were looked at, one more of these, and
others that were chosen by name beforehand and are only run. Shapes after well-known ones, weights drawn at random."""
from npu_networks import NONE, RELU, Network, head, linear
from npu_shapes import SHAPES, dilated, gelu, max_pool, normalised


def atrous():
    """DeepLab's pyramid on a map of 32x32: 3x3 depthwises that reach 6, 12 and 18 pixels far, and whole convolutions that reach 2 and 4."""
    n = Network()
    x = n.act([1, 32, 32, 96])
    y = dilated(n, dilated(n, x, 96, (3, 3), (2, 2), RELU), 96, (3, 3), (4, 4), RELU)
    branches = [n.conv(y, 64, act=RELU)]
    for reach in 6, 12, 18:
        z = n.act(n.shape(y))
        n.b.op("DEPTHWISE_CONV_2D", [y, *n.weights([1, 3, 3, 96], 3, 96)], [z], "DepthwiseConv2DOptions", 3, padding=0, strideH=1, strideW=1,
               depthMultiplier=1, dilationHFactor=reach, dilationWFactor=reach, fusedActivationFunction=RELU)
        branches.append(n.conv(z, 64, act=RELU))
    return n.finish([x], [n.conv(n.conv(n.concat(branches), 64, act=RELU), 21, act=NONE)])


def leaky(n, x):
    y = n.act(n.shape(x))
    n.b.op("LEAKY_RELU", [x], [y], "LeakyReluOptions", 1, alpha=0.1)
    return y


def yolo():
    """A tiny YOLO for 160x160 pixels: pooled convolutions with leaky ReLU, two heads of 75 channels, the second of a doubled map."""
    n = Network()
    x = n.act([1, 160, 160, 3])
    y = leaky(n, n.conv(x, 16, (3, 3), act=NONE))
    for channels in 32, 64, 128:
        y = leaky(n, n.conv(max_pool(n, y, 2, 2), channels, (3, 3), act=NONE))
    side = y
    for channels in 256, 512:
        y = leaky(n, n.conv(max_pool(n, y, 2, 2), channels, (3, 3), act=NONE))
    y = leaky(n, n.conv(y, 128, act=NONE))
    _, h, w, _ = n.shape(side)
    up = n.act([1, h // 2, w // 2, 64])
    n.b.op("RESIZE_NEAREST_NEIGHBOR", [leaky(n, n.conv(y, 64, act=NONE)), n.b.tensor([2], "int32", data=[h // 2, w // 2])], [up],
           "ResizeNearestNeighborOptions", 2)
    low = n.conv(leaky(n, n.conv(y, 256, (3, 3), act=NONE)), 75, act=NONE)
    high = n.conv(leaky(n, n.conv(n.concat([up, max_pool(n, side, 2, 2)]), 128, (3, 3), act=NONE)), 75, act=NONE)
    return n.finish([x], [low, high])


def squeezenet():
    """Layers of few channels, then 1x1 and 3x3 side by side."""
    n = Network()
    x = n.act([1, 112, 112, 3])
    y = max_pool(n, n.conv(x, 64, (3, 3), (2, 2), RELU), 3, 2)
    for narrow, wide in (16, 64), (16, 64), (32, 128), (48, 192), (64, 256):
        z = n.conv(y, narrow, act=RELU)
        y = n.concat([n.conv(z, wide, act=RELU), n.conv(z, wide, (3, 3), act=RELU)])
        y = max_pool(n, y, 3, 2) if wide == 128 else y
    return n.finish([x], [head(n, n.conv(y, 100, act=RELU), 100)])


def inception():
    """Two modules of 1x1, 3x3, 5x5 and pooled branches, and one whose 7x7 is 1x7 behind 7x1."""
    n = Network()
    x = n.act([1, 28, 28, 192])
    y = x
    for _ in range(2):
        y = n.concat([n.conv(y, 64, act=RELU), n.conv(n.conv(y, 96, act=RELU), 128, (3, 3), act=RELU),
                      n.conv(n.conv(y, 16, act=RELU), 32, (5, 5), act=RELU), n.conv(max_pool(n, y, 3, 1), 32, act=RELU)])
    y = max_pool(n, y, 3, 2)
    y = n.concat([n.conv(y, 96, act=RELU), n.conv(n.conv(n.conv(y, 64, act=RELU), 64, (1, 7), act=RELU), 96, (7, 1), act=RELU)])
    return n.finish([x], [head(n, y, 100)])


def blazeface():
    """Blocks of 5x5 depthwise and 1x1 with a residual, 128x128 pixels, two maps of anchors."""
    n = Network()
    x = n.act([1, 128, 128, 3])
    y, maps = n.conv(x, 24, (5, 5), (2, 2), RELU), []
    for channels, stride in (24, 1), (24, 1), (48, 2), (48, 1), (48, 1), (96, 2), (96, 1), (96, 1), (96, 2), (96, 1):
        if stride == 2 and channels == 96 and n.shape(y)[-1] == 96:
            maps.append(y)
        z = n.conv(n.depthwise(y, 5, stride, NONE), channels, act=NONE)
        y = n.rescaled(n.pair("ADD", y, z)) if n.shape(y) == n.shape(z) else z
    maps.append(y)
    return n.finish([x], [n.conv(m, 17 * anchors, act=NONE) for m, anchors in zip(maps, (2, 6))])


def turned(n, x):
    _, rows, columns = n.shape(x)
    y = n.b.tensor([1, columns, rows], *n.b.info[x][1:])
    n.b.op("TRANSPOSE", [x, n.b.tensor([3], "int32", data=[0, 2, 1])], [y], "TransposeOptions", 2)
    return y


def mixer():
    """Two blocks of an MLP-Mixer: 196 places of 128 values, first across the places, then across the values."""
    n = Network()
    x = n.act([1, 196, 128])
    y = x
    for _ in range(2):
        z = turned(n, linear(n, gelu(n, linear(n, turned(n, normalised(n, y)), 96)), 196))
        y = n.pair("ADD", y, z)
        y = n.pair("ADD", y, linear(n, gelu(n, linear(n, normalised(n, y), 512)), 128))
    return n.finish([x], [y])


def ecg():
    """One heartbeat's curve: 1-d convolutions of few channels and residuals over 1280 samples of two leads."""
    n = Network()
    x = n.act([1, 1, 1280, 2])
    y = n.conv(x, 16, (1, 15), (1, 2), RELU)
    for channels, stride in (16, 1), (24, 2), (32, 2), (48, 2):
        z = n.conv(n.conv(y, channels, (1, 7), (1, stride), RELU), channels, (1, 7), act=NONE)
        side = y if n.shape(y) == n.shape(z) else n.conv(y, channels, (1, 1), (1, stride), NONE)
        y = n.rescaled(n.pair("ADD", side, z))
    return n.finish([x], [head(n, y, 5)])


SEEN = {**SHAPES, "atrous": atrous}
UNSEEN = {f.__name__: f for f in (yolo, squeezenet, inception, blazeface, mixer, ecg)}

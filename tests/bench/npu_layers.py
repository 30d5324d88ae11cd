# SPDX-License-Identifier: Apache-2.0
"""Layers of the networks of npu_third.py: `n` is the Network that they are added to, x a tensor of it."""
from npu_networks import NONE, RELU
from npu_shapes import pool


def doubled(n, x, bilinear=False):
    _, h, w, c = n.shape(x)
    y = n.b.tensor([1, 2 * h, 2 * w, c], *n.b.info[x][1:])
    name = "RESIZE_BILINEAR" if bilinear else "RESIZE_NEAREST_NEIGHBOR"
    options = "ResizeBilinearOptions" if bilinear else "ResizeNearestNeighborOptions"
    n.b.op(name, [x, n.b.tensor([2], "int32", data=[2 * h, 2 * w])], [y], options, 3, halfPixelCenters=bilinear)
    return y


def average(n, x, taps, stride):
    return pool(n, "AVERAGE_POOL_2D", x, taps, stride)


def transposed(n, x, channels, taps=3, act=NONE):
    """A transposed convolution of stride 2."""
    _, h, w, c = n.shape(x)
    shape = [1, 2 * h, 2 * w, channels]
    y = n.act(shape)
    weights, bias = n.weights([channels, taps, taps, c], 0, channels)
    n.b.op("TRANSPOSE_CONV", [n.b.tensor([4], "int32", data=shape), weights, x, bias], [y], "TransposeConvOptions", 3, padding=0,
           strideH=2, strideW=2, fusedActivationFunction=act)
    return y


def grouped(n, x, width, stride=1):
    """A 3x3 convolution in groups of that width."""
    h, w, c = n.spatial(x, (stride, stride))
    y = n.act([1, h, w, c])
    n.b.op("CONV_2D", [x, *n.weights([c, 3, 3, width], 0, c)], [y], "Conv2DOptions", 3, padding=0, strideH=stride, strideW=stride,
           dilationHFactor=1, dilationWFactor=1, fusedActivationFunction=RELU)
    return y


def row_depthwise(n, x, taps, stride=1, reach=1, act=NONE):
    """A depthwise along a row."""
    _, h, w, c = n.shape(x)
    y = n.act([1, h, -(-w // stride), c])
    n.b.op("DEPTHWISE_CONV_2D", [x, *n.weights([1, 1, taps, c], 3, c)], [y], "DepthwiseConv2DOptions", 3, padding=0, strideH=stride,
           strideW=stride, depthMultiplier=1, dilationHFactor=1, dilationWFactor=reach, fusedActivationFunction=act)
    return y


def softmax(n, x):
    y = n.act(n.shape(x), 1 / 256, -128)
    n.b.op("SOFTMAX", [x], [y], "SoftmaxOptions", 2, beta=1.0)
    return y


def separable(n, x, channels, stride=1, taps=3, act=RELU):
    return n.conv(n.depthwise(x, taps, stride, act), channels, act=act)


def added(n, x, y):
    """A residual; its sum has the scale of all else again."""
    return n.rescaled(n.pair("ADD", x, y)) if n.shape(x) == n.shape(y) else y

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The four networks of MLPerf Tiny, not compiled, with random weights. Usage: tiny_networks.py FOLDER

Shapes are those of the benchmark's reference models. Needs numpy and ai-edge-litert."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "npu"))
from timing_networks import NONE, Network  # noqa: E402


def keyword_spotting():
    n = Network()
    x = n.act([1, 49, 10, 1])
    y = n.conv(x, 64, (10, 4), (2, 2))
    for _ in range(4):
        y = n.conv(n.depthwise(y), 64)
    y = n.pool("AVERAGE_POOL_2D", y, (25, 5), 1)
    return n.finish([x], [n.dense(n.reshape(y, [1, 64]), 12)])


def visual_wake_words():
    n = Network()
    x = n.act([1, 96, 96, 3])
    y = n.conv(x, 8, (3, 3), (2, 2))
    for channels, stride in ((16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2), *5 * [(128, 1)], (256, 2), (256, 1)):
        y = n.conv(n.depthwise(y, 3, stride), channels)
    y = n.pool("AVERAGE_POOL_2D", y, (3, 3), 1)
    return n.finish([x], [n.dense(n.reshape(y, [1, 256]), 2)])


def image_classification():
    n = Network()
    x = n.act([1, 32, 32, 3])
    y = n.conv(x, 16, (3, 3))
    for channels, stride in (16, 1), (32, 2), (64, 2):
        z = n.conv(n.conv(y, channels, (3, 3), (stride, stride)), channels, (3, 3), act=NONE)
        skip = y if stride == 1 else n.conv(y, channels, (1, 1), (2, 2), act=NONE)
        y = n.pair("ADD", skip, z)
    y = n.pool("AVERAGE_POOL_2D", n.rescaled(y), (8, 8), 1)
    return n.finish([x], [n.dense(n.reshape(y, [1, 64]), 10)])


def anomaly_detection():
    n = Network()
    y = x = n.act([1, 640])
    for width in (128, 128, 128, 128, 8, 128, 128, 128, 128, 640):
        y = n.dense(y, width)
    return n.finish([x], [y])


NETWORKS = {f.__name__: f for f in (keyword_spotting, visual_wake_words, image_classification, anomaly_detection)}


def write(folder):
    """The paths of the four files."""
    paths = [pathlib.Path(folder) / f"{name}.tflite" for name in NETWORKS]
    for path, make in zip(paths, NETWORKS.values()):
        path.write_bytes(bytes(make()))
    return paths


if __name__ == "__main__":
    print(*write(sys.argv[1]), sep="\n")

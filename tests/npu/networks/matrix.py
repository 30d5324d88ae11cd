# SPDX-License-Identifier: Apache-2.0
"""Matrix products: fully connected layers, batch products, weights known at run time only."""
import numpy as np

from .draw import act, activation, chance, dtype_of, size, weights


def fully_connected_op(rng, b, x, m, fused=None, keep=False, per_channel=None):
    """One FULLY_CONNECTED on the last dimension of x; returns the output."""
    shape, dtype, scale, _ = b.info[x]
    k = shape[-1]
    w, bias = weights(rng, b, [m, k], dtype, m, 0, scale, per_channel)
    oshape = shape[:-1] + [m] if keep else [int(np.prod(shape[:-1])), m]
    y = act(rng, b, oshape, dtype, rng.uniform(0.5, 2))
    b.op("FULLY_CONNECTED", [x, w, bias], [y], "FullyConnectedOptions", 4, keepNumDims=keep,
         fusedActivationFunction=activation(rng) if fused is None else fused)
    return y


def fully_connected(rng, b):
    dtype = dtype_of(rng, ("int8", "int8", "int8", "int16", "uint8"))
    x = act(rng, b, [size(rng, 1, 9), size(rng, 1, 200)], dtype)
    return [x], [fully_connected_op(rng, b, x, size(rng, 1, 120))]


def fully_connected_big(rng, b):
    x = act(rng, b, [size(rng, 1, 4), size(rng, 100, 2500)], "int8")
    return [x], [fully_connected_op(rng, b, x, size(rng, 10, 600))]


def fully_connected_rank(rng, b):
    """Inputs of three and four dimensions, with and without keeping them."""
    shape = [size(rng, 1, 4) for _ in range(int(rng.integers(2, 4)))] + [size(rng, 1, 60)]
    x = act(rng, b, shape, dtype_of(rng))
    return [x], [fully_connected_op(rng, b, x, size(rng, 1, 40), keep=chance(rng, 0.6))]


def fc_dynamic(rng, b):
    n, k, m = size(rng, 1, 9), size(rng, 1, 60), size(rng, 1, 40)
    dtype = dtype_of(rng, ("int8", "int8", "int8", "int16"))
    x = act(rng, b, [n, k], dtype)
    w = act(rng, b, [m, k], "int8")
    y = act(rng, b, [n, m], dtype, 2 * np.sqrt(k))
    b.op("FULLY_CONNECTED", [x, w, -1], [y], "FullyConnectedOptions", 4, fusedActivationFunction=activation(rng))
    return [x, w], [y]


def matmul_op(rng, b, x, z, adj_x=False, adj_y=False, spread=None):
    """One BATCH_MATMUL; returns the output."""
    a, c = b.info[x][0], b.info[z][0]
    n, k = (a[-1], a[-2]) if adj_x else (a[-2], a[-1])
    m = c[-2] if adj_y else c[-1]
    batch = list(np.broadcast_shapes(tuple(a[:-2]), tuple(c[:-2])))
    y = act(rng, b, batch + [n, m], b.info[x][1], spread or 2 * np.sqrt(k))
    b.op("BATCH_MATMUL", [x, z], [y], "BatchMatMulOptions", 2, adjX=adj_x, adjY=adj_y)
    return y


def batch_matmul(rng, b):
    n, k, m = size(rng, 1, 24), size(rng, 1, 50), size(rng, 1, 34)
    dtype = dtype_of(rng)
    batch = [[], [size(rng, 1, 5)], [1, size(rng, 1, 5)], [size(rng, 1, 3), size(rng, 1, 3)]][int(rng.integers(0, 4))]
    adj_x, adj_y = chance(rng, 0.3), chance(rng, 0.4)
    x = act(rng, b, batch + ([k, n] if adj_x else [n, k]), dtype)
    # LiteRT 1.2.0 takes the wrong elements where a first operand that is turned meets a batch that is repeated.
    z = act(rng, b, [d if chance(rng, 0.85) or adj_x else 1 for d in batch] + ([m, k] if adj_y else [k, m]), dtype)
    return [x, z], [matmul_op(rng, b, x, z, adj_x, adj_y)]


def batch_matmul_const(rng, b):
    n, k, m, batch = size(rng, 1, 20), size(rng, 1, 40), size(rng, 1, 30), size(rng, 1, 4)
    x = act(rng, b, [batch, n, k], "int8")
    scale = float(np.float32(rng.uniform(0.5, 1) / 128))
    z = b.tensor([batch, k, m], "int8", scale, int(rng.integers(-20, 20)), rng.integers(-128, 128, (batch, k, m)))
    return [x], [matmul_op(rng, b, x, z)]


FAMILIES = (fully_connected, fully_connected_big, fully_connected_rank, fc_dynamic, batch_matmul, batch_matmul_const)

# SPDX-License-Identifier: Apache-2.0
"""Small networks in the shapes that people use: chains, residual blocks, classifiers, U-Net, attention."""
from ai_edge_litert import schema_py_generated as s

from .activation import FIXED, FIXED_TANH, unary_op
from .convolution import conv_op, depthwise_op, transpose_conv_op
from .draw import ACTIVATIONS, act, chance, dtype_of, like, size
from .elementwise import binary_op
from .matrix import fully_connected_op, matmul_op
from .movement import reshape_op
from .reduction import pool_op, reduce_op

SAME = s.Padding.SAME
RELU6 = ACTIVATIONS.RELU6


def square(rng, b, x, k, oc, stride=1, fused=None):
    return conv_op(rng, b, x, (k, k), oc, (stride, stride), (1, 1), SAME, fused)


def channelwise(rng, b, x, k, stride=1, fused=None):
    return depthwise_op(rng, b, x, (k, k), (stride, stride), (1, 1), SAME, 1, fused)


def classify(rng, b, x, classes):
    """Global pooling, fully connected layer, softmax."""
    shape = b.info[x][0]
    if chance(rng, 0.5):
        t = pool_op(rng, b, "AVERAGE_POOL_2D", x, shape[1:3], (1, 1), s.Padding.VALID)
    else:
        _, (t,) = reduce_op(rng, b, "MEAN", x, [1, 2], lambda o: like(b, x, o), True)
    t = fully_connected_op(rng, b, reshape_op(b, t, [1, shape[3]]), classes, 0)
    y = b.tensor([1, classes], b.info[t][1], *FIXED[b.info[t][1]])
    b.op("SOFTMAX", [t], [y], "SoftmaxOptions", 3, beta=1.0)
    return y


def image(rng, low, high, channels=4, dtypes=("int8", "int8", "int8", "int16")):
    return [1, size(rng, low, high), size(rng, low, high), size(rng, 1, channels)], dtype_of(rng, dtypes)


def simple(rng, b, x):
    """One of the cheap activations on x; returns the output."""
    name = str(rng.choice(["RELU", "LOGISTIC", "TANH", "ABS"]))
    q = {"LOGISTIC": FIXED, "TANH": FIXED_TANH}.get(name)
    return unary_op(rng, b, name, x, q and q[b.info[x][1]], None, 2)


def network(rng, b):
    """Convolutions, depthwise, residual sums, pools in any order; cascades when optimised for size."""
    shape, dtype = image(rng, 8, 40, 8)
    first = t = act(rng, b, shape, dtype)
    for _ in range(int(rng.integers(2, 9))):
        kind, k, shape = int(rng.integers(0, 6)), int(rng.choice([1, 3, 3, 5])), b.info[t][0]
        if kind == 0:
            t = square(rng, b, t, k, size(rng, 4, 48), int(rng.choice([1, 1, 2])))
        elif kind == 1:
            t = channelwise(rng, b, t, k, int(rng.choice([1, 1, 2])))
        elif kind == 2:
            t = binary_op(rng, b, "ADD", t, square(rng, b, t, k, shape[3]))
        elif kind == 3:
            t = pool_op(rng, b, str(rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"])), t, (3, 3), (1, 1), SAME)
        elif kind == 4:
            t = binary_op(rng, b, str(rng.choice(["MUL", "SUB"])), t, channelwise(rng, b, t, k))
        else:
            t = simple(rng, b, t)
    return [first], [t]


def elementwise_chain(rng, b):
    """Operators element by element in a row, some with a constant: chaining on U85."""
    dtype = dtype_of(rng)
    first = t = act(rng, b, [1, size(rng, 1, 20), size(rng, 1, 20), size(rng, 1, 60)], dtype)
    ins = [first]
    if chance(rng, 0.5):
        t = square(rng, b, t, int(rng.choice([1, 3])), size(rng, 1, 40))
    for _ in range(int(rng.integers(2, 8))):
        kind = int(rng.integers(0, 4))
        if kind == 0:
            t = simple(rng, b, t)
        elif kind == 1:
            z = act(rng, b, b.info[t][0], dtype)
            ins.append(z)
            t = binary_op(rng, b, str(rng.choice(["ADD", "SUB", "MUL"])), t, z)
        elif kind == 2:
            z = act(rng, b, [1, 1, 1, b.info[t][0][3]], dtype)
            b.set_data(z, rng.integers(-100, 100, b.info[z][0]))
            t = binary_op(rng, b, str(rng.choice(["ADD", "SUB", "MUL"])), t, z)
        else:
            t = binary_op(rng, b, "ADD", first if b.info[first][0] == b.info[t][0] else t, t)
    return ins, [t]


def mobilenet(rng, b):
    """Inverted residual blocks and a classifier."""
    shape, dtype = image(rng, 12, 48)
    first = act(rng, b, shape, dtype)
    t = square(rng, b, first, 3, size(rng, 4, 16), 2, RELU6)
    for _ in range(int(rng.integers(2, 6))):
        c, stride = b.info[t][0][3], int(rng.choice([1, 1, 2]))
        out = c if stride == 1 and chance(rng, 0.7) else size(rng, 4, 32)
        wide = square(rng, b, t, 1, c * int(rng.integers(2, 7)), 1, RELU6)
        narrow = square(rng, b, channelwise(rng, b, wide, int(rng.choice([3, 3, 5])), stride, RELU6), 1, out, 1, 0)
        t = binary_op(rng, b, "ADD", t, narrow) if stride == 1 and out == c else narrow
    return [first], [classify(rng, b, t, size(rng, 2, 40))]


def resnet(rng, b):
    shape, dtype = image(rng, 10, 40)
    first = act(rng, b, shape, dtype)
    t = square(rng, b, first, int(rng.choice([3, 5, 7])), size(rng, 8, 24), int(rng.choice([1, 2])))
    if chance(rng, 0.5):
        t = pool_op(rng, b, "MAX_POOL_2D", t, (3, 3), (2, 2), SAME)
    for _ in range(int(rng.integers(2, 6))):
        c, stride = b.info[t][0][3], int(rng.choice([1, 1, 2]))
        out = c if stride == 1 else min(2 * c, 96)
        u = square(rng, b, square(rng, b, t, 3, out, stride, 1), 3, out, 1, 0)
        t = binary_op(rng, b, "ADD", t if stride == 1 else square(rng, b, t, 1, out, stride, 0), u)
    return [first], [classify(rng, b, t, size(rng, 2, 40))]


def dscnn(rng, b):
    """Keyword spotting: depthwise separable convolutions."""
    first = act(rng, b, [1, size(rng, 20, 60), size(rng, 8, 40), 1], dtype_of(rng))
    t = conv_op(rng, b, first, (10, 4), size(rng, 8, 64), (2, 2), (1, 1), SAME, 1)
    for _ in range(int(rng.integers(1, 5))):
        t = square(rng, b, channelwise(rng, b, t, 3, 1, 1), 1, b.info[t][0][3], 1, 1)
    return [first], [classify(rng, b, t, 12)]


def unet(rng, b):
    """Down, up, and the skipped features joined; two outputs."""
    n, dtype = 4 * size(rng, 2, 9), dtype_of(rng, ("int8", "int8", "int16"))
    first = act(rng, b, [1, n, 4 * size(rng, 2, 9), size(rng, 1, 4)], dtype)
    t, kept = first, []
    for _ in range(2):
        t = square(rng, b, t, 3, size(rng, 4, 20))
        kept.append(t)
        t = pool_op(rng, b, "MAX_POOL_2D", t, (2, 2), (2, 2), s.Padding.VALID)
    t = middle = square(rng, b, t, 3, size(rng, 4, 32))
    for skip in reversed(kept):
        shape = b.info[skip][0]
        if chance(rng, 0.5) and dtype == "int8":
            up = like(b, t, shape[:3] + [b.info[t][0][3]])
            b.op("RESIZE_NEAREST_NEIGHBOR", [t, b.tensor([2], "int32", data=shape[1:3])], [up],
                 "ResizeNearestNeighborOptions", 3, alignCorners=False, halfPixelCenters=False)
        else:
            up = transpose_conv_op(rng, b, t, (2, 2), b.info[t][0][3], (2, 2), SAME)
        other = like(b, up, shape)
        b.op("QUANTIZE", [skip], [other], "QuantizeOptions", 2)
        joined = like(b, up, shape[:3] + [b.info[up][0][3] + shape[3]])
        b.op("CONCATENATION", [up, other], [joined], "ConcatenationOptions", 2, axis=3, fusedActivationFunction=0)
        t = square(rng, b, joined, 3, size(rng, 2, 16))
    return [first], [t, middle]


def squeeze_excite(rng, b):
    shape, dtype = image(rng, 6, 24, 32, ("int8",))
    first = act(rng, b, shape, dtype)
    t = square(rng, b, first, 3, size(rng, 8, 48))
    for _ in range(int(rng.integers(1, 4))):
        c = b.info[t][0][3]
        _, (m,) = reduce_op(rng, b, "MEAN", t, [1, 2], lambda o: like(b, t, o), True)
        m = square(rng, b, square(rng, b, m, 1, max(1, c // 4), 1, 1), 1, c, 1, 0)
        gate = unary_op(rng, b, "LOGISTIC", m, FIXED[dtype], None, 2)
        t = square(rng, b, binary_op(rng, b, "MUL", t, gate), 1, size(rng, 8, 48))
    return [first], [t]


def attention(rng, b):
    """A transformer block: projections, scores, softmax, mix, feed forward."""
    n, k = size(rng, 2, 20), size(rng, 4, 40)
    x = act(rng, b, [1, n, k], "int8")
    q, key, v = (fully_connected_op(rng, b, x, k, 0, True, False) for _ in range(3))
    scores = matmul_op(rng, b, q, key, False, True)
    probs = b.tensor([1, n, n], "int8", *FIXED["int8"])
    b.op("SOFTMAX", [scores], [probs], "SoftmaxOptions", 3, beta=1.0)
    t = binary_op(rng, b, "ADD", matmul_op(rng, b, probs, v, False, False, 1), x)
    u = fully_connected_op(rng, b, t, 2 * k, 1, True, False)
    if chance(rng, 0.5):
        u = unary_op(rng, b, "GELU", u, None, "GeluOptions", 2, approximate=True)
    return [x], [binary_op(rng, b, "ADD", fully_connected_op(rng, b, u, k, 0, True, False), t)]


def temporal(rng, b):
    """Dilated convolutions along one axis with residual sums."""
    c, dtype = size(rng, 4, 32), dtype_of(rng)
    first = act(rng, b, [1, 1, size(rng, 10, 100), c], dtype)
    t = first
    for i in range(int(rng.integers(2, 6))):
        u = conv_op(rng, b, t, (1, 3), c, (1, 1), (1, 1 << i % 4), SAME, 1)
        t = binary_op(rng, b, "ADD", t, u)
    return [first], [t]


def many_heads(rng, b):
    """Several inputs and several outputs of different kinds."""
    dtype = dtype_of(rng, ("int8", "int8", "int16"))
    shape = [1, size(rng, 4, 16), size(rng, 4, 16), size(rng, 4, 24)]
    ins = [act(rng, b, shape, dtype) for _ in range(int(rng.integers(2, 4)))]
    t = ins[0]
    for z in ins[1:]:
        t = binary_op(rng, b, "ADD", t, z)
    trunk = square(rng, b, t, 3, size(rng, 4, 24))
    outs = [square(rng, b, trunk, 1, size(rng, 1, 9), 1, 0), channelwise(rng, b, trunk, 3), classify(rng, b, trunk, 5)]
    return ins, outs[:int(rng.integers(2, 4))]


FAMILIES = (network, elementwise_chain, mobilenet, resnet, dscnn, unet, squeeze_excite, attention, temporal, many_heads)

# SPDX-License-Identifier: Apache-2.0
"""Operators of two or three tensors element by element, with broadcasting and constants."""
import numpy as np

from .draw import act, activation, chance, dtype_of, like, shape4, shape_any

OPTIONS = {"ADD": "AddOptions", "SUB": "SubOptions", "MUL": "MulOptions", "DIV": "DivOptions",
           "MAXIMUM": "MaximumMinimumOptions", "MINIMUM": "MaximumMinimumOptions",
           "SQUARED_DIFFERENCE": "SquaredDifferenceOptions", "GREATER": "GreaterOptions",
           "GREATER_EQUAL": "GreaterEqualOptions", "LESS": "LessOptions", "LESS_EQUAL": "LessEqualOptions",
           "EQUAL": "EqualOptions", "NOT_EQUAL": "NotEqualOptions", "LOGICAL_AND": "LogicalAndOptions",
           "LOGICAL_OR": "LogicalOrOptions", "LOGICAL_NOT": "LogicalNotOptions", "SELECT": "SelectOptions",
           "SELECT_V2": "SelectV2Options"}
ANY8_16 = ("int8", "int8", "int8", "int16", "uint8")


def pair_of(rng, shape, broadcast=0.4):
    """Two shapes that broadcast to shape; either side may be the smaller one."""
    a, c = list(shape), list(shape)
    if chance(rng, broadcast):
        for i in range(len(shape)):
            which = rng.integers(0, 5)
            if which == 0:
                a[i] = 1
            elif which == 1:
                c[i] = 1
    elif chance(rng, 0.2):
        c = c[int(rng.integers(0, len(c))):]
    return (a, c) if chance(rng, 0.7) else (c, a)


def fields_of(rng, name, dtype):
    fields = {"fusedActivationFunction": activation(rng)} if name in ("ADD", "SUB", "MUL") and dtype != "int32" else {}
    if name in ("ADD", "SUB") and dtype == "int16":
        fields["potScaleInt16"] = False
    return fields


def binary_op(rng, b, name, x, z, spread=None):
    """ADD, SUB or MUL of two tensors; returns the output."""
    shape = list(np.broadcast_shapes(tuple(b.info[x][0]), tuple(b.info[z][0])))
    dtype = b.info[x][1]
    y = act(rng, b, shape, dtype, spread or rng.uniform(0.5, 3))
    b.op(name, [x, z], [y], OPTIONS[name], 2, **fields_of(rng, name, dtype))
    return y


def arithmetic(rng, b, name):
    dtype = dtype_of(rng, ANY8_16)
    first, second = pair_of(rng, shape_any(rng))
    x, z = act(rng, b, first, dtype), act(rng, b, second, dtype, rng.uniform(0.2, 3))
    return [x, z], [binary_op(rng, b, name, x, z)]


def add(rng, b):
    return arithmetic(rng, b, "ADD")


def sub(rng, b):
    return arithmetic(rng, b, "SUB")


def mul(rng, b):
    return arithmetic(rng, b, "MUL")


def constant(rng, b):
    """One operand is a constant: a scalar, a vector or a full tensor, on either side."""
    name, dtype = str(rng.choice(["ADD", "SUB", "MUL"])), dtype_of(rng, ANY8_16)
    first, second = pair_of(rng, shape_any(rng), 0.6)
    if chance(rng, 0.3):
        second = [1] if chance(rng, 0.5) else []
    x = act(rng, b, first, dtype)
    z = act(rng, b, second, dtype, rng.uniform(0.2, 3))
    limits = np.iinfo(dtype)
    b.set_data(z, rng.integers(limits.min, limits.max + 1, second))
    return [x], [binary_op(rng, b, name, *((x, z) if chance(rng, 0.7) else (z, x)))]


def same_quantisation(rng, b, name):
    dtype = dtype_of(rng, ANY8_16 + ("int32",))
    first, second = pair_of(rng, shape_any(rng))
    x = act(rng, b, first, dtype)
    z = like(b, x, second)
    y = like(b, x, list(np.broadcast_shapes(tuple(first), tuple(second))))
    b.op(name, [x, z], [y], OPTIONS[name], 2)
    return [x, z], [y]


def maximum(rng, b):
    return same_quantisation(rng, b, "MAXIMUM")


def minimum(rng, b):
    return same_quantisation(rng, b, "MINIMUM")


def squared_difference(rng, b):
    first, second = pair_of(rng, shape_any(rng))
    dtype = dtype_of(rng, ("int8", "int8", "int16"))
    x, z = act(rng, b, first, dtype), act(rng, b, second, dtype)
    y = act(rng, b, list(np.broadcast_shapes(tuple(first), tuple(second))), dtype, 3)
    b.op("SQUARED_DIFFERENCE", [x, z], [y], "SquaredDifferenceOptions", 2)
    return [x, z], [y]


def int32_math(rng, b):
    """Of SQUARED_DIFFERENCE Vela 5.2.0 dies on U85, or gets it wrong where the tensors have a scale."""
    name = str(rng.choice(["ADD", "SUB", "MUL", "DIV", "MAXIMUM", "MINIMUM"]))
    first, second = pair_of(rng, shape_any(rng))
    x, z = b.tensor(first, "int32"), b.tensor(second, "int32")
    y = b.tensor(list(np.broadcast_shapes(tuple(first), tuple(second))), "int32")
    if name == "DIV":
        b.nonzero.add(z)
    b.op(name, [x, z], [y], OPTIONS[name], 2)
    return [x, z], [y]


def compare(rng, b):
    dtype = dtype_of(rng, ("int8", "int8", "uint8", "int32"))
    name = str(rng.choice(["GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "EQUAL", "NOT_EQUAL"]))
    first, second = pair_of(rng, shape_any(rng))
    x = act(rng, b, first, dtype)
    z = like(b, x, second)  # Vela 5.2.0 compares different scales as they are
    y = b.tensor(list(np.broadcast_shapes(tuple(first), tuple(second))), "bool", 1.0, 0)
    b.op(name, [x, z], [y], OPTIONS[name], 2)
    return [x, z], [y]


def logical(rng, b):
    name = str(rng.choice(["LOGICAL_AND", "LOGICAL_OR", "LOGICAL_NOT"]))
    first, second = pair_of(rng, shape_any(rng)) if name != "LOGICAL_NOT" else [shape_any(rng)] * 2
    ins = [b.tensor(n, "bool", 1.0, 0) for n in ([first] if name == "LOGICAL_NOT" else [first, second])]
    y = b.tensor(list(np.broadcast_shapes(tuple(first), tuple(second))), "bool", 1.0, 0)
    b.op(name, ins, [y], OPTIONS[name], 1)
    return ins, [y]


def select(rng, b):
    name, shape = str(rng.choice(["SELECT", "SELECT_V2", "SELECT_V2"])), shape_any(rng)
    shapes = [shape] * 3
    if name == "SELECT_V2" and chance(rng, 0.5):
        shapes = [[d if chance(rng, 0.75) else 1 for d in shape] for _ in range(3)]
    c = b.tensor(shapes[0], "bool", 1.0, 0)
    x = act(rng, b, shapes[1], dtype_of(rng, ANY8_16 + ("int32",)))
    z = like(b, x, shapes[2])
    y = like(b, x, list(np.broadcast_shapes(*map(tuple, shapes))))
    b.op(name, [c, x, z], [y], OPTIONS[name], 1)
    return [c, x, z], [y]


def prelu(rng, b):
    shape, dtype = shape4(rng), dtype_of(rng, ("int8", "int8", "uint8"))
    x = act(rng, b, shape, dtype)
    limits = np.iinfo(dtype)
    ashape = [[1, 1, shape[3]], [1, 1, 1], [shape[1], shape[2], shape[3]]][int(rng.choice([0, 0, 0, 1, 2]))]
    alpha = act(rng, b, ashape, dtype, rng.uniform(0.1, 1.5))
    b.set_data(alpha, rng.integers(limits.min, limits.max + 1, ashape))
    y = act(rng, b, shape, dtype)
    b.op("PRELU", [x, alpha], [y], None, 1)
    return [x], [y]


FAMILIES = (add, sub, mul, constant, maximum, minimum, squared_difference, int32_math, compare, logical, select, prelu)

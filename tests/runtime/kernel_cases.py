# SPDX-License-Identifier: Apache-2.0
"""One function per family of operators: draws operands, compares with PyTorch. CASES lists them by operator."""
import functools

import torch

from kernel_draw import ALL, FLOATS, INTEGERS, NUMBERS

CASES = []


def case(*names):
    """Registers a function that takes a Draw and the operator's name, once per name."""
    def register(function):
        CASES.extend((name, functools.partial(function, name=name)) for name in names)
        return function
    return register


def scalar(d, dtype):
    """A number that may go with a tensor of this type."""
    if dtype == torch.bool:
        return d.flip()
    return d.pick([d.integer(-5, 5), d.integer(-40, 40) / 8]) if dtype.is_floating_point else d.integer(-5, 5)


def pair(d, types, low=-20, high=20):
    shape = d.shape()
    a, b = shape, d.broadcast(shape)
    if d.flip():
        a, b = b, a
    return d.tensor(a, d.pick(types), low, high), d.tensor(b, d.pick(types), low, high)


@case("add.out", "sub.out", "mul.out", "maximum.out", "minimum.out", "div.out", "eq.Tensor_out", "ne.Tensor_out",
      "lt.Tensor_out", "le.Tensor_out", "gt.Tensor_out", "ge.Tensor_out", "logical_and.out", "logical_or.out",
      "logical_xor.out", "atan2.out", "fmax.out", "fmin.out", "copysign.out")
def two(d, name):
    types = ALL if name not in ("sub.out",) else FLOATS + INTEGERS
    a, b = pair(d, types)
    alpha = {"alpha": d.pick([1, 1, 2, -3])} if name in ("add.out", "sub.out") and not a.dtype == b.dtype == torch.bool else {}
    d.aten(name, a, b, **alpha)


@case("fmax.out", "fmin.out", "hypot.out")
def two_real(d, name):
    """With NaN and infinities now and then."""
    special = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0])
    a, b = (torch.where(torch.rand(t.shape, generator=d.generator) < 0.2, special[d.integer(0, 3)].to(t.dtype), t)
            for t in pair(d, [torch.float32, torch.float64]))
    d.aten(name, a, b)


@case("gcd.out", "lcm.out")
def divisors(d, name):
    """PyTorch's int8 and int16 products go through int; those of int32 and int64 do not overflow here."""
    d.aten(name, *pair(d, [torch.int32, torch.int64, torch.int16], -60, 60))


@case("copysign.Scalar_out")
def copysign_number(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(ALL)), d.pick([-1, 2, -0.0, 0.5]))


@case("bitwise_and.Tensor_out", "bitwise_or.Tensor_out", "bitwise_xor.Tensor_out")
def bits(d, name):
    d.aten(name, *pair(d, INTEGERS + [torch.bool], -128, 255))


@case("bitwise_left_shift.Tensor_out", "bitwise_right_shift.Tensor_out")
def shifts(d, name):
    dtype = d.pick(INTEGERS)
    shape = d.shape()
    d.aten(name, d.tensor(shape, dtype, -128, 255), d.tensor(d.broadcast(shape), dtype, 0, 6))


@case("div.out_mode", "floor_divide.out", "fmod.Tensor_out", "remainder.Tensor_out")
def quotients(d, name):
    a, b = pair(d, [torch.float32, torch.float64] + INTEGERS)
    b = torch.where(b == 0, torch.ones_like(b), b)
    d.aten(name, a, b, **({"rounding_mode": d.pick([None, "trunc", "floor"])} if name == "div.out_mode" else {}))


@case("pow.Tensor_Tensor_out")
def power(d, name):
    a, b = pair(d, [torch.float32, torch.int32, torch.int64], 0, 5)
    d.aten(name, a, b)


@case("add.Scalar_out", "sub.Scalar_out", "rsub.Scalar_out", "mul.Scalar_out", "div.Scalar_out", "eq.Scalar_out",
      "ne.Scalar_out", "lt.Scalar_out", "le.Scalar_out", "gt.Scalar_out", "ge.Scalar_out", "fmod.Scalar_out",
      "remainder.Scalar_out")
def with_number(d, name):
    a = d.tensor(d.shape(), d.pick(NUMBERS + [torch.float64]))
    number = d.pick([d.integer(1, 9), -d.integer(1, 9), d.integer(1, 40) / 8])
    d.aten(name, a, number)


@case("div.Scalar_mode_out")
def quotient_number(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(NUMBERS)), d.pick([-3, 2, 2.5]), rounding_mode=d.pick([None, "trunc", "floor"]))


@case("pow.Tensor_Scalar_out")
def power_number(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(NUMBERS), 1, 6), d.pick([0, 1, 2, 3, 0.5, 2.0]))


@case("pow.Scalar_out")
def number_power(d, name):
    d.aten(name, d.pick([2, 3, 1.5]), d.tensor(d.shape(), d.pick(NUMBERS), 0, 5))


@case("bitwise_and.Scalar_out", "bitwise_or.Scalar_out", "bitwise_xor.Scalar_out")
def bits_number(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(INTEGERS)), d.integer(0, 100))


@case("bitwise_left_shift.Tensor_Scalar_out", "bitwise_right_shift.Tensor_Scalar_out", "__lshift__.Scalar_out", "__rshift__.Scalar_out")
def shift_number(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(INTEGERS)), d.integer(0, 6))


@case("acos.out", "acosh.out", "asin.out", "asinh.out", "atan.out", "atanh.out", "cos.out", "cosh.out", "erf.out", "erfc.out", "exp2.out",
      "exp.out", "expm1.out", "log.out", "log10.out", "log1p.out", "log2.out", "reciprocal.out", "rsqrt.out",
      "sigmoid.out", "sin.out", "sinh.out", "sqrt.out", "tan.out", "tanh.out")
def real(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(ALL), -4, 4), tolerance=None)


@case("erfinv.out", "digamma.out", "lgamma.out", "i0.out")
def special(d, name):
    """PyTorch's erfinv of float64 is right to 1e-11, its digamma of float32 to 1e-5."""
    x = d.tensor(d.shape(), d.pick(ALL), *((-1, 1) if "erfinv" in name else (-6, 30)))
    edges = torch.tensor([0.0, 1.0, -1.0, 0.99999, -3.0, float("nan")], dtype=torch.float64)
    if x.is_floating_point():
        x = torch.where(torch.rand(x.shape, generator=d.generator) < 0.1, edges[d.integer(0, 5)].to(x.dtype), x)
    d.aten(name, x, tolerance={torch.float32: 3e-5, torch.float64: 1e-10}.get(x.dtype) if x.is_floating_point() else 3e-5)


@case("abs.out", "neg.out", "sign.out", "ceil.out", "floor.out", "trunc.out", "round.out", "relu.out")
def keeps(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(FLOATS + INTEGERS)))


@case("logical_not.out", "isnan.out", "isinf.out", "signbit.out")
def truths(d, name):
    a = d.tensor(d.shape(), d.pick(ALL))
    if a.is_floating_point():
        a = torch.where(d.tensor(a.shape, torch.bool), a / 0 * d.pick([0, 1, -1]), a)
    d.aten(name, a)


@case("bitwise_not.out")
def inverted(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(INTEGERS + [torch.bool])))


@case("gelu.out")
def gelu(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(FLOATS), -5, 5), approximate=d.pick(["none", "tanh"]))


@case("leaky_relu.out")
def leaky_relu(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(FLOATS)), d.pick([0.01, 0.5]))


@case("elu.out")
def elu(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(FLOATS), -4, 4), d.pick([1, 0.5]), d.pick([1, 1.7]), d.pick([1, 0.3]))


@case("logit.out")
def logit(d, name):
    d.aten(name, d.tensor(d.shape(), d.pick(FLOATS), 0.05, 0.95), d.pick([None, 0.2]))


@case("clamp.out")
def clamp(d, name):
    dtype = d.pick(NUMBERS)
    low, high = d.pick([(None, 3), (-4, None), (-4, 3), (5, 2), (-1.5, 2.5)])
    d.aten(name, d.tensor(d.shape(), dtype), low, high)


@case("clamp.Tensor_out")
def clamp_tensors(d, name):
    dtype, shape = d.pick(NUMBERS), d.shape()
    bound = lambda: d.tensor(d.broadcast(shape), dtype)
    low, high = d.pick([(bound(), None), (None, bound()), (bound(), bound())])
    d.aten(name, d.tensor(shape, dtype), low, high)


@case("hardtanh.out")
def hardtanh(d, name):
    dtype = d.pick([torch.float32, torch.int8, torch.int32])
    d.aten(name, d.tensor(d.shape(), dtype), -3, 6)


@case("where.self_out")
def where(d, name):
    a, b = pair(d, ALL)
    shape = torch.broadcast_shapes(a.shape, b.shape)
    d.aten(name, d.tensor(d.broadcast(shape), torch.bool), a, b)


@case("masked_fill.Scalar_out")
def masked_fill(d, name):
    a = d.tensor(d.shape(), d.pick(ALL))
    d.aten(name, a, d.tensor(d.broadcast(a.shape), torch.bool), scalar(d, a.dtype))

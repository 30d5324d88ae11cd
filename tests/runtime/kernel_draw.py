# SPDX-License-Identifier: Apache-2.0
"""Draws operands, calls an operator in PyTorch and in the embedded runtime, compares the results."""
import random

import torch

from kernel_rig import like

FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64]
NUMBERS = [torch.float32] + INTEGERS
ALL = FLOATS + INTEGERS + [torch.bool]
TOLERANCE = {torch.float32: 3e-6, torch.float64: 1e-12, torch.float16: 1e-3, torch.bfloat16: 3e-2}


def same(expected, got, tolerance=None):
    assert expected.shape == got.shape and expected.dtype == got.dtype
    if expected.is_complex():
        expected, got = torch.view_as_real(expected), torch.view_as_real(got)
    if expected.dtype in TOLERANCE:
        t = TOLERANCE[expected.dtype] if tolerance is None else tolerance
        ok = torch.isclose(got.double(), expected.double(), rtol=t, atol=t, equal_nan=True)
    else:
        ok = got == expected
    if not bool(ok.all()):
        at = tuple((~ok).nonzero()[0].tolist())
        raise AssertionError(f"{int((~ok).sum())} of {ok.numel()} differ; at {at} {got[at].item()}, "
                             f"expected {expected[at].item()}")


class Draw:
    def __init__(self, seed, rig, record=None):
        self.random, self.rig, self.record, self.calls = random.Random(seed), rig, record, 0
        self.generator = torch.Generator().manual_seed(seed)

    def pick(self, items):
        return self.random.choice(list(items))

    def integer(self, low, high):
        return self.random.randint(low, high)

    def flip(self):
        return self.random.random() < 0.5

    def shape(self, low=0, high=5, most=300):
        while True:
            shape = [self.integer(1, 9) if self.random.random() < 0.9 else 1 for _ in range(self.integer(low, high))]
            if torch.Size(shape).numel() <= most:
                return shape

    def tensor(self, shape, dtype=torch.float32, low=-20, high=20, order=True):
        """Values in [low, high]; four dimensions are channels-last now and then."""
        if dtype == torch.bool:
            t = torch.rand(shape, generator=self.generator) < 0.5
        elif dtype.is_floating_point:
            t = (torch.rand(shape, generator=self.generator) * (high - low) + low).to(dtype)
        else:
            info = torch.iinfo(dtype)
            t = torch.randint(max(low, info.min), min(high, info.max) + 1, tuple(shape), generator=self.generator, dtype=dtype)
        if order and len(shape) == 4 and self.flip():
            t = t.contiguous(memory_format=torch.channels_last)
        return t

    def broadcast(self, shape):
        """A shape that broadcasts to this one."""
        shape = [1 if self.random.random() < 0.3 else n for n in shape]
        return shape[self.integer(0, len(shape)):] if self.random.random() < 0.3 else shape

    def call(self, name, *arguments, expected, tolerance=None, as_list=False):
        """Calls the kernel with all arguments of the schema but the outputs; `expected` are the outputs, one list of them
        if as_list."""
        expected = list(expected) if isinstance(expected, (list, tuple)) else [expected]
        outs = [like(e) for e in expected]
        self.rig.call(name, *arguments, *([outs] if as_list else outs))
        self.calls += 1
        for e, out in zip(expected, outs):
            same(e, out, tolerance)

    def aten(self, name, *arguments, tolerance=None, **named):
        """An operator of ATen: what is missing comes from the schema of its out variant."""
        packet, overload = name.split(".")
        expected = getattr(torch.ops.aten, packet)(*arguments, **named)
        schema = getattr(getattr(torch.ops.aten, packet), overload)._schema
        full = list(arguments)
        for a in schema.arguments[len(arguments):]:
            if not a.is_out:
                full.append(named[a.name] if a.name in named else a.default_value)
        self.call("aten::" + name, *full, expected=expected, tolerance=tolerance)

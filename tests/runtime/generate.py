#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the programs in tests/runtime/data: one per part of the format that the loader and executor must know.

  generate.py DIRECTORY

Needs torch 2.13.0 and executorch 1.4.1."""
import os
import sys

import torch
from executorch.devtools import BundledProgram
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from torch.export import Dim, export


class Choose(torch.nn.Module):
    """Jumps and moves."""
    def forward(self, which, x):
        return torch.cond(which, lambda x: x + x, lambda x: x * x, [x])


class Branch(torch.nn.Module):
    """What a branch gives is used through a view, which needs no instruction."""
    def forward(self, which, x):
        y = torch.cond(which, lambda x: x + x, lambda x: x * x, [x])
        return y.reshape(3, 1) * 10.0, x + 0.5


class Twice(torch.nn.Module):
    def forward(self, x):
        return x + x


class Floats(torch.nn.Module):
    """Inputs and outputs of the other floating-point types."""
    def forward(self, half, upper, twice):
        return half + half, upper + upper, twice + twice


class Thrice(torch.nn.Module):
    def forward(self, x):
        return x * 3.0


class Count(torch.nn.Module):
    """A buffer that lasts from one run to the next."""
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.tensor([10.0, 20.0]))

    def forward(self, x):
        self.total.add_(x)
        return self.total + 0.5


class Scale(torch.nn.Module):
    """A plain number among the inputs; an output without dimensions beside one with."""
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0, 4.0]))

    def forward(self, x, n: int):
        return x * self.weight, x[0] + x[1]


class Constants(torch.nn.Module):
    """Outputs that are no tensors."""
    def forward(self, x):
        return x + x, 3, 2.5, True


class Rows(torch.nn.Module):
    """A loop over the rows (et_copy_index and arithmetic on the counter)."""
    def forward(self, x):
        return torch._higher_order_ops.map(lambda r: r * r, x)


def program(methods, external_constants=False, constant_methods=None, **options):
    exported = {name: export(m.eval(), args, **options) for name, (m, args) in methods.items()}
    edge = to_edge(exported, constant_methods=constant_methods, compile_config=EdgeCompileConfig(_check_ir_validity=False))
    return edge.to_executorch(ExecutorchBackendConfig(passes=[InitializedMutableBufferPass(["total"])],
                                                  external_constants=external_constants))


def bundle(manager, x, *expected):
    """A test for each of the outputs that are expected."""
    suite = MethodTestSuite("forward", [MethodTestCase((x,), (e,)) for e in expected])
    return serialize_from_bundled_program_to_flatbuffer(BundledProgram(manager, [suite]))


def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)
    print(name, len(data))


def main():
    folder = sys.argv[1]
    x = torch.tensor([1.0, 2.0, 3.0])
    write(folder, "choose.pte", program({"forward": (Choose(), (torch.tensor(True), x))}).buffer)
    write(folder, "branch.pte", program({"forward": (Branch(), (torch.tensor(True), x))}).buffer)
    write(folder, "methods.pte", program({"twice": (Twice(), (x,)), "thrice": (Thrice(), (x,))}).buffer)
    write(folder, "constants.pte", program({"forward": (Constants(), (x,))}, constant_methods={"label": "cat"}).buffer)
    write(folder, "count.pte", program({"forward": (Count(), (torch.ones(2),))}).buffer)
    write(folder, "scale.pte", program({"forward": (Scale(), (x, 7))}).buffer)
    write(folder, "dynamic.pte", program({"forward": (Twice(), (torch.ones(4, 2),))},
                                         dynamic_shapes={"x": {0: Dim("n", min=1, max=8)}}).buffer)
    try:
        write(folder, "rows.pte", program({"forward": (Rows(), (torch.ones(3, 2),))}).buffer)
    except Exception as error:  # not all releases export it
        print("rows.pte:", error)
    manager = program({"forward": (Scale(), (x, 7))}, external_constants=True)
    write(folder, "outside.pte", manager.buffer)
    write(folder, "outside.ptd", bytes(next(iter(manager._tensor_data.values()))))
    manager = program({"forward": (Twice(), (x,))})
    write(folder, "right.bpte", bundle(manager, x, x + x))
    write(folder, "wrong.bpte", bundle(manager, x, x + x + 0.5))
    write(folder, "two.bpte", bundle(manager, x, x + x, x))
    half = x.to(torch.float16)
    manager = program({"forward": (Twice(), (half,))})
    write(folder, "halves.bpte", bundle(manager, half, half + half + torch.tensor([0, 0, 0.5], dtype=torch.float16)))
    floats = (half, x.to(torch.bfloat16), x.to(torch.float64))
    write(folder, "floats.pte", program({"forward": (Floats(), floats)}).buffer)
    column = torch.arange(8.0).reshape(2, 4, 1)
    write(folder, "column.bpte", bundle(program({"forward": (Twice(), (column,))}), column,
                                        (column + column).as_strided((2, 4, 1), (4, 1, 4))))
    manager = program({"forward": (Twice(), (torch.ones(4, 2),))}, dynamic_shapes={"x": {0: Dim("n", min=1, max=8)}})
    rows = torch.arange(6.0).reshape(3, 2)
    write(folder, "sized.bpte", bundle(manager, rows, rows + rows))


if __name__ == "__main__":
    main()

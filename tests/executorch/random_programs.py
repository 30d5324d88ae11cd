#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of portable operators, exported by ExecuTorch, on our runner: their outputs against PyTorch's.

  random_programs.py CACHE BUILD [--seed N] [--count N] [--keep FOLDER]      (Python and packages as suite.py)

A program has one to three inputs, of numbers of all types, and two to ten operators on drawn shapes. Some have a first
dimension that is not fixed, a condition, or a buffer that each run changes. Integers must be equal; numbers with a point may differ by
rounding. --seed N with --count 1 repeats program N."""
import argparse
import os
import sys
import tempfile

from programs import in_memory, in_venv, quiet, run

TOLERANCE = 2e-4  # of the largest element: operators one behind the other, and sums of hundreds of products
OUTPUTS = 4


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cache")
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", help="folder for programs, inputs and outputs")
    return parser.parse_args()


def usable(value):
    """Whether a value may stay in a program: not empty, not large, no infinities, which grow into differences."""
    import torch
    from random_steps import MOST
    return (isinstance(value, torch.Tensor) and 0 < value.numel() <= MOST and value.dim() <= 6
            and (not value.is_floating_point() or bool(value.isfinite().all()) and float(value.abs().max()) < 1e6))


def drawn_step(d):
    """The next step, tried out, and its value; None when the draw does not fit."""
    from random_steps import STEPS, Step
    import torch
    i = max(d.integer(0, len(d.values) - 1), d.integer(0, len(d.values) - 1))
    x = d.values[i]
    step = d.pick(STEPS)(d, i, x)
    if step is None:
        return None
    if d.random.random() < 0.05 and step.numbers == (i,) and d.is_exact(i):
        other, inner = step.function(x), step.function  # a condition with two branches of equal shape

        def condition(x):
            return torch.cond((x > 0).any(), lambda x: inner(x).clone(), lambda x: inner(x * 1) + 1, (x,))
        if isinstance(other, torch.Tensor) and other.dtype == (other + 1).dtype:
            step = Step("cond_" + step.name, condition, i)
    try:
        value = step(d.values)
    except (RuntimeError, IndexError, TypeError, ValueError):
        return None
    return (step, value) if usable(value) else None


def drawn_program(seed):
    """(module, inputs, whether the first dimension is open)"""
    import torch
    from random_steps import INTEGERS, Draw, Program
    d = Draw(seed)
    shapes = [d.shape()]
    for _ in range(d.pick([0, 0, 1, 2])):
        shapes.append([1 if d.random.random() < 0.3 else n for n in shapes[0]][d.integer(0, 1):])
    types = [d.pick([torch.float32] * 6 + [*INTEGERS]) for _ in shapes]
    d.values = [d.tensor(s, t, -9 if t != torch.float32 else -4, 9 if t != torch.float32 else 4) for s, t in zip(shapes, types)]
    inputs, d.roots = tuple(d.values), len(d.values)
    steps, wanted = [], d.integer(2, 10)
    while len(steps) < wanted:
        found = drawn_step(d)
        if found:
            steps.append(found[0])
            d.values = [*d.values, found[1]]
    taken = {i for s in steps for i in s.numbers}
    free = [i for i in range(d.roots, len(d.values)) if i not in taken][-OUTPUTS:]
    state = torch.zeros([]) if types[0] == torch.float32 and d.values[free[0]].dtype == torch.float32 and d.random.random() < 0.1 else None
    return Program(steps, free, state), inputs, state is None and d.random.random() < 0.4


def exported(module, inputs, is_open):
    """The program, and the inputs to run it with: smaller ones where the first dimension is open."""
    import torch
    given = inputs
    if is_open and inputs[0].size(0) > 1:
        size = inputs[0].size(0)
        dim = torch.export.Dim("n", min=1, max=size)
        shapes = tuple({0: dim} if x.dim() == inputs[0].dim() and x.size(0) == size else None for x in inputs)
        try:
            program = torch.export.export(module, inputs, dynamic_shapes=(shapes,))
            given = tuple(x[:size - 1].contiguous() if s else x for x, s in zip(inputs, shapes))
            module(*given)
            return program, given
        except Exception:  # steps that need the size that they were drawn for
            given = inputs
    return torch.export.export(module, inputs), given


def file_of(program, inputs, expected):
    """The program's bytes, in a bundle that sets the inputs, as a shape that differs from the largest must be told; and the
    expected outputs as they will lie in memory."""
    from executorch.devtools import BundledProgram
    from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
    from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
    from executorch.exir import EdgeCompileConfig, to_edge
    made = to_edge(program, compile_config=EdgeCompileConfig(_check_ir_validity=False)).to_executorch()
    plan = made.executorch_program.execution_plan[0]
    expected = [as_ordered(e, plan.values[k].val.dim_order) for e, k in zip(expected, plan.outputs)]
    bundle = BundledProgram(made, [MethodTestSuite("forward", [MethodTestCase(inputs=inputs, expected_outputs=expected)])])
    return bytes(serialize_from_bundled_program_to_flatbuffer(bundle)), expected


def as_ordered(tensor, order):
    """The tensor with its dimensions in this order in memory."""
    places = sorted(range(len(order)), key=lambda i: order[i])
    return tensor.permute(list(order)).contiguous().permute(places)


def differs(got, expected):
    """Why the bytes are not those of the tensor; None when they are."""
    import torch
    wanted = in_memory(expected)
    if len(got) != wanted.nbytes:
        return f"{len(got)} bytes, {wanted.nbytes} expected"
    ours, wanted = torch.frombuffer(bytearray(got), dtype=expected.dtype), torch.from_numpy(wanted)
    if expected.is_floating_point():
        right = (ours - wanted).abs() <= TOLERANCE * max(1.0, float(wanted.abs().max()))
    else:
        right = ours == wanted
    at = int((~right).nonzero()[0]) if not bool(right.all()) else None
    return at if at is None else f"{int((~right).sum())} of {right.numel()} differ; element {at} is {ours[at]}, expected {wanted[at]}"


def check(a, seed, folder):
    """A line for the report; it begins with FAILED when the outputs are wrong."""
    import copy
    module, inputs, is_open = drawn_program(seed)
    names = " ".join(s.name for s in module.steps)
    with quiet(os.path.join(folder, "log")):
        try:
            program, given = exported(copy.deepcopy(module), inputs, is_open)
            file, expected = file_of(program, given, copy.deepcopy(module)(*given))
        except Exception as error:  # what ExecuTorch refuses is not ours
            return f"refused by ExecuTorch: {names}: {type(error).__name__}: {str(error).splitlines()[0][:150] if str(error) else ''}"
    open_or_not = f" ({inputs[0].size(0)} open)" if given is not inputs else ""
    try:
        outputs = run(a.build, "cortex-m", file, None, folder)
    except AssertionError as error:
        return f"FAILED {names}{open_or_not}: {error}"
    for i, e in enumerate(expected):
        why = differs(outputs[i], e)
        if why:
            return f"FAILED {names}{open_or_not}: output {i}, {list(e.shape)} {e.dtype}: {why}"
    return f"equal: {names}{open_or_not}"


def main():
    a = arguments()
    in_venv(a.cache, a.build)
    import collections
    import logging
    import warnings
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for seed in range(a.seed, a.seed + a.count):
            folder = os.path.join(a.keep or temporary, str(seed))
            os.makedirs(folder, exist_ok=True)
            line = check(a, seed, folder)
            counts[line.split()[0]] += 1
            print(f"{seed}: {line}", flush=True)
    print(f"{counts['equal:']} equal, {counts['FAILED']} failed, {counts['refused']} refused by ExecuTorch")
    return counts["FAILED"] > 0 or counts["equal:"] < a.count / 2


if __name__ == "__main__":
    sys.exit(main())

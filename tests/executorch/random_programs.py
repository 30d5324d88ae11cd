#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs, exported by ExecuTorch, on our runners: their outputs against PyTorch's or those of the TOSA model.

  random_programs.py CACHE BUILD [--target TARGET] [--seed N] [--count N] [--keep FOLDER]   (Python and packages as suite.py)

A program has one to three inputs and two to ten operators on drawn shapes. --seed N with --count 1 repeats program N.

For the processor (cortex-m) it is not quantised and has portable operators alone, on numbers of all types. Some have a first
dimension that is not fixed, a condition, or a buffer that each run changes. Integers must be equal; numbers with a point may
differ by rounding.

For an NPU it is quantised, every third with values of 16 bits. What the NPU cannot compute stays on the processor. The outputs
must be those of the TOSA reference model, all bytes when the NPU computes everything."""
import argparse
import os
import sys
import tempfile

from programs import TARGETS, for_npu, in_memory, in_venv, quiet, run

TOLERANCE = 2e-4  # of the largest element: operators one behind the other, and sums of hundreds of products
QUANTA = 0.03  # of the largest element: a step more or less where the processor rounds between two parts of the NPU
OUTPUTS = 4


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cache")
    parser.add_argument("build")
    parser.add_argument("--target", choices=TARGETS, default="cortex-m")
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
    if i in d.ends:
        return None
    x = d.values[i]
    weights, steps = zip(*[(weight, function) for weight, quantised, function in STEPS if quantised or not d.is_quantised])
    step = d.random.choices(steps, weights)[0](d, i, x)
    if step is None:
        return None
    if not d.is_quantised and d.random.random() < 0.05 and step.numbers == (i,) and d.is_exact(i):
        other, inner = step.function(x), step.function  # a condition with two branches of equal shape

        def condition(x):
            return torch.cond((x > 0).any(), lambda x: inner(x).clone(), lambda x: inner(x * 1) + 1, (x,))
        if not step.is_end and isinstance(other, torch.Tensor) and other.dtype == (other + 1).dtype:
            step = Step("cond_" + step.name, condition, i)
    try:
        value = step(d.values)
    except (RuntimeError, IndexError, TypeError, ValueError):
        return None
    return (step, value) if usable(value) else None


def drawn_program(seed, is_quantised):
    """(module, inputs, whether the first dimension is open)"""
    import torch
    from random_steps import INTEGERS, Draw, Program
    d = Draw(seed, is_quantised)
    shapes = [d.shape()]
    for _ in range(d.pick([0, 0, 1, 2])):
        shapes.append([1 if d.random.random() < 0.3 else n for n in shapes[0]][d.integer(0, 1):])
    types = [torch.float32 if is_quantised else d.pick([torch.float32] * 6 + [*INTEGERS]) for _ in shapes]
    d.values = [d.tensor(s, t, -9 if t != torch.float32 else -4, 9 if t != torch.float32 else 4) for s, t in zip(shapes, types)]
    inputs, d.roots = tuple(d.values), len(d.values)
    steps, wanted = [], d.integer(2, 10)
    while len(steps) < wanted:
        found = drawn_step(d)
        if found:
            steps.append(found[0])
            if found[0].is_end:
                d.ends.add(len(d.values))
            d.values = [*d.values, found[1]]
    taken = {i for s in steps for i in s.numbers}
    free = [i for i in range(d.roots, len(d.values)) if i not in taken][-OUTPUTS:]
    if is_quantised:
        return Program(steps, free), inputs, False
    has_state = types[0] == d.values[free[0]].dtype == torch.float32 and d.random.random() < 0.1
    return Program(steps, free, torch.ones([]) if has_state else None), inputs, not has_state and d.random.random() < 0.4


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


def as_ordered(tensors, program):
    """The outputs as they will lie in memory, with the dimensions in the program's order."""
    plan = program.executorch_program.execution_plan[0]
    ordered = []
    for tensor, k in zip(tensors, plan.outputs):
        order = list(plan.values[k].val.dim_order)
        ordered.append(tensor.permute(order).contiguous().permute(sorted(range(len(order)), key=lambda i: order[i])))
    return ordered


def for_runner(module, inputs, is_open, with_outputs=False):
    """(bytes, inputs, expected outputs, tolerance) of a program for the processor: a bundle that sets the inputs, as a shape
    that differs from the largest must be told. with_outputs: it holds the expected outputs, too."""
    import copy
    from executorch.devtools import BundledProgram
    from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
    from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
    from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge
    from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
    program, given = exported(copy.deepcopy(module), inputs, is_open)
    made = to_edge(program, compile_config=EdgeCompileConfig(_check_ir_validity=False)).to_executorch(
        ExecutorchBackendConfig(passes=[InitializedMutableBufferPass(["state"])]))
    expected = as_ordered(copy.deepcopy(module)(*given), made)
    bundle = BundledProgram(made, [MethodTestSuite("forward", [MethodTestCase(given, expected if with_outputs else None)])])
    return bytes(serialize_from_bundled_program_to_flatbuffer(bundle)), given, expected, TOLERANCE


def for_accelerator(target, module, inputs, is_wide):
    """The same of a quantised program; the runner gets the inputs by files."""
    program, expected, _ = for_npu(target, module, inputs, is_wide)
    operators = [o.name for o in program.executorch_program.execution_plan[0].operators]
    is_whole = all(name.startswith(("quantized_decomposed::", "cortex_m::")) for name in operators)
    return program.buffer, inputs, as_ordered(expected, program), 0 if is_whole else QUANTA


def differs(got, expected, tolerance):
    """Why the bytes are not those of the tensor; None when they are."""
    import torch
    wanted = in_memory(expected)
    if len(got) != wanted.nbytes:
        return f"{len(got)} bytes, {wanted.nbytes} expected"
    ours, wanted = torch.frombuffer(bytearray(got), dtype=expected.dtype), torch.from_numpy(wanted)
    if expected.is_floating_point():
        right = (ours - wanted).abs() <= tolerance * max(1.0, float(wanted.abs().max()))
    else:
        right = ours == wanted
    at = int((~right).nonzero()[0]) if not bool(right.all()) else None
    return at if at is None else f"{int((~right).sum())} of {right.numel()} differ; element {at} is {ours[at]}, expected {wanted[at]}"


def check(a, seed, folder):
    """A line for the report; it begins with FAILED when the outputs are wrong."""
    import torch
    is_quantised, is_wide = a.target != "cortex-m", seed % 3 == 0
    module, inputs, is_open = drawn_program(seed, is_quantised)
    names = " ".join(s.name for s in module.steps)
    torch.manual_seed(seed)
    with quiet(os.path.join(folder, "log")), torch.no_grad():
        try:
            file, given, expected, tolerance = (for_accelerator(a.target, module, inputs, is_wide) if is_quantised else
                                                for_runner(module, inputs, is_open))
        except Exception as error:  # what ExecuTorch or Vela refuses is not ours
            return f"refused: {names}: {type(error).__name__}: {(str(error).splitlines() or [''])[0][:150]}"
    names += " (16 bits)" if is_quantised and is_wide else f" ({inputs[0].size(0)} open)" if given is not inputs else ""
    names += " (parts on the processor)" if is_quantised and tolerance else ""
    try:
        outputs = run(a.build, a.target, file, inputs if is_quantised else None, folder)
    except AssertionError as error:
        return f"FAILED {names}: {error}"
    for i, e in enumerate(expected):
        why = differs(outputs[i], e, tolerance)
        if why:
            return f"FAILED {names}: output {i}, {list(e.shape)} {e.dtype}: {why}"
    return f"equal: {names}"


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
    print(f"{counts['equal:']} equal, {counts['FAILED']} failed, {counts['refused:']} refused by ExecuTorch or Vela")
    return counts["FAILED"] > 0 or counts["equal:"] < a.count / 2


if __name__ == "__main__":
    sys.exit(main())

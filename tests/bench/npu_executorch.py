#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks of all that ExecuTorch gives the NPU, for npu_cliffs.py.

    npu_executorch.py FOLDER [--accelerators A,B] [--seed N] [--modules A,B] [--times N]

Makes one large network of every module of tests/npu/et_modules (sizes from the upper third of what a module draws, --times: so many times as large, so
that what an element takes is not hidden by what an operation takes), quantises it to int8 and to int16
with weights of a byte, lowers it by ExecuTorch to TOSA (once for all accelerators of U55 and U65, once for those of U85) and compiles the graphs by its
Vela: FOLDER/ACCELERATOR/NAME_WIDTH_GRAPH_vela.tflite. Then:

    npu_cliffs.py NPU_BENCH WORK --accelerators A --models FOLDER

Runs in the package set `executorch` of tests/npu/in_environment.py."""
import argparse
import contextlib
import io
import itertools
import os
import sys
import warnings
import zlib

import numpy as np
import torch

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "npu"))
import cases  # noqa: E402
import et_corpus  # noqa: E402
import et_modules  # noqa: E402
import vela  # noqa: E402


SYSTEMS = {"ethos-u55": ("Ethos_U55_High_End_Embedded", "Shared_Sram"), "ethos-u65": ("Ethos_U65_High_End", "Shared_Sram"),
           "ethos-u85": ("Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB")}


def draw_large(times):
    """In place of draw.size(): the upper third of what that draws."""
    def large(rng, low, high):
        return times * int(rng.integers(max(low, high - (high - low) // 3), high + 1))
    for module in vars(et_modules).values():
        if hasattr(module, "size"):
            module.size = large


def make(name, seed, times, accelerators, wide, folder):
    """The compiled graphs of one module for accelerators that take the same TOSA; says how many."""
    warnings.simplefilter("ignore")
    torch.manual_seed(seed)
    draw_large(times)
    module, examples = et_modules.MODULES[name](np.random.default_rng([seed, zlib.crc32(name.encode())]))
    made = 0
    with contextlib.redirect_stdout(io.StringIO()):
        for number, graph in enumerate(et_corpus.lower(module, examples, accelerators[0], wide)[1]):
            path = os.path.join(folder, f"{name}_{'int16' if wide else 'int8'}_{number}.tosa")
            with open(path, "wb") as f:
                f.write(graph)
            for accelerator in accelerators:
                system, mode = SYSTEMS[accelerator[:9]]
                options = ["--system-config", system, "--memory-mode", mode]
                made += vela.compile_file(path, accelerator, options, os.path.join(folder, accelerator)) is not None
            os.remove(path)
    return f"{made} graphs"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder")
    p.add_argument("--accelerators", default="ethos-u55-128,ethos-u65-512,ethos-u85-256")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--times", type=int, default=1)
    p.add_argument("--modules", default=",".join(et_modules.USUAL))
    a = p.parse_args()
    accelerators = a.accelerators.split(",")
    families = [f for f in ([x for x in accelerators if "u85" not in x], [x for x in accelerators if "u85" in x]) if f]
    for accelerator in accelerators:
        os.makedirs(os.path.join(a.folder, accelerator), exist_ok=True)
    import executorch.backends.arm.ethosu  # noqa: F401  loaded once, before the children
    import executorch.backends.arm.quantizer  # noqa: F401
    import executorch.exir  # noqa: F401
    for name in a.modules.split(","):
        for family, wide in itertools.product(families, (False, True)):
            print(name, *family, "int16" if wide else "int8", cases.isolated(make, name, a.seed, a.times, family, wide, a.folder), flush=True)


if __name__ == "__main__":
    main()

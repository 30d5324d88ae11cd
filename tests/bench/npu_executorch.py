#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks of all that ExecuTorch gives the NPU, for npu_cliffs.py.

    npu_executorch.py FOLDER [--accelerator A] [--seed N] [--modules A,B]

Makes one large network of every module of tests/npu/et_modules (sizes from the upper third of what a module draws), quantises it to int8 and to int16
with weights of a byte, lowers it by ExecuTorch to TOSA and compiles the graphs by its Vela: FOLDER/ACCELERATOR/NAME_WIDTH_GRAPH_vela.tflite. Then:

    npu_cliffs.py NPU_BENCH WORK --accelerators A --models FOLDER

Runs in the package set `executorch` of tests/npu/in_environment.py."""
import argparse
import contextlib
import io
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


OPTIONS = ["--system-config", "Ethos_U85_SYS_DRAM_Mid", "--memory-mode", "Dedicated_Sram_384KB"]


def large(rng, low, high):
    """In place of draw.size(): the upper third."""
    return int(rng.integers(max(low, high - (high - low) // 3), high + 1))


def draw_large():
    for module in vars(et_modules).values():
        if hasattr(module, "size"):
            module.size = large


def make(name, seed, accelerator, wide, folder):
    """The compiled graphs of one module; says how many."""
    warnings.simplefilter("ignore")
    torch.manual_seed(seed)
    draw_large()
    module, examples = et_modules.MODULES[name](np.random.default_rng([seed, zlib.crc32(name.encode())]))
    made = 0
    with contextlib.redirect_stdout(io.StringIO()):
        for number, graph in enumerate(et_corpus.lower(module, examples, accelerator, wide)[1]):
            path = os.path.join(folder, f"{name}_{'int16' if wide else 'int8'}_{number}.tosa")
            with open(path, "wb") as f:
                f.write(graph)
            made += vela.compile_file(path, accelerator, OPTIONS, folder) is not None
            os.remove(path)
    return f"{made} graphs"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder")
    p.add_argument("--accelerator", default="ethos-u85-256", help="one of Ethos-U85")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--modules", default=",".join(et_modules.USUAL))
    a = p.parse_args()
    folder = os.path.join(a.folder, a.accelerator)
    os.makedirs(folder, exist_ok=True)
    import executorch.backends.arm.ethosu  # noqa: F401  loaded once, before the children
    import executorch.backends.arm.quantizer  # noqa: F401
    import executorch.exir  # noqa: F401
    for name in a.modules.split(","):
        for wide in (False, True):
            print(name, "int16" if wide else "int8", cases.isolated(make, name, a.seed, a.accelerator, wide, folder), flush=True)


if __name__ == "__main__":
    main()

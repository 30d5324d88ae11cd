#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Single-operator TOSA graphs on the NPU model against the TOSA reference model.

  tosa_corpus.py FVP_SIM [--operators a,b] [--dtypes a,b] [--seed N] [--limit N] [--accelerators a,b] [--jobs N]
                 [--keep DIR]

Graphs and inputs come from the test generator of tosa-tools; compiled by ethos-u-vela, run with `fvp-sim npu` and
compared byte for byte with tosa_reference_model. Runs in the package set `tosa` of in_environment.py. Exit status 1
when anything differs, or nothing was compared."""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import cases
import vela

BIN = os.path.dirname(sys.executable)
OPERATORS = ("abs,add,argmax,arithmetic_right_shift,avg_pool2d,bitwise_and,bitwise_not,bitwise_or,bitwise_xor,cast,"
             "clamp,clz,concat,cond_if,conv2d,conv3d,depthwise_conv2d,equal,gather,greater,greater_equal,identity,"
             "intdiv,logical_and,logical_left_shift,logical_not,logical_or,logical_right_shift,logical_xor,matmul,max_pool2d,"
             "maximum,minimum,mul,negate,pad,reduce_all,reduce_any,reduce_max,reduce_min,reduce_sum,rescale,reshape,"
             "resize,reverse,scatter,select,slice,sub,table,tile,transpose,transpose_conv2d,while_loop")


def tool(*command, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def build(folder, operator, a):
    """Generates the graphs; returns their folders."""
    tool(os.path.join(BIN, "tosa_verif_build_tests"), "-o", folder, "--seed", str(a.seed), "--filter", f"^{operator}$",
         "--test-type", "positive", "--target-dtype", *a.dtypes.split(","), "--tensor-dim-range", "1,14",
         "--profile", "tosa-pro-int", "--max-batch-size", "1", "--no-special-tests")
    found = sorted(d for d, _, files in os.walk(folder) if "desc.json" in files)
    rng = np.random.default_rng(a.seed)
    return [found[i] for i in rng.permutation(len(found))[:a.limit]]


def plain(array):
    return array.astype(np.int8) if array.dtype == bool else array


def inexact(desc):
    """RESCALE with INEXACT_ROUND: the reference model computes in floating point and allows a difference."""
    return any(t["mode"].endswith("INEXACT") for t in desc["meta"]["compliance"]["tensors"].values())


def unsupported(folder, accelerator):
    """What Vela 5.2.0 says that it does not support, but compiles: shifts without rounding on U55 and U65."""
    return "u85" not in accelerator and "roundFalse" in os.path.basename(folder)


def check(folder, accelerator, simulator):
    desc = json.load(open(os.path.join(folder, "desc.json")))
    if desc["expected_failure"]:
        return "expected failure"
    if unsupported(folder, accelerator):
        return "not supported"
    rng = np.random.default_rng(zlib.crc32(os.path.basename(folder).encode()))
    out = os.path.join(folder, "vela")
    model = vela.compile_file(os.path.join(folder, desc["tosa_file"]), accelerator,
                              vela.draw_options(rng, accelerator), out)
    if not model:
        return "compiler refuses"
    if tool(os.path.join(BIN, "tosa_reference_model"), "--test_desc", "desc.json", cwd=folder).returncode:
        return "reference fails"
    inputs = cases.save(folder, "in", [plain(np.load(os.path.join(folder, name))) for name in desc["ifm_file"]])
    found = cases.simulate(simulator, accelerator, model, inputs, out)
    if isinstance(found, str):
        return "ERROR " + found
    golden = [plain(np.load(os.path.join(folder, name))) for name in desc["ofm_file"]]
    if cases.same(found, golden):
        return "exact"
    return "inexact rounding" if inexact(desc) else "DIFFERS " + cases.distance(found, golden)


def report(case, accelerator, result, top, keep):
    print(os.path.relpath(case, top), accelerator, result, flush=True)
    if keep:
        shutil.copytree(case, os.path.join(keep, os.path.basename(case) + "_" + accelerator), dirs_exist_ok=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("simulator")
    p.add_argument("--operators", default=OPERATORS)
    p.add_argument("--dtypes", default="int8,int16,int32,bool,int4")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--limit", type=int, default=10, help="graphs per operator")
    p.add_argument("--accelerators", default=",".join(a for a in vela.ACCELERATORS if "u85" in a))
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep", help="folder for the cases that are not exact")
    a = p.parse_args()
    accelerators, simulator = a.accelerators.split(","), os.path.abspath(a.simulator)
    counts, table = collections.Counter(), collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as top, ThreadPoolExecutor(a.jobs) as pool:
        for operator in a.operators.split(","):
            folders = build(os.path.join(top, operator), operator, a)
            at = [accelerators[(i + a.seed) % len(accelerators)] for i in range(len(folders))]
            jobs = [pool.submit(cases.isolated, check, f, x, simulator) for f, x in zip(folders, at)]
            for folder, accelerator, job in zip(folders, at, jobs):
                result = job.result()
                kind = result.split()[0] if result.startswith(("ERROR", "DIFFERS")) else result
                counts[kind] += 1
                table[operator][kind] += 1
                if kind in ("ERROR", "DIFFERS"):
                    report(folder, accelerator, result, top, a.keep)
            print(f"{operator:28}", dict(table[operator]), flush=True)
            shutil.rmtree(os.path.join(top, operator), ignore_errors=True)
    print(dict(counts))
    return 0 if counts["exact"] and not counts["ERROR"] and not counts["DIFFERS"] else 1


if __name__ == "__main__":
    sys.exit(main())

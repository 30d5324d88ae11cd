#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Single-operator TOSA graphs on the NPU model against the TOSA reference model.

  tosa_corpus.py FVP_SIM [--operators a,b] [--dtypes a,b] [--seed N] [--limit N] [--accelerators a,b]

Graphs and inputs come from the test generator of tosa-tools, compiled by ethos-u-vela (both PyPI), run with
`fvp-sim npu` and compared byte for byte with tosa_reference_model. Exit status 1 when anything differs."""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gen_samples import SYSTEMS

BIN = os.path.dirname(sys.executable)


def run(*command, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


OPERATORS = ("abs,add,argmax,arithmetic_right_shift,avg_pool2d,bitwise_and,bitwise_not,bitwise_or,bitwise_xor,cast,"
             "clamp,clz,concat,cond_if,equal,gather,greater,greater_equal,intdiv,logical_and,logical_left_shift,"
             "logical_not,logical_or,logical_right_shift,logical_xor,matmul,max_pool2d,maximum,minimum,mul,negate,pad,"
             "reduce_all,reduce_any,reduce_max,reduce_min,reduce_sum,rescale,resize,reverse,scatter,select,slice,sub,"
             "table,tile,transpose,while_loop")


def build(folder, operator, a):
    """Generates the graphs; returns their folders."""
    run(os.path.join(BIN, "tosa_verif_build_tests"), "-o", folder, "--seed", str(a.seed), "--filter", f"^{operator}$",
        "--test-type", "positive", "--target-dtype", *a.dtypes.split(","), "--tensor-dim-range", "1,14",
        "--profile", "tosa-pro-int", "--max-batch-size", "1", "--no-special-tests")
    found = [d for d, _, files in os.walk(folder) if "desc.json" in files]
    rng = np.random.default_rng(a.seed)
    return [found[i] for i in rng.permutation(len(found))[:a.limit]]


def raw(array):
    return np.ascontiguousarray(array.astype(np.int8) if array.dtype == bool else array).tobytes()


def check(folder, accelerator, simulator):
    desc = json.load(open(os.path.join(folder, "desc.json")))
    if desc["expected_failure"]:
        return "expected failure"
    system, modes = SYSTEMS[accelerator[:9]]
    out = os.path.join(folder, "vela")
    run(os.path.join(BIN, "vela"), os.path.join(folder, desc["tosa_file"]), "--output-dir", out,
        "--accelerator-config", accelerator, "--config", "Arm/vela.ini", "--system-config", system,
        "--memory-mode", modes[1])
    model = os.path.join(out, os.path.splitext(desc["tosa_file"])[0] + "_vela.tflite")
    if not os.path.exists(model):
        return "compiler refuses"
    reference = run(os.path.join(BIN, "tosa_reference_model"), "--test_desc", "desc.json", cwd=folder)
    if reference.returncode:
        return "reference fails"
    names = []
    for i, name in enumerate(desc["ifm_file"]):
        names.append(os.path.join(folder, f"in{i}.bin"))
        open(names[-1], "wb").write(raw(np.load(os.path.join(folder, name))))
    done = run(simulator, "npu", "--accelerator", accelerator, "--model", model, "--output", out,
               *(["--input", ",".join(names)] if names else []))
    if done.returncode:
        return "ERROR " + done.stderr.strip()[:160]
    for i, name in enumerate(desc["ofm_file"]):
        want = raw(np.load(os.path.join(folder, name)))
        if open(os.path.join(out, f"output_{i}.bin"), "rb").read() != want:
            return "DIFFERS"
    return "exact"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("simulator")
    p.add_argument("--operators", default=OPERATORS)
    p.add_argument("--dtypes", default="int8,int16,int32,bool")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--limit", type=int, default=10, help="graphs per operator")
    p.add_argument("--accelerators", default="ethos-u85-128,ethos-u85-256,ethos-u85-512,ethos-u85-1024,ethos-u85-2048")
    a = p.parse_args()
    accelerators = a.accelerators.split(",")
    counts, table = collections.Counter(), collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as top, ThreadPoolExecutor(2) as pool:
        for operator in a.operators.split(","):
            cases = build(os.path.join(top, operator), operator, a)
            jobs = [pool.submit(check, c, accelerators[(i + a.seed) % len(accelerators)], os.path.abspath(a.simulator))
                    for i, c in enumerate(cases)]
            for i, (case, job) in enumerate(zip(cases, jobs)):
                result = job.result()
                kind = result.split()[0] if result.startswith("ERROR") else result
                counts[kind] += 1
                table[operator][kind] += 1
                if kind in ("ERROR", "DIFFERS"):
                    print(os.path.relpath(case, top), accelerators[(i + a.seed) % len(accelerators)], result)
            print(f"{operator:28}", dict(table[operator]), flush=True)
    print(dict(counts))
    return 1 if counts["ERROR"] or counts["DIFFERS"] else 0


if __name__ == "__main__":
    sys.exit(main())

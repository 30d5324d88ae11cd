#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles random networks with Vela and records what TFLite's reference kernels say.

  gen_samples.py OUT [--seed N] [--count N] [--families a,b] [--accelerators a,b] [--max-bytes N]

Each case becomes a folder OUT/FAMILY_SEED_ACCELERATOR with model_vela.tflite, inS_I.bin, goldS_K.bin and the
one-line file `accelerator`. tests/npu/data was made with the commands in data/README.md. Needs ethos-u-vela,
ai-edge-litert and numpy from PyPI."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from gen_networks import FAMILIES
from tflite_builder import Builder, TYPES

SYSTEMS = {"ethos-u55": ("Ethos_U55_High_End_Embedded", ("Shared_Sram", "Sram_Only")),
           "ethos-u65": ("Ethos_U65_High_End", ("Dedicated_Sram", "Shared_Sram")),
           "ethos-u85": ("Ethos_U85_SYS_DRAM_Mid", ("Dedicated_Sram", "Shared_Sram"))}
ACCELERATORS = ["ethos-u55-32", "ethos-u55-64", "ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u65-512",
                "ethos-u85-128", "ethos-u85-256", "ethos-u85-512", "ethos-u85-1024", "ethos-u85-2048"]


def compile_model(path, accelerator, rng, work):
    """Vela's output file, None when it refuses or leaves something to the CPU."""
    system, modes = SYSTEMS[accelerator[:9]]
    command = [os.path.join(os.path.dirname(sys.executable), "vela"), path, "--output-dir", work,
               "--accelerator-config", accelerator, "--config", "Arm/vela.ini", "--system-config", system,
               "--memory-mode", str(rng.choice(modes)), "--optimise", str(rng.choice(["Size", "Performance"]))]
    done = subprocess.run(command, capture_output=True, text=True)
    out = os.path.join(work, os.path.basename(path).replace(".tflite", "_vela.tflite"))
    if done.returncode or not os.path.exists(out):
        return None
    return out if only_npu(out) else None


def only_npu(path):
    from ai_edge_litert import schema_py_generated as s
    model = s.ModelT.InitFromObj(s.Model.GetRootAsModel(open(path, "rb").read(), 0))
    return all(model.operatorCodes[o.opcodeIndex].customCode == b"ethos-u" for o in model.subgraphs[0].operators)


def draw(rng, shape, dtype):
    kind = TYPES[dtype][1]
    if dtype == "int32":  # products and sums stay inside the type: overflow is not defined
        return rng.integers(-30000, 30001, shape).astype(kind)
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    if rng.random() < 0.5:
        return rng.integers(low, high + 1, shape).astype(kind)
    middle, width = (low + high + 1) / 2, (high - low) / 8
    return np.clip(rng.normal(middle, width, shape), low, high).astype(kind)


def reference(blob, inputs):
    interpreter = Interpreter(model_content=blob, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    for detail, value in zip(interpreter.get_input_details(), inputs):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]


def make_case(out, family, seed, accelerator, max_bytes):
    rng = np.random.default_rng([seed, list(FAMILIES).index(family)])
    b = Builder()
    ins, outs = FAMILIES[family](rng, b)
    blob = b.finish(ins, outs)
    work = tempfile.mkdtemp()
    try:
        path = os.path.join(work, "model.tflite")
        open(path, "wb").write(blob)
        compiled = compile_model(path, accelerator, rng, work)
        if not compiled:
            return "refused"
        sets = [[draw(rng, b.info[i][0], b.info[i][1]) for i in ins] for _ in range(2)]
        try:
            golds = [reference(blob, values) for values in sets]
        except (RuntimeError, ValueError) as e:
            return f"no reference: {str(e).splitlines()[0][:100]}"
        total = os.path.getsize(compiled) + sum(a.nbytes for x in sets + golds for a in x)
        if total > max_bytes:
            return "too large"
        folder = os.path.join(out, f"{family}_{seed}_{accelerator}")
        os.makedirs(folder, exist_ok=True)
        shutil.copy(compiled, os.path.join(folder, "model_vela.tflite"))
        open(os.path.join(folder, "accelerator"), "w").write(accelerator + "\n")
        for n, (values, gold) in enumerate(zip(sets, golds)):
            for i, a in enumerate(values):
                a.tofile(os.path.join(folder, f"in{n}_{i}.bin"))
            for i, a in enumerate(gold):
                a.tofile(os.path.join(folder, f"gold{n}_{i}.bin"))
        return "made"
    finally:
        shutil.rmtree(work)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=1, help="networks per family")
    p.add_argument("--families", default=",".join(FAMILIES))
    p.add_argument("--accelerators", default=",".join(ACCELERATORS))
    p.add_argument("--max-bytes", type=int, default=1 << 30)
    a = p.parse_args()
    accelerators = a.accelerators.split(",")
    counts = {}
    for seed in range(a.seed, a.seed + a.count):
        for k, family in enumerate(a.families.split(",")):
            result = make_case(a.out, family, seed, accelerators[(seed + k) % len(accelerators)], a.max_bytes)
            counts[result] = counts.get(result, 0) + 1
            if result != "made":
                print(family, seed, accelerators[(seed + k) % len(accelerators)], result)
    print(counts)


if __name__ == "__main__":
    main()

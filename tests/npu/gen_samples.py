#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles random networks with Vela and records what the reference kernels say.

  gen_samples.py OUT [--seed N] [--count N] [--families a,b] [--accelerators a,b] [--max-bytes N]

Each case becomes a folder OUT/FAMILY_SEED_ACCELERATOR with model_vela.tflite, inS_I.bin, goldS_K.bin and the
one-line file `accelerator`; pack.py packs it. tests/npu/data was made with the commands in data/README.md. Runs in the package set
`tflite` of in_environment.py."""
import argparse
import collections
import os
import shutil
import tempfile

import cases
import references
import vela
from networks import FAMILIES, accelerators_of


def golden(family, blob, inputs):
    """Outputs of the first reference that can run the model."""
    for name in references.ORDER if family != "sum" else reversed(references.ORDER):
        outputs = [references.golden(name, blob, values) for values in inputs]
        if all(o is not None for o in outputs):
            return outputs
    return None


def make_case(out, family, seed, accelerator, max_bytes):
    rng, blob, inputs = cases.make(family, seed)
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.tflite")
        open(path, "wb").write(blob)
        compiled = vela.compile_file(path, accelerator, vela.draw_options(rng, accelerator), work)
        if not compiled or not vela.only_npu(compiled):
            return "refused"
        golds = golden(family, blob, inputs)
        if not golds:
            return "no reference"
        if os.path.getsize(compiled) + sum(a.nbytes for x in inputs + golds for a in x) > max_bytes:
            return "too large"
        folder = os.path.join(out, f"{family}_{seed}_{accelerator}")
        os.makedirs(folder, exist_ok=True)
        shutil.copy(compiled, os.path.join(folder, "model_vela.tflite"))
        open(os.path.join(folder, "accelerator"), "w").write(accelerator + "\n")
        for n, (values, gold) in enumerate(zip(inputs, golds)):
            cases.save(folder, f"in{n}", values)
            cases.save(folder, f"gold{n}", gold)
        return "made"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=1, help="networks per family")
    p.add_argument("--families", default=",".join(FAMILIES))
    p.add_argument("--accelerators", default=",".join(vela.ACCELERATORS))
    p.add_argument("--max-bytes", type=int, default=1 << 30)
    a = p.parse_args()
    counts = collections.Counter()
    for seed in range(a.seed, a.seed + a.count):
        for k, family in enumerate(a.families.split(",")):
            choice = accelerators_of(family, a.accelerators.split(","))
            if choice:
                accelerator = choice[(seed + k) % len(choice)]
                result = cases.isolated(make_case, a.out, family, seed, accelerator, a.max_bytes)
                counts[result] += 1
                if result != "made":
                    print(family, seed, accelerator, result)
    print(dict(counts))


if __name__ == "__main__":
    main()

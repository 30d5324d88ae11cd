#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Published architectures, quantised by TensorFlow Lite's converter, on the NPU model against the reference kernels.

  keras_corpus.py FVP_SIM [--seed N] [--count N] [--networks a,b] [--kinds a,b] [--each N] [--keep DIR] [--table FILE]

Every network of keras_networks.py is converted with one of the kinds, in turns, and compiled for N accelerators drawn.
Runs in the package set `keras` of in_environment.py. Exit status 1 when anything differs."""
import argparse
import collections
import os
import sys
import zlib

import numpy as np

import cases
import corpus
import vela


def details(blob):
    """Shape and type of the inputs."""
    from ai_edge_litert.interpreter import Interpreter
    return [(d["shape"], d["dtype"]) for d in Interpreter(model_content=blob).get_input_details()]


def draw(rng, shape, kind, run):
    """All values in the first run, values as of an image in the second."""
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    if run == 0:
        return rng.integers(low, high + 1, shape).astype(kind)
    return np.clip(rng.normal((low + high + 1) / 2, (high - low) / 6, shape), low, high).astype(kind)


def convert(name, seed, kind):
    """The .tflite, or None when the converter has no such kind of one of its operators."""
    from keras_networks import convert as made
    try:
        return made(name, seed, kind)
    except Exception as e:  # noqa: BLE001  the converter's refusals have no type of their own
        print(name, seed, kind, "not converted:", str(e)[:100].replace("\n", " "), flush=True)
        return None


def main():
    import keras_networks
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=1)
    p.add_argument("--networks", default=",".join(keras_networks.NETWORKS))
    p.add_argument("--kinds", default="int8,int16,per_tensor,uint8")
    p.add_argument("--each", type=int, default=2, help="accelerators for each network")
    p.add_argument("--keep", help="folder for the cases that are not exact")
    p.add_argument("--table")
    a = p.parse_args()
    results, left = collections.defaultdict(list), collections.Counter()
    for seed in range(a.seed, a.seed + a.count):
        for n, name in enumerate(a.networks.split(",")):
            kind = a.kinds.split(",")[(seed + n) % len(a.kinds.split(","))]
            blob = convert(name, seed, kind)
            if not blob:
                continue
            rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
            inputs = [[draw(rng, *d, run) for d in details(blob)] for run in range(cases.RUNS)]
            for at in rng.permutation(len(vela.ACCELERATORS))[:a.each]:
                accelerator = vela.ACCELERATORS[at]
                result = cases.isolated(cases.run_model, os.path.abspath(a.program), f"{name}_{seed}_{kind}", rng, blob,
                                        inputs, accelerator, a.keep)
                verdict = corpus.kind_of(name, accelerator, result)
                print(name, seed, kind, accelerator, result, flush=True)
                if verdict:
                    results[name].append((accelerator, verdict))
                else:
                    left[result] += 1
    if a.table:
        corpus.write_table(a.table, f"tests/npu/keras_corpus.py --seed {a.seed} --count {a.count} --table", results)
    count = collections.Counter(kind for rows in results.values() for _, kind in rows)
    print(f"{count['exact']} exact, {count['failed']} failed; not counted:", dict(left))
    return 0 if count["exact"] and not count["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())

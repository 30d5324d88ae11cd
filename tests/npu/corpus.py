#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The corpus: random networks compiled by Vela, run on `fvp-sim npu`, against TFLite's reference kernels.

  corpus.py FVP_SIM CACHE [--seed N] [--count N] [--table FILE]

Fetches ethos-u-vela, ai-edge-litert and numpy into a virtual environment below CACHE, makes COUNT networks of every
family of gen_networks.py over all accelerators, and compares every output byte. --table writes the result per family
as Markdown (docs/npu-corpus.md). Exit: 0 equal, 1 different, 77 no package index."""
import argparse
import collections
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import wheel  # noqa: E402

PACKAGES = ("numpy==2.1.3", "ethos-u-vela==5.2.0", "ai-edge-litert==1.2.0")


def equal(program, folder, scratch):
    accelerator = open(os.path.join(folder, "accelerator")).read().strip()
    for run in (0, 1):
        inputs = sorted(glob.glob(os.path.join(folder, f"in{run}_*.bin")), key=lambda p: (len(p), p))
        done = subprocess.run([program, "npu", "--accelerator", accelerator, "--model",
                               os.path.join(folder, "model_vela.tflite"), "--input", ",".join(inputs),
                               "--output", scratch], capture_output=True, text=True)
        if done.returncode:
            print(folder, done.stderr.strip())
            return False
        for gold in glob.glob(os.path.join(folder, f"gold{run}_*.bin")):
            index = gold.rsplit("_", 1)[1]
            if open(gold, "rb").read() != open(os.path.join(scratch, "output_" + index), "rb").read():
                print(folder, "output", index, "differs")
                return False
    return True


def write_table(path, seed, count, results):
    with open(path, "w") as f:
        f.write("# Corpus of compiled networks\n\nMade by `tests/npu/corpus.py --seed %d --count %d --table` "
                "(suite `slow`): random networks of each family,\ncompiled by Vela 5.2.0 in turns for all eleven "
                "accelerators, two runs each, outputs compared byte for byte with\nLiteRT 1.2.0's reference kernels. "
                "Networks that Vela leaves to the CPU in part are not counted.\n\n"
                "| family | networks | equal |\n|---|---|---|\n" % (seed, count))
        for family in sorted(results):
            f.write(f"| {family} | {len(results[family])} | {sum(results[family])} |\n")
        every = [ok for r in results.values() for ok in r]
        f.write(f"| **all** | **{len(every)}** | **{sum(every)}** |\n")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("cache")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=2)
    p.add_argument("--table")
    a = p.parse_args()
    environment = os.path.join(a.cache, "vela")
    os.makedirs(a.cache, exist_ok=True)
    wheel.pip(environment, "install", "--quiet", *PACKAGES)
    results = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([os.path.join(environment, "bin", "python"), os.path.join(HERE, "gen_samples.py"), work,
                        "--seed", str(a.seed), "--count", str(a.count)], check=True)
        for folder in sorted(glob.glob(os.path.join(work, "*", ""))):
            family = os.path.basename(folder.rstrip("/")).split("_ethos")[0].rsplit("_", 1)[0]
            with tempfile.TemporaryDirectory() as scratch:
                results[family].append(equal(os.path.abspath(a.program), folder, scratch))
    if a.table:
        write_table(a.table, a.seed, a.count, results)
    every = [ok for r in results.values() for ok in r]
    print(f"{sum(every)} of {len(every)} networks equal")
    return 0 if every and all(every) else 1


if __name__ == "__main__":
    sys.exit(main())

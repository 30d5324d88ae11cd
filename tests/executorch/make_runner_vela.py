#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""runtime/make-runner compiles a network by Vela itself; the image's outputs are those of TFLite's reference kernels.

  make_runner_vela.py CACHE BUILD        (Python and packages as suite.py)"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
DATA = os.path.join(ROOT, "tests/golden/data")
OUTPUTS = ("y", "s")  # in the order of cnn.out; Vela turns it round
# board, accelerator, memory mode (None: Vela's own)
RUNS = (("corstone-300", "ethos-u55-128", None), ("corstone-300", "ethos-u65-256", None), ("corstone-300", "ethos-u65-256", "Shared_Sram"),
        ("corstone-310", "ethos-u55-256", "Shared_Sram"), ("corstone-320", "ethos-u85-256", None),
        ("corstone-320", "ethos-u85-128", "Dedicated_Sram_384KB"))


def outputs(build, board, npu, mode, folder):
    """What the image of tests/golden/data/cnn.tflite computes, its outputs one behind the other."""
    image = os.path.join(folder, "runner.elf")
    subprocess.run([os.path.join(ROOT, "runtime/make-runner"), os.path.join(DATA, "cnn.tflite"), "--build", build, "--board", board,
                    "--npu", npu, "--input", os.path.join(DATA, "cnn.in"), "-o", image, *(["--memory-mode", mode] if mode else [])],
                   check=True, stdout=subprocess.PIPE)
    run = [os.path.join(build, "fvp-sim"), "--quiet", "--elf", image, "--board", board, "--npu", npu]
    log = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name, size, at in re.findall(r"^output (\w+), (\d+) bytes at (0x[0-9a-f]+)", log, re.M):
        run += ["--dump", f"{os.path.join(folder, name)}@{at},{size}"]
    subprocess.run(run, check=True, stdout=subprocess.PIPE)
    data = b""
    for name in OUTPUTS:
        with open(os.path.join(folder, name), "rb") as f:
            data += f.read()
    return data


def main():
    from suite import Suite
    cache, build = (os.path.abspath(path) for path in sys.argv[1:3])
    os.makedirs(cache, exist_ok=True)
    python, _ = Suite(cache, build, "arm").python()
    os.environ["PATH"] = os.path.dirname(python) + os.pathsep + os.environ["PATH"]
    with open(os.path.join(DATA, "cnn.out"), "rb") as f:
        expected = f.read()
    wrong = 0
    for board, npu, mode in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            equal = outputs(build, board, npu, mode, folder) == expected
        wrong += not equal
        print(f"{board} {npu} {mode or 'its own memory mode'}: {'equal' if equal else 'WRONG'}", flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles and bytes of the networks in data/, which change only with a reason: the commit that changes golden_cycles.txt gives it.

    golden_cycles.py FVP_SIM DATA [--write]

Compares with golden_cycles.txt beside this file, or writes it. Each accelerator has its default memory system."""
import glob
import json
import os
import subprocess
import sys
import tarfile
import tempfile

VALUES = ("cycles", "port0_read_bytes", "port0_written_bytes", "port1_read_bytes", "port1_written_bytes")


def measured(simulator, case, scratch):
    with tarfile.open(case) as archive:
        files = {name: archive.extractfile(name).read() for name in archive.getnames()}
    name = next(n for n in ("model.pte", "model_vela.tflite") if n in files)
    model, report = os.path.join(scratch, name), os.path.join(scratch, "report.json")
    with open(model, "wb") as f:
        f.write(files[name])
    inputs = []
    while "in0_%d.bin" % len(inputs) in files:
        inputs.append(os.path.join(scratch, "in%d.bin" % len(inputs)))
        with open(inputs[-1], "wb") as f:
            f.write(files["in0_%d.bin" % (len(inputs) - 1)])
    subprocess.run([simulator, "npu", "--accelerator", files["accelerator"].decode().strip(), "--model", model, "--input", ",".join(inputs) or "zeros",
                    "--report", report], check=True, stdout=subprocess.DEVNULL)
    with open(report) as f:
        result = json.load(f)
    return " ".join([os.path.basename(case)[:-len(".tar")]] + [str(result[v]) for v in VALUES])


def main():
    simulator, data = sys.argv[1:3]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden_cycles.txt")
    with tempfile.TemporaryDirectory() as scratch:
        lines = [measured(simulator, case, scratch) for case in sorted(glob.glob(os.path.join(data, "*.tar")))]
    if "--write" in sys.argv:
        with open(path, "w") as f:
            f.write("\n".join(lines) + "\n")
        return
    with open(path) as f:
        expected = f.read().splitlines()
    for line in sorted(set(lines) - set(expected)):
        print("now: " + line)
    for line in sorted(set(expected) - set(lines)):
        print("expected: " + line)
    sys.exit(lines != expected)


if __name__ == "__main__":
    main()

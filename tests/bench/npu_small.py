#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an operation costs the host whatever its size.

    npu_small.py NPU_BENCH WORK [--accelerators A,B] [--count N] [--simd LEVEL]

Makes networks of COUNT and of twice as many operations of 16 bytes behind each other, additions and fully connected layers, compiles them and prints the
time of an inference and what the difference leaves for one operation, best of five processes. Needs the PyPI packages ethos-u-vela and numpy. WORK keeps
the networks."""
import argparse
import os
import re
import subprocess

from npu_networks import NONE, Network, linear
from npu_xnnpack import compiled, source

CHANNELS, PROCESSES = 16, 5


def additions(count):
    n = Network()
    x = y = n.act([1, 1, 1, CHANNELS])
    for _ in range(count):
        y = n.pair("ADD", y, x, NONE)
    return n.finish([x], [y])


def fully_connected(count):
    n = Network()
    x = y = n.act([1, 1, CHANNELS])
    for _ in range(count):
        y = linear(n, y, CHANNELS)
    return n.finish([x], [y])


def best(bench, accelerator, model, simd):
    """Microseconds of an inference, and its operations."""
    command = [bench, "--accelerator", accelerator, "--model", model, "--repeat", "200"] + (["--host-simd", simd] if simd else [])
    times = []
    for _ in range(PROCESSES):
        out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
        times.append(1e3 * float(re.search(r"further best ([\d.]+) ms", out)[1]))
    return min(times), sum(int(k) for k in re.findall(r"(\d+) operations, best", out))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("bench")
    p.add_argument("work")
    p.add_argument("--accelerators", default="ethos-u55-128,ethos-u65-512,ethos-u85-256")
    p.add_argument("--count", type=int, default=200)
    p.add_argument("--simd")
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    for accelerator in a.accelerators.split(","):
        for make in additions, fully_connected:
            files = [source(f"{make.__name__}_{n}", lambda n=n: make(n), a.work) for n in (a.count, 2 * a.count)]
            (few, operations), (many, more) = (best(a.bench, accelerator, compiled(f, accelerator, a.work), a.simd) for f in files)
            print(f"{accelerator} {make.__name__}: {operations} operations {few:.1f} us, {more} {many:.1f} us: "
                  f"{(many - few) / (more - operations):.3f} us for one more")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times further inferences of int8 networks: our NPU on the host beside LiteRT's XNNPACK, in turns, one thread each.

    npu_xnnpack.py NPU_BENCH WORK [--accelerators A,B] [--networks REGEX] [--turns N] [--threads N] [--simd LEVEL] [--int16]
                   [--shapes | --third | --fourth | --fifth] [--avx2 LIBRARY]

Prints best and median of each in milliseconds and the ratio XNNPACK / ours (above 1: ours is faster), the networks that
were looked at while tuning and the others apart. XNNPACK's results differ from the NPU's in the last unit; ours are exact.
--shapes: the networks of npu_further.py instead, --third, --fourth, --fifth: those of npu_third.py, npu_fourth.py and npu_fifth.py. --avx2: both without AVX-512, as on a host that has none; LIBRARY is the build's tests/bench/avx2_only.so. With --int16: our int16 networks beside our int8 ones instead (XNNPACK has none). Needs the PyPI packages ai-edge-litert, ethos-u-vela and numpy. WORK keeps the compiled networks."""
import argparse
import ctypes
import math
import os
import re
import statistics
import subprocess
import sys
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter

import npu_fifth
import npu_fourth
import npu_further
import npu_networks
import npu_third
from npu_networks import Network

SETS = {"shapes": npu_further, "third": npu_third, "fourth": npu_fourth, "fifth": npu_fifth}
SYSTEMS = {"ethos-u55": ("Ethos_U55_High_End_Embedded", "Shared_Sram"), "ethos-u65": ("Ethos_U65_High_End", "Shared_Sram"),
           "ethos-u85": ("Ethos_U85_SYS_DRAM_Mid", "Shared_Sram")}


def source(name, make, work):
    path = os.path.join(work, name + ".tflite")
    if not os.path.exists(path):
        with open(path, "wb") as f:
            f.write(make())
    return path


def compiled(path, accelerator, work):
    """What Vela makes of it; None when it refuses or leaves operators to the processor."""
    folder = os.path.join(work, accelerator)
    result = os.path.join(folder, os.path.basename(path).replace(".tflite", "_vela.tflite"))
    if not os.path.exists(result):
        system, mode = SYSTEMS[accelerator[:9]]
        subprocess.run([os.path.join(os.path.dirname(sys.executable), "vela"), path, "--output-dir", folder, "--config",
                        "Arm/vela.ini", "--accelerator-config", accelerator, "--system-config", system, "--memory-mode", mode],
                       capture_output=True, check=False)
    return result if os.path.exists(result) else None


def ours(bench, accelerator, path, a):
    """Milliseconds of the further inferences of one process: best and median; None when it refuses."""
    more = ["--host-simd", a.simd] if a.simd else []
    more += ["--threads", str(a.threads)] if a.threads > 1 else []
    out = subprocess.run([bench, "--accelerator", accelerator, "--model", path, "--repeat", "40", *more], capture_output=True,
                         text=True, check=False)
    found = re.search(r"further[^\n]*best ([\d.]+) ms, median ([\d.]+)", out.stdout)
    return (float(found[1]), float(found[2])) if found else None


class Xnnpack:
    def __init__(self, path, threads):
        self.clock = time.thread_time if threads == 1 else time.perf_counter  # as npu_bench has it
        self.interpreter = Interpreter(path, num_threads=threads)
        self.interpreter.allocate_tensors()
        for t in self.interpreter.get_input_details():
            self.interpreter.set_tensor(t["index"], np.zeros(t["shape"], t["dtype"]))
        self.interpreter.invoke()

    def times(self, count):
        result = []
        for _ in range(count):
            begin = self.clock()
            self.interpreter.invoke()
            result.append(1000 * (self.clock() - begin))
        return result


def compare(name, make, accelerator, a):
    """(best, median) of ours and of XNNPACK over all turns, or None."""
    path = source(name, make, a.work)
    model = compiled(path, accelerator, a.work)
    if not model:
        return None
    reference, theirs, mine = Xnnpack(path, a.threads), [], []
    for _ in range(a.turns):
        figures = ours(a.bench, accelerator, model, a)
        if not figures:
            return None
        mine.append(figures)
        theirs += reference.times(20)
    return (min(m[0] for m in mine), statistics.median(m[1] for m in mine)), (min(theirs), statistics.median(theirs))


def compare_int16(name, make, accelerator, a):
    """Best of ours in int8 and in int16 over all turns, or None."""
    models = []
    for Network.int16, suffix in (False, ""), (True, "_int16"):
        models.append(compiled(source(name + suffix, make, a.work), accelerator, a.work))
    if None in models:
        return None
    figures = [[ours(a.bench, accelerator, m, a) for m in models] for _ in range(a.turns)]
    return None if any(None in f for f in figures) else [min(f[i][0] for f in figures) for i in range(2)]


def print_int16(halves, a):
    print("| network | NPU | int8 (ms) | int16 (ms) | int8 / int16 |\n|---|---|---|---|---|")
    for name, make in {**halves[0], **halves[1]}.items():
        for accelerator in a.accelerators.split(",") if re.search(a.networks, name) else ():
            both = compare_int16(name, make, accelerator, a)
            print(f"| {name} | {accelerator} | " + (f"{both[0]:.3f} | {both[1]:.3f} | {both[0] / both[1]:.2f} |" if both
                                                    else "not compiled for it | | |"), flush=True)


def cpuids_of_litert():
    """Addresses of the CPUID instructions of LiteRT's libraries in this process."""
    with open("/proc/self/maps", encoding="utf-8") as f:
        mapped = [line.split() for line in f if "/ai_edge_litert/" in line]
    for base, path in [(int(m[0].split("-")[0], 16), m[5]) for m in mapped if int(m[2], 16) == 0]:
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
        yield from (base + int(at, 16) for at in re.findall(r"^ *([0-9a-f]+):\tcpuid", code, re.MULTILINE))


def without_avx512(library):
    """Begins anew with the library preloaded; then has it answer what LiteRT asks."""
    if os.environ.get("LD_PRELOAD") != library:
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_PRELOAD": library})
    replace = ctypes.CDLL(library).avx2_only_replace
    if not all([replace(ctypes.c_void_p(at)) for at in cpuids_of_litert()]):
        sys.exit("npu_xnnpack.py: LiteRT's code cannot be written, so that it cannot be told that there is no AVX-512")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("bench")
    p.add_argument("work")
    p.add_argument("--accelerators", default="ethos-u55-128,ethos-u65-512,ethos-u85-256")
    p.add_argument("--networks", default=".")
    p.add_argument("--turns", type=int, default=3)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--simd")
    p.add_argument("--int16", action="store_true")
    for name in SETS:
        p.add_argument("--" + name, action="store_true")
    p.add_argument("--avx2")
    a = p.parse_args()
    if a.avx2:
        a.simd = "avx2"
        without_avx512(a.avx2)
    os.makedirs(a.work, exist_ok=True)
    chosen = next((networks for name, networks in SETS.items() if getattr(a, name)), npu_networks)
    halves = chosen.SEEN, chosen.UNSEEN
    if a.int16:
        print_int16(halves, a)
        return
    for title, networks in zip(("seen", "unseen"), halves):
        print(f"| {title} | NPU | ours best, median (ms) | XNNPACK best, median (ms) | ratio of best | of median |\n|---|---|---|---|---|---|")
        ratios = []
        for name, make in networks.items():
            for accelerator in a.accelerators.split(",") if re.search(a.networks, name) else ():
                both = compare(name, make, accelerator, a)
                if not both:
                    print(f"| {name} | {accelerator} | not compiled for it, or operators are left to the processor | | | |")
                    continue
                (best, median), (x_best, x_median) = both
                ratios.append(x_best / best)
                print(f"| {name} | {accelerator} | {best:.4f}, {median:.4f} | {x_best:.4f}, {x_median:.4f} | "
                      f"{x_best / best:.2f} | {x_median / median:.2f} |", flush=True)
        if ratios:
            print(f"\ngeometric mean of the best: {math.exp(statistics.mean(map(math.log, ratios))):.2f}, lowest {min(ratios):.2f}\n")


if __name__ == "__main__":
    main()

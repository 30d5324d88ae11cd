#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operations of the NPU that take the host much longer than others of their kind.

    npu_cliffs.py NPU_BENCH WORK [--accelerators A,B] [--families A,B] [--count N] [--seed N] [--models FOLDER] [--shapes] [--odd] [--factor F] [--simd LEVEL] [--jobs N]

Makes COUNT large networks of every family of tests/npu/networks, compiles them, times their operations (`npu_bench --layers`) and lists those that take FACTOR times the median of their kind for each product
and for each element. --models: compiled networks of FOLDER/ACCELERATOR instead; --shapes: those of npu_shapes.py, int8 and int16; --odd: those of npu_odd.py; --simd: at a level of the host other than the best. Needs the PyPI packages ai-edge-litert, ethos-u-vela and numpy. WORK keeps
the compiled networks."""
import argparse
import collections
import glob
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import zlib

import numpy as np

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "npu"), os.path.join(TESTS, "bench")]
WORTH = 3.0  # us: what a listed one takes at least
MOST = 30  # operations of a network that count for what is usual: some have a thousand of the same
LINE = re.compile(r" *\d+ (\w+) +(\d+) +(\d+)x(\d+)x(\d+) +(\d+)x(\d+)x(\d+) +(\d+)x(\d+) +(\d)>(\d) +[\d.]+ +([\d.]+)$")


def large(rng, low, high):
    """In place of draw.size(): the upper third."""
    return int(rng.integers(max(low, high - (high - low) // 3), high + 1))


def draw_large():
    import networks
    from networks import draw
    for module in [draw] + [m for m in vars(networks).values() if hasattr(m, "FAMILIES")]:
        if hasattr(module, "size"):
            module.size = large


def compiled(job):
    """The compiled network of a family and a seed, or None."""
    family, seed, accelerator, work = job
    from npu_xnnpack import compiled as compile_file
    from networks import FAMILIES
    from tflite_builder import Builder
    draw_large()
    path = os.path.join(work, f"{family}_{seed}.tflite")
    if not os.path.exists(path):
        b = Builder()
        try:
            blob = b.finish(*FAMILIES[family](np.random.default_rng([seed, zlib.crc32(family.encode())]), b))
        except (AssertionError, ValueError):
            return None  # sizes that do not go together
        with open(path, "wb") as f:
            f.write(blob)
    return compile_file(path, accelerator, work)


def kind_of(name, mode, taps, ifm_bytes, ofm_bytes):
    if name == "pool":
        name = "sum" if mode == 2 else "pool 1x1" if taps == 1 else "pool"
    return f"{name}, {max(ifm_bytes, ofm_bytes) if name == 'elementwise' else ifm_bytes} bytes"


def operations(bench, accelerator, model, simd):
    """(kind, products, elements, us, line) of each operation; DMA has no size here."""
    command = [bench, "--accelerator", accelerator, "--model", model, "--repeat", "15", "--layers", "--npu-only"] + (["--host-simd", simd] if simd else [])
    out = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600).stdout
    for line in out.splitlines():
        m = LINE.match(line)
        if not m or m[1] == "dma":
            continue
        name, best = m[1], float(m[13])
        mode, ih, iw, ic, oh, ow, oc, kh, kw, ib, ob = (int(m[i]) for i in range(2, 13))
        taps = max(1, kh * kw)
        elements = max(ih * iw * ic, oh * ow * oc)
        products = oh * ow * oc * taps * (ic if name == "conv" else 1) if name in ("conv", "depthwise", "pool") else elements
        yield kind_of(name, mode, taps, ib, ob), products, elements, best, line.strip()


def usual_of(found):
    """The median time of each kind, for each product and for each element."""
    own, each = collections.defaultdict(list), collections.defaultdict(list)
    for model, (kind, products, elements, best, _) in found:
        if best > WORTH:
            own[model, kind].append((best / products, best / elements))
    for (_, kind), rows in own.items():
        each[kind] += rows[::-(-len(rows) // MOST)]
    usual = {kind: [statistics.median(column) for column in zip(*rows)] for kind, rows in each.items()}
    for kind, (product, element) in sorted(usual.items()):
        print(f"{kind}: {len(each[kind])} operations count, median {1e3 * product:.4f} ns a product, {1e3 * element:.3f} ns an element")
    return usual


def ranked(found, factor):
    """Operations above their kind, worst first: (how many times, model, line)."""
    usual = usual_of(found)
    above = []
    for model, (kind, products, elements, best, line) in found:
        if best > WORTH:
            times = min(best / products / usual[kind][0], best / elements / usual[kind][1])
            if times >= factor:
                above.append((times, model, line))
    return sorted(above, reverse=True)


def of_shapes(work, accelerator, odd):
    """The networks of npu_shapes.py, or of npu_odd.py, compiled."""
    from npu_odd import ODD
    from npu_shapes import SHAPES, Network
    from npu_xnnpack import compiled as compile_file, source
    models = []
    for Network.int16, suffix in (False, ""), (True, "_int16"):
        models += [compile_file(source(name + suffix, make, work), accelerator, work) for name, make in (ODD if odd else SHAPES).items()]
    return [m for m in models if m]


def models_of(a, accelerator):
    if a.shapes or a.odd:
        return of_shapes(a.work, accelerator, a.odd)
    if a.models:
        return sorted(glob.glob(os.path.join(a.models, accelerator, "*.tflite")))
    from networks import FAMILIES, accelerators_of
    jobs = [(family, seed, accelerator, a.work) for family in (a.families.split(",") if a.families else FAMILIES)
            if accelerators_of(family, [accelerator]) for seed in range(a.seed, a.seed + a.count)]
    with multiprocessing.Pool(a.jobs) as pool:
        return [m for m in pool.imap(compiled, jobs) if m]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("bench")
    p.add_argument("work")
    p.add_argument("--accelerators", default="ethos-u55-128,ethos-u65-512,ethos-u85-256")
    p.add_argument("--families")
    p.add_argument("--count", type=int, default=2)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--models")
    p.add_argument("--shapes", action="store_true")
    p.add_argument("--odd", action="store_true")
    p.add_argument("--factor", type=float, default=5)
    p.add_argument("--simd")
    p.add_argument("--jobs", type=int, default=2)
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    for accelerator in a.accelerators.split(","):
        found = [(os.path.basename(m), o) for m in models_of(a, accelerator) for o in operations(a.bench, accelerator, m, a.simd)]
        print(f"\n{accelerator}: {len(found)} operations")
        above = ranked(found, a.factor)
        print(f"{len(above)} of them are {a.factor:g} times above their kind")
        for times, model, line in above:
            print(f"{times:6.1f} {model:45} {line}")


if __name__ == "__main__":
    main()

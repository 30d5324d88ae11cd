#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The corpus: random networks compiled by Vela, run on `fvp-sim npu`, against reference kernels.

  corpus.py FVP_SIM [--seed N] [--count N] [--families a,b] [--accelerators a,b] [--jobs N] [--keep DIR] [--table FILE]

Makes COUNT networks of every family of networks/, in turns for all accelerators, and compares every output byte, of the
fast code and of the generic code. --table writes the results per family and accelerator as Markdown. Runs in the
package set `tflite` of in_environment.py. Exit: 0 equal but for the differences explained in EXPLAINED and
WRONG, else 1."""
import argparse
import collections
import importlib.metadata
import multiprocessing
import os
import sys

import cases
import vela
from networks import FAMILIES, accelerators_of

# Differences of one unit that are the compiler's or the reference's, not the simulator's (docs/evidence/npu-corpus.md).
EXPLAINED = {"sum", "abs", "log", "pot_int16"}
# Families that older releases of Vela compile wrong, for U55 and U65 and for U85; how: docs/evidence/npu-corpus.md.
BOUNDS_4_2 = "relu relu6 relu_n1_to_1 split reshape elementwise_chain unary_ends views ties same_operand"
BATCHES_4_2 = "conv_batch depthwise_deep avg_pool max_pool batches fully_connected_rank many_dimensions"
OLD_CORE = "grouped transposed bias32 pool_stride pool_whole"
RARE_U85 = "high_rank product"
WRONG = {
    "3.12": (f"pack unpack transpose reshape transpose_conv exp mean resize_large dilated_stride {OLD_CORE}", ""),
    "4.0": ("pack unpack transpose reshape transpose_conv squared_difference mean resize_large strided_slice dilated_stride "
            f"{OLD_CORE}", ""),
    "4.2": (f"pack unpack transpose transpose_conv resize_large fully_connected_rank dilated_stride {OLD_CORE}",
            f"cast select sum mean_large transpose {BOUNDS_4_2} {BATCHES_4_2} grouped dilated_stride moved {RARE_U85}"),
    "4.4": (f"pack transpose transpose_conv fully_connected_rank dilated_stride {OLD_CORE}",
            f"cast select sum mean_large grouped dilated_stride moved {RARE_U85}"),
    "4.5": (f"pack transpose transpose_conv fully_connected_rank mean {OLD_CORE}", f"cast select sum mean_large moved {RARE_U85}"),
    "5.0": ("bias32 product", f"cast select sum mean_large moved {RARE_U85}"),
    "5.1": ("attention bias32 product", f"cast attention {RARE_U85}"),
}
NOT_COUNTED = ("refused", "left to the CPU", "no reference", "crashed")


def one(job):
    return job[1:4], cases.isolated(cases.run, *job)


def jobs_of(a):
    for seed in range(a.seed, a.seed + a.count):
        for k, family in enumerate(a.families.split(",")):
            choice = accelerators_of(family, a.accelerators.split(","))
            if choice:
                yield os.path.abspath(a.program), family, seed, choice[(seed + k) % len(choice)], a.keep


def compiled_wrong(family, accelerator):
    """Is it known that this release of Vela gets the family wrong?"""
    release = ".".join(importlib.metadata.version("ethos-u-vela").split(".")[:2])
    return family in WRONG.get(release, ("", ""))["u85" in accelerator].split()


def kind_of(family, accelerator, result):
    """exact, explained, failed, or None for what is not counted."""
    if result.startswith("exact"):
        return "exact"
    if result.startswith(NOT_COUNTED):
        return None
    close = result.startswith("DIFFERS") and all(part.endswith((" 0", " 1")) for part in result.split("; "))
    known = close and family in EXPLAINED or compiled_wrong(family, accelerator)
    return "explained" if known and result != cases.GENERIC_DIFFERS else "failed"


def write_table(path, command, results):
    """One row per family: networks counted, exact, explained, failed, then exact of counted per accelerator."""
    with open(path, "w") as f:
        f.write(f"Made by `{command}`.\n\n| family | networks | exact | explained | failed |")
        f.write("".join(f" {a[6:]} |" for a in vela.ACCELERATORS))
        f.write("\n" + "|---" * (5 + len(vela.ACCELERATORS)) + "|\n")
        for family in list(results) + [None]:
            rows = [r for name in results if family in (name, None) for r in results[name]]
            count = collections.Counter(kind for _, kind in rows)
            cells = [str(len(rows)), str(count["exact"]), str(count["explained"]), str(count["failed"])]
            for accelerator in vela.ACCELERATORS:
                mine = [kind for at, kind in rows if at == accelerator]
                cells.append(f"{mine.count('exact')}/{len(mine)}" if mine else "")
            f.write(f"| {family or '**all**'} | {' | '.join(cells)} |\n")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=2)
    p.add_argument("--families", default=",".join(FAMILIES))
    p.add_argument("--accelerators", default=",".join(vela.ACCELERATORS))
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep", help="folder for the cases that are not exact")
    p.add_argument("--table")
    a = p.parse_args()
    results, left = collections.defaultdict(list), collections.Counter()
    with multiprocessing.Pool(a.jobs) as pool:
        for (family, seed, accelerator), result in pool.imap(one, jobs_of(a), chunksize=4):
            kind = kind_of(family, accelerator, result)
            if kind:
                results[family].append((accelerator, kind))
            else:
                left[result] += 1
            if kind in ("explained", "failed"):
                print(family, seed, accelerator, kind, result, flush=True)
    if a.table:
        write_table(a.table, f"tests/npu/corpus.py --seed {a.seed} --count {a.count} --table", results)
    count = collections.Counter(kind for rows in results.values() for _, kind in rows)
    print(f"{count['exact']} exact, {count['explained']} explained, {count['failed']} failed; not counted:", dict(left))
    return 0 if count["exact"] and not count["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())

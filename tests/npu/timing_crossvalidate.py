#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of the timing model's accuracy is fit: constants chosen anew without the network that is measured.

    timing_crossvalidate.py RECORD REPLAY WORK [--models DIR]

RECORD and REPLAY: build/tests/npu/timing_record and timing_replay. WORK and --models as of timing_accuracy.py, whose packages it
needs. For each network the constants are chosen by coordinate search on the others, over the steps below; the errors of the networks
left out stand beside those of the constants as they are."""
import argparse
import os
import statistics
import subprocess

import timing_accuracy

STEPS = {"START_CYCLES": (96, 128, 160), "START_CYCLES_TWO_CORES": (128, 192, 256), "MEET_CYCLES": (32, 64, 96), "PIECE_CYCLES": (4, 8, 12),
         "POOL_CYCLES": (8, 12, 16), "HIDDEN_LATENCY": (8, 16, 32), "SCALES_IN_FLIGHT": (192, 256, 320), "UNEVEN": (5, 6, 7)}
FAMILIES = ("ethos-u55", "ethos-u65", "ethos-u85")


def record(tool, row, work, models):
    """The file with the calls of this row."""
    path = os.path.join(work, row["id"] + ".stream")
    model, _ = timing_accuracy.compiled(row, work, models)
    subprocess.run([tool, path, "--accelerator", row["accelerator"], "--model", model, "--input", "zeros", "--memory", row["memory"],
                    "--memory-mode", row["memory_mode"]], check=True)
    return path


class Errors:
    """Size of each row's error for a choice of constants, in per cent."""

    def __init__(self, tool, rows, streams):
        self.tool, self.rows, self.streams, self.known = tool, rows, streams, {}

    def of(self, choice):
        words = tuple("%s=%d" % item for item in sorted(choice.items()))
        if words not in self.known:
            out = subprocess.run([self.tool, *words, *self.streams], check=True, capture_output=True, text=True).stdout.split()
            self.known[words] = [abs(100.0 * int(c) / timing_accuracy.reference(r) - 100) for c, r in zip(out, self.rows)]
        return self.known[words]

    def mean(self, choice, wanted):
        """Mean over the families of the mean error of the rows that are wanted."""
        errors = self.of(choice)
        groups = [[e for e, r in zip(errors, self.rows) if r["accelerator"].startswith(f) and wanted(r)] for f in FAMILIES]
        return statistics.mean(statistics.mean(g) for g in groups if g)


def choose(errors, wanted):
    choice, changed = {}, True
    best = errors.mean(choice, wanted)
    while changed:
        changed = False
        for name, values in STEPS.items():
            for value in values:
                other = dict(choice, **{name: value})
                mean = errors.mean(other, wanted)
                if mean < best - 0.001:
                    best, choice, changed = mean, other, True
    return choice


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("record")
    p.add_argument("replay")
    p.add_argument("work")
    p.add_argument("--models")
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    rows = [r for r in timing_accuracy.published() if r["id"].startswith("fvp.")]
    errors = Errors(a.replay, rows, [record(a.record, r, a.work, a.models) for r in rows])
    left_out = {}
    for network in sorted({r["network"] for r in rows}):
        choice = choose(errors, lambda r, n=network: r["network"] != n)
        print("without %-18s %s" % (network, " ".join("%s=%d" % item for item in sorted(choice.items()))), flush=True)
        for error, row in zip(errors.of(choice), rows):
            if row["network"] == network:
                left_out.setdefault(row["accelerator"][:9], []).append(error)
    for family in FAMILIES:
        fitted = statistics.mean(e for e, r in zip(errors.of({}), rows) if r["accelerator"].startswith(family))
        print("%s  left out %.2f %%  fitted %.2f %%  ratio %.2f" % (family, statistics.mean(left_out[family]), fitted,
                                                                 statistics.mean(left_out[family]) / fitted))


if __name__ == "__main__":
    main()

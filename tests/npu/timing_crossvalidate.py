#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of the timing model's accuracy is fit: constants chosen anew without what is measured.

    timing_crossvalidate.py RECORD REPLAY WORK [--models DIR] [--write ROOT]

RECORD and REPLAY: build/tests/npu/timing_record and timing_replay. WORK and --models as of timing_accuracy.py, whose packages it
needs. First without a network: all constants are chosen by coordinate search on the other networks, over the steps below; the errors of
the networks left out stand beside those of the constants as they are. Then without the rows that fixed a constant: that constant is
chosen on all other seen rows; --write puts this table into docs/evidence/timing-npu.md under ROOT."""
import argparse
import os
import re
import statistics
import subprocess

import timing_accuracy

STEPS = {"JOB_CYCLES": (128, 192, 256, 320, 384), "START_CYCLES": (32, 40, 48, 56, 64, 80, 96), "MEET_CYCLES": (32, 64, 96),
         "PIECE_CYCLES": (4, 8, 12), "POOL_CYCLES": (8, 12, 16, 20), "WEIGHT_ROUNDS": (1, 2, 3), "UNEVEN": (4, 5, 6, 7, 8),
         "HIDDEN_LATENCY": (8, 12, 16, 24, 32), "SCALES_IN_FLIGHT": (192, 256, 320), "STREAM_AHEAD": (128, 192, 256)}
# These say nothing about networks with adapters.
MORE = {"OWN_LATENCY": (1, 2, 4, 8), "WINDOW_AT_START": (250, 1250, 1750, 2000, 2250, 2500, 3250, 4250)}
# The rows that fixed a constant: their names, and what they are called.
FIXED = {"JOB_CYCLES": ("^op", "single operations of U85"), "START_CYCLES": (r"\.rnn\.", "RNNoise"),
         "MEET_CYCLES": ("u65-512", "U65-512"), "PIECE_CYCLES": ("^taoff", "networks without adapters"),
         "POOL_CYCLES": (r"\.vww\.u55", "visual wake words on U55"), "WEIGHT_ROUNDS": (r"\.rnn\.", "RNNoise"),
         "UNEVEN": (r"^fvp\.(?!rnn)", "networks with adapters but RNNoise"), "HIDDEN_LATENCY": ("^taoff|sramcap", "networks without adapters or SRAM caps"),
         "OWN_LATENCY": ("^taoff", "networks without adapters"),
         "SCALES_IN_FLIGHT": (r"\.(kws|vww|yolo|mv2|ad)\..*u85-(1024|2048)", "networks but RNNoise on U85-1024 and -2048"),
         "WINDOW_AT_START": ("^op", "single operations of U85"), "STREAM_AHEAD": (r"\.rnn\.", "RNNoise")}
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
        """Mean over the groups of the mean error of the rows that are wanted."""
        groups = {}
        for error, row in zip(self.of(choice), self.rows):
            if wanted(row):
                groups.setdefault(timing_accuracy.group(row), []).append(error)
        return statistics.mean(statistics.mean(g) for g in groups.values())


def choose(errors, steps, wanted):
    choice, changed = {}, True
    best = errors.mean(choice, wanted)
    while changed:
        changed = False
        for name, values in steps.items():
            for value in values:
                other = dict(choice, **{name: value})
                mean = errors.mean(other, wanted)
                if mean < best - 0.001:
                    best, choice, changed = mean, other, True
    return choice


def network(row):
    return row["id"].startswith("fvp.")


def without_networks(errors):
    left_out = {}
    for name in sorted({r["network"] for r in errors.rows if network(r)}):
        choice = choose(errors, STEPS, lambda r, n=name: network(r) and r["network"] != n)
        print("without %-18s %s" % (name, " ".join("%s=%d" % item for item in sorted(choice.items()))), flush=True)
        for error, row in zip(errors.of(choice), errors.rows):
            if network(row) and row["network"] == name:
                left_out.setdefault(row["accelerator"][:9], []).append(error)
    for family in FAMILIES:
        fitted = statistics.mean(e for e, r in zip(errors.of({}), errors.rows) if network(r) and r["accelerator"].startswith(family))
        print("%s  left out %.2f %%  fitted %.2f %%  ratio %.2f" % (family, statistics.mean(left_out[family]), fitted,
                                                                 statistics.mean(left_out[family]) / fitted))


def without_rows(errors):
    lines = ["| constant | rows that fixed it | their error | chosen without them | their error then |", "|---|---|---|---|---|"]
    for name, values in {**STEPS, **MORE}.items():
        pattern, words = FIXED[name]
        choice = choose(errors, {name: values}, lambda r, p=pattern: not re.search(p, r["id"]))
        fixed, then = (statistics.mean(e for e, r in zip(errors.of(c), errors.rows) if re.search(pattern, r["id"])) for c in ({}, choice))
        lines.append("| `%s` | %s | %.1f %% | %s | %.1f %% |" % (name, words, fixed, choice.get(name, "the same"), then))
    return lines


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("record")
    p.add_argument("replay")
    p.add_argument("work")
    p.add_argument("--models")
    p.add_argument("--write")
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    rows = [r for r in timing_accuracy.published() if r["set"] == "seen"]
    errors = Errors(a.replay, rows, [record(a.record, r, a.work, a.models) for r in rows])
    without_networks(errors)
    lines = without_rows(errors)
    print("\n".join(lines))
    if a.write:
        timing_accuracy.write_table(os.path.join(a.write, "docs/evidence/timing-npu.md"), "constants", lines)


if __name__ == "__main__":
    main()

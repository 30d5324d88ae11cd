#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of traces of instructions.

    tests/bench/traces.py [--fvp-sim build/fvp-sim] [--runs 5] [--minimum MIPS]

Runs the benchmark programs without a trace, with --trace fvpt and with --trace tarmac (both to /dev/null), in turns, and prints
million instructions a second of the whole run, start of the process included: best by the clock (best by user and system time).
Fails when fvpt is below --minimum, by the clock, for one of the programs that the goal is for."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
GOAL = ["float", "crc32", "interpreter", "mix"]
PROGRAMS = GOAL + ["list", "recursion", "loops", "dot8", "unaligned", "switches"]
KINDS = {"no trace": ([], 30000000), "fvpt": (["--trace", "fvpt=/dev/null"], 30000000), "tarmac": (["--trace", "tarmac=/dev/null"], 10000000)}


def timed(command):
    """Seconds by the clock and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return max(clock, 1e-3), max(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1e-3)


def measure(args, elf, directory):
    """For each kind: million instructions a second by the clock, by the processor's time."""
    commands, counts, seconds = {}, {}, {kind: [] for kind in KINDS}
    for kind, (options, cycles) in KINDS.items():
        commands[kind] = [args.fvp_sim, "--quiet", "--elf", elf, "--cyclelimit", str(cycles)] + options
        report = os.path.join(directory, "report.json")
        subprocess.run(commands[kind] + ["--report", report], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        counts[kind] = json.loads(pathlib.Path(report).read_text())["cpu"]["instructions"]
    for _ in range(args.runs):
        for kind, command in commands.items():
            seconds[kind].append(timed(command))
    return {kind: [counts[kind] / min(s[i] for s in seconds[kind]) / 1e6 for i in (0, 1)] for kind in KINDS}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fvp-sim", default=str(HERE.parent.parent / "build" / "fvp-sim"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--minimum", type=float, default=0, metavar="MIPS")
    args = parser.parse_args()
    ok = True
    print("| program | " + " | ".join(KINDS) + " |\n" + "|---" * (len(KINDS) + 1) + "|")
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([str(HERE / "build.sh"), directory], check=True)
        for name in PROGRAMS:
            speed = measure(args, os.path.join(directory, name + ".elf"), directory)
            print(f"| `{name}` | " + " | ".join(f"{clock:.0f} ({used:.0f})" for clock, used in speed.values()) + " |", flush=True)
            ok &= name not in GOAL or speed["fvpt"][0] >= args.minimum
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())

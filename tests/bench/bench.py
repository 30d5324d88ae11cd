#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of fvp-sim's processor beside QEMU's, in the same minutes.

    tests/bench/bench.py [--fvp-sim build/fvp-sim] [--runs 5] [--markdown FILE] [--minimum NAME=MIPS]...

Builds the benchmark programs with arm-none-eabi-gcc, runs each several times, taking turns, on
fvp-sim (one cycle per instruction; Cortex-M55 timing), QEMU mps3-an547, and QEMU with -icount, and
prints million guest instructions per second of user and system time, start of the process
included: best (median). A program whose check values differ fails the run, so does a --minimum
that is missed. QEMU is left out where it is not installed."""
import argparse
import json
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ["mix", "crc32", "list", "recursion", "interpreter", "loops", "float", "dot8", "unaligned", "switches"]


def timed(command):
    """Runs a command; its text and the processor seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout.strip(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands(args):
    qemu = ["qemu-system-arm", "-M", "mps3-an547", "-cpu", "cortex-m55", "-nographic", "-semihosting"]
    ours = [args.fvp_sim, "--quiet", "--elf"]
    table = {"fvp-sim": lambda elf: ours + [elf],
             "fvp-sim m55": lambda elf: ours + [elf, "--cpu-timing", "m55"]}
    if shutil.which(qemu[0]):
        table["QEMU"] = lambda elf: qemu + ["-kernel", elf]
        table["QEMU -icount"] = lambda elf: qemu + ["-icount", "shift=0", "-kernel", elf]
    return table


def instructions(args, elf, directory):
    report = os.path.join(directory, "report.json")
    subprocess.run([args.fvp_sim, "--quiet", "--elf", elf, "--report", report], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return json.loads(pathlib.Path(report).read_text())["cpu"]["instructions"]


def measure(args, directory):
    rows, ok = [], True
    table = commands(args)
    for name in PROGRAMS:
        elf = os.path.join(directory, name + ".elf")
        count = instructions(args, elf, directory)
        seconds = {who: [] for who in table}
        values = set()
        for _ in range(args.runs):
            for who, command in table.items():
                text, used = timed(command(elf))
                seconds[who].append(max(used, 1e-3))
                values.add(text)
        if len(values) != 1:
            print(f"{name}: check values differ: {sorted(values)}")
            ok = False
        rows.append((name, count, {w: (count / min(s) / 1e6, count / statistics.median(s) / 1e6)
                                   for w, s in seconds.items()}))
    return rows, ok


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def table_text(rows):
    who = list(rows[0][2])
    lines = ["| program | million instructions | " + " | ".join(who) + " | against QEMU | against -icount |",
             "|---" * (len(who) + 4) + "|"]
    for name, count, speed in rows:
        cells = [f"{best:.0f} ({median:.0f})" for best, median in speed.values()]
        ratios = [f"{speed['fvp-sim'][0] / speed[q][0]:.2f}" if q in speed else "-" for q in ("QEMU", "QEMU -icount")]
        lines.append(f"| {name} | {count / 1e6:.0f} | " + " | ".join(cells + ratios) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fvp-sim", default=str(HERE.parent.parent / "build" / "fvp-sim"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--markdown", help="also write the table to this file")
    parser.add_argument("--minimum", action="append", default=[], metavar="NAME=MIPS")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([str(HERE / "build.sh"), directory], check=True)
        rows, ok = measure(args, directory)
    text = table_text(rows)
    print(f"{processor()}, {args.runs} runs, best (median), million instructions per second\n\n{text}")
    if args.markdown:
        pathlib.Path(args.markdown).write_text(text + "\n")
    for rule in args.minimum:
        name, least = rule.split("=")
        best = next(speed["fvp-sim"][0] for row, _, speed in rows if row == name)
        if best < float(least):
            print(f"{name}: {best:.0f} is below {least}")
            ok = False
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())

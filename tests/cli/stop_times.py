#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a run goes on after it was asked to end: stop_times.py FVP_SIM FOLDER... [--times N] [--most SECONDS]

Every program of the folders, on its board, plain and with what makes a run slower to end (traces, profiles, one instruction
after the other), each N times: by SIGTERM at a drawn moment and by --timelimit. A line per kind of run is printed, as Markdown:
runs, those that had ended before, and the median and the longest time in ms from the signal (the limit) to the end of the
process, whether it was still running then or already told of its end. A run without its report and dump is an error, as is one that
takes longer than SECONDS."""
import argparse
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

KINDS = {
    "plain": [],
    "`--engine step`": ["--engine", "step"],
    "`--trace perfetto`, `--profile flat`": ["--trace", "perfetto=t", "--profile", "flat=f"],
    "`--trace vcd`": ["--trace", "vcd=v"],
    "`--trace tarmac`": ["--trace", "tarmac=m"],
    "`--trace fvpt`": ["--trace", "fvpt=p"],
    "`--profile callgrind`": ["--profile", "callgrind=c"],
}
LIMIT = 0.5


def board_of(path):
    found = re.search(r"corstone-3\d\d", path)
    return found.group() if found else "corstone-300"


def complete(work, status):
    """Why a run that was asked to end is not whole; None when it is."""
    try:
        with open(f"{work}/report.json") as f:
            report = f.read()
    except OSError:
        return "no report"
    if status in (130, 124) and not re.search(r'"reason": "(INTERRUPTED|TIME_LIMIT)"', report):
        return "the report tells another reason"
    if not os.path.exists(f"{work}/dump") or os.path.getsize(f"{work}/dump") != 16:
        return "no dump"
    return None


def ended(a, elf, options, after):
    """One run: seconds that its end took (None: it had ended before), and what is wrong with it."""
    with tempfile.TemporaryDirectory() as work:
        os.mkfifo(f"{work}/fifo")
        reader, writer = os.pipe()
        command = [a.program, "--elf", elf, "--board", board_of(elf), "--semihosting-dir", work, "--report", f"{work}/report.json",
                   "--dump", f"{work}/dump@0x10000000,16", *options, *([] if after else ["--timelimit", str(LIMIT)])]
        since = time.monotonic()
        with open(f"{work}/err", "w") as err:
            p = subprocess.Popen(command, cwd=work, stdin=reader, stdout=subprocess.DEVNULL, stderr=err)
            try:
                p.wait(after or LIMIT)
                late = None
            except subprocess.TimeoutExpired:
                asked = since + LIMIT
                if after:
                    asked = time.monotonic()
                    p.send_signal(signal.SIGTERM)
                p.wait()
                late = time.monotonic() - asked
        os.close(reader)
        os.close(writer)
        if late is None:
            return None, None
        return late, complete(work, p.returncode)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("folders", nargs="+")
    p.add_argument("--times", type=int, default=3)
    p.add_argument("--most", type=float, default=0.2)
    a = p.parse_args()
    a.program = os.path.abspath(a.program)
    elves = sorted(os.path.abspath(e.path) for d in a.folders for e in os.scandir(d) if e.name.endswith(".elf"))
    draw = random.Random(int(os.environ.get("FUZZ_SEED", "0")))
    failed = 0
    print("| Run | Programs | Runs | Ended before | Median ms | Longest ms |\n|---|---|---|---|---|---|")
    for kind, options in KINDS.items():
        times, before = [], 0
        for elf in elves:
            for after in [draw.uniform(0.25, 1) for _ in range(a.times)] + [None]:
                late, why = ended(a, elf, options, after)
                if late is None:
                    before += 1
                    continue
                times.append(late)
                if late > a.most:
                    why = why or f"{1000 * late:.0f} ms"
                if why:
                    failed += 1
                    print(f"FAIL {os.path.basename(elf)}, {kind}, {'SIGTERM' if after else '--timelimit'}: {why}", file=sys.stderr)
        middle, most = (1000 * statistics.median(times), 1000 * max(times)) if times else (0, 0)
        print(f"| {kind} | {len(elves)} | {len(times) + before} | {before} | {middle:.0f} | {most:.0f} |", flush=True)
    return failed != 0


sys.exit(main())

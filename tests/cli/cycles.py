#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The processor's cycles: every engine counts the same with every timing, the guest's counters say what reports say, and each report
says how far its cycles were from published ones.

  cycles.py PROGRAM COUNTERS FIRMWARE...

COUNTERS: endings/counters.c."""
import json
import os
import re
import sys
import tempfile

from trace_check import check, failed, run

TIMINGS, ENGINES = ("ipc1", "m55", "m85"), ("tail", "switch", "step")
ACCURACY = {"ipc1": r"instructions are counted, .+",
            **{core: rf"estimated, {core.upper()}: mean error \d+\.\d % over \d+ kernels?, largest \d+\.\d %" for core in ("m55", "m85")}}


def report(program, elf, *options):
    """What a run printed, and its report."""
    status, out, errors = run(program, "--elf", elf, "--report", "run.json", *options)
    check(status == 0, f"{elf} {options}: {status} {errors}")
    with open("run.json") as f:
        return out.decode(), json.load(f)


def of_engines(program, elf, *options):
    """The same of all engines."""
    first, *others = (report(program, elf, *options, "--engine", engine) for engine in ENGINES)
    for engine, other in zip(ENGINES[1:], others):
        check(other == first, f"{elf} {options}: {engine} counts {other[1]['cpu']['cycles']} cycles, {ENGINES[0]} {first[1]['cpu']['cycles']}")
    return first


def counters(program, elf, timing, *options):
    """Both counters, and the report's cycles, of little work and of more: they differ by the same."""
    seen = []
    for times in ("00100", "20000"):
        out, whole = of_engines(program, elf, "--cpu-timing", timing, "--semihosting-cmdline", times, *options)
        seen.append([int(x, 16) for x in re.findall(r"^[0-9a-f]{8}$", out, re.M)] + [whole["cpu"]["cycles"]])
    differences = [more - less for less, more in zip(*seen)]
    check(len(differences) == 3 and len(set(differences)) == 1 and differences[0] > 100000,
          f"{timing} {options}: DWT, PMU and report count {differences}")
    return differences[0]


def accuracy(program, elf, timing):
    """Each report in words of its own."""
    options = ("--cpu-timing", timing, "--semihosting-cmdline", "00100")
    _, whole = report(program, elf, *options)
    _, stat, _ = run(program, "--elf", elf, "--stat", *options)
    run(program, "--elf", elf, *options, *(x for k in ("flat", "json", "callgrind") for x in ("--profile", f"{k}={k}.out")))
    texts = {"report": whole["cpu"]["accuracy"]}
    with open("json.out") as f:
        texts["json"] = json.load(f)["accuracy"]
    for name, pattern, text in (("--stat", r"cpu0 cycles +: (.*)", stat.decode()), ("flat", r"asleep without the NPU; (.*)", open("flat.out").read()),
                                ("callgrind", r"^desc: Cycles: (.*)", open("callgrind.out").read())):
        found = re.search(pattern, text, re.M)
        texts[name] = found[1] if found else ""
    check(len(set(texts.values())) == 1 and re.fullmatch(ACCURACY[timing], texts["report"]), f"{timing}: {texts}")


def main():
    program, guest, *firmware = (os.path.abspath(x) for x in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        counted = {timing: counters(program, guest, timing) for timing in TIMINGS}
        check(counted["ipc1"] < counted["m85"] < counted["m55"], f"cycles of the same work: {counted}")
        slow = counters(program, guest, "m55", "--cpu-memory", "u55-high-end")
        check(slow == counted["m55"], f"memories make {slow} cycles of {counted['m55']} in TCMs")
        for timing in TIMINGS:
            accuracy(program, guest, timing)
            for elf in firmware:
                of_engines(program, elf, "--board", re.search(r"corstone-\d+", elf)[0], "--cpu-timing", timing)
    return failed()


if __name__ == "__main__":
    sys.exit(main())

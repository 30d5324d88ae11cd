#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every resource of a run fails once: run.py FVP_SIM SHIM GUESTS MODELS EXIT_CODES [--most N]

Each command is run once for every allocation, open, read, write, mapping and close that it makes (fail_nth.c), and that
one fails. The run gives its memory back. It must end with a status that docs/reference/exit-codes.md documents (EXIT_CODES) or, when nothing was lost, with
its own, and a status of ours comes with a sentence. What it had produced before is there: standard output and each file are
as without the failure, or up to the failure, or a message names them. --most: no more than so many of a command's calls, evenly spread."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from formats import well_formed


def commands(a, work):
    guests, models = os.path.abspath(a.guests), os.path.abspath(a.models)
    """Name, command line, the statuses of its own: the first where nothing fails."""
    yield "guest", [a.program, "--elf", f"{guests}/exit.elf", "--report", f"{work}/o/r.json", "--dump", f"{work}/o/d@0x10000000,64",
                    "--uart0", f"{work}/o/uart"], (42,)
    kinds = [x for k in ("perfetto", "fvpt", "tarmac", "vcd", "npu") for x in ("--trace", f"{k}={work}/o/{k}")]
    yield "traces", [a.program, "--elf", f"{guests}/exit.elf", *kinds, "--profile", f"flat={work}/o/flat", "--profile", f"callgrind={work}/o/callgrind",
                     "--profile", f"speedscope={work}/o/speedscope", "--npu-debug-db", f"{work}/guest/names.xml"], (42,)
    yield "convert", [a.program, "trace", "convert", f"{work}/guest/t.fvpt", f"tarmac={work}/o/t.tarmac"], (0,)
    yield "semihosting", [a.program, "--elf", f"{guests}/runner.elf", "--semihosting-dir", f"{work}/guest",
                          "--semihosting-cmdline", "executor_runner -m program.pte -i i0.bin -o out"], range(16)
    yield "network", [a.program, "npu", "--accelerator", "ethos-u55-128", "--model", f"{models}/classifier_ethos-u55-128.tflite",
                      "--input", f"{models}/classifier_input.bin", "--output", f"{work}/o/out", "--report", f"{work}/o/n.json"], (0,)


def prepared(work):
    for folder in ("guest", "o"):
        shutil.rmtree(f"{work}/{folder}", ignore_errors=True)
        os.makedirs(f"{work}/{folder}")
    names = "".join(f'<table name="{t}"><![CDATA["offset","id","optimised_id","source_id"\n1,1,1,1\n]]></table>' for t in ("queue", "optimised", "source"))
    trace = "fvp-sim trace\n\0\0\2" + 19 * "\0"  # no instructions
    for name, text in (("program.pte", "model"), ("i0.bin", "input"), ("names.xml", names), ("t.fvpt", trace)):
        with open(f"{work}/guest/{name}", "w") as f:
            f.write(text)


def run(a, command, work, **variables):
    prepared(work)
    environment = dict(os.environ, LD_PRELOAD=os.path.abspath(a.shim), **variables)
    return subprocess.run(command, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=400, cwd=work)


def wrong(done, own, documented):
    if done.returncode < 0 or done.returncode >= 128:
        return f"ended by a signal ({done.returncode})"
    if done.returncode not in documented and done.returncode not in own:
        return f"status {done.returncode} is not documented"
    said = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("fvp-sim")]
    if done.returncode not in own and not said:
        return f"status {done.returncode} without a sentence"
    return None


def produced(work, done):
    """Name and bytes of all that a run wrote."""
    found = {"standard output": done.stdout}
    for folder, _, names in os.walk(work):
        for name in names:
            if name != "count":
                with open(os.path.join(folder, name), "rb") as f:
                    found[os.path.relpath(os.path.join(folder, name), work)] = f.read()
    return found


def lost(done, own, got, whole):
    """What is not there though it should be, or damaged, and no message says so. A run that could not go on ends its files
    early; one that goes on with less memory may say less in them."""
    said = done.stderr.decode(errors="replace")
    for name, text in whole.items():
        if got.get(name) == text or os.path.basename(name) in said:
            continue
        went_on = done.returncode == own[0]
        if name not in got and went_on:
            return f"{name} is missing"
        if name in got:
            good = well_formed(name, got[name])
            if good is None:
                good = text.startswith(got[name]) and not went_on
            if not good and got[name]:
                return f"{name} is damaged: {len(got[name])} bytes of {len(text)}"
    return None


def counted(work):
    """Calls of the last run, and pieces of memory that it did not give back."""
    with open(f"{work}/count") as f:
        return map(int, f.read().split())


def main():
    p = argparse.ArgumentParser()
    for name in ("program", "shim", "guests", "models", "exit_codes"):
        p.add_argument(name)
    p.add_argument("--most", type=int, default=1 << 30)
    a = p.parse_args()
    a.program = os.path.abspath(a.program)
    with open(a.exit_codes) as f:
        documented = {int(n) for n in re.findall(r"^\| (\d+) \|", f.read(), re.M)}
    failed = runs = 0
    with tempfile.TemporaryDirectory() as work:
        for name, command, own in commands(a, work):
            done = run(a, command, work, FAIL_COUNT=f"{work}/count")
            calls, least = counted(work)
            whole = produced(work, done)
            if done.returncode != own[0]:
                sys.exit(f"{name}: status {done.returncode} where nothing fails: {done.stderr.decode()}")
            for nth in range(1, calls + 1, max(1, -(-calls // a.most))):
                done = run(a, command, work, FAIL_NTH=str(nth), FAIL_COUNT=f"{work}/count")
                why = wrong(done, own, documented) or lost(done, own, produced(work, done), whole)
                _, pieces = counted(work)
                if not why and pieces > least:
                    why = f"{pieces} pieces of memory are not given back, {least} without a failure"
                runs += 1
                if why:
                    failed += 1
                    print(f"FAIL {name}, call {nth} of {calls}: {why}: {done.stderr.decode(errors='replace')[-200:]}")
            print(f"{name}: {calls} calls", flush=True)
    print(f"{runs} runs, {failed} failed")
    return failed != 0


sys.exit(main())

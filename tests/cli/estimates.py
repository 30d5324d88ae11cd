#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Estimated cycles in reports: parts add up to the whole, the guest's counters say the same, and figures carry their error.

  estimates.py PROGRAM RUNNER NETWORK INPUT

RUNNER: a program that runs NETWORK once on an Ethos-U55-128 and prints the NPU's counters."""
import json
import os
import re
import subprocess
import sys
import tempfile

NPU = "ethos-u55-128"
BEAT_BYTES = 8
PARTS = ("port0_read_bytes", "port0_written_bytes", "port1_read_bytes", "port1_written_bytes")
# Events of the same traffic, in that order.
EVENTS = ("AXI0_RD_DATA_BEAT_RECEIVED", "AXI0_WR_DATA_BEAT_WRITTEN", "AXI1_RD_DATA_BEAT_RECEIVED", "AXI1_WR_DATA_BEAT_WRITTEN")
failed = 0


def equal(what, got, wanted):
    global failed
    if got != wanted:
        print(f"FAILED: {what}: {got}, not {wanted}")
        failed = 1


def run(*arguments):
    r = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=200)
    equal(f"status of {arguments} ({r.stderr})", r.returncode, 0)
    return r.stdout


def report(path):
    with open(path) as f:
        return json.load(f)


def adds_up(who, job, operations):
    equal(f"{who}: causes and cycles", sum(job["causes"].values()), job["cycles"])
    equal(f"{who}: cycles of operations", sum(o["cycles"] for o in operations), job["cycles"])
    equal(f"{who}: MACs", sum(o["macs"] for o in operations), job["macs"])
    equal(f"{who}: waiting", sum(o["waiting"] for o in operations), job["causes"].get("latency", 0))
    for o in [*operations, {"waiting": job["causes"].get("latency", 0), "waits": job["waits"]}]:
        equal(f"{who}: parts of waiting", sum(o["waits"].values()), o["waiting"])
    for part in PARTS:
        equal(f"{who}: {part}", sum(o[part] for o in operations), job[part])


def by_memory(who, job, operations, names):
    """Bytes by memory are those of the ports; of reads the commands come on top."""
    totals = {m["memory"]: (m["read_bytes"], m["written_bytes"]) for m in job["memories"]}
    equal(f"{who}: memories", set(totals), names)
    for i, way in enumerate(("read_bytes", "written_bytes")):
        for name in names:
            equal(f"{who}: {way} of {name}", sum(m[way] for o in operations for m in o["memories"] if m["memory"] == name), totals[name][i])
    for o in [job, *operations]:
        read, written = (sum(m[way] for m in o["memories"]) for way in ("read_bytes", "written_bytes"))
        equal(f"{who}: bytes written", written, o["port0_written_bytes"] + o["port1_written_bytes"])
        equal(f"{who}: bytes read", read < o["port0_read_bytes"] + o["port1_read_bytes"], True)


def touches(who, operations):
    """A copy moves as many bytes as it names; what one operation writes another reads, but for the last one's."""
    for o in operations:
        if o["kind"] == "dma":
            equal(f"{who}: a copy's ranges", [sum(r["bytes"] for r in o[key]) for key in ("reads", "writes")],
                  [int(o["shape"].split()[0])] * 2)
    read = [r for o in operations for r in o["reads"]]
    for o in operations[:-1]:
        for w in o["writes"]:
            used = any(r["region"] == w["region"] and r["address"] < w["address"] + w["bytes"] and w["address"] < r["address"] + r["bytes"]
                       for r in read)
            equal(f"{who}: somebody reads what {o['shape']} writes", used, True)


def carries_error(who, text):
    equal(f"{who}: {text}", bool(re.fullmatch(r"estimated, \w+: mean error \d+\.\d % over \d+ \w+, largest \d+\.\d %", text)), True)


def machine(program, runner, *options):
    """The report of a run; the guest's counters are compared with it."""
    out = run(program, "--elf", runner, "--npu", NPU, "--report", "run.json", "--report-jobs", *options)
    whole = report("run.json")
    npu = whole["npu"]
    job, = npu["inferences"]
    equal("left out", (npu["inferences_left_out"], npu["operations_left_out"]), (0, 0))
    equal("cycles of the only job", job["cycles"], npu["active_cycles"])
    equal("number of operations", (len(job["operations"]), job["operation_count"]), (npu["last_job_operations"],) * 2)
    adds_up("machine", job, job["operations"])
    touches("machine", job["operations"])
    by_memory("machine", job, job["operations"], {"DDR", "ISRAM"})
    equal("the job lies within the run", 0 < job["began"] <= whole["cpu"]["cycles"] - job["cycles"], True)
    carries_error("NPU", npu["accuracy"])
    for part, event in zip(PARTS, EVENTS):
        equal(f"{event} in bytes", npu["events"].get(event, 0) * BEAT_BYTES, job[part])
    counters = re.search(r"(\d+) active\nNPU beats: AXI0 (\d+) read, (\d+) written; AXI1 (\d+) read", out)
    seen = [int(x) for x in counters.groups()]
    equal("PMU", seen, [npu["active_cycles"]] + [npu["events"].get(e, 0) for e in EVENTS[:3]])
    return whole


def main():
    program, runner, network, data = (os.path.abspath(x) for x in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        plain = machine(program, runner)
        equal("accuracy of counted instructions", plain["cpu"]["accuracy"].startswith("instructions are counted"), True)
        timed = machine(program, runner, "--cpu-timing", "m55")
        carries_error("processor", timed["cpu"]["accuracy"])
        slow, fast = (machine(program, runner, "--memory", "," + m)["npu"]["active_cycles"]
                      for m in ("ext.read_latency=400,sram.read_latency=99,ext.cap=20", "ext.read_latency=9,sram.read_latency=9,ext.cap=0"))
        equal(f"a slower memory takes longer ({slow}, {fast})", slow > fast, True)
        carries_error("--stat", re.search(r"\.ethosu cycles +: (.*)", run(program, "--elf", runner, "--npu", NPU, "--stat"))[1])
        run(program, "npu", "--accelerator", NPU, "--model", network, "--input", data, "--layers", "--report", "npu.json")
        alone = report("npu.json")
        adds_up("NPU alone", alone, alone["operations"])
        by_memory("NPU alone", alone, alone["operations"], {"region 0", "region 1"})
        carries_error("NPU alone", alone["accuracy"])
    return failed


if __name__ == "__main__":
    sys.exit(main())

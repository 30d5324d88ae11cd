#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The trace with everything on one time axis, read back field by field.

  perfetto_traces.py PROGRAM RUNNER RECURSION FLIGHT SECURE HEAP TASKS

RUNNER uses the NPU, RECURSION calls itself until its stack is full, FLIGHT uses the DMA, SECURE has a Non-secure twin, HEAP allocates, TASKS
exchanges stacks."""
import importlib.util
import json
import os
import re
import sys
import tempfile

from perfetto_file import perfetto
from trace_check import check, failed, run


def total(values):
    """What a counter of something per second has counted."""
    return sum(v * (after - at) for (at, v), (after, _) in zip(values, values[1:])) / 1e9


def counted(values, events):
    """Operations overlap: what ports and array do meanwhile is the sum of both."""
    for track, names in (("port 0", ("AXI0_RD_DATA_BEAT_RECEIVED", "AXI0_WR_DATA_BEAT_WRITTEN")),
                         ("port 1", ("AXI1_RD_DATA_BEAT_RECEIVED", "AXI1_WR_DATA_BEAT_WRITTEN"))):
        beats = sum(events.get(name, 0) for name in names)
        check(beats and abs(total(values["NPU: " + track]) / beats - 1) < 0.001, f"{track}: {total(values['NPU: ' + track])} beats, {beats} were counted")
    for track, found in values.items():
        check(not track.startswith("NPU: ") or found[-1][1] == 0, f"{track} ends with {found[-1]}")


def time_axis(program, runner, flight):
    """The trace for Perfetto: slices are whole, operations have what the NPU's lines say, units are busy at most all the time."""
    run(program, "--elf", runner, "--trace", "perfetto=p.perfetto", "--trace", "npu=p.npu", "--report", "p.json")
    slices, values = perfetto("p.perfetto")
    lines = [x for x in open("p.npu") if not x.startswith("#")]
    operations = slices["NPU: operations"] + slices["NPU: DMA"]
    check(len(operations) == len(lines) and len(slices["NPU: jobs"]) > 0, f"{len(operations)} operations in perfetto, {len(lines)} lines")
    for unit in ("weight decoder", "MAC unit", "output unit"):
        busy = values["NPU: " + unit]
        check(any(v for _, v in busy) and all(v <= 100 for _, v in busy), f"NPU: {unit}: {busy}")
    counted(values, json.load(open("p.json"))["npu"]["events"])
    check(any(begin < end_before for (_, _, end_before), (_, begin, _) in zip(slices["NPU: operations"], slices["NPU: operations"][1:])),
          "no operations overlap")
    check(any(v for _, v in values["NPU: memory of the operation"]), "no memory of operations")
    check(sum(v for _, v in values["accesses: UART0"]) > 0, "no accesses to the UART")
    slices, _ = perfetto_of(program, flight)
    check(any("DMA" in track and s for track, s in slices.items() if "channel" in track), f"no transfers of the DMA: {list(slices)}")
    if importlib.util.find_spec("perfetto"): # the public schema
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2
        trace = perfetto_trace_pb2.Trace()
        trace.ParseFromString(open("p.perfetto", "rb").read())
        names = {p.track_descriptor.uuid: p.track_descriptor.name for p in trace.packet if p.HasField("track_descriptor")}
        begun = [names[p.track_event.track_uuid] for p in trace.packet if p.track_event.type == p.track_event.TYPE_SLICE_BEGIN]
        check(sum(x in ("NPU: operations", "NPU: DMA") for x in begun) == len(operations), "perfetto's schema reads something else")


def perfetto_of(program, elf, *others):
    run(program, "--board", re.search(r"corstone-\d+", elf)[0], "--elf", elf, *others, "--trace", "perfetto=d.perfetto")
    return perfetto("d.perfetto")


def main_stack(program, recursion, secure):
    """A program that calls itself until its stack is full, beside the stack pointer that each instruction leaves; both Security states."""
    run(program, "--elf", recursion, "--cyclelimit", 100000, "--trace", "perfetto=p.perfetto", "--trace", "tarmac=t.tarmac")
    pointers = [int(x, 16) for x in re.findall(r" R r13 (\w+)", open("t.tarmac").read())]
    used = [bytes_used for _, bytes_used in perfetto("p.perfetto")[1]["main stack (Secure)"]]
    lowest, deepest = min(pointers), max(used)
    check(used == sorted(used) and len(used) > 10, f"the stack of a recursion: {used}")
    check(0x30080000 - lowest - 16 <= deepest <= 0x30080000 - lowest, f"the deepest stack is {deepest}, the lowest pointer {lowest:#x}")
    _, values = perfetto_of(program, secure, "--elf", secure.replace("secure-", "nonsecure-"))
    check({"main stack (Secure)", "main stack (Non-secure)"} <= set(values), f"counters of a TrustZone pair: {list(values)}")


def heap(program, elf):
    """The bytes held after each step of tests/firmware/heap.c."""
    _, values = perfetto_of(program, elf)
    held = [v for _, v in values["heap"]]
    check(held == [100, 300, 600, 500, 532, 332, 300, 0], f"heap of {elf}: {held}")
    run(program, "--elf", elf, "--trace", "perfetto=d.perfetto,to=1")
    check(not perfetto("d.perfetto")[1].get("heap"), "a heap outside the time that is asked for")


def threads(program, elf):
    """The tasks of tests/firmware/rtos.c: each has its turns, one after the other, no function of one stands within another's, and the profile
    has no row in which one calls another."""
    run(program, "--elf", elf, "--trace", "perfetto=d.perfetto,shortest=0", "--profile", "folded=d.folded")
    slices, _ = perfetto("d.perfetto")
    bodies = {"keep_float", "keep_vectors", "count"}
    turns = sorted(slices["processor: threads"], key=lambda x: x[1])
    check([b[1] >= a[2] for a, b in zip(turns, turns[1:])].count(False) == 0 and len(turns) > 50, f"{len(turns)} turns of threads overlap")
    check({name for name, _, _ in turns} == {"thread 0: Reset_Handler", "thread 1: keep_float", "thread 2: keep_vectors", "thread 3: count", "thread 4: keep_float"},
          f"threads: { {name for name, _, _ in turns} }")
    calls, around = sorted(slices["processor: functions"], key=lambda x: (x[1], -x[2])), []
    for name, start, end in calls:
        while around and around[-1][2] <= start:
            around.pop()
        check(name not in bodies or not around, f"{name} at {start} within {around}")
        if name in bodies:
            inside = [x for x in turns if x[1] <= start and end <= x[2] and x[0].endswith(name)]
            check(len(inside) == 1, f"{name} from {start} to {end} is in the turns {inside}")
        around.append((name, start, end))
    mixed = [x for x in open("d.folded") if len(bodies & set(re.split("[; ]", x))) > 1 or re.search("Handler.*keep_|_init.*count", x)]
    check(not mixed, f"rows of the profile: {mixed}")


def main():
    program, runner, recursion, flight, secure, allocating, tasks = (os.path.abspath(x) for x in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        time_axis(program, runner, flight)
        main_stack(program, recursion, secure)
        heap(program, allocating)
        threads(program, tasks)
    return failed()


if __name__ == "__main__":
    sys.exit(main())

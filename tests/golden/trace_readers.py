#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of traces and profiles, read by readers that others wrote: Perfetto's protobuf schema, a VCD reader, an lcov reader,
numpy. They are fetched into a cache directory; when the package index cannot be reached, the test is skipped.

  trace_readers.py CACHE PROGRAM RUNNER"""
import json
import os
import subprocess
import sys
import tempfile

from wheel import fail, locked, pip

PACKAGES = ("perfetto==0.59.1", "protobuf==7.36.2", "vcdvcd==2.6.0", "lcov_cobertura==2.1.1", "numpy==2.1.3")


def check(condition, text):
    if not condition:
        fail(text)


def perfetto(path, report):
    from google.protobuf.unknown_fields import UnknownFieldSet
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
    trace = Trace()
    with open(path, "rb") as f:
        trace.ParseFromString(f.read())
    names, tracks, depth, functions, operations, lines = {}, {}, {}, set(), 0, []
    for p in trace.packet:
        check(len(UnknownFieldSet(p)) == 0, "a packet has unknown fields")
        for n in p.interned_data.event_names:
            names[n.iid] = n.name
        if p.HasField("track_descriptor"):
            tracks[p.track_descriptor.uuid] = p.track_descriptor.name
        if not p.HasField("track_event"):
            continue
        e = p.track_event
        check(e.track_uuid in tracks, f"an event on track {e.track_uuid}, which has no name")
        if e.type == TrackEvent.TYPE_SLICE_BEGIN:
            depth[e.track_uuid] = depth.get(e.track_uuid, 0) + 1
            check(e.name_iid in names, "a slice without a name")
            if tracks[e.track_uuid] == "processor: functions":
                functions.add(names[e.name_iid])
            operations += tracks[e.track_uuid] in ("NPU: operations", "NPU: DMA")
        elif e.type == TrackEvent.TYPE_SLICE_END:
            depth[e.track_uuid] -= 1
        elif e.type == TrackEvent.TYPE_INSTANT:
            lines.append(names[e.name_iid])
    check(not any(depth.values()), f"slices that do not end: {depth}")
    check("main" in functions and "ethosu_run" in functions, f"functions: {sorted(functions)}")
    check(operations == report["npu"]["last_job_operations"], f"{operations} operations")
    check("PASS: output equals the golden output" in lines, "no lines of the serial port")


def vcd(path, report):
    from vcdvcd import VCDVCD
    v = VCDVCD(path)
    busy = v["corstone-300.npu_busy"].tv
    period = 10**12 // report["cpu"]["clock_hz"]
    length = sum(b - a for (a, on), (b, _) in zip(busy, busy[1:]) if on == "1") // period
    check(length == report["npu"]["last_job_cycles"], f"the NPU is busy for {length} cycles")
    check(int(v["corstone-300.npu_operations"].tv[-1][1], 2) == report["npu"]["last_job_operations"], "operations in the VCD")
    text = "".join(chr(int(x, 2)) for _, x in v["corstone-300.uart0"].tv)
    check("PASS: output equals the golden output" in text, "the serial port in the VCD")


def lcov(path):
    from lcov_cobertura import LcovCobertura
    with open(path) as f:
        data = LcovCobertura(f.read()).parse()
    summary = data["summary"]
    check(summary["lines-total"] > summary["lines-covered"] > 100, f"coverage: {summary}")


def tensors(folder):
    import numpy
    with open(f"{folder}/index.json") as f:
        operations = json.load(f)["operations"]
    convolutions = 0
    for o in operations:
        for kind in ("ifm", "ifm2", "weights", "ofm"):
            if kind in o:
                a = numpy.load(f"{folder}/{o[kind]['file']}")
                check(list(a.shape) == o[kind]["shape"] and a.dtype == o[kind]["type"], f"{o[kind]}")
        if o["operation"] == "conv" and o["weights"]["shape"][1:3] == [1, 1]:
            convolutions += 1
            x = numpy.load(f"{folder}/{o['ifm']['file']}").astype(int) - int(o["ifm"]["zero_point"])
            w = numpy.load(f"{folder}/{o['weights']['file']}").astype(int)[:, 0, 0, :]
            y = numpy.load(f"{folder}/{o['ofm']['file']}").astype(int)
            acc = numpy.einsum("bhwi,oi->bhwo", x, w)
            for c in range(acc.shape[3]):  # one channel has one bias and scale: larger sums never give smaller results
                order = numpy.argsort(acc[..., c], axis=None)
                check((numpy.diff(y[..., c].ravel()[order]) >= 0).all(), f"operation {o['number']}, channel {c}: not what the weights give")
    check(convolutions > 0, "no 1x1 convolution to compute again")


def read(program, runner):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([program, "--elf", runner, "--report", "r.json", "--trace", "perfetto=t.perfetto,shortest=0", "--trace", "vcd=t.vcd",
                        "--profile", "lcov=t.info", "--npu-dump-layers", "layers"], check=True, stdout=subprocess.DEVNULL, timeout=120)
        with open("r.json") as f:
            report = json.load(f)
        perfetto("t.perfetto", report)
        vcd("t.vcd", report)
        lcov("t.info")
        tensors("layers")


def main():
    cache, program, runner = (os.path.abspath(x) for x in sys.argv[1:4])
    readers = os.path.join(cache, "readers")
    python = os.path.join(readers, "bin", "python")
    if os.path.abspath(sys.prefix) == readers:
        read(program, runner)
        return
    with locked(cache):
        if not os.path.exists(os.path.join(readers, "complete")):
            pip(readers, "install", *PACKAGES)
            with open(os.path.join(readers, "complete"), "w"):
                pass
    os.execv(python, [python, os.path.abspath(__file__), cache, program, runner])


if __name__ == "__main__":
    main()

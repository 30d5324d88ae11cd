#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The NPU's operations in traces and in files, a folder of their tensors to compare with, accumulators, and the compiler's names.

  npu_layers.py PROGRAM GUESTS RUNNER

RUNNER: a program that uses the NPU."""
import gzip
import json
import math
import os
import re
import struct
import sys
import tarfile
import tempfile

from perfetto_file import perfetto
from trace_check import check, failed, report, run


def npu(program, runner):
    traces = [x for k in ("npu", "perfetto", "pmu", "vcd") for x in ("--trace", f"{k}=n.{k}")]
    plain = run(program, "--elf", runner, "--report", "plain.json")
    traced = run(program, "--elf", runner, "--report", "traced.json", *traces, "--npu-dump-layers", "layers")
    check(plain[:2] == traced[:2] and report("plain.json") == report("traced.json"), "the NPU's run differs with traces")
    operations = [x for x in open("n.npu") if not x.startswith("#")]
    last = report("plain.json")["npu"]["last_job_operations"]
    check(len(operations) >= last > 0, f"{len(operations)} lines of operations, {last} in the last job")
    with gzip.open("n.pmu") as f:
        events = json.load(f)["traceEvents"]
    qread = [e for e in events if e["tid"] == "qread"]
    check([e["ts"] for e in qread] == sorted(e["ts"] for e in qread) and len(qread) >= last, "pmu: times of qread")
    index = report("layers/index.json")["operations"]
    check(len(index) == len(operations), "layers: one entry an operation")
    check(all(os.path.exists("layers/" + o[t]["file"]) for o in index for t in ("ifm", "ofm", "weights") if t in o), "layers: files")
    same = run(program, "--elf", runner, "--npu-compare-layers", "layers")
    check(same[0] == plain[0], "the same run differs from its own tensors: " + same[2])
    target = next(o for o in index if "ofm" in o and o["operation"] == "conv")
    path = "layers/" + target["ofm"]["file"]
    data = bytearray(open(path, "rb").read())
    data[-1] ^= 1
    open(path, "wb").write(data)
    status, _, errors = run(program, "--elf", runner, "--npu-compare-layers", "layers")
    check(status == 85 and f"operation {target['number']} (conv" in errors and "accumulator" in errors, f"a changed tensor: {status} {errors}")
    open(path, "wb").write(data[:-1])
    status, _, errors = run(program, "--elf", runner, "--npu-compare-layers", "layers")
    check(status == 73 and "truncated" in errors, f"a truncated tensor: {status} {errors}")
    one_folder(program, ("--elf", runner), "--npu-")
    os.mkdir("nothing")
    for folder, wanted, said in (("nothing", 73, "nothing was compared"), ("not_there", 66, "No such file"), ("n.npu", 66, "Not a directory")):
        status, _, errors = run(program, "--elf", runner, "--npu-compare-layers", folder)
        check(status == wanted and said in errors, f"a folder {folder} to compare with: {status} {errors}")


def one_folder(program, arguments, prefix="--"):
    """What is compared with is not written over: it would be equal always, and lost."""
    run(program, *arguments, prefix + "dump-layers", "kept")
    before = {name: open(f"kept/{name}", "rb").read() for name in os.listdir("kept")}
    status, _, errors = run(program, *arguments, prefix + "dump-layers", "../" + os.path.basename(os.getcwd()) + "/kept", prefix + "compare-layers", "kept")
    check(status == 64 and "would be written over" in errors, f"one folder to write and to compare with: {status} {errors}")
    check({name: open(f"kept/{name}", "rb").read() for name in os.listdir("kept")} == before, "a folder to compare with was changed")
    status, _, errors = run(program, *arguments, prefix + "dump-layers", "written", prefix + "compare-layers", "kept")
    check(status == 0 and os.listdir("written"), f"two folders: {status} {errors}")


def npy(path):
    """Shape and values of an array of integers."""
    data = open(path, "rb").read()
    length, = struct.unpack_from("<H", data, 8)
    head = data[10:10 + length].decode()
    kind = re.search(r"'descr': '[<|](\w\d)'", head)[1]
    shape = [int(x) for x in re.search(r"'shape': \(([\d, ]*)\)", head)[1].split(",") if x.strip()]
    return shape, struct.unpack(f"<{math.prod(shape)}{dict(i1='b', u1='B', i2='h', i4='i')[kind]}", data[10 + length:])


def accumulators(program, arguments):
    """The accumulator that is shown is the sum of products and a bias, which all elements of a channel share. The first
    operation is a convolution of 3x3, stride 2, whose padding is below and right."""
    index = report("first/index.json")["operations"]
    o = next(x for x in index if x["operation"] == "conv")
    (_, _, width, depth), ifm = npy("first/" + o["ifm"]["file"])
    (_, kernel_h, kernel_w, _), weights = npy("first/" + o["weights"]["file"])
    path, zero = "first/" + o["ofm"]["file"], int(o["ifm"]["zero_point"])
    shape, ofm = npy(path)
    data, biases = open(path, "rb").read(), {}
    for y, x, c in ((0, 0, 3), (5, 7, 3), (10, 2, 3), (4, 4, 0), (9, 10, 0)):
        at = (y * shape[2] + x) * shape[3] + c
        bad = bytearray(data)
        bad[len(data) - len(ofm) + at] ^= 1
        open(path, "wb").write(bad)
        status, _, errors = run(program, *arguments, "--compare-layers", "first")
        said = re.search(r"operation (\d+) \(.*element \[0, (\d+), (\d+), (\d+)\] of the OFM is (-?\d+), expected (-?\d+); its accumulator is (-?\d+)", errors)
        value = ofm[at]
        expected = struct.unpack("b", struct.pack("B", value & 255 ^ 1))[0]
        check(status == 85 and said and [int(v) for v in said.groups()[:6]] == [o["number"], y, x, c, value, expected], f"element {y} {x} {c}: {errors}")
        products = sum((ifm[((2 * y + i) * width + 2 * x + j) * depth + k] - zero) * weights[((c * kernel_h + i) * kernel_w + j) * depth + k]
                       for i in range(kernel_h) for j in range(kernel_w) for k in range(depth))
        biases.setdefault(c, set()).add(int(said[7]) - products if said else None)
    check(all(len(b) == 1 for b in biases.values()), f"accumulators are not sum of products and bias: {biases}")
    open(path, "wb").write(data)


def accumulators_u85(program):
    """Ethos-U85: the sum that a reduction makes of its input; what is said where there is none, and where an input is not in memory."""
    case = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../npu/data/attention_102_ethos-u85-256.tar")
    with tarfile.open(case) as packed:
        packed.extractall("attention")
    arguments = ("npu", "--accelerator", "ethos-u85-256", "--model", "attention/model_vela.tflite", "--input", "attention/in0_0.bin")
    run(program, *arguments, "--dump-layers", "u85")
    first = {}
    for o in report("u85/index.json")["operations"]:
        first.setdefault(o["operation"], o)
    chained = "; no accumulator: an input came from an earlier operation through a chain buffer, which is not in memory"
    o = first["reduce sum"]
    (_, _, _, depth), ifm = npy("u85/" + o["ifm"]["file"])
    summed = f"; its accumulator is {sum(ifm[-depth:]) - depth * int(o['ifm']['zero_point'])}"
    for name, said in (("reduce sum", summed), ("conv", "; its accumulator is -?\\d+"), ("max pool", "; its accumulator is -?\\d+"), ("clz", ""), ("shl", chained)):
        o = first[name]
        path = "u85/" + o["ofm"]["file"]
        data = open(path, "rb").read()
        open(path, "wb").write(data[:-1] + bytes((data[-1] ^ 1,)))
        status, _, errors = run(program, *arguments, "--compare-layers", "u85")
        check(status == 85 and re.search(f"operation {o['number']} \\({name} .* expected -?\\d+{said}\n$", errors), f"{name}: {status} {errors}")
        open(path, "wb").write(data)


DATABASE = """<?xml version='1.0' encoding='UTF-8'?>
<debug source="model.tflite">
<table name="perf">
<![CDATA[
"id","source_id","optimised_id","operator","name"
7,1,2,"Conv2D","first, layer"
]]>
</table>
<table name="queue"><![CDATA["offset","cmdstream_id","optimised_id"
OFFSETS
]]></table>
<table name="optimised"><![CDATA["id","source_id","operator"
2,1,"Conv2DBias"
3,-1,"LUT"
]]></table>
<table name="source"><![CDATA["id","operator","kernel_w","ext_key"
1,"Conv2D",3,0
]]></table>
<table name="cmdstream"><![CDATA["id","file_offset"
0,1
]]></table>
</debug>
"""


def named(program, arguments, runner, bad_stream):
    """Names of operations by the compiler's debug database, in all that shows operations."""
    index = [o for o in report("first/index.json")["operations"] if o["operation"] != "dma"]
    rows = [f"{index[0]['offset']},0,2", f"{index[1]['offset']},0,3", "9999999,0,77"]
    open("names.xml", "w").write(DATABASE.replace("OFFSETS", "\n".join(rows)))
    status, out, errors = run(program, *arguments, "--debug-db", "names.xml", "--layers", "--report", "named.json", "--dump-layers", "named")
    for operations in (report("named.json")["operations"], report("named/index.json")["operations"]):
        check([o["source"] for o in operations if "source" in o] == ["Conv2D #0 (first, layer)", "LUT"], f"sources: {status} {errors}")
    check(b"Conv2D #0 (first, layer)\n" in out, "the table of layers has no names")
    run(program, "--elf", runner, "--npu-debug-db", "names.xml", "--trace", "npu=named.npu", "--trace", "perfetto=named.perfetto")
    check(open("named.npu").read().count("; Conv2D #0 (first, layer)\n") > 0, "lines of operations have no names")
    check("Conv2D #0 (first, layer)" in [name for name, _, _ in perfetto("named.perfetto")[0]["NPU: operations"]], "perfetto has no names")
    where = re.search(r"^ *(\d+) +job .*; Conv2D #0 ", open("named.npu").read(), re.M)
    _, _, errors = run(program, "--elf", runner, "--npu-debug-db", "names.xml", "--cyclelimit", str(int(where[1]) + 10), "--report", "end.json",
                       "--report-jobs")
    check("; Conv2D #0 (first, layer)\n" in errors, f"an abnormal end has no names: {errors}")
    ended = report("end.json")
    for operations in (ended["end"]["npu_operations"], ended["npu"]["inferences"][0]["operations"]):
        check("Conv2D #0 (first, layer)" in [o.get("source") for o in operations], f"the report of an abnormal end has no names: {operations}")
    open("control.xml", "w").write(DATABASE.replace("OFFSETS", rows[0]).replace("first, layer", "e\x1b[31m"))
    _, out, _ = run(program, *arguments, "--debug-db", "control.xml", "--layers")
    check(b"Conv2D #0 (e\\x1b[31m)\n" in out, "control characters of a name reach the terminal")
    open("bad_stream.xml", "w").write(DATABASE.replace("OFFSETS", f"{0x38},0,2"))
    _, _, errors = run(program, "--elf", bad_stream, "--npu-debug-db", "bad_stream.xml")
    check("the last NPU job failed: in Conv2D #0 (first, layer), command at offset 0x38" in errors, f"a bad stream has no names: {errors}")
    for text, say in (("hello", "no debug database"), (DATABASE.replace("0,1\n]]></table>\n</debug>", "0,1\n1,9\n]]></table>\n</debug>"), "several command streams")):
        open("bad.xml", "w").write(text)
        status, _, errors = run(program, *arguments, "--debug-db", "bad.xml")
        check(status == 65 and say in errors, f"{say}: {status} {errors}")
    status, _, errors = run(program, "--elf", runner, "--npu-debug-db", "none.xml", "--trace", "npu=named.npu")
    check(status == 66 and "none.xml" in errors, f"a database that is not there: {status} {errors}")


def network(program, runner, bad_stream):
    """`fvp-sim npu` with the network of the runner."""
    models = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../runtime/models/")
    arguments = ("npu", "--accelerator", "ethos-u55-128", "--model", models + "classifier_ethos-u55-128.tflite", "--input", models + "classifier_input.bin")
    run(program, *arguments, "--dump-layers", "first")
    for folder, wanted, said in (("nothing", 73, "nothing was compared"), ("not_there", 66, "No such file")):
        status, _, errors = run(program, *arguments, "--compare-layers", folder)
        check(status == wanted and said in errors, f"a network's folder {folder} to compare with: {status} {errors}")
    one_folder(program, arguments)
    accumulators(program, arguments)
    accumulators_u85(program)
    named(program, arguments, runner, bad_stream)


def main():
    program, guests, runner = (os.path.abspath(x) for x in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        npu(program, runner)
        network(program, runner, f"{guests}/npu_stream.elf")
    return failed()


if __name__ == "__main__":
    sys.exit(main())

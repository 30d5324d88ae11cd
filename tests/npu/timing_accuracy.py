#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the timing model with published measurements (published/*.csv).

    timing_accuracy.py FVP_SIM WORK [--rows REGEX] [--models DIR] [--table] [--write ROOT]

Rows of cycles.csv and other-seen.csv were looked at while constants were chosen, those of other-unseen.csv only afterwards; the
summary keeps them apart. Builds the stand-in networks (timing_networks.py), compiles them for the published system, runs them and prints the
error of cycles and beats per row and a summary per group. WORK keeps the compiled networks until the stand-in changes. A file
NAME.tflite in --models is used instead of the stand-in. --table: the tables of docs/evidence/timing-npu.md; --write: into the
sources under ROOT. Needs the PyPI packages
ethos-u-vela 5.0.0 (the version with which the rows were measured), ai-edge-litert and numpy."""
import argparse
import csv
import functools
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

from ai_edge_litert import schema_py_generated as schema

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from accuracy import write_model, write_table  # noqa: E402
from timing_networks import NETWORKS  # noqa: E402

# What the constants were chosen on, and what was kept apart.
SEEN, UNSEEN = ("cycles.csv", "other-seen.csv"), ("other-unseen.csv",)
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published")
BYTES = {schema.TensorType.INT8: 1, schema.TensorType.UINT8: 1, schema.TensorType.INT16: 2, schema.TensorType.INT32: 4}
BEATS = {"read0": ("AXI0_RD_DATA_BEAT_RECEIVED", "SRAM_RD_DATA_BEAT_RECEIVED"),
         "write0": ("AXI0_WR_DATA_BEAT_WRITTEN", "SRAM_WR_DATA_BEAT_WRITTEN"),
         "read1": ("AXI1_RD_DATA_BEAT_RECEIVED", "EXT_RD_DATA_BEAT_RECEIVED"),
         "write1": ("AXI1_WR_DATA_BEAT_WRITTEN", "EXT_WR_DATA_BEAT_WRITTEN")}


@functools.lru_cache(None)
def network(name, work, models):
    path = os.path.join(models or "", name + ".tflite")
    if models and os.path.exists(path):
        return path
    path, stand_in = os.path.join(work, name + ".tflite"), NETWORKS[name]()
    if not os.path.exists(path) or open(path, "rb").read() != stand_in:
        for compilation in glob.glob(os.path.join(work, name + "_ethos-*")):
            shutil.rmtree(compilation)
        with open(path, "wb") as f:
            f.write(stand_in)
    return path


def compiled(row, work, models):
    """The compiled network and the sizes of its inputs."""
    source = network(row["network"], work, models)
    more = (row.get("options") or "").split()
    folder = os.path.join(work, "_".join([row[k] for k in ("network", "accelerator", "memory_mode", "system")] +
                                         [option.strip("-") for option in more]))
    result = os.path.join(folder, os.path.basename(source).replace(".tflite", "_vela.tflite"))
    if not os.path.exists(result):
        subprocess.run([os.path.join(os.path.dirname(sys.executable), "vela"), source, "--output-dir", folder,
                        "--accelerator-config", row["accelerator"], "--config", os.path.join(HERE, "systems.ini"),
                        "--system-config", row["system"], "--memory-mode", row["memory_mode"],
                        "--optimise", "Performance"] + more, check=True, capture_output=True)
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(open(result, "rb").read(), 0))
    graph = model.subgraphs[0]
    return result, [BYTES[graph.tensors[i].type] * int(graph.tensors[i].shape.prod()) for i in graph.inputs]


def run(simulator, row, work, models):
    path, sizes = compiled(row, work, models)
    inputs, report = [], os.path.join(work, "report.json")
    for size in sizes:
        inputs.append(os.path.join(work, "zeros_%d.bin" % size))
        with open(inputs[-1], "wb") as f:
            f.write(bytes(size))
    subprocess.run([simulator, "npu", "--accelerator", row["accelerator"], "--model", path, "--input", ",".join(inputs),
                    "--memory", row["memory"], "--memory-mode", row["memory_mode"], "--report", report], check=True)
    with open(report) as f:
        return json.load(f)


def published():
    """All rows, each with the set it belongs to."""
    rows = []
    for name in SEEN + UNSEEN:
        with open(os.path.join(HERE, name)) as f:
            rows += [dict(r, set="unseen" if name in UNSEEN else "seen") for r in csv.DictReader(f)]
    return rows


def reference(row):
    """Active cycles; where only the total is known, which is rounded up to the next 1000, its middle."""
    return int(row["active"]) if row["active"] else int(row["total"]) - 500


def group(row):
    kind = {"fvp": "networks", "ta": "networks, memory varied", "rowconv": "one convolution", "op": "single operations",
            "taoff": "networks, no adapters", "p1a": "networks, other memory modes", "p0d": "networks, other compilation",
            "legacy": "networks, other compilation"}
    return row["set"], kind[row["id"].split(".")[0]], row["accelerator"].split("-")[1].upper()


def summary(errors, as_table):
    lines = ["| | rows | NPU | number | mean error | median | largest | bias |", "|---|---|---|---|---|---|---|---|"] if as_table else []
    for (seen, kind, npu), e in sorted(errors.items()):
        size = [abs(x) for x in e]
        lines.append(("| %s | %s | %s | %d | %.1f %% | %.1f %% | %.1f %% | %+.1f %% |" if as_table else
                      "%-6s %-30s %s  rows %3d  mean %5.1f  median %5.1f  largest %5.1f  bias %+5.1f") %
                     (seen, kind, npu, len(e), statistics.mean(size), statistics.median(size), max(size), statistics.mean(e)))
    return lines


# Published networks in the order of the document's table.
NAMES = {"kws": "keyword spotting MicroNet M", "ad": "anomaly detection MicroNet AD-M", "vww": "visual wake words MicroNet VWW-4",
         "mv2": "MobileNetV2 1.0 224", "yolo": "YOLO-fastest face 192", "rnn": "RNNoise", "w2l": "wav2letter, half of the weights zero"}
COLUMNS = ("u55-32", "u55-64", "u55-128", "u55-256", "u65-256", "u65-512", "u85-128", "u85-256", "u85-512", "u85-1024", "u85-2048")


def by_network(one):
    """The table of networks and accelerators; one: error by the row's name."""
    lines = ["| network | " + " | ".join(c.upper() for c in COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for key, name in NAMES.items():
        cells = [one.get("fvp.%s.%s" % (key, c)) for c in COLUMNS]
        lines.append("| %s | " % name + " | ".join("" if c is None else "%+.1f" % c for c in cells) + " |")
    return lines


def write(root, errors, one):
    document = os.path.join(root, "docs/evidence/timing-npu.md")
    write_table(document, "published rows", summary(errors, True))
    write_table(document, "published networks", by_network(one))
    for npu in ("U55", "U65", "U85"):
        write_model(root, npu, "network", errors[("seen", "networks", npu)])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("simulator")
    p.add_argument("work")
    p.add_argument("--rows", default=".")
    p.add_argument("--models")
    p.add_argument("--table", action="store_true")
    p.add_argument("--write")
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    errors, one = {}, {}
    rows = [r for r in published() if re.search(a.rows, r["id"])]
    for row in rows:
        result = run(a.simulator, row, a.work, a.models)
        error = 100.0 * (result["cycles"] / reference(row) - 1)
        errors.setdefault(group(row), []).append(error)
        one[row["id"]] = error
        beats = ["%s %+.1f%%" % (name, 100.0 * (sum(result["events"].get(e, 0) for e in names) / int(row[name]) - 1))
                 for name, names in BEATS.items() if row[name] and int(row[name]) > 50]
        if not a.table:
            print("%-36s %9d %9d %+6.1f%%  %s" % (row["id"], result["cycles"], reference(row), error, "  ".join(beats)))
    print("\n".join(summary(errors, a.table) + (by_network(one) if a.table else [])))
    if a.write:
        write(a.write, errors, one)


if __name__ == "__main__":
    main()

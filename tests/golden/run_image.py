#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one of Arm's released runner images as MLIA runs it and compares the model's outputs.

  run_image.py CACHE PROGRAM_DIRECTORY LETTER MACS MODEL CASE

LETTER names the image (wheel.py), MODEL is a file in data/, CASE.in its inputs and CASE.out the outputs
expected at the runner's output area: equal bytes, but for the float32 outputs of .pte programs, where the
order of additions in float kernels may show. The run must end by itself with status 0 and print the
metrics block.
"""
import base64
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

from wheel import fail, image

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
PROGRAM = {"A": "FVP_Corstone_SSE-300_Ethos-U55", "B": "FVP_Corstone_SSE-300_Ethos-U55",
           "C": "FVP_Corstone_SSE-300_Ethos-U65", "D": "FVP_Corstone_SSE-310",
           "E": "FVP_Corstone_SSE-310_Ethos-U65", "F": "FVP_Corstone_SSE-320", "G": "FVP_Corstone_SSE-320",
           "H": "FVP_Corstone_SSE-300_Ethos-U55", "I": "VHT_Corstone_SSE-300_Ethos-U55",
           "J": "FVP_Corstone_SSE-300_Ethos-U65", "K": "FVP_Corstone_SSE-310", "L": "VHT_Corstone_SSE-310",
           "M": "FVP_Corstone_SSE-300_Ethos-U55", "N": "FVP_Corstone_SSE-300_Ethos-U65", "O": "FVP_Corstone_SSE-310",
           "P": "FVP_Corstone_SSE-310_Ethos-U65", "Q": "FVP_Corstone_SSE-320"}
PORTS = {"mps3": ["NPU AXI0_RD_DATA_BEAT_RECEIVED", "NPU AXI0_WR_DATA_BEAT_WRITTEN", "NPU AXI1_RD_DATA_BEAT_RECEIVED"],
         "mps4": ["NPU ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED", "NPU ETHOSU_PMU_SRAM_WR_DATA_BEAT_WRITTEN",
                  "NPU ETHOSU_PMU_EXT_RD_DATA_BEAT_RECEIVED", "NPU ETHOSU_PMU_EXT_WR_DATA_BEAT_WRITTEN"]}
FLOAT_NOISE = 1e-6  # relative; a quantisation step of the int8 network is 10^4 times as much


def data(name):
    with open(os.path.join(DATA, name), "rb") as f:
        return f.read()


def board_of(program):
    return "mps4" if "SSE-320" in program else "mps3"


def command(program, axf, macs, model):
    """Word for word what MLIA runs, from 0.3.0 on."""
    board = board_of(program)
    macs_name = "ethosu.num_macs" if board == "mps3" else "mps4_board.subsystem.ethosu.num_macs"
    line = [program, "-a", axf, "--data", f"{model}@0x90000000", "-C", f"{macs_name}={macs}",
            "-C", f"{board}_board.telnetterminal0.start_telnet=0", "-C", f"{board}_board.uart0.out_file='-'",
            "-C", f"{board}_board.uart0.shutdown_on_eot=1",
            "-C", f"{board}_board.visualisation.disable-visualisation=1"]
    return line + (["-C", "vis_hdlcd.disable_visualisation=1"] if board == "mps4" else []) + ["--stat"]


def metrics(text):
    blocks = re.findall(r"<metrics>(.*)</metrics>", text)
    if len(blocks) != 1:
        fail(f"{len(blocks)} metrics blocks in the output")
    (group,) = json.loads(base64.b64decode(blocks[0], validate=True))
    return {s["name"]: int(s["value"][0]) for s in group["samples"]}


def check_counters(counted, ports, uses_npu):
    if sorted(counted) != sorted(["NPU ACTIVE", *ports, "NPU IDLE", "NPU TOTAL"]):
        fail(f"counters {list(counted)}")
    if counted["NPU TOTAL"] != counted["NPU ACTIVE"] + counted["NPU IDLE"]:
        fail(f"active and idle cycles do not add up: {counted}")
    busy = ["NPU ACTIVE", "NPU TOTAL", *ports[:3]]  # writes to the external memory may not be needed
    if uses_npu and min(counted[name] for name in busy) <= 0:
        fail(f"an NPU that worked has counters that are not 0: {counted}")


def check_bytes(got, want):
    if got == want:
        return
    wrong = [i for i in range(len(want)) if i >= len(got) or got[i] != want[i]]
    fail(f"{len(wrong)} of {len(want)} output bytes differ, first at {wrong[0]}: "
         f"{got[wrong[0]:wrong[0] + 8].hex()} instead of {want[wrong[0]:wrong[0] + 8].hex()}")


def check_floats(got, want):
    count = len(want) // 4
    pairs = list(zip(struct.unpack(f"<{count}f", got), struct.unpack(f"<{count}f", want)))
    worst = max(abs(g - w) / max(1.0, abs(w)) for g, w in pairs)
    exact = sum(g == w for g, w in pairs)
    print(f"{exact} of {count} floats equal, largest difference {worst:g}")
    if not worst <= FLOAT_NOISE:
        fail("outputs differ")


def main():
    cache, programs, letter, macs, model, case = sys.argv[1:]
    axf, want = image(cache, letter), data(case + ".out")
    with tempfile.TemporaryDirectory() as tmp:
        dump = os.path.join(tmp, "out.bin")
        line = command(os.path.join(programs, PROGRAM[letter]), axf, macs, os.path.join(DATA, model))
        line += ["--data", os.path.join(DATA, case + ".in") + "@0x92000000", "--dump", f"{dump}@0x93000000,{len(want)}"]
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        print(done.stdout, done.stderr, sep="\n")
        if done.returncode:
            fail(f"exit status {done.returncode}")
        if "Inference completed." not in done.stdout:
            fail("the runner did not complete")
        with open(dump, "rb") as f:
            got = f.read()
    check_counters(metrics(done.stdout), PORTS[board_of(PROGRAM[letter])], uses_npu=case not in ("cpu", "pte_cpu"))
    if model.endswith(".pte"):
        check_floats(got, want)
    else:
        check_bytes(got, want)
    print("outputs are as expected")


if __name__ == "__main__":
    main()

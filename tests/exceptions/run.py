#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a scenario program on fvp-sim and compares what it prints with QEMU's mps3-an547, or with
NAME.expected where QEMU differs from the architecture (there "pc=" and "frame=" do not count).

usage: run.py FVP_SIM NAME WORKDIR [--engine ENGINE]"""
import difflib
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CFLAGS = ("-mcpu=cortex-m55 -mfloat-abi=softfp -mthumb -O1 -g -ffreestanding -fno-builtin -Wall "
          "-nostdlib -nostartfiles").split()
QEMU = ("qemu-system-arm -M mps3-an547 -display none -serial none -monitor none -icount shift=0 "
        "-semihosting -kernel").split()
SKIP = 77


def build(name, work):
    elf = work / f"{name}.elf"
    subprocess.run(["arm-none-eabi-gcc", *CFLAGS, "-T", str(HERE / "link.ld"), "-o", str(elf),
                    str(HERE / f"{name}.c"), str(HERE / "lib.c"), "-lgcc"], check=True)
    return elf


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return result


def lines(data):
    return data.decode("latin-1").splitlines()


def without_addresses(text):
    return [re.sub(r"\b(pc|frame)=[0-9a-f]{8}", r"\1=*", line).rstrip() for line in text]


def main():
    fvp, name, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    extra = sys.argv[4:]
    expected_file = HERE / f"{name}.expected"
    needed = ["arm-none-eabi-gcc"] + ([] if expected_file.exists() else ["qemu-system-arm"])
    if not all(shutil.which(tool) for tool in needed):
        return SKIP
    work.mkdir(parents=True, exist_ok=True)
    elf = build(name, work)
    ours = run([fvp, "--elf", str(elf), "--quiet", "--timelimit", "30", *extra])
    mine = lines(ours.stdout)
    if expected_file.exists():
        mine, expected = without_addresses(mine), without_addresses(expected_file.read_text().splitlines())
    else:
        qemu = run([*QEMU, str(elf)])
        expected = lines(qemu.stdout + qemu.stderr)
    difference = list(difflib.unified_diff(expected, mine, "expected", "fvp-sim", lineterm=""))
    print("\n".join(difference[:60]))
    if difference:
        print(ours.stderr.decode("latin-1")[:2000])
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())

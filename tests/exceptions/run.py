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
LINK = "-mcpu=cortex-m55 -nostdlib -nostartfiles".split()
CFLAGS = "-mfloat-abi=softfp -mthumb -O1 -g -ffreestanding -fno-builtin -Wall -c".split()
GCC = ["arm-none-eabi-gcc", "-mcpu=cortex-m55"]
QEMU = ("qemu-system-arm -M mps3-an547 -display none -serial none -monitor none -icount shift=0 "
        "-semihosting -kernel").split()
SKIP = 77
# Programs for another core: compiler (gcc 12 knows no PACBTI), and the program that has its board.
OTHER = {
    "pacbti": (["clang", "--target=arm-none-eabi", "-march=armv8.1-m.main+pacbti+dsp+mve.fp+fp.dp",
                "-mbranch-protection=standard"],
               ["FVP_Corstone_SSE-320", "-C", "mps4_board.subsystem.cpu0.CFGPACBTI=1",
                "-C", "mps4_board.subsystem.cpu0.CFGDTCMSZ=10",
                "-C", "mps4_board.subsystem.cpu0.semihosting-enable=1"]),
}


def build(name, work):
    elf, objects = work / f"{name}.elf", []
    compiler = OTHER[name][0] if name in OTHER else GCC
    for source in (name, "lib"):
        objects.append(str(work / f"{source}.o"))
        subprocess.run([*compiler, *CFLAGS, "-o", objects[-1], str(HERE / f"{source}.c")], check=True)
    subprocess.run([GCC[0], *LINK, "-T", str(HERE / "link.ld"), "-o", str(elf), *objects, "-lgcc"], check=True)
    return elf


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return result


def lines(data):
    return data.decode("latin-1").splitlines()


def without_addresses(text):
    return [re.sub(r"\b(pc|frame)=[0-9a-f]{8}", r"\1=*", line).rstrip() for line in text]


def main():
    fvp, name, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    extra = sys.argv[4:]
    expected_file = HERE / f"{name}.expected"
    needed = [GCC[0], OTHER.get(name, (GCC,))[0][0]] + ([] if expected_file.exists() else ["qemu-system-arm"])
    missing = [tool for tool in needed if not shutil.which(tool)]
    if missing:
        print("skipped: there is no", ", ".join(missing))
        return SKIP
    work.mkdir(parents=True, exist_ok=True)
    elf = build(name, work)
    command = [fvp, "--elf"]
    if name in OTHER:
        command = [str(pathlib.Path(fvp).absolute().parent / OTHER[name][1][0]), *OTHER[name][1][1:], "-a"]
    ours = run([*command, str(elf), "--quiet", "--timelimit", "30", *extra])
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

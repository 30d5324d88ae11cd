#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a released runner image on something it must refuse; the program says why and ends by itself.

  run_refusal.py CACHE PROGRAM_DIRECTORY LETTER MACS MODEL TEXT

MODEL is a file in data/, or "nothing": no model in memory. TEXT must be in the output. As on the FVP the exit
status is 0 all the same, and there is no metrics block.
"""
import os
import subprocess
import sys

from run_image import DATA, PROGRAM, command
from wheel import fail, image


def main():
    cache, programs, letter, macs, model, text = sys.argv[1:]
    line = command(os.path.join(programs, PROGRAM[letter]), image(cache, letter), macs, os.path.join(DATA, model))
    if model == "nothing":
        at = line.index("--data")
        del line[at:at + 2]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    print(done.stdout, done.stderr, sep="\n")
    if done.returncode:
        fail(f"exit status {done.returncode}")
    if text not in done.stdout:
        fail(f"the output lacks: {text}")
    if "<metrics>" in done.stdout or "program terminating..." not in done.stdout:
        fail("the program did not end as after a refusal")


if __name__ == "__main__":
    main()

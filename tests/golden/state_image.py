#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Saves and restores a run of one of Arm's released runner images at drawn points, also in the middle of NPU jobs.

  state_image.py CACHE STATE_REPLAY LETTER MACS MODEL CASE ENGINE OTHER POINTS

STATE_REPLAY is the program of tests/state; the other arguments are as for run_image.py and for it."""
import os
import subprocess
import sys

from run_image import DATA, PROGRAM, command
from wheel import image


def main():
    cache, replay, letter, macs, model, case, engine, other, points = sys.argv[1:]
    line = command(PROGRAM[letter], image(cache, letter), macs, os.path.join(DATA, model))
    line = [word.strip("'") for word in line if word != "--stat"]
    line += ["--data", os.path.join(DATA, case + ".in") + "@0x92000000"]
    sys.exit(subprocess.run([replay, engine, other, points, *line]).returncode)


if __name__ == "__main__":
    main()

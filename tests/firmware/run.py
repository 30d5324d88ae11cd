#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program and compares what it prints, and how it ends, with what is expected.

usage: run.py [--input TEXT] EXPECTED STATUS COMMAND...
EXPECTED is a file with the output; TEXT goes to a file whose path replaces @INPUT@ in the command."""
import argparse
import difflib
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("expected", type=pathlib.Path)
    parser.add_argument("status", type=int)
    parser.add_argument("--input", default="")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    expected = args.expected.read_text().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "input").write_text(args.input)
        command = [word.replace("@INPUT@", f"{folder}/input") for word in args.command]
        command = [str(pathlib.Path(word).absolute()) if pathlib.Path(word).is_file() else word for word in command]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, cwd=folder)
    printed = result.stdout.decode("latin-1").splitlines()
    difference = list(difflib.unified_diff(expected, printed, "expected", "printed", lineterm=""))
    print("\n".join(difference), result.stderr.decode("latin-1"), f"status {result.returncode}", sep="\n")
    return 1 if difference or result.returncode != args.status else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A host that refuses executable memory: refused.py FVP-SIM ELF...

Runs programs twice, the second time under a seccomp filter that refuses shared executable mappings, which is what
translated code lies in. Output, cycles and instructions must be the same, and --version must say what runs, and why. Exit status 77:
this build has no translated code, or the host no filters."""
import ctypes
import json
import os
import struct
import subprocess
import sys
import tempfile

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
SYS_MMAP = 9  # x86-64, the only host with translated code
PROT_EXEC, MAP_SHARED, EPERM = 4, 1, 1
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
NUMBER, ARGUMENT = 0, 16  # offsets in struct seccomp_data

# (code, steps if true, steps if false, operand)
FILTER = [
    (LOAD, 0, 0, NUMBER), (EQUAL, 0, 5, SYS_MMAP),
    (LOAD, 0, 0, ARGUMENT + 8 * 2), (ANY_BIT, 0, 3, PROT_EXEC),
    (LOAD, 0, 0, ARGUMENT + 8 * 3), (ANY_BIT, 0, 1, MAP_SHARED),
    (RETURN, 0, 0, ERRNO | EPERM), (RETURN, 0, 0, ALLOW),
]


def refuse():
    """In the child: what it executes may map no shared executable memory."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = b"".join(struct.pack("HBBI", *row) for row in FILTER)
    rows = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(FILTER), ctypes.addressof(rows)))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        os._exit(77)


def run(command, refused):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          preexec_fn=refuse if refused else None)
    if done.returncode == 77:
        print("no filters on this host")
        sys.exit(77)
    return done.returncode, done.stdout


def main():
    program, elfs = sys.argv[1], sys.argv[2:]
    if "translated code" not in run([program, "--version"], False)[1]:
        print("no translated code in this build")
        return 77
    _, text = run([program, "--version"], True)
    bad = [] if "handlers, as the host refuses executable memory)" in text else [f"--version: {text}"]
    for elf in elfs:
        results = []
        for refused in (False, True):
            with tempfile.NamedTemporaryFile(suffix=".json") as report:
                end = run([program, "--quiet", "--elf", elf, "--report", report.name], refused)
                cpu = json.load(report)["cpu"]
                results.append((end, cpu["cycles"], cpu["instructions"]))
        if results[0] != results[1]:
            bad.append(f"{elf}: {results[0]}, without executable memory {results[1]}")
    print("\n".join(bad) or f"{len(elfs)} programs: the same")
    return 1 if bad else 0


sys.exit(main())

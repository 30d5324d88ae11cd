# SPDX-License-Identifier: Apache-2.0
"""What the tests of traces share: runs of the program, and checks that go on after one that fails."""
import json
import subprocess

_failures = []


def check(condition, text):
    if not condition:
        print("FAILED:", text)
        _failures.append(text)


def failed():
    """For sys.exit."""
    return bool(_failures)


def run(*arguments):
    r = subprocess.run([str(a) for a in arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=400)
    return r.returncode, r.stdout, r.stderr.decode()


def report(path):
    with open(path) as f:
        return json.load(f)

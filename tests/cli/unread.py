#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Outputs that nobody reads: pipes that are full, pipes without another end. A run that waits for their readers ends at signals and
limits, and everything that others read is written. Usage: unread.py PROGRAM GUESTS [--times N]: with N, each case so often, and a table."""
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

LATE = 4  # seconds; a run ends in a quarter of one, the rest is for hosts that do much else
LIMIT = 0.6

# What is written to no reader, the guest, its options (F: a pipe that nobody opens), the streams that nobody reads (1, 2), the
# status for a signal and for the limit (None: the run may have ended by itself). Report and dump are files in all but "report", where the report is F.
CASES = [
    ("console", "resets", [], [1], 130, 124),
    ("console by semihosting", "prints", [], [1], 130, 124),
    ("trace on standard output", "count", ["--trace", "tarmac=-"], [1], 130, 124),
    ("trace on standard error", "npu_stream", ["--trace", "npu"], [2], None, None),
    ("compressed trace on standard output", "npu_job", ["--trace", "pmu=-"], [1], 130, 124),
    ("profile on standard output", "recurse", ["--profile", "callgrind=-", "--cyclelimit", "20000000"], [1], None, None),
    ("dump on standard output", "count", ["--dump", "-@0x60000000,0x1000000", "--cyclelimit", "100"], [1], None, None),
    ("messages", "misuse", [], [1, 2], None, None),
    ("report into a pipe", "eot", ["--eot", "on", "--report", "F"], [], 73, 73),
    ("state into a pipe", "count", ["--save-at", "1000=F"], [], 73, 73),
    ("everything", "count", ["--trace", "tarmac=-", "--profile", "flat", "--report", "F"], [1, 2], 130, 124),
]
# What keeps a run from beginning: the option, the status at the limit and what the message names.
BEFORE = [(["--elf", "F"], 66), (["--data", "F@0x20000000"], 66), (["--uart0", "F"], 73), (["--trace", "tarmac=F"], 73), (["--itm", "F"], 73)]


class Pipe:
    """One that is full, of which nobody reads."""
    def __init__(self):
        self.ends = os.pipe()
        os.set_blocking(self.ends[1], False)
        try:
            while True:
                os.write(self.ends[1], bytes(4096))
        except BlockingIOError:
            os.set_blocking(self.ends[1], True)

    def close(self):
        for end in self.ends:
            os.close(end)


def caught(pid):
    """The program handles SIGHUP: the run has begun."""
    with open(f"/proc/{pid}/status") as f:
        lines = dict(line.split(":", 1) for line in f)
    return int(lines["SigCgt"], 16) & 1


def ended(process):
    """When the process was gone; one that never ends is killed after a minute."""
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return time.monotonic()


def run(program, work, options, unread, by_signal):
    """Status, seconds from the signal (the limit) to the end, and what was printed on standard error."""
    pipe = Pipe()
    with open(f"{work}/err", "wb") as err, open(f"{work}/out", "wb") as out:
        since = time.monotonic() + LIMIT
        process = subprocess.Popen([program, *options, *([] if by_signal else ["--timelimit", str(LIMIT)])], stdin=subprocess.DEVNULL, cwd=work,
                                   stdout=pipe.ends[1] if 1 in unread else out, stderr=pipe.ends[1] if 2 in unread else err)
        if by_signal:
            until = time.monotonic() + 60
            while not caught(process.pid) and process.poll() is None and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(0.3)
            since = time.monotonic()
            process.send_signal(signal.SIGTERM)
        late = ended(process) - since
    pipe.close()
    with open(f"{work}/err", errors="replace") as f:
        return process.returncode, late, f.read()


def debugged(program, guests, by_signal):
    """A debugger that asks and never reads: status, seconds to the end, reason in the report."""
    packet = b"m10000000,400"
    packet = b"$%s#%02x" % (packet, sum(packet) & 255)
    with tempfile.TemporaryDirectory() as work:
        limit = [] if by_signal else ["--timelimit", str(LIMIT)]
        process = subprocess.Popen([program, "--elf", f"{guests}/count.elf", "--gdb", "-", "--gdb-wait", "--report", f"{work}/report.json", *limit],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        since = time.monotonic() + LIMIT
        os.set_blocking(process.stdin.fileno(), False)
        until = time.monotonic() + (1 if by_signal else LIMIT / 2)
        while time.monotonic() < until:
            try:
                os.write(process.stdin.fileno(), packet * 4)
            except BlockingIOError:
                time.sleep(0.01)
        if by_signal:
            since = time.monotonic()
            process.send_signal(signal.SIGTERM)
        late = ended(process) - since
        try:
            with open(f"{work}/report.json") as f:
                return process.returncode, late, json.load(f)["end"]["reason"]
        except OSError:
            return process.returncode, late, "no report"


def whole(work, options, status):
    """What is missing of what others read."""
    missing = []
    if "F" not in options[options.index("--report") + 1 if "--report" in options else 0:]:
        try:
            with open(f"{work}/report.json") as f:
                if status == 1 or json.load(f)["end"]["status"] not in (status, 130, 124):  # 1: a sanitizer's
                    missing.append("the report's status")
        except (OSError, ValueError, KeyError) as problem:
            missing.append(f"the report: {problem!r}")
    if not os.path.exists(f"{work}/dump") or os.path.getsize(f"{work}/dump") != 16:
        missing.append("the dump")
    return missing


def main():
    program, guests = (os.path.realpath(path) for path in sys.argv[1:3])
    times = int(sys.argv[4]) if sys.argv[3:] else 0
    failed = 0
    for name, guest, options, unread, *wanted in CASES:
        seconds = []
        for by_signal in [True, False] * (times or 1):
            with tempfile.TemporaryDirectory() as work:
                os.mkfifo(f"{work}/F")
                given = [f"{o[:-1]}{work}/F" if o[-1:] == "F" else o for o in options]
                report = [] if "--report" in options else ["--report", f"{work}/report.json"]
                status, late, err = run(program, work, ["--elf", f"{guests}/{guest}.elf", "--dump", f"{work}/dump@0x10000000,16", *report, *given],
                                        unread, by_signal)
                seconds.append(late)
                want = wanted[0 if by_signal else 1]
                problems = whole(work, options, status)
                if want is not None and status != want:
                    problems.append(f"status {status}, not {want}")
                if late > LATE:
                    problems.append(f"{late:.1f} s late")
                if problems:
                    failed = 1
                    print(f"FAIL {name}, {'SIGTERM' if by_signal else '--timelimit'}: {'; '.join(problems)}\n{err}")
        if times:
            print(f"| {name} | {len(seconds)} | {1000 * statistics.median(seconds):.0f} | {1000 * max(seconds):.0f} |")
    for by_signal, reason in (True, "INTERRUPTED"), (False, "TIME_LIMIT"):
        status, late, told = debugged(program, guests, by_signal)
        if status != 124 and status != 130 or late > LATE or told != reason:
            failed = 1
            print(f"FAIL a debugger that does not read, {reason}: status {status}, {late:.1f} s late, {told}")
    for option, want in BEFORE:
        with tempfile.TemporaryDirectory() as work:
            os.mkfifo(f"{work}/F")
            given = [o.replace("F", f"{work}/F") for o in option]
            status, late, err = run(program, work, [*([] if option[0] == "--elf" else ["--elf", f"{guests}/eot.elf"]), "--eot", "on", *given], [], False)
            if status != want or late > LATE or f"{work}/F: " not in err:
                failed = 1
                print(f"FAIL before the run, {' '.join(option)}: status {status}, {late:.1f} s late: {err}")
    sys.exit(failed)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces and profiles of small programs: sums equal the counters, nothing changes the run, files are what they say.

  traces.py PROGRAM GUESTS RUNNER FIRMWARE...

RUNNER: a program that uses the NPU; FIRMWARE: others, with interrupts, tasks, Secure calls."""
import os
import re
import shutil
import subprocess
import sys
import struct
import tempfile
import time
import zlib

from perfetto_file import perfetto
from trace_check import check, failed, report, run

PROFILES = ("flat", "json", "callgrind", "folded", "speedscope", "lcov")


def self_cost(path):
    """The sum of all self costs of a callgrind file: lines of numbers but those behind calls=."""
    sums, skip, summary = [0] * 6, False, None
    for line in open(path):
        if line.startswith("summary:"):
            summary = [int(x) for x in line.split()[1:]]
        elif line.startswith("calls="):
            skip = True
        elif re.match(r"\d+ ", line):
            if not skip:
                sums = [a + int(b) for a, b in zip(sums, line.split()[1:])]
            skip = False
    check(sums == summary, f"{path}: costs {sums}, summary {summary}")
    return sums


def profile(program, elf, *options):
    """All profiles of a program, and that it runs as without."""
    plain = run(program, "--elf", elf, "--report", "plain.json", *options)
    kinds = [x for k in PROFILES for x in ("--profile", f"{k}={k}.out")]
    traced = run(program, "--elf", elf, "--report", "traced.json", *options, *kinds)
    check(plain[:2] == traced[:2], f"{elf} {options}: status or output differ with a profile")
    check(report("plain.json") == report("traced.json"), f"{elf} {options}: reports differ with a profile")
    cpu = report("plain.json")["cpu"]
    cycles, instructions, _, _, npu, idle = self_cost("callgrind.out")
    check(instructions == cpu["instructions"], f"{elf}: {instructions} instructions, counted {cpu['instructions']}")
    check(cycles + npu + idle == cpu["cycles"], f"{elf}: {cycles + npu + idle} cycles, counted {cpu['cycles']}")
    folded = sum(int(line.rsplit(" ", 1)[1]) for line in open("folded.out"))
    check(folded == cpu["cycles"], f"{elf}: folded stacks have {folded} cycles")
    functions = report("json.out")
    check(functions["cycles"] == sum(f["cycles"] for f in functions["functions"]) == cpu["cycles"], f"{elf}: cycles of functions")
    check(functions["accuracy"] == cpu["accuracy"] and functions["timing"] == cpu["timing"], f"{elf}: accuracy of functions")
    for f in functions["functions"]:
        check(sum(f["causes"].values()) == f["cycles"] <= f["cycles_with_callees"], f"{elf}: causes of {f['name']}")
    check(sum(f["causes"].get("asleep, NPU works", 0) for f in functions["functions"]) == npu, f"{elf}: functions' waiting for the NPU")
    scope = report("speedscope.out")
    check(sum(scope["profiles"][0]["weights"]) == cpu["cycles"] == scope["profiles"][0]["endValue"], f"{elf}: speedscope's weights")
    frames = len(scope["shared"]["frames"])
    check(all(f < frames for s in scope["profiles"][0]["samples"] for f in s), f"{elf}: speedscope names frames that there are not")
    if shutil.which("callgrind_annotate"):
        status, out, _ = run("callgrind_annotate", "--auto=no", "callgrind.out")
        totals = re.search(r"^([\d,]+).*PROGRAM TOTALS", out.decode(), re.M)
        check(status == 0 and totals and int(totals[1].replace(",", "")) == cycles, f"{elf}: callgrind_annotate")
    return cycles, npu, idle


def engines(program, elf, *options):
    """Branches that repeat are counted inside the fast engine only: the profile is that of the engine that tells each."""
    for engine in ("tail", "switch"):
        run(program, "--elf", elf, *options, "--engine", engine, "--profile", f"callgrind={engine}.out", "--profile", f"lcov={engine}.lcov")
    for kind in ("out", "lcov"):
        check(open(f"tail.{kind}").read() == open(f"switch.{kind}").read(), f"{elf} {options}: the profile depends on the engine")
    sources = re.findall(r"^SF:(.*)", open("tail.lcov").read(), re.M)
    check(any(map(os.path.exists, sources)) and len(set(sources)) == len(sources) and all(os.path.isabs(x) and os.path.normpath(x) == x for x in sources),
          f"{elf}: sources are not named once and in full: {sources}")


def tail_calls(program, elf):
    """Functions in assembler code, without a size, that go on to one another: none is left on the stack when the last one is done."""
    for engine in ("tail", "switch"):
        run(program, "--elf", elf, "--engine", engine, "--profile", "folded=tails.folded")
        stacks = dict(x.rsplit(" ", 1) for x in open("tails.folded") if ";ending;" in x and ";leave" not in x)
        wanted = {"Reset_Handler;ending;" + k: v for k, v in (("first", "2000\n"), ("first;second", "2000\n"), ("first;second;third", "3000\n"),
                                                             ("behind", "2000\n"))}
        check(stacks == wanted, f"{elf}, {engine}: {stacks}")


def skipped_faults(program, elf):
    """Where a fault's handler lets the program go on elsewhere, the functions under way are still those: none is entered anew, and what
    follows is theirs."""
    for engine in ("tail", "switch"):
        run(program, "--elf", elf, "--engine", engine, "--profile", "folded=skips.folded", "--profile", "json=skips.json")
        stacks = dict(x.rsplit(" ", 1) for x in open("skips.folded") if ";ending;" in x and ";leave" not in x)
        wanted = {"Reset_Handler;ending;" + k: v for k, v in (("stumble", "400\n"), ("turn", "200\n"), ("turn;other", "200\n"))}
        check(stacks == wanted, f"{elf}, {engine}: {stacks}")
        calls = {f["name"]: f["calls"] for f in report("skips.json")["functions"]}
        check([calls[x] for x in ("Reset_Handler", "ending", "stumble", "turn", "other", "skip")] == [1, 1, 100, 100, 100, 200],
              f"{elf}, {engine}: {calls}")


def instructions(program, elf):
    """Every instruction in order, and the same run."""
    plain = run(program, "--elf", elf, "--report", "plain.json")
    traced = run(program, "--elf", elf, "--report", "traced.json", "--trace", "tarmac=t.tarmac", "--trace", "vcd=t.vcd")
    check(plain[:2] == traced[:2] and report("plain.json") == report("traced.json"), f"{elf}: differs with a trace of instructions")
    lines = [x for x in open("t.tarmac") if re.match(r"\d+ clk I[TS] ", x)]
    check(len(lines) == report("plain.json")["cpu"]["instructions"], f"{elf}: {len(lines)} lines of instructions")
    form = re.compile(r"\d+ clk (I[TS] \((\d+)\) [0-9a-f]{8} ([0-9a-f]{4}|[0-9a-f]{8}) T (handler|thread)_n?s : .+"
                      r"|R \w+ [0-9a-f]{8}|M[RW][124] [0-9a-f]{8} [0-9a-f]{2,8}|E [0-9a-f]{8} [0-9a-f]{8} CoreEvent_\w+)$")
    wrong = [x for x in open("t.tarmac") if not form.match(x.rstrip("\n"))]
    check(not wrong, f"{elf}: not Tarmac: {wrong[:3]}")
    numbers = [int(form.match(x.rstrip("\n"))[2]) for x in lines]
    check(numbers == list(range(1, len(numbers) + 1)), f"{elf}: instructions are not numbered in order")


def disassembly(program, elf):
    """Every instruction that was traced has the name that objdump gives it; those in IT blocks are named without their
    condition, and objdump takes vectors for coprocessor instructions or branch futures."""
    if not shutil.which("arm-none-eabi-objdump"):
        return
    listing = run("arm-none-eabi-objdump", "-d", elf)[1].decode()
    names = {int(m[1], 16): m[2] for m in re.finditer(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t([\w.]+)", listing, re.M)}
    run(program, "--elf", elf, "--trace", "tarmac=t.tarmac")
    traced = {(int(m[1], 16), m[2]) for m in re.finditer(r" I[TS] \(\d+\) (\w+) \w+ T \w+ : ([\w.]+)", open("t.tarmac").read())}
    unlike = re.compile(r"\w(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)(\.w)?$|^(cdp|ldc|stc|mcr|mrc|bf)")
    wrong = [f"{pc:#x}: {name}, objdump: {names[pc]}" for pc, name in traced
             if pc in names and names[pc].replace(".n", "") != name.replace(".n", "") and not unlike.search(names[pc])]
    check(len(traced) > 50 and not wrong, f"{elf}: {len(traced)} instructions, {wrong[:3]}")


def blocks(data):
    """Offsets and payloads of a compact trace's blocks, as docs/reference/formats.md has them."""
    at = 24
    while True:
        loads, records, checksum = struct.unpack_from("<III", data, at)
        size = records + loads
        yield at, data[at + 12:at + 12 + size]
        check(checksum == zlib.crc32(data[at + 12:at + 12 + size]), f"checksum of the block at {at}")
        if not records:
            check(at + 12 == len(data), "bytes behind the last block")
            return
        at += 12 + size


def binary(program, *elfs):
    """The compact trace: the same run, and the same text as the one written directly, also through filters and when it is damaged."""
    arguments = [x for elf in elfs for x in ("--elf", elf)]
    plain = run(program, *arguments, "--report", "plain.json")
    traced = run(program, *arguments, "--report", "traced.json", "--trace", "tarmac=t.tarmac", "--trace", "fvpt=t.fvpt",
                 "--trace", "tarmac=f.tarmac,from=2000,to=9000,state=secure", "--trace", "fvpt=f.fvpt,from=2000,to=9000,state=secure")
    check(plain[:2] == traced[:2] and report("plain.json") == report("traced.json"), f"{elfs}: differs with a compact trace")
    text = open("t.tarmac", "rb").read()
    for source, target, expected in (("t.fvpt", "c.tarmac", "t.tarmac"), ("f.fvpt", "c.tarmac", "f.tarmac"),
                                     ("t.fvpt", "c.tarmac,from=2000,to=9000,state=secure", "f.tarmac")):
        status, _, errors = run(program, "trace", "convert", source, f"tarmac={target}")
        check(status == 0 and open("c.tarmac", "rb").read() == open(expected, "rb").read(), f"{elfs}: {source} as {target}: {status} {errors}")
    check(os.path.getsize("t.fvpt") < len(text) / 4, f"{elfs}: compact trace of {os.path.getsize('t.fvpt')} bytes, text of {len(text)}")
    alone = run(program, *arguments, "--report", "traced.json", "--trace", "fvpt=a.fvpt")
    check(plain[:2] == alone[:2] and report("plain.json") == report("traced.json"), f"{elfs}: differs with a compact trace alone")
    for source in ("a.fvpt", "t.fvpt"): # what can be executed again is left out of the first
        data = open(source, "rb").read()
        status, _, errors = run(program, "trace", "convert", source, "tarmac=c.tarmac")
        check(status == 0 and open("c.tarmac", "rb").read() == open("t.tarmac", "rb").read(), f"{elfs}: {source}: {status} {errors}")
        damage(program, data, text, [at for at, _ in blocks(data)])


def damage(program, data, text, places):
    """A damaged file ends in one line; what comes out before is the beginning of the text."""
    middle = places[0] + 5000 + struct.unpack_from("<I", data, places[0])[0]  # among the records
    for name, bad in (("cut in a block", data[:middle]), ("cut behind a block", data[:places[-1]]), ("a changed byte", data[:middle] + b"\xff" + data[middle + 1:]),
                      ("a block too long", data[:24] + b"\xff\xff\xff\x7f" + data[28:])):
        open("bad.fvpt", "wb").write(bad)
        status, _, errors = run(program, "trace", "convert", "bad.fvpt", "tarmac=bad.tarmac")
        out = open("bad.tarmac", "rb").read()
        check(status == 65 and "damaged" in errors and errors.count("\n") == 1, f"{name}: {status} {errors}")
        check(text.startswith(out) and (name != "cut in a block" or out), f"{name}: {len(out)} bytes of text")
    for name, bad, say in (("no trace", b"hello", "no trace"), ("another version", data[:16] + b"\x63" + data[17:], "version 99")):
        open("bad.fvpt", "wb").write(bad)
        status, _, errors = run(program, "trace", "convert", "bad.fvpt", "tarmac=bad.tarmac")
        check(status == 65 and say in errors, f"{name}: {status} {errors}")
    for arguments, status, say in ((("bad.fvpt", "vcd=x"), 64, "tarmac"), (("bad.fvpt", "tarmac=x,function=main"), 64, "range="),
                                   (("none.fvpt", "tarmac=x"), 66, "none.fvpt"), (("t.fvpt", "tarmac=t.fvpt"), 64, "written over"), ((), 64, "convert")):
        got, _, errors = run(program, "trace", "convert", *arguments)
        check(got == status and say in errors, f"{arguments}: {got} {errors}")


def filters(program, elf, runner):
    """What a filter keeps of a trace is what the whole trace has there."""
    run(program, "--elf", elf, "--trace", "tarmac=t.tarmac")
    pcs = sorted({int(x, 16) for x in re.findall(r" I[TS] \(\d+\) (\w+)", open("t.tarmac").read())})
    run(program, "--elf", elf, "--trace", "tarmac=a.tarmac,function=print", "--trace", "tarmac=b.tarmac,from=50,to=90",
        "--trace", f"tarmac=c.tarmac,range={pcs[5]:#x}-{pcs[15]:#x}", "--trace", "tarmac=d.tarmac,state=nonsecure")
    table = run("arm-none-eabi-nm", "-S", elf)[1].decode() if shutil.which("arm-none-eabi-nm") else ""
    low, size = (int(x, 16) for x in re.search(r"^(\w+) (\w+) T print$", table, re.M).groups()) if table else (0, 0)
    whole = [(int(m[1]), int(m[2] or "0", 16), m[0]) for m in re.finditer(r"^(\d+) clk (?:I[TS] \(\d+\) (\w+))?.*\n", open("t.tarmac").read(), re.M)]
    at, kept = 0, {"a": "", "b": "", "c": "", "d": ""}
    for cycle, pc, line in whole:
        at = pc if " I" in line[:20] else at  # an instruction's registers and accesses stand below it
        kept["a"] += line if low <= at < low + size else ""
        kept["b"] += line if 50 <= cycle <= 90 else ""
        kept["c"] += line if pcs[5] <= at <= pcs[15] else ""
    for name, text in kept.items():
        check(open(name + ".tarmac").read() == text or (name == "a" and not table), f"{elf}: filter {name} keeps something else")
    check(kept["b"] and kept["c"] and (kept["a"] or not table), f"{elf}: a filter keeps nothing")
    run(program, "--elf", runner, "--trace", "npu=n.npu", "--trace", "vcd=n.vcd", "--trace", "perfetto=n.perfetto")
    cycles = [int(x.split()[0]) for x in open("n.npu") if not x.startswith("#")]
    low, high = cycles[2], cycles[5]
    bounds = f"from={low},to={high}"
    run(program, "--elf", runner, "--trace", f"npu=f.npu,{bounds}", "--trace", f"vcd=f.vcd,{bounds}", "--trace", f"perfetto=f.perfetto,{bounds}")
    lines = [x for x in open("n.npu") if x.startswith("#") or low <= int(x.split()[0]) <= high]
    check(list(open("f.npu")) == lines and len(lines) < len(list(open("n.npu"))), "npu: from and to")
    changes = re.findall(r"^#(\d+)$", open("f.vcd").read(), re.M)
    every = re.findall(r"^#(\d+)$", open("n.vcd").read(), re.M)
    check(1 < len(changes) < len(every) and set(changes) <= set(every), f"vcd: {len(changes)} of {len(every)} moments")
    slices, _ = perfetto("f.perfetto")
    check(len(slices["NPU: operations"] + slices.get("NPU: DMA", [])) == len([x for x in lines if x[0] != "#"]), "perfetto: from and to")


def wires(program, elf):
    """Values of the driven pins in the order in which the program sets them (endings/gpio.c)."""
    run(program, "--elf", elf, "--trace", "vcd=g.vcd")
    text = open("g.vcd").read()
    code = dict(re.findall(r"\$var wire 16 (\S+) (gpio\d) \$end", text))
    seen = [(code[c], int(v, 2)) for v, c in re.findall(r"^b([01]+) (\S+)$", text.split("$end\n#")[-1], re.M) if c in code]
    check([v for v in seen if v[1]] == [("gpio0", 5), ("gpio0", 10), ("gpio1", 0x8000)], f"{elf}: pins {seen}")


def long_wires(program, elf):
    """A long trace is written as it comes: by time, each wire declared, in a file those alone that change; by a pipe all are."""
    run(program, "--elf", elf, "--cyclelimit", 1000000, "--trace", "vcd=long.vcd")
    os.mkfifo("pipe.vcd")
    with subprocess.Popen(("cat", "pipe.vcd"), stdout=subprocess.PIPE, text=True) as reader:
        with subprocess.Popen((program, "--elf", elf, "--cyclelimit", "1000000", "--trace", "vcd=pipe.vcd"), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL):
            piped = reader.stdout.read()
    heads, bodies = zip(*(x.split("$enddefinitions $end\n#0\n$dumpvars\n") for x in (open("long.vcd").read(), piped)))
    (first, changes), (all_first, all_changes) = (x.split("$end\n", 1) for x in bodies)
    check(changes.lstrip() == all_changes and len(changes.splitlines()) > 100000, f"{elf}: {len(changes)} bytes of changes, {len(all_changes)} by a pipe")
    times = [int(x) for x in re.findall(r"^#(\d+)$", changes, re.M)]
    check(times == sorted(times), f"{elf}: time goes back")
    declared, all_declared = (set(re.findall(r"^\$var wire \d+ (\S+) ", x, re.M)) for x in heads)
    changed = set(re.findall(r"(!\d+)$", changes, re.M))
    check(declared == changed == set(re.findall(r"(!\d+)$", first, re.M)), f"{elf}: {declared} declared, {changed} change")
    check(declared < all_declared == set(re.findall(r"(!\d+)$", all_first, re.M)) and len(all_declared) > 480, f"{elf}: {len(all_declared)} wires by a pipe")
    with subprocess.Popen((program, "--elf", elf, "--trace", "vcd=early.vcd"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        for _ in range(600):
            if os.path.exists("early.vcd") and os.path.getsize("early.vcd") > 100000:
                break
            time.sleep(0.1)
        check(p.poll() is None and os.path.getsize("early.vcd") > 100000, f"{elf}: nothing is written before the end")
        p.terminate()


def misuse(program, elf):
    for arguments, text in ((("--trace", "none"), "no kind of trace"), (("--profile", "none"), "no kind of profile"),
                            (("--trace", "tarmac,colour=red"), "filters:"), (("--trace", "tarmac="), "give a file"),
                            (("--trace", "tarmac=x,function=nobody"), "filters:"), (("--profile", f"flat={elf}"), "written over"),
                            (("--trace", "npu=x", "--trace", "tarmac=./x"), "x is given for two outputs"),
                            (("--trace", "vcd", "--trace", "vcd,to=100"), "is given for two outputs"),
                            (("--trace", "npu=x,to=5", "--profile", "json=x"), "x is given for two outputs"),
                            (("--profile", "json=x", "--report", "x"), "x is given for two outputs"),
                            (("--trace", "vcd=x", "--save-at", "5=x"), "x is given for two outputs"),
                            (("--trace", "npu=x,function=main"), "npu takes no filter but from= to="), (("--trace", "pmu=x,to=5"), "takes no filter"),
                            (("--trace", "tarmac=x,shortest=0"), "takes no filter but"), (("--profile", "json=x,to=5"), "json takes no filter"),
                            (("--trace", "perfetto=x,from=6,to=5"), "from=6 lies behind to=5")):
        status, _, errors = run(program, "--elf", elf, *arguments)
        check(status == 64 and text in errors, f"{arguments}: {status} {errors}")
    status, _, errors = run(program, "--elf", elf, "--trace", "npu=/nowhere/x")
    check(status == 73 and "/nowhere/x" in errors, f"a file that cannot be written: {status} {errors}")
    if os.path.exists("/dev/full"):
        status, _, errors = run(program, "--elf", elf, "--trace", "tarmac=/dev/full")
        check("/dev/full" in errors, f"a full disk: {status} {errors}")


def main():
    program, guests, runner = (os.path.abspath(x) for x in sys.argv[1:4])
    firmware = [os.path.abspath(x) for x in sys.argv[4:]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for elf in firmware:
            board = re.search(r"corstone-\d+", elf)[0]
            other = ("--elf", elf.replace("secure-", "nonsecure-")) if "secure-" in elf else ()
            for timing in ("ipc1", "m55"):
                profile(program, elf, "--board", board, "--cpu-timing", timing, *other)
            engines(program, elf, "--board", board, *other)
        for guest in ("exit", "fault", "recurse", "wait_ticks", "null_call", "skips", "tails"):
            profile(program, f"{guests}/{guest}.elf", "--cyclelimit", 2000000)
            engines(program, f"{guests}/{guest}.elf", "--cyclelimit", 2000000)
        profile(program, f"{guests}/rewrites.elf", "--cyclelimit", 20000)
        engines(program, f"{guests}/rewrites.elf", "--cyclelimit", 20000)
        profile(program, f"{guests}/count.elf", "--cyclelimit", 54321, "--engine", "switch")
        tail_calls(program, f"{guests}/tails.elf")
        skipped_faults(program, f"{guests}/skips.elf")
        instructions(program, f"{guests}/exit.elf")
        disassembly(program, firmware[0])
        binary(program, *(x for x in firmware if "secure-" in x), *(x.replace("secure-", "nonsecure-") for x in firmware if "secure-" in x))
        check(profile(program, runner)[1] > 0, "no cycles of waiting for the NPU")
        filters(program, f"{guests}/exit.elf", runner)
        wires(program, f"{guests}/gpio.elf")
        long_wires(program, f"{guests}/resets.elf")
        misuse(program, f"{guests}/exit.elf")
    return failed()


if __name__ == "__main__":
    sys.exit(main())

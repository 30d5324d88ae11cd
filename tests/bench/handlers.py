#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at the machine code of the handlers: a fast handler ends in an indirect jump, and saves no
registers. handlers.py OBJDUMP ARCHIVE, of x86-64 or aarch64. Exit status 77: built without tail calls."""
import re
import subprocess
import sys

FAST = re.compile(r"^(single|if)[24]_|^it_|^if_")
# Handlers with much arithmetic may run out of registers; the share is bounded, not zero. Those of
# floating point that call its integer arithmetic (cpu/fp) must save registers and do not count. Two registers
# are pinned for the integer core (cpu/engine/registers.h), so that vector handlers save some.
MAY_PUSH = 0.16
# The compiler may let equal handlers share their end: a jump into another fast handler. One that is always slow goes to it at once.
JUMP = re.compile(r"\tjmp\s+(\*%r|[0-9a-f]+ <((single|if)[24]_|i[ft]_))|\tbr?\s+(x|[0-9a-f]+ <((single|if)[24]_|i[ft]_|go_slow>))")
CALL = re.compile(r"\t(call|blr?)\s")
PUSH = re.compile(r"\tpush |\tst[pr]\s.*\[sp, #-")


def main():
    text = subprocess.run([sys.argv[1], "-d", "--no-show-raw-insn", sys.argv[2]],
                          capture_output=True, text=True, check=True).stdout
    bodies, name = {}, None
    for line in text.splitlines():
        head = re.match(r"^[0-9a-f]+ <(.*)>:", line)
        if head:
            name = head.group(1)
            # Parts that the compiler calls cold are beside the fast path.
            if FAST.match(name) and ".cold" not in name:
                bodies[name] = []
            else:
                name = None
        elif name:
            bodies[name].append(line)
    if not bodies:
        print("skipped: no handlers in the archive")
        return 77
    jumps = [n for n, b in bodies.items() if any(JUMP.search(l) for l in b)]
    calling = {n for n, b in bodies.items() if "_v" in n and any(CALL.search(l) for l in b)}
    pushes = [n for n, b in bodies.items() if n not in calling and any(PUSH.search(l) for l in b)]
    integer = [n for n in pushes if re.search(r"_(ldr|str|add|sub|cmp|mov|b_|cbz|push|pop)", n) and "_v" not in n]
    # Always slow by their nature: system operations, unprivileged accesses.
    slow_only = re.compile(r"^single[24]_(\w+_t$|udf|svc|bkpt|wf[ie]|sev|sg|mrs|msr|cps|bl?xns|tt|coprocessor|v)")
    missing = [n for n in bodies if n not in jumps and not slow_only.match(n)]
    print(f"{len(bodies)} handlers, {len(jumps)} dispatch by a jump, {len(pushes)} save registers "
          f"({len(integer)} of them integer), {len(calling)} call floating-point arithmetic")
    for n in missing + integer:
        print("  ", n)
    return 1 if missing or integer or len(pushes) > MAY_PUSH * len(bodies) else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Backwards over two inferences: inferences.py FVP_SIM INFERENCES.elf. With a watchpoint on a byte of the output reverse-continue stops at
the NPU's operation that wrote it in the second one, then in the first. Memory, instructions and cycles there are those of runs that
nobody watches."""
import json
import os
import re
import subprocess
import sys
import tempfile

PROGRAM, GUEST = (os.path.abspath(a) for a in sys.argv[1:3])
LIMIT = 400
SIZE = 65536
# The operator before the output writes the same memory: the operation is the last of its inference.
SCRIPT = '''set pagination off
set confirm off
break last
continue
set var $at = (unsigned)output
eval "watch *(unsigned char *) %u", $at
reverse-continue
monitor npu
continue
printf "place %u\\n", $at
monitor cycles
dump binary memory second $at ($at + 65536)
reverse-continue
disable 2
break inference
reverse-continue
disable 3
enable 2
reverse-continue
print done
monitor npu
continue
printf "place %u\\n", $at
monitor cycles
dump binary memory first $at ($at + 65536)
delete
continue
'''


def straight(place, cycles):
    """Memory and instructions of a run up to there."""
    subprocess.run([PROGRAM, '--quiet', '--elf', GUEST, '--cyclelimit', str(cycles), '--dump', f'dump@{place},{SIZE}', '--report', 'report'],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
    with open('dump', 'rb') as memory, open('report') as report:
        return memory.read(), json.load(report)['cpu']['instructions']


def main():
    with open('script', 'w') as f:
        f.write(SCRIPT)
    out = subprocess.run(['gdb-multiarch', '-nx', '-batch', '-ex', f'target remote | {PROGRAM} --quiet --elf {GUEST} --gdb - --gdb-wait',
                          '-x', 'script', GUEST], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                         timeout=LIMIT).stdout
    stops = re.findall(r'place (\d+)\n(\d+) cycles, (\d+) instructions', out)
    at_last_operation = re.findall(r'=> +[0-9a-f]+: CONV\n +[0-9a-f]+: STOP', out)
    if len(stops) != 2 or len(at_last_operation) != 2 or '$1 = 0\n' not in out or 'exited normally' not in out:
        sys.exit(f'the session goes otherwise:\n{out}')
    for (place, cycles, instructions), name in zip(stops, ('second', 'first')):
        memory, executed = straight(int(place), int(cycles))
        with open(name, 'rb') as f:
            if f.read() != memory or executed != int(instructions):
                sys.exit(f'the {name} stop, after {cycles} cycles: memory or instructions ({executed}) are others in a straight run:\n{out}')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packet qSearch:memory against a search in what packet m reads: search.py FVP_SIM GUEST.elf. The memory is that of SRAM and DDR, of which most
has never been reached; the bytes that are looked for lie on both sides of the ends of pages and of what is in use."""
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from client import Client, expect

PROGRAM, GUEST = (os.path.abspath(a) for a in sys.argv[1:3])
DRAWS = 400
PAGE, PIECE, BYTES = 4096, 2048, 0x40000
BASES = (0x31000000, 0x70400000)  # SRAM, DDR
SECONDS = 2  # gdb waits so long for an answer


def escaped(data):
    return re.sub(rb'[#$}*]', lambda m: b'}' + bytes([m.group(0)[0] ^ 0x20]), data, flags=re.S)


def search(client, first, length, wanted):
    """The address, None: not found."""
    reply = client.ask(b'qSearch:memory:%x;%x;' % (first, length) + escaped(wanted))
    if reply == b'0':
        return None
    expect(reply, rb'1,[0-9a-f]+$', f'search for {wanted[:20]} at {first:#x}')
    return int(reply[2:], 16)


def write(client, model, base, at, data):
    expect(client.ask(b'M%x,%x:' % (base + at, len(data)) + data.hex().encode()), b'OK$', 'write')
    model[at:at + len(data)] = data


def drawn(client, base):
    model = bytearray(BYTES)
    for at in range(0, 0x2000, PIECE):  # what the program has there
        model[at:at + PIECE] = bytes.fromhex(client.ask(b'm%x,%x' % (base + at, PIECE)).decode())
    for _ in range(30):
        at = random.randrange(1, BYTES // PAGE) * PAGE + random.choice((-3, -1, 0, 5))
        write(client, model, base, at, bytes(random.choices((0, 1, 35, 36, 42, 125), k=random.choice((1, 2, 8)))))
    for _ in range(DRAWS):
        at, length = random.randrange(BYTES - 64), random.choice((1, 2, 3, 7, 60))
        if random.random() < 0.6:  # near something
            at = random.choice([m.start() for m in re.finditer(rb'[^\0]', model) if m.start() > 64]) - random.randrange(min(length + 3, 60))
        wanted = bytes(model[at:at + length]) or b'\0'
        if random.random() < 0.2:
            wanted = wanted[:-1] + bytes([random.choice((7, 36))])
        first = random.randrange(at + 2)
        length = random.choice((BYTES - first, at - first + random.randrange(70)))
        found = model.find(wanted, first, first + length)
        if search(client, base + first, length, wanted) != (base + found if found >= 0 else None):
            sys.exit(f'{wanted} in {length} bytes from {first:#x} of {base:#x}: not {found:#x}')


def main():
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', './gdb', '--gdb-wait'], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL)
        try:
            client = Client(os.path.join(folder, 'gdb'))
            for base in BASES:
                drawn(client, base)
            begun = time.time()
            for first, length, wanted in ((0, 1 << 32, b'not there at all'), (0x60000000, 1 << 31, b'\0\0\0\x09'), (0, 1 << 32, b'\x09' * 3000)):
                if search(client, first, length, wanted) is not None:
                    sys.exit(f'{wanted} is found')
            if time.time() - begun > 3 * SECONDS:
                sys.exit(f'three searches of all addresses take {time.time() - begun} s')
            if search(client, 0x40000000, 0x40000000, bytes(8000)) is None:  # no zeros of devices
                sys.exit('zeros are not found')
            for bad in (b'', b'0', b'0;4', b'0;4;', b'g;4;a', b'ffffffff;2;a', b'100000000;1;a', b'0;100000001;a'):
                expect(client.ask(b'qSearch:memory:' + bad), rb'E16$', f'a search for {bad}')
        finally:
            process.kill()
            process.wait()


main()

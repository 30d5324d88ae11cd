#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sessions of gdb with fvp-sim: run.py FVP_SIM GUEST.elf SESSION...

A session is a script for gdb; its lines "# expect: REGEX" must match gdb's output in their order, "# count: N REGEX"
as often; "# extended" connects by extended-remote. "protocol", "watched" and "edges" stand for
tests that speak the protocol themselves, "same" for the comparison of a run under gdb with one without."""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

from client import DEBUGGER, LIMIT, Client, expect, next_client

PROGRAM, GUEST = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
GDB = 'gdb-multiarch'


def gdb(script, options=()):
    """Runs gdb with the commands of `script` on a machine of its own; its output."""
    server = ' '.join([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', '-', '--gdb-wait', *options])
    with tempfile.NamedTemporaryFile('w', suffix='.gdb') as f:
        how = 'extended-remote' if '# extended' in script else 'remote'
        f.write('set pagination off\nset confirm off\nset width 0\nset style enabled off\n'
                f'target {how} | {server}\n{script}')
        f.flush()
        done = subprocess.run([GDB, '-nx', '-batch', '-x', f.name, GUEST], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=LIMIT, cwd=HERE)
    return done.stdout


def session(path):
    with open(path) as f:
        script = f.read().replace('@guests@', os.path.dirname(os.path.abspath(GUEST)))
    with tempfile.TemporaryDirectory() as folder:
        check(path, script.replace('@folder@', folder))


def check(path, script):
    options = re.findall(r'^# options: (.*)', script, re.M)
    output, at = gdb(script, [w for line in options for w in line.split()]), 0
    for wanted in re.findall(r'^# expect: (.*)', script, re.M):
        found = re.compile(wanted, re.M).search(output, at)
        if not found:
            sys.exit(f'{os.path.basename(path)}: "{wanted}" is not in what follows:\n{output[at:]}\n--- all:\n{output}')
        at = found.end()
    for times, counted in re.findall(r'^# count: (\d+) (.*)', script, re.M):
        if len(re.findall(counted, output, re.M)) != int(times):
            sys.exit(f'{os.path.basename(path)}: "{counted}" is not there {times} times:\n{output}')


def same():
    """A run with breakpoints, steps and looks at everything ends as one without."""
    def report(extra):
        with tempfile.NamedTemporaryFile(suffix='.json') as f:
            extra(['--report', f.name])
            return json.load(open(f.name))

    def under_gdb(options):
        output = gdb(script, options)
        if output.count('round\n') != 3:
            sys.exit(f'three rounds print three lines:\n{output}')

    script = ('break square_all\nbreak sleep_once\nbreak *(choose + 4)\n' + 'continue\nstepi 7\nnext\ninfo registers\nx/8x $sp\n' * 6 +
              'reverse-stepi 20\nreverse-continue\nreverse-continue\nreverse-step\nreverse-next\ncontinue\nstepi 3\nreverse-stepi\n' +
              'watch deepest\ncontinue\nreverse-continue\nreverse-continue\ndelete\ncontinue\n')
    for timing in ('ipc1', 'm55', 'm85'):
        for engine in ('tail', 'switch', 'step'):
            options = ['--cpu-timing', timing, '--engine', engine]
            plain = report(lambda o: subprocess.run([PROGRAM, '--elf', GUEST, *options, *o], check=True, timeout=LIMIT,
                                                    stdout=subprocess.DEVNULL))
            debugged = report(lambda o: under_gdb(options + o))
            if plain != debugged:
                sys.exit(f'{timing}, {engine}: {plain}\nunder gdb: {debugged}')


def protocol():
    """Damage, vanishing clients, two clients at once, one session after the other."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'gdb')
        server = subprocess.Popen([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', path, '--gdb-wait'], stdout=subprocess.PIPE)
        try:
            first = Client(path)
            expect(first.ask(b'?'), rb'T02', 'halted at first')
            pc = first.ask(b'p f')
            pc = first.ask(b'pf')
            expect(pc, rb'[0-9a-f]{8}$', 'pc')
            first.send(b'$g#00')
            first.send(b'$' + b'x' * 100000 + b'#00')
            first.send(b'#####$$$\x7d#zz')
            first.send(bytes(range(4, 35)))
            expect(first.ask(b'm10000000,4'), rb'(?!E)', 'after damage')
            for bad in (b'm', b'm,', b'mffffffff,ffff', b'M0,4:zz', b'P99999999=00', b'pffffffffff', b'Z0,', b'Z9,0,0', b'X0,5:ab',
                        b'vCont;', b'vCont;q', b'vFlashErase:', b'qXfer:features:read:target.xml:zz', b'qRcmd,7', b'qCRC:', b'H', b'\x00',
                        b'qXfer:features:read:target.xml:ffffffffffff,ffffffffffff', b'', b'vFlashWrite:0'):
                first.ask(bad)
            expect(first.ask(b'pf'), pc, 'pc after nonsense')
            for alive in b'T1', b'Hg1', b'Hg0', b'Hc-1':
                expect(first.ask(alive), rb'OK$', 'the thread that there is')
            for gone in b'T2', b'Hg2', b'Hc10', b'Hg', b'T':
                expect(first.ask(gone), rb'E', 'a thread that there is not')
            for unknown in b'Z5,0,0', b'z9,10000000,2', b'vUnknown', b'qXfer:auxv:read::0,10':
                expect(first.ask(unknown), rb'$', f'{unknown}, which is not known')
            expect(first.ask(b'qXfer:features:read:other.xml:0,10'), rb'E00$', 'a document that is not there')
            for value in b'', b'01', b'0102030405', b'010203zz':
                expect(first.ask(b'P0=' + value), rb'E', f'a register of four bytes written with {value}')
            expect(first.ask(b'P0=01020304'), rb'OK$', 'a register written')
            expect(first.ask(b'p0'), rb'01020304$', 'a register written')
            expect(first.ask(b'vFlashErase:28000000,1000'), rb'OK', 'erased')
            expect(first.ask(b'm28000ffc,4'), rb'ffffffff$', 'erased flash')
            expect(first.ask(b'vFlashWrite:28000002:ab}\x03#'.replace(b'#', b'')), rb'OK', 'written')
            expect(first.ask(b'vFlashDone'), rb'OK', 'written')
            expect(first.ask(b'm28000000,6'), rb'ffff616223ff$', 'written flash')
            second = Client(path)
            expect(second.reply(), rb'E\.the machine has a debugger already', 'a second client')
            if second.reply() is not None:
                sys.exit('a second client is served')
            first.packet(b'g') # and goes without reading the answer
            first.socket.close()
            third = next_client(path)
            expect(third.ask(b'pf'), pc, 'pc in a later session')
            expect(third.ask(b'Z0,10000000,2'), rb'OK', 'breakpoint')
            third.send(b'$vCont;c#a8'[:5]) # half a packet
            third.socket.shutdown(socket.SHUT_WR)
            fourth = next_client(path)
            expect(fourth.ask(b'QStartNoAckMode'), rb'OK', 'no acknowledgements')
            expect(fourth.ask(b'vCont;c'), rb'O|W00', 'to the end')
            if server.wait(LIMIT) != 0:
                sys.exit('status at the end')
        finally:
            server.kill()


def symbol(name):
    listed = subprocess.run(['arm-none-eabi-nm', GUEST], stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(re.search(rf'^(\w+) \w {name}$', listed, re.M).group(1), 16)


def at_a_watchpoint(client):
    """It stops where a watchpoint has found something, and the watchpoint goes."""
    where = b'2,%x,4' % symbol('shared')
    expect(client.ask(b'Z' + where), rb'OK', 'watchpoint')
    expect(client.ask(b'c'), rb'T05.*watch:', 'what it finds')
    expect(client.ask(b'z' + where), rb'OK', 'no watchpoint')
    return client.ask(b'pf')


def watched():
    """A debugger takes Arm processors to stop before a watched access, removes the watchpoint and steps over it by vCont: that step has been
    made already. Every other step moves."""
    cases = {'a client that steps': (b'', b's', True), 'one that steps by vCont': (b'', b'vCont;s', True),
             'a debugger': (DEBUGGER, b'vCont;s:1', False), 'a debugger that steps': (DEBUGGER, b's', True),
             'a range': (DEBUGGER, b'vCont;r10000000,10000001:1', True),
             'behind a command of the monitor': (DEBUGGER, b'vCont;s:1', True, b'qRcmd,' + b'cycles'.hex().encode()),
             'behind a change': (DEBUGGER, b'vCont;s:1', True, b'P0=00000000')}
    for what, (hello, step, moves, *meanwhile) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'gdb')
            server = subprocess.Popen([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', path, '--gdb-wait'], stdout=subprocess.DEVNULL)
            try:
                client = Client(path)
                if hello:
                    client.ask(hello)
                pc = at_a_watchpoint(client)
                for packet in meanwhile:
                    client.ask(packet)
                for _ in range(2):
                    expect(client.ask(step), rb'T05', what)
                    now = client.ask(b'pf')
                    if (now != pc) != moves:
                        sys.exit(f'{what}: {"does not move" if moves else "moves"}: {pc} {now}')
                    pc, moves = now, True
            finally:
                server.kill()
                server.wait()


def code_at(client, addr, halfwords):
    """Puts code there, where it goes on."""
    code = b''.join(b'%02x%02x' % (h & 255, h >> 8) for h in halfwords)
    expect(client.ask(b'M%x,%x:%s' % (addr, len(code) // 2, code)), rb'OK', 'code')
    expect(client.ask(b'Pf=' + addr.to_bytes(4, 'little').hex().encode()), rb'OK', 'pc')


def range_interrupted(client):
    """Ctrl-C ends a step through a range at once: looks that come with simulated time would let 8 million instructions pass."""
    code_at(client, 0x30006000, [0x3001, 0xe7fd])  # adds r0, #1; b to it
    steps = []
    for _ in range(6):
        expect(client.ask(b'P0=00000000'), rb'OK', 'r0')
        client.packet(b'vCont;r30006000,30006004:1')
        time.sleep(0.01)
        client.send(b'\x03')
        expect(client.reply(), rb'T02', 'Ctrl-C')
        steps.append(2 * int.from_bytes(bytes.fromhex(client.ask(b'p0').decode()), 'little'))
    if min(steps[1:]) > 4000000:  # the first begins between two looks
        sys.exit(f'Ctrl-C waits in a range: {steps}')


def back_interrupted(client):
    """Ctrl-C ends a way back on which nothing is found; it can be gone on with, and the run ends as it would have."""
    code_at(client, 0x30006000, [0x3001, 0x6008, 0xe7fc])  # adds r0, #1; str r0, [r1]; b to the first
    for packet in b'P0=00000000', b'P1=00500030':
        expect(client.ask(packet), rb'OK', 'r0, r1')

    def rounds():
        return int.from_bytes(bytes.fromhex(client.ask(b'p0').decode()), 'little')

    client.packet(b'vCont;c')
    time.sleep(0.5)
    client.send(b'\x03')
    expect(client.reply(), rb'T02', 'Ctrl-C')
    last = rounds()
    expect(client.ask(b'Z2,30005004,4'), rb'OK', 'beside what is written: each access is looked at')
    client.packet(b'bc')
    time.sleep(0.02)
    client.send(b'\x03')
    expect(client.reply(), rb'T02', 'Ctrl-C on the way back')
    at = rounds()
    if not 0 < at <= last:
        sys.exit(f'{at} of {last} rounds after Ctrl-C on the way back')
    expect(client.ask(b'z2,30005004,4'), rb'OK', 'no watchpoint')
    expect(client.ask(b'bs'), rb'T05', 'a step further back')
    expect(client.ask(b'm30005000,4'), at.to_bytes(4, 'little').hex().encode() + b'|' + (at - 1).to_bytes(4, 'little').hex().encode(), 'what was written then')
    expect(client.ask(b'bc'), rb'T05.*replaylog:begin', 'to the beginning')


def two_names(client):
    """A breakpoint by the address of a function that has bit 0, for Thumb code, and by the one that has not."""
    code_at(client, 0x30006000, [0xbf00, 0xbf00, 0xbf00, 0xe7fd])
    for name in b'Z0,30006003,2', b'Z0,30006002,2', b'z0,30006003,2':
        expect(client.ask(name), rb'OK', 'a place by two addresses')
    expect(client.ask(b'vCont;c'), rb'T05.*0f:02600030;swbreak', 'a breakpoint of which another name is gone')
    expect(client.ask(b'z0,30006002,2'), rb'OK', 'no breakpoint')
    expect(client.ask(b'Z0,30006005,2'), rb'OK', 'a place by its odd address')
    expect(client.ask(b'vCont;c'), rb'T05.*0f:04600030;swbreak', 'a breakpoint by its odd address')
    expect(client.ask(b'z0,30006005,2'), rb'OK', 'no breakpoint')


def erased_at_a_fault(client):
    """A change takes the fault back; the next one must not take the change with it."""
    code_at(client, 0x30006000, [0xde00])
    expect(client.ask(b'vCont;c'), rb'O', 'the fault in words')
    expect(client.reply(), rb'T04', 'an undefined instruction')
    expect(client.ask(b'vFlashErase:30007000,4'), rb'OK', 'erased')
    expect(client.ask(b'P0=01000000'), rb'OK', 'a register')
    expect(client.ask(b'm30007000,4'), rb'ffffffff', 'erased at a fault')


def edges():
    """Places, ranges and changes that gdb itself hardly comes to."""
    for test in range_interrupted, back_interrupted, two_names, erased_at_a_fault:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'gdb')
            server = subprocess.Popen([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', path, '--gdb-wait'], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
            try:
                client = Client(path)
                client.ask(DEBUGGER)
                test(client)
                expect(client.ask(b'vFlashWrite:fffffff0:01234567890123456789'), rb'E16', 'beyond the end of all memory')
            finally:
                server.kill()
                server.wait()


for name in sys.argv[3:]:
    if name == 'protocol':
        protocol()
    elif name == 'watched':
        watched()
    elif name == 'same':
        same()
    elif name == 'edges':
        edges()
    else:
        session(name)

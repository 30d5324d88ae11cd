#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drawn ways through a program's time: walk.py FVP_SIM GUEST.elf SYMBOL START STEPS MOVES SEED [OPTION...]

The machine goes to instruction START and is stepped through STEPS instructions; after each its registers, its cycles
and a watched word (SYMBOL, of four bytes) are kept. Then it goes back and on by steps, breakpoints, watchpoints and
`monitor run-to`, as drawn, and must always find what was kept there."""
import os
import random
import re
import subprocess
import sys
import tempfile

from client import DEBUGGER, Client, expect

PROGRAM, GUEST, SYMBOL, START, STEPS, MOVES, SEED = sys.argv[1:8]
OPTIONS = sys.argv[8:]
LR, PC, XPSR = 14, 15, 16


def address(symbol):
    table = subprocess.run(['arm-none-eabi-nm', GUEST], stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(re.search(rf'^(\w+) \w {symbol}$', table, re.M).group(1), 16)


class Walker:
    def __init__(self, client):
        self.client = client
        self.word = address(SYMBOL)
        self.states = []
        self.at = 0
        self.said = []

    def monitor(self, text):
        client = self.client
        client.packet(b'qRcmd,' + text.encode().hex().encode())
        said = b''
        while True:
            reply = client.reply()
            if reply == b'OK':
                return said.decode()
            expect(reply, rb'O?([0-9a-f]{2})+$', 'monitor ' + text)
            said += bytes.fromhex(reply.lstrip(b'O').decode())
            if not reply.startswith(b'O'):
                return said.decode()

    def state(self):
        registers = self.client.ask(b'g')
        return registers, self.monitor('cycles').splitlines()[0], self.client.ask(b'm%x,4' % self.word)

    def move(self, packet):
        reply = self.client.ask(packet)
        self.said.append((self.at, packet, reply))
        expect(reply, rb'[TS]', packet.decode())

    def register(self, index, number):
        return int.from_bytes(bytes.fromhex(self.states[index][0].decode()[8 * number:8 * number + 8]), 'little')

    def pc(self, index):
        return self.register(index, PC)

    def is_interrupted(self, index):
        """The instruction that stands there is not executed: an exception is taken, whose handler the next step begins."""
        return index + 1 < len(self.states) and self.register(index, XPSR) & 511 != self.register(index + 1, XPSR) & 511 and \
            self.register(index + 1, LR) >> 24 == 0xff

    def keep(self, steps):
        self.states.append(self.state())
        for _ in range(steps):
            self.move(b's')
            self.states.append(self.state())
        self.at = steps

    def check(self, how, index):
        found = self.state()
        if found != self.states[index]:
            for a, b in zip(self.said[-12:], range(12)):
                print(b, a)
            same = [i for i, s in enumerate(self.states) if s == found]
            sys.exit(f'{how}, from {self.at} to {index}: stands at {same}, {found[1:]} is not {self.states[index][1:]}, registers '
                     f'{found[0] == self.states[index][0]}')
        self.at = index

    def steps(self, rnd):
        back = rnd.random() < 0.5
        count = min(rnd.randrange(1, 12), self.at if back else len(self.states) - 1 - self.at)
        for _ in range(count):
            self.move(b'bs' if back else b's')
        self.check('bs' if back else 's', self.at - count if back else self.at + count)

    def breakpoint(self, rnd):
        target = rnd.randrange(len(self.states))
        pc = self.pc(target)
        back = target < self.at
        hits = [i for i in (range(self.at - 1, -1, -1) if back else range(self.at + 1, len(self.states))) if self.pc(i) == pc]
        if not hits or any(self.is_interrupted(i) for i in hits):
            return
        self.said.append((self.at, b'Z'))
        self.client.ask(b'Z1,%x,2' % pc)
        self.move(b'bc' if back else b'c')
        self.client.ask(b'z1,%x,2' % pc)
        self.check(f'breakpoint {pc:#x}', hits[0])

    def watch(self, rnd):
        """It stops behind the writer. gdb takes the watchpoint away and steps: on, that is taken for done; back, it is before the writer."""
        back = rnd.random() < 0.5
        changed = [i + 1 for i in range(len(self.states) - 1) if self.states[i][2] != self.states[i + 1][2]]
        changed = [i for i in changed if (i <= self.at if back else i > self.at)]
        if not changed:
            return
        goal = changed[-1 if back else 0]
        self.said.append((self.at, b'Z'))
        self.client.ask(b'Z2,%x,4' % self.word)
        self.move(b'bc' if back else b'c')
        self.client.ask(b'z2,%x,4' % self.word)
        self.move(b'bs' if back else b'vCont;s:1')
        self.check('watchpoint' + (' back' if back else ''), goal - back)

    def run_to(self, rnd):
        target = rnd.randrange(len(self.states))
        count = int(re.search(r'(\d+) instructions', self.states[target][1]).group(1))
        first = next(i for i, s in enumerate(self.states) if f' {count} instructions' in s[1])
        self.said.append((self.at, 'run-to', count))
        self.monitor(f'run-to {count}')
        self.check(f'run-to {count}', first)

    def checkpoint(self, _):
        self.monitor('checkpoint')
        self.check('checkpoint', self.at)

    def look(self, rnd):
        """At devices: nothing of it is to be seen later."""
        at = rnd.choice([0xE000E010, 0xE000E200, 0xE000ED04, 0xE0001000, 0x58000000, 0x59303000])
        self.client.ask(b'm%x,%x' % (at, 4 * rnd.randrange(1, 9)))
        self.check(f'look {at:#x}', self.at)


def main():
    rnd = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'gdb')
        server = subprocess.Popen([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', path, '--gdb-wait', *OPTIONS],
                                  stdout=subprocess.DEVNULL)
        try:
            walker = Walker(Client(path))
            walker.client.ask(DEBUGGER)
            walker.monitor('catch none')
            walker.monitor('run-to ' + START)
            walker.keep(int(STEPS))
            moves = [walker.steps, walker.breakpoint, walker.watch, walker.run_to, walker.checkpoint, walker.look]
            for _ in range(int(MOVES)):
                rnd.choices(moves, [6, 4, 4, 3, 1, 2])[0](rnd)
        finally:
            server.kill()
            server.wait()


if __name__ == '__main__':
    main()

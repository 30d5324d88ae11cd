#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb as editors drive it: the machine interface, asynchronous, connected by extended-remote: mi.py FVP_SIM GUEST.elf. The end of the run reaches
the editor as one, and so does a run that was killed."""
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 120
PROGRAM, GUEST = (os.path.abspath(a) for a in sys.argv[1:3])


class Editor:
    """gdb, its commands and what it says."""

    def __init__(self, folder):
        self.simulator = subprocess.Popen([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', './gdb', '--gdb-wait'], cwd=folder, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.gdb = subprocess.Popen(['gdb-multiarch', '-nx', '-q', '--interpreter=mi2'], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True)
        self.number = 0

    def until(self, wanted):
        """The first line that fits."""
        said = ''
        for line in self.gdb.stdout:
            said += line
            if re.match(wanted, line):
                return line
        sys.exit(f'no {wanted} in:\n{said}')

    def do(self, command, wanted='done'):
        self.number += 1
        self.gdb.stdin.write(f'{self.number}{command}\n')
        self.gdb.stdin.flush()
        line = self.until(rf'{self.number}\^')
        if not re.match(rf'{self.number}\^{wanted}', line):
            sys.exit(f'{command}: {line}')
        return line

    def connect(self, folder):
        while not os.path.exists(os.path.join(folder, 'gdb')):
            if self.simulator.poll() is not None:
                sys.exit('the simulator has ended')
        self.do('-gdb-set mi-async on')
        self.do(f'-file-exec-and-symbols "{GUEST}"')
        self.do('-target-select extended-remote ./gdb', 'connected')

    def leave(self, status):
        self.do('-gdb-exit', 'exit')
        if self.gdb.wait(LIMIT) != 0 or (self.simulator.wait(LIMIT) == 0) != (status == 0):
            sys.exit(f'ended with {self.gdb.returncode} and {self.simulator.returncode}')

    def close(self):
        for process in (self.gdb, self.simulator):
            process.kill()
            process.communicate()


def looks_and_runs_to_the_end(editor):
    editor.do('-break-insert --function deep')
    editor.do('-interpreter-exec console "monitor reset halt"')
    editor.do('-exec-continue', 'running')
    editor.until(r'\*stopped,reason="breakpoint-hit"')
    for command, wanted in (('-data-list-register-values x 13 15', 'done,register-values=.*number="15",value="0x1000'),
                            ('-data-read-memory-bytes 0x10000000 8', 'done,memory=.*begin="0x10000000"'),
                            ('-stack-list-frames --thread 1 0 19', 'done,stack=.*func="deep".*func="main"'),
                            ('-data-disassemble -s $pc -e $pc+8 -- 2', 'done,asm_insns=.*func-name="deep"')):
        editor.do(command, wanted)
    editor.do('-break-delete')
    editor.do('-exec-continue', 'running')
    editor.until(r'\*stopped,reason="exited-normally"')
    editor.leave(0)


def kills(editor):
    editor.do('-interpreter-exec console kill')
    editor.leave(1)


def main():
    for session in (looks_and_runs_to_the_end, kills):
        with tempfile.TemporaryDirectory() as folder:
            editor = Editor(folder)
            try:
                editor.connect(folder)
                session(editor)
            finally:
                editor.close()


main()

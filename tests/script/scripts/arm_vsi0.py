# SPDX-License-Identifier: Apache-2.0
"""A source of blocks. It prints, reads its input and starts a program, none of which may disturb anybody."""
import subprocess
import sys

print("arm_vsi0 is imported")

irq = 0
regs = [0] * 64
block = 0


def init():
    print("arm_vsi0: init", sys.stdin.read())
    subprocess.run("echo a program of the script; cat", shell=True, check=True)


def rdIRQ():
    return irq


def wrIRQ(value):
    global irq
    irq = value
    return value


def wrTimer(index, value):
    return value


def timerEvent():
    global block
    block += 1


def wrDMA(index, value):
    return value


def rdDataDMA(size):
    print("a block of", size)
    return bytearray((block * 37 + i * 11) & 0xFF for i in range(size))


def wrDataDMA(data, size):
    raise AssertionError("is not written to")


def rdRegs(index):
    return -2 if index == 63 else regs[index]


def wrRegs(index, value):
    regs[index] = value + 1
    return regs[index]

# SPDX-License-Identifier: Apache-2.0
"""A sink: what comes goes to the file `sent`. Only the functions that it needs."""
left = 300


def wrDataDMA(data, size):
    assert isinstance(data, bytearray) and len(data) == size
    with open("sent", "ab") as file:
        file.write(data)


def rdRegs(index):
    global left
    left -= 1
    return left


def wrTimer(index, value):
    """Gives nothing: the value stays."""

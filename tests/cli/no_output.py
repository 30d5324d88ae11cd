#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damages compiled networks: no_output.py MODEL OUT: the shape of the first output gets a dimension of 0.
no_output.py --name MODEL OUT: control characters for the letters of the custom operator's name "ethos-u"."""
import struct
import sys


def field(data, table, number):
    """Place of a field of a flatbuffer's table, 0: it is not there."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    if 4 + 2 * number >= struct.unpack_from("<H", data, vtable)[0]:
        return 0
    offset = struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0]
    return table + offset if offset else 0


def follow(data, at):
    return at + struct.unpack_from("<I", data, at)[0]


def main():
    name = sys.argv[1] == "--name"
    path, out = sys.argv[-2:]
    data = bytearray(open(path, "rb").read())
    model = follow(data, 0)
    if name:
        at = data.index(b"ethos-u")
        data[at:at + 7] = b"\x1b]0;x\x07\x9b"
    else:
        graph = follow(data, follow(data, field(data, model, 2)) + 4)
        output = struct.unpack_from("<i", data, follow(data, field(data, graph, 2)) + 4)[0]
        tensor = follow(data, follow(data, field(data, graph, 0)) + 4 + 4 * output)
        struct.pack_into("<i", data, follow(data, field(data, tensor, 0)) + 4, 0)
    open(out, "wb").write(data)


main()

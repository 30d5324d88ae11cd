# SPDX-License-Identifier: Apache-2.0
"""Is a file that a run wrote what its kind has to be (docs/reference/formats.md), also where it says less than it could?"""
import json
import re
import struct
import zlib


def is_json(data):
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def is_fvpt(data):
    """The head, blocks with their sums, and the end's block."""
    at = 24
    if data[:18] != b"fvp-sim trace\n\0\0\2\0":
        return False
    while at + 12 <= len(data):
        loads, records, check = struct.unpack_from("<III", data, at)
        at, size = at + 12, records + loads
        if records == 0:
            return at == len(data)
        if zlib.crc32(data[at:at + size]) != check:
            return False
        at += size
    return False


def is_protobuf(data):
    """Fields of a length, one behind the other up to the end: packets of a trace."""
    at = 0
    while at < len(data):
        if data[at] & 7 != 2:
            return False
        at, size, shift = at + 1, 0, 0
        while at < len(data):
            size |= (data[at] & 0x7f) << shift
            at, shift = at + 1, shift + 7
            if not data[at - 1] & 0x80:
                break
        at += size
    return at == len(data)


def is_tarmac(data):
    return all(re.fullmatch(rb"(\d+ clk .*)?", line) for line in data.split(b"\n")) and data.endswith((b"\n", b""))


def is_vcd(data):
    return b"$enddefinitions $end\n" in data and data.endswith(b"\n")


def is_callgrind(data):
    return data.startswith(b"# callgrind format\nversion: 1\n") and data.endswith(b"\n")


def is_flat(data):
    return b" function\n" in data and re.search(rb" all; \d+ cycles asleep without the NPU; (estimated|instructions are counted), .+\n$", data) is not None


KINDS = {"callgrind": is_callgrind, "flat": is_flat, "json": is_json, "speedscope": is_json, "fvpt": is_fvpt, "perfetto": is_protobuf, "tarmac": is_tarmac, "vcd": is_vcd}


def well_formed(name, data):
    """None: a kind that has no form of its own."""
    kind = re.split(r"[./]", name)[-1]
    return KINDS[kind](data) if kind in KINDS else None

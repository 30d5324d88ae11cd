#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records calls of all kernels with PyTorch's results: kernel_golden.py LIBRUNTIME_HOST.so FILE. kernel_golden.c reads the file.

Needs torch and executorch, as test_kernels.py does; the same cases are drawn, smaller ones are kept.
"""
import struct
import sys

import torch

import cortex_m_cases  # noqa: F401 (adds its cases)
import kernel_cases
import layer_cases  # noqa: F401
import position_cases  # noqa: F401
import shape_cases  # noqa: F401
from kernel_draw import Draw, TOLERANCE
from kernel_rig import (BOOL, BOOLS, DOUBLE, DOUBLES, INT, INTS, NONE, OPTIONALS, STRING, TENSOR, TENSORS, TYPES, Rig,
                        order_of)

ROUNDS, ROUNDS_CORTEX_M = 2, 10
MOST_BYTES, MOST_BYTES_CORTEX_M = 600, 2000


def raw(tensor):
    """Bytes in the order of the memory."""
    flat = torch.as_strided(tensor, [tensor.numel()], [1]).contiguous()
    return flat.view(torch.uint8).numpy().tobytes() if tensor.dtype != torch.bool else bytes(flat.tolist())


def tensor(t):
    return struct.pack(f"<BB{t.dim()}H", TYPES[t.dtype], t.dim(), *t.shape) + bytes(order_of(t)) + raw(t)


def value(x, letter, output):
    out = bytes([output])
    if x is None:
        return out + bytes([NONE])
    if isinstance(x, torch.Tensor):
        return out + bytes([TENSOR]) + tensor(x)
    if isinstance(x, str):
        return out + bytes([STRING, len(x)]) + x.encode() + b"\0"
    if isinstance(x, torch.dtype):
        return out + bytes([INT]) + struct.pack("<q", TYPES[x])
    if isinstance(x, (list, tuple)):
        if letter in "TU":
            items = b"".join(b"\0" if t is None else b"\1" + tensor(t) for t in x)
            return out + bytes([TENSORS if letter == "T" else OPTIONALS, len(x)]) + items
        kind, form = {"I": (INTS, "q"), "D": (DOUBLES, "d"), "B": (BOOLS, "?")}[letter]
        return out + bytes([kind, len(x)]) + struct.pack(f"<{len(x)}{form}", *x)
    if isinstance(x, bool):
        return out + bytes([BOOL, x])
    if isinstance(x, int) and letter != "d":
        return out + bytes([INT]) + struct.pack("<q", x)
    return out + bytes([DOUBLE]) + struct.pack("<d", x)


class Recorder(Draw):
    """Records instead of calling."""
    def call(self, name, *arguments, expected, tolerance=None, as_list=False):
        expected = list(expected) if isinstance(expected, (list, tuple)) else [expected]
        outs = [expected] if as_list else expected
        letters = [letter for letter, _ in self.rig.letters(name)] + [""] * (len(arguments) + len(outs))
        if tolerance is None:
            tolerance = max(TOLERANCE.get(e.dtype, 0) for e in expected)
        items = [value(a, letters[i], False) for i, a in enumerate(arguments)]
        items += [value(e, letters[len(arguments) + i], True) for i, e in enumerate(outs)]
        self.record = name.encode() + b"\0" + struct.pack("<dB", tolerance, len(items)) + b"".join(items)


def main():
    rig, file, count = Rig(sys.argv[1]), b"", 0
    for name, case in kernel_cases.CASES:
        mine = name.startswith("cortex_m")
        kept = 0
        for seed in range(1000):
            draw = Recorder(seed, rig)
            case(draw)
            if draw.record is None:  # nothing to compare with: random numbers
                break
            if len(draw.record) > (MOST_BYTES_CORTEX_M if mine else MOST_BYTES):
                continue
            file += draw.record
            kept += 1
            if kept == (ROUNDS_CORTEX_M if mine else ROUNDS):
                break
        count += kept
    with open(sys.argv[2], "wb") as out:
        out.write(file)
    print(f"{count} cases, {len(file)} bytes")


if __name__ == "__main__":
    main()

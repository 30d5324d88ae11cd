# SPDX-License-Identifier: Apache-2.0
"""How much memory holds data that is still needed, operation by operation."""
from __future__ import annotations

import bisect
import dataclasses
import itertools
from typing import Sequence

from .runs import Operation, Range


@dataclasses.dataclass
class _Piece:
    """Bytes that every operation touches as a whole, or not at all."""

    since: int = -1   #: operation from which on they hold what is there; -1: nothing
    last: int = -1    #: the latest that touched them
    written: bool = False  #: and whether it wrote


class _Region:
    """The pieces of one region, and how many bytes are in use while each operation runs."""

    def __init__(self, operations: Sequence[Operation], region: int) -> None:
        self._region = region
        ends = {at for op in operations for r in (*op.reads, *op.writes) if r.region == region for at in (r.address, r.address + r.bytes)}
        self._ends = sorted(ends)
        self._pieces = [_Piece() for _ in self._ends[1:]]
        self._change = [0] * (len(operations) + 1)

    def _touched(self, ranges: Sequence[Range]) -> list[int]:
        """Numbers of the pieces, each once."""
        found: set[int] = set()
        for r in ranges:
            if r.region == self._region:
                found.update(range(bisect.bisect_left(self._ends, r.address), bisect.bisect_left(self._ends, r.address + r.bytes)))
        return sorted(found)

    def _used(self, piece: int, first: int, last: int) -> None:
        size = self._ends[piece + 1] - self._ends[piece]
        self._change[first] += size
        self._change[last + 1] -= size

    def read(self, number: int, op: Operation, first_of_job: int) -> None:
        """What nobody wrote before was there when the job began."""
        for k in self._touched(op.reads):
            p = self._pieces[k]
            p.since = first_of_job if p.since < 0 else p.since
            p.last, p.written = number, False

    def write(self, number: int, op: Operation) -> None:
        """What was read last is not needed any more. What was written last may be a part that the range only surrounds."""
        for k in self._touched(op.writes):
            p = self._pieces[k]
            if p.since >= 0 and not p.written:
                self._used(k, p.since, min(p.last, number - 1))
                p.since = number
            p.since = number if p.since < 0 else p.since
            p.last, p.written = number, True

    def in_use(self, last_of_job: Sequence[int]) -> list[int]:
        """Bytes for each operation. A result that nobody reads stays to the end of its job: it is an output."""
        for k, p in enumerate(self._pieces):
            if p.since >= 0:
                self._used(k, p.since, last_of_job[p.last] if p.written else p.last)
        return list(itertools.accumulate(self._change))[:-1]


def in_use(operations: Sequence[Operation]) -> dict[int, list[int]]:
    """Bytes in use in each region while each operation runs: what it touches, and what was written, or there from the
    start, and is read later. Regions that are never written hold constants and are left out."""
    jobs = [op.began for op in operations]
    first = [bisect.bisect_left(jobs, began) for began in jobs]
    last = [bisect.bisect_right(jobs, began) - 1 for began in jobs]
    out: dict[int, list[int]] = {}
    for region in sorted({r.region for op in operations for r in op.writes}):
        pieces = _Region(operations, region)
        for number, op in enumerate(operations):
            pieces.read(number, op, first[number])
            pieces.write(number, op)
        out[region] = pieces.in_use(last)
    return out

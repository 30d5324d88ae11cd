# SPDX-License-Identifier: Apache-2.0
"""The gate: compares two reports, names what changed, says whether it is too much."""
from __future__ import annotations

import dataclasses
import difflib
from typing import Sequence
from xml.etree import ElementTree

from . import checks
from .errors import UsageError
from .runs import Operation, Run

#: Exit statuses of `python -m fvpsim compare`.
SAME, REGRESSION, UNUSABLE = 0, 1, 2


@dataclasses.dataclass(frozen=True)
class Change:
    """One line of a comparison; None: there is no such thing on that side."""

    name: str
    base: int | None
    new: int | None
    reason: str = ""

    @property
    def ratio(self) -> float:
        """How much more it takes, as a fraction of before; infinite where there was nothing."""
        before, after = self.base or 0, self.new or 0
        if before == 0:
            return 0.0 if after == 0 else float("inf")
        return (after - before) / before


@dataclasses.dataclass(frozen=True)
class Comparison:
    """All lines, and those that exceed the limit."""

    totals: Sequence[Change]
    operations: Sequence[Change]
    failed: Sequence[Change]
    limit: float

    @property
    def status(self) -> int:
        """SAME or REGRESSION."""
        return REGRESSION if self.failed else SAME


def parse_limit(text: str) -> float:
    """`2%` or `0.02` as a fraction."""
    number = text.strip()
    percent = number.endswith("%")
    try:
        value = float(number[:-1] if percent else number)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(f"--max-regression {text}: expected a percentage such as 2%, or a fraction such as 0.02")
    return value / 100 if percent else value


def _what(op: Operation) -> tuple[str, str, str]:
    return op.kind, op.name, op.shape


def _traits(op: Operation) -> dict[str, str]:
    """What the compiler chose for an operation, as far as the report tells."""
    return {"bound by": op.bound, **{port.replace("_", " ") + " bytes": str(n) for port, n in op.port_bytes.items()}}


def _reason(base: Operation, new: Operation) -> str:
    before, after = _traits(base), _traits(new)
    return ", ".join(f"{key} {before.get(key, 'none')} -> {after.get(key, 'none')}" for key in after
                     if before.get(key) != after.get(key))


def _pair(base: Sequence[Operation], new: Sequence[Operation]) -> list[tuple[Operation | None, Operation | None]]:
    """Operations of both sides in order, alike beside alike."""
    pairs: list[tuple[Operation | None, Operation | None]] = []
    matcher = difflib.SequenceMatcher(None, [_what(op) for op in base], [_what(op) for op in new], autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            pairs += zip(base[i:i_end], new[j:j_end])
        else:
            pairs += [(op, None) for op in base[i:i_end]] + [(None, op) for op in new[j:j_end]]
    return pairs


def _operation_change(base: Operation | None, new: Operation | None) -> Change:
    if base and new:
        return Change(f"{new.label} {new.shape}", base.cycles, new.cycles, _reason(base, new))
    if new:
        return Change(f"{new.label} {new.shape}", None, new.cycles, "only in the new run")
    assert base
    return Change(f"{base.label} {base.shape}", base.cycles, None, "only in the base run")


def compare(base: Run, new: Run, limit: float = 0.0, per_layer: bool = False) -> Comparison:
    """Compares cycles. A total that grows by more than `limit` (a fraction) fails; with `per_layer` an operation, too."""
    checks.several("runs", [base, new], Run)
    if base.accelerator != new.accelerator:
        raise UsageError(f"{base.source} is of {base.accelerator or 'no NPU'}, {new.source} of "
                         f"{new.accelerator or 'no NPU'}: compare runs of one accelerator")
    if base.ending != new.ending:
        raise UsageError(f"{new.source} ended otherwise than {base.source} ({new.ending}, was {base.ending}): their cycles are not those "
                         "of the same work")
    if per_layer and not (base.operations and new.operations):
        raise UsageError(f"{new.source if base.operations else base.source} has no operations to judge: write it with --layers (NPU "
                         "alone) or --report-jobs (a machine)")
    totals = [Change("NPU cycles", base.npu_cycles, new.npu_cycles)]
    if base.cpu_cycles or new.cpu_cycles:
        totals.append(Change("CPU cycles", base.cpu_cycles, new.cpu_cycles))
    for key in sorted({*base.events, *new.events}):
        if key.endswith(("DATA_BEAT_RECEIVED", "DATA_BEAT_WRITTEN")):
            totals.append(Change(key, base.events.get(key, 0), new.events.get(key, 0)))
    operations = [_operation_change(a, b) for a, b in _pair(base.operations, new.operations)]
    judged = [c for c in totals if c.name.endswith("cycles")]
    if per_layer:
        judged += [c for c in operations if c.base is not None and c.new is not None]
    return Comparison(totals, [c for c in operations if c.base != c.new or c.reason],
                      [c for c in judged if c.ratio > limit], limit)


def _percent(change: Change) -> str:
    if change.base is None or change.new is None:
        return ""
    return "new" if change.ratio == float("inf") else f"{100 * change.ratio:+.2f} %"


def _rows(c: Comparison) -> list[tuple[str, str, str, str, str]]:
    def cell(value: int | None) -> str:
        return "-" if value is None else str(value)
    return [(x.name, cell(x.base), cell(x.new), _percent(x), x.reason) for x in [*c.totals, *c.operations]]


def to_text(c: Comparison) -> str:
    """For terminals."""
    rows = [("", "base", "new", "change", "why"), *_rows(c)]
    widths = [max(len(r[i]) for r in rows) for i in range(4)]
    lines = ["  ".join([r[0].ljust(widths[0]), *(r[i].rjust(widths[i]) for i in range(1, 4)), r[4]]).rstrip() for r in rows]
    verdict = (f"FAIL: {', '.join(x.name for x in c.failed)} grew by more than {100 * c.limit:g} %" if c.failed
               else f"ok: nothing grew by more than {100 * c.limit:g} %")
    return "\n".join([*lines, verdict, ""])


def to_markdown(c: Comparison) -> str:
    """For comments on merge requests."""
    head = ["| | base | new | change | why |", "|---|---:|---:|---:|---|"]
    body = ["| " + " | ".join(x.replace("|", "\\|") for x in row) + " |" for row in _rows(c)]
    verdict = "**regression**" if c.failed else "no regression"
    return "\n".join([f"fvp-sim: {verdict} (limit {100 * c.limit:g} %)", "", *head, *body, ""])


def to_junit(c: Comparison) -> str:
    """One test case for each line that is judged."""
    cases = [*c.totals, *c.operations]
    suite = ElementTree.Element("testsuite", name="fvpsim compare", tests=str(len(cases)), failures=str(len(c.failed)))
    for change in cases:
        case = ElementTree.SubElement(suite, "testcase", classname="fvpsim", name=change.name)
        if change in c.failed:
            ElementTree.SubElement(case, "failure", message=f"{change.base} -> {change.new} ({_percent(change)})").text = change.reason
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"

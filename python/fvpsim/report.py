# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page of one or more runs: what is slow, and why. Readable offline."""
from __future__ import annotations

import collections
import html
import importlib.resources
import json
from typing import Any, Sequence

from . import checks, memory
from .errors import UsageError
from .hardware import Hardware, hardware_of
from .runs import Function, Operation, Run

#: Operations that the sentence at the top names.
NAMED = 3


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


def findings(run: Run) -> list[str]:
    """The answer of the page in sentences: where the cycles went."""
    if run.message:
        return [f"The run did not succeed: {run.message}"]
    out = []
    if run.cpu_cycles:
        out.append(f"The processor ran {run.cpu_cycles:,} cycles; the NPU was active for {run.npu_cycles:,} "
                   f"({_share(run.npu_cycles, run.cpu_cycles)}).")
    if run.functions:
        out.append(_functions_finding(run.functions))
    total = sum(op.cycles for op in run.operations)
    if not total:
        if run.accelerator:
            option = "--report-jobs" if run.cpu_cycles else "--layers"
            out.append(f"The report has no operations: write it with {option} to see where the NPU's cycles go.")
        return out
    slowest = sorted(run.operations, key=lambda op: -op.cycles)[:NAMED]
    out.append(f"{len(slowest)} of {len(run.operations)} operations take {_share(sum(op.cycles for op in slowest), total)} of "
               f"{total:,} NPU cycles: " + "; ".join(f"{op.label} ({op.shape}) {_share(op.cycles, total)}, bound by {op.bound}"
                                                     for op in slowest) + ".")
    causes = collections.Counter()  # type: collections.Counter[str]
    for op in run.operations:
        causes.update(op.causes)
    out.append("By cause: " + ", ".join(f"{cause} {_share(n, total)}" for cause, n in causes.most_common() if n) + ".")
    macs = sum(op.macs for op in run.operations)
    hardware = hardware_of(run.accelerator)
    if hardware and macs:
        out.append(f"The multipliers are used to {_share(macs, total * hardware.macs)}: {macs:,} multiplications, at most "
                   f"{hardware.macs} a cycle.")
    return out


def _functions_finding(functions: Sequence[Function]) -> str:
    total = sum(f.cycles for f in functions)
    slowest = [f for f in functions if f.cycles][:NAMED]
    asleep = sum(n for f in functions for cause, n in f.causes.items() if cause.startswith("asleep"))
    return (f"{len(slowest)} of {len(functions)} functions take {_share(sum(f.cycles for f in slowest), total)} of the processor's "
            + "cycles: " + "; ".join(f"{f.name} {_share(f.cycles, total)}" for f in slowest)
            + (f". It slept for {_share(asleep, total)}." if asleep else "."))


def _operation(op: Operation) -> dict[str, Any]:
    return {"label": op.label, "began": op.began, "kind": op.kind, "shape": op.shape, "cycles": op.cycles, "start": op.start,
            "finish": op.finish, "macs": op.macs, "use": round(op.utilisation, 3), "bound": op.bound, "bytes": op.bytes,
            "ports": dict(op.port_bytes), "causes": dict(op.causes), "offset": op.offset}


def _function(f: Function) -> dict[str, Any]:
    return {"name": f.name, "calls": f.calls, "cycles": f.cycles, "whole": f.cycles_with_callees, "instructions": f.instructions,
            "causes": dict(f.causes)}


def _memory(run: Run) -> dict[str, list[int]]:
    """Bytes in use for each operation, by the name of the region."""
    names = {1: "region 1 (arena)", 2: "region 2 (fast scratch)"}  # as Vela numbers them
    return {names.get(region, f"region {region}"): used for region, used in memory.in_use(run.operations).items()}


def _hardware(hardware: Hardware | None) -> dict[str, Any] | None:
    return {"macs": hardware.macs, "bytes": hardware.bytes_per_cycle} if hardware else None


def _data(run: Run) -> dict[str, Any]:
    return {"title": run.title, "source": run.source, "npu_cycles": run.npu_cycles, "cpu_cycles": run.cpu_cycles,
            "end": run.end, "findings": findings(run), "operations": [_operation(op) for op in run.operations],
            "events": dict(run.events), "hardware": _hardware(hardware_of(run.accelerator)),
            "jobs": [{"began": job.began, "cycles": job.cycles} for job in run.jobs], "memory": _memory(run),
            "functions": [_function(f) for f in run.functions], "messages": list(run.messages), "command": run.command}


def _script(value: object) -> str:
    """JSON that may stand inside a script element."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\!--")


def _asset(name: str) -> str:
    return importlib.resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _plotly() -> str:
    try:
        from plotly.offline import get_plotlyjs  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as e:
        raise UsageError("the report needs the package plotly: pip install 'fvp-sim[report]'") from e
    return str(get_plotlyjs())


def page(runs: Sequence[Run]) -> str:
    """The HTML text for these runs; the first is shown first."""
    runs = checks.several("runs", runs, Run)
    if not runs:
        raise UsageError("a report needs at least one run")
    title = html.escape(", ".join(dict.fromkeys(run.title for run in runs)))
    parts = {"@TITLE@": title, "@STYLE@": _asset("report.css"), "@DATA@": _script([_data(run) for run in runs]),
             "@PLOTLY@": _plotly(), "@SCRIPT@": _asset("report.js")}
    text = _asset("report.html")
    for mark, value in parts.items():
        before, found, after = text.partition(mark)
        assert found, mark
        text = before + value + after
    return text

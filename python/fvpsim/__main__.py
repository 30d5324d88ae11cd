# SPDX-License-Identifier: Apache-2.0
"""`python -m fvpsim`: report, compare, sweep, estimate, fvps."""
from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from typing import Sequence, TextIO

from . import compare, plan, programs, report, runs
from .errors import Error, UsageError
from .estimate import estimate
from .results import Result, Results
from .sweep import pareto, sweep


def _write(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    except OSError as e:
        raise Error(f"{path}: cannot be written: {e.strerror}") from e


def _lines_beside(*files: str | None) -> TextIO:
    """Where the lines for a person go: to standard error when a file for a program is standard output."""
    if files.count("-") > 1:
        raise UsageError("standard output takes one file: name another for the rest")
    return sys.stderr if "-" in files else sys.stdout


def _report(a: argparse.Namespace) -> int:
    _write(a.output, report.page(runs.read_all(a.runs)))
    return 0


def _compare(a: argparse.Namespace) -> int:
    result = compare.compare(runs.read(a.base), runs.read(a.new), compare.parse_limit(a.max_regression), a.per_layer)
    lines = _lines_beside(a.junit, a.markdown)
    if a.junit:
        _write(a.junit, compare.to_junit(result))
    if a.markdown:
        _write(a.markdown, compare.to_markdown(result))
    lines.write(compare.to_text(result))
    return result.status


def _table(results: Sequence[Result]) -> str:
    head = ("model", "accelerator", "memory", "mode", "options", "cycles", "SRAM KiB", "flash KiB", "bytes moved")
    rows: list[tuple[str, ...]] = [head]
    for r in results:
        p, n = r.point, r.numbers
        rows.append((p.title, p.accelerator, p.memory or p.system_config or "", p.memory_mode or "",
                     " ".join(p.options), str(r.cycles) if r.error is None else f"failed: {r.error}",
                     *(f"{n[k]:.0f}" if k in n else "" for k in ("sram_kib", "flash_kib", "bytes"))))
    widths = [max(len(row[i]) for row in rows if len(row[i]) < 60) for i in range(len(head))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows) + "\n"


def _sweep(a: argparse.Namespace) -> int:
    points, lines = plan.read(a.plan), _lines_beside(a.plot)
    if a.retry:
        with Results(a.results) as store:
            store.forget_failures()
    results = sweep(points, a.results, scheduler=a.scheduler, jobs=a.jobs, progress=True if sys.stderr.isatty() else None)
    lines.write(_table(results))
    front = pareto(results)
    if front:
        lines.write("\nNot beaten in both cycles and SRAM:\n" + _table(front))
    if a.plot:
        from .pareto_page import page
        _write(a.plot, page(results))
    return 1 if any(r.error for r in results) else 0


def _estimate(a: argparse.Namespace) -> int:
    e = estimate(a.model, a.accelerator, memory=a.memory, memory_mode=a.memory_mode, system_config=a.system_config,
                 config=a.config, method=a.method, options=a.vela_option)
    lines = _lines_beside(a.report)
    if a.report:
        given = [word for word in a.given if word not in ("--report", a.report, f"--report={a.report}")]
        _write(a.report, json.dumps({**e.run.raw, "command": shlex.join(["python", "-m", "fvpsim", *given])}, indent=2) + "\n")
    for op in e.run.operations:
        lines.write(f"{op.label:24} {op.shape:32} {op.cycles:12} {op.bound}\n")
    lines.write(f"{e.cycles} cycles on {e.accelerator} (an estimate)\n")
    return 0


def _fvps(a: argparse.Namespace) -> int:
    programs.copy_fvps(a.folder)
    return 0


def _parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="python -m fvpsim", description="Reports, comparisons and sweeps of fvp-sim.")
    sub = p.add_subparsers(required=True, metavar="COMMAND")

    r = sub.add_parser("report", help="one HTML page of one or more runs")
    r.add_argument("runs", nargs="+", metavar="run.json", 
                   help="reports written with --report (NPU alone: with --layers; a machine: with --report-jobs); behind a machine's its "
                   "profile, written with --profile json=FILE")
    r.add_argument("-o", "--output", required=True, metavar="FILE", help="the page; - is standard output")
    r.set_defaults(run=_report)

    c = sub.add_parser("compare", help="is the new run slower? exit status 0 no, 1 yes, 2 cannot tell")
    c.add_argument("base", metavar="base.json")
    c.add_argument("new", metavar="new.json")
    c.add_argument("--max-regression", default="0%", metavar="N%", help="growth of cycles that is still allowed")
    c.add_argument("--per-layer", action="store_true", help="operations are judged as well as totals")
    c.add_argument("--junit", metavar="FILE", help="the result as JUnit XML")
    c.add_argument("--markdown", metavar="FILE", help="the result for a comment on a merge request")
    c.set_defaults(run=_compare)

    s = sub.add_parser("sweep", help="many estimates, as a plan says; goes on where it was interrupted")
    s.add_argument("plan", metavar="plan.toml")
    s.add_argument("--results", default="sweep.sqlite", metavar="FILE", help="where results are kept (default: sweep.sqlite)")
    s.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster; without it the cores of this machine")
    s.add_argument("--jobs", type=int, metavar="N", help="processes on this machine (default: its cores)")
    s.add_argument("--retry", action="store_true", help="points that failed before are tried again")
    s.add_argument("--plot", metavar="FILE", help="cycles against SRAM as an HTML page")
    s.set_defaults(run=_sweep)

    e = sub.add_parser("estimate", help="cycles of one network, compiled by Vela where it is not yet")
    e.add_argument("model", help=".tflite or .pte")
    e.add_argument("accelerator", help="ethos-u55-128 or the like")
    e.add_argument("--memory", help="memory system of the simulator (fvp-sim npu --help)")
    e.add_argument("--system-config", help="of vela.ini")
    e.add_argument("--memory-mode", help="of vela.ini")
    e.add_argument("--config", help="a vela.ini")
    e.add_argument("--method", metavar="NAME", help="of a .pte with several (default: forward, else the first)")
    e.add_argument("--vela-option", action="append", default=[], help="passed on to Vela; may be repeated")
    e.add_argument("--report", metavar="FILE", help="also write a report as JSON, for `report` and `compare`")
    e.set_defaults(run=_estimate)

    f = sub.add_parser("fvps", help="the program under the names of Arm's FVPs, for MLIA and other tools")
    f.add_argument("folder", help="where to put them; made when missing")
    f.set_defaults(run=_fvps)
    return p


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    a = _parser().parse_args(given, argparse.Namespace(given=given))
    try:
        return int(a.run(a))
    except Error as e:
        print(f"fvpsim: {e}", file=sys.stderr)
        return compare.UNUSABLE
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

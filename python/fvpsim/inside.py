# SPDX-License-Identifier: Apache-2.0
"""What a machine writes about itself: traces, profiles, the NPU's tensors, its record and report."""
from __future__ import annotations

import json
from typing import Any

from . import checks
from .checks import Path
from .owned import Owned
from .runs import Run, parse


class Inside(Owned):
    """A part of Machine."""

    def trace(self, what: str) -> None:
        """From now on what happens is written: "KIND=FILE[,FILTER...]" as for `fvp-sim --trace`, for example
        "perfetto=run.pftrace" or "tarmac=run.txt,function=main". Complete once `end_traces` is called or the machine closed."""
        self._call("fvpsim_trace", checks.text("what", what))

    def profile(self, what: str) -> None:
        """From now on it is counted where the time goes: "KIND=FILE" as for `fvp-sim --profile`: "speedscope=run.json"."""
        self._call("fvpsim_profile", checks.text("what", what))

    def dump_layers(self, folder: Path) -> None:
        """From now on each NPU operation's tensors are written into a folder, as numpy arrays with an index."""
        self._call("fvpsim_dump_layers", checks.path("folder", folder))

    def compare_layers(self, folder: Path) -> None:
        """From now on they are compared with such a folder; `end_traces` raises for the first element that differs."""
        self._call("fvpsim_compare_layers", checks.path("folder", folder))

    def end_traces(self) -> None:
        """Ends all of these and completes their files."""
        self._call("fvpsim_end_traces")

    def name_operations(self, path: Path) -> None:
        """Names for the NPU's operations in traces begun from now on and in the report: MODEL_debug.xml of `vela --enable-debug-db`."""
        self._call("fvpsim_name_operations", checks.path("path", path))

    def write_record(self, path: Path) -> None:
        """Writes the run so far, for `Machine.replay` and `fvp-sim --replay`."""
        self._call("fvpsim_record_write", checks.path("path", path))

    def check_replay(self) -> None:
        """Raises DifferenceError where the run of a replay has not ended as its record did."""
        self._call("fvpsim_replayed")

    def _text(self, name: str) -> str:
        text = self._lib.ffi.new("char **")
        self._call(name, text)
        try:
            return self._lib.text(text[0])
        finally:
            self._lib.lib.fvpsim_free(text[0])

    def report(self) -> dict[str, Any]:
        """How the run ended, or how far it is, and all counters: what `fvp-sim --report` writes (docs/reference/formats.md).
        A machine made with `report_jobs=True` lists the NPU's jobs and their operations."""
        data: dict[str, Any] = json.loads(self._text("fvpsim_report"))
        return data

    def as_run(self) -> Run:
        """The same for the report page (`fvpsim.report.page`) and the comparisons of this package."""
        return parse("report of the machine", self._text("fvpsim_report"))

# SPDX-License-Identifier: Apache-2.0
"""Reports that the simulator writes (docs/reference/formats.md), read and checked.

A report is of one network on the NPU alone (`fvp-sim npu --layers --report`) or of a whole machine
(`fvp-sim --report`). Numbers are the simulator's: cycles are estimates, bytes are exact."""
from __future__ import annotations

import dataclasses
import json
import os
from typing import Any, Mapping, Sequence

from .errors import ReportError

NPU_SCHEMA, NPU_VERSION = "fvp-sim-npu-report", 1
MACHINE_VERSION = 1


@dataclasses.dataclass(frozen=True)
class Operation:
    """One operation of the NPU."""

    index: int
    kind: str              #: "conv", "depthwise", "add", "dma", ...
    name: str              #: of the source operator where the compiler left it, else ""
    offset: int            #: in the command stream, bytes
    shape: str             #: "24x24x3 -> 12x12x16"
    cycles: int            #: by which the end of the job moved
    start: int             #: cycle of the job
    finish: int            #: cycle of the job
    macs: int
    utilisation: float     #: of the multipliers, 0 to 1
    bound: str             #: the resource that decided
    port_bytes: Mapping[str, int]  #: bytes by port and direction
    causes: Mapping[str, int]      #: cycles by cause; {bound: cycles} where the report has no more

    @property
    def bytes(self) -> int:
        """Bytes moved on all ports."""
        return sum(self.port_bytes.values())

    @property
    def label(self) -> str:
        """A short name for plots and tables."""
        return f"{self.index} {self.name or self.kind}"


@dataclasses.dataclass(frozen=True)
class Run:
    """One report."""

    source: str            #: the file
    title: str             #: accelerator, or board and accelerator
    accelerator: str       #: "" without an NPU
    npu_cycles: int        #: of all jobs
    cpu_cycles: int        #: 0 without a processor
    end: str               #: how the run ended
    message: str           #: what went wrong, "" when nothing did
    operations: Sequence[Operation]
    events: Mapping[str, int]
    raw: Mapping[str, Any]

    @property
    def cycles(self) -> int:
        """What a comparison looks at first: the processor's cycles of a machine, else the NPU's."""
        return self.cpu_cycles or self.npu_cycles


def _operation(index: int, item: Mapping[str, Any]) -> Operation:
    ports = {key[: -len("_bytes")]: int(value) for key, value in item.items()
             if key.startswith("port") and key.endswith("_bytes")}
    cycles, bound = int(item["cycles"]), str(item["bound"])
    causes = {str(k): int(v) for k, v in item.get("causes", {}).items()} or {bound: cycles}
    return Operation(index=index, kind=str(item["kind"]), name=str(item.get("name", "")), offset=int(item["offset"]),
                     shape=str(item["shape"]), cycles=cycles, start=int(item["start"]), finish=int(item["finish"]),
                     macs=int(item["macs"]), utilisation=int(item["utilisation_permille"]) / 1000, bound=bound,
                     port_bytes=ports, causes=causes)


def _npu_run(source: str, data: Mapping[str, Any]) -> Run:
    if data.get("version") != NPU_VERSION:
        raise ReportError(f"{source}: version {data.get('version')} of {NPU_SCHEMA}; this package reads version "
                          f"{NPU_VERSION}: write the report with the fvp-sim of this package")
    operations = [_operation(i, item) for i, item in enumerate(data.get("operations", []))]
    return Run(source=source, title=str(data["accelerator"]), accelerator=str(data["accelerator"]),
               npu_cycles=int(data["cycles"]), cpu_cycles=0, end=str(data["end"]), message=str(data.get("message", "")),
               operations=operations, events=dict(data.get("events", {})), raw=data)


def _machine_run(source: str, data: Mapping[str, Any]) -> Run:
    if data.get("schema") != MACHINE_VERSION:
        raise ReportError(f"{source}: schema {data.get('schema')} of a run's report; this package reads "
                          f"{MACHINE_VERSION}: write the report with the fvp-sim of this package")
    npu: Mapping[str, Any] = data.get("npu", {})
    title = str(data["board"]) + (f" with {npu['accelerator']}" if npu else "")
    operations = [_operation(i, item) for i, item in enumerate(npu.get("operations", []))]
    return Run(source=source, title=title, accelerator=str(npu.get("accelerator", "")),
               npu_cycles=int(npu.get("active_cycles", 0)), cpu_cycles=int(data["cpu"]["cycles"]),
               end=str(data["end"]["text"]), message=str(npu.get("message", "")), operations=operations,
               events=dict(npu.get("events", {})), raw=data)


def parse(source: str, text: str) -> Run:
    """A report's text as a run; `source` names it in errors."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ReportError(f"{source}: not a report of fvp-sim: no JSON object")
        if data.get("schema") == NPU_SCHEMA:
            return _npu_run(source, data)
        if "board" in data and "cpu" in data:
            return _machine_run(source, data)
    except ReportError:
        raise
    except json.JSONDecodeError as e:
        raise ReportError(f"{source}: not JSON: {e}") from e
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        raise ReportError(f"{source}: damaged report: {e!r}") from e
    raise ReportError(f"{source}: not a report of fvp-sim: it has neither `schema` {NPU_SCHEMA} nor `board`")


def read(path: str | os.PathLike[str]) -> Run:
    """Reads a report file."""
    try:
        with open(path, encoding="utf-8") as f:
            return parse(os.fspath(path), f.read())
    except (OSError, UnicodeDecodeError) as e:
        raise ReportError(f"{os.fspath(path)}: cannot be read: {e}") from e

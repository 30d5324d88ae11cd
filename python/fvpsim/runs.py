# SPDX-License-Identifier: Apache-2.0
"""Reports that the simulator writes (docs/reference/formats.md), read and checked.

A report is of one network on the NPU alone (`fvp-sim npu --layers --report`) or of a whole machine
(`fvp-sim --report-jobs --report`); a profile (`--profile json`) tells of the processor in such a machine. Numbers are the simulator's: cycles are estimates, bytes are exact."""
from __future__ import annotations

import dataclasses
import json
import os
from typing import Any, Mapping, Sequence

from . import checks
from .errors import ReportError

NPU_SCHEMA, NPU_VERSION = "fvp-sim-npu-report", 1
MACHINE_VERSION = 1
PROFILE_SCHEMA, PROFILE_VERSION = "fvp-sim-profile", 1
#: The cause of cycles that are not the resource's that decided: start, latencies, other operations.
WAITING = "waiting"


@dataclasses.dataclass(frozen=True)
class Range:
    """Bytes on the bus."""

    region: int   #: 0 to 7, of the command stream
    address: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class Operation:
    """One operation of the NPU."""

    index: int
    kind: str              #: "conv", "depthwise", "add", "dma", ...
    name: str              #: of the source operator where the compiler left it, else ""
    offset: int            #: in the command stream, bytes
    began: int             #: cycle of the run at which its job began
    shape: str             #: "24x24x3 -> 12x12x16"
    cycles: int            #: by which the end of the job moved
    start: int             #: cycle of the job
    finish: int            #: cycle of the job
    macs: int
    utilisation: float     #: of the multipliers, 0 to 1
    bound: str             #: the resource that decided
    port_bytes: Mapping[str, int]  #: bytes by port and direction
    causes: Mapping[str, int]      #: `cycles` by cause: `bound`, and "waiting"
    reads: Sequence[Range] = ()    #: each around all that is touched there
    writes: Sequence[Range] = ()

    @property
    def bytes(self) -> int:
        """Bytes moved on all ports."""
        return sum(self.port_bytes.values())

    @property
    def label(self) -> str:
        """A short name for plots and tables."""
        return f"{self.index} {self.name or self.kind}"


@dataclasses.dataclass(frozen=True)
class Job:
    """One job of the NPU."""

    began: int   #: cycle of the run
    cycles: int


@dataclasses.dataclass(frozen=True)
class Function:
    """A function of the program, as the profile has it."""

    name: str
    calls: int
    cycles: int               #: its own
    cycles_with_callees: int
    instructions: int
    causes: Mapping[str, int]  #: its own cycles by what took them


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
    jobs: Sequence[Job] = ()
    messages: Sequence[str] = ()         #: how it ended, what went wrong and where, what the report leaves out
    functions: Sequence[Function] = ()   #: of a profile that was read with it, the costliest first

    @property
    def ending(self) -> str:
        """How the run ended, in a word or two, with a machine's exit status: what runs that compare have in common."""
        end = self.raw.get("end", "")
        return f"{end.get('reason', self.end)}, exit status {end.get('status')}" if isinstance(end, Mapping) else str(end)

    @property
    def command(self) -> str:
        """That repeats the run; "" when the report does not say."""
        return str(self.raw.get("command", ""))

    @property
    def cycles(self) -> int:
        """What a comparison looks at first: the processor's cycles of a machine, else the NPU's."""
        return self.cpu_cycles or self.npu_cycles


def _ranges(items: Sequence[Mapping[str, Any]]) -> tuple[Range, ...]:
    return tuple(Range(int(r["region"]), int(r["address"]), int(r["bytes"])) for r in items)


def _operation(index: int, began: int, item: Mapping[str, Any]) -> Operation:
    ports = {key[: -len("_bytes")]: int(value) for key, value in item.items()
             if key.startswith("port") and key.endswith("_bytes")}
    cycles, bound, waiting = int(item["cycles"]), str(item["bound"]), int(item.get("waiting", 0))
    causes = {cause: n for cause, n in ((bound, cycles - waiting), (WAITING, waiting)) if n}
    return Operation(index=index, kind=str(item["kind"]), name=str(item.get("source", "")), offset=int(item["offset"]),
                     began=began, shape=str(item["shape"]), cycles=cycles, start=int(item["start"]), finish=int(item["finish"]),
                     macs=int(item["macs"]), utilisation=int(item["utilisation_permille"]) / 1000, bound=bound,
                     port_bytes=ports, causes=causes, reads=_ranges(item.get("reads", ())), writes=_ranges(item.get("writes", ())))


def _in_a_row(items: Sequence[Mapping[str, Any]], count: int) -> tuple[list[Operation], list[Job]]:
    """Operations of a network alone. Its jobs follow each other; one begins where the command stream does not go on."""
    operations: list[Operation] = []
    starts: list[int] = []
    lengths: list[int] = []
    offset = -1
    for index, item in enumerate(items):
        if not starts or (int(item["offset"]) <= offset and len(starts) < count):
            starts.append(starts[-1] + lengths[-1] if starts else 0)
            lengths.append(0)
        offset = int(item["offset"])
        operations.append(_operation(index, starts[-1], item))
        lengths[-1] += operations[-1].cycles
    return operations, [Job(began, cycles) for began, cycles in zip(starts, lengths)]


def _npu_run(source: str, data: Mapping[str, Any]) -> Run:
    if data.get("version") != NPU_VERSION:
        raise ReportError(f"{source}: version {data.get('version')} of {NPU_SCHEMA}; this package reads version "
                          f"{NPU_VERSION}: write the report with the fvp-sim of this package")
    operations, jobs = _in_a_row(data.get("operations", []), int(data["jobs"]))
    message = str(data.get("message", ""))
    said = [f"The NPU's job ended: {data['end']}."] + ([message] if message else [])
    return Run(source=source, title=str(data["accelerator"]), accelerator=str(data["accelerator"]),
               npu_cycles=int(data["cycles"]), cpu_cycles=0, end=str(data["end"]), message=message,
               operations=operations, events=_events(data), raw=data, jobs=jobs,
               messages=said + _accuracy("NPU cycles", data))


def _events(data: Mapping[str, Any]) -> dict[str, int]:
    return {str(name): int(count) for name, count in data.get("events", {}).items()}


def _accuracy(what: str, data: Mapping[str, Any]) -> list[str]:
    return [f"{what}: {data['accuracy']}."] if "accuracy" in data else []


def _fault(what: str, fault: Mapping[str, Any]) -> list[str]:
    return [f"{what}: {fault['cause']} at 0x{int(fault['pc']):08x} {fault.get('place', '')}".rstrip() + "."] if fault else []


def _end_messages(end: Mapping[str, Any]) -> list[str]:
    out = [f"End: {end['text']} (exit status {end['status']}) at 0x{int(end['pc']):08x} {end.get('place', '')}".rstrip() + "."]
    out += _fault("First fault", end.get("first_fault", {})) + _fault("Fault", end.get("fault", {}))
    return out + [f"{'in' if i == 0 else 'called from'} {f.get('place') or hex(int(f['pc']))}"
                  for i, f in enumerate(end.get("backtrace", []))]


def _machine_messages(data: Mapping[str, Any], npu: Mapping[str, Any]) -> list[str]:
    out = _end_messages(data["end"])
    said = [f"{m['kind']}: {m['text']} [{m['id']}]" for m in data.get("messages", [])]
    if npu.get("message") and not any(npu["message"] in text for text in said):
        out.append(f"NPU: {npu['message']}")
    out += said
    if "messages_left_out" in data:
        out.append(f"The report leaves out {data['messages_left_out']} messages.")
    jobs, operations = int(npu.get("inferences_left_out", 0)), int(npu.get("operations_left_out", 0))
    if jobs or operations:
        out.append(f"The report leaves out {jobs} jobs of the NPU, and {operations} operations.")
    return out + _accuracy("Processor's cycles", data["cpu"]) + _accuracy("NPU cycles", npu)


def _machine_run(source: str, data: Mapping[str, Any]) -> Run:
    if data.get("schema") != MACHINE_VERSION:
        raise ReportError(f"{source}: schema {data.get('schema')} of a run's report; this package reads "
                          f"{MACHINE_VERSION}: write the report with the fvp-sim of this package")
    npu: Mapping[str, Any] = data.get("npu", {})
    title = str(data["board"]) + (f" with {npu['accelerator']}" if npu else "")
    jobs: list[Job] = []
    operations: list[Operation] = []
    for item in npu.get("inferences", []):
        jobs.append(Job(int(item["began"]), int(item["cycles"])))
        operations += [_operation(len(operations) + i, jobs[-1].began, op) for i, op in enumerate(item["operations"])]
    return Run(source=source, title=title, accelerator=str(npu.get("accelerator", "")),
               npu_cycles=int(npu.get("active_cycles", 0)), cpu_cycles=int(data["cpu"]["cycles"]),
               end=str(data["end"]["text"]), message=str(npu.get("message", "")), operations=operations,
               events=_events(npu), raw=data, jobs=jobs, messages=_machine_messages(data, npu))


def _functions(source: str, data: Mapping[str, Any]) -> list[Function]:
    if data.get("version") != PROFILE_VERSION:
        raise ReportError(f"{source}: version {data.get('version')} of {PROFILE_SCHEMA}; this package reads version "
                          f"{PROFILE_VERSION}: write the profile with the fvp-sim of this package")
    return [Function(name=str(f["name"]), calls=int(f["calls"]), cycles=int(f["cycles"]), instructions=int(f["instructions"]),
                     cycles_with_callees=int(f["cycles_with_callees"]), causes={str(k): int(v) for k, v in f["causes"].items()})
            for f in data["functions"]]


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON's")


def _data(text: str) -> Any:
    data = json.loads(text, parse_constant=_no_number)
    if "\\ud" in text.lower():
        json.dumps(data, ensure_ascii=False).encode()  # half a pair of surrogates is no letter, and no file takes it
    return data


def _parse(source: str, text: str) -> Run | list[Function]:
    try:
        data = _data(text)
        if not isinstance(data, dict):
            raise ReportError(f"{source}: not a report of fvp-sim: no JSON object")
        if data.get("schema") == NPU_SCHEMA:
            return _npu_run(source, data)
        if data.get("schema") == PROFILE_SCHEMA:
            return _functions(source, data)
        if "board" in data and "cpu" in data:
            return _machine_run(source, data)
    except ReportError:
        raise
    except json.JSONDecodeError as e:
        raise ReportError(f"{source}: not JSON: {e}") from e
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as e:
        raise ReportError(f"{source}: damaged report: {type(e).__name__}: {e}") from e
    raise ReportError(f"{source}: not a report of fvp-sim: it has neither `schema` {NPU_SCHEMA} nor `board`")


def parse(source: str, text: str) -> Run:
    """A report's text as a run; `source` names it in errors."""
    found = _parse(source, text)
    if isinstance(found, Run):
        return found
    raise ReportError(f"{source}: a profile; a report of the run is needed (--report)")


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except (OSError, UnicodeDecodeError) as e:
        reason = e.strerror if isinstance(e, OSError) else "no text, and so no report of fvp-sim"
        raise ReportError(f"{path}: cannot be read: {reason}") from e


def read(path: str | os.PathLike[str]) -> Run:
    """Reads a report file."""
    name = checks.path("report", path)
    return parse(name, _text(name))


def read_all(paths: Sequence[str | os.PathLike[str]]) -> list[Run]:
    """Reads several report files. A profile among them belongs to the run before it."""
    runs: list[Run] = []
    for path in checks.several("paths", paths, object):
        name = checks.path("report", path)
        found = _parse(name, _text(name))
        if isinstance(found, Run):
            runs.append(found)
        elif runs and runs[-1].cpu_cycles:
            runs[-1] = dataclasses.replace(runs[-1], functions=found)
        else:
            raise ReportError(f"{name}: a profile belongs to a machine's run: name that run's report before it")
    return runs

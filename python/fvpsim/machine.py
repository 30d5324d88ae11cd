# SPDX-License-Identifier: Apache-2.0
"""Whole machines: load a program, run it, look inside."""
from __future__ import annotations

import collections
import dataclasses
import enum
import os
from typing import Any, Callable, Mapping, Union

from . import checks
from ._library import Library, library
from .access import Memory, Registers
from .checks import whole
from .errors import UsageError
from .inside import Inside
from .npu import operation_row, tensor_array
from .tensors import Array

#: Names of streams, by enum fvpsim_stream.
STREAMS = ("uart0", "uart1", "uart2", "uart3", "uart4", "uart5", "itm", "stdout", "stderr", "stdin")
#: Kinds of messages, by enum fvpsim_message.
MESSAGES = ("user", "guest", "not modelled", "note")
#: Why the host ends a program, by enum fvpsim_reason.
REASONS = ("interrupted", "time limit", "cpu limit")

Place = Union[str, int]


class Stop(enum.IntEnum):
    """Why a run stopped; as enum fvpsim_stop."""

    END = 0          #: the program has ended: Machine.end
    TIME = 1         #: the tick or cycle was reached
    INSTRUCTION = 2  #: the instruction count
    ADDRESS = 3      #: the symbol, the address or a breakpoint
    TEXT = 4         #: the text was printed
    ASKED = 5        #: stop() was called
    WATCH = 6        #: a watchpoint: Machine.watched


@dataclasses.dataclass(frozen=True)
class End:
    """How a program ended."""

    reason: str  #: "EXIT", "EOT", "LOCKUP", ...; "NONE": it has not
    text: str    #: in words
    status: int  #: exit status as fvp-sim gives it
    pc: int
    place: str   #: function and line of pc, "" when unknown
    fault: str   #: cause of the latest fault, "" when there was none


@dataclasses.dataclass(frozen=True)
class Counts:
    """Since the machine was made."""

    ticks: int
    cycles: int        #: of the processor
    instructions: int
    npu_jobs: int
    npu_cycles: int    #: estimates


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """The whole state of a machine at one moment."""

    state: bytes
    console: dict[str, bytes]
    input: dict[str, bytes] = dataclasses.field(default_factory=dict)  #: typed, and not taken yet


def _count(name: str, value: int, bits: int = 64) -> int:
    if not 0 <= whole(name, value) < 1 << bits:
        raise UsageError(f"{name} {value}: give a number from 0 to 2^{bits} - 1")
    return value


def _stream(name: str) -> int:
    if not isinstance(name, str) or name not in STREAMS:
        raise UsageError(f"{checks.shown(name)}: no stream of that name; there are {', '.join(STREAMS)}")
    return STREAMS.index(name)


def _is_whole(snapshot: Snapshot) -> bool:
    """Are its members of the types that snapshot() gives them?"""
    texts = (snapshot.console, snapshot.input)
    return isinstance(snapshot.state, bytes) and all(
        isinstance(one, dict) and all(name in STREAMS and isinstance(text, bytes) for name, text in one.items()) for one in texts)


def _dashed(keywords: dict[str, object]) -> dict[str, object]:
    return {name.replace("_", "-"): value for name, value in keywords.items()}


class Machine(Inside):
    """A simulated machine; a context manager, freed at its end.

    >>> with fvpsim.Machine(board="corstone-300", npu="ethos-u55-128") as machine:
    ...     machine.load("runner.elf")
    ...     machine.run()
    ...     print(machine.console(), machine.end.text, machine.counts.cycles)

    `params` are the FVPs' parameters and ours by name (docs: parameters); as keywords `_` stands for `-`. With `tensors` the
    list of that name gets what every operation of the NPU read and wrote; its work takes longer on the host then."""

    def __init__(self, board: str = "corstone-300", npu: str | None = None, params: Mapping[str, object] | None = None,
                 *, tensors: bool = False, **more: object) -> None:
        self._board = checks.text("board", board)
        if not isinstance(params, (Mapping, type(None))):
            raise UsageError(f"params: {checks.shown(params)}: give a mapping of names to values")
        named = {"npu": checks.text("npu", npu)} if npu is not None else {}
        self._make(("fvpsim_config_new", board), {**named, **(params or {}), **_dashed(more)}, tensors)

    @classmethod
    def replay(cls, path: str | os.PathLike[str], *, tensors: bool = False, **settings: object) -> "Machine":
        """One that repeats a record (`write_record`, or `fvp-sim --record`) with its programs and input. Settings may be `engine`,
        `host_simd`, `threads`, `report_jobs` and files for output. After its run `check_replay` compares."""
        made = cls.__new__(cls)
        made._board = ""
        made._make(("fvpsim_config_replay", checks.path("record", path)), _dashed(settings), tensors)
        return made

    def _make(self, config_call: tuple[str, str], settings: dict[str, object], tensors: bool) -> None:
        self._lib: Library = library()
        self._settings = settings
        self._programs: list[tuple[str, int | None]] = []
        config = self._lib.make(*config_call)
        try:
            for name, value in self._settings.items():
                self._lib.call("fvpsim_config_set", config, checks.text("params", name), checks.setting(name, value))
            self._own(self._lib.make("fvpsim_machine_new", config))
            self._written = self._lib.written_files(config)
        finally:
            self._lib.lib.fvpsim_config_free(config)
        self._console: dict[str, bytearray] = collections.defaultdict(bytearray)
        self._input: dict[str, bytearray] = collections.defaultdict(bytearray)
        self._breakpoints: dict[int, Callable[["Machine"], object] | None] = {}
        self.messages: list[tuple[str, str, str]] = []     #: (kind, id, text) of everything that was told
        self.operations: list[dict[str, Any]] = []         #: a row for each operation of the NPU
        self.tensors: list[dict[str, Array]] = []          #: of each of them (keys and shapes as of Profile.tensors)
        self._keep_tensors = tensors
        self.registers = Registers(self)
        self.memory = Memory(self, self._lib.lib.FVPSIM_RAM)         #: as the core sees it; no devices, no side effects
        self.secure = Memory(self, self._lib.lib.FVPSIM_SECURE)      #: on the bus, devices included
        self.nonsecure = Memory(self, self._lib.lib.FVPSIM_NONSECURE)
        self._listen()

    # -- what it tells

    def _listen(self) -> None:
        ffi = self._lib.ffi

        @ffi.callback("void(void *, int, const void *, size_t)")  # type: ignore[untyped-decorator, unused-ignore]
        def output(_: Any, stream: int, data: Any, count: int) -> None:
            self._console[STREAMS[stream]] += ffi.buffer(data, count)

        @ffi.callback("size_t(void *, int, void *, size_t)")  # type: ignore[untyped-decorator, unused-ignore]
        def give(_: Any, stream: int, data: Any, count: int) -> int:
            waiting = self._input[STREAMS[stream]]
            part = bytes(waiting[:count])
            del waiting[:count]
            ffi.memmove(data, part, len(part))
            return len(part)

        @ffi.callback("void(void *, int, const char *, const char *)")  # type: ignore[untyped-decorator, unused-ignore]
        def message(_: Any, kind: int, name: Any, text: Any) -> None:
            self.messages.append((MESSAGES[kind], self._lib.text(name), self._lib.text(text)))

        @ffi.callback("void(void *, const struct fvpsim_operation *)")  # type: ignore[untyped-decorator, unused-ignore]
        def operation(_: Any, op: Any) -> None:
            self.operations.append(operation_row(self._lib, op))
            if self._keep_tensors:
                self.tensors.append(dict(taken))
                taken.clear()

        taken: dict[str, Array] = {}  # of the operation that is told next

        @ffi.callback("void(void *, const struct fvpsim_tensor *)")  # type: ignore[untyped-decorator, unused-ignore]
        def tensor(_: Any, raw: Any) -> None:
            taken[self._lib.text(raw.name)] = tensor_array(self._lib, raw)

        self._callbacks = (output, give, message, operation, tensor)
        table = self._lib.sized("fvpsim_callbacks")
        table.output, table.input, table.message, table.operation = self._callbacks[:4]
        if self._keep_tensors:
            table.tensor = tensor
        self._call("fvpsim_set_callbacks", table)

    def console(self, stream: str | None = None) -> str:
        """What the program printed: on one stream ("uart0", "stdout", ...), or on all serial ports and the console."""
        names = [name for name in STREAMS if name in self._console] if stream is None else [STREAMS[_stream(stream)]]
        return "".join(self._console[name].decode("utf-8", "replace") for name in names)

    def type(self, text: str | bytes, stream: str = "stdin") -> None:
        """Input for the program, taken as it asks for it."""
        _stream(stream)
        self._open()
        if not isinstance(text, (str, bytes, bytearray, memoryview)):
            raise UsageError(f"{checks.shown(text)}: type a text or bytes")
        try:
            self._input[stream] += text.encode() if isinstance(text, str) else bytes(text)
        except UnicodeEncodeError as e:
            raise UsageError(f"{checks.shown(text)}: cannot be written as UTF-8: {e.reason}") from None

    # -- programs

    def load(self, path: str | os.PathLike[str], address: int | None = None) -> "Machine":
        """An ELF or HEX file; with an address any file as raw bytes."""
        name = checks.path("program", path)
        if address is None:
            self._call("fvpsim_load", name)
        else:
            self._call("fvpsim_load_data", name, _count("address", address, 32))
        self._programs.append((name, address))
        return self

    def symbol(self, name: str) -> int:
        """Address of a function or object of the programs."""
        address = self._lib.ffi.new("uint32_t *")
        self._call("fvpsim_symbol", checks.text("symbol", name), address)
        return int(address[0])

    def describe(self, address: int) -> str:
        """"main+0x12 (main.c:34)"; empty when unknown."""
        text = self._lib.ffi.new("char[]", 256)
        self._call("fvpsim_describe", _count("address", address, 32), text, 256)
        return self._lib.text(text)

    def _address(self, place: Place) -> int:
        return self._byte(place) & ~1

    def _byte(self, place: Place) -> int:
        return self.symbol(place) if isinstance(place, str) else whole("address", place)

    # -- running

    def run(self, until: Place | None = None, *, cycle: int = 0, tick: int = 0, instruction: int = 0, text: str | None = None,
            stream: str = "uart0") -> Stop:
        """Runs to the program's end, or until what comes first: a symbol or address (`until`), a cycle, a tick or an
        instruction count since the start, a text on a stream, a breakpoint."""
        lib = self._lib
        wanted, kept = lib.sized("fvpsim_until"), []
        wanted.tick, wanted.cycle, wanted.instruction = _count("tick", tick), _count("cycle", cycle), _count("instruction", instruction)
        if isinstance(until, str):
            kept.append(lib.ffi.new("char[]", lib.c_text(until)))
            wanted.symbol = kept[-1]
        elif until is not None:
            kept.append(lib.ffi.new("uint32_t *", _count("address", until, 32)))
            wanted.address = kept[-1]
        if text is not None:
            kept.append(lib.ffi.new("char[]", lib.c_text(text)))
            wanted.text, wanted.stream = kept[-1], _stream(stream)
        target = self._address(until) if until is not None else None
        stop = lib.ffi.new("int *")
        while True:
            self._calls.run(lambda: lib.call("fvpsim_run", self._open(), wanted, stop))
            reason = Stop(stop[0])
            pc = self.registers["pc"] & ~1 if reason == Stop.ADDRESS else None
            callback = self._breakpoints.get(pc) if pc is not None else None
            if callback is None or pc == target or callback(self):
                return reason

    def debug(self, where: str | int, *, wait: bool = True, files: bool = False) -> Stop:
        """Runs to the program's end while gdb is served on a port of this host, HOST:PORT, or a path with a slash for a socket.
        With `wait` nothing runs before a debugger says so; with `files` it serves semihosting. `stop` from another thread, or
        Ctrl-C, ends it."""
        stop = self._lib.ffi.new("int *")
        place = where if isinstance(where, str) else str(_count("port", where, 16))
        how = (self._lib.lib.FVPSIM_DEBUG_WAIT if wait else 0) | (self._lib.lib.FVPSIM_DEBUG_FILES if files else 0)
        self._calls.run(lambda: self._lib.call("fvpsim_debug", self._open(), place, how, stop))
        return Stop(stop[0])

    def step(self) -> Stop:
        """One instruction."""
        stop = self._lib.ffi.new("int *")
        self._call("fvpsim_step", stop)
        return Stop(stop[0])

    def stop(self) -> None:
        """Makes the run that is under way stop soon; from any thread."""
        if self._handle is not None:
            self._lib.lib.fvpsim_stop(self._handle)

    def end_run(self, reason: str = "interrupted") -> None:
        """Ends the program soon and for good, whatever it waits for, from any thread: as fvp-sim does at a signal ("interrupted") or a
        limit of the host's time ("time limit", "cpu limit"), which `end` and `report` tell then."""
        if not isinstance(reason, str) or reason not in REASONS:
            raise UsageError(f"{checks.shown(reason)}: no such reason; there are {', '.join(REASONS)}")
        if self._handle is not None:
            self._lib.lib.fvpsim_end_run(self._handle, REASONS.index(reason))

    def breakpoint(self, place: Place, callback: Callable[["Machine"], object] | None = None) -> None:
        """Runs stop before an instruction there. With a callback they go on unless it returns something true."""
        address = self._address(place)
        if callback is not None and not callable(callback):
            raise UsageError(f"callback: {checks.shown(callback)} cannot be called")
        if address not in self._breakpoints:
            self._call("fvpsim_add_breakpoint", address)
        self._breakpoints[address] = callback

    def clear(self, place: Place) -> None:
        """Takes a breakpoint away."""
        address = self._address(place)
        if address not in self._breakpoints:
            raise UsageError(f"no breakpoint at 0x{address:08x}")
        self._call("fvpsim_remove_breakpoint", address)
        del self._breakpoints[address]

    def watchpoint(self, place: Place, size: int = 4, *, reads: bool = False, writes: bool = True) -> None:
        """Runs stop behind the instruction, NPU operation or transfer that accesses one of these bytes of memory."""
        lib = self._lib.lib
        accesses = (lib.FVPSIM_READS if reads else 0) | (lib.FVPSIM_WRITES if writes else 0)
        self._call("fvpsim_add_watchpoint", self._byte(place), _count("size", size, 32), accesses)

    def unwatch(self, place: Place) -> None:
        """Takes the watchpoints away that begin there; an error where none does."""
        self._call("fvpsim_remove_watchpoint", self._byte(place))

    @property
    def watched(self) -> int:
        """Address of the watchpoint that stopped the latest run."""
        return int(self._lib.lib.fvpsim_watched(self._open()))

    # -- how it stands

    @property
    def end(self) -> End:
        """How the program ended."""
        raw = self._lib.sized("fvpsim_end")
        self._call("fvpsim_get_end", raw)
        text = self._lib.text
        return End(text(raw.reason), text(raw.text), int(raw.status), int(raw.pc), text(raw.place), text(raw.fault))

    def explain(self) -> str:
        """Why the program ended as it did, or where it stands, in lines: faults, place, registers, backtrace. A machine made with
        `trail=True` tells the latest branches, and operations of the NPU, too."""
        return self._text("fvpsim_explain")

    @property
    def counts(self) -> Counts:
        """Cycles and instructions so far."""
        raw = self._lib.sized("fvpsim_counts")
        self._call("fvpsim_get_counts", raw)
        return Counts(int(raw.ticks), int(raw.cycles), int(raw.instructions), int(raw.npu_jobs), int(raw.npu_cycles))

    # -- records

    def record(self) -> "Machine":
        """The run is recorded with all that comes from outside. To be called behind `load` and before the first run; from then on
        nothing but the program may change the machine."""
        self._call("fvpsim_record_begin")
        return self

    # -- state

    def snapshot(self) -> Snapshot:
        """The machine as it is now; `restore` goes back to it."""
        data, count = self._lib.ffi.new("void **"), self._lib.ffi.new("size_t *")
        self._call("fvpsim_save", data, count)
        try:
            state = bytes(self._lib.ffi.buffer(data[0], count[0]))
        finally:
            self._lib.lib.fvpsim_free(data[0])
        return Snapshot(state, *({name: bytes(text) for name, text in one.items()} for one in (self._console, self._input)))

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a snapshot of this machine or of one like it."""
        if not isinstance(snapshot, Snapshot) or not _is_whole(snapshot):
            raise UsageError(f"{checks.shown(snapshot)} is no Snapshot: snapshot() makes one")
        self._call("fvpsim_restore", self._lib.ffi.from_buffer(snapshot.state), len(snapshot.state))
        for now, then in (self._console, snapshot.console), (self._input, snapshot.input):
            now.clear()
            now.update({name: bytearray(text) for name, text in then.items()})

    def fork(self) -> "Machine":
        """A second machine in the same state; both go on apart. It writes no file that a parameter of this one names: what its
        serial ports print has `console`."""
        if not self._board:
            raise UsageError("a replay cannot be forked: replay the record once more, and run it to the same cycle")
        settings = {name: value for name, value in self._settings.items() if str(value) not in self._written}
        twin = Machine(self._board, params=settings, tensors=self._keep_tensors)
        for path, address in self._programs:
            twin.load(path, address)
        twin.restore(self.snapshot())
        return twin

# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin: machines as fixtures, cycles against a stored baseline.

    def test_inference(fvpsim_machine, assert_cycles):
        machine = fvpsim_machine(board="corstone-300", npu="ethos-u55-128")
        machine.load("runner.elf")
        machine.run()
        assert machine.end.reason == "EXIT"
        assert_cycles(machine.counts.npu_cycles, tolerance=0.02)

Baselines lie in `fvpsim_cycles.json` beside the test; `--fvpsim-update` writes them. A test that fails shows what its
machines printed and how they ended."""
from __future__ import annotations

import contextlib
import fcntl
import json
import operator
import os
import pathlib
from typing import Any, Callable, Iterator

import pytest

from .errors import Error
from .machine import Machine

BASELINE = "fvpsim_cycles.json"
#: Characters of a console that a failure shows.
SHOWN = 4000

_machines = pytest.StashKey[list[Machine]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.getgroup("fvp-sim").addoption("--fvpsim-update", action="store_true", help="store cycles as the new baseline")


@pytest.fixture
def fvpsim_machine(request: pytest.FixtureRequest) -> Iterator[Callable[..., Machine]]:
    """Makes machines (arguments as of fvpsim.Machine), which are freed behind the test."""
    made: list[Machine] = request.node.stash.setdefault(_machines, [])

    def make(*arguments: Any, **named: Any) -> Machine:
        new = Machine(*arguments, **named)
        made.append(new)
        return new
    yield make
    for machine in made:
        machine.close()


@pytest.fixture
def machine(fvpsim_machine: Callable[..., Machine]) -> Machine:
    """A Corstone-300 with its usual NPU."""
    made: Machine = fvpsim_machine()
    return made


def _baseline(path: pathlib.Path) -> dict[str, int]:
    try:
        return {str(k): int(v) for k, v in json.loads(path.read_text()).items()} if path.exists() else {}
    except (OSError, ValueError, AttributeError) as e:
        raise Error(f"{path}: damaged baseline: {e}; --fvpsim-update writes a new one") from e


def _kept(path: pathlib.Path) -> dict[str, int]:
    """What of a baseline stays when a new one is written: nothing of a damaged one."""
    try:
        return _baseline(path)
    except Error:
        return {}


@contextlib.contextmanager
def _alone(folder: pathlib.Path) -> Iterator[None]:
    """No other process of the tests (pytest-xdist's, for example) does this for files of the folder meanwhile."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _store(path: pathlib.Path, key: str, cycles: int) -> None:
    """Adds a value. Replaces the file as a whole: on a full disk the old one stays."""
    new = path.with_name(path.name + ".new")
    try:
        with _alone(path.parent):
            new.write_text(json.dumps({**_kept(path), key: cycles}, indent=2, sort_keys=True, default=operator.index) + "\n")
            new.replace(path)
    except OSError as e:
        raise Error(f"{path}: cannot be written: {e.strerror}") from e


def _growth(cycles: int, known: int) -> str:
    return f"{100 * (cycles - known) / known:+.2f} % of the baseline {known}" if known else "the baseline has none"


@pytest.fixture
def assert_cycles(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`assert_cycles(cycles, max=..., tolerance=..., name=...)`: not above `max`, and not further than `tolerance` (a fraction)
    above the stored baseline of this test and name. Without `max` there must be a baseline."""
    path = request.path.parent / BASELINE
    test = request.path.name + "::" + request.node.nodeid.partition("::")[2]  # two files or classes may name a test alike
    update = bool(request.config.getoption("--fvpsim-update"))

    def check(cycles: int, *, max: int | None = None, tolerance: float = 0.0, name: str = "") -> None:
        key = f"{test}:{name}" if name else test
        if update:
            _store(path, key, cycles)
        if max is not None:
            assert cycles <= max, f"{key}: {cycles} cycles, at most {max} are allowed"
        known = _baseline(path).get(key)
        if known is None:
            assert max is not None, f"{key}: no baseline in {path}: run once with --fvpsim-update"
            return
        limit = known * (1 + tolerance)
        assert cycles <= limit, f"{key}: {cycles} cycles, {_growth(cycles, known)}"
    return check


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Shows the machines of a test that failed."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.when != "call" or not report.failed:
        return
    made: list[Machine] = item.stash[_machines] if _machines in item.stash else []
    for number, machine in enumerate(made):
        report.sections.append((f"fvp-sim machine {number}", f"{_ending(machine)}\n{machine.console()[-SHOWN:]}"))


def _ending(machine: Machine) -> str:
    try:
        end = machine.end
    except Error as e:  # the test closed it, or it still runs on another thread
        return f"end: not known: {e}"
    where = f" at 0x{end.pc:08x} {end.place}".rstrip()
    return f"end: {end.reason}: {end.text}{where}" + (f"\nfault: {end.fault}" if end.fault else "")

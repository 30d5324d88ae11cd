# SPDX-License-Identifier: Apache-2.0
"""Sweeps: many estimates, on the cores of this machine or on a Dask cluster; resumable."""
from __future__ import annotations

import concurrent.futures
import concurrent.futures.process
import os
import signal
import time
from typing import Any, Callable, Iterable, Iterator, Sequence

from . import checks, programs, vela
from .errors import Error, UsageError
from .estimate import estimate
from .plan import Point
from .progress import SweepBar
from .results import Result, Results

#: Numbers of Vela's summary that a sweep keeps: name here, name there.
SIZES = {"sram_kib": "sram_memory_used", "dram_kib": "dram_memory_used", "flash_kib": "off_chip_flash_memory_used",
         "vela_cycles": "cycles_total"}


def run_point(point: Point) -> Result:
    """One point, wherever it is called; a failure is a result with its reason."""
    if not isinstance(point, Point):
        raise UsageError(f"{checks.shown(point)} is no Point")
    begin = time.perf_counter()
    try:
        e = estimate(point.model, point.accelerator, memory=point.memory, memory_mode=point.memory_mode,
                     system_config=point.system_config, config=point.config, method=point.method,
                     options=point.options, progress=False)
    except Error as reason:
        return Result(point, None, str(reason), {}, time.perf_counter() - begin)
    numbers = {name: e.vela[key] for name, key in SIZES.items() if key in e.vela}
    numbers["macs"] = float(sum(op.macs for op in e.run.operations))
    numbers["bytes"] = float(sum(op.bytes for op in e.run.operations))
    return Result(point, e.cycles, None, numbers, time.perf_counter() - begin)


def _begin(alone: bool) -> None:
    """In a process that computes points. Ctrl-C reaches all processes of a terminal; the one that shares the work out decides.
    The compiler needs no further process, but where the point may be one that kills."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    vela.APART = alone


def _on_this_machine(points: Sequence[Point], jobs: int | None) -> Iterator[Result]:
    """A process that dies takes its pool with it. What had no result then is tried again one by one, until the point
    that kills is found."""
    left, alone = list(points), False
    while left:
        batch = left[:1] if alone else left
        done: set[Point] = set()
        pool = concurrent.futures.ProcessPoolExecutor(1 if alone else jobs, initializer=_begin, initargs=(alone,))
        try:
            futures = {pool.submit(run_point, p): p for p in batch}
            for future in concurrent.futures.as_completed(futures):
                if isinstance(future.exception(), concurrent.futures.process.BrokenProcessPool):
                    continue
                done.add(futures[future])
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)  # who interrupts a sweep waits for the points at work only
        broken = len(done) < len(batch)
        if broken and alone:
            done.add(batch[0])
            yield Result(batch[0], None, "the process that computed it died", {}, 0.0)
        left = [p for p in left if p not in done]
        alone = broken and not alone or alone and not broken


def _on_cluster(points: Sequence[Point], scheduler: str) -> Iterator[Result]:
    """Dask gives the tasks of a worker that died to another."""
    try:
        from distributed import Client, as_completed
    except ImportError as e:
        raise UsageError("a scheduler was named, and Dask is not installed: pip install 'fvp-sim[cluster]'") from e
    try:
        client: Any = Client(scheduler, timeout="10s")  # type: ignore[no-untyped-call, unused-ignore]
    except (OSError, TimeoutError, ValueError) as e:
        raise UsageError(f"{scheduler}: no Dask scheduler answers there: {e}") from e
    with client:
        futures = {client.submit(run_point, p, pure=False): p for p in points}
        for future in as_completed(list(futures)):  # type: ignore[no-untyped-call, unused-ignore]
            point = futures.pop(future)
            try:  # a result whose worker has died since is waited for once more
                result = future.result()
            except Exception as e:  # noqa: BLE001  whatever Dask raises for a task that it gave up
                result = Result(point, None, f"the cluster gave up: {e!r}", {}, 0.0)
            future.release()  # or Dask computes it again when the worker that has it dies
            yield result


def sweep(points: Iterable[Point], results: str | os.PathLike[str], *, scheduler: str | None = None, jobs: int | None = None,
          progress: Callable[[int, int, Result | None], None] | bool | None = None) -> list[Result]:
    """Computes every point that `results` (an SQLite file) does not have yet; returns all of these points.

    Without a scheduler on `jobs` processes of this machine (default: its cores), else on the Dask cluster of that
    address, which must see the same files. Each result is on disk as soon as it is known, so that a sweep that was
    interrupted goes on where it was. `progress(done, all, latest)` is called after each; True is a
    bar of tqdm on standard error, where it is installed."""
    if jobs is not None and checks.whole("jobs", jobs) < 1:
        raise UsageError(f"{jobs} processes: a sweep needs at least one")
    if scheduler is not None:
        checks.text("scheduler", scheduler)
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise UsageError(f"progress: {checks.shown(progress)} can neither be called, nor is it True or False")
    if isinstance(progress, bool):
        progress = SweepBar(True) if progress else None
    wanted = list(dict.fromkeys(checks.several("points", points, Point)))
    versions = f"{programs.version()} vela {vela.version()}"
    keys = {p: p.key(versions) for p in wanted}
    with Results(results) as store:
        known = store.keys()
        due = [p for p in wanted if keys[p] not in known]
        if progress:
            progress(len(wanted) - len(due), len(wanted), None)
        running = _on_cluster(due, scheduler) if scheduler else _on_this_machine(due, jobs)
        for count, result in enumerate(running if due else (), start=len(wanted) - len(due) + 1):
            store.add(keys[result.point], result)
            if progress:
                progress(count, len(wanted), result)
        found = [store.get(keys[p], p) for p in wanted]
    return [r for r in found if r]


def pareto(results: Iterable[Result], against: str = "sram_kib") -> list[Result]:
    """Of each model, or method of one, those that no other of its points beats in both cycles and that number, by cycles."""
    checks.text("against", against)
    able = sorted((r for r in checks.several("results", results, Result) if r.cycles is not None and against in r.numbers),
                  key=lambda r: (r.cycles or 0, r.numbers[against]))
    least: dict[tuple[str, str | None], float] = {}
    front: list[Result] = []
    for r in able:
        network = (r.point.model, r.point.method)
        if r.numbers[against] < least.get(network, float("inf")):
            least[network] = r.numbers[against]
            front.append(r)
    return front

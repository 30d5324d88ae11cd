#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much of a sweep's time goes neither into the compiler nor into the simulator. Usage: bench_sweep.py POINTS

Points are the networks of MLPerf Tiny on all accelerators, with as many sizes of the compiler's cache as it takes. The share
is of all processes' time from the start to the last result. How far the cores are used is told twice: the time that they
gave, and how many of the sweep's processes could have run, which other work on the machine does not change much. Linux
only; needs numpy, ai-edge-litert and Vela."""
import importlib
import multiprocessing
import os
import sys
import tempfile
import threading
import time

import fvpsim
from fvpsim.hardware import ACCELERATORS
from tiny_networks import write

estimating, vela = importlib.import_module("fvpsim.estimate"), importlib.import_module("fvpsim.vela")
multiprocessing.set_start_method("fork")  # processes that have what is measured
inside = multiprocessing.Value("d", 0.0)


def measured(function):
    def call(*arguments, **named):
        begin = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            with inside.get_lock():
                inside.value += time.perf_counter() - begin
    return call


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as f:
            return [int(word) for word in f.read().split()]
    except OSError:  # it has ended
        return []


def wants_a_core(process):
    """Does it, or a program that it has started, run or wait for a core?"""
    try:
        with open(f"/proc/{process}/stat") as f:
            running = f.read().rpartition(")")[2].split()[0] == "R"
    except OSError:
        return False
    return running or any(wants_a_core(child) for child in children(process))


class Sampler(threading.Thread):
    """Looks twenty times a second how many processes of the sweep want a core."""

    def __init__(self, jobs):
        super().__init__(daemon=True)
        self.jobs, self.ended, self.looks, self.busy = jobs, threading.Event(), 0, 0

    def run(self):
        while not self.ended.wait(0.05):
            self.looks += 1
            self.busy += min(self.jobs, sum(wants_a_core(child) for child in children(os.getpid())))

    def share(self):
        self.ended.set()
        self.join()
        return self.busy / (self.looks * self.jobs)


def main():
    wanted, jobs = int(sys.argv[1]), os.cpu_count()
    vela.compile_model, estimating.run_network = measured(vela.compile_model), measured(estimating.run_network)
    with tempfile.TemporaryDirectory() as folder:
        models = [str(path) for path in write(folder)]
        sizes = -(-wanted // (len(models) * len(ACCELERATORS)))
        plan = fvpsim.points(models, list(ACCELERATORS), options=[("--arena-cache-size", str(262144 + 4096 * i)) for i in range(sizes)])
        sampler = Sampler(jobs)
        sampler.start()
        begin, cpu = time.perf_counter(), os.times()
        results = fvpsim.sweep(plan[:wanted], os.path.join(folder, "results.sqlite"), jobs=jobs)
        wall, end = time.perf_counter() - begin, os.times()
        wanting = sampler.share()
    used = sum(end[:4]) - sum(cpu[:4])
    print(f"{len(results)} points, {sum(r.error is not None for r in results)} failed, {jobs} processes, {wall:.1f} s, "
          f"{100 * used / wall / jobs:.0f} % of the cores' time used")
    print(f"processes that run or wait for a core: {100 * wanting:.0f} % of {jobs}")
    print(f"outside compiler and simulator: {100 * (1 - inside.value / (wall * jobs)):.1f} %")


if __name__ == "__main__":
    main()

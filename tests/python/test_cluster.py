# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a Dask cluster of several processes, one of which dies on the way."""
import importlib
import os
import signal
import time

import pytest

from fvpsim import Result, Results, accelerators, points, sweep

pytest.importorskip("distributed", reason="Dask is not installed")
sweeping = importlib.import_module("fvpsim.sweep")


def slow(point):
    """In place of compiler and simulator: says who computed it."""
    time.sleep(0.05)
    return Result(point, 1, None, {"process": float(os.getpid())}, 0.0)


def test_a_worker_that_is_killed_loses_nothing(monkeypatch, tmp_path):
    from distributed import LocalCluster
    models = [tmp_path / f"m{i}.tflite" for i in range(40)]
    for model in models:
        model.write_bytes(model.name.encode())
    wanted = points([str(m) for m in models], ["ethos-u55-128"])
    monkeypatch.setattr(sweeping.programs, "version", lambda: "1")
    monkeypatch.setattr(sweeping, "run_point", slow)
    calls, killed = [], []

    def progress(done, total, latest):
        calls.append(done)
        if done == 10:
            killed.append(int(latest.numbers["process"]))
            os.kill(killed[0], signal.SIGKILL)

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        found = sweep(wanted, tmp_path / "r.sqlite", scheduler=cluster.scheduler_address, progress=progress)
    assert [r.point for r in found] == wanted and not any(r.error for r in found)
    assert calls == list(range(len(wanted) + 1))
    assert sum(r.numbers["process"] == killed[0] for r in found) < len(found) / 2
    with Results(tmp_path / "r.sqlite") as store:
        assert len(list(store)) == len(wanted)


def test_eleven_accelerators_by_four_networks_with_a_worker_killed(tmp_path):
    """Compiler and simulator in earnest: the same results as without a cluster, each once."""
    pytest.importorskip("ethosu.vela", reason="Vela is not installed")
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert, which makes the networks, is not installed")
    from distributed import Client, LocalCluster
    from tiny_networks import write
    wanted = points([str(path) for path in write(tmp_path)], accelerators())
    assert len(wanted) == 44
    calls = []
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            workers = list(client.run(os.getpid).values())

        def progress(done, total, latest):
            calls.append(done)
            if done == 10:
                os.kill(workers[0], signal.SIGKILL)
        found = sweep(wanted, tmp_path / "cluster.sqlite", scheduler=cluster.scheduler_address, progress=progress)
    assert calls == list(range(45)) and not any(r.error for r in found)
    with Results(tmp_path / "cluster.sqlite") as store:
        assert len(list(store)) == 44
    again = []
    assert sweep(wanted, tmp_path / "cluster.sqlite", progress=lambda done, total, latest: again.append(done)) == found
    assert again == [44]
    some = wanted[::5]
    alone = sweep(some, tmp_path / "alone.sqlite")
    assert [(r.cycles, r.numbers) for r in alone] == [(r.cycles, r.numbers) for r in found[::5]]

# SPDX-License-Identifier: Apache-2.0
"""Plans, results on disk, and workers that die."""
import dataclasses
import importlib
import os
import signal
import subprocess
import sys

import pytest

from fvpsim import Point, Result, Results, UsageError, pareto, points, sweep
from fvpsim.plan import read

sweeping = importlib.import_module("fvpsim.sweep")


@pytest.fixture
def models(tmp_path):
    paths = [tmp_path / f"m{i}.tflite" for i in range(4)]
    for path in paths:
        path.write_bytes(path.name.encode())
    return [str(path) for path in paths]


def fake(point):
    """In place of compiler and simulator."""
    if "m3" in point.model:
        os.kill(os.getpid(), signal.SIGKILL)
    return Result(point, 100 * len(point.accelerator), None, {"sram_kib": 1.0}, 0.0)


def test_a_plan_is_a_product_each_once(models):
    made = points(models, ["ethos-u55-32", "ethos-u55-64", "ethos-u55-32"], [None, "none"])
    assert len(made) == 4 * 2 * 2


def test_plan_files_and_what_is_wrong_in_them(tmp_path, models):
    path = tmp_path / "plan.toml"
    path.write_text('models = ["m0.tflite"]\naccelerators = ["ethos-u85-256"]\nmemories = ["default", "none"]\n')
    assert [p.memory for p in read(path)] == [None, "none"]
    for text, reason in (("models = 1", "expected a list"), ("x = 1", "unknown key x"), ("[", "not TOML"),
                         ('models = ["m0.tflite"]\naccelerators = ["ethos-u99"]', "no accelerator of that name"),
                         ("models = []", "at least one model"), ("models = [1]", "a list of texts"), ("memories = [1]", "a list of texts"),
                         ('options = ["-x"]', "options"), ("options = [[1]]", "options"), ("options = 1", "options"), ("config = 3", "config")):
        path.write_text(text)
        with pytest.raises(UsageError, match=reason):
            read(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="at least one"):
        sweep(points(models, ["ethos-u55-32"]), tmp_path / "r.sqlite", jobs=0)


def test_a_text_is_no_list(models):
    npus = ["ethos-u55-32"]
    for named in ({"models": models[0], "accelerators": npus}, {"models": models, "accelerators": npus[0]},
                  {"models": models, "accelerators": npus, "memory_modes": "Sram_Only"},
                  {"models": models, "accelerators": npus, "options": "--optimise Size"},
                  {"models": models, "accelerators": npus, "options": ["--optimise"]}):
        with pytest.raises(UsageError, match="give a list"):
            points(**named)


def test_the_key_is_of_contents(models, tmp_path):
    copy = tmp_path / "copy.tflite"
    copy.write_bytes(open(models[0], "rb").read())
    one = Point(models[0], "ethos-u55-32")
    assert one.key("v") == dataclasses.replace(one, model=str(copy)).key("v")
    assert one.key("v") != one.key("w")
    assert one.key("v") != dataclasses.replace(one, model=models[1]).key("v")
    assert one.key("v") != dataclasses.replace(one, options=("-x",)).key("v")


def test_a_process_that_dies_is_a_failed_point_and_nothing_else_is_lost(monkeypatch, models, tmp_path):
    monkeypatch.setattr(sweeping, "run_point", fake)
    monkeypatch.setattr(sweeping.programs, "version", lambda: "1")
    calls = []
    wanted = points(models, ["ethos-u55-32", "ethos-u55-128"])
    found = sweep(wanted, tmp_path / "r.sqlite", jobs=2, progress=lambda done, total, latest: calls.append(done))
    assert [r.point for r in found] == wanted
    assert {r.point.model for r in found if r.error} == {models[3]}
    assert all("died" in r.error for r in found if r.error)
    assert calls == list(range(len(wanted) + 1))


def test_what_is_known_is_not_done_again(monkeypatch, models, tmp_path):
    monkeypatch.setattr(sweeping, "run_point", fake)
    monkeypatch.setattr(sweeping.programs, "version", lambda: "1")
    first = sweep(points(models[:2], ["ethos-u55-32"]), tmp_path / "r.sqlite")
    monkeypatch.setattr(sweeping, "run_point", None)
    assert sweep(points(models[:2], ["ethos-u55-32"]), tmp_path / "r.sqlite") == first
    with Results(tmp_path / "r.sqlite") as store:
        assert list(store) == first


def test_files_that_are_no_results(tmp_path):
    path = tmp_path / "r.sqlite"
    path.write_text("text, and enough of it to be taken for a header")
    with pytest.raises(UsageError, match="not a file of results"):
        Results(path)


def test_failures_can_be_forgotten(tmp_path):
    point = Point("m", "ethos-u55-32")
    with Results(tmp_path / "r.sqlite") as store:
        store.add("k", Result(point, None, "why", {}, 0.0))
        assert store.keys() == {"k"}
        store.forget_failures()
        assert store.keys() == set()


def test_the_front_is_of_each_model():
    def result(model, cycles, sram):
        return Result(Point(model, "ethos-u55-32"), cycles, None, {"sram_kib": sram}, 0.0)
    front = pareto([result("a", 10, 5), result("a", 20, 4), result("a", 30, 4), result("b", 99, 9)])
    assert [(r.point.model, r.cycles) for r in front] == [("a", 10), ("a", 20), ("b", 99)]


def test_no_scheduler_answers(monkeypatch, models, tmp_path):
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr(sweeping.programs, "version", lambda: "1")
    with pytest.raises(UsageError, match="no Dask scheduler answers"):
        sweep(points(models[:1], ["ethos-u55-32"]), tmp_path / "r.sqlite", scheduler="tcp://127.0.0.1:9")


#: Sweeps over 60 points with no more than 24 kB for the file, as on a disk that is full.
FULL = """
import importlib, resource, signal, sys
import fvpsim
sweeping = importlib.import_module("fvpsim.sweep")
sweeping.programs.version = lambda: "1"
sweeping._on_this_machine = lambda due, jobs: (fvpsim.Result(p, 1, None, {}, 0.0) for p in due)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
plan = fvpsim.points([sys.argv[1]], ["ethos-u55-32"], options=[("-x", str(i)) for i in range(60)])
resource.setrlimit(resource.RLIMIT_FSIZE, (24_000, resource.RLIM_INFINITY))
try:
    fvpsim.sweep(plan, sys.argv[2])
except fvpsim.UsageError as e:
    print(e)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with fvpsim.Results(sys.argv[2]) as store:
    print(len(store.keys()))
print(len(fvpsim.sweep(plan, sys.argv[2])))
"""


def test_a_full_disk_keeps_what_is_there(models, tmp_path):
    done = subprocess.run([sys.executable, "-c", FULL, models[0], str(tmp_path / "r.sqlite")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reason, kept, all_of_them = done.stdout.splitlines()
    assert "r.sqlite: cannot be written: " in reason and reason.endswith("what was there is kept")
    assert 0 < int(kept) < 60 and int(all_of_them) == 60


def test_progress_is_shown(capsys, models, tmp_path, monkeypatch):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    monkeypatch.setattr(sweeping.programs, "version", lambda: "1")
    monkeypatch.setattr(sweeping, "_on_this_machine", lambda due, jobs: (Result(p, 4711, None, {}, 0.0) for p in due))
    plan = points(models[:1], ["ethos-u55-32", "ethos-u55-64"])
    for wanted, shown in ((True, True), (False, False), (None, False)):
        sweep(plan, tmp_path / f"{wanted}.sqlite", progress=wanted)
        said = capsys.readouterr().err
        assert ("2/2" in said and f"{os.path.basename(models[0])} ethos-u55-64 4711" in said) == shown
        assert shown or said == ""

# SPDX-License-Identifier: Apache-2.0
"""Values of wrong types: a sentence wherever they are given, never an error of C, of numpy or of another process."""
import concurrent.futures
import copy
import importlib
import os
import pathlib
import pickle

import numpy as np
import pytest

import fvpsim
from fvpsim import Error, Machine, Npu, Point, Snapshot, Tensor, points, report, runs

ACCELERATOR = "ethos-u55-128"
ROOT = pathlib.Path(__file__).parents[2]
MODEL = ROOT / "runtime" / "models" / "classifier_ethos-u55-128.tflite"
METHODS = ROOT / "tests" / "npu" / "programs" / "methods" / "model.pte"
#: None of them is a text, a file's name or a whole number.
WRONG = [2.5, b"\xff\0", [1], {"a": 1}, (1, 2), {1}, object(), np.float32(2), np.zeros((2, 2)), np.array([object()]), 1j, "a\0b", "\ud800",
         Machine, slice(1, 2), ...]
INTEGERS = [5, True, np.int8(3), np.array(5), -1]


#: Types among them that some places do take.
LEGAL = {"params": dict, "type": (bytes, str), "console of a snapshot": bytes, "value": (float, np.floating), "model": bytes, "network": bytes}


def wrong_for(name):
    return [value for value in WRONG if not isinstance(value, LEGAL.get(name, ()))]


def of_machine(m):
    """What takes a text, the name of a file, or an object of this package."""
    return {
        "Machine": Machine, "npu": lambda v: Machine(npu=v), "params": lambda v: Machine(params=v), "value": lambda v: Machine(params={"mps3_board.uart0.out_file": v}),
        "replay": Machine.replay, "load": m.load, "type": m.type, "stream": lambda v: m.type("a", v), "console": m.console,
        "symbol": m.symbol, "text": lambda v: m.run(text=v, instruction=1), "end_run": m.end_run, "restore": m.restore,
        "console of a snapshot": lambda v: m.restore(Snapshot(m.snapshot().state, {"uart0": v})), "register": lambda v: m.registers[v],
        "write of a register": lambda v: m.registers.__setitem__(v, 1), "trace": m.trace, "profile": m.profile, "dump_layers": m.dump_layers,
        "compare_layers": m.compare_layers, "name_operations": m.name_operations, "write_record": m.write_record,
    }


def of_networks(npu, tmp_path):
    one = points([MODEL], [ACCELERATOR])
    return {
        "Npu": Npu, "memory": lambda v: Npu(ACCELERATOR, memory=v).network(MODEL), "mode": lambda v: Npu(ACCELERATOR, memory_mode=v).network(MODEL),
        "config": lambda v: Npu(ACCELERATOR, config=v).network(MODEL), "system": lambda v: Npu(ACCELERATOR, system_config=v).network(MODEL),
        "network": npu.network, "method": lambda v: npu.network(MODEL, method=v), "inputs": lambda v: npu.run(MODEL, v),
        "accelerator": lambda v: fvpsim.Network(v, MODEL.read_bytes()), "model": lambda v: fvpsim.Network(ACCELERATOR, v),
        "estimate": lambda v: fvpsim.estimate(v, ACCELERATOR), "estimate on": lambda v: fvpsim.estimate(MODEL, v),
        **{name: lambda v, name=name: fvpsim.estimate(MODEL, ACCELERATOR, **{name: v})
           for name in ("memory", "memory_mode", "system_config", "config", "method")},
        "options": lambda v: fvpsim.estimate(MODEL, ACCELERATOR, options=[v]), "point": lambda v: Point(v, ACCELERATOR),
        "point on": lambda v: Point(str(MODEL), v), "point's options": lambda v: Point(str(MODEL), ACCELERATOR, options=[v]),
        "models": lambda v: points([v], [ACCELERATOR]), "accelerators": lambda v: points([MODEL], [v]),
        "memories": lambda v: points([MODEL], [ACCELERATOR], [v]), "methods": lambda v: points([MODEL], [ACCELERATOR], methods=[v]),
        "one option": lambda v: points([MODEL], [ACCELERATOR], options=[[v]]), "sweep": lambda v: fvpsim.sweep([v], tmp_path / "r.sqlite"),
        "results": lambda v: fvpsim.sweep(one, v), "scheduler": lambda v: fvpsim.sweep(one, tmp_path / "r.sqlite", scheduler=v),
        "run_point": fvpsim.run_point, "pareto": lambda v: fvpsim.pareto([v]), "Results": fvpsim.Results, "read": fvpsim.read,
        "read_all": lambda v: runs.read_all([v]), "plan": importlib.import_module("fvpsim.plan").read, "page": lambda v: report.page([v]),
        "copy_fvps": importlib.import_module("fvpsim.programs").copy_fvps,
    }


def refused(name, function, value):
    """Exactly one short sentence of this package."""
    with pytest.raises(Error) as told:
        function(value)
        pytest.fail(f"{name} took {value!r}")
    said = str(told.value)
    assert 0 < len(said) < 500 and "ctype" not in said and "cdata" not in said, f"{name}: {said}"


@pytest.mark.skipif(not os.environ.get("FVPSIM_RUNNER"), reason="no runner image: the build has no arm-none-eabi-gcc")
def test_machines_refuse_wrong_types_in_a_sentence(machine):
    for name, function in of_machine(machine).items():
        for value in wrong_for(name):
            refused(name, function, value)
    for name, function in {"describe": machine.describe, "address": lambda v: machine.load(MODEL, v), "size": lambda v: machine.watchpoint(0x20000000, v),
                           "unwatch": machine.unwatch, "read": lambda v: machine.memory.read(v, 4), "until": lambda v: machine.run(cycle=v),
                           "value": lambda v: machine.registers.__setitem__("r0", v)}.items():
        for value in [2.5, object(), np.float32(2), np.zeros((2, 2)), [1], None, 1j, 1 << 70, -(1 << 70)]:
            refused(name, function, value)
    refused("callback", lambda v: machine.breakpoint("main", v), 5)
    refused("lone surrogate", machine.type, "\ud800")
    refused("out_file", lambda v: Machine(params={"mps3_board.uart0.out_file": v}), None)
    assert machine.run("main") and machine.run() == fvpsim.Stop.END and "PASS" in machine.console()


def test_networks_and_sweeps_refuse_wrong_types_in_a_sentence(tmp_path, capfd):
    npu = Npu(ACCELERATOR)
    for name, function in of_networks(npu, tmp_path).items():
        for value in wrong_for(name):
            refused(name, function, value)
    for name in "network", "estimate", "read", "plan", "Results":  # a number is a file that is open: it would be read, and closed
        for value in INTEGERS:
            refused(name, of_networks(npu, tmp_path)[name], value)
    os.write(1, b"still open")
    assert capfd.readouterr().out == "still open" and not (tmp_path / "r.sqlite").exists()


def test_lists_are_lists(tmp_path):
    for function in (lambda v: points(v, [ACCELERATOR]), lambda v: points([MODEL], v), lambda v: fvpsim.sweep(v, tmp_path / "r"), fvpsim.pareto,
                     report.page, lambda v: points([MODEL], [ACCELERATOR], options=v), lambda v: Point(MODEL, ACCELERATOR, options=v)):
        for value in (5, None, 2.5, np.array(5), MODEL, "text", b"ab"):
            refused("a list", function, value)
    assert points(iter([MODEL]), np.array([ACCELERATOR])) == [Point(str(MODEL), ACCELERATOR)]
    assert Point(MODEL, ACCELERATOR, options=["-x"]) == Point(str(MODEL), ACCELERATOR, options=("-x",))


def test_tensors_take_numbers():
    tensor = Tensor("x", (1, 2), np.dtype(np.int8), 0.5, 3)
    assert tensor.quantise([1, -1.5]).tolist() == [5, 0] and tensor.dequantise([5, 0]).tolist() == [1, -1.5]
    for value in ("a", None, [[1], [1, 2]], [object()], np.datetime64("2020"), [1j]):
        refused("quantise", tensor.quantise, value)
        refused("dequantise", tensor.dequantise, value)
        refused("accept", tensor.accept, value)
    refused("infinite", tensor.quantise, [np.nan])
    refused("no scale", Tensor("x", (1,), np.dtype(np.int8), 0.0, 0).quantise, [1.0])


def test_an_accelerator_is_pickled_a_network_is_not():
    npu = Npu(ACCELERATOR, memory="none")
    zeros = [np.zeros(t.shape, t.dtype) for t in npu.network(MODEL).inputs]
    expected, profile = npu.run(MODEL, zeros)
    for other in (pickle.loads(pickle.dumps(npu)), copy.copy(npu), copy.deepcopy(npu)):
        outputs, again = other.run(MODEL, zeros)
        assert (outputs[0] == expected[0]).all() and again.cycles == profile.cycles
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        refused("a network", copied, npu.network(MODEL))


def test_results_that_are_closed_or_another_threads(tmp_path):
    one = Point(str(MODEL), ACCELERATOR)
    with fvpsim.Results(tmp_path / "r.sqlite") as results:
        for key in "ab":
            results.add(key, fvpsim.Result(one, 5, None, {}, 0.0))
        half = iter(results)
        next(half)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            refused("another thread", lambda _: pool.submit(results.keys).result(), None)
        refused("a number", lambda v: results.add("c", v), 5)
        refused("a key", lambda v: results.get(v, one), object())
        refused("a copy", pickle.dumps, results)
    assert next(half).cycles == 5
    for function in (results.keys, lambda: results.get("a", one), lambda: list(results), results.forget_failures,
                     lambda: results.add("c", fvpsim.Result(one, 5, None, {}, 0.0))):
        refused("closed", lambda _, function=function: function(), None)


def test_bytes_of_any_kind_are_a_model():
    data, npu = MODEL.read_bytes(), Npu(ACCELERATOR)
    assert npu.network(bytearray(data)) is npu.network(data) is npu.network(memoryview(data)) is npu.network(str(MODEL))


def test_methods_are_estimated_and_swept(tmp_path):
    cycles = {method: fvpsim.estimate(METHODS, ACCELERATOR, method=method).cycles for method in (None, "encode", "forward")}
    assert cycles[None] == cycles["forward"] != cycles["encode"]
    with pytest.raises(fvpsim.SimulationError, match="no method 'decode'; it has encode, forward"):
        fvpsim.estimate(METHODS, ACCELERATOR, method="decode")
    plan = tmp_path / "plan.toml"
    plan.write_text(f'models = ["{METHODS}"]\naccelerators = ["{ACCELERATOR}"]\nmethods = ["default", "encode"]\n')
    results = fvpsim.sweep(importlib.import_module("fvpsim.plan").read(plan), tmp_path / "r.sqlite", jobs=1)
    assert {r.point.method: r.cycles for r in results} == {None: cycles["forward"], "encode": cycles["encode"]}
    assert [r.point.title for r in results] == ["model.pte", "model.pte encode"]
    with fvpsim.Results(tmp_path / "r.sqlite") as kept:
        assert {r.point.method for r in kept} == {None, "encode"}


def test_results_from_before_there_were_methods_are_found(tmp_path):
    """The key of a point without one, as the package without methods computed it."""
    model = tmp_path / "m.tflite"
    model.write_bytes(b"m")
    assert Point(str(model), ACCELERATOR).key("v") == "3999de2cee8834e2365bb7145c06a10cf3c38430df67ce9e5f55032f1d61fa20"
    assert Point(str(model), ACCELERATOR, method="encode").key("v") != "3999de2cee8834e2365bb7145c06a10cf3c38430df67ce9e5f55032f1d61fa20"

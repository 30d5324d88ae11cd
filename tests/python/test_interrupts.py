# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in a process of its own, and work on several threads without the interpreter's lock."""
import os
import pathlib
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import fvpsim

RUNNER = os.environ.get("FVPSIM_RUNNER", "")
MODEL = pathlib.Path(__file__).parents[2] / "runtime" / "models" / "classifier_ethos-u55-128.tflite"

#: A machine that never ends by itself: it counts for ever.
MACHINE = """
m = fvpsim.Machine(npu="ethos-u55-128")
m.load({runner!r})
m.run("main")
address = m.registers["sp"] - 256 & ~3
m.memory.write(address, bytes.fromhex("0130fde7"))  # adds r0, #1; b to it
m.registers["pc"] = address
work = m.run
"""
NETWORK = """
npu = fvpsim.Npu("ethos-u55-128")
image = np.zeros(npu.network({model!r}).inputs[0].shape, np.int8)
def work():
    while True:
        npu.run({model!r}, image)
"""
AROUND = """
import sys
import numpy as np
import fvpsim
{setup}
print("ready", flush=True)
try:
    work()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    {after}
    sys.exit(3)
"""
#: Interrupts at any time: on the way into a run, within it, on the way out.
OFTEN = """
import os, random, signal, threading
cycles, draw, came = npu.run({model!r}, image)[1].cycles, random.Random(1), 0
for i in range(500):
    try:
        threading.Timer(draw.random() * 2e-3, os.kill, (os.getpid(), signal.SIGINT)).start()
        work()
    except KeyboardInterrupt:
        came += 1
    assert npu.run({model!r}, image)[1].cycles == cycles
assert came == 500
"""
#: Seconds until a process counts as hanging; a loaded machine takes a few for its start alone.
LONG = 60


def interrupted(setup, after, then=None):
    process = subprocess.Popen([sys.executable, "-c", AROUND.format(setup=setup, after=after)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        if then:
            assert process.stdout.readline() == then
        threading.Event().wait(0.3)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=LONG)
    finally:
        process.kill()
    assert said.startswith("interrupted\n") and process.returncode == 3
    return said


@pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
def test_ctrl_c_ends_a_machines_run_and_the_machine_lives():
    said = interrupted(MACHINE.format(runner=RUNNER),
                       "n = m.counts.instructions; m.run(instruction=n + 1000); print(m.counts.instructions - n)")
    assert said.endswith("\n1000\n")


def test_ctrl_c_ends_runs_of_networks_and_the_network_lives():
    said = interrupted(NETWORK.format(model=str(MODEL)), f"print(npu.run({str(MODEL)!r}, image)[1].cycles)")
    npu = fvpsim.Npu("ethos-u55-128")
    image = np.zeros(npu.network(MODEL).inputs[0].shape, np.int8)
    assert int(said.split()[1]) == npu.run(MODEL, image)[1].cycles


def test_ctrl_c_may_come_at_any_time():
    code = "import numpy as np\nimport fvpsim\n" + (NETWORK + OFTEN).format(model=str(MODEL))
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=10 * LONG)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
def test_other_threads_go_on_while_a_machine_runs():
    """With the lock held by the run this thread could not stop it, and the run never ends by itself."""
    space = {"fvpsim": fvpsim}
    exec(MACHINE.format(runner=RUNNER), space)  # noqa: S102
    machine, stops = space["m"], []
    runner = threading.Thread(target=lambda: stops.append(machine.run()), daemon=True)
    runner.start()
    threading.Event().wait(0.1)
    machine.stop()
    runner.join(LONG)
    assert stops == [fvpsim.Stop.ASKED]
    machine.close()


#: A sweep that would take minutes; it says when its first results are on disk.
SWEEP = """
import importlib, sys, time
import fvpsim
sweeping = importlib.import_module("fvpsim.sweep")
sweeping.programs.version = lambda: "1"

def slow(point):
    time.sleep(0.5)
    return fvpsim.Result(point, 1, None, {{}}, 0.0)

sweeping.run_point = slow
plan = fvpsim.points([{model!r}], ["ethos-u55-32"], options=[("-x", str(i)) for i in range(1000)])
def work():
    fvpsim.sweep(plan, {results!r}, jobs=2, progress=lambda done, total, latest: print("three", flush=True) if done == 3 else None)
"""


def test_ctrl_c_ends_a_sweep_and_keeps_its_results(tmp_path):
    results = str(tmp_path / "r.sqlite")
    interrupted(SWEEP.format(model=str(MODEL), results=results), "pass", then="three\n")
    with fvpsim.Results(results) as store:
        assert 3 <= len(store.keys()) < 1000

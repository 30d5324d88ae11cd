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
try:
    print("ready", flush=True)
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
    assert ended.returncode == 0 and not ended.stderr, ended.stderr


#: Handlers of several signals raise, also while what another raised is dealt with; outside of some() they do not.
BOTH = """
import random, signal, threading

cycles, draw, came = npu.run({model!r}, image)[1].cycles, random.Random(2), {{signal.SIGINT: 0, signal.SIGALRM: 0}}
main, done, pause, right = threading.main_thread().ident, False, threading.Event(), 0

def some():
    global right
    while True:
        assert npu.run({model!r}, image)[1].cycles == cycles
        right += 1

def answer(number, frame):
    while frame and frame.f_code is not some.__code__:
        frame = frame.f_back
    if frame:
        came[number] += 1
        raise KeyboardInterrupt

def send():
    while not done:
        signal.pthread_kill(main, draw.choice(list(came)))
        pause.wait(draw.random() * 1e-3)

for number in came:
    signal.signal(number, answer)
thread = threading.Thread(target=send, daemon=True)
thread.start()
while min(came.values()) < 300:
    try:
        some()
    except KeyboardInterrupt:
        pass
done = True
thread.join()
assert all(signal.getsignal(number) is answer for number in came)
assert npu.run({model!r}, image)[1].cycles == cycles
import os
assert len(os.listdir('/proc/self/task')) < 30
"""


def test_handlers_of_several_signals_may_raise():
    code = "import numpy as np\nimport fvpsim\n" + (NETWORK + BOTH).format(model=str(MODEL))
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=10 * LONG)
    assert ended.returncode == 0 and not ended.stderr, ended.stderr


#: A handler that raises nothing: it tries to look and to run, uses something else, and stops the run.
QUIET = """
import os, signal, threading, time
seen = []

def send():
    while not m._calls._call or m._calls._call._function:  # no run has been begun
        time.sleep(1e-3)
    os.kill(os.getpid(), signal.SIGUSR1)

def look(number, frame):
    for use in m.run, m.snapshot:
        try:
            use()
        except fvpsim.UsageError as e:
            seen.append(str(e))
    seen.append(npu.run({model!r}, image)[1].cycles)
    m.stop()

signal.signal(signal.SIGUSR1, look)
threading.Thread(target=send).start()
assert work() == fvpsim.Stop.ASKED
assert len(seen) == 3 and all(text.startswith("a run is under way") for text in seen[:2]), seen
assert seen[2] == npu.run({model!r}, image)[1].cycles
n = m.counts.instructions
m.run(instruction=n + 1000)
assert m.counts.instructions == n + 1000

def shut(number, frame):
    m.close()

signal.signal(signal.SIGUSR1, shut)
threading.Thread(target=send).start()
assert work() == fvpsim.Stop.ASKED
try:
    m.run()
except fvpsim.UsageError as e:
    assert "closed" in str(e)
else:
    assert False
"""


@pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
def test_a_handler_that_does_not_raise():
    code = "import numpy as np\nimport fvpsim\n" + (NETWORK + MACHINE + QUIET).format(model=str(MODEL), runner=RUNNER)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert ended.returncode == 0 and not ended.stderr, ended.stderr


def test_what_is_closed_before_it_runs():
    """A handler may come between the thread that gives a call away and the thread that makes it."""
    from fvpsim import _calls
    calls, made = _calls.Calls(lambda: None, lambda: None), []

    class Late(_calls._Call):
        def make(self):
            self.left = True
            super().make()
    given = _calls._Call
    _calls._Call = Late
    try:
        with pytest.raises(fvpsim.UsageError, match="before it ran"):
            calls.run(lambda: made.append(1))
    finally:
        _calls._Call = given
    assert not made and calls.run(lambda: 4711) == 4711


#: asyncio's handler cancels the task at the first Ctrl-C and raises at the second, as it does around any call that blocks.
LOOP = """
import asyncio
async def main():
    work()
asyncio.run(main())
"""


@pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
def test_ctrl_c_within_asyncio():
    code = "import fvpsim\n" + MACHINE.format(runner=RUNNER) + "print('ready', flush=True)" + LOOP
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        while process.poll() is None:
            threading.Event().wait(0.3)
            process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=LONG)[1]
    finally:
        process.kill()


#: A run that nobody waits for: the second Ctrl-C comes while the first one's exception waits for it.
LEFT = """
import os, threading, time
calls = m._calls
real = calls._stop
calls._stop = lambda: None

def send():
    for due in lambda call: call and not call._function, lambda call: call.left:  # it is made; nobody waits
        while not due(calls._call):
            time.sleep(1e-3)
        os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=send).start()
try:
    work()
except KeyboardInterrupt:
    calls._stop = real
{then}
"""


@pytest.mark.parametrize("then", ["n = m.counts.instructions; m.run(instruction=n + 1000); assert m.counts.instructions == n + 1000",
                                  "m.close()", "",
                                  "if not os.fork(): os._exit(fvpsim.Machine().counts.cycles)\nassert os.wait()[1] == 0"])
@pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
def test_a_run_that_was_left_behind(then):
    """It is ended before its machine is used; the process, its end and its children go on without."""
    code = "import signal\nimport fvpsim\n" + MACHINE.format(runner=RUNNER) + LEFT.format(then=then)
    quiet = ["-W", "ignore::DeprecationWarning"]  # Python 3.12 and later warn of any fork beside a thread
    ended = subprocess.run([sys.executable, *quiet, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert ended.returncode == 0 and not ended.stderr, ended.stderr


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

# SPDX-License-Identifier: Apache-2.0
"""Whole machines: the demonstration runner, seen from Python."""
import concurrent.futures
import copy
import json
import os
import pickle
import socket
import subprocess
import time

import numpy as np
import pytest

import fvpsim
from fvpsim import Machine, Stop, programs

RUNNER = os.environ.get("FVPSIM_RUNNER", "")
pytestmark = pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
NPU = "ethos-u55-128"


def test_a_run_to_its_end(machine):
    assert machine.run() == Stop.END
    assert machine.end.reason == "EXIT" and machine.end.status == 0
    assert "PASS: output equals the golden output" in machine.console()
    assert machine.counts.npu_jobs == 1 and machine.counts.npu_cycles > 0
    assert len(machine.operations) == 9 and machine.operations[0]["kind"] == "dma"


def test_tensors_of_the_npus_operations():
    with Machine(npu=NPU, tensors=True) as m:
        m.load(RUNNER).run()
        assert len(m.tensors) == len(m.operations)
        for op, tensors in zip(m.operations, m.tensors):
            assert bool(tensors) == (op["kind"] != "dma")
            assert not tensors or tensors["ofm"].shape == (1, *op["ofm"])
        assert m.tensors[-1]["ofm"].dtype == np.int8 and "PASS" in m.console()
    with Machine(npu=NPU) as m:
        m.load(RUNNER).run()
        assert m.operations and not m.tensors


def test_stops_at_symbols_counts_texts_and_goes_on_the_same(machine):
    assert machine.run("main") == Stop.ADDRESS
    assert machine.registers["pc"] == machine.symbol("main") & ~1
    assert machine.describe(machine.registers["pc"]).startswith("main")
    before = machine.counts.instructions
    assert machine.run(instruction=before + 100) == Stop.INSTRUCTION
    assert machine.counts.instructions == before + 100
    machine.step()
    assert machine.counts.instructions == before + 101
    assert machine.run() == Stop.END
    with Machine(npu=NPU) as straight:
        straight.load(RUNNER).run()
        assert straight.counts == machine.counts and straight.console() == machine.console()


def test_breakpoints_with_callbacks(machine):
    seen = []
    machine.breakpoint("main", lambda m: seen.append(m.registers["sp"]))
    assert machine.run() == Stop.END and len(seen) == 1
    with pytest.raises(fvpsim.UsageError, match="no breakpoint"):
        machine.clear(0x10000000)
    machine.clear("main")


def test_memory_and_registers(machine):
    machine.run("main")
    address = machine.registers["sp"] - 256
    machine.memory[address:address + 4] = [1, 2, 3, 4]
    assert machine.memory[address] == 1
    assert machine.memory.read(address, 1, np.uint32)[0] == 0x04030201
    machine.memory.write(address, np.arange(4, dtype=np.int16))
    assert machine.memory[address:address + 8].view(np.int16).tolist() == [0, 1, 2, 3]
    machine.registers["r3"] = 0x12345678
    machine.registers["q1"] = (1 << 127) + 5
    assert machine.registers["r3"] == 0x12345678 and machine.registers["q1"] == (1 << 127) + 5
    assert "r0" in list(machine.registers)
    with pytest.raises(fvpsim.UsageError):
        machine.memory.read(0x5FFF0000, 4)
    with pytest.raises(fvpsim.UsageError):
        machine.registers["r99"]
    with pytest.raises(fvpsim.UsageError, match="start:stop"):
        machine.memory[5:3]


def test_an_end_is_explained(tmp_path):
    with Machine(npu=NPU, trail=True) as m:
        m.load(RUNNER).run("main")
        assert m.explain().startswith("still running\n") and "backtrace" in m.explain()
        m.registers["pc"] = 0xE000_0000  # from where nothing executes
        assert m.run() == Stop.END
        assert "last branches" in m.explain() and m.end.text in m.explain()
        assert m.report()["end"]["branches"]
    with Machine(npu=NPU) as m:
        m.load(RUNNER).run()
        assert m.explain() == ""


def test_the_host_and_limits_end_a_program(tmp_path):
    with Machine(npu=NPU, cyclelimit=5000) as m:
        m.load(RUNNER)
        assert m.run(cycle=4000) == Stop.TIME and m.run() == Stop.END
        assert m.end.reason == "CYCLE_LIMIT" and m.counts.cycles == 5000 and m.end.status == 124
    with Machine(npu=NPU) as m:
        m.load(RUNNER).run("main")
        m.end_run("time limit")
        assert m.run() == Stop.END and m.end.reason == "TIME_LIMIT" and m.report()["end"]["status"] == 124
        with pytest.raises(fvpsim.UsageError, match="cpu limit"):
            m.end_run("hunger")


def test_a_recorded_run_comes_again(machine, tmp_path):
    record = tmp_path / "run"
    machine.record().run(instruction=5000)
    machine.write_record(tmp_path / "part")
    machine.run()
    machine.write_record(record)
    with pytest.raises(fvpsim.UsageError, match="recorded or repeated"):
        machine.registers["r0"] = 1
    with Machine.replay(record, engine="switch", threads=2) as again:
        assert again.run("main") == Stop.ADDRESS and again.run() == Stop.END
        again.check_replay()
        assert again.counts == machine.counts and again.console() == machine.console() and again.operations == machine.operations
        with pytest.raises(fvpsim.UsageError, match="forked"):
            again.fork()
    with Machine.replay(tmp_path / "part") as again:
        assert again.run() == Stop.END and again.counts.instructions == 5000 and again.end.reason == "INTERRUPTED"
        again.check_replay()
    program = subprocess.run([programs.program(), "--quiet", "--replay", record], check=True, capture_output=True, text=True)
    assert program.stdout == machine.console()
    with Machine(npu=NPU) as late:
        late.load(RUNNER).run("main")
        with pytest.raises(fvpsim.UsageError, match="before its first run"):
            late.record()


def test_what_does_not_fit():
    with pytest.raises(fvpsim.UsageError, match="corstone"):
        Machine(board="corstone-999")
    with pytest.raises(fvpsim.UsageError, match="num_mac"):
        Machine(params={"ethosu.num_mac": 128})
    with Machine() as m, pytest.raises(fvpsim.UsageError):
        m.load("/none.elf")
    m = Machine()
    m.close()
    with pytest.raises(fvpsim.UsageError, match="closed"):
        m.run()


def test_machines_on_threads_are_apart():
    def one(_):
        with Machine(npu=NPU) as m:
            m.load(RUNNER).run()
            return m.counts, m.console()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = list(pool.map(one, range(6)))
    assert all(r == results[0] for r in results)


def running_apart(machine, pool):
    """A run without end on another thread, and where it counts."""
    machine.run("main")
    machine.memory.write(machine.registers["pc"], bytes.fromhex("0130fde7"))  # adds r0, #1; b to it
    run = pool.submit(machine.run)
    while not machine._calls._apart.locked():
        time.sleep(1e-3)
    time.sleep(0.05)
    return run


def test_a_machine_that_runs_on_another_thread_runs_once_and_can_be_closed(machine):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        run = running_apart(machine, pool)
        with pytest.raises(fvpsim.UsageError, match="a run is under way"):
            machine.run(cycle=1)
        machine.stop()
        assert run.result(10) == Stop.ASKED and machine.registers["r0"] > 0
        run = pool.submit(machine.run)
        while not machine._calls._apart.locked():
            time.sleep(1e-3)
        machine.close()  # waits for its end: the process died here
        assert run.result(10) == Stop.ASKED
        with pytest.raises(fvpsim.UsageError, match="closed"):
            machine.run()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_machine_has_no_copy_that_would_free_it(machine, copied):
    with pytest.raises(fvpsim.UsageError, match="fork"):
        copied(machine)
    assert machine.run("main") == Stop.ADDRESS


def test_a_watchpoint_stops_behind_what_writes_there(machine):
    machine.run("main")
    stack = machine.registers["sp"] - 64
    machine.watchpoint(stack, 64)
    assert machine.run() == Stop.WATCH and machine.watched == stack
    before = machine.counts.instructions
    assert machine.run() == Stop.WATCH and machine.counts.instructions > before
    machine.unwatch(stack)
    with pytest.raises(fvpsim.UsageError, match=f"no watchpoint begins at 0x{stack:08x}"):
        machine.unwatch(stack)
    assert machine.run() == Stop.END and machine.end.status == 0
    with pytest.raises(fvpsim.UsageError):
        machine.watchpoint(stack, reads=False, writes=False)


def test_what_happens_is_written(machine, tmp_path):
    machine.run("main")
    machine.trace(f"tarmac={tmp_path / 'main.txt'}")
    machine.profile(f"json={tmp_path / 'profile.json'}")
    begun = machine.counts
    machine.run()
    machine.end_traces()
    executed = [line for line in (tmp_path / "main.txt").read_text().splitlines() if " IT (" in line or " IS (" in line]
    assert len(executed) == machine.counts.instructions - begun.instructions
    functions = json.loads((tmp_path / "profile.json").read_text())["functions"]
    assert any(f["name"] == "main" for f in functions)
    with pytest.raises(fvpsim.UsageError, match="kinds:"):
        machine.trace("tarmak=x")
    with pytest.raises(fvpsim.UsageError, match="KIND=FILE"):
        machine.profile("flat")


def test_tensors_are_compared_with_an_earlier_run(tmp_path):
    with Machine(npu=NPU) as m:
        m.dump_layers(tmp_path)
        m.load(RUNNER).run()
        m.end_traces()
    last = sorted(tmp_path.glob("*ofm.npy"))[-1]
    values = np.load(last)
    np.save(last, values + 1)
    with Machine(npu=NPU) as m:
        m.compare_layers(tmp_path)
        m.load(RUNNER).run()
        with pytest.raises(fvpsim.DifferenceError, match=r"element \[0, 0, 0, 0\] of the OFM is -?\d+, expected"):
            m.end_traces()


def test_a_report_as_the_program_writes_it(tmp_path):
    with Machine(npu=NPU, report_jobs=True) as m:
        m.load(RUNNER).run()
        told, run = m.report(), m.as_run()
        cycles = m.counts.cycles
    assert told["end"]["reason"] == "EXIT" and told["cpu"]["cycles"] == run.cpu_cycles == cycles
    assert len(run.operations) == 9
    subprocess.run([programs.program(), "--quiet", "--elf", RUNNER, "--npu", NPU, "--report-jobs", "--report", tmp_path / "r"],
                   check=True, capture_output=True)
    theirs = json.loads((tmp_path / "r").read_text())
    assert theirs.pop("uart_bytes") == told.pop("uart_bytes") and theirs == told


def packet(text):
    return f"${text}#{sum(text.encode()) % 256:02x}".encode()


def test_a_debugger_is_served(machine, tmp_path):
    where = str(tmp_path / "socket")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        served = pool.submit(machine.debug, where)
        while not os.path.exists(where) and not served.done():
            time.sleep(0.01)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(where)
            client.sendall(packet("?"))
            answers = client.makefile("rb")
            assert answers.read(1) == b"+" and answers.read(1) == b"$" and answers.read(1) in b"ST"
            client.sendall(b"+" + packet("Z0,%x,2" % (machine.symbol("main") & ~1)) + packet("c"))
            said = b""
            while b"$T05" not in said and b"$S05" not in said:
                said += answers.read(1)
            client.sendall(b"+" + packet("D"))
            while b"$OK" not in said[-8:]:
                said += answers.read(1)
        assert served.result(60) == Stop.END
    assert machine.end.status == 0 and "PASS" in machine.console()
    assert any("gdb" in text for _, _, text in machine.messages)


@pytest.mark.parametrize("wrong", [
    lambda m: m.memory[-1], lambda m: m.memory[1 << 40], lambda m: m.secure[-4:0], lambda m: m.watchpoint(-4, 4), lambda m: m.breakpoint(-2, None),
    lambda m: m.describe(-1), lambda m: m.run(-2), lambda m: m.run(1 << 32), lambda m: m.run(cycle=-5), lambda m: m.run(instruction=1 << 70),
    lambda m: m.run(text="x", stream="nobody"), lambda m: m.type("x", "nobody"), lambda m: m.console("nobody"),
    lambda m: m.registers.__setitem__("r0", 1 << 32), lambda m: m.registers.__setitem__("d0", 1 << 64),
    lambda m: m.registers.__setitem__("r0", 1.0), lambda m: m.registers["r99"], lambda m: m.registers[3], lambda m: m.breakpoint(1.5),
    lambda m: m.memory.read(0x21000000, 16, object), lambda m: m.memory.read(0x21000000, 16, "numbers"), lambda m: m.memory[0:1 << 40],
    lambda m: m.memory.read(0x21000000, -1), lambda m: m.memory.write(0x21000000, "text"), lambda m: m.memory.write(0x21000000, [None]),
    lambda m: m.memory.__setitem__(slice(0x21000000, 0x21000002), [1.5, 2.5]), lambda m: m.memory.__setitem__(slice(0x21000000, 0x21000002), "ab"),
    lambda m: m.memory.__setitem__(slice(0x21000000, 0x21000004), float("nan")), lambda m: m.memory["main"],
])
def test_numbers_and_names_that_cannot_be_are_errors_of_ours(wrong):
    with fvpsim.Machine() as machine, pytest.raises(fvpsim.UsageError):
        wrong(machine)


def test_registers_take_negative_numbers_of_their_size():
    with fvpsim.Machine() as machine:
        machine.registers["r0"], machine.registers["d1"] = -1, -2
        assert machine.registers["r0"] == 0xffffffff and machine.registers["d1"] == (1 << 64) - 2


def test_registers_are_a_mapping_and_take_numpys_numbers():
    with fvpsim.Machine() as machine:
        assert "r0" in machine.registers and "r99" not in machine.registers and machine.registers.get("r99") is None
        with pytest.raises(KeyError, match="there is no register 'r99'"):
            machine.registers["r99"]
        machine.registers["r1"] = np.int32(-1)
        machine.memory[np.uint32(0x21000000):np.uint32(0x21000002)] = np.array([[1, 2]])
        assert machine.registers["r1"] == 0xffffffff and machine.memory[0x21000001] == 2

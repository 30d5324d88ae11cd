# SPDX-License-Identifier: Apache-2.0
"""A machine's state in another machine: twins, snapshots, and processes that were forked."""
import dataclasses
import os
import pickle

import pytest

import fvpsim
from fvpsim import Machine, Stop

RUNNER = os.environ.get("FVPSIM_RUNNER", "")
pytestmark = pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
NPU = "ethos-u55-128"
UART0_FILE = "mps3_board.uart0.out_file"
#: start: movs r0, #7 (READC); bkpt 0xab; mov r1, sp; strb r0, [r1]; cmp r0, #'!'; beq end; movs r0, #3 (WRITEC); bkpt 0xab; b start; end: b end
ECHO = bytes.fromhex("0720abbe69460870212802d00320abbef6e7fee7")


def test_a_fork_goes_on_as_its_origin(machine):
    machine.run(instruction=3000)
    twin = machine.fork()
    snapshot = machine.snapshot()
    machine.run()
    twin.run()
    assert twin.counts == machine.counts and twin.console() == machine.console() and twin.end == machine.end
    machine.restore(snapshot)
    assert machine.counts.instructions == 3000 and machine.end.reason == "NONE"
    machine.run()
    assert machine.counts == twin.counts
    twin.close()


@pytest.mark.parametrize("damage", ["a bit", "a cut", "more", "nothing"])
def test_a_damaged_snapshot_is_refused_and_changes_nothing(machine, damage):
    machine.run(instruction=3000)
    kept = pickle.loads(pickle.dumps(machine.snapshot()))
    state = {"a cut": kept.state[:-1], "more": kept.state + b"\0", "nothing": b""}.get(damage, bytearray(kept.state))
    for at in range(0, len(state), len(state) // 50) if damage == "a bit" else [None]:
        if at is not None:
            state[at] ^= 4
        with pytest.raises(fvpsim.UsageError, match="damaged|no saved state"):
            machine.restore(dataclasses.replace(kept, state=bytes(state)))
        if at is not None:
            state[at] ^= 4
    assert machine.counts.instructions == 3000 and machine.snapshot() == kept
    machine.restore(kept)


def test_a_fork_before_the_first_run_starts_as_its_origin(machine):
    twin, snapshot = machine.fork(), machine.snapshot()
    machine.run()
    twin.run()
    assert twin.counts == machine.counts and twin.console() == machine.console() and twin.end == machine.end
    machine.restore(snapshot)
    machine.run()
    assert machine.counts == twin.counts and machine.end == twin.end
    twin.close()


def test_what_was_typed_and_not_taken_is_part_of_the_state(machine):
    machine.run("main")
    machine.memory.write(machine.registers["pc"], ECHO)
    machine.type("abcd!")
    assert machine.run(text="b", stream="stdout") == Stop.TEXT
    snapshot = machine.snapshot()
    twin = machine.fork()
    for one in machine, twin:
        assert one.run(text="d", stream="stdout", cycle=10**6) == Stop.TEXT and one.console("stdout") == "abcd"
    twin.close()
    machine.type("left over")
    machine.restore(snapshot)
    assert machine.run(text="d", stream="stdout", cycle=10**6) == Stop.TEXT and machine.console("stdout") == "abcd"


def test_a_twin_leaves_the_files_of_the_first_alone(tmp_path):
    path = tmp_path / "uart0"
    with Machine(npu=NPU, params={UART0_FILE: path}) as m:
        m.load(RUNNER).run(text="NPU")
        with m.fork() as twin:
            m.run()
            twin.run()
            assert twin.console() == m.console()
    assert path.read_text() == m.console()


def test_a_machine_belongs_to_its_process(machine, tmp_path):
    machine.run("main")
    machine.trace(f"perfetto={tmp_path / 'trace'}")
    snapshot = machine.snapshot()
    machine.memory[0x21000000] = 7
    child = os.fork()
    if not child:
        status = 1
        try:
            with pytest.raises(fvpsim.UsageError, match=f"process {os.getppid()}"):
                machine.memory[0x21000000] = 99  # it is one memory
            with pytest.raises(fvpsim.UsageError, match="restore a snapshot"):
                machine.run()
            machine.close()  # completes no file
            with Machine(npu=NPU) as own:
                own.load(RUNNER).restore(snapshot)
                assert own.run() == Stop.END and own.end.status == 0
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert machine.memory[0x21000000] == 7
    machine.restore(snapshot)
    assert machine.run() == Stop.END and machine.end.status == 0
    machine.end_traces()
    assert (tmp_path / "trace").stat().st_size > 1000

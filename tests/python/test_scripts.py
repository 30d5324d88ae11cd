# SPDX-License-Identifier: Apache-2.0
"""Scripts behind the virtual interfaces, from Python: parameters, states, errors."""
import os
import sys

import pytest

import fvpsim
from fvpsim import Machine

VSI0_REGS, VIO_VALUES = 0x5FF00300, 0x5FEF0010
COUNTS = "count = 0\n\n\ndef rdRegs(index):\n    global count\n    count += index\n    return count\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "arm_vsi0.py").write_text(COUNTS)
    # the interpreter of these tests, whatever is called python3 elsewhere
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def word(machine, address):
    return int.from_bytes(machine.secure.read(address, 4), "little")


@pytest.mark.parametrize("name", ["scripts", "mps3_board.v_path"])
def test_by_either_name(folder, name):
    with Machine(params={name: str(folder)}) as m:
        assert [word(m, VSI0_REGS + 4 * 5), word(m, VSI0_REGS + 4 * 63)] == [5, 68]
        m.secure.write(VIO_VALUES, b"\1\2\3\4")
        assert word(m, VIO_VALUES) == 0x04030201, "there is no arm_vio.py"


def test_states(folder):
    with Machine(scripts=str(folder)) as m:
        fresh = m.snapshot()
        assert word(m, VSI0_REGS + 4) == 1
        with pytest.raises(fvpsim.UsageError, match="arm_vsi0.py has been called, and what it holds cannot be saved: save before .* VSI0"):
            m.snapshot()
        m.restore(fresh)
        assert word(m, VSI0_REGS + 4) == 1, "a fresh script"
        m.restore(fresh)
        with m.fork() as twin:
            assert [word(twin, VSI0_REGS + 4), word(twin, VSI0_REGS + 4), word(m, VSI0_REGS + 4)] == [1, 2, 1]


def test_errors(folder):
    with pytest.raises(fvpsim.UsageError, match="none: No such file"):
        Machine(scripts=str(folder / "none"))
    (folder / "arm_vsi3.py").write_text("def broken(:\n")
    with pytest.raises(fvpsim.UsageError, match="arm_vsi3.py, line 1: SyntaxError"):
        Machine(scripts=str(folder))
    (folder / "arm_vsi3.py").unlink()
    (folder / "arm_vsi0.py").write_text("def rdRegs(index):\n    return [][index]\n")
    with Machine(scripts=str(folder)) as m:
        assert word(m, VSI0_REGS) == 0
        assert "line 2, in rdRegs: IndexError" in str(m.messages[-1])
        m.run()
        assert m.end.reason == "SCRIPT" and m.end.status == 65

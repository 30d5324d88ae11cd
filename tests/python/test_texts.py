# SPDX-License-Identifier: Apache-2.0
"""Texts that C cannot take are refused: it would see them end at their first NUL, and another file or name would be meant."""
import pathlib

import pytest

import fvpsim
from fvpsim import Machine

NPU = "ethos-u55-128"
MODEL = pathlib.Path(__file__).parents[2] / "runtime" / "models" / "classifier_ethos-u55-128.tflite"

MADE = {
    "board": lambda text: Machine(board="corstone-300" + text),
    "npu": lambda text: Machine(npu=NPU + text),
    "parameter": lambda text: Machine(params={"npu" + text: NPU}),
    "keyword": lambda text: Machine(engine="step" + text),
    "replay": lambda text: Machine.replay("run.record" + text),
    "network": lambda text: fvpsim.Npu(NPU + text).run(MODEL),
    "memory": lambda text: fvpsim.Npu(NPU, memory="Ethos_U55_High_End_Embedded" + text).run(MODEL),
}
USED = {
    "load": lambda m, text: m.load("program.elf" + text),
    "data": lambda m, text: m.load(pathlib.Path("data.bin" + text), 0x31000000),
    "symbol": lambda m, text: m.symbol("main" + text),
    "until": lambda m, text: m.run("main" + text),
    "text": lambda m, text: m.run(text="NPU" + text, cycle=10),
    "trace": lambda m, text: m.trace("insn=trace.txt" + text),
    "layers": lambda m, text: m.dump_layers("layers" + text),
    "debug": lambda m, text: m.debug("./socket" + text),
    "register": lambda m, text: m.registers["r0" + text],
}

#: Of what is looked up in a list first.
REASONS = {"register": "there is no register"}


@pytest.mark.parametrize("text", ["\0", "\0more", "\ud800"])
@pytest.mark.parametrize("name", [*MADE, *USED])
def test_a_text_that_c_would_cut_is_refused(name, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reason = REASONS.get(name, "has a NUL" if "\0" in text else "cannot be written as UTF-8")
    with pytest.raises(fvpsim.UsageError, match=reason):
        if name in MADE:
            MADE[name](text)
        else:
            with Machine() as m:
                USED[name](m, text)
    assert not list(tmp_path.iterdir())


def test_other_letters_are_taken(tmp_path):
    path = tmp_path / "zwölf.bin"
    path.write_bytes(b"12")
    with Machine() as m:
        m.load(path, 0x31000000)
        m.load(bytes(path), 0x31000002)
        assert bytes(m.memory[0x31000000:0x31000004]) == b"1212"

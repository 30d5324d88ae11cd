# SPDX-License-Identifier: Apache-2.0
"""From models to cycles: compiled ones, and what the memory system does to them."""
import pathlib
import sys

import pytest

import fvpsim
from fvpsim.__main__ import main

ROOT = pathlib.Path(__file__).parents[2]
COMPILED = ROOT / "runtime" / "models" / "classifier_ethos-u55-128.tflite"
SOURCE = ROOT / "tests" / "golden" / "data" / "cnn.tflite"

INI = """[System_Config.Mine]
core_clock=500e6
axi0_port=Sram
axi1_port=OffChipFlash
Sram_clock_scale=1.0
Sram_burst_length=32
Sram_read_latency=32
Sram_write_latency=32
OffChipFlash_clock_scale={scale}
OffChipFlash_burst_length=128
OffChipFlash_read_latency=64
OffChipFlash_write_latency=64

[Memory_Mode.Mine]
const_mem_area=Axi1
arena_mem_area=Axi0
cache_mem_area=Axi0
"""


def mine(tmp_path, scale):
    path = tmp_path / f"{scale}.ini"
    path.write_text(INI.format(scale=scale))
    return {"config": str(path), "system_config": "Mine", "memory_mode": "Mine"}


def test_a_compiled_network_needs_no_compiler():
    e = fvpsim.estimate(COMPILED, "ethos-u55-128")
    assert e.cycles > 0 and e.run.operations and not e.vela


def test_the_memory_of_a_vela_ini_counts(tmp_path):
    cycles = [fvpsim.estimate(COMPILED, "ethos-u55-128", **mine(tmp_path, scale)).cycles for scale in (0.015625, 0.03125, 0.0625)]
    assert cycles[0] > cycles[1] > cycles[2]


def test_weights_in_sram_are_read_there():
    shared, alone = (fvpsim.estimate(COMPILED, "ethos-u55-128", memory_mode=mode).run for mode in ("Shared_Sram", "Sram_Only"))
    assert sum(op.port_bytes["port1_read"] for op in shared.operations) > 0
    assert sum(op.port_bytes["port1_read"] for op in alone.operations) == 0


def test_models_that_cannot_be_estimated(tmp_path, capsys):
    text = tmp_path / "text.tflite"
    text.write_text("a text, and no network at all")
    for arguments, reason in ((["estimate", str(text), "ethos-u55-128"], "neither a .tflite nor a .pte"),
                              (["estimate", str(tmp_path / "none"), "ethos-u55-128"], "cannot be read"),
                              (["estimate", str(COMPILED), "ethos-u55-256"], "ethos-u55-128"),
                              (["estimate", str(COMPILED), "ethos-u99-1"], "no accelerator of that name")):
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert reason in said and said.count("\n") == 1


@pytest.mark.parametrize("name, accelerator, mode", [("shared", "ethos-u55-128", "Shared_Sram"), ("dedicated", "ethos-u65-256", "Dedicated_Sram")])
def test_where_data_lies_is_seen_in_networks_of_older_compilers(name, accelerator, mode):
    """Two convolutions by Vela 4.5, which gives the fast scratch a tensor of its own in every mode."""
    path = COMPILED.parents[2] / "tests" / "npu" / "older" / f"{name}_{accelerator}.tflite"
    cycles = {named: fvpsim.estimate(path, accelerator, memory_mode=named).cycles for named in (None, "Shared_Sram", "Dedicated_Sram")}
    assert cycles[None] == cycles[mode] and cycles["Shared_Sram"] < cycles["Dedicated_Sram"]


def test_progress_is_shown(capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    fvpsim.estimate(COMPILED, "ethos-u55-128", progress=True)
    said = capsys.readouterr().err
    assert COMPILED.name in said and "0 of 1" in said and "one inference on ethos-u55-128" in said
    fvpsim.estimate(COMPILED, "ethos-u55-128")  # nobody looks: no terminal
    assert capsys.readouterr().err == ""


def test_vela_compiles_with_the_users_file_and_options(tmp_path):
    pytest.importorskip("ethosu.vela", reason="Vela is not installed")
    slow = fvpsim.estimate(SOURCE, "ethos-u55-128", **mine(tmp_path, 0.03125))
    fast = fvpsim.estimate(SOURCE, "ethos-u55-128", **mine(tmp_path, 1.0), options=["--optimise", "Size"])
    assert fast.cycles < slow.cycles and fast.vela["cycles_total"] < slow.vela["cycles_total"]
    with pytest.raises(fvpsim.CompileError, match="Vela"):
        fvpsim.estimate(SOURCE, "ethos-u55-128", system_config="Nothing")
    with pytest.raises(fvpsim.UsageError, match="give a list"):
        fvpsim.estimate(SOURCE, "ethos-u55-128", options="--optimise Size")
    assert fvpsim.estimate(SOURCE, "ethos-u55-128", **mine(tmp_path, 1.0), options=["--output-dir", str(tmp_path / "mine")]).cycles
    with pytest.raises(fvpsim.CompileError, match="it wrote no .*_vela.tflite"):
        fvpsim.estimate(SOURCE, "ethos-u55-128", options=["--output-format", "raw"])


def test_a_compiler_that_dies_is_an_error_with_its_last_words(tmp_path, monkeypatch):
    package = tmp_path / "ethosu" / "vela"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "vela.py").write_text("import os\ndef main(arguments):\n    os.write(2, b'inconsistent model\\n')\n    os.kill(os.getpid(), 11)\n")
    for name in [name for name in sys.modules if name.split(".")[0] == "ethosu"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(fvpsim.CompileError, match="died of SIGSEGV: inconsistent model"):
        fvpsim.estimate(SOURCE, "ethos-u55-128")

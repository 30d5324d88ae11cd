# SPDX-License-Identifier: Apache-2.0
"""The package carries what it promises."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import fvpsim
from fvpsim import programs, vela
from fvpsim.__main__ import main

ROOT = pathlib.Path(__file__).parents[2]


def test_every_name_of_an_fvp_is_a_command():
    tomllib = pytest.importorskip("tomllib", reason=f"Python {sys.version_info.minor} has no tomllib")
    names = set(re.findall(r'^N\("([^"]*)"', (ROOT / "sim/params/fvp_names.def").read_text(), re.MULTILINE))
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert set(scripts) == names | {"fvp-sim"} == {*programs.FVPS, "fvp-sim"}


def test_programs_under_the_names_of_fvps(tmp_path, capsys):
    for _ in range(2):
        assert main(["fvps", str(tmp_path / "models" / "Linux64")]) == 0
    found = sorted(path.name for path in (tmp_path / "models" / "Linux64").iterdir())
    assert found == sorted(programs.FVPS)
    said = subprocess.run([tmp_path / "models" / "Linux64" / "FVP_Corstone_SSE-320", "--version"], capture_output=True, text=True,
                          check=True, env={"PYTHONHOME": "/nothing/there"}).stdout
    assert "command line of the Corstone FVPs" in said
    (tmp_path / "file").write_text("")
    assert main(["fvps", str(tmp_path / "file")]) == 2 and capsys.readouterr().err.count("\n") == 1


def blocks(document):
    """The Python blocks of a document: indented, with a call of the package or a name from a block before."""
    found = re.findall(r"(?:^ {4}.*\n)+", (ROOT / document).read_text(), re.MULTILINE)
    return ["\n".join(line[4:] for line in text.splitlines()) for text in found
            if re.search(r"fvpsim\.(Npu|Machine|estimate)\(|zip\(profile", text)]


@pytest.mark.parametrize("document, count", [("README.md", 1), ("docs/guide/python.md", 5)])
def test_the_lines_of_the_documents_run(document, count, tmp_path, monkeypatch):
    runner = os.environ.get("FVPSIM_RUNNER", "")
    shutil.copy(ROOT / "runtime/models/classifier_ethos-u55-128.tflite", tmp_path / "model_vela.tflite")
    shutil.copy(ROOT / "tests/golden/data/cnn.tflite", tmp_path / "model.tflite")
    if runner:
        shutil.copy(runner, tmp_path / "runner.elf")
    monkeypatch.chdir(tmp_path)
    names = {"fvpsim": fvpsim, "np": np, "image": np.zeros((1, 24, 24, 3), np.int8)}
    texts = blocks(document)
    assert len(texts) == count
    for text in texts:
        if ("estimate(" in text and not vela.version()) or ("runner.elf" in text and not runner):
            continue  # not here: the compiler, or the runner image
        exec(text, names)  # noqa: S102

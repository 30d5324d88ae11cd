# SPDX-License-Identifier: Apache-2.0
"""The package carries what it promises."""
import pathlib
import re
import subprocess
import sys

import pytest

from fvpsim import programs
from fvpsim.__main__ import main

ROOT = pathlib.Path(__file__).parents[2]


def test_every_name_of_an_fvp_is_a_command():
    tomllib = pytest.importorskip("tomllib", reason=f"Python {sys.version_info.minor} has no tomllib")
    names = set(re.findall(r'^N\("([^"]*)"', (ROOT / "sim/fvp/fvp_names.def").read_text(), re.MULTILINE))
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

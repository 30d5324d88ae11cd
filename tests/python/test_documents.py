# SPDX-License-Identifier: Apache-2.0
"""The command lines of the documents that tests/style/doc_commands.py has for the Python package."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from fvpsim import programs, vela

ROOT = pathlib.Path(__file__).parents[2]
LIST = ROOT / "tests/style/doc_commands.py"


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A folder with what the commands read, and their programs; the function runs one there."""
    models = ROOT / "runtime/models"
    shutil.copy(models / "classifier_ethos-u55-128.tflite", tmp_path / "model_vela.tflite")
    for name in ("kws.tflite", "vww.tflite"):
        shutil.copy(ROOT / "tests/golden/data/cnn.tflite", tmp_path / name)
    plan = re.search(r"(?:^ {4}\w+ = \[.*\n)+", (ROOT / "docs/guide/python.md").read_text(), re.MULTILINE)[0]
    (tmp_path / "plan.toml").write_text(plan.replace("    ", ""))
    if os.environ.get("FVPSIM_RUNNER"):
        shutil.copy(os.environ["FVPSIM_RUNNER"], tmp_path / "runner.elf")
    (tmp_path / "bin").mkdir()
    for name, path in ("fvp-sim", programs.program()), ("python", sys.executable):
        (tmp_path / "bin" / name).write_text(f'#!/bin/sh\nexec "{path}" "$@"\n')
        (tmp_path / "bin" / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}

    def run(command):
        return subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True)

    # the reports that a comparison reads come from an earlier run
    for name in ("new", "base", "baseline"):
        done = run(f"fvp-sim npu --accelerator ethos-u55-128 --model model_vela.tflite --input zeros --layers --report {name}.json")
        assert done.returncode == 0, done.stderr
    return run


def test_the_commands_of_the_documents_run(shell, tmp_path):
    listed = subprocess.run([sys.executable, LIST, ROOT, "python package"], check=True, capture_output=True, text=True).stdout
    commands = listed.splitlines()
    assert len(commands) >= 12
    # parts of commands that need what may not be here: the compiler, the package for pages, the runner image
    missing = () if vela.version() else (" sweep ",)
    missing += () if importlib.util.find_spec("plotly") else (" sweep ", " report ")
    missing += () if (tmp_path / "runner.elf").exists() else ("runner.elf", " profile.json")
    for command in commands:
        if any(part in command for part in missing):
            continue
        done = shell(command)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    for name in ("summary.md", "comment.md"):
        assert "no regression" in (tmp_path / name).read_text()
    assert 'failures="0"' in (tmp_path / "result.xml").read_text()

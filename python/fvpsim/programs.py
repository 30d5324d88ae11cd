# SPDX-License-Identifier: Apache-2.0
"""The programs of this package, and runs of `fvp-sim npu` as a process of its own.

A process keeps a sweep alive whatever one point of it does; for values in and out there is `fvpsim.Npu`."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Sequence

from . import checks
from .errors import SimulationError, UsageError
from .runs import Run, parse


def program(name: str = "fvp-sim") -> str:
    """Path of an installed program: FVPSIM_PROGRAM, this package's own, beside the interpreter, on PATH."""
    own = os.path.join(os.path.dirname(__file__), "bin", name)
    beside = os.path.join(os.path.dirname(sys.executable), name)
    given = os.environ.get("FVPSIM_PROGRAM", "") if name == "fvp-sim" else ""
    for path in (given, own, beside, shutil.which(name) or ""):
        if path and os.access(path, os.X_OK):
            return path
    raise UsageError(f"{name} is not installed: pip install fvp-sim, or set FVPSIM_PROGRAM to the built program")


def main() -> None:
    """Entry of the commands `fvp-sim` and `FVP_...`: becomes the program of that name."""
    name = os.path.basename(sys.argv[0])
    path = program("fvp-sim")
    os.execv(path, [name, *sys.argv[1:]])


#: Names under which the program takes the options of Arm's simulators (sim/params/fvp_names.def).
FVPS = ("FVP_Corstone_SSE-300", "FVP_Corstone_SSE-300_Ethos-U55", "FVP_Corstone_SSE-300_Ethos-U65", "VHT_Corstone_SSE-300",
        "VHT_Corstone_SSE-300_Ethos-U55", "VHT_Corstone_SSE-300_Ethos-U65", "VHT_MPS3_Corstone_SSE-300", "FVP_Corstone_SSE-310",
        "FVP_Corstone_SSE-310_Ethos-U65", "VHT_Corstone_SSE-310", "VHT_Corstone_SSE-310_Ethos-U65", "FVP_Corstone_SSE-320",
        "VHT_Corstone_SSE-320", "VHT-Corstone-300", "VHT_Corstone_300", "FVP_Corstone-Polaris", "VHT_Corstone-Polaris",
        "FVP_Corstone_SSE-315", "VHT_Corstone_SSE-315")


def copy_fvps(folder: str | os.PathLike[str]) -> None:
    """Puts the program itself under all names of FVPs into a folder, for tools that take programs from there.

    The commands of the same names on PATH are Python scripts. They do not work where a tool sets PYTHONHOME for the Python
    inside Arm's simulators, as MLIA does for corstone-320."""
    folder = checks.path("folder", folder)
    source, first = program(), os.path.join(folder, FVPS[0])
    try:
        os.makedirs(folder, exist_ok=True)
        for name in FVPS:
            path = os.path.join(folder, name)
            if os.path.lexists(path):
                os.unlink(path)
            if name == FVPS[0]:
                shutil.copy(source, path)
            else:
                os.link(first, path)
    except OSError as e:
        raise UsageError(f"{folder}: cannot be filled: {e.strerror}") from e


def version() -> str:
    """What `fvp-sim --version` says first."""
    done = subprocess.run([program(), "--version"], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0].strip() if done.stdout else "unknown"


def run_network(model: str, accelerator: str, options: Sequence[str] = (), seconds: float = 600.0) -> Run:
    """Cycles of one inference of a compiled network, with zeros as inputs; `options` as of `fvp-sim npu`."""
    command = [program(), "npu", "--accelerator", accelerator, "--model", model, "--input", "zeros",
               "--report", "-", *options]
    if "--layers" not in command:
        command.append("--layers")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as e:
        raise SimulationError(f"{model}: no end within {seconds:g} seconds") from e
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"fvp-sim ended with {done.returncode}"])[-1]
        raise SimulationError(reason, done.returncode)
    return parse(model, done.stdout[done.stdout.index("{"):done.stdout.rindex("}") + 1])

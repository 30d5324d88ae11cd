# SPDX-License-Identifier: Apache-2.0
"""Compiles networks with Vela (package `ethos-u-vela`).

Its native part dies of some damaged models, and would take the user's Python with it: it has a process of its own. Starting one takes
0.35 s of a processor; processes that are there for points of a sweep, and may die, do without."""
from __future__ import annotations

import contextlib
import csv
import glob
import importlib.metadata
import importlib.util
import io
import os
import signal
import subprocess
import sys
from typing import Mapping, Sequence

from . import checks
from .errors import CompileError, UsageError

#: Defaults by family: what Vela's own documentation recommends for each.
SYSTEMS: Mapping[str, tuple[str, str]] = {
    "ethos-u55": ("Ethos_U55_High_End_Embedded", "Shared_Sram"),
    "ethos-u65": ("Ethos_U65_High_End", "Dedicated_Sram"),
    "ethos-u85": ("Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB"),
}

#: Does the compiler run in a process of its own?
APART = True

_RUN = "import sys; from ethosu.vela import vela; sys.exit(vela.main(sys.argv[1:]))"


def version() -> str:
    """Of the installed compiler; "" without one."""
    try:
        return importlib.metadata.version("ethos-u-vela")
    except importlib.metadata.PackageNotFoundError:
        return ""


def family_of(accelerator: str) -> str:
    """`ethos-u55` of `ethos-u55-128`."""
    family = checks.text("accelerator", accelerator).rpartition("-")[0]
    if family not in SYSTEMS:
        raise UsageError(f"{accelerator}: no accelerator of that name; expected ethos-u55-128 or the like")
    return family


def is_compiled(model: str | os.PathLike[str]) -> bool:
    """Does the file hold a command stream for an NPU already?"""
    path = checks.path("model", model)
    try:
        with open(path, "rb") as f:
            data = f.read()
    except OSError as e:
        raise UsageError(f"{path}: cannot be read: {e.strerror}") from e
    if data[4:8] == b"TFL3":
        return b"ethos-u" in data
    if data[4:6] == b"ET":
        return b"EthosUBackend" in data
    raise UsageError(f"{path}: neither a .tflite nor a .pte file")


def listed(options: Sequence[str]) -> list[str]:
    """Options as a list; whoever gives a line of them is told."""
    if isinstance(options, str):
        raise UsageError(f"options = {options!r}: give a list, {options.split()!r}")
    return checks.several("options", options, str)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "Vela gave no reason"


def _summary(folder: str) -> dict[str, float]:
    """The numbers of Vela's own summary: sizes in KiB, cycles as Vela estimates them."""
    for path in glob.glob(os.path.join(folder, "*_summary_*.csv")):
        with open(path, newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f):
                numbers = {}
                for key, value in row.items():
                    with contextlib.suppress(TypeError, ValueError):
                        numbers[key] = float(value)
                return numbers
    return {}


def _is_installed() -> bool:
    try:
        return importlib.util.find_spec("ethosu.vela") is not None
    except ModuleNotFoundError:
        return False


def _run_apart(arguments: Sequence[str]) -> tuple[object, str]:
    """Has Vela failed, and what it said."""
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", _RUN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", env=found, check=False)
    died = f"\ndied of {signal.Signals(-done.returncode).name}: {_last_line(done.stdout)}" if done.returncode < 0 else ""
    return done.returncode, done.stdout + died


def _run_here(arguments: Sequence[str]) -> tuple[object, str]:
    """The same inside this process."""
    from ethosu.vela import vela  # type: ignore[import-not-found, import-untyped, unused-ignore]
    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            return vela.main(arguments), text.getvalue()
    except SystemExit as e:
        return e.code, text.getvalue()
    except Exception as e:  # noqa: BLE001  the compiler's own errors have no common base
        return True, f"{type(e).__name__}: {_last_line(str(e))}"


def compile_model(model: str | os.PathLike[str], accelerator: str, folder: str, *, config: str | None = None,
                  system_config: str | None = None, memory_mode: str | None = None,
                  options: Sequence[str] = ()) -> tuple[str, dict[str, float]]:
    """Compiles a quantised `.tflite`; returns the compiled file in `folder` and the numbers of Vela's summary.

    `config` is a `vela.ini` of the user's (Vela's own otherwise); system configuration and memory mode are sections
    of it. `options` are passed on as they are."""
    if not _is_installed():
        raise UsageError("the network is not compiled, and Vela is not installed: pip install ethos-u-vela")
    default_system, default_mode = SYSTEMS[family_of(accelerator)]
    options = listed(options)
    arguments = [os.fspath(model), "--config", config or os.path.join("Arm", "vela.ini"), "--system-config", system_config or default_system,
                 "--memory-mode", memory_mode or default_mode, *options, "--output-dir", folder, "--accelerator-config", accelerator]
    failed, text = (_run_apart if APART else _run_here)(arguments)
    name = os.path.splitext(os.path.basename(os.fspath(model)))[0] + "_vela.tflite"
    path = os.path.join(folder, name)
    if failed or not os.path.exists(path):
        raise CompileError(f"{os.fspath(model)}: Vela {version()}: {_last_line(text) if failed else f'it wrote no {name}'}")
    return path, _summary(folder)

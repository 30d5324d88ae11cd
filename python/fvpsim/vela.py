# SPDX-License-Identifier: Apache-2.0
"""Compiles networks with Vela (package `ethos-u-vela`), inside this process."""
from __future__ import annotations

import contextlib
import csv
import glob
import importlib.metadata
import io
import os
from typing import Mapping, Sequence

from .errors import CompileError, UsageError

#: Defaults by family: what Vela's own documentation recommends for each.
SYSTEMS: Mapping[str, tuple[str, str]] = {
    "ethos-u55": ("Ethos_U55_High_End_Embedded", "Shared_Sram"),
    "ethos-u65": ("Ethos_U65_High_End", "Dedicated_Sram"),
    "ethos-u85": ("Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB"),
}


def version() -> str:
    """Of the installed compiler; "" without one."""
    try:
        return importlib.metadata.version("ethos-u-vela")
    except importlib.metadata.PackageNotFoundError:
        return ""


def family_of(accelerator: str) -> str:
    """`ethos-u55` of `ethos-u55-128`."""
    family = accelerator.rpartition("-")[0]
    if family not in SYSTEMS:
        raise UsageError(f"{accelerator}: no accelerator of that name; expected ethos-u55-128 or the like")
    return family


def is_compiled(model: str | os.PathLike[str]) -> bool:
    """Does the file hold a command stream for an NPU already?"""
    try:
        with open(model, "rb") as f:
            data = f.read()
    except OSError as e:
        raise UsageError(f"{os.fspath(model)}: cannot be read: {e.strerror}") from e
    if data[4:8] == b"TFL3":
        return b"ethos-u" in data
    if data[4:6] == b"ET":
        return b"EthosUBackend" in data
    raise UsageError(f"{os.fspath(model)}: neither a .tflite nor a .pte file")


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


def compile_model(model: str | os.PathLike[str], accelerator: str, folder: str, *, config: str | None = None,
                  system_config: str | None = None, memory_mode: str | None = None,
                  options: Sequence[str] = ()) -> tuple[str, dict[str, float]]:
    """Compiles a quantised `.tflite`; returns the compiled file in `folder` and the numbers of Vela's summary.

    `config` is a `vela.ini` of the user's (Vela's own otherwise); system configuration and memory mode are sections
    of it. `options` are passed on as they are."""
    try:
        from ethosu.vela import vela  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as e:
        raise UsageError("the network is not compiled, and Vela is not installed: pip install ethos-u-vela") from e
    default_system, default_mode = SYSTEMS[family_of(accelerator)]
    arguments = [os.fspath(model), "--output-dir", folder, "--accelerator-config", accelerator,
                 "--config", config or os.path.join("Arm", "vela.ini"), "--system-config", system_config or default_system,
                 "--memory-mode", memory_mode or default_mode, *options]
    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            failed = vela.main(arguments)
    except SystemExit as e:
        failed = e.code
    except Exception as e:  # noqa: BLE001  the compiler's own errors have no common base
        raise CompileError(f"{os.fspath(model)}: Vela {version()}: {type(e).__name__}: {_last_line(str(e))}") from e
    name = os.path.splitext(os.path.basename(os.fspath(model)))[0] + "_vela.tflite"
    path = os.path.join(folder, name)
    if failed or not os.path.exists(path):
        raise CompileError(f"{os.fspath(model)}: Vela {version()}: {_last_line(text.getvalue())}")
    return path, _summary(folder)

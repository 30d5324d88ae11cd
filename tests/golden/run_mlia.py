#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MLIA with this simulator as its backend corstone-300, -310 or -320, unchanged from the package index.

  run_mlia.py CACHE PROGRAM_DIRECTORY BACKEND TARGET MODEL

Installs mlia-ethos-u and Vela into a virtual environment, gives MLIA copies of the FVP-named programs alone
in a folder of their own (as `mlia backend install --path` wants them; it copies them once more), and checks
the report of `mlia check --performance` for MODEL.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from wheel import PACKAGE, fail, locked, pip

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
PROGRAMS = {"corstone-300": ["FVP_Corstone_SSE-300_Ethos-U55", "FVP_Corstone_SSE-300_Ethos-U65"],
            "corstone-310": ["FVP_Corstone_SSE-310", "FVP_Corstone_SSE-310_Ethos-U65"],
            "corstone-320": ["FVP_Corstone_SSE-320"]}
POSITIVE = ["npu_active_cycles", "npu_total_cycles", "npu_axi0_rd_data_beat_received",
            "npu_axi0_wr_data_beat_written", "npu_axi1_rd_data_beat_received"]


def mlia(venv, home, *arguments):
    environment = dict(os.environ, HOME=home, PATH=os.path.join(venv, "bin") + ":" + os.environ["PATH"])
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        environment.pop(name, None)
    done = subprocess.run([os.path.join(venv, "bin", "mlia"), *arguments], env=environment, cwd=home,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    print("$ mlia", " ".join(arguments), done.stdout, sep="\n")
    if done.returncode:
        fail(f"mlia {arguments[0]}: exit status {done.returncode}")
    return done.stdout


def install_backend(venv, home, programs, backend):
    folder = os.path.join(home, "fvp", "models", "Linux64_GCC-9.3")
    os.makedirs(folder)
    os.makedirs(os.path.join(home, "fvp", "python"))  # the real corstone-320 has one; MLIA copies it
    for name in PROGRAMS[backend]:
        shutil.copy(os.path.join(programs, name), os.path.join(folder, name))
    mlia(venv, home, "backend", "install", backend, "--path", os.path.join(home, "fvp"), "--noninteractive")


def find_metrics(report):
    """All {name: value} of the metrics lists anywhere in MLIA's JSON report."""
    found = {}
    if isinstance(report, dict):
        if "name" in report and "value" in report:
            found[report["name"]] = report["value"]
        report = list(report.values())
    if isinstance(report, list):
        for part in report:
            found.update(find_metrics(part))
    return found


def main():
    cache, programs, backend, target, model = sys.argv[1:]
    venv = os.path.join(cache, "mlia")
    with locked(cache):
        if not os.path.exists(os.path.join(venv, "bin", "vela")):
            pip(venv, "install", PACKAGE, "ethos-u-vela==5.2.0")
    with tempfile.TemporaryDirectory() as home:
        install_backend(venv, home, programs, backend)
        text = mlia(venv, home, "check", os.path.join(DATA, model), "-t", target, "-b", backend,
                    "--performance", "--json")
    start = text.find("{")
    found = find_metrics(json.loads(text[start:text.rindex("}") + 1])) if start >= 0 else {}
    print({name: found.get(name) for name in POSITIVE + ["npu_idle_cycles"]})
    if not all(found.get(name, 0) > 0 for name in POSITIVE):
        fail("the report lacks cycles or beats")
    if found["npu_active_cycles"] + found["npu_idle_cycles"] != found["npu_total_cycles"]:
        fail("active and idle cycles do not add up")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A part of ExecuTorch's own Arm suite on the FVP-named programs, by executorch_images.py.

  executorch_suite.py CACHE PROGRAM_DIRECTORY [FILE...]

FILEs are names in the suite's folder, without .py. FVP_SIM_EXECUTORCH_PYTHON names a Python with
executorch==1.4.1, torch, ethos-u-vela==5.1.0, tosa-tools and pytest; without one the test is skipped.
"""
import os
import subprocess
import sys

from wheel import skip

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ["ops/test_add", "ops/test_avg_pool2d", "ops/test_bmm", "ops/test_sigmoid", "ops/test_cat", "ops/test_slice"]
PROBE = ("import executorch.backends.arm.test as t, pytest, tosa_reference_model, torch, ethosu.vela; "
         "print(list(t.__path__)[0])")


def main():
    cache, programs = (os.path.abspath(path) for path in sys.argv[1:3])
    os.makedirs(cache, exist_ok=True)  # where it runs: a folder without modules that could hide installed ones
    python = os.environ.get("FVP_SIM_EXECUTORCH_PYTHON", sys.executable)
    probe = subprocess.run([python, "-c", PROBE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cache)
    if probe.returncode:
        skip(f"{python} lacks ExecuTorch's Arm suite: {probe.stderr.strip().splitlines()[-1]}")
    suite = probe.stdout.strip().splitlines()[-1]
    environment = dict(os.environ, FVP_SIM_IMAGES=cache, FVP_SIM_PROGRAMS=programs, PYTHONPATH=HERE, OMP_NUM_THREADS="1",
                       PATH=os.pathsep.join([programs, os.path.dirname(python), os.environ["PATH"]]))
    tests = [os.path.join(suite, name + ".py") for name in sys.argv[3:] or FILES]
    line = [python, "-m", "pytest", "-v", "-p", "executorch_images", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", suite,
            "-W", "ignore", "--tb=short", "--show-capture=no", *tests]
    sys.exit(subprocess.run(line, env=environment, cwd=cache).returncode)


if __name__ == "__main__":
    main()

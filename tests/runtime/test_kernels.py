#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels of the embedded runtime against PyTorch, with drawn operands.

    test_kernels.py LIBRUNTIME_HOST.so [--seed N] [--rounds N] [-k PART-OF-NAME] [--cache FOLDER]

Needs torch and executorch. When this Python lacks them, the one of FVP_SIM_EXECUTORCH_PYTHON is taken, else that of the
virtual environment in FOLDER, which tests/executorch/suite.py makes. Without any it ends with 77, which meson reports as
skipped.
"""
import argparse
import os
import sys


def other_python():
    """A Python that may have the packages and is not this one; None: there is none."""
    cache = sys.argv[sys.argv.index("--cache") + 1] if "--cache" in sys.argv[:-1] else ""
    found = os.environ.get("FVP_SIM_EXECUTORCH_PYTHON") or os.path.join(cache, "venv", "bin", "python")
    return found if os.path.exists(found) and "FVP_SIM_OTHER_PYTHON" not in os.environ else None


try:
    import cortex_m_cases  # noqa: F401 (adds its cases)
    import kernel_cases
    import layer_cases  # noqa: F401
    import position_cases  # noqa: F401
    import shape_cases  # noqa: F401
    from kernel_draw import Draw
    from kernel_rig import KernelError, Rig
except ImportError as missing:
    python = other_python()
    if python:
        os.execve(python, [python, *sys.argv], dict(os.environ, FVP_SIM_OTHER_PYTHON="1"))
    print(f"skipped: {sys.executable}: {missing}; set FVP_SIM_EXECUTORCH_PYTHON, or run tests/executorch/suite.py once")
    sys.exit(77)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("library")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rounds", type=int, default=8)
    options.add_argument("-k", default="")
    options.add_argument("--cache", help="folder with a virtual environment that has the packages")
    options = options.parse_args()
    rig, failed, calls = Rig(options.library), 0, 0
    for name, case in kernel_cases.CASES:
        if options.k not in name:
            continue
        for number in range(options.rounds):
            seed = hash((options.seed, number)) & 0x7fffffff
            draw = Draw(seed, rig)
            try:
                case(draw)
            except (AssertionError, KernelError) as error:
                failed += 1
                print(f"{name}, round {number}: {error}")
                break
            finally:
                calls += draw.calls
    print(f"{calls} calls, {failed} operators failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

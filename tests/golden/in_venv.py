#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a script of this folder in a virtual environment that has the model tools.

  in_venv.py CACHE SCRIPT ARGUMENT...
"""
import os
import sys

from wheel import locked, pip

PACKAGES = ("numpy==2.1.3", "ethos-u-vela==5.2.0", "ai-edge-litert==1.2.0")


def main():
    cache, script = sys.argv[1:3]
    tools = os.path.join(cache, "tools")
    with locked(cache):
        if not os.path.exists(os.path.join(tools, "bin", "vela")):
            pip(tools, "install", *PACKAGES)
    python = os.path.join(tools, "bin", "python")
    os.execv(python, [python, os.path.join(os.path.dirname(os.path.abspath(__file__)), script), *sys.argv[3:]])


if __name__ == "__main__":
    main()

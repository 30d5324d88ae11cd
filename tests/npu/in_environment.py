#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a script with the Python packages that it needs.

  in_environment.py CACHE SET SCRIPT [ARGUMENT...]

The packages are fetched once into a virtual environment below CACHE. Exit: the script's, or 77 when the package index
cannot be reached."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import wheel  # noqa: E402

SETS = {
    "tflite": ("numpy==2.1.3", "ethos-u-vela==5.2.0", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    # Older releases of the compiler: what corpus.py makes of them.
    "vela-3.8": ("numpy==1.26.4", "ethos-u-vela==3.8.0", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "vela-3.12": ("numpy==1.26.4", "ethos-u-vela==3.12.0", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "vela-4.0": ("numpy==1.26.4", "ethos-u-vela==4.0.1", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "vela-4.2": ("numpy==1.26.4", "ethos-u-vela==4.2.0", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "vela-4.4": ("numpy==1.26.4", "ethos-u-vela==4.4.1", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "vela-4.5": ("numpy==1.26.4", "ethos-u-vela==4.5.0", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "vela-5.1": ("numpy==2.1.3", "ethos-u-vela==5.1.0", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "vela-5.0": ("numpy==2.1.3", "ethos-u-vela==5.0.0", "ai-edge-litert==1.2.0", "tflite-micro==0.dev20261023182759"),
    "keras": ("numpy==2.1.3", "ethos-u-vela==5.2.0", "ai-edge-litert==1.2.0", "tensorflow-cpu==2.21.0",
              "tflite-micro==0.dev20261023182759"),
    "tosa": ("numpy==2.1.3", "ethos-u-vela==5.2.0", "tosa-tools==2026.8.0"),
    "executorch": ("torch==2.13.0", "executorch[ethos-u]==1.4.1", "tosa-tools==2026.5.0"),
    "torchvision": ("torch==2.13.0", "executorch[ethos-u]==1.4.1", "tosa-tools==2026.5.0", "torchvision==0.28.0"),
}


def main():
    cache, name, script = sys.argv[1:4]
    environment = os.path.join(cache, name)
    os.makedirs(cache, exist_ok=True)
    wheel.pip(environment, "install", "--quiet", *SETS[name])
    python = os.path.join(environment, "bin", "python")
    os.execv(python, [python, os.path.join(HERE, script), *sys.argv[4:]])


main()

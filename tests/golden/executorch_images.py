# SPDX-License-Identifier: Apache-2.0
"""pytest plug-in: ExecuTorch's Arm suite on Arm's released ExecuTorch runner images.

The suite wants a runner of its own, built from sources, that takes its files by semihosting. This puts the
images of the package mlia-ethos-u in its place: program and inputs go into memory, outputs come out of it. Programs
with plain numbers among their inputs, which the images do not take, run on the NPU alone.
Everything else, also which FVP is called, stays the suite's. Settings come from the environment:
FVP_SIM_IMAGES (cache of wheel.py) and FVP_SIM_PROGRAMS (folder of the FVP-named programs).
"""
import os
import subprocess

import numpy as np
import torch
from executorch.backends.arm.test import runner_utils

from run_image import PROGRAM, command
from wheel import image

LETTERS = {"corstone-300": "A", "corstone-320": "F"}
ACCELERATORS = {"corstone-300": "ethos-u55-128", "corstone-320": "ethos-u85-128"}
MACS = "128"  # of the suite's default compile specifications


def get_elf_path(target_board, use_portable_ops=False, build_dir_suffix=""):
    if target_board not in LETTERS:
        raise FileNotFoundError(f"no runner image for {target_board}")
    return image(os.environ["FVP_SIM_IMAGES"], LETTERS[target_board])


def output_bytes(program):
    """Size of each output in bytes."""
    values = [node.meta["val"] for node in program.graph_module.graph.output_node().args[0]]
    types = runner_utils._torch_to_numpy_dtype_dict
    return [v.numel() * np.dtype(types[v.dtype]).itemsize for v in values]


def on_image(target_board, elf_path, pte, given, dump, size, timeout):
    """Program and inputs in memory; the outputs, one behind the other, go to the file DUMP."""
    joined = pte + ".in"
    with open(joined, "wb") as f:
        for path in given:
            with open(path, "rb") as one:
                f.write(one.read())
    letter = LETTERS[target_board]
    line = command(os.path.join(os.environ["FVP_SIM_PROGRAMS"], PROGRAM[letter]), str(elf_path), MACS, pte)
    line += ["--data", f"{joined}@0x92000000", "--dump", f"{dump}@0x93000000,{size}", "--timelimit", str(timeout)]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode or "Inference completed." not in done.stdout:
        raise RuntimeError(f"Corstone simulation failed: status {done.returncode}\n{done.stdout}\n{done.stderr}")


def without_cpu(target_board, pte, given, dump, count):
    """The same by `fvp-sim npu`, for programs with plain numbers among their inputs: the images set tensors only."""
    folder = os.path.dirname(dump)
    line = [os.path.join(os.environ["FVP_SIM_PROGRAMS"], "fvp-sim"), "npu", "--accelerator", ACCELERATORS[target_board],
            "--model", pte, "--output", folder] + (["--input", ",".join(given)] if given else [])
    subprocess.run(line, check=True)
    with open(dump, "wb") as out:
        for i in range(count):
            with open(os.path.join(folder, f"output_{i}.bin"), "rb") as one:
                out.write(one.read())


def run_corstone(manager, inputs, intermediate_path, target_board, elf_path, timeout=120):
    program, folder = manager.exported_program(), str(intermediate_path)
    os.makedirs(folder, exist_ok=True)
    pte, dump = (os.path.join(folder, name) for name in ("program.pte", "outputs.bin"))
    with open(pte, "wb") as f:
        f.write(manager.buffer)
    files = runner_utils.save_inputs_to_file(program, inputs, folder)
    given = [path for path, value in zip(files, inputs) if isinstance(value, torch.Tensor)]
    sizes = output_bytes(program)
    if len(given) < len(files):
        without_cpu(target_board, pte, given, dump, len(sizes))
    else:
        on_image(target_board, elf_path, pte, given, dump, sum(sizes), timeout)
    with open(dump, "rb") as f:
        for i, size in enumerate(sizes):
            with open(os.path.join(folder, f"out-{i}.bin"), "wb") as out:
                out.write(f.read(size))
    return runner_utils.get_output_from_file(program, folder, "out")


# Before the suite's other modules take the names.
runner_utils.get_elf_path = get_elf_path
runner_utils.run_corstone = run_corstone


def pytest_collection_modifyitems(items):
    """One parameter of each function for Ethos-U55 and -U85, unless FVP_SIM_ALL is set."""
    seen = set()
    for item in list(items):
        function = item.nodeid.split("[")[0]
        if not ("_u55_" in function or "_u85_" in function) or (function in seen and "FVP_SIM_ALL" not in os.environ):
            items.remove(item)
        seen.add(function)

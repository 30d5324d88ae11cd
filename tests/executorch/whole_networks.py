#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole networks, exported by ExecuTorch with random weights, on our runner: their outputs against other computations.

  whole_networks.py CACHE BUILD [--target TARGET]... [NETWORK]...      (Python and packages as suite.py)

On an NPU the outputs must be those of the TOSA reference model, which runs the same quantised network, byte for byte. On
the processor alone they must be those of the cortex_m dialect in Python. How far they are from PyTorch's own quantised
network, which computes in float32, is counted in quanta, the steps of the network's last quantisation."""
import argparse
import itertools
import os
import sys
import tempfile

from programs import TARGETS, channels_last, for_npu, for_processor, in_memory, in_venv, quiet, run

# What the compiler of ExecuTorch 1.4.1 refuses, or PyTorch as the reference (a max pool of int8), and a part of their words
REFUSED = {("transformer", "cortex-m"): "ReplaceScalarWithTensorArgPass", ("resnet18", "cortex-m"): "input_depth"}


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cache")
    parser.add_argument("build")
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--keep", help="folder for programs, inputs and outputs")
    parser.add_argument("networks", nargs="*")
    return parser.parse_intermixed_args()


def quantum(network):
    """The step of the last quantisation before the output."""
    node = next(n for n in network.graph.nodes if n.op == "output").args[0]
    while not hasattr(node, "target") or "dequantize_per_tensor" not in str(node.target):
        node = node[0] if isinstance(node, (list, tuple)) else node.args[0]
    return float(node.args[1])


def counted(got, expected, step):
    """How many elements are how many quanta away: "12 equal, 3 by 1"; those more than 2 away are one number."""
    import numpy as np
    distances = np.rint(np.abs(got - expected) / step).astype(int)
    names = ("equal", "by 1", "by 2", f"by 3 to {distances.max()}")
    counts = np.bincount(np.minimum(distances, 3))
    return ", ".join(f"{n} {name}" for n, name in zip(counts, names) if n)


def check(a, name, target, folder):
    """A line of the report, and whether the outputs are those expected."""
    import numpy as np
    import torch
    from networks import network
    module, inputs = network(name)
    if target == "cortex-m":
        module, inputs = channels_last(module), tuple(map(channels_last, inputs))
    torch.manual_seed(11)
    with quiet(os.path.join(folder, "log")), torch.no_grad():
        program, expected, reference = (for_processor(module, inputs) if target == "cortex-m" else
                                        for_npu(target, module, inputs))
        first = expected[0] if isinstance(expected, (list, tuple)) else expected
        ours = np.frombuffer(run(a.build, target, program.buffer, inputs, folder)[0], np.float32)
        plain = torch.empty_like(first).copy_(reference(*inputs))  # in the same order
    step, wanted, plain = quantum(reference), in_memory(first), in_memory(plain)
    return f"{counted(ours, wanted, step)} | {counted(ours, plain, step)}", ours.tobytes() == wanted.tobytes()


def main():
    a = arguments()
    in_venv(a.cache, a.build)
    import logging
    import warnings
    from networks import NETWORKS
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    failed = 0
    print("| Network | Target | against TOSA's model, or the dialect | against PyTorch |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for name, target in itertools.product(a.networks or NETWORKS, a.target or TARGETS):
            folder = os.path.join(a.keep or temporary, f"{name}-{target}")
            os.makedirs(folder, exist_ok=True)
            refusal = REFUSED.get((name, target))
            try:
                line, good = check(a, name, target, folder)
                good = good and not refusal
            except Exception as error:  # a network that the compiler refuses must not end the report
                line, good = f"{type(error).__name__}: {error} |", bool(refusal) and refusal in str(error)
            failed += not good
            print(f"| {name} | {target} | {line} |{'' if good else ' FAILED'}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

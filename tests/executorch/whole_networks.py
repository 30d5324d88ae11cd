#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole networks, exported by ExecuTorch with random weights, on our runner: their outputs against other computations.

  whole_networks.py CACHE BUILD [--target TARGET]... [NETWORK]...      (Python and packages as suite.py)

On an NPU the outputs must be those of the TOSA reference model, which runs the same quantised network, byte for byte. On
the processor alone they must be those of the cortex_m dialect in Python. How far they are from PyTorch's own quantised
network, which computes in float32, is counted in quanta, the steps of the network's last quantisation."""
import argparse
import contextlib
import itertools
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# target: system configuration, memory mode, runner, options of the simulator
TARGETS = {
    "ethos-u55-128": ("Ethos_U55_High_End_Embedded", "Shared_Sram", "corstone-300", ["--npu", "ethos-u55-128"]),
    "ethos-u65-256": ("Ethos_U65_High_End", "Dedicated_Sram_384KB", "corstone-300-u65", ["--npu", "ethos-u65-256"]),
    "ethos-u85-256": ("Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB", "corstone-320",
                      ["--board", "corstone-320", "--npu", "ethos-u85-256"]),
    "cortex-m": (None, None, "corstone-300_cortex-m55", []),
}
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


def channels_last(x):
    """Tensor or module with images in this order; others stay as they are."""
    import torch
    is_image = not isinstance(x, torch.Tensor) or x.dim() == 4
    return x.to(memory_format=torch.channels_last) if is_image else x


def in_memory(tensor):
    """The elements as they lie in memory."""
    return tensor.as_strided((tensor.numel(),), (1,)).numpy()


def in_venv(a):
    """Starts this script again with a Python that has ExecuTorch."""
    from suite import Suite
    os.makedirs(a.cache, exist_ok=True)
    python, _ = Suite(a.cache, a.build, "arm").python()
    os.environ.update(FVP_SIM_IN_VENV="1", PATH=os.path.dirname(python) + os.pathsep + os.environ["PATH"])
    os.execv(python, [python, *sys.argv])


def quantised(module, inputs, quantizer):
    """PyTorch's quantised network, calibrated with inputs like the given ones."""
    import torch
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
    prepared = prepare_pt2e(torch.export.export(module, inputs).module(check_guards=False), quantizer)
    for _ in range(4):
        prepared(*[torch.randn_like(x) for x in inputs])
    prepared(*inputs)
    return convert_pt2e(prepared)


def quantum(network):
    """The step of the last quantisation before the output."""
    node = next(n for n in network.graph.nodes if n.op == "output").args[0]
    while not hasattr(node, "target") or "dequantize_per_tensor" not in str(node.target):
        node = node[0] if isinstance(node, (list, tuple)) else node.args[0]
    return float(node.args[1])


def for_npu(target, module, inputs):
    """(program, expected output, quantised network) for an Ethos-U."""
    import torch
    from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
    from executorch.backends.arm.quantizer import EthosUQuantizer, get_symmetric_quantization_config
    from executorch.backends.arm.test.runner_utils import TosaReferenceModelDispatch
    from executorch.backends.arm.tosa.compile_spec import TosaCompileSpec
    from executorch.backends.arm.tosa.partitioner import TOSAPartitioner
    from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
    system, memory, _, _ = TARGETS[target]
    spec = EthosUCompileSpec(target, system_config=system, memory_mode=memory)
    quantizer = EthosUQuantizer(spec)
    quantizer.set_global(get_symmetric_quantization_config())
    network = quantised(module, inputs, quantizer)

    def lowered(partitioner):
        return to_edge_transform_and_lower(torch.export.export(network, inputs), partitioner=[partitioner],
                                           compile_config=EdgeCompileConfig(_check_ir_validity=False))
    with TosaReferenceModelDispatch():
        expected = lowered(TOSAPartitioner(TosaCompileSpec(spec.tosa_spec))).exported_program().module()(*inputs)
    program = lowered(EthosUPartitioner(spec)).to_executorch(ExecutorchBackendConfig(extract_delegate_segments=False))
    return program.buffer, expected, network


def for_processor(module, inputs):
    """(program, expected output, quantised network) for the Cortex-M alone, whose convolutions want channels last."""
    import torch
    from executorch.backends.cortex_m.passes.cortex_m_pass_manager import CortexMPassManager
    from executorch.backends.cortex_m.quantizer.quantizer import CortexMQuantizer
    from executorch.backends.cortex_m.target_config import CortexM, CortexMTargetConfig
    from executorch.backends.cortex_m.test.tester import CortexMToEdge
    network = quantised(module, inputs, CortexMQuantizer())
    to_edge = CortexMToEdge()
    to_edge.run(torch.export.export(network, inputs))
    edge = to_edge.artifact
    passes = CortexMPassManager(edge.exported_program(), CortexMPassManager.pass_list,
                                target_config=CortexMTargetConfig(cpu=CortexM.M55))
    edge._edge_programs["forward"] = passes.transform()
    expected = edge.exported_program().module()(*inputs)
    return edge.to_executorch().buffer, expected, network


def run(a, target, program, inputs, folder):
    """The output that our runner writes."""
    import numpy as np
    _, _, runner, options = TARGETS[target]
    with open(os.path.join(folder, "p.pte"), "wb") as f:
        f.write(program)
    files = []
    for i, x in enumerate(inputs):
        in_memory(x).tofile(os.path.join(folder, f"i{i}.bin"))
        files += ["-i", f"i{i}.bin"]
    image = os.path.join(a.build, "runtime", f"semihosting-runner-{runner}.elf")
    done = subprocess.run([os.path.join(a.build, "fvp-sim"), "--quiet", "--elf", image, *options, "--semihosting-dir", folder,
                           "--semihosting-cmdline", " ".join(["executor_runner -m p.pte -o out", *files])],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise AssertionError(f"status {done.returncode}\n{done.stdout}")
    return np.fromfile(os.path.join(folder, "out-0.bin"), np.float32)


def counted(got, expected, step):
    """How many elements are how many quanta away: "12 equal, 3 by 1"; those more than 2 away are one number."""
    import numpy as np
    distances = np.rint(np.abs(got - expected) / step).astype(int)
    names = ("equal", "by 1", "by 2", f"by 3 to {distances.max()}")
    counts = np.bincount(np.minimum(distances, 3))
    return ", ".join(f"{n} {name}" for n, name in zip(counts, names) if n)


@contextlib.contextmanager
def quiet(path):
    """What libraries and the compiler print goes to a file."""
    shown = os.dup(1), os.dup(2)
    with open(path, "w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        try:
            yield
        finally:
            sys.stdout.flush()
            for number, fd in enumerate(shown, 1):
                os.dup2(fd, number)
                os.close(fd)


def check(a, name, target, folder):
    """A line of the report, and whether the outputs are those expected."""
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
        ours = run(a, target, program, inputs, folder)
        plain = torch.empty_like(first).copy_(reference(*inputs))  # in the same order
    step, wanted, plain = quantum(reference), in_memory(first), in_memory(plain)
    return f"{counted(ours, wanted, step)} | {counted(ours, plain, step)}", ours.tobytes() == wanted.tobytes()


def main():
    a = arguments()
    if "FVP_SIM_IN_VENV" not in os.environ:
        in_venv(a)
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
    sys.path.insert(0, HERE)
    sys.exit(main())

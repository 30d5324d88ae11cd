# SPDX-License-Identifier: Apache-2.0
"""Programs that ExecuTorch makes of PyTorch modules, for the processor and for NPUs, and their runs on our runners."""
import contextlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# target: system configuration, memory mode, runner, options of the simulator
TARGETS = {
    "ethos-u55-128": ("Ethos_U55_High_End_Embedded", "Shared_Sram", "corstone-300", ["--npu", "ethos-u55-128"]),
    "ethos-u65-256": ("Ethos_U65_High_End", "Dedicated_Sram_384KB", "corstone-300-u65", ["--npu", "ethos-u65-256"]),
    "ethos-u85-256": ("Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB", "corstone-320",
                      ["--board", "corstone-320", "--npu", "ethos-u85-256"]),
    "cortex-m": (None, None, "corstone-300_cortex-m55", []),
}


def in_venv(cache, build):
    """Starts the script again with a Python that has ExecuTorch, unless it has been done."""
    if "FVP_SIM_IN_VENV" in os.environ:
        return
    from suite import Suite
    os.makedirs(cache, exist_ok=True)
    python, _ = Suite(cache, build, "arm").python()
    os.environ.update(FVP_SIM_IN_VENV="1", PATH=os.path.dirname(python) + os.pathsep + os.environ["PATH"])
    os.execv(python, [python, *sys.argv])


def channels_last(x):
    """Tensor or module with images in this order; others stay as they are."""
    import torch
    is_image = not isinstance(x, torch.Tensor) or x.dim() == 4
    return x.to(memory_format=torch.channels_last) if is_image else x


def in_memory(tensor):
    """The elements as they lie in memory."""
    return tensor.as_strided((tensor.numel(),), (1,)).numpy()


def quantised(module, inputs, quantizer):
    """PyTorch's quantised network, calibrated with inputs like the given ones."""
    import torch
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
    prepared = prepare_pt2e(torch.export.export(module, inputs).module(check_guards=False), quantizer)
    for _ in range(4):
        prepared(*[torch.randn_like(x) for x in inputs])
    prepared(*inputs)
    return convert_pt2e(prepared)


def for_npu(target, module, inputs, is_wide=False):
    """(program, expected output, quantised network) for an Ethos-U; is_wide: values of 16 bits, weights of 8."""
    import torch
    from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
    from executorch.backends.arm.quantizer import (EthosUQuantizer, get_symmetric_a16w8_quantization_config,
                                                   get_symmetric_quantization_config)
    from executorch.backends.arm.test.runner_utils import TosaReferenceModelDispatch
    from executorch.backends.arm.tosa.compile_spec import TosaCompileSpec
    from executorch.backends.arm.tosa.partitioner import TOSAPartitioner
    from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
    system, memory, _, _ = TARGETS[target]
    spec = EthosUCompileSpec(target, system_config=system, memory_mode=memory)
    quantizer = EthosUQuantizer(spec)
    quantizer.set_global(get_symmetric_a16w8_quantization_config() if is_wide else get_symmetric_quantization_config())
    network = quantised(module, inputs, quantizer)

    def lowered(partitioner):
        return to_edge_transform_and_lower(torch.export.export(network, inputs), partitioner=[partitioner],
                                           compile_config=EdgeCompileConfig(_check_ir_validity=False))
    with TosaReferenceModelDispatch():
        expected = lowered(TOSAPartitioner(TosaCompileSpec(spec.tosa_spec))).exported_program().module()(*inputs)
    program = lowered(EthosUPartitioner(spec)).to_executorch(ExecutorchBackendConfig(extract_delegate_segments=False))
    return program, expected, network


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
    return edge.to_executorch(), expected, network


def run(build, target, program, inputs, folder):
    """The outputs that our runner writes, as bytes."""
    return outputs_of(build, target, os.path.join(build, "runtime", f"semihosting-runner-{TARGETS[target][2]}.elf"), program, inputs, folder)


def outputs_of(build, target, image, program, inputs, folder):
    """The outputs that a runner writes, as bytes. The program is a file's bytes; a bundled one brings its inputs (None)."""
    options = TARGETS[target][3]
    with open(os.path.join(folder, "p.pte"), "wb") as f:
        f.write(program)
    files = []
    for i, x in enumerate(inputs or ()):
        in_memory(x).tofile(os.path.join(folder, f"i{i}.bin"))
        files += ["-i", f"i{i}.bin"]
    done = subprocess.run([os.path.join(build, "fvp-sim"), "--quiet", "--elf", image, *options, "--semihosting-dir", folder,
                           "--semihosting-cmdline", " ".join(["executor_runner -m p.pte -o out", *files])],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        raise AssertionError(f"status {done.returncode}\n{done.stdout}")
    outputs = []
    while os.path.exists(path := os.path.join(folder, f"out-{len(outputs)}.bin")):
        with open(path, "rb") as f:
            outputs.append(f.read())
    return outputs


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

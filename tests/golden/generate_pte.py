#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the ExecuTorch programs, inputs and golden outputs for runs on Arm's released runner image.

  python3 -m venv venv && venv/bin/pip install torch==2.13.0 "executorch[ethos-u]==1.4.1"
  venv/bin/python generate_pte.py [OUTPUT_DIRECTORY]

pte_npu, pte_u85: an int8 convolution block lowered to the Ethos-U55-128 or U85-256 delegate, quantised and
dequantised on the CPU.
pte_cpu: a float network that runs on ExecuTorch's portable kernels.
NAME.in and NAME.out are float32; golden outputs come from PyTorch, for the
NPU from the quantised network run eagerly.
The results are committed.
"""
import os
import sys

import numpy as np
import torch
from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
from executorch.backends.arm.quantizer import EthosUQuantizer, get_symmetric_quantization_config
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
from torch import nn
from torch.export import export
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3, 2, 1)
        self.b = nn.Conv2d(8, 8, 3, 1, 1, groups=8)
        self.c = nn.Conv2d(8, 8, 1)

    def forward(self, x):
        x = torch.relu(self.a(x))
        return x + self.c(torch.relu(self.b(x)))


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x):
        return torch.softmax(self.b(torch.relu(self.a(x))), dim=-1)


def save(out, name, program, x, y):
    with open(os.path.join(out, name + ".pte"), "wb") as f:
        f.write(program.buffer)
    x.numpy().astype(np.float32).tofile(os.path.join(out, name + ".in"))
    y.detach().numpy().astype(np.float32).tofile(os.path.join(out, name + ".out"))
    print(name, len(program.buffer), "bytes, output", y.detach().flatten()[:6].tolist())


def backend():
    return ExecutorchBackendConfig(extract_delegate_segments=False)


def on_npu(out, name, target, system_config, memory_mode):
    x = torch.randn(1, 3, 16, 16)
    spec = EthosUCompileSpec(target=target, system_config=system_config, memory_mode=memory_mode)
    quantizer = EthosUQuantizer(spec)
    quantizer.set_global(get_symmetric_quantization_config())
    prepared = prepare_pt2e(export(Block().eval(), (x,)).module(check_guards=False), quantizer)
    for _ in range(4):
        prepared(torch.randn_like(x))
    prepared(x)
    converted = convert_pt2e(prepared)
    exported = export(converted, (x,))
    edge = to_edge_transform_and_lower(exported, partitioner=[EthosUPartitioner(spec)],
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    save(out, name, edge.to_executorch(config=backend()), x, exported.module()(x))


def on_cpu(out):
    x = torch.randn(1, 8)
    model = Mlp().eval()
    save(out, "pte_cpu", to_edge_transform_and_lower(export(model, (x,))).to_executorch(config=backend()), x, model(x))


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    torch.manual_seed(20261121)
    on_npu(out, "pte_npu", "ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")
    on_cpu(out)
    on_npu(out, "pte_u85", "ethos-u85-256", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram")


if __name__ == "__main__":
    main()

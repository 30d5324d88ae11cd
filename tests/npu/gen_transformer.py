#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a transformer encoder block (attention, layer norm, GELU; int8) as an ExecuTorch program for Ethos-U85.

  python3 -m venv venv && venv/bin/pip install torch==2.13.0 "executorch[ethos-u]==1.4.1"
  venv/bin/python gen_transformer.py OUT [--accelerator A] [--sequence S] [--width D] [--hidden H] [--heads N]

Writes OUT/transformer_SEED_ACCELERATOR with model.pte, accelerator, inS_0.bin and goldS_0.bin (int8). The golden outputs
come from the TOSA reference model (tosa-tools, which executorch brings along) of the graph that Vela was given."""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch
from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
from executorch.backends.arm.quantizer import EthosUQuantizer, get_symmetric_quantization_config
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
from executorch.exir.passes.quantize_io_pass import QuantizeInputs, QuantizeOutputs
from torch import nn
from torch.export import export
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from tosa.TosaGraph import TosaGraph


class Block(nn.Module):
    def __init__(self, width, hidden, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def split(self, x):
        return x.reshape(1, x.shape[1], self.heads, self.size).transpose(1, 2)

    def forward(self, x):
        n = self.norm1(x)
        q, k, v = self.split(self.q(n)), self.split(self.k(n)), self.split(self.v(n))
        weights = torch.softmax(torch.matmul(q, k.transpose(2, 3)) * self.size ** -0.5, dim=-1)
        x = x + self.o(torch.matmul(weights, v).transpose(1, 2).reshape(x.shape))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


def compile_block(a, work):
    """Program bytes and the folder of the TOSA graph."""
    shape = (1, a.sequence, a.width)
    spec = EthosUCompileSpec(target=a.accelerator, system_config="Ethos_U85_SYS_DRAM_Mid",
                             memory_mode="Dedicated_Sram_384KB")
    spec.dump_intermediate_artifacts_to(work)
    quantizer = EthosUQuantizer(spec)
    quantizer.set_global(get_symmetric_quantization_config())
    example = (torch.randn(shape),)
    model = Block(a.width, a.hidden, a.heads).eval()
    prepared = prepare_pt2e(export(model, example).module(check_guards=False), quantizer)
    for _ in range(4):
        prepared(torch.randn(shape))
    exported = export(convert_pt2e(prepared), example)
    edge = to_edge_transform_and_lower(exported, partitioner=[EthosUPartitioner(spec)],
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    edge = edge.transform([QuantizeInputs(edge, [0]), QuantizeOutputs(edge, [0])])
    return edge.to_executorch(config=ExecutorchBackendConfig(extract_delegate_segments=False)).buffer


def reference(work, x):
    """What the reference model makes of the graph for input x."""
    path = glob.glob(os.path.join(work, "output_tag0*.tosa"))[0]
    with open(path, "rb") as f:
        block = TosaGraph.GetRootAs(f.read(), 0).Regions(0).Blocks(0)
    np.save(os.path.join(work, "x.npy"), x)
    tool = os.path.join(os.path.dirname(sys.executable), "tosa_reference_model")
    subprocess.run([tool, "--tosa_file", path, "--flatbuffer_dir", work, "--output_dir", work, "--ifm_file", "x.npy",
                    "--ifm_name", block.Inputs(0).decode(), "--ofm_file", "y.npy",
                    "--ofm_name", block.Outputs(0).decode()], check=True, capture_output=True)
    return np.load(os.path.join(work, "y.npy")).astype(np.int8)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--accelerator", default="ethos-u85-256")
    for name, value in (("sequence", 64), ("width", 128), ("hidden", 256), ("heads", 4), ("seed", 1)):
        p.add_argument("--" + name, type=int, default=value)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    rng = np.random.default_rng(a.seed)
    out = os.path.join(a.out, f"transformer_{a.seed}_{a.accelerator}")
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        program = compile_block(a, work)
        for run in range(2):
            x = rng.integers(-128, 128, (1, a.sequence, a.width)).astype(np.int8)
            x.tofile(os.path.join(out, f"in{run}_0.bin"))
            reference(work, x).tofile(os.path.join(out, f"gold{run}_0.bin"))
    with open(os.path.join(out, "model.pte"), "wb") as f:
        f.write(program)
    with open(os.path.join(out, "accelerator"), "w") as f:
        f.write(a.accelerator + "\n")
    print(out, len(program), "bytes")


if __name__ == "__main__":
    main()

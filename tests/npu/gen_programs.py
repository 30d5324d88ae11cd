#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the ExecuTorch programs of tests/npu/programs, with inputs and golden outputs.

  in_environment.py CACHE executorch gen_programs.py OUTPUT

moved: delegates with permute, view, slice, cat and changes of the dimensions' order left between them; two inputs,
four outputs. methods: a method "encode" (its output is encode_0.bin) before "forward". numbers: plain numbers between and behind the inputs. Golden
outputs are those of the quantised network run eagerly; every float is written as it lies in memory."""
import os
import sys

import torch
from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
from executorch.backends.arm.quantizer import EthosUQuantizer, get_symmetric_quantization_config
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
from torch import nn
from torch.fx.passes.operator_support import OperatorSupportBase
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

TARGET = "ethos-u55-128"
LEFT = ("permute", "view", "slice", "cat", "dim_order")


class Leave(OperatorSupportBase):
    """Keeps what only moves data out of the delegates."""

    def is_node_supported(self, _, node):
        return not any(name in str(node.target) for name in LEFT)


class Moved(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c, self.d = (nn.Conv2d(i, o, 1) for i, o in ((3, 4), (2, 4), (6, 3), (3, 3)))
        self.line = nn.Linear(3 * 3 * 5, 6)

    def forward(self, x, y):
        both = torch.cat([self.a(x), self.b(y)], 1)
        part = self.c(both[:, 1:7, ::2])
        other = self.d(part.clone(memory_format=torch.channels_last))
        return self.line(part.reshape(1, -1)), self.d(part.permute(0, 1, 3, 2)), other, both.unsqueeze(0)


class Small(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.a = nn.Conv2d(2, channels, 3)

    def forward(self, x):
        return torch.relu(self.a(x))


class Numbers(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(2, 3, 1), nn.Conv2d(4, 3, 1)

    def forward(self, x, axis, y, factor, flip):
        both = torch.cat([self.a(x), self.b(y)], axis)
        return (both if flip else both.transpose(2, 3)) * factor


def quantise(module, inputs, spec):
    quantizer = EthosUQuantizer(spec)
    quantizer.set_global(get_symmetric_quantization_config())
    prepared = prepare_pt2e(torch.export.export(module.eval(), inputs).module(check_guards=False), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def as_in_memory(tensor):
    """The elements in the order in which they lie."""
    return tensor.detach().permute(tensor.dim_order()).contiguous().numpy()


def save(out, name, exported, forward, inputs, partitioner):
    edge = to_edge_transform_and_lower(exported, partitioner=[partitioner],
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    config = ExecutorchBackendConfig(extract_delegate_segments=False)
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.pte"), "wb") as f:
        f.write(edge.to_executorch(config).buffer)
    outputs = forward(*inputs)
    for kind, tensors in (("in", inputs), ("gold", outputs if isinstance(outputs, (list, tuple)) else [outputs])):
        for i, tensor in enumerate(t for t in tensors if isinstance(t, torch.Tensor)):
            as_in_memory(tensor).tofile(os.path.join(folder, f"{kind}_{i}.bin"))


def main():
    torch.manual_seed(20261122)
    spec = EthosUCompileSpec(TARGET)
    inputs = (torch.randn(1, 3, 6, 5), torch.randn(1, 2, 6, 5))
    moved = quantise(Moved(), inputs, spec)
    save(sys.argv[1], "moved", torch.export.export(moved, inputs), moved, inputs,
         EthosUPartitioner(spec, additional_checks=[Leave()]))
    inputs = (torch.randn(1, 2, 4, 4),)
    both = [quantise(Small(c), inputs, spec) for c in (3, 5)]
    save(sys.argv[1], "methods", dict(zip(("encode", "forward"), (torch.export.export(m, inputs) for m in both))),
         both[1], inputs, EthosUPartitioner(spec))
    as_in_memory(both[0](*inputs)).tofile(os.path.join(sys.argv[1], "methods", "encode_0.bin"))
    inputs = (torch.randn(1, 2, 3, 5), 2, torch.randn(1, 4, 2, 5), 0.75, True)
    numbers = quantise(Numbers(), inputs, spec)
    save(sys.argv[1], "numbers", torch.export.export(numbers, inputs), numbers, inputs, EthosUPartitioner(spec))


main()

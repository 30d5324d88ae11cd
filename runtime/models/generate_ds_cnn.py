#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the demonstration network ds_cnn_NPU.bpte: a depthwise separable network for spoken words (the shape of
MLPerf Tiny's DS-CNN, half as wide, random weights) from PyTorch by ExecuTorch, with an input and the outputs that
PyTorch's quantised model gives for it.

  generate_ds_cnn.py DIRECTORY

Needs torch 2.13.0 and executorch[ethos-u] 1.4.1."""
import os
import sys

import torch
from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
from executorch.backends.arm.quantizer import EthosUQuantizer, get_symmetric_quantization_config
from executorch.devtools import BundledProgram
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
from torch import nn
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

CHANNELS = 32
TARGETS = (("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram"),
           ("ethos-u65-256", "Ethos_U65_High_End", "Dedicated_Sram_384KB"),
           ("ethos-u85-256", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB"))


def block(inputs, outputs, kernel, **options):
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, **options), nn.BatchNorm2d(outputs), nn.ReLU())


def network():
    layers = [block(1, CHANNELS, (10, 4), stride=2, padding=(4, 1))]
    for _ in range(4):
        layers += [block(CHANNELS, CHANNELS, 3, padding=1, groups=CHANNELS), block(CHANNELS, CHANNELS, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(CHANNELS, 12)).eval()


def main():
    for target, system, memory in TARGETS:
        torch.manual_seed(1)
        model, example = network(), (torch.randn(1, 1, 49, 10),)
        spec = EthosUCompileSpec(target, system_config=system, memory_mode=memory)
        quantizer = EthosUQuantizer(spec)
        quantizer.set_global(get_symmetric_quantization_config())
        prepared = prepare_pt2e(torch.export.export(model, example).module(check_guards=False), quantizer)
        for _ in range(8):
            prepared(torch.randn(1, 1, 49, 10))
        prepared(*example)
        quantized = convert_pt2e(prepared)
        edge = to_edge_transform_and_lower(torch.export.export(quantized, example), partitioner=[EthosUPartitioner(spec)],
                                           compile_config=EdgeCompileConfig(_check_ir_validity=False))
        manager = edge.to_executorch(ExecutorchBackendConfig(extract_delegate_segments=False))
        suite = MethodTestSuite("forward", [MethodTestCase(example, (quantized(*example).detach(),))])
        data = serialize_from_bundled_program_to_flatbuffer(BundledProgram(manager, [suite]))
        path = os.path.join(sys.argv[1], f"ds_cnn_{target}.bpte")
        with open(path, "wb") as f:
            f.write(data)
        print(path, len(data))


if __name__ == "__main__":
    main()

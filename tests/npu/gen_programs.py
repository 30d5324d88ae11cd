#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the ExecuTorch programs of tests/npu/programs, with inputs and golden outputs.

  in_environment.py CACHE executorch gen_programs.py OUTPUT

moved: delegates with permute, view, slice, cat and changes of the dimensions' order left between them; two inputs,
four outputs. before_1_0, before_0_7: a delegate's payload as ExecuTorch 0.7 and 0.6 wrote it; turned.pte: as 0.5 did, and the backend is to
turn images; half.pte: inputs and outputs are float16. methods: a method "encode" (its output is encode_0.bin) before "forward". numbers: plain numbers between and behind the inputs. Golden
outputs are those of the quantised network run eagerly; every float is written as it lies in memory."""
import os
import struct
import sys
from unittest import mock

import torch
from executorch.backends.arm.ethosu import backend
from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
from executorch.backends.arm.quantizer import EthosUQuantizer, get_symmetric_quantization_config
from executorch.exir._serialize._program import deserialize_pte_binary, serialize_pte_binary
from executorch.exir.backend.compile_spec_schema import CompileSpec
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


class Half(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(6, 9)

    def forward(self, x):
        return self.line(x.float()).half()


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(2, 3, 3), nn.Linear(3, 4)

    def forward(self, x):
        y = torch.relu(self.a(x))
        return y, self.b(y.mean((2, 3)))


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


def older(payload, with_scratch):
    """A delegate's payload with tables of four sizes, zeros behind those that a tensor has; with_scratch: as many zeros as the
    scratch memory has bytes, for their number."""
    out, at = b"", 0
    while at < len(payload):
        name, length = payload[at:at + 16].rstrip(b"\0"), struct.unpack_from("<i", payload, at + 16)[0]
        data = payload[at + 32:at + 32 + length]
        at += 32 + (length + 15) // 16 * 16
        if name in (b"inputs", b"outputs"):
            words = struct.unpack(f"<{length // 4}i", data)
            table = [words[0]]
            for entry in (words[i:i + 9] for i in range(1, len(words), 9)):
                first = next((i for i in range(6) if entry[i] != 1), 5)
                table += [*entry[first:6], *[0] * (first - 2), *entry[6:]]
            data = struct.pack(f"<{len(table)}i", *table)
        elif name == b"scratch_size" and with_scratch:
            name, data = b"scratch_data", bytes(struct.unpack("<i", data)[0])
        out += name.ljust(16, b"\0") + struct.pack("<4i", len(data), 0, 0, 0) + data + bytes(-len(data) % 16)
    return out


def save_older(out, inputs):
    spec, compiled = EthosUCompileSpec(TARGET), backend.vela_compile
    module = quantise(Both(), inputs, spec)
    for name, with_scratch in (("before_1_0", False), ("before_0_7", True)):
        with mock.patch.object(backend, "vela_compile", lambda *a, **k: older(compiled(*a, **k), with_scratch)):
            save(out, name, torch.export.export(module, inputs), module, inputs, EthosUPartitioner(spec))


    pte = deserialize_pte_binary(open(os.path.join(out, "before_0_7", "model.pte"), "rb").read())
    pte.program.execution_plan[0].delegates[0].compile_specs.append(CompileSpec("permute_memory_format", b"nhwc"))
    with open(os.path.join(out, "turned.pte"), "wb") as f:
        f.write(bytes(serialize_pte_binary(pte)))


def save_half(out, inputs):
    spec = EthosUCompileSpec(TARGET)
    edge = to_edge_transform_and_lower(torch.export.export(quantise(Half(), inputs, spec), inputs), partitioner=[EthosUPartitioner(spec)],
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    with open(os.path.join(out, "half.pte"), "wb") as f:
        f.write(edge.to_executorch(ExecutorchBackendConfig(extract_delegate_segments=False)).buffer)


def main():
    torch.manual_seed(20261127)
    save_half(sys.argv[1], (torch.randn(2, 6).half(),))
    torch.manual_seed(20261127)
    save_older(sys.argv[1], (torch.randn(1, 2, 6, 5),))
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

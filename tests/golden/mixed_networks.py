#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks of which Vela leaves some operators on the CPU, on Arm's TFLM runner images.

  mixed_networks.py CACHE PROGRAM_DIRECTORY [COUNT [SEED [SCRATCH]]]

Needs a Python with numpy, ai-edge-litert==1.2.0 and ethos-u-vela==5.2.0 beside it (as generate_tflite.py). Each
network alternates operators for the NPU with ones for the CPU, has up to three inputs and several
outputs, and is compiled for one configuration after the other. Each runs as MLIA runs it; output bytes
must equal those of LiteRT's reference kernels. SCRATCH keeps the files of networks that differ.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert import schema_py_generated as tfl

from generate_tflite import OP, OPTIONS, compile_for, conv, dense, depthwise, pool, reshape, run_reference, softmax
from generate_tflite import Builder, activation
from run_image import PROGRAM, command
from wheel import image

# configuration: letters of the images that have it
TARGETS = {"ethos-u55-32": "BD", "ethos-u55-64": "BD", "ethos-u55-128": "BD", "ethos-u55-256": "BD",
           "ethos-u65-256": "CE", "ethos-u65-512": "CE", "ethos-u85-128": "G", "ethos-u85-256": "G",
           "ethos-u85-512": "G", "ethos-u85-1024": "G", "ethos-u85-2048": "G"}
LARGEST = 16 * 1024  # elements of a feature map: the arena is 2 MiB


class Network:
    """A chain of operators with joins; every step takes the last feature map (1, h, w, c) to a new one."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.b = Builder()
        self.b.rng = np.random.default_rng(seed + 1)
        self.shape = (1, int(self.rng.choice([6, 8, 12, 16])) * 2, int(self.rng.choice([4, 8, 10])) * 2,
                      int(self.rng.integers(1, 20)))
        self.inputs, self.outputs, self.names = [], [], []
        self.last = self.new_input()

    def new(self, shape, scale=0.05, zero_point=-5):
        return activation(self.b, f"t{len(self.b.tensors)}", shape, scale, zero_point)

    def new_input(self):
        self.inputs.append(self.new(self.shape))
        return self.inputs[-1]

    def plain(self, code, options_type, options, shape, version=1, constants=(), scale=0.05, zero_point=-5):
        self.b.versions[code] = version
        y = self.new(shape, scale, zero_point)
        self.b.operator(code, options_type, options, [self.last, *constants], [y])
        self.shape, self.last = shape, y

    def constant(self, values):
        return self.b.tensor(f"k{len(self.b.tensors)}", np.shape(values), tfl.TensorType.INT32, 1.0, 0,
                             np.array(values, np.int32))

    # for the NPU
    def conv(self):
        n, h, w, c = self.shape
        size, stride = int(self.rng.choice([1, 3, 5])), int(self.rng.choice([1, 1, 2]))
        shape = (n, -(-h // stride), -(-w // stride), int(self.rng.integers(1, 40)))
        y = self.new(shape)
        conv(self.b, f"conv{y}", self.last, y, (shape[3], size, size, c), stride, size * size * c)
        self.shape, self.last = shape, y

    def depthwise(self):
        y = self.new(self.shape)
        depthwise(self.b, f"dw{y}", self.last, y, self.shape[3])
        self.last = y

    def pool(self):
        n, h, w, c = self.shape
        if min(h, w) < 2:
            return self.depthwise()
        y = self.new((n, h // 2, w // 2, c))
        pool(self.b, self.rng.choice([OP.MAX_POOL_2D, OP.AVERAGE_POOL_2D]), self.last, y, 2, 2)
        self.shape, self.last = (n, h // 2, w // 2, c), y

    def join(self):
        other, y = self.new_input() if len(self.inputs) < 3 else self.last, self.new(self.shape, 0.09, 7)
        self.b.operator(OP.ADD, OPTIONS.AddOptions, tfl.AddOptionsT(), [self.last, other], [y])
        self.last = y
        self.depthwise()  # back to the common scale

    # for the CPU
    def space_to_depth(self):
        n, h, w, c = self.shape
        if h % 2 or w % 2:
            return self.normalise()
        o = tfl.SpaceToDepthOptionsT()
        o.blockSize = 2
        self.plain(OP.SPACE_TO_DEPTH, OPTIONS.SpaceToDepthOptions, o, (n, h // 2, w // 2, 4 * c))

    def depth_to_space(self):
        n, h, w, c = self.shape
        if c % 4:
            return self.normalise()
        o = tfl.DepthToSpaceOptionsT()
        o.blockSize = 2
        self.plain(OP.DEPTH_TO_SPACE, OPTIONS.DepthToSpaceOptions, o, (n, 2 * h, 2 * w, c // 4))

    def normalise(self):
        self.plain(OP.L2_NORMALIZATION, OPTIONS.L2NormOptions, tfl.L2NormOptionsT(), self.shape, 2, (), 1 / 128, 0)
        self.depthwise()

    def batches(self):
        """SPACE_TO_BATCH_ND and back, cropped: nothing between them."""
        n, h, w, c = self.shape
        if h % 2 or w % 2:
            return self.normalise()
        block, none = self.constant([2, 2]), self.constant([[0, 0], [0, 0]])
        self.plain(OP.SPACE_TO_BATCH_ND, OPTIONS.SpaceToBatchNDOptions, tfl.SpaceToBatchNDOptionsT(),
                   (4 * n, h // 2, w // 2, c), 1, (block, none))
        self.plain(OP.BATCH_TO_SPACE_ND, OPTIONS.BatchToSpaceNDOptions, tfl.BatchToSpaceNDOptionsT(),
                   (n, h, w, c), 1, (block, none))

    def gather(self):
        n, h, w, c = self.shape
        o = tfl.GatherOptionsT()
        o.axis = 3
        picked = self.rng.integers(0, c, int(self.rng.integers(1, 2 * c + 1)))
        self.plain(OP.GATHER, OPTIONS.GatherOptions, o, (n, h, w, len(picked)), 2, (self.constant(picked),))

    def head(self):
        n, h, w, c = self.shape
        flat, scores, y = self.new((1, h * w * c)), self.new((1, 10), 0.06, 0), self.new((1, 10), 1 / 256, -128)
        reshape(self.b, self.last, flat, (1, h * w * c))
        dense(self.b, f"fc{y}", flat, scores, h * w * c, 10, 0.05, 0.002)
        softmax(self.b, scores, y)
        self.outputs.append(y)

    def build(self):
        npu = [self.conv, self.depthwise, self.pool, self.join]
        cpu = [self.space_to_depth, self.depth_to_space, self.normalise, self.batches, self.gather]
        for _ in range(int(self.rng.integers(2, 5))):
            for steps, most in ((npu, 4), (cpu, 3)):
                for step in self.rng.choice(steps, int(self.rng.integers(1, most))):
                    step()
                    self.names.append(step.__name__)
                    if np.prod(self.shape) > LARGEST:
                        self.conv()
                        self.pool()
            if self.rng.random() < 0.4 and self.last not in self.inputs + self.outputs:
                self.outputs.append(self.last)
        self.conv()
        if self.rng.random() < 0.5:
            self.outputs.append(self.last)
        self.head()
        return self.b.finish(self.inputs, self.outputs)


def operators(path):
    with open(path, "rb") as f:
        model = tfl.ModelT.InitFromPackedBuf(f.read(), 0)
    graph = model.subgraphs[0]
    codes = [model.operatorCodes[o.opcodeIndex] for o in graph.operators]
    npu = sum(c.customCode == b"ethos-u" for c in codes)
    return npu, len(codes) - npu


def run(cache, programs, letter, accelerator, scratch, want):
    dump = os.path.join(scratch, "got")
    line = command(os.path.join(programs, PROGRAM[letter]), image(cache, letter), accelerator.rsplit("-", 1)[1],
                   os.path.join(scratch, f"net_{accelerator}.tflite"))
    line += ["--data", os.path.join(scratch, "in") + "@0x92000000", "--dump", f"{dump}@0x93000000,{len(want)}"]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    problem = re.search(r"(ERROR - .*|Didn't find op.*|Failed to .*)", done.stdout)
    if done.returncode or "Inference completed." not in done.stdout:
        return f"status {done.returncode}, {problem.group(0) if problem else done.stderr[-200:]}"
    with open(dump, "rb") as f:
        got = f.read()
    wrong = sum(a != b for a, b in zip(got, want))
    return f"{wrong} of {len(want)} bytes differ" if wrong else "equal"


def main():
    cache, programs = sys.argv[1:3]
    count, seed = (int(v) for v in (sys.argv[3:5] + ["22", "1"][len(sys.argv[3:5]):]))
    keep = sys.argv[5] if len(sys.argv) > 5 else None
    results = collections.Counter()
    for n in range(count):
        accelerator = list(TARGETS)[n % len(TARGETS)]
        with tempfile.TemporaryDirectory() as tmp:
            scratch = os.path.join(keep, str(seed + n)) if keep else tmp
            os.makedirs(scratch, exist_ok=True)
            network = Network(seed + n)
            model = network.build()
            given, want = run_reference(model, network.rng)
            for name, data in (("net.tflite", model), ("in", given), ("want", want)):
                with open(os.path.join(scratch, name), "wb") as f:
                    f.write(data)
            try:
                compile_for(accelerator, os.path.join(scratch, "net.tflite"), scratch)
            except subprocess.CalledProcessError:
                print(f"{seed + n} {accelerator}: Vela itself fails")
                continue
            npu, cpu = operators(os.path.join(scratch, f"net_{accelerator}.tflite"))
            for letter in TARGETS[accelerator]:
                result = run(cache, programs, letter, accelerator, scratch, want)
                results[result == "equal"] += 1
                print(f"{seed + n} {accelerator} image {letter}: {npu} parts on the NPU, {cpu} operators on the CPU, "
                      f"{len(network.inputs)} inputs, {len(network.outputs)} outputs: {result}"
                      + ("" if result == "equal" else " " + " ".join(network.names)), flush=True)
    print(f"{results[True]} equal, {results[False]} not")
    sys.exit(0 if results[True] and not results[False] else 1)


if __name__ == "__main__":
    main()

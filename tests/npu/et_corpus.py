#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch programs on the NPU model against the TOSA reference model.

  et_corpus.py FVP_SIM [--seed N] [--count N] [--modules a,b] [--kinds a,b] [--each N] [--keep DIR]

Each module of et_modules (torchvision's networks only with --modules) is quantised, lowered by ExecuTorch once for the
subset of U55 and U65 and once for U85 (to a .pte program for one of the accelerators), and the graphs are compiled by
ExecuTorch's Vela for every accelerator of the family. The program and every compiled graph must give the bytes of the TOSA
reference model. Runs in the package set `executorch` of in_environment.py, torchvision's networks in `torchvision`. Exit
status 1 when anything differs that is not explained, or nothing was compared."""
import argparse
import collections
import contextlib
import io
import os
import shutil
import sys
import tempfile
import warnings
import zlib

import numpy as np
import torch

import cases
import vela

# Modules of which Vela 5.1.0 compiles some seeds wrong, alike for every accelerator of a family (docs/evidence/npu-corpus.md).
COMPILER = {"transformer", "conformer", "llama", "mixer", "norm", "segmentation"}
FAMILIES = {"ethos-u55": [a for a in vela.ACCELERATORS if "u85" not in a],
            "ethos-u85": [a for a in vela.ACCELERATORS if "u85" in a]}


def lower(module, inputs, target, wide):
    """Quantises and lowers; returns the .pte and the TOSA graphs that were delegated."""
    from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner
    from executorch.backends.arm import quantizer as arm
    from executorch.backends.arm.tosa.backend import TOSABackend
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
    from executorch.exir.passes.quantize_io_pass import QuantizeInputs, QuantizeOutputs
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
    spec = EthosUCompileSpec(target)
    quantizer = arm.EthosUQuantizer(spec)
    quantizer.set_global(arm.get_symmetric_a16w8_quantization_config() if wide else
                         arm.get_symmetric_quantization_config())
    exported = torch.export.export(module.eval(), inputs)
    prepared = prepare_pt2e(exported.module(check_guards=False), quantizer)
    for _ in range(2):
        prepared(*(x * 1.2 for x in inputs))
    exported = torch.export.export(convert_pt2e(prepared), inputs)
    graphs, plain = [], TOSABackend._preprocess

    def keep(*a, **k):
        result = plain(*a, **k)
        graphs.append(result.processed_bytes)
        return result
    TOSABackend._preprocess = staticmethod(keep)
    try:
        edge = to_edge_transform_and_lower(exported, partitioner=[EthosUPartitioner(spec)],
                                           compile_config=EdgeCompileConfig(_check_ir_validity=False))
    finally:
        TOSABackend._preprocess = plain
    with contextlib.suppress(Exception):
        edge = edge.transform([QuantizeInputs(edge, list(range(len(inputs)))), QuantizeOutputs(edge, [0])])
    calls = [str(n.target) for n in edge.exported_program().graph.nodes if n.op == "call_function"]
    return edge.to_executorch().buffer, graphs, [c for c in calls if "executorch_call_delegate" not in c
                                                 and "getitem" not in c]


def shapes_of(graph):
    """(shape, numpy type) of the inputs of a TOSA graph."""
    import tosa_serializer  # noqa: F401  the reference model needs it
    from tosa.TosaGraph import TosaGraph
    from tosa.DType import DType
    kinds = {DType.INT8: np.int8, DType.INT16: np.int16, DType.INT32: np.int32, DType.BOOL: np.bool_}
    block = TosaGraph.GetRootAs(graph, 0).Regions(0).Blocks(0)
    tensors = {block.Tensors(i).Name(): block.Tensors(i) for i in range(block.TensorsLength())}
    return [(tensors[block.Inputs(i)].ShapeAsNumpy(), kinds[tensors[block.Inputs(i)].Type()])
            for i in range(block.InputsLength())]


def draw(rng, shape, kind):
    if kind == np.bool_:
        return rng.random(shape) < 0.5
    if kind == np.int32:
        return rng.integers(-1000, 1000, shape).astype(kind)
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    if rng.random() < 0.5:
        return rng.integers(low, high + 1, shape).astype(kind)
    return np.clip(rng.normal(0, high / 4, shape), low, high).astype(kind)


def reference(graph, inputs):
    import tosa_reference_model
    outputs, status = tosa_reference_model.run(graph, inputs, verbosity="NONE",
                                               initialize_variable_tensor_from_numpy=True)
    return outputs if status == tosa_reference_model.GraphStatus.TOSA_VALID else None


def judge(program, accelerator, model, work, inputs, golden):
    files = cases.save(work, "in", inputs)
    out = cases.simulate(program, accelerator, model, files, tempfile.mkdtemp(dir=work))
    if isinstance(out, str):
        return "ERROR " + out
    if out != cases.simulate(program, accelerator, model, files, tempfile.mkdtemp(dir=work), "--host-simd", "generic"):
        return "ERROR generic code differs"
    return "exact" if cases.same(out, golden) else "DIFFERS " + cases.distance(out, golden)


def explained(name, results):
    """The results of one graph, with the same difference everywhere put down to the compiler where it is known to err."""
    differences = {r.split(" ", 1)[1] for r in results}
    if name in COMPILER and len(differences) == 1 and "DIFFERS" in differences.pop():
        return [r.split()[0] + " explained" for r in results]
    return results


def run(program, name, seed, family, wide, keep):
    """Lines 'accelerator result' for one module."""
    from et_modules import MODULES
    warnings.simplefilter("ignore")
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    module, examples = MODULES[name](rng)
    accelerators = FAMILIES[family]
    target = accelerators[int(rng.integers(0, len(accelerators)))]
    lines = []
    with tempfile.TemporaryDirectory() as work, contextlib.redirect_stdout(io.StringIO()):
        pte, graphs, left = lower(module, examples, target, wide)
        if not graphs:
            return "- not delegated"
        for number, graph in enumerate(graphs):
            inputs = [draw(rng, *s) for s in shapes_of(graph)]
            golden = reference(graph, inputs)
            if golden is None:
                lines.append("- no reference")
                continue
            results = []
            if len(graphs) == 1 and not left:
                path = os.path.join(work, "model.pte")
                open(path, "wb").write(pte)
                results.append(f"{target}-pte {judge(program, target, path, work, inputs, golden)}")
            path = os.path.join(work, f"graph{number}.tosa")
            open(path, "wb").write(graph)
            for accelerator in accelerators:
                folder = os.path.join(work, accelerator)
                model = vela.compile_file(path, accelerator, vela.draw_options(rng, accelerator), folder)
                result = judge(program, accelerator, model, work, inputs, golden) if model else "refused"
                results.append(f"{accelerator} {result}")
            lines += explained(name, results)
        if keep and any("DIFFERS" in line or "ERROR" in line for line in lines):
            target = os.path.join(keep, f"{name}_{seed}_{family}_{'a16w8' if wide else 'int8'}")
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(work, target)
    return "\n".join(lines)


def main():
    from et_modules import USUAL
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=1)
    p.add_argument("--modules", default=",".join(USUAL))
    p.add_argument("--keep")
    p.add_argument("--kinds", default="u55,u85,u55-a16w8,u85-a16w8", help="accelerator family and width of activations")
    p.add_argument("--each", type=int, default=1, help="how many of the kinds, in turns, for each module and seed")
    a = p.parse_args()
    a.kinds = [("ethos-" + k[:3], k.endswith("a16w8")) for k in a.kinds.split(",")]
    import executorch.backends.arm.ethosu  # noqa: F401  loaded once, before the children
    import executorch.backends.arm.quantizer  # noqa: F401
    import executorch.exir  # noqa: F401
    counts = collections.Counter()
    for seed in range(a.seed, a.seed + a.count):
        for name in a.modules.split(","):
            start = zlib.crc32(f"{name} {seed}".encode())
            for family, wide in [a.kinds[(start + i) % len(a.kinds)] for i in range(min(a.each, len(a.kinds)))]:
                text = cases.isolated(run, os.path.abspath(a.program), name, seed, family, wide, a.keep)
                kinds = collections.Counter(" ".join(line.split()[1:2]) for line in text.splitlines())
                counts.update(kinds)
                print(name, seed, family, "a16w8" if wide else "int8", dict(kinds), flush=True)
                for line in text.splitlines():
                    if line.split()[1:2] not in (["exact"], ["explained"], ["refused"], ["not"], ["no"]):
                        print("   ", line, flush=True)
    print(dict(counts))
    return 0 if counts["exact"] and not counts["DIFFERS"] and not counts["ERROR"] else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One network compiled in many ways gives the same bytes: no reference is needed.

  option_corpus.py FVP_SIM [--seed N] [--count N] [--families a,b] [--jobs N] [--write DIR [--accelerators a,b]]

Every accelerator of a family (U55 and U65; U85) with every variant of VARIANTS: optimisation, arena sizes, memory
modes, with and without chaining, cascading, buffering, reuse. All outputs of a network must be equal within the
family. Runs in the package set `tflite` of in_environment.py. Exit status 1 when anything differs.

--write makes test data instead: in DIR/FAMILY_SEED the inputs, the outputs of LiteRT's reference kernels, and the
distinct compilations as ACCELERATOR_NUMBER.tflite, NUMBER being the place in SWITCHES."""
import argparse
import collections
import multiprocessing
import os
import sys
import tempfile

import cases
import vela
from networks import FAMILIES, accelerators_of

GROUPS = {"u55 and u65": [a for a in vela.ACCELERATORS if "u85" not in a],
          "u85": [a for a in vela.ACCELERATORS if "u85" in a]}
SWITCHES = ([], ["--disable-chaining"], ["--disable-fwd"], ["--disable-cascading"], ["--disable-buffering"],
            ["--disable-ifm-reuse"], ["--optimise", "Size"], ["--arena-cache-size", "4096"],
            ["--arena-cache-size", "40960"], ["--arena-cache-size", "409600"], ["--tensor-allocator", "LinearAlloc"],
            ["--cpu-tensor-alignment", "64"], ["--cop-format", "COP2"],
            ["--cop-format", "COP2", "--separate-io-regions"])
NETWORKS = ("conv", "conv_deep", "conv_wide", "conv_stride", "depthwise", "transpose_conv", "fully_connected",
            "avg_pool", "add", "mul", "softmax", "resize_bilinear", "concat", "split", "network", "elementwise_chain", "mobilenet",
            "resnet", "dscnn", "unet", "squeeze_excite", "attention", "temporal", "many_heads")


def variants(rng, accelerator):
    """Every switch with a memory mode and system drawn for it."""
    for switch in SWITCHES:
        system, modes = vela.SYSTEMS[accelerator[:9]][int(rng.integers(0, len(vela.SYSTEMS[accelerator[:9]])))]
        yield ["--system-config", system, "--memory-mode", str(rng.choice(modes)), *switch]


def run(program, family, seed, accelerators):
    """'N equal', 'refused' or 'DIFFERS ...'."""
    rng, blob, inputs = cases.make(family, seed)
    found = {}
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.tflite")
        open(path, "wb").write(blob)
        files = cases.save(work, "in", inputs[0])
        for accelerator in accelerators:
            for options in variants(rng, accelerator):
                model = vela.compile_file(path, accelerator, options, os.path.join(work, "vela"))
                if not model or not vela.only_npu(model):
                    continue
                out = cases.simulate(program, accelerator, model, files, os.path.join(work, "out"))
                if isinstance(out, str):
                    return f"ERROR {accelerator} {' '.join(options)}: {out}"
                found.setdefault(b"".join(out), []).append(f"{accelerator} {' '.join(options)}")
    if len(found) > 1:
        return "DIFFERS " + " / ".join(f"{len(names)} as {names[0]}" for names in found.values())
    return f"{len(next(iter(found.values())))} equal" if found else "refused"


def write(folder, family, seed, accelerators):
    """Test data: the network in every distinct compilation."""
    rng, blob, inputs = cases.make(family, seed)
    import references
    os.makedirs(folder, exist_ok=True)
    cases.save(folder, "in0", inputs[0])
    cases.save(folder, "gold0", references.golden(references.ORDER[0], blob, inputs[0]))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "model.tflite")
        open(path, "wb").write(blob)
        for accelerator in accelerators:
            seen = set()
            for number, options in enumerate(variants(rng, accelerator)):
                model = vela.compile_file(path, accelerator, options, os.path.join(work, "vela"))
                data = open(model, "rb").read() if model and vela.only_npu(model) else None
                if data and data not in seen:
                    seen.add(data)
                    open(os.path.join(folder, f"{accelerator}_{number:02}.tflite"), "wb").write(data)
    return "written"


def one(job):
    return job, cases.isolated(run, *job)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=1)
    p.add_argument("--families", default=",".join(NETWORKS))
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--write", metavar="DIR")
    p.add_argument("--accelerators", default=",".join(vela.ACCELERATORS))
    a = p.parse_args()
    if a.write:
        for family in a.families.split(","):
            print(cases.isolated(write, os.path.join(a.write, f"{family}_{a.seed}"), family, a.seed,
                                 accelerators_of(family, a.accelerators.split(","))))
        return 0
    assert set(a.families.split(",")) <= set(FAMILIES)
    jobs = [(os.path.abspath(a.program), family, seed, accelerators_of(family, group))
            for seed in range(a.seed, a.seed + a.count) for family in a.families.split(",")
            for group in GROUPS.values() if accelerators_of(family, group)]
    counts = collections.Counter()
    with multiprocessing.Pool(a.jobs) as pool:
        for (_, family, seed, group), result in pool.imap(one, jobs):
            first, last = result.split()[0], result.split()[-1]
            counts["networks" if last == "equal" else first] += 1
            counts["compilations"] += int(first) if last == "equal" else 0
            if last != "equal":
                print(family, seed, group[0][:9], result, flush=True)
    print(dict(counts))
    return 0 if counts["networks"] and set(counts) <= {"networks", "compilations", "refused"} else 1


if __name__ == "__main__":
    sys.exit(main())

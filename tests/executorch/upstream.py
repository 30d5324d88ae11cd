#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's own runner, built from its sources, beside ours: the outputs of both, byte for byte.

  upstream.py CACHE BUILD [--sources FOLDER] [--target TARGET]... [--random N] [--seed N] [--jobs N] [NETWORK]...

The networks are those of whole_networks.py, the random programs (200) those of random_programs.py for the processor. FOLDER (or
FVP_SIM_UPSTREAM) holds checkouts of the sources; no package registry has them. Without one of them nothing is compared: the script says
what it skips and ends with 77. What one of the runners refuses is counted apart."""
import argparse
import collections
import os
import sys

from programs import TARGETS, channels_last, for_npu, for_processor, in_venv, outputs_of, quiet
from upstream_build import SOURCES, Build, missing


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cache")
    parser.add_argument("build")
    parser.add_argument("--sources", default=os.environ.get("FVP_SIM_UPSTREAM"))
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--random", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("networks", nargs="*")
    return parser.parse_intermixed_args()


def made_networks(names, targets):
    """(name, target, bytes of the program, inputs, operators) of each network that the compiler takes."""
    import torch
    from networks import NETWORKS, network
    for name in names or NETWORKS:
        for target in targets:
            module, inputs = network(name)
            if target == "cortex-m":
                module, inputs = channels_last(module), tuple(map(channels_last, inputs))
            torch.manual_seed(11)
            with quiet(os.devnull), torch.no_grad():
                try:
                    program = (for_processor(module, inputs) if target == "cortex-m" else for_npu(target, module, inputs))[0]
                except Exception:  # whole_networks.py reports what the compiler refuses
                    continue
            yield name, target, program.buffer, inputs


def made_random(seeds):
    """The same of random programs; their bundles bring the inputs."""
    import torch
    from random_programs import drawn_program, for_runner
    for seed in seeds:
        module, inputs, is_open = drawn_program(seed, False)
        with quiet(os.devnull), torch.no_grad():
            try:
                file = for_runner(module, inputs, is_open, with_outputs=True)[0]
            except Exception:
                continue
        yield f"random {seed}", "cortex-m", file, None


def operators_of(file):
    """Names of the operators that a program, also one in a bundle, is made of."""
    from executorch.devtools.bundled_program.serialize import deserialize_from_flatbuffer_to_bundled_program as bundle
    from executorch.exir._serialize._program import deserialize_pte_binary
    if bytes(file[4:8]) == b"BP08":
        file = bundle(file).program
    plan = deserialize_pte_binary(file).program.execution_plan[0]
    return {f"{o.name}.{o.overload}" if o.overload else o.name for o in plan.operators}


def compared(a, runner, target, file, inputs, folder):
    """What came out: "equal", "differs", or who refused."""
    import torch
    board = TARGETS[target][2]
    inputs = inputs or (torch.zeros(4, dtype=torch.uint8),)  # upstream's runner wants one, even if a bundle brings its own
    results = []
    for who, image in (("ours", os.path.join(a.build, "runtime", f"semihosting-runner-{board}.elf")), ("upstream", runner)):
        own = os.path.join(folder, who)
        os.makedirs(own)
        try:
            results.append(outputs_of(a.build, target, image, file, inputs, own))
        except AssertionError as error:
            reason = [line for line in str(error).splitlines() if line.startswith(("E ", "F "))] or str(error).splitlines()
            return f"refused by {who}: {reason[0][:150]}"
    if [len(x) for x in results[0]] != [len(x) for x in results[1]]:
        return "differs: other sizes of outputs"
    different = sum(x != y for x, y in zip(b"".join(results[0]), b"".join(results[1])))
    return f"differs in {different} bytes" if different else "equal"


def main():
    a = arguments()
    gone = missing(a.sources) if a.sources else [f"{url}, commit {commit}" for url, commit, _ in SOURCES.values()]
    if gone:
        print("skipped: networks and random programs on ExecuTorch's own runner. Its sources are not there (--sources FOLDER):", *gone,
              sep="\n  ")
        return 77
    in_venv(a.cache, a.build)
    import logging
    import tempfile
    import warnings
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    targets, counts = a.target or list(TARGETS), collections.Counter()
    programs = list(made_networks(a.networks, targets))
    programs += list(made_random(range(a.seed, a.seed + a.random))) if "cortex-m" in targets else []
    wanted = set().union(*(operators_of(file) for _, _, file, _ in programs))
    runners = {target: Build(a.sources, os.path.join(a.cache, "upstream-" + target), sys.executable, target, wanted).run(a.jobs)
               for target in {"ethos-u55-128" if t == "cortex-m" else t for t in targets}}
    with tempfile.TemporaryDirectory() as temporary:
        for i, (name, target, file, inputs) in enumerate(programs):
            result = compared(a, runners["ethos-u55-128" if target == "cortex-m" else target], target, file, inputs,
                              os.path.join(temporary, str(i)))
            counts[result.split(":")[0].split(" in ")[0]] += 1
            print(f"{name}, {target}: {result}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return counts["differs"] > 0


if __name__ == "__main__":
    sys.exit(main())

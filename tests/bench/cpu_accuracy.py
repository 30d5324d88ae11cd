#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares --cpu-timing m55 and m85 with published cycles (silicon/published.csv) and prints the table of docs/evidence/timing-cpu.md.

    cpu_accuracy.py FVP_SIM WORK --slothy DIR --mldsa DIR --mldsa-m55 DIR --coremark DIR [--write ROOT]

The directories are checkouts of GitHub slothy-optimizer/slothy, pq-code-package/mldsa-native (with mldsa/ntt.c) and
eembc/coremark; a kernel whose checkout is not given is left out. --mldsa-m55: a folder with assembly of mldsa-native's pull requests
for the Cortex-M55 (1277, 1356, 1367, 1377), as GNU as takes it and without that project's macros: NAME.s defines the function NAME, for
the names in KERNELS; it includes SLOTHY's twiddles. Then the ranking: each kernel must take longer than the same in a better order of
instructions. --write: into the sources under ROOT. Needs arm-none-eabi-gcc."""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from accuracy import write_model, write_table  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SILICON, PROGRAMS = os.path.join(HERE, "silicon"), os.path.join(HERE, "programs")
COMMON = ["arm-none-eabi-gcc", "-mthumb", "-ffreestanding", "-nostdlib", "-w", "-T", os.path.join(HERE, "bench.ld"),
          "-I", PROGRAMS, os.path.join(PROGRAMS, "start.c"), os.path.join(SILICON, "decimal.c")]
SCALAR = ["-mcpu=cortex-m55+nomve.fp+nomve", "-fno-tree-loop-distribute-patterns"]
VECTOR = ["-mcpu=cortex-m55", "-mfloat-abi=hard"]
# The best of gcc's options that were tried.
COREMARK = ["-O3", "-flto", "-march=armv8.1-m.main+dsp", "-mtune=cortex-m7", "-funroll-all-loops", "-finline-limit=1000",
            "--param", "max-inline-insns-auto=200"]
ASSEMBLY = "examples/opt/armv8m/dilithium/ntt_dilithium_12_34_56_78_opt_m55.s"
TWIDDLES = "examples/naive/armv8m/dilithium"
KECCAK = VECTOR + ["-DCONSTANTS=keccak_constants"]
CONSTANTS, SCALE = (os.path.join(SILICON, name + ".c") for name in ("keccak_constants", "scale"))
# kernel -> checkout (or silicon: ours), function, argument, options, sources
KERNELS = {
    "keccak_m7": ("mldsa_m55", "keccak_m7", "state", KECCAK, [CONSTANTS, "keccak_m7.s"]),
    "keccak_m55": ("mldsa_m55", "keccak_m55", "state", KECCAK, [CONSTANTS, "keccak_m55.s"]),
    "intt_mve": ("mldsa_m55", "intt_m55", "polynomial", VECTOR, ["intt_m55.s"]),
    "intt_mve_c": ("mldsa_m55", "intt_scaled", "polynomial", VECTOR, [SCALE, "intt_plain.s"]),
    "restore_order": ("silicon", "restore_order", "polynomial", VECTOR, ["restore.c"]),
    "ntt_mve": ("slothy", "ntt_dilithium_12_34_56_78_opt_m55", "polynomial", VECTOR, [ASSEMBLY]),
    "ntt_12_34_56_78": ("slothy", "ntt_dilithium_12_34_56_78_opt_m55", "polynomial", VECTOR, [ASSEMBLY]),
    "ntt": ("mldsa", "dil_ntt", "polynomial", SCALAR, ["mldsa/reduce.c", "mldsa/ntt.c"]),
    "invntt": ("mldsa", "dil_invntt_tomont", "polynomial", SCALAR, ["mldsa/reduce.c", "mldsa/ntt.c"]),
}
# SLOTHY's loops -> core, file, size given to the function for 16 iterations. They are called with that size and with twice as much.
LOOPS = {f"magnitude_{n}": {core: (f"cmplx_mag_sqr/cmplx_mag_sqr_fx_unroll{n}_opt_{core}.s", 64 * n) for core in ("m55", "m85")}
         for n in (1, 2, 4)}
LOOPS |= {name: {core: (f"{file}_opt_{core.upper()}.s", 256) for core in ("m55", "m85")}
          for name, file in (("fft_fixed", "fx_r4_fft/fixedpoint_radix4_fft"), ("fft_float", "flt_r4_fft/floatingpoint_radix4_fft"))}
# SLOTHY's kernels for the M55, each from the slowest to the fastest: as written, scheduled for size, scheduled for speed.
RANKED = [[f"examples/{how}/armv8m/{name}{suffix}" for how, suffix in (("naive", ""), *(("opt", s) for s in scheduled))]
          for name, scheduled in (("dilithium/ntt_dilithium_12_34_56_78", ["_opt_m55"]),
                                  ("dilithium/ntt_dilithium_123_456_78", ["_opt_size_m55", "_opt_speed_m55"]),
                                  ("dilithium/ntt_dilithium_12_34_56_78_no_trans_vld4", ["_opt_m55"]),
                                  ("kyber/ntt_kyber_1_23_45_67", ["_opt_m55"]),
                                  ("kyber/ntt_kyber_1_23_45_67_no_trans", ["_opt_m55"]),
                                  ("kyber/ntt_kyber_12_345_67", ["_opt_size_m55", "_opt_speed_m55"]))]
# Kernels of the board that do the same, from the slowest to the fastest.
RANKED_ON_SILICON = {"keccak": ["keccak_m7", "keccak_m55"]}
# The board has this kernel's constants in ITCM, behind the code; its source puts them into .data.
CONSTANTS_IN_ITCM = ("ntt_mve",)


def in_itcm(sources, result):
    """The assembled sources, constants among the code."""
    subprocess.run(COMMON[:1] + VECTOR + ["-mthumb", "-c", "-o", result] + sources, check=True)
    subprocess.run(["arm-none-eabi-objcopy", "--rename-section", ".data=.rodata", "--set-section-alignment", ".data=16", result], check=True)
    return result


def build(kernel, args):
    """The image of a kernel, or None where its sources are not given."""
    image = os.path.join(args.work, kernel + ".elf")
    if kernel == "coremark":
        if not args.coremark:
            return None
        parts = ["core_list_join.c", "core_main.c", "core_matrix.c", "core_state.c", "core_util.c"]
        command = COMMON + COREMARK + ["-I", SILICON, "-I", args.coremark, os.path.join(SILICON, "coremark.c")] + \
            [os.path.join(args.coremark, p) for p in parts]
    else:
        checkout, function, argument, options, sources = KERNELS[kernel]
        root = SILICON if checkout == "silicon" else getattr(args, checkout)
        if not root:
            return None
        paths = [os.path.join(root, s) for s in sources]
        if checkout == "mldsa":  # one unit, so that the reduction is inlined, as on the board
            with open(os.path.join(args.work, "params.h"), "w") as f:
                f.write("#define N 256\n#define Q 8380417\n#define DILITHIUM_NAMESPACE(s) dil_##s\n")
            with open(os.path.join(args.work, "unit.c"), "w") as f:
                f.write("#define PARAMS_H\n#include \"%s/params.h\"\n" % os.path.abspath(args.work) +
                        "".join("#include \"%s\"\n" % os.path.abspath(p) for p in paths))
            paths = [os.path.join(args.work, "unit.c")]
        else:
            include = ["-I", os.path.join(args.slothy, TWIDDLES)] if args.slothy else []
            paths = include + [x for x in paths if x.endswith(".c")] + ["-x", "assembler-with-cpp"] + [x for x in paths if x.endswith(".s")]
        if kernel in CONSTANTS_IN_ITCM:
            paths = [in_itcm(paths, os.path.join(args.work, kernel + ".o"))]
        command = COMMON + ["-O3"] + options + ["-DKERNEL=" + function, "-DARGUMENT=" + argument,
                                                os.path.join(SILICON, "kernel.c")] + paths
    subprocess.run(command + ["-o", image, "-x", "none", "-lgcc"], check=True)
    return image


def assembled(args, image, source, include, *more):
    """The image of the function that a source of SLOTHY's defines."""
    with open(source) as f:
        function = re.search(r"^\s*\.global (\w+)", f.read(), re.M)[1]
    command = COMMON + ["-O3"] + VECTOR + ["-DKERNEL=" + function, "-DARGUMENT=polynomial", *more, os.path.join(SILICON, "kernel.c"),
                                           "-I", include, "-x", "assembler-with-cpp", source]
    path = os.path.join(args.work, image + ".elf")
    subprocess.run(command + ["-o", path, "-x", "none", "-lgcc"], check=True)
    return path


def estimate_loop(args, kernel, core):
    """Cycles of 16 iterations of one of SLOTHY's loops, without what is around it; None where its source is not given."""
    if not args.slothy:
        return None
    file, size = LOOPS[kernel][core]
    source = os.path.join(args.slothy, "examples/opt/armv8m", file)
    once, twice = (estimate(args.simulator, assembled(args, f"{kernel}_{core}_{n}", source, ".", f"-DSIZE={n * size}"), core) for n in (1, 2))
    return twice - once


def estimate(simulator, image, core):
    out = subprocess.run([simulator, "--quiet", "--elf", image, "--cpu-timing", core], check=True, capture_output=True, text=True)
    return int(out.stdout.split()[0])


def ranked(args):
    """Each kernel in several orders of instructions: its name and the estimates, from the slowest to the fastest."""
    if args.mldsa_m55:
        for name, kernels in RANKED_ON_SILICON.items():
            yield name, [estimate(args.simulator, build(kernel, args), "m55") for kernel in kernels]
    for variants in RANKED if args.slothy else []:
        folder = os.path.join(args.slothy, os.path.dirname(variants[0]))
        images = [assembled(args, os.path.basename(v), os.path.join(args.slothy, v + ".s"), folder) for v in variants]
        yield os.path.basename(variants[0]), [estimate(args.simulator, image, "m55") for image in images]


def ranking(args):
    """Lines of the table of kernels in several orders of instructions, and whether all are ranked right."""
    right, lines = True, ["| kernel | cycles, from the slowest to the fastest | ranking |", "|---|---|---|"]
    for name, cycles in ranked(args):
        ok = all(a > b for a, b in zip(cycles, cycles[1:]))
        right &= ok
        lines.append("| %s | %s | %s |" % (name, ", ".join(map(str, cycles)), "right" if ok else "wrong"))
    return lines, right


def comparison(args):
    """Lines of the table of published kernels, and the errors of each core and set."""
    errors, lines = {}, ["| kernel | core | set | published | estimated | error | published by |", "|---|---|---|---|---|---|---|"]
    with open(os.path.join(SILICON, "published.csv")) as f:
        for row in csv.DictReader(f):
            if row["kernel"] in LOOPS:
                cycles = estimate_loop(args, row["kernel"], row["core"])
            else:
                image = build(row["kernel"], args)
                cycles = estimate(args.simulator, image, row["core"]) if image else None
            if cycles is None:
                continue
            error = 100.0 * (cycles / int(row["cycles"]) - 1)
            errors.setdefault((row["core"], row["set"]), []).append(error)
            lines.append("| %s | %s | %s | %s | %d | %+.1f %% | %s |" % (row["kernel"], row["core"].upper(), row["set"], row["cycles"],
                                                                       cycles, error, row["published"]))
    lines += ["", "; ".join("%s, %s: mean %.1f %% over %d" % (core.upper(), kind, statistics.mean(map(abs, e)), len(e))
                            for (core, kind), e in sorted(errors.items())) + "."]
    return lines, errors


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("simulator")
    p.add_argument("work")
    for name in ("slothy", "mldsa", "mldsa-m55", "coremark", "write"):
        p.add_argument("--" + name)
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    table, errors = comparison(a)
    ranks, right = ranking(a)
    print("\n".join(table + [""] + ranks))
    if a.write:
        document = os.path.join(a.write, "docs/evidence/timing-cpu.md")
        write_table(document, "published kernels", table)
        write_table(document, "ranking", ranks)
        for core in ("m55", "m85"):
            write_model(a.write, core.upper(), "kernel", errors.get((core, "seen"), []) + errors.get((core, "unseen"), []))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())

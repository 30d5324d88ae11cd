#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed on real programs that the engine was not made for, beside QEMU.

    tests/bench/real.py [--fvp-sim build/fvp-sim] [--runs 3] [--half seen|unseen|both] [--sources DIR] [--cmsis-dsp DIR]
                         [--markdown FILE]

Fetches the programs' sources from Debian (apt-get source; nothing of them is kept here), compiles them with
arm-none-eabi-gcc -O2 for a Cortex-M55 without vectors and floating point, with the drivers of tests/bench/real, and runs
each in turns on fvp-sim, QEMU mps3-an547 and QEMU with -icount. Prints million guest instructions per second of user
and system time, best of the runs: gross, and net of what an empty program takes on the same simulator.

With a checkout of CMSIS-DSP a third table has its single-precision functions, with vectors.

The programs are two halves, chosen by their names before anything was measured: a name whose SHA-256 begins with an
even hexadecimal digit may be looked at while the engine is tuned, the others never. A check value that differs between
simulators fails the run."""
import argparse
import hashlib
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import bench

HERE = pathlib.Path(__file__).resolve().parent
# Debian source package: files of it (patterns), folders of headers, definitions.
PROGRAMS = {
    "zlib": (["adler32.c", "compress.c", "crc32.c", "deflate.c", "inf*.c", "trees.c", "uncompr.c", "zutil.c"], ["."], []),
    "bzip2": (["blocksort.c", "bzlib.c", "compress.c", "crctable.c", "decompress.c", "huffman.c", "randtable.c"], ["."],
              ["BZ_NO_STDIO"]),
    "lua5.4": (["src/l*.c", "!src/lua.c", "!src/luac.c"], ["src"], ["LUA_32BITS"]),
    "mbedtls": (["library/aes.c", "library/sha256.c", "library/sha512.c", "library/platform_util.c"], ["include", "library"],
                ["MBEDTLS_CONFIG_FILE=<real_mbedtls.h>"]),
    "libtommath": (["bn_*.c", "!bn_deprecated.c"], ["."], ["MP_NO_FILE", "MP_NO_DEV_URANDOM"]),
    "lz4": (["lib/lz4.c"], ["lib"], ["LZ4_HEAPMODE=1"]),
    "kissfft": (["kiss_fft.c"], ["."], ["FIXED_POINT=16"]),
    "mujs": (["one.c"], ["."], []),
    "cjson": (["cJSON.c"], ["."], []),
    "jansson": (["src/*.c"], ["src"], ["HAVE_STDINT_H", "USE_URANDOM=0", "USE_WINDOWS_CRYPTOAPI=0"]),
}
DSP = [f"Source/{x}.c" for x in (
    "BasicMathFunctions/arm_add_f32", "BasicMathFunctions/arm_dot_prod_f32", "BasicMathFunctions/arm_scale_f32",
    "CommonTables/arm_common_tables", "CommonTables/arm_const_structs", "CommonTables/arm_mve_tables",
    "ComplexMathFunctions/arm_cmplx_mag_squared_f32", "FilteringFunctions/arm_biquad_cascade_df1_f32",
    "FilteringFunctions/arm_biquad_cascade_df1_init_f32", "FilteringFunctions/arm_fir_f32", "FilteringFunctions/arm_fir_init_f32",
    "MatrixFunctions/arm_mat_mult_f32", "StatisticsFunctions/arm_mean_f32", "TransformFunctions/arm_bitreversal2",
    "TransformFunctions/arm_cfft_f32", "TransformFunctions/arm_cfft_init_f32", "TransformFunctions/arm_cfft_radix8_f32")]
VECTORS = {"cmsis-dsp": (DSP, ["Include", "PrivateInclude"], ["__GNUC_PYTHON__"])}  # the definition: without CMSIS-Core
FLAGS = ["-O2", "-mthumb", "-mcpu=cortex-m55+nofp+nomve", "-mfloat-abi=soft", "-ffunction-sections", "-fdata-sections", "-w",
         "-fno-tree-loop-distribute-patterns"]
VECTOR_FLAGS = [*FLAGS[:2], "-mcpu=cortex-m55", "-mfloat-abi=hard", *FLAGS[4:]]


def half(name):
    return "unseen" if int(hashlib.sha256(name.encode()).hexdigest()[0], 16) & 1 else "seen"


def apt_options(directory):
    """apt-get with the machine's own sources of packages, asked for sources of programs."""
    parts = directory / "parts"
    parts.mkdir(exist_ok=True)
    (directory / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    etc = pathlib.Path("/etc/apt")
    for file in [etc / "sources.list", *etc.glob("sources.list.d/*.list"), *etc.glob("sources.list.d/*.sources")]:
        if file.is_file():
            lines = file.read_text().splitlines()
            lines = ["Types: deb-src" if x.startswith("Types:") else "deb-src " + x[4:] if x.startswith("deb ") else x for x in lines]
            (parts / file.name).write_text("\n".join(lines) + "\n")
    return ["apt-get", "-qq", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={parts}", "-o",
            f"Dir::State::lists={directory / 'lists'}"]


def fetch(names, directory):
    """Unpacks each program's original source under its name."""
    apt = None
    for name in names:
        to = directory / name
        if to.is_dir():
            continue
        if not apt:
            apt = apt_options(directory)
            subprocess.run([*apt, "update"], check=True)
        with tempfile.TemporaryDirectory() as downloads:
            subprocess.run([*apt, "source", "--download-only", name], cwd=downloads, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            archive = next(x for x in pathlib.Path(downloads).glob("*.orig.tar.*") if x.suffix != ".asc")
            with tarfile.open(archive) as tar:
                top = os.path.commonprefix([x.name for x in tar.getmembers()]).split("/")[0]
                tar.extractall(downloads)
            shutil.move(os.path.join(downloads, top), to)
        prepare(name, to)


def prepare(name, source):
    """What a program's own build would have made."""
    if name == "mbedtls":
        (source / "include" / "real_mbedtls.h").write_text(
            "".join(f"#define MBEDTLS_{x}\n" for x in ("AES_C", "SHA256_C", "SHA512_C", "CIPHER_MODE_CBC")))
    if name == "jansson":
        absent = {"inline": "inline", "have_localeconv": "0", "have_atomic_builtins": "0", "have_sync_builtins": "0"}
        text = (source / "src" / "jansson_config.h.in").read_text()
        text = re.sub(r"@json_(\w+)@", lambda m: absent.get(m[1], "1"), text)
        (source / "src" / "jansson_config.h").write_text(text)
        (source / "src" / "jansson_private_config.h").write_text("#define INITIAL_HASHTABLE_ORDER 3\n")


def compile_program(name, source, out):
    files, folders, definitions = {**PROGRAMS, **VECTORS}.get(name, ([], [], []))
    flags = VECTOR_FLAGS if name in VECTORS else FLAGS
    chosen = sorted({x for p in files if p[0] != "!" for x in source.glob(p)} - {x for p in files if p[0] == "!" for x in source.glob(p[1:])})
    own = HERE / "real"
    subprocess.run(["arm-none-eabi-gcc", *flags, "-nostartfiles", "-Wl,--gc-sections", "-T", str(HERE / "bench.ld"), "-o", str(out),
                    *(f"-D{x}" for x in definitions), *(f"-I{source / x}" for x in folders), f"-I{own}",
                    str(HERE / "programs" / "start.c"), str(own / "libc.c"), str(own / f"{name}.c"), *map(str, chosen),
                    "-lm", "-lc", "-lgcc"], check=True)


def measure(args, names, directory):
    """name -> (instructions, {who: seconds}); an empty program first."""
    table = {who: run for who, run in bench.commands(args).items() if who != "fvp-sim m55"}
    results, ok = {}, True
    for name in ["empty", *names]:
        elf = os.path.join(directory, name + ".elf")
        compile_program(name, args.cmsis_dsp if name in VECTORS else args.sources / name, elf)
        seconds, values = {who: [] for who in table}, set()
        for _ in range(args.runs):
            for who, run in table.items():
                text, used = bench.timed(run(elf))
                seconds[who].append(used)
                values.add(text)
        if len(values) != 1 or "dead" in str(values):
            print(f"{name}: check values {sorted(values)}")
            ok = False
        results[name] = (bench.instructions(args, elf, directory), {who: min(s) for who, s in seconds.items()})
    return results, ok


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def table_text(results, names):
    nothing = results["empty"][1]
    others = [who for who in nothing if who != "fvp-sim"]
    lines = ["| program | million instructions | fvp-sim net (gross) | " + " | ".join(f"{x} net (gross)" for x in others) + " | " +
             " | ".join(f"net against {x}" for x in others) + " |", "|---" * (3 + 2 * len(others)) + "|"]
    ratios = {x: [] for x in others}
    for name in names:
        count, seconds = results[name]
        net = {who: max(s - nothing[who], 1e-3) for who, s in seconds.items()}
        cells = [f"{count / net[who] / 1e6:.0f} ({count / max(seconds[who], 1e-3) / 1e6:.0f})" for who in ["fvp-sim", *others]]
        for x in others:
            ratios[x].append(net[x] / net["fvp-sim"])
        lines.append(f"| {name} | {count / 1e6:.0f} | " + " | ".join(cells + [f"{ratios[x][-1]:.2f}" for x in others]) + " |")
    lines.append("| geometric mean | | " + "| " * (1 + len(others)) + " | ".join(f"{mean(ratios[x]):.2f}" for x in others) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fvp-sim", default=str(HERE.parent.parent / "build" / "fvp-sim"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--half", choices=["seen", "unseen", "both"], default="both")
    parser.add_argument("--sources", type=pathlib.Path, help="keeps the sources there for the next time")
    parser.add_argument("--cmsis-dsp", type=pathlib.Path, help="a checkout of it")
    parser.add_argument("--markdown", help="also write the tables to this file")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        args.sources = args.sources or pathlib.Path(directory) / "sources"
        args.sources.mkdir(parents=True, exist_ok=True)
        halves = ["seen", "unseen"] if args.half == "both" else [args.half]
        names = [x for h in halves for x in PROGRAMS if half(x) == h]
        vectors = list(VECTORS) if args.cmsis_dsp else []
        fetch(names, args.sources)
        results, ok = measure(args, names + vectors, directory)
    text = "\n\n".join(f"{h}:\n\n" + table_text(results, [x for x in names if half(x) == h]) for h in halves)
    if vectors:
        text += "\n\nwith vectors:\n\n" + table_text(results, vectors)
    print(f"{bench.processor()}, best of {args.runs} runs, million instructions per second\n\n{text}")
    if args.markdown:
        pathlib.Path(args.markdown).write_text(text + "\n")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())

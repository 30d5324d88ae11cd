#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmark programs: build.sh OUTPUT_DIRECTORY
set -eu
here=$(dirname "$0")
out=$1
mkdir -p "$out"
start=$out/start.o
trap 'rm -f "$start"' EXIT

# compile NAMES OPTIONS...
compile() {
	names=$1
	shift
	set -- -O3 -mthumb -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib -Wall -Wextra "$@"
	arm-none-eabi-gcc "$@" -c "$here/programs/start.c" -o "$start"
	for name in $names; do
		arm-none-eabi-gcc "$@" -T "$here/bench.ld" -o "$out/$name.elf" "$start" "$here/programs/$name.c" -lgcc
	done
}

# Without MVE, so that integer code stays integer code.
compile "mix crc32 list recursion interpreter loops selfmod crossing exits unaligned switches" -mcpu=cortex-m55+nomve.fp+nomve
compile "dot8 float constants" -mcpu=cortex-m55 -mfloat-abi=hard

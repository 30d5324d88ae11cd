#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmark programs: build.sh OUTPUT_DIRECTORY
set -eu
here=$(dirname "$0")/programs
out=$1
mkdir -p "$out"

# compile NAME OPTIONS
compile() {
	name=$1
	shift
	arm-none-eabi-gcc -O3 -mthumb -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib -Wall -Wextra \
		-T "$(dirname "$0")/bench.ld" "$@" -o "$out/$name.elf" "$here/start.c" "$here/$name.c" -lgcc
}

for name in mix crc32 list recursion interpreter loops selfmod crossing exits unaligned switches; do
	# Without MVE, so that integer code stays integer code.
	compile "$name" -mcpu=cortex-m55+nomve.fp+nomve
done
for name in dot8 float constants; do
	compile "$name" -mcpu=cortex-m55 -mfloat-abi=hard
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Output that README.md shows is what the programs print. Usage: readme.sh PROGRAM RUNNER-ELF SOURCE-ROOT
set -euo pipefail
program=$1 elf=$2 root=$3
models=$root/runtime/models
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
missing=0

# Every line of standard input must stand in the README, indented.
shown() {
	while IFS= read -r line; do
		grep -qxF "    $line" "$root/README.md" || { echo "README.md does not show: $line"; missing=1; }
	done
}

shown < <("$program" --quiet --elf "$elf" --npu ethos-u55-128)

# Rows of operations: the README leaves out the DMA of constants behind the first and the columns behind "bound".
shown < <("$program" npu --accelerator ethos-u55-128 --model "$models/classifier_ethos-u55-128.tflite" \
	--input "$models/classifier_input.bin" --output "$out" --layers |
	sed -nE 's/^( +(0|1|3|5|6|7|8) .*[0-9]  (dma|mac|output|latency)) .*/\1/p')
exit $missing

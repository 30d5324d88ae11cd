#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Output that README.md shows is what the programs print. Usage: readme.sh PROGRAM SOURCE-ROOT, in the build folder
set -euo pipefail
program=$1 root=$2
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

# The demonstration: a network of PyTorch's, made into an image. The processor's cycles are left out: any change of the
# runtime's code changes them a little.
network=$models/ds_cnn_ethos-u55-128.bpte
"$root/runtime/make-runner" "$network" --build "$PWD" -o "$out/ds_cnn.elf" > "$out/line"
shown < <("$program" --quiet --elf "$out/ds_cnn.elf" --npu ethos-u55-128 | grep -v 'CPU cycles')

# Rows of operations: the README leaves out the DMA of constants behind the first and the columns behind "bound".
shown < <("$program" npu --accelerator ethos-u55-128 --model "$models/classifier_ethos-u55-128.tflite" \
	--input "$models/classifier_input.bin" --output "$out" --layers |
	sed -nE 's/^( +(0|1|3|5|6|7|8) .*[0-9]  (dma|mac|output|latency)) .*/\1/p')
exit $missing

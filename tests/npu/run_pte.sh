#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ExecuTorch programs on `fvp-sim npu`, against PyTorch's outputs byte for byte: one that quantises, delegates and
# dequantises, and those of gen_programs.py.
# Usage: run_pte.sh PROGRAM GOLDEN-DATA PROGRAMS
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
run() { # model, inputs
	"$program" npu --accelerator ethos-u55-128 --model "$1" --input "$2" --output "$scratch"
}
program=$1
run "$2/pte_npu.pte" "$2/pte_npu.in"
cmp "$scratch/output_0.bin" "$2/pte_npu.out"
for folder in "$3"/*/; do
	run "$folder/model.pte" "$(printf '%s,' "$folder"in_*.bin | sed 's/,$//')"
	for gold in "$folder"gold_*.bin; do
		cmp "$scratch/output_${gold##*/gold_}" "$gold"
	done
done

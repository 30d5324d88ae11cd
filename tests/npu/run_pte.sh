#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program quantise - delegate - dequantise on `fvp-sim npu`, against PyTorch's output byte for byte.
# Usage: run_pte.sh PROGRAM DATA-FOLDER
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" npu --accelerator ethos-u55-128 --model "$2/pte_npu.pte" --input "$2/pte_npu.in" --output "$scratch"
cmp "$scratch/output_0.bin" "$2/pte_npu.out"

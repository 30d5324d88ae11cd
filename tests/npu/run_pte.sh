#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ExecuTorch programs on `fvp-sim npu`, against PyTorch's outputs byte for byte: one that quantises, delegates and
# dequantises, and those of gen_programs.py.
# Usage: run_pte.sh PROGRAM GOLDEN-DATA PROGRAMS
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
run() { # model, inputs, option...
	model=$1 inputs=$2
	shift 2
	"$program" npu --accelerator ethos-u55-128 --model "$model" --input "$inputs" --output "$scratch" "$@"
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

# The method that is asked for
folder=$3/methods
run "$folder/model.pte" "$folder/in_0.bin" --method encode
cmp "$scratch/output_0.bin" "$folder/encode_0.bin"
refused() { # text, model, method
	! run "$2" "$folder/in_0.bin" --method "$3" 2> "$scratch/why" && grep -qF "$1" "$scratch/why" && return
	echo "status $status"; cat "$scratch/why"
	exit 1
}
refused "model.pte: the program has no method 'decode'; it has encode, forward" "$folder/model.pte" decode
refused "only ExecuTorch programs (.pte) have methods" "$2/../../../runtime/models/classifier_ethos-u55-128.tflite" forward

# What Vela drops: an output that no operation writes, of a network or of a delegate, and one that is not in the delegate's table
says() { # status, text, model
	status=0
	run "$3" zeros 2> "$scratch/why" || status=$?
	[ "$status" = "$1" ] && [ "$(wc -l < "$scratch/why")" = 1 ] && grep -qF "$2" "$scratch/why" && return
	echo "status $status"; cat "$scratch/why"
	exit 1
}
plain=$2/pte_npu.pte dropped=$3/../dropped
outputs=$(grep -abo -m 1 outputs "$plain" | cut -d: -f1)
with() { # byte of the table of outputs, its new value in octal
	cp "$plain" "$scratch/changed.pte"
	printf %b "\\0$2" | dd of="$scratch/changed.pte" bs=1 seek=$((outputs + 32 + $1)) conv=notrunc status=none
}
says 0 'no operation writes output 0 (tosa_transpose_default_1), or not all of it: the compiler has dropped' "$dropped/turned_ethos-u55-128.tflite"
with 33 7 # its offset is 768 + 1024
says 0 'no operation writes output 0 of delegate 0, or not all of it: the compiler has dropped' "$scratch/changed.pte"
with 0 0 # there are none
says 65 'delegate 0: its call has 2 inputs and outputs, Vela compiled it for 1 and 0: results would be wrong' "$scratch/changed.pte"
says 65 "a delegate's backend is to turn images (permute_memory_format)" "$3/turned.pte"
says 65 'an operator quantises from or to another type than float32, which needs a CPU' "$3/half.pte"

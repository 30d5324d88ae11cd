#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Images of runtime/make-runner do what they should, and say why when they cannot.
# Usage: make_runner.sh PROGRAM SOURCE-ROOT BUILD-ROOT
set -euo pipefail
program=$1 root=$2 build=$3
data=$root/tests/runtime/data models=$root/runtime/models
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

make_it() { # MODEL OPTION...
	"$root/runtime/make-runner" "$@" --build "$build" -o "$out/runner.elf" > "$out/log" 2>&1
}

# The last run printed the text and ended with the status.
expect() { # STATUS TEXT
	[ "$status" = "$1" ] && grep -qF -- "$2" "$out/log" && return
	echo "status $status, expected $1, and the text: $2"
	cat "$out/log"
	failed=1
}

run() { # OPTION...
	status=0
	"$program" --quiet --elf "$out/runner.elf" "$@" > "$out/log" 2>&1 || status=$?
}

while read -r board npu; do
	make_it "$models/ds_cnn_$npu.bpte" --board "$board" --npu "$npu"
	run --board "$board" --npu "$npu"
	expect 0 'Test_result: PASS'
done <<'END'
corstone-300 ethos-u55-128
corstone-300 ethos-u65-256
corstone-310 ethos-u55-128
corstone-320 ethos-u85-256
END

# The memory mode that ExecuTorch has Vela take for U85 without another word
make_it "$models/ds_cnn_ethos-u85-256.bpte" --board corstone-320 --npu ethos-u85-256 --memory-mode Sram_Only
run --board corstone-320 --npu ethos-u85-256
expect 0 'Test_result: PASS'

# Delegates as ExecuTorch wrote them before 1.0 and before 0.7
for before in before_1_0 before_0_7; do
	make_it "$root/tests/npu/programs/$before/model.pte" --input "$root/tests/npu/programs/$before/in_0.bin"
	run
	expect 0 ': 0.9835 0.1632 0.0000 0.9590 0.4856 0.2040'
	expect 0 ': 0.0475 0.8449 -0.4964 0.3749'
done

# Another accelerator than the program was compiled for
make_it "$models/ds_cnn_ethos-u55-128.bpte"
run --npu ethos-u55-256
expect 2 'error: the run failed: instruction 1, EthosUBackend: it was compiled for another Ethos-U configuration than this one'

# Vela drops an output of a network that is read inside, too: the others would come in its place
cp "$models/ds_cnn_ethos-u55-128.bpte" "$out/dropped.bpte"
outputs=$(grep -abo -m 1 outputs "$out/dropped.bpte" | cut -d: -f1)
printf '\0' | dd of="$out/dropped.bpte" bs=1 seek=$((outputs + 32)) conv=notrunc status=none
make_it "$out/dropped.bpte"
run
expect 2 'instruction 1, EthosUBackend: its call has 2 inputs and outputs, Vela compiled it for 1 and 0: results would be wrong'

# Cortex-M alone
make_it "$data/right.bpte" --npu none
run --npu none
expect 0 'Test_result: PASS'
text=$(arm-none-eabi-size "$out/runner.elf" | awk 'NR == 2 { print $1 }')
[ "$text" -lt 65536 ] || { echo "an image with one kernel has $text bytes of text, more than 64 KiB"; failed=1; }
make_it "$data/two.bpte" --npu none
run --npu none
expect 0 'The bundle has 2 tests: the first is run.'
expect 0 'Test_result: PASS'
make_it "$data/wrong.bpte" --npu none --board corstone-320
run --npu none --board corstone-320
expect 1 'Test_result: FAIL (3 elements outside of the tolerance)'

# A program at an address, and with built-in inputs
printf '\0\0\200\077\0\0\0\100\0\0\100\100' > "$out/input"
make_it "$data/methods.pte" --npu none --at 0x78000000 --input "$out/input"
run --npu none --data "$data/methods.pte@0x78000000"
expect 0 'output 0: float32 [3] at'
expect 0 ': 3.0000 6.0000 9.0000'
run --npu none
expect 2 'error: loading the program failed: this is no ExecuTorch program of format ET12 (.pte)'

# The method that is asked for; what the others need is not
sed 's/aten::mul/aten::xul/' "$data/methods.pte" > "$out/unknown.pte"
make_it "$out/unknown.pte" --npu none --input "$out/input" --method twice
run --npu none
expect 0 "Method 'twice' loaded"
expect 0 ': 2.0000 4.0000 6.0000'

# Each floating-point type is shown as numbers: 1, 2, 3 and the like of float16, bfloat16 and float64
printf '\0\74\0\100\0\102\200\77\0\100\100\100' > "$out/floats"
printf '\0\0\0\0\0\0\360\77\0\0\0\0\0\0\0\100\0\0\0\0\0\0\10\100' >> "$out/floats"
make_it "$data/floats.pte" --npu none --input "$out/floats"
run --npu none
for type in float16 bfloat16 float64; do
	expect 0 ": $type [3] at"
done
[ "$(grep -c ': 2.0000 4.0000 6.0000$' "$out/log")" = 3 ] || { echo 'doubled floats are shown otherwise:'; cat "$out/log"; failed=1; }

# Outputs that are no tensors: numbers, truth, text
make_it "$data/constants.pte" --npu none
run --npu none
expect 0 'output 1: 3'
expect 0 'output 2: 2.500000'
expect 0 'output 3: True'
make_it "$data/constants.pte" --npu none --method label
run --npu none
expect 0 'output 0: "cat"'

# Another program at the address than the image was made with: its inputs have another size
head -c 20 /dev/zero > "$out/zeros"
make_it "$data/scale.pte" --npu none --at 0x78000000 --input "$out/zeros"
run --npu none --data "$data/methods.pte@0x78000000"
expect 2 'error: the inputs cannot be set: the file of --input has 20 bytes, the inputs take 12 in all'

# Its data in another file; the second input is the number 7
{ cat "$out/input"; printf '\7\0\0\0\0\0\0\0'; } > "$out/inputs"
make_it "$data/outside.pte" --npu none --data "$data/outside.ptd" --input "$out/inputs"
run --npu none
expect 0 ': 1.0000 4.0000 12.0000'

# Several inputs, which Vela gives its operator in another order than the network has
case=concat_102_ethos-u85-256
tar -xf "$root/tests/npu/data/$case.tar" -C "$out"
cat "$out"/in0_[0-9].bin > "$out/inputs"
make_it "$out/model_vela.tflite" --board corstone-320 --npu ethos-u85-256 --input "$out/inputs"
run --board corstone-320 --npu ethos-u85-256
at=$(sed -n 's/.* bytes at \(0x[0-9a-f]*\):.*/\1/p' "$out/log")
run --board corstone-320 --npu ethos-u85-256 --dump "$out/found@$at,$(stat -c %s "$out/gold0_0.bin")"
expect 0 'output '
cmp "$out/found" "$out/gold0_0.bin" || failed=1

# Inputs and outputs in regions of their own
case=many_heads_4
tar -xf "$root/tests/npu/options/$case.tar" -C "$out"
cat "$out"/in0_[0-2].bin > "$out/inputs"
cat "$out"/gold0_[01].bin > "$out/golden"
while read -r board npu; do
	make_it "$out/${npu}_13.tflite" --board "$board" --npu "$npu" --input "$out/inputs"
	run --board "$board" --npu "$npu"
	expect 0 'output '
	dumps=() i=0
	while read -r at; do
		dumps+=(--dump "$out/found_$i@$at,$(stat -c %s "$out/gold0_$i.bin")")
		i=$((i + 1))
	done < <(sed -n 's/.* bytes at \(0x[0-9a-f]*\):.*/\1/p' "$out/log")
	run --board "$board" --npu "$npu" "${dumps[@]}"
	cat "$out"/found_[01] | cmp - "$out/golden" || failed=1
done <<'END'
corstone-300 ethos-u55-128
corstone-320 ethos-u85-256
END

# Networks of Vela's, in both memory modes
golden=$(od -An -td1 -w10 "$models/classifier_golden.bin" | xargs)
make_it "$models/classifier_ethos-u65-256.tflite" --npu ethos-u65-256 --input "$models/classifier_input.bin"
run --npu ethos-u65-256
expect 0 ": $golden"
make_it "$models/classifier_ethos-u55-128.tflite" --input "$models/classifier_input.bin"
run
expect 0 ": $golden"
run --npu ethos-u55-64
expect 2 'error: it was compiled for another Ethos-U configuration than this one'
run --npu none
expect 124 'error: there is no Ethos-U at 58102000: this image is for a board with one'

refused() { # STATUS TEXT MODEL OPTION...
	local wanted=$1 text=$2
	shift 2
	status=0
	make_it "$@" || status=$?
	expect "$wanted" "$text"
}

refused 64 'unknown board corstone-999; known: corstone-300, corstone-310, corstone-320' "$data/right.bpte" --board corstone-999
refused 68 'corstone-320 has no ethos-u55-128' "$data/right.bpte" --board corstone-320
refused 64 'unknown accelerator ethos-u55-129; known: none, ethos-u55-32|64|128|256' "$data/methods.pte" --npu ethos-u55-129
refused 65 'turned.pte: method forward: delegate 0: its backend is to turn images (permute_memory_format)' "$root/tests/npu/programs/turned.pte"
refused 64 'unknown memory mode Sram; known: Shared_Sram, Dedicated_Sram, Sram_Only' "$data/methods.pte" --memory-mode Sram
refused 64 'unknown memory mode Shared_Sramx' "$data/methods.pte" --memory-mode Shared_Sramx
refused 64 '--at 0xzz is no address such as 0x78000000' "$data/methods.pte" --at 0xzz
refused 64 '--at 7800g is no address such as 0x78000000' "$data/methods.pte" --at 7800g
for at in 0x0 0x50000000 0x78000008 0x7ffffff0 0x170000000; do
	refused 64 "--at $at is no place for 1796 bytes: a multiple of 16, in the memory from 0x70000" "$data/methods.pte" --npu none --at $at
done
: > "$out/empty"
refused 65 "$out/empty is empty: without --input the inputs are zeros" "$data/methods.pte" --npu none --input "$out/empty"
refused 64 "--input is for .pte and .tflite: $data/right.bpte has inputs of its own" "$data/right.bpte" --npu none --input "$out/input"
refused 65 "$out/empty is no ExecuTorch program of format ET12 (.pte), no bundle (.bpte) and no .tflite" "$out/empty"
cp "$data/methods.pte" "$out/runner.elf"
refused 64 "the image would take the place of $out/runner.elf" "$out/runner.elf" --npu none
rm "$out/runner.elf"
mkdir "$out/runner.elf"
refused 73 "$out/runner.elf cannot be written" "$data/methods.pte" --npu none
rmdir "$out/runner.elf"
refused 66 "$data/none.pte cannot be read" "$data/none.pte"
# Programs that could not run, too: operators and backends that the runtime lacks, another accelerator, no such method
refused 65 "make-runner: $out/unknown.pte: method thrice: there are no kernels for aten::xul.out: keep these operators out of the program, or \
write kernels for them (runtime/README.md)" "$out/unknown.pte" --npu none
sed 's/aten::mul/aten::xul/g; s/aten::select_copy/aten::xelect_copy/g' "$data/rows.pte" > "$out/unknown.pte"
refused 65 'there are no kernels for aten::xelect_copy.int_out, aten::xul.out: keep' "$out/unknown.pte" --npu none
sed 's/aten::mul/aten::\x1bul/' "$data/methods.pte" > "$out/unknown.pte"
refused 65 'there are no kernels for aten::?ul' "$out/unknown.pte" --npu none
sed 's/EthosUBackend/XnnpckBackend/' "$models/ds_cnn_ethos-u55-128.bpte" > "$out/backend.bpte"
refused 65 "make-runner: $out/backend.bpte: method forward: delegate 0 is for XnnpckBackend, and the runtime has no backend but EthosUBackend: export \
the program without it" "$out/backend.bpte"
refused 65 'method forward: delegate 0 is for EthosUBackend: name the accelerator that it was compiled for by --npu' \
	"$models/ds_cnn_ethos-u55-128.bpte" --npu none
refused 65 'method forward: delegate 0: it was compiled for ethos-u55-128, not for ethos-u55-256: name the right one by --npu, or compile it again' \
	"$models/ds_cnn_ethos-u55-128.bpte" --npu ethos-u55-256
refused 65 'it was compiled for ethos-u65-256, not for ethos-u65-512' "$models/classifier_ethos-u65-256.tflite" --npu ethos-u65-512
refused 65 "$data/methods.pte: the program has no method forwards; it has thrice, twice" "$data/methods.pte" --npu none --method forwards
sed 's/forward/forwerd/' "$data/right.bpte" > "$out/untested.bpte" # the method, not the tests of it
refused 65 "$out/untested.bpte: method forwerd: the bundle has no test for it" "$out/untested.bpte" --npu none
refused 64 "--method wants the name of a method" "$data/methods.pte" --npu none --method ''
refused 64 "--at, --data and --method are for .pte and .bpte alone" "$models/classifier_ethos-u55-128.tflite" --method forward
refused 65 "$data/outside.pte: method forward: the data of value 0 is not in the program" "$data/outside.pte" --npu none
refused 65 'make-runner: --data: ' "$data/outside.pte" --npu none --data "$data/methods.pte"
# Inputs of another size than the program's, or the network's
{ cat "$out/input"; printf 'odd'; } > "$out/odd"
refused 65 "$data/methods.pte: method thrice: the file of --input has 15 bytes, the inputs take 12 in all" "$data/methods.pte" --npu none \
	--input "$out/odd"
refused 65 "classifier_ethos-u55-128.tflite: the file of --input has 15 bytes, the inputs take $(stat -c %s "$models/classifier_input.bin") in all" \
	"$models/classifier_ethos-u55-128.tflite" --input "$out/odd"
head -c 19 "$out/inputs" > "$out/odd" # a number takes 8 bytes
refused 65 'the file of --input has 19 bytes, the inputs take 20 in all' "$data/outside.pte" --npu none --data "$data/outside.ptd" --input "$out/odd"
# Networks that could not run are refused before there is an image
{ sed 's/ethos-u/custom-/g' "$models/classifier_ethos-u55-128.tflite"; printf 'ethos-u'; } > "$out/mixed.tflite"
refused 65 "make-runner: $out/mixed.tflite: operator 0 (custom custom-) is left to the processor: only networks that Vela compiles for the NPU as \
a whole run here; a .pte of ExecuTorch may leave operators to the processor" "$out/mixed.tflite"
head -c 2000 "$models/classifier_ethos-u55-128.tflite" > "$out/cut.tflite"
refused 65 "make-runner: $out/cut.tflite: the network is damaged" "$out/cut.tflite"
tar -xf "$root/tests/npu/refused/separate_io_lstm.tar" -C "$out"
refused 65 'the network has variables, and was compiled with --separate-io-regions' "$out/model_vela.tflite"
refused 64 'a .tflite needs an NPU' "$models/classifier_ethos-u55-128.tflite" --npu none
sed 's/ethos-u/custom-/g' "$models/classifier_ethos-u55-128.tflite" > "$out/plain.tflite"
PATH=$(dirname "$(command -v arm-none-eabi-gcc)"):/usr/bin:/bin refused 66 'there is no vela on the PATH' "$out/plain.tflite"
exit $failed

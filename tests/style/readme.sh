#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Output that README.md shows is what the programs print; commands of the documents that make and run images of the runtime work.
# Usage: readme.sh PROGRAM SOURCE-ROOT, in the build folder
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

# The demonstration: a network of PyTorch's, made into an image. The processor's cycles are those of Debian 12's compiler; another one makes other code.
case $(arm-none-eabi-gcc -dumpfullversion) in
12.2.1) other_code='^$' ;;
*) other_code='CPU cycles' ;;
esac
network=$models/ds_cnn_ethos-u55-128.bpte
"$root/runtime/make-runner" "$network" --build "$PWD" -o "$out/ds_cnn.elf" > "$out/line"
shown < <(sed "s#$out/ds_cnn#build/ds_cnn_ethos-u55-128#g" "$out/line")
shown < <("$program" --quiet --elf "$out/ds_cnn.elf" --npu ethos-u55-128 | grep -v "$other_code")

# Rows of operations: the README leaves out the DMA of constants behind the first and the columns behind "bound".
shown < <("$program" npu --accelerator ethos-u55-128 --model "$models/classifier_ethos-u55-128.tflite" \
	--input "$models/classifier_input.bin" --output "$out" --layers |
	sed -nE 's/^( +(0|1|3|5|6|7|8) .*[0-9]  (dma|mac|output|latency)) .*/\1/p')

# What the documents' commands find and leave behind: a folder with links to the sources and to what was built.
build=$PWD
mkdir -p "$out/tree/build"
ln -s "$root/runtime" "$out/tree/runtime"
ln -s "$build"/* "$out/tree/build/"
cd "$out/tree"
cp "$models/ds_cnn_ethos-u85-256.bpte" model.pte
cp "$root/tests/runtime/data/choose.pte" program.pte
printf '\1' > i0.bin
printf '\0\0\200\077\0\0\0\100\0\0\100\100' > i1.bin # 1, 2, 3
count=0
while IFS= read -r command <&3; do
	case $command in runtime/make-runner*) command="$command --build $build" ;; esac
	eval "$command" > ../log 2>&1 < /dev/null || { echo "$command:"; cat ../log; missing=1; }
	count=$((count + 1))
done 3< <("$root/tests/style/doc_commands.py" "$root" readme)
[ "$count" -ge 5 ] || { echo "only $count commands were found"; missing=1; }
exit $missing

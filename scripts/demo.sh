#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first five minutes: installs what is missing, builds simulator and runtime, makes images of a network, runs them.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-deps.sh build
[ -d build ] || meson setup build >/dev/null
meson compile -C build product >/dev/null
while read -r board npu; do
	elf=build/ds_cnn_$npu.elf
	printf '\n$ runtime/make-runner runtime/models/ds_cnn_%s.bpte --board %s --npu %s -o %s\n' "$npu" "$board" "$npu" "$elf"
	runtime/make-runner "runtime/models/ds_cnn_$npu.bpte" --board "$board" --npu "$npu" -o "$elf"
	printf '\n$ build/fvp-sim --elf %s --board %s --npu %s\n' "$elf" "$board" "$npu"
	build/fvp-sim --elf "$elf" --board "$board" --npu "$npu"
done <<'END'
corstone-320 ethos-u85-256
corstone-300 ethos-u55-128
END
